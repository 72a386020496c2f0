"""NumPy's names, arguments and methods: each gives NumPy's result."""

import asyncio
import threading

import numpy as np
import pytest
from elementwise_oracle import held
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from library import skip_without_library
from numpy_calls import compare, compare_pairs
from strategies import dtypes, examples, recipes, shapes

import usmtensor as usm
from usmtensor._numpy import names as _numpy_names
from usmtensor._numpy import ufunc_methods

A = np.arange(24.0).reshape(2, 3, 4) - 7
B = np.asarray([[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]])


def same(found, expected):
    expected = np.asarray(expected)
    found = usm.asnumpy(found)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_all_names_are_numpys():
    removed = {"row_stack"}  # from later versions of NumPy
    assert {name for name in _numpy_names.__all__ if not hasattr(np, name)} <= removed
    assert all(getattr(usm, name) is getattr(_numpy_names, name) for name in _numpy_names.__all__)


def test_most_names_are_here():
    assert len([name for name in np.__all__ if hasattr(usm, name)]) > 400  # README promises it


ONE = ["absolute", "arcsinh", "arctan", "conjugate", "fix", "rint", "fabs", "around"]
TWO = ["arctan2", "mod", "power", "true_divide", "float_power"]


@examples(80)
@given(st.sampled_from(ONE), st.data())
def test_functions_of_one_array(queue, name, data):
    x, y = data.draw(recipes(dtype=data.draw(dtypes("fc", least=4)))).pair(queue)
    compare_pairs(lambda xp, a: getattr(xp, name)(a), [x], [y], ulps=8)


@examples(80)
@given(st.sampled_from(TWO), st.data())
def test_functions_of_two_arrays(queue, name, data):
    dtype = data.draw(dtypes("f", least=4))
    pairs = [data.draw(recipes(dtype=dtype, max_dims=2, max_side=3)).pair(queue) for _ in range(2)]
    compare_pairs(lambda xp, a, b: getattr(xp, name)(a, b), *zip(*pairs, strict=True), ulps=8)


def test_array_copies():
    x = usm.asarray([1, 2])
    assert usm.array(x) is not x and usm.array(x, copy=None) is x
    y = usm.array(x)
    y[0] = 5
    assert x.tolist() == [1, 2] and usm.array(1, ndmin=3).shape == (1, 1, 1)
    assert usm.array([1, 2], "f4").dtype == np.float32


@examples(80)
@given(st.sampled_from(["cumsum", "cumprod"]), st.sampled_from([None, 0, 1, -1]), st.data())
def test_scans(queue, name, axis, data):
    x, y = data.draw(recipes(dtype=data.draw(dtypes("biufc", least=4)), max_dims=3)).pair(queue)
    if x.ndim:  # NumPy takes axis 0 of 0-D arrays
        compare_pairs(lambda xp, a: getattr(xp, name)(a, axis), [x], [y], ulps=64)


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
    with pytest.raises(ValueError, match=r"concat: out has shape \(2, 3\)"):
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


@pytest.mark.parametrize(
    "function, keywords",
    [
        ("take", {"indices": np.array([2, 0]), "axis": 1}),
        ("take_along_axis", {"indices": np.argsort(A, 1), "axis": 1}),
        ("repeat", {"repeats": 2, "axis": 0}),
        ("tile", {"reps": (2, 1)}),
        ("moveaxis", {"source": 0, "destination": 1}),
        ("interp", {"xp": np.arange(3.0), "fp": np.arange(3.0) ** 2}),
        ("digitize", {"bins": np.arange(3.0)}),
    ],
)
def test_further_operands_have_numpys_keywords(function, keywords):
    ours = {
        name: usm.asarray(value) if isinstance(value, np.ndarray) else value
        for name, value in keywords.items()
    }
    same(getattr(usm, function)(usm.asarray(A), **ours), getattr(np, function)(A, **keywords))


def test_ranges_have_numpys_keywords():
    same(usm.linspace(start=0, stop=1, num=3), np.linspace(start=0, stop=1, num=3))
    same(usm.fft.fftfreq(n=5), np.fft.fftfreq(n=5))
    same(usm.fft.rfftfreq(n=5), np.fft.rfftfreq(n=5))
    matrix = np.array([[2.0, 1.0], [1.0, 1.0]])
    same(usm.linalg.matrix_power(usm.asarray(matrix), n=3), np.linalg.matrix_power(matrix, n=3))


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


