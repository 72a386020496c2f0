"""NumPy's names, arguments and methods: each gives NumPy's result."""

import numpy as np
import pytest

import usmtensor as usm
from usmtensor import _numpy_names

A = np.arange(24.0).reshape(2, 3, 4) - 7
B = np.asarray([[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]])


def same(found, expected):
    expected = np.asarray(expected)
    found = usm.asnumpy(found)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_all_names_are_numpys():
    assert not [name for name in _numpy_names.__all__ if not hasattr(np, name)]
    assert all(getattr(usm, name) is getattr(_numpy_names, name) for name in _numpy_names.__all__)


@pytest.mark.parametrize(
    "name", ["absolute", "arcsinh", "arctan", "conjugate", "fix", "rint", "fabs", "around"]
)
def test_functions_of_one_array(name):
    same(getattr(usm, name)(usm.asarray(B)), getattr(np, name)(B))


@pytest.mark.parametrize("name", ["arctan2", "mod", "power", "true_divide", "float_power"])
def test_functions_of_two_arrays(name):
    x, y = np.abs(B), np.abs(B[::-1])
    same(getattr(usm, name)(usm.asarray(x), usm.asarray(y)), getattr(np, name)(x, y))


def test_array_copies():
    x = usm.asarray([1, 2])
    assert usm.array(x) is not x and usm.array(x, copy=None) is x
    y = usm.array(x)
    y[0] = 5
    assert x.tolist() == [1, 2] and usm.array(1, ndmin=3).shape == (1, 1, 1)
    assert usm.array([1, 2], "f4").dtype == np.float32


@pytest.mark.parametrize("axis", [None, 0, -1])
@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
def test_scans(name, axis):
    same(getattr(usm, name)(usm.asarray(A), axis), getattr(np, name)(A, axis))


def test_shapes_and_orders():
    x = usm.asarray(A)
    same(usm.transpose(x), A.T)
    same(usm.transpose(x, (1, 2, 0)), A.transpose(1, 2, 0))
    same(usm.ravel(x, "F"), A.ravel("F"))
    assert (usm.ndim(x), usm.shape(x), usm.size(x), usm.size(x, 1)) == (3, (2, 3, 4), 24, 3)
    assert usm.ascontiguousarray(x.mT).flags.c_contiguous
    assert usm.asfortranarray(x).flags.f_contiguous
    same(usm.identity(3), np.identity(3))


def test_joining():
    x = usm.asarray(B)
    same(usm.concatenate((x, x), 1), np.concatenate((B, B), 1))
    same(usm.concatenate((x, x), None, dtype="f4"), np.concatenate((B, B), None, dtype="f4"))
    out = usm.empty((4, 3))
    assert usm.concatenate((x, x), out=out) is out
    with pytest.raises(ValueError, match=r"concatenate: out has shape \(2, 3\)"):
        usm.concatenate((x, x), out=usm.empty((2, 3)))


M = A > 0


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "var", "std"])
def test_reductions_take_numpys_arguments(name):
    x, ours, theirs = usm.asarray(A), getattr(usm, name), getattr(np, name)
    same(ours(x, 1, where=M), theirs(A, 1, where=M))
    same(ours(x, 1, "f8"), theirs(A, 1, "f8"))
    same(getattr(x, name)(1, keepdims=True), getattr(A, name)(1, keepdims=True))


@pytest.mark.parametrize("name", ["max", "min"])
def test_extremes_take_initial_and_where(name):
    x, ours, theirs = usm.asarray(A), getattr(usm, name), getattr(np, name)
    same(ours(x, 1, where=M, initial=3), theirs(A, 1, where=M, initial=3))
    same(ours(x[:0], initial=3), theirs(A[:0], initial=3))
    with pytest.raises(ValueError, match=f"{name}: where is given without initial"):
        ours(x, where=M)


