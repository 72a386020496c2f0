"""array-api-extra: every function."""

import numpy as np
import pytest
from clients import assert_agrees, on_device

import usmtensor as usm

xpx = pytest.importorskip("array_api_extra")
compat = pytest.importorskip("array_api_compat")

X = np.arange(6.0).reshape(2, 3)
Y = np.array([0.5, -2.0, np.nan, np.inf])
INTEGERS = np.array([3, 1, 2])
C = np.array([1 + 2j, -1j, 3])
MASK = np.array([True, False, True])

WORK = [
    ("angle", xpx.angle, Y),
    ("angle of complex numbers", xpx.angle, C),
    ("angle in degrees", lambda x: xpx.angle(x, deg=True), C),
    ("apply_where", lambda x: xpx.apply_where(x > 0, (x,), lambda y: y * 2, lambda y: -y), Y),
    ("apply_where, fill", lambda x: xpx.apply_where(x > 0, x, lambda y: y * 2, fill_value=0), Y),
    ("atleast_nd", lambda x: xpx.atleast_nd(x, ndim=3), INTEGERS),
    ("create_diagonal", lambda x: xpx.create_diagonal(x, offset=1), INTEGERS),
    ("create_diagonal of a stack", lambda x: xpx.create_diagonal(x, offset=-1), X),
    ("deg2rad", xpx.deg2rad, Y),
    ("rad2deg", xpx.rad2deg, Y),
    ("isclose", lambda x: xpx.isclose(x, x + 1e-9, equal_nan=True), Y),
    ("isclose of a number", lambda x: xpx.isclose(x, 3), INTEGERS),
    ("isin", lambda x: xpx.isin(x, x[:1]), INTEGERS),
    ("kron", lambda x: xpx.kron(x, x), X),
    ("lazy_apply", lambda x: xpx.lazy_apply(lambda y: y * 2, x), X),
    ("nan_to_num", xpx.nan_to_num, Y.astype("f4")),
    ("nan_to_num, fill", lambda x: xpx.nan_to_num(x, fill_value=3), Y.astype("f4")),
    ("one_hot", lambda x: xpx.one_hot(x, 5), INTEGERS),
    ("pad", lambda x: xpx.pad(x, 1), X),
    ("pad by pairs", lambda x: xpx.pad(x, ((1, 0), (0, 2)), constant_values=7), X),
    ("sinc", xpx.sinc, Y[:2]),
    ("unravel_index", lambda x: xpx.unravel_index(x, (2, 2)), INTEGERS),
    ("argpartition", lambda x: xpx.argpartition(x, 1), INTEGERS),
    ("partition", lambda x: xpx.partition(x, 1), INTEGERS),
    ("broadcast_shapes", lambda x: x.reshape(xpx.broadcast_shapes(x.shape, (1, 1, 3))), X),
    ("cov", xpx.cov, X),
    ("expand_dims", lambda x: xpx.expand_dims(x, axis=(0, 2)), X),
    ("nanmax", xpx.nanmax, Y),
    ("nanmin", xpx.nanmin, Y),
    ("nanmean", xpx.nanmean, Y),
    ("nansum", xpx.nansum, Y),
    ("nunique", xpx.nunique, INTEGERS),
    ("searchsorted", lambda x: xpx.searchsorted(x, x), X[0]),
    ("setdiff1d", lambda x: xpx.setdiff1d(x, x[:1]), INTEGERS),
    ("union1d", lambda x: xpx.union1d(x, x), INTEGERS),
]


INDICES = ["diag_indices", "tril_indices", "triu_indices"]


def test_no_function_is_missing():
    tested = {row[0].split()[0].strip(",") for row in WORK} | {"at", "default_dtype", *INDICES}
    assert set(xpx.__all__) - {"__version__", "testing"} == tested


def named(rows):
    return [pytest.param(*row[1:], id=row[0]) for row in rows]


@pytest.mark.shows("array-api-extra", "from us", "its functions", "none")
@pytest.mark.parametrize(("function", "x"), named(WORK))
def test_functions(queue, function, x):
    assert_agrees(function, x, sycl_queue=queue)


@pytest.mark.parametrize("key", [0, slice(1, None), MASK], ids=["integer", "slice", "mask"])
@pytest.mark.parametrize(
    "method", ["set", "add", "subtract", "multiply", "divide", "power", "min", "max"]
)
def test_at(queue, method, key):
    x = np.array([3.0, 1.0, 2.0])
    assert_agrees(
        lambda y, k: getattr(xpx.at(y)[k], method)(2.0, copy=True), x, key, sycl_queue=queue
    )
    y = usm.asarray(x, sycl_queue=queue)
    z = getattr(xpx.at(y)[on_device(key, sycl_queue=queue)], method)(2.0, copy=False)
    assert z is y
    np.testing.assert_array_equal(usm.asnumpy(y), getattr(xpx.at(x)[key], method)(2.0, copy=True))


@pytest.mark.parametrize("name", INDICES)
def test_indices(name):
    function = getattr(xpx, name)
    for x, expected in zip(function(3, xp=usm), function(3, xp=compat.numpy), strict=True):
        assert usm.asnumpy(x).tolist() == expected.tolist()


def test_default_dtype():
    info = usm.__array_namespace_info__()
    for kind, dtype in info.default_dtypes().items():
        assert xpx.default_dtype(usm, kind) == dtype