REDUCED = ["add", "multiply", "maximum", "minimum", "logical_and", "logical_or"]


@pytest.fixture(params=["in order", "sorted"])
def order_of_at(request, monkeypatch):
    """The two ways of `at`; devices other than CPUs sort."""
    if request.param == "sorted":
        monkeypatch.setattr(ufunc_methods, "combine_at", lambda *arguments: False)


@pytest.mark.parametrize("name", [*REDUCED, "subtract"])
def test_at_combines_values_of_equal_indices(name, order_of_at):
    x, expected = usm.asarray(A), A.copy()
    getattr(usm, name).at(x.T, usm.asarray([0, 0, 3]), 2.5)
    getattr(np, name).at(expected.T, [0, 0, 3], 2.5)
    same(x, expected)


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "minimum"])
@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8", "c16"])
def test_at_takes_all_types(name, dtype, order_of_at):
    random = np.random.default_rng(0)
    at = random.integers(-7, 7, 9000)
    values = random.integers(0, 2, at.size).astype(dtype)
    expected = random.integers(0, 3, 7).astype(dtype)
    x = usm.asarray(expected)
    getattr(usm, name).at(x, usm.asarray(at), usm.asarray(values))
    getattr(np, name).at(expected, at, values)
    same(x, expected)


def test_sequences_of_arrays():
    parts, hosts = [usm.asarray(A[0]), usm.asarray(A[1])], list(A)
    same(usm.maximum.reduce(parts), np.maximum.reduce(hosts))
    same(usm.add.reduce(tuple(parts), axis=1), np.add.reduce(hosts, axis=1))
    same(usm.transpose(usm.nonzero(parts[0] > 0)), np.transpose(np.nonzero(A[0] > 0)))
    for function in (usm.maximum.reduce, usm.transpose):
        with pytest.raises(TypeError, match="is of type list; expected usm_ndarray"):
            function([1, 2])


STACKED = ["all", "any", "argmax", "argmin", "average", "count_nonzero", "max", "mean", "median"]
STACKED += ["min", "prod", "ptp", "std", "sum", "var"]


@pytest.mark.parametrize("name", STACKED)
def test_reductions_of_sequences_of_arrays(name):
    ours, theirs = getattr(usm, name), getattr(np, name)
    hosts, parts = list(A), [usm.asarray(one) for one in A]
    for axis in (None, 0, -1):
        same(ours(parts, axis=axis), theirs(hosts, axis=axis))
    same(ours(tuple(parts[0][0])), theirs(hosts[0][0]))  # of 0-D arrays
    with pytest.raises(TypeError, match=f"{name}: a is of type list; expected"):
        ours([1, 2])
    with pytest.raises(ValueError, match=f"{name}: |stack: "):
        ours([parts[0], parts[0][0]])


def test_at_reads_values_that_it_changes(order_of_at):
    x, expected = usm.asarray([1.0, 2.0, 4.0]), np.asarray([1.0, 2.0, 4.0])
    usm.add.at(x, [2, 2, 0], x)
    np.add.at(expected, [2, 2, 0], expected.copy())
    same(x, expected)
    usm.add.at(x, [-1], [3])
    assert x[2] == 10


@pytest.mark.parametrize("name", ["add", "subtract", "multiply"])
@pytest.mark.parametrize("types", [("u4", "i8"), ("u1", "i2"), ("i1", "u4")])
def test_at_wraps_integers_of_other_types(order_of_at, name, types):
    values = np.array([-3, 200, 7, 500]).astype(types[1])
    expected = np.arange(5, 9).astype(types[0])
    x = usm.asarray(expected)
    getattr(np, name).at(expected, [1, 1, 0, 3], values)
    getattr(usm, name).at(x, [1, 1, 0, 3], usm.asarray(values))
    same(x, expected)
    large = usm.asarray([2**63], dtype="u8")  # NumPy rounds these sums to float64
    usm.add.at(large, [0], usm.asarray([-1]))
    assert large.item() == 2**63 - 1
    for function, wrong in ((usm.add, np.ones(4)), (usm.maximum, np.ones(4))):
        with pytest.raises(TypeError, match=r"at: values are of"):
            function.at(x, [1, 1, 0, 3], usm.asarray(wrong))