def test_keywords_and_positions():
    x = usm.asarray(A)
    same(usm.var(x, 0, ddof=1), np.var(A, 0, ddof=1))
    same(usm.var(x, 0, 1, True), np.var(A, 0, ddof=1, keepdims=True))
    same(usm.mean(x, 0, True), np.mean(A, 0, keepdims=True))
    same(usm.any(x, 1, None, True, where=M), np.any(A, 1, None, True, where=M))
    same(usm.round(x / 3, 2), np.round(A / 3, 2))
    same(usm.round(x / 3, decimals=1), np.round(A / 3, 1))
    same(usm.angle(x + 1j, True), np.angle(A + 1j, True))
    same(usm.zeros_like(x, shape=(3,)), np.zeros_like(A, shape=(3,)))
    same(usm.isin(x, x[0], False, True), np.isin(A, A[0], False, True))
    a, b = np.arange(3), np.arange(4)
    for found, expected in zip(
        usm.meshgrid(usm.asarray(a), usm.asarray(b), sparse=True, copy=False),
        np.meshgrid(a, b, sparse=True),
        strict=True,
    ):
        same(found, expected)


def test_numbers_alone_give_numpys_scalars():
    for found, expected in (
        (usm.sqrt(2.0), np.sqrt(2.0)),
        (usm.add(np.float32(2), 1), np.float32(3)),
        (usm.rsqrt(4.0), np.float64(0.5)),
        (usm.where(True, 1, 2.0), np.float64(1)),
        (usm.clip(5, 1, 3), np.int64(3)),
        (usm.round(2.567, 1), np.float64(2.6)),
        (usm.float64(1.5), np.float64(1.5)),
    ):
        assert type(found) is type(expected) and found == expected
    with pytest.raises(TypeError):
        usm.sqrt([1.0])
    with pytest.raises(TypeError):
        usm.sqrt(np.ones(3))


def test_types_are_numpys_classes():
    x = usm.asarray(A)
    assert x.dtype == usm.float64 and usm.float64 == x.dtype and usm.float64 is np.float64


@pytest.mark.parametrize(
    "name, arguments",
    [
        ("transpose", (1, 0, 2)),
        ("transpose", ()),
        ("take", ([0, 3],)),
        ("take", ([0, 1], 1)),
        ("diagonal", ()),
        ("trace", ()),
        ("cumsum", (1,)),
        ("cumprod", ()),
        ("swapaxes", (0, 2)),
        ("conjugate", ()),
        ("view", ("i4",)),
        ("compress", ([True, False, True], 1)),
    ],
)
def test_methods(name, arguments):
    same(getattr(usm.asarray(A), name)(*arguments), getattr(A, name)(*arguments))


@pytest.mark.parametrize("name, arguments", [("fill", (3,)), ("sort", (0,))])
def test_methods_in_place(name, arguments):
    x, expected = usm.asarray(A), A.copy()
    getattr(x, name)(*arguments)
    getattr(expected, name)(*arguments)
    same(x, expected)


@pytest.mark.parametrize("name", ["add", "subtract", "maximum", "minimum"])
def test_at_combines_values_of_equal_indices(name):
    x, expected = usm.asarray(A), A.copy()
    getattr(usm, name).at(x.T, usm.asarray([0, 0, 3]), 2.5)
    getattr(np, name).at(expected.T, [0, 0, 3], 2.5)
    same(x, expected)


@pytest.mark.parametrize(
    "name", ["add", "multiply", "maximum", "minimum", "logical_and", "logical_or"]
)
def test_methods_of_functions(name):
    x, ours, theirs = usm.asarray(A), getattr(usm, name), getattr(np, name)
    same(ours.reduce(x), theirs.reduce(A))
    same(theirs.reduce(x, axis=1), theirs.reduce(A, axis=1))
    same(ours.accumulate(x, 1), theirs.accumulate(A, 1))
    same(ours.outer(x[0, 0], x[0]), theirs.outer(A[0, 0], A[0]))


def test_default_device():
    queue = usm.SyclQueue()
    with usm.default_device(queue):
        assert usm.ones(3).sycl_queue == queue
    assert usm.ones(3).sycl_queue != queue
    try:
        usm.set_default_device(queue)
        assert usm.ones(3).sycl_queue == queue
    finally:
        usm.set_default_device(None)
    assert usm.ones(3).sycl_queue != queue
    usm.synchronize()
