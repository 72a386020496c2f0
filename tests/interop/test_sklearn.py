"""scikit-learn with array API dispatch: its helpers, transformers, metrics and linear models."""

import numpy as np
import pytest
from clients import assert_agrees
from library import skip_without_library

import usmtensor as usm

sklearn = pytest.importorskip("sklearn")
decomposition = pytest.importorskip("sklearn.decomposition")
discriminant_analysis = pytest.importorskip("sklearn.discriminant_analysis")
linear_model = pytest.importorskip("sklearn.linear_model")
metrics = pytest.importorskip("sklearn.metrics")
preprocessing = pytest.importorskip("sklearn.preprocessing")
selection = pytest.importorskip("sklearn.model_selection")
utils = pytest.importorskip("sklearn.utils")
dispatch = pytest.importorskip("sklearn.utils._array_api")

X = np.arange(12.0).reshape(4, 3)
Y = np.array([0, 1, 0, 1])


@pytest.fixture(autouse=True)
def dispatching():
    with sklearn.config_context(array_api_dispatch=True):
        yield


@pytest.fixture
def x(queue):
    return usm.asarray(X, sycl_queue=queue)


def test_namespace_and_device(x):
    assert dispatch.get_namespace(x, None, [1], "word") == (usm, True)
    assert dispatch.get_namespace_and_device(x, x[0]) == (usm, True, x.device)
    assert dispatch.device(x, x[0]) == x.device
    assert dispatch.size(x) == 12
    assert dispatch.indexing_dtype(usm) == usm.int64
    types = dispatch.supported_float_dtypes(usm, device=x.device)
    assert types[-2:] == (usm.float32, usm.float16)
    assert dispatch._max_precision_float_dtype(usm, x.device) == types[0]


def test_moving(x, queue):
    """By DLPack, to the host and back."""
    host = dispatch.move_to(x, xp=np, device="cpu")
    assert isinstance(host, np.ndarray)
    np.testing.assert_array_equal(host, X)
    back = dispatch.move_to(host, xp=usm, device=x.device)
    assert isinstance(back, usm.usm_ndarray) and back.device == x.device
    np.testing.assert_array_equal(usm.asnumpy(back), X)
    assert dispatch.move_to(x, xp=usm, device=x.device) is x


def xp_of(x):
    return dispatch.get_namespace(x)[0]


HELPERS = [
    ("expit", lambda x: dispatch._expit(x, xp=xp_of(x)), X),
    ("logit", lambda x: dispatch._logit((x + 1) / 20, xp=xp_of(x)), X),
    ("xlogy", lambda x: dispatch._xlogy(x, x + 1, xp=xp_of(x)), X),
    ("ravel", lambda x: dispatch._ravel(x, xp=xp_of(x)), X),
    ("isin", lambda y: dispatch._isin(y, y[:1], xp_of(y)), Y),
    ("bincount", lambda y: dispatch._bincount(y, xp=xp_of(y)), Y),
    ("median", lambda x: dispatch._median(x, axis=0, xp=xp_of(x)), X),
    ("check_array", lambda x: utils.check_array(x, ensure_all_finite=False), X),
    ("shuffle", lambda x: utils.shuffle(x, random_state=0), X),
    ("resample", lambda x: utils.resample(x, random_state=0), X),
    ("train_test_split", lambda x, y: selection.train_test_split(x, y, random_state=0), X, Y),
]


@pytest.mark.parametrize(
    ("function", "operands"), [pytest.param(row[1], row[2:], id=row[0]) for row in HELPERS]
)
def test_helpers(queue, function, operands):
    assert_agrees(function, *operands, sycl_queue=queue)


def test_changes_in_place(x):
    dispatch._fill_diagonal(x, 7.0, usm)
    expected = X.copy()
    np.fill_diagonal(expected, 7)
    assert usm.asnumpy(x).tolist() == expected.tolist()


TRANSFORMERS = [
    preprocessing.Binarizer(threshold=3.0),
    preprocessing.PolynomialFeatures(),
    preprocessing.FunctionTransformer(lambda x: x * 2),
]


@pytest.mark.shows(
    "scikit-learn", "from us", "transformers and helpers, `array_api_dispatch=True`", "none"
)
@pytest.mark.parametrize("transformer", TRANSFORMERS, ids=lambda x: type(x).__name__)
def test_transformers(queue, transformer):
    with sklearn.config_context(assume_finite=True):
        assert_agrees(transformer.fit_transform, X, sycl_queue=queue)


@pytest.mark.parametrize(
    "transformer",
    [preprocessing.MinMaxScaler(), preprocessing.MaxAbsScaler(), preprocessing.StandardScaler()],
    ids=lambda x: type(x).__name__,
)
def test_scalers(queue, transformer):
    assert_agrees(transformer.fit_transform, X, sycl_queue=queue)


def test_check_array(queue):
    assert_agrees(utils.check_array, X, sycl_queue=queue)


def test_label_encoder(queue):
    assert_agrees(preprocessing.LabelEncoder().fit_transform, Y, sycl_queue=queue)


@pytest.mark.parametrize("name", ["accuracy_score", "zero_one_loss"])
def test_metrics_of_classes(queue, name):
    metric, other = getattr(metrics, name), np.array([0, 1, 1, 1])
    arrays = [usm.asarray(y, sycl_queue=queue) for y in (Y, other)]
    assert metric(*arrays) == pytest.approx(metric(Y, other))


@pytest.mark.parametrize("name", ["mean_squared_error", "mean_absolute_error", "r2_score"])
def test_metrics_of_numbers(queue, name):
    metric, other = getattr(metrics, name), X**1.5
    arrays = [usm.asarray(y, sycl_queue=queue) for y in (X, other)]
    assert metric(*arrays) == pytest.approx(metric(X, other))


def on_both(queue, model, *arrays):
    """A model fitted to usmtensor arrays, and one fitted to NumPy arrays."""
    ours = [usm.asarray(values, sycl_queue=queue) for values in arrays]
    return sklearn.clone(model).fit(*ours), sklearn.clone(model).fit(*arrays)


@pytest.mark.parametrize("solver", ["full", "covariance_eigh", "randomized"])
def test_principal_components(queue, solver):
    skip_without_library(queue)
    values = np.random.default_rng(0).normal(size=(60, 5)).astype("f4")
    keywords = {"random_state": 0, "power_iteration_normalizer": "QR"}
    model = decomposition.PCA(2, svd_solver=solver, **keywords)
    ours, theirs = on_both(queue, model, values)
    assert isinstance(ours.components_, usm.usm_ndarray)
    for name in ("components_", "explained_variance_"):
        found = usm.asnumpy(getattr(ours, name))
        np.testing.assert_allclose(np.abs(found), np.abs(getattr(theirs, name)), atol=1e-4)


def test_linear_models(queue):
    skip_without_library(queue)
    values = np.random.default_rng(0).normal(size=(60, 5)).astype("f4")
    target = values @ np.arange(5, dtype="f4")
    ours, theirs = on_both(queue, linear_model.Ridge(solver="svd"), values, target)
    np.testing.assert_allclose(usm.asnumpy(ours.coef_), theirs.coef_, atol=1e-4)
    model = discriminant_analysis.LinearDiscriminantAnalysis(solver="svd")
    ours, theirs = on_both(queue, model, values, (target > 0).astype("i8"))
    predicted = usm.asnumpy(ours.predict(usm.asarray(values, sycl_queue=queue)))
    with sklearn.config_context(array_api_dispatch=False):
        assert (predicted == theirs.predict(values)).all()