@pytest.mark.parametrize("name", REDUCED)
@examples(60)
@given(st.data())
def test_reduceat(name, data):
    dtype = data.draw(st.sampled_from(["?", "i1", "u4", "i8", "f4", "c8"]))
    shape = data.draw(st.tuples(st.integers(1, 6), st.integers(1, 6)))
    axis = data.draw(st.integers(-2, 1))
    array = np.random.default_rng(0).integers(0, 3, shape).astype(dtype)
    starts = data.draw(st.lists(st.integers(0, shape[axis] - 1), max_size=6))
    found = getattr(usm, name).reduceat(usm.asarray(array), np.asarray(starts, "i8"), axis)
    same(found, getattr(np, name).reduceat(array, np.asarray(starts, "i8"), axis))
    assert found.flags.c_contiguous


def test_reduceat_takes_out_and_dtype():
    x, out = usm.asarray([1, 2, 3, 4], dtype="i1"), usm.empty(2, dtype="f4")
    assert np.add.reduceat(x, [0, 1], dtype="f4", out=out) is out
    same(out, np.add.reduceat(np.asarray([1, 2, 3, 4]), [0, 1], dtype="f4"))
    same(usm.add.reduceat(x, usm.asarray([3, 0])), np.asarray([4, 10]))


@pytest.mark.parametrize(
    "indices, error, words",
    [
        ([0.5], TypeError, "add.reduceat: indices .*; expected integers"),
        ([[0]], ValueError, "add.reduceat: indices.ndim is 2; expected 1"),
        ([4], IndexError, "add.reduceat: an element of indices is out of range; expected 0 to 3"),
        ([-1], IndexError, "add.reduceat: an element of indices is out of range; expected 0 to 3"),
    ],
)
def test_wrong_indices_of_reduceat(indices, error, words):
    with pytest.raises(error, match=words):
        usm.add.reduceat(usm.arange(4), indices)


@pytest.mark.parametrize("name", REDUCED)
def test_methods_of_functions(name):
    x, ours, theirs = usm.asarray(A), getattr(usm, name), getattr(np, name)
    same(ours.reduce(x), theirs.reduce(A))
    same(theirs.reduce(x, axis=1), theirs.reduce(A, axis=1))
    for axis in (0, 1):
        same(ours.accumulate(x, axis), theirs.accumulate(A, axis))
        assert ours.accumulate(x, axis).flags.c_contiguous
    same(ours.outer(x[0, 0], x[0]), theirs.outer(A[0, 0], A[0]))
    same(ours.outer(x[0], 2), theirs.outer(A[0], 2))
    same(ours.outer(True, x), theirs.outer(True, A))


def test_texts_of_arrays():
    x, host = usm.asarray(B / 3), B / 3
    assert usm.array_str(x, 20, 3) == np.array_str(host, 20, 3)
    assert np.array_str(x, suppress_small=True) == np.array_str(host, suppress_small=True)
    keywords = {"separator": ", ", "sign": "+", "floatmode": "fixed", "precision": 2}
    assert usm.array2string(x, **keywords) == np.array2string(host, **keywords)
    keywords = {"threshold": 2, "edgeitems": 1, "prefix": "x = ", "suffix": ";"}
    assert np.array2string(x, **keywords) == np.array2string(host, **keywords)
    assert usm.array_repr(usm.arange(3)) == "usm_ndarray([0, 1, 2])"


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


# Functions of several arguments


def both(function, *arguments):
    """The results of usmtensor and of NumPy for the same arguments."""
    ours = [usm.asarray(one) if isinstance(one, np.ndarray) else one for one in arguments]
    return getattr(usm, function)(*ours), getattr(np, function)(*arguments)


@examples(100)
@given(
    st.data(),
    st.sampled_from("fdil"),
    st.sampled_from([6, 7, 2.5, 2 * np.pi]),
    st.sampled_from([None, 1.0, 9]),
)
def test_unwrap(queue, data, char, period, discont):
    shape = data.draw(shapes(max_dims=3, min_dims=1))
    x = data.draw(hnp.arrays(char, shape, elements=st.integers(-20, 20)))
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    found = usm.unwrap(usm.asarray(x, sycl_queue=queue), discont, axis, period=period)
    expected = np.unwrap(x, discont, axis, period=period)
    assert found.dtype == held(expected.dtype)
    np.testing.assert_allclose(usm.asnumpy(found), expected, 1e-5, 1e-5)


