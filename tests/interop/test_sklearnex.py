"""scikit-learn-intelex: tables of oneDAL over arrays, and estimators."""

import gc

import numpy as np
import pytest
from checks import assert_same
from test_dlpack_order import in_order_queue, late, needs_default_context

import usmtensor as usm

onedal = pytest.importorskip("onedal")
datatypes = pytest.importorskip("onedal.datatypes")
sklearnex = pytest.importorskip("sklearnex")
pytest.importorskip("onedal._onedal_py_dpc", reason="scikit-learn-intelex-gpu is not installed")
pytest.importorskip("dpctl")  # without it oneDAL takes only its own queues

from sklearnex.basic_statistics import BasicStatistics  # noqa: E402
from sklearnex.cluster import KMeans  # noqa: E402
from sklearnex.decomposition import PCA  # noqa: E402
from sklearnex.linear_model import LinearRegression  # noqa: E402
from sklearnex.neighbors import NearestNeighbors  # noqa: E402
from sklearnex.svm import SVC  # noqa: E402

VALUES = np.random.default_rng(1).normal(size=(60, 5))
TARGET = VALUES @ np.arange(1.0, 6.0) + 3
LABELS = (VALUES[:, 0] > 0).astype("f8")


@pytest.fixture
def x(queue, usm_kind):
    if not queue.sycl_device.has_aspect_fp64:
        pytest.skip("the device lacks the aspect fp64")
    return usm.asarray(VALUES, usm_type=usm_kind, sycl_queue=queue)


def values_of(table):
    return datatypes.from_table(table)


@pytest.mark.shows(
    "scikit-learn-intelex-gpu",
    "from us",
    "tables of oneDAL, `onedal.datatypes.to_table(x)`: of two dimensions, or compact",
    "none if compact, else one",
)
@pytest.mark.parametrize("view", [np.s_[...], np.s_[10:20], np.s_[::2], np.s_[:, 1:3]], ids=str)
@pytest.mark.parametrize("order", ["C", "F"])
def test_tables_over_arrays(x, order, view):
    x = usm.asarray(x, order=order, copy=True)
    table = datatypes.to_table(x[view])
    np.testing.assert_array_equal(values_of(table), VALUES[view])
    compact = x[view].flags.forc
    assert (table.__sycl_usm_array_interface__["data"][0] == x[view]._pointer) == compact
    if compact:
        x[...] = 2.0
        assert (values_of(table) == 2.0).all()


@pytest.mark.shows(
    "scikit-learn-intelex-gpu", "fails", "tables over vectors with strides: wrong values", ""
)
@pytest.mark.parametrize(
    "view",
    [
        np.s_[3],
        pytest.param(
            np.s_[:, 3],
            marks=pytest.mark.xfail(
                strict=True,
                raises=AssertionError,
                reason="oneDAL reads a vector as if it were compact, one of dpnp too",
            ),
        ),
    ],
    ids=str,
)
def test_tables_over_vectors(x, view):
    table = datatypes.to_table(x[view])
    np.testing.assert_array_equal(values_of(table)[:, 0], VALUES[view])


@pytest.mark.parametrize("dtype", ["i4", "i8", "f4", "f8"])
def test_types(x, dtype):
    x = usm.astype(x, dtype)
    np.testing.assert_array_equal(values_of(datatypes.to_table(x)), usm.asnumpy(x), strict=True)


def test_negative_strides(x):
    view = np.s_[::-1, ::-1]
    np.testing.assert_array_equal(values_of(datatypes.to_table(x[view])), VALUES[view])


@pytest.mark.shows("scikit-learn-intelex-gpu", "to us", "tables: `asarray(table)`", "none")
def test_arrays_over_tables(x, usm_kind):
    y = usm.asarray(datatypes.to_table(x))
    assert y._pointer == x._pointer
    assert y.usm_type == usm_kind
    assert_same(y, VALUES)


@pytest.mark.shows(
    "scikit-learn-intelex-gpu", "to us", "tables: `from_dlpack(table)`", "one, by them"
)
def test_arrays_of_tables(x):
    needs_default_context(x.sycl_queue)
    assert_same(usm.from_dlpack(datatypes.to_table(x)), VALUES)


@pytest.mark.parametrize("make", [usm.asarray, usm.from_dlpack], ids=["SUAI", "DLPack"])
def test_producers_deleted_first(queue, x, make):
    kind = x.usm_type
    z = usm.asarray(x, copy=True)
    table = datatypes.to_table(z)
    del z
    gc.collect()
    usm.full((60, 5), -1.0, usm_type=kind, sycl_queue=queue)
    np.testing.assert_array_equal(values_of(table), VALUES)
    y = make(table)
    del table
    gc.collect()
    usm.full((60, 5), -1.0, usm_type=kind, sycl_queue=queue)
    assert_same(y, VALUES)


def test_pending_work(device):
    for _ in range(4):
        x, _keep = late(in_order_queue(device))
        assert (values_of(datatypes.to_table(x)) == 2).all()


def regression(x, y):
    model = LinearRegression().fit(x, y[:, 0])
    return model.coef_, model.predict(x)


def means(x, y):
    model = KMeans(3, random_state=0, n_init=1).fit(x)
    return model.cluster_centers_, model.predict(x)


def components(x, y):
    model = PCA(2).fit(x)
    return abs(model.components_), abs(model.transform(x))


def statistics(x, y):
    model = BasicStatistics(["mean", "max", "variance"]).fit(x)
    return model.mean_, model.max_, model.variance_


def neighbours(x, y):
    return NearestNeighbors(n_neighbors=3).fit(x).kneighbors(x)


def classes(x, y):
    return (SVC().fit(x, y[:, 1]).predict(x),)


ESTIMATORS = [regression, means, components, statistics, neighbours, classes]


@pytest.mark.shows(
    "scikit-learn-intelex-gpu",
    "from us",
    "`fit` and `predict` of estimators; results are NumPy arrays",
    "one, to the host",
)
@pytest.mark.parametrize("fit", ESTIMATORS, ids=lambda fit: fit.__name__)
def test_estimators(queue, x, fit):
    targets = np.stack([TARGET, LABELS], axis=1)
    y = usm.asarray(targets, usm_type=x.usm_type, sycl_queue=queue)
    for ours, theirs in zip(fit(x, y), fit(VALUES, targets), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)


def test_estimators_see_pending_work(device):
    x, _keep = late(in_order_queue(device))
    model = BasicStatistics(["mean"]).fit(usm.astype(usm.reshape(x, (-1, 1)), "f4"))
    assert model.mean_ == 2.0
    x, _keep = late(in_order_queue(device))
    model = BasicStatistics(["mean"]).fit(usm.reshape(x, (-1, 1)))
    assert model.mean_ == 2.0


@pytest.mark.shows(
    "scikit-learn-intelex-gpu",
    "fails",
    "estimators without a copy, `array_api_dispatch=True`: results are made only for dpnp",
    "",
)
@pytest.mark.xfail(
    strict=True,
    raises=UnboundLocalError,
    reason="onedal.datatypes.from_table(like=) makes arrays of an interface for dpnp alone",
)
def test_estimators_without_a_copy(x):
    # Dispatch calls this, after checks that need functions of the standard.
    from onedal.basic_statistics import BasicStatistics

    np.testing.assert_allclose(usm.asnumpy(BasicStatistics().fit(x).mean_), VALUES.mean(0))