@examples(60)
@given(recipes(max_dims=4), st.integers(-5, 4), st.integers(-5, 5))
def test_rollaxis(queue, recipe, axis, start):
    x, y = recipe.pair(queue)
    compare_pairs(lambda xp, a: xp.rollaxis(a, axis, start), [x], [y])


@pytest.mark.parametrize("values", [5, [5], [5, 6, 7], np.arange(30), []], ids=str)
def test_putmask(values):
    host = np.arange(24.0).reshape(4, 6).T
    x = usm.asarray(host)
    usm.putmask(x, x % 3 == 0, values)
    np.putmask(host, host % 3 == 0, values)
    same(x, host)
    with pytest.raises(ValueError, match="putmask: mask"):
        usm.putmask(x, [True], 1)
    with pytest.raises(TypeError, match="putmask: values"):
        usm.putmask(usm.ones(3, dtype="i4"), [True] * 3, [1j, 2, 3])


def test_products_of_matrices_and_vectors():
    random = np.random.default_rng(0)
    a = random.random((4, 2, 3)) + 1j
    x, y = random.random((4, 3)) - 1j, random.random((1, 2)) * 1j
    same(*both("matvec", a, x))
    same(*both("vecmat", y, a))
    with pytest.raises(ValueError, match="matvec: shapes are"):
        usm.matvec(usm.ones(3), usm.ones(3))
    same(np.matvec(usm.asarray(a), usm.asarray(x)), np.matvec(a, x))


@st.composite
def lines(draw, chars="ilfd", least=1):
    """Coefficients that are small integers, the first of them other than zero."""
    x = draw(hnp.arrays(draw(st.sampled_from(chars)), st.integers(least, 6), elements=SMALL))
    x[:1] = draw(st.sampled_from([1, 2, -3]))
    return x


SMALL = st.integers(-9, 9)


@examples(80)
@given(st.sampled_from(["polyadd", "polysub", "polymul"]), lines(), lines())
def test_polynomials(queue, name, p, q):
    compare(queue, lambda xp, a, b: getattr(xp, name)(a, b), p, q)


@examples(80)
@given(lines("fd"), st.integers(0, 6), st.lists(SMALL, min_size=6, max_size=6))
def test_derivatives_and_integrals_of_polynomials(queue, p, order, constants):
    compare(queue, lambda xp, a: xp.polyder(a, order), p)
    for k in (None, constants[:order]) if order > 1 else (None,):
        compare(queue, lambda xp, a, k=k: xp.polyint(a, order, k), p, ulps=8)


@examples(80)
@given(lines("ldD"), lines("ldD"))
def test_quotients_of_polynomials(queue, p, q):
    if usm.asarray(p * 1.0, sycl_queue=queue).dtype.itemsize < 8:
        pytest.skip("the remainder that counts as zero depends on the precision")
    compare(queue, lambda xp, a, b: xp.polydiv(a, b), p, q, ulps=1 << 20)


def test_bad_quotients_of_polynomials():
    whole = usm.polydiv(usm.asarray([1.0, 2, 1]), [1, 1])
    assert (whole[0].tolist(), whole[1].tolist()) == ([1, 1], [0])
    for bad in (([], [1]), ([1], [])):
        with pytest.raises(ValueError, match=r"polydiv: [uv]\.shape is \(0,\)"):
            usm.polydiv(usm.asarray(bad[0]), bad[1])


ROOTS = st.lists(st.integers(-3, 3), max_size=5)


@given(ROOTS, st.integers(0, 2), st.integers(0, 2))
def test_polynomials_of_roots(numbers, in_front, behind):
    host = np.poly(numbers) if numbers else np.ones(1)
    x = usm.asarray(numbers, dtype="i8")
    np.testing.assert_array_equal(usm.asnumpy(usm.poly(x)), host)
    padded = np.concatenate([np.zeros(in_front), host, np.zeros(behind)])
    skip_without_library(x.sycl_queue)
    found = usm.roots(usm.asarray(padded))
    assert found.dtype == np.complex128 and found.shape == (len(numbers) + behind,)
    expected = np.roots(padded)
    found, expected = np.sort_complex(usm.asnumpy(found)), np.sort_complex(expected)
    np.testing.assert_allclose(found, expected, atol=1e-9)  # both by the same library


def test_polynomials_of_other_roots():
    x = usm.asarray([1 + 2j, 1 - 2j, 3])
    same(usm.poly(x), np.poly([1 + 2j, 1 - 2j, 3]))
    same(usm.poly(x[:1]), np.poly([1 + 2j]))
    same(usm.poly(usm.asarray([0.5], dtype="f4")), np.array([1, -0.5], "f4"))
    skip_without_library(x.sycl_queue)
    matrix = np.array([[2.0, 1], [-1, 3]])
    np.testing.assert_allclose(usm.asnumpy(usm.poly(usm.asarray(matrix))), np.poly(matrix))
    assert usm.roots(usm.zeros(3)).shape == usm.roots(usm.asarray([5])).shape == (0,)
    assert usm.roots(usm.asarray([1, -3, 2], dtype="f4")).dtype == np.complex64
    with pytest.raises(ValueError, match=r"poly: seq_of_zeros\.shape is \(2, 3\)"):
        usm.poly(usm.ones((2, 3)))
    with pytest.raises(ValueError, match=r"roots: p\.shape is \(1, 1\)"):
        usm.roots(usm.ones((1, 1)))


@given(recipes(max_dims=3, max_side=11), st.data())
def test_bits(recipe, data):
    host, x = recipe.pair(usm.empty(0).sycl_queue)
    axis = data.draw(st.sampled_from([None, *range(-host.ndim, host.ndim)]))
    order = data.draw(st.sampled_from(["big", "little"]))
    if host.dtype.kind in "biu":
        same(usm.packbits(x, axis, order), np.packbits(host, axis, order))
    else:
        with pytest.raises(TypeError, match="packbits: a is of data type"):
            usm.packbits(x, axis)
    packed = host.astype("u1") if host.dtype.kind in "biu" else np.zeros((2, 0), "u1")
    axis = None if axis is not None and not -packed.ndim <= axis < packed.ndim else axis
    here = usm.asarray(packed)
    count = data.draw(st.one_of(st.none(), st.integers(-8, 100)))
    try:
        expected = np.unpackbits(packed, axis, count, order)
    except ValueError:
        with pytest.raises(ValueError, match="unpackbits: count is"):
            usm.unpackbits(here, axis, count, order)
        return
    found = usm.unpackbits(here, axis, count, order)
    if packed.size == 0:  # NumPy leaves the elements as they are in memory
        expected = np.zeros_like(expected)
    same(found, expected)


def test_bad_bits():
    x = usm.asarray([1, 2], dtype="u1")
    for function in (usm.packbits, usm.unpackbits):
        with pytest.raises(ValueError, match="bitorder is 'x'; expected 'big' or 'little'"):
            function(x, bitorder="x")
        with pytest.raises(np.exceptions.AxisError, match=f"{function.__name__}: axis: axis 1"):
            function(x, axis=1)
    with pytest.raises(TypeError, match="unpackbits: a is of data type int64; expected uint8"):
        usm.unpackbits(usm.arange(3))


AXES = st.integers(-2, 1)


@given(st.integers(0, 3), AXES, AXES, AXES, st.booleans())
def test_cross_products(n, axisa, axisb, axisc, one_axis):
    axisb = axisa if one_axis else axisb
    a = np.moveaxis(np.arange(3.0 * n).reshape(n, 3), -1, axisa)
    b = np.moveaxis(np.arange(3.0 * n).reshape(n, 3)[::-1] ** 2, -1, axisb)
    if one_axis:
        same(usm.cross(usm.asarray(a), b, axis=axisa), np.cross(a, b, axis=axisa))
    else:
        same(usm.cross(usm.asarray(a), b, axisa, axisb, axisc), np.cross(a, b, axisa, axisb, axisc))


def test_bad_cross_products():
    x = usm.ones((2, 3))
    with pytest.raises(
        ValueError, match=r"cross: a.shape is \(2, 3\); expected 3 elements along axis 0"
    ):
        usm.cross(x, x, axis=0)
    with pytest.raises(np.exceptions.AxisError, match="cross: axisb: axis 2"):
        usm.cross(x, x, axisb=2)


def test_arrays_with_requirements():
    with pytest.raises(ValueError, match="asarray_chkfinite: a has infinities or NaN"):
        usm.asarray_chkfinite([1, np.inf])
    assert usm.asarray_chkfinite([[1, 2]], "f4").dtype == np.float32
    x = usm.ones((2, 3))
    assert usm.require(x) is x and usm.require(x, requirements="C") is x
    y = usm.require(x, "f4", ["F_CONTIGUOUS", "w"])
    assert y.flags.f_contiguous and y.dtype == np.float32
    assert not usm.shares_memory(usm.require(x, requirements=["O"]), x)
    x.flags.writable = False
    assert usm.require(x, requirements="W").flags.writable and usm.require(x) is x
    for bad in ("X", ["C", "F"], [3]):
        with pytest.raises(ValueError, match="require: requirements is"):
            usm.require(x, requirements=bad)


@given(recipes(max_dims=2, max_side=5))
def test_complex_and_real_numbers(recipe):
    host, x = recipe.pair(usm.empty(0).sycl_queue)
    same(usm.real_if_close(x), np.real_if_close(host))
    if host.ndim:
        found = usm.sort_complex(x)
        np.testing.assert_array_equal(usm.asnumpy(found), np.sort_complex(host).astype(found.dtype))
        assert found.dtype.kind == "c"
    near = usm.asarray([1 + 1e-15j, 2])
    assert usm.real_if_close(near).dtype == np.float64
    assert usm.real_if_close(near, tol=1).dtype == np.float64
    assert usm.real_if_close(near, tol=1e-16) is near
    assert usm.real_if_close(near, tol=2) is near


def test_indices_of_masks():
    for k in (-1, 0, 2):
        for one, other in zip(
            usm.mask_indices(4, usm.triu, k), np.mask_indices(4, np.triu, k), strict=True
        ):
            same(one, other)
    with pytest.raises(ValueError, match="mask_indices: n is -1"):
        usm.mask_indices(-1, usm.triu)


def test_blocks():
    x = np.arange(24.0).reshape(4, 6)
    rows, columns = np.asarray([3, 0]), np.asarray([True, False, True, False, False, False])
    same(usm.asarray(x)[usm.ix_(usm.asarray(rows), columns)], x[np.ix_(rows, columns)])
    with pytest.raises(ValueError, match="ix_"):
        usm.ix_(usm.ones((2, 2), dtype="i4"))


@pytest.mark.parametrize(
    "key",
    [np.s_[0:5], np.s_[:3, 1:9:3], np.s_[0:1:5j, 0:2], np.s_[-1:1:3j], np.s_[0:2, 0:0, 1:2:0.25]],
)
def test_grids(key):
    same(usm.mgrid[key], np.mgrid[key])
    found, expected = usm.ogrid[key], np.ogrid[key]
    if not isinstance(expected, tuple):
        found, expected = (found,), (expected,)
    for one, other in zip(found, expected, strict=True):
        same(one, other)


def test_joined_lines():
    a, b = np.arange(3.0), np.arange(6.0).reshape(3, 2)
    x, y = usm.asarray(a), usm.asarray(b)
    same(usm.r_[x, 0, 5, 1:3, x], np.r_[a, 0, 5, 1:3, a])
    same(usm.r_[1:4, 0, 4], np.r_[1:4, 0, 4])
    same(usm.r_[y, y], np.r_[b, b])
    same(usm.c_[x, y, x], np.c_[a, b, a])
    same(usm.c_[x, np.arange(3)], np.c_[a, np.arange(3)])
    assert usm.r_[usm.ones(2, dtype="f4"), 3.5].dtype == np.float32
    with pytest.raises(TypeError, match="r_: a part is of type str"):
        usm.r_["r", x]
    with pytest.raises(ValueError, match="r_: "):
        usm.r_["strange", 1]


def test_paths_of_einsum():
    a, b, c = np.ones((2, 30)), np.ones((30, 4)), np.ones((4, 50))
    found, expected = both("einsum_path", "ij,jk,kl", a, b, c)
    assert found == expected
    x = [usm.asarray(one) for one in (a, b, c)]
    same(usm.einsum("ij,jk,kl", *x, optimize=found[0]), a @ b @ c)


def test_functions_of_axes_and_indices():
    same(*both("apply_over_axes", np.sum, A, (0, -1)))
    same(
        usm.fromfunction(lambda i, j, k: i * j + k, (2, 3), dtype=int, k=5),
        np.fromfunction(lambda i, j, k: i * j + k, (2, 3), dtype=int, k=5),
    )


@examples(40)
@given(recipes())
def test_parts_of_numbers(queue, recipe):
    x, y = recipe.pair(queue)
    for name in ("isreal", "iscomplex"):
        compare_pairs(lambda xp, a, name=name: getattr(xp, name)(a), [x], [y])


def test_inquiries():
    assert usm.isfortran(usm.ones((2, 3)).T) and not usm.isfortran(usm.ones(3))
    x = usm.ones(2, dtype="f4")
    assert usm.common_type(x) is np.float32
    assert usm.common_type(x, usm.ones(2, dtype="i4")) is np.float64
    with pytest.raises(TypeError, match="common_type"):
        usm.common_type(x > 0)


@pytest.mark.parametrize("char", "bHlf")
def test_functions_to_floating_point_numbers(char):
    x = (np.arange(-4, 5) if char != "H" else np.arange(9)).astype(char)
    for name in ("fabs", "rint"):
        found = getattr(usm, name)(usm.asarray(x))
        assert found.dtype.kind == "f"
        np.testing.assert_array_equal(usm.asnumpy(found), getattr(np, name)(x))


def test_functions_of_two_results_and_of_nearness_take_numbers():
    assert usm.frexp(10.0) == np.frexp(10.0) and usm.modf(-2.5) == np.modf(-2.5)
    assert usm.divmod(7, -2) == np.divmod(7, -2)
    for name in ("isclose", "allclose"):
        found = getattr(usm, name)(1.0, 1.0 + 1e-9)
        assert type(found) in (np.bool_, bool) and found
        assert not getattr(usm, name)(1, np.float32(2))


def test_a_default_device_is_of_its_thread_and_its_coroutine():
    first, second = usm.SyclQueue(), usm.SyclQueue()
    found = {}

    def thread():
        found["thread"] = usm.ones(3).sycl_queue

    async def use(queue, event, other):
        with usm.default_device(queue) as device:
            event.set()
            await other.wait()
            assert device.sycl_queue == queue
            return usm.ones(3).sycl_queue == queue

    async def both():
        events = asyncio.Event(), asyncio.Event()
        return await asyncio.gather(use(first, *events), use(second, *events[::-1]))

    assert asyncio.run(both()) == [True, True]
    with usm.default_device(first):
        worker = threading.Thread(target=thread)
        worker.start()
        worker.join()
        with usm.default_device(second):
            assert usm.ones(3).sycl_queue == second
        assert usm.ones(3).sycl_queue == first
    assert found["thread"] not in (first, second)


@pytest.mark.parametrize("function", [usm.set_default_device, usm.default_device, usm.synchronize])
def test_bad_devices_are_refused(function):
    with pytest.raises(TypeError, match=f"{function.__name__}: device is of type list"):
        function([1])
    with pytest.raises(usm.SyclDeviceCreationError):
        function("nothing:gpu")


def test_functions_that_are_numpys_own_end(queue):
    x = usm.ones(3, sycl_queue=queue)
    assert (np.ndim(x), np.shape(x), np.iscomplexobj(x)) == (1, (3,), False)
    with pytest.raises(TypeError, match="min_scalar_type"):
        np.min_scalar_type(x)
    assert usm.asnumpy(usm.fuse(lambda x: x + np.ndim(x))(x)).tolist() == [2, 2, 2]
    with pytest.raises(TypeError, match="'itemsize' of an array is unknown here"):
        usm.fuse(lambda x: x + x.itemsize)(x)


@given(recipe=recipes(broadcast=False, max_side=4), dtype=dtypes())
def test_views_in_another_type(recipe, dtype, queue):
    """Where NumPy makes one whose elements lie at multiples of their size: also of no elements, of
    negative strides, of axes of extent 1."""
    x, on_device = recipe.pair(queue)
    try:
        expected = x.view(dtype)
    except ValueError:
        expected = None
    else:
        steps = [step for step, n in zip(expected.strides, expected.shape, strict=True) if n > 1]
        steps.append(on_device._element_offset * x.itemsize)
        if expected.size and any(step % dtype.itemsize for step in steps):
            expected = None
    if expected is None:
        with pytest.raises(ValueError, match="view: dtype"):
            on_device.view(dtype)
        return
    result = on_device.view(dtype)
    assert (result.shape, result.dtype) == (expected.shape, dtype)
    assert usm.asnumpy(result).tobytes() == expected.tobytes()


@pytest.mark.parametrize("dtype", "?bBhHiIqQefd")
@pytest.mark.parametrize("name", ["fabs", "rint"])
def test_floating_point_types_are_numpys(queue, name, dtype):
    host = np.asarray([0, 1, 3]).astype(dtype)
    found = getattr(usm, name)(usm.asarray(host, sycl_queue=queue))
    expected = getattr(np, name)(host)
    assert found.dtype == held(expected.dtype)
    np.testing.assert_array_equal(usm.asnumpy(found), expected)


def test_complex_type_of_sorted_bools():
    assert usm.sort_complex(usm.asarray([True, False])).dtype == held(np.dtype("c16"))
    assert usm.sort_complex(usm.asarray([2, 1], dtype="i1")).dtype == np.complex64


X, CUBE = usm.asarray(A[0]), usm.asarray(A)
NAMED = {
    "nansum": lambda: usm.nansum(X, axis=7),
    "nanprod": lambda: usm.nanprod(X, axis=1.5),
    "nanmean": lambda: usm.nanmean(X, axis=7),
    "nanmedian": lambda: usm.nanmedian(X, axis=7),
    "nanstd": lambda: usm.nanstd(X, axis=7),
    "nanvar": lambda: usm.nanvar(X, axis=(0, 0)),
    "nancumsum": lambda: usm.nancumsum(X, axis=7),
    "nancumprod": lambda: usm.nancumprod(X, axis=7),
    "vstack": lambda: usm.vstack([X, CUBE]),
    "hstack": lambda: usm.hstack([]),
    "dstack": lambda: usm.dstack([X, CUBE[0, :2]]),
    "column_stack": lambda: usm.column_stack([X, CUBE]),
    "block": lambda: usm.block([[X, CUBE[0, :2]]]),
    "append": lambda: usm.append(X, X, axis=7),
    "corrcoef": lambda: usm.corrcoef(CUBE),
    "trapezoid": lambda: usm.trapezoid(X, usm.ones(9)),
    "compress": lambda: usm.compress([True] * 20, X),
    "kaiser": lambda: usm.kaiser(5, X),
    "ravel": lambda: usm.ravel(X, "Z"),
    "cross": lambda: usm.linalg.cross(usm.ones((2, 3)), usm.ones((4, 3))),
    "vector_norm": lambda: usm.linalg.vector_norm(X, axis=7),
    "fill": lambda: usm.ones(3).fill("x"),
    "fftn": lambda: usm.fft.fftn(X, axes=(0, 0)),
    "fftshift": lambda: usm.fft.fftshift(X, axes=7),
    "fftfreq": lambda: usm.fft.fftfreq(5, "x"),
    "maximum.accumulate": lambda: usm.maximum.accumulate(X, 7),
}


@pytest.mark.parametrize("name", NAMED)
def test_errors_name_the_function_that_was_called(name):
    with pytest.raises((ValueError, TypeError, IndexError), match=rf"^{name}: "):
        NAMED[name]()


def test_putmask_takes_lists_as_the_type_of_the_array():
    for dtype, values in (("u1", [7, 8]), ("f4", [1, 2.5]), ("i8", [-1, 3, 9])):
        host = np.arange(5).astype(dtype)
        x = usm.asarray(host)
        np.putmask(host, host > 1, values)
        usm.putmask(x, x > 1, values)
        np.testing.assert_array_equal(usm.asnumpy(x), host)


@pytest.mark.parametrize("ends", [(1e-300, 1e300), (-1e300, -1e-300), (5e-324, 1e308), (3, 3)])
def test_geometric_sequences_over_the_whole_range(ends):
    if usm.ones(1).dtype != np.float64:
        pytest.skip("the device lacks the aspect fp64")
    found, expected = usm.geomspace(*ends, 9), np.geomspace(*ends, 9)
    np.testing.assert_allclose(usm.asnumpy(found), expected, rtol=1e-12)


def test_arrays_are_no_ends_of_a_geometric_sequence():
    with pytest.raises(ValueError, match=r"geomspace: start.shape is \(2, 3\)"):
        usm.geomspace(usm.ones((2, 3)), 5, 4)


@pytest.mark.parametrize("shape", [(1,), (3,), (2, 3)])
@pytest.mark.parametrize("stop", [3.0, np.asarray([1.0, 2.0, 3.0])])
def test_bases_of_logspace_broadcast(shape, stop):
    base = np.arange(1.0, 1 + np.prod(shape)).reshape(shape)
    found = usm.logspace(0, usm.asarray(stop), 4, base=usm.asarray(base))
    same(found, np.logspace(0, stop, 4, base=base))
