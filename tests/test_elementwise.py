"""Elementwise functions, row by row of their table, against NumPy."""

import ctypes
import operator
from array import array
from collections import deque
from pathlib import Path

import numpy as np
import pytest
from both_tiers import forced, skip_without_tiers
from checks import assert_same
from elementwise_oracle import BINARY, FUNCTIONS, UNARY, check, held, values
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from placement import PLACES
from strategies import examples, numbered, recipes, skip_without, supported_dtypes

import usmtensor as usm


def signatures(name):
    """The types of the inputs that the device supports."""
    supported = {dtype.char for dtype in supported_dtypes()}
    for signature in FUNCTIONS[name].types:
        inputs, _, output = signature.partition("->")
        if {*inputs, output} <= supported:
            yield inputs, output


# Values


@pytest.mark.parametrize("name", UNARY)
def test_unary_functions(name, queue):
    for inputs, output in signatures(name):
        x = values(inputs)
        result = FUNCTIONS[name](usm.asarray(x, sycl_queue=queue))
        assert result.dtype == np.dtype(output)
        check(name, result, x)


@pytest.mark.parametrize("name", BINARY)
def test_binary_functions(name, queue):
    for inputs, output in signatures(name):
        x, y = values(inputs[0]), values(inputs[1])
        x, y = np.repeat(x, y.size), np.tile(y, x.size)
        operands = [usm.asarray(operand, sycl_queue=queue) for operand in (x, y)]
        result = FUNCTIONS[name](*operands)
        assert result.dtype == np.dtype(output)
        check(name, result, x, y)


@pytest.mark.parametrize("char", ["F", "D"])
def test_signs_of_zeros_that_the_standard_lists(char, queue):
    """tanh(inf + yj) is 1 + 0j for every y > 0; C and NumPy give the zero the sign of sin 2y."""
    if char not in {dtype.char for dtype in supported_dtypes()}:
        pytest.skip("the device lacks the aspect fp64")
    y = np.array([1, 2, 3, 1e30, np.inf, 0.0])
    large, small = np.empty(12, char), np.empty(12, char)
    large.real, large.imag = np.inf, [*y, *-y]
    small.real, small.imag = large.imag, np.inf
    zeros = usm.asnumpy(usm.tanh(usm.asarray(large, sycl_queue=queue))).imag
    assert np.signbit(zeros).tolist() == [False] * 6 + [True] * 6
    zeros = usm.asnumpy(usm.tan(usm.asarray(small, sycl_queue=queue))).real
    assert np.signbit(zeros).tolist() == [False] * 6 + [True] * 6


@pytest.mark.parametrize("char", "efd")
def test_signs_of_nan(queue, char):
    """A GPU drops them where it widens a half."""
    skip_without(queue.sycl_device, char)
    x = np.array([1, -2, 0.0, -0.0, np.inf, -np.inf, np.nan, np.nan], char)
    x[-1] = np.copysign(x[-1], -1)
    a, b = (one.ravel() for one in np.broadcast_arrays(x[:, None], x))
    y, z = (usm.asarray(one, sycl_queue=queue) for one in (a, b))
    bits = f"u{x.itemsize}"
    found = usm.asnumpy(usm.copysign(y, z)).view(bits)
    np.testing.assert_array_equal(found, np.copysign(a, b).view(bits))
    np.testing.assert_array_equal(usm.asnumpy(usm.signbit(z)), np.signbit(b))


@pytest.mark.parametrize("name", ["exp", "sinh", "cosh", "sin", "cos"])
@pytest.mark.parametrize("char", ["F", "D"])
def test_complex_results_whose_factors_overflow(name, char, queue):
    """e^x overflows where e^x times a small sine or cosine does not."""
    if char not in {dtype.char for dtype in supported_dtypes()}:
        pytest.skip("the device lacks the aspect fp64")
    most = 88.8 if char == "F" else 709.9
    grown, small = np.meshgrid(most * np.array([0.99, 1.01, 1.2, -1.02, -1.3]), [1e-30, -1e-8, 3])
    z = np.empty(grown.size, char)
    turned = name in ("sin", "cos")
    z.real, z.imag = (small.ravel(), grown.ravel()) if turned else (grown.ravel(), small.ravel())
    result = usm.asnumpy(getattr(usm, name)(usm.asarray(z, sycl_queue=queue)))
    with np.errstate(all="ignore"):
        wanted = getattr(np, name)(z.astype(np.complex128 if char == "F" else np.clongdouble))
        wanted = wanted.astype(char)
    for part in ("real", "imag"):
        ours, numpys = getattr(result, part), getattr(wanted, part)
        np.testing.assert_array_equal(np.isinf(ours), np.isinf(numpys))
        limits = np.finfo(char)
        np.testing.assert_allclose(ours, numpys, rtol=16 * limits.eps, atol=limits.tiny)


# Layouts, by functions with exact results; all functions share the loops


@given(recipe=recipes())
def test_unary_layouts(loops, recipe, queue):
    x, on_device = recipe.pair(queue)
    if x.dtype.kind == "b":
        return
    result = usm.negative(on_device)
    np.testing.assert_array_equal(usm.asnumpy(result), np.negative(x))


@st.composite
def broadcast_pairs(draw):
    """Two views whose shapes broadcast: one shape, with some axes of one element."""
    first = draw(recipes(dtype="i4", broadcast=True))
    shape = first.of_numpy(first.base()).shape
    kept = draw(st.integers(0, len(shape)))
    second = tuple(draw(st.sampled_from([n, 1])) for n in shape[kept:])
    return first, second


@given(pair=broadcast_pairs(), dtype=st.sampled_from(["i4", "f4", "i1"]), swap=st.booleans())
def test_broadcasting(loops, pair, dtype, swap, queue):
    x, x_device = pair[0].pair(queue)
    y = numbered(pair[1], dtype)
    y_device = usm.asarray(y, sycl_queue=queue)
    if swap:
        x, y, x_device, y_device = y, x, y_device, x_device
    result = usm.subtract(x_device, y_device)
    wanted = np.subtract(x, y)
    assert result.dtype == held(wanted.dtype)
    np.testing.assert_array_equal(usm.asnumpy(result), wanted)


# A launch computes many rows in turn, short ones together, and long ones in pieces.
@pytest.mark.parametrize("tier", ["host", "device"])
@pytest.mark.parametrize("length", [1, 2, 7, 8, 9, 16, 17, 40, 255, 257, 1100])
@pytest.mark.parametrize("dtype", ["u1", "i2", "f4", "f8", "c16"])
def test_rows(dtype, length, tier, queue, device):
    skip_without(device, dtype)
    if tier == "host":
        skip_without_tiers(device)
    base = numbered((19, 2, length + 3), dtype)
    x = usm.asarray(base, sycl_queue=queue)
    with forced(tier):
        for key in (np.s_[..., :length], np.s_[:, 0, 3:], np.s_[:, ::-1, 2:-1], np.s_[..., ::2]):
            wide, y = base[key], x[key]
            for other in (np.s_[:], np.s_[..., :1], np.s_[:1], np.s_[3:4, ..., -1:], np.s_[::-1]):
                with np.errstate(all="ignore"):
                    assert_same(y + y[other], wide + wide[other])
                    assert_same(y[other] - y, wide[other] - wide)
                target = usm.zeros_like(x)[key]
                usm.multiply(y, y[other], out=target)
                assert_same(target, wide * wide[other])
            assert_same(-y, -wide)


@given(shape=hnp.array_shapes(max_dims=3, max_side=4), order=st.sampled_from("CFAK"))
def test_order_of_the_result(shape, order, queue):
    for layout in "CF":
        x = numbered(shape, "f4", layout)
        result = usm.add(usm.asarray(x, sycl_queue=queue), 1, order=order)
        wanted = np.add(x, 1, order=order)
        assert result.flags.c_contiguous == wanted.flags.c_contiguous
        assert result.flags.f_contiguous == wanted.flags.f_contiguous


@pytest.mark.parametrize("size", [2**22 + 3, 2**22 + 17])
def test_large_outputs(loops, size, queue):
    """Non-temporal stores, from unaligned addresses as well."""
    x = numbered((size,), "f4")
    on_device = usm.asarray(x, sycl_queue=queue)
    out = usm.empty(size + 1, dtype="f4", sycl_queue=queue)
    usm.add(on_device, on_device, out=out[1:])
    np.testing.assert_array_equal(usm.asnumpy(out[1:]), x + x)
    usm.subtract(1, on_device[::-1], out=out[:-1])
    np.testing.assert_array_equal(usm.asnumpy(out[:-1]), 1 - x[::-1])
    strided = usm.zeros((size, 2), dtype="f4", sycl_queue=queue)
    usm.add(on_device, 1, out=strided[:, 1])
    np.testing.assert_array_equal(usm.asnumpy(strided), np.stack([np.zeros_like(x), x + 1], axis=1))


# out


@pytest.mark.parametrize("dtype", ["i2", "f8"])
def test_large_inputs_across_the_output(loops, dtype, queue):
    """A copy brings them into the output's order first."""
    host = np.arange(1025**2, dtype="i4").astype(dtype).reshape(1025, 1025)
    x = usm.asarray(host, sycl_queue=queue)
    assert_same(x + x.T, host + host.T)
    assert_same(x.T - x[::-1], host.T - host[::-1])
    assert_same(usm.where(x.T > 9, x.T, x[:, :1]), np.where(host.T > 9, host.T, host[:, :1]))
    host_cube = np.moveaxis(host.reshape(25, 41, 1025), 0, 2)
    cube = usm.moveaxis(usm.reshape(x, (25, 41, 1025)), 0, 2)
    assert_same(usm.astype(cube, "c8", order="C"), host_cube.astype("c8"))
    assert_same(cube * usm.reshape(x, cube.shape), host_cube * host.reshape(host_cube.shape))
    x += x.T
    assert_same(x, host + host.T)


@given(
    size=st.integers(2, 40),
    start=st.integers(0, 5),
    shift=st.integers(0, 5),
    step=st.sampled_from([1, -1, 2]),
)
def test_out_that_overlaps_an_input(size, start, shift, step, queue):
    base = numbered((2 * size + 10,), "i4")
    on_device = usm.asarray(base, sycl_queue=queue)

    def view(array, first):
        return array[first : first + 2 * size][::step][:size]

    usm.add(view(on_device, start), view(on_device, 0), out=on_device[shift : shift + size])
    base[shift : shift + size] = view(base, start) + view(base, 0)
    np.testing.assert_array_equal(usm.asnumpy(on_device), base)


def test_out_of_another_layout(queue):
    x = numbered((3, 4), "f4")
    out = usm.zeros((6, 8), dtype="f4", sycl_queue=queue)
    result = usm.add(usm.asarray(x, sycl_queue=queue), 1, out=out[::2, ::-2])
    np.testing.assert_array_equal(usm.asnumpy(result), x + 1)
    assert usm.asnumpy(out).sum() == (x + 1).sum()


@pytest.mark.parametrize(
    "out, error, words",
    [
        (lambda q: np.zeros(3, "f4"), TypeError, "out is of type ndarray"),
        (lambda q: usm.zeros(4, dtype="f4", sycl_queue=q), ValueError, r"out has shape \(4,\)"),
        (lambda q: usm.zeros(3, dtype="i4", sycl_queue=q), TypeError, "out has data type int32"),
    ],
)
def test_bad_out(out, error, words, queue):
    x = usm.ones(3, dtype="f4", sycl_queue=queue)
    for call in (lambda y: usm.add(x, x, out=y), lambda y: usm.sqrt(x, out=y)):
        with pytest.raises(error, match=words):
            call(out(queue))


def test_read_only_out(queue):
    x = usm.ones(3, dtype="f4", sycl_queue=queue)
    x.flags.writable = False
    for call in (
        lambda: usm.exp(x, out=x),
        lambda: usm.add(x, 1, out=x),
        lambda: operator.iadd(x, 1),
    ):
        with pytest.raises(ValueError, match="read-only"):
            call()
    assert usm.asnumpy(x).tolist() == [1, 1, 1]


# Scalars and promotion

SCALARS = [True, 2, 2.5, 1 + 2j, np.int8(3), np.float32(1.5), np.complex64(2j), np.array(3, "u2")]


@pytest.mark.parametrize("scalar", SCALARS, ids=repr)
@pytest.mark.parametrize("name", ["add", "multiply", "divide", "equal", "maximum"])
def test_scalars(name, scalar, queue):
    for dtype in supported_dtypes():
        x = numbered((7,), dtype)
        on_device = usm.asarray(x, sycl_queue=queue)
        for operands in ((x, scalar), (scalar, x)):
            with np.errstate(all="ignore"):
                wanted = getattr(np, name)(*operands)
            if name == "divide" and wanted.dtype.kind == "f" and wanted.dtype.itemsize < 8:
                wanted = None if np.result_type(*operands).kind in "biu" else wanted
            ours = [on_device if operand is x else operand for operand in operands]
            result = FUNCTIONS[name](*ours)
            if wanted is not None:
                assert result.dtype == held(wanted.dtype), (dtype, scalar)
                np.testing.assert_allclose(usm.asnumpy(result), wanted, rtol=1e-2)


@pytest.mark.parametrize("name", ["add", "less", "divide", "arctan2", "bitwise_and", "logical_or"])
def test_promotion(name, queue):
    function = {"arctan2": usm.atan2}.get(name) or getattr(usm, name)
    for first in supported_dtypes():
        for second in supported_dtypes():
            operands = [usm.ones(2, dtype=dtype, sycl_queue=queue) for dtype in (first, second)]
            try:
                wanted = getattr(np, name)(np.ones(2, first), np.ones(2, second)).dtype
            except TypeError:
                with pytest.raises(TypeError, match="not defined for"):
                    function(*operands)
            else:
                assert function(*operands).dtype == held(wanted)


@pytest.mark.parametrize("value", [300, -1, 2**70])
def test_python_integers_out_of_range(value, queue):
    x = usm.ones(3, dtype="u1", sycl_queue=queue)
    with pytest.raises(OverflowError):
        usm.add(x, value)


@pytest.mark.parametrize("value", [300, -1, 2**70, -(2**70)])
@pytest.mark.parametrize(
    "name", ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"]
)
def test_comparisons_with_integers_out_of_range(name, value, queue):
    x = np.array([0, 1, 255], "u1")
    on_device = usm.asarray(x, sycl_queue=queue)
    np.testing.assert_array_equal(
        usm.asnumpy(FUNCTIONS[name](on_device, value)), getattr(np, name)(x, value)
    )
    np.testing.assert_array_equal(
        usm.asnumpy(FUNCTIONS[name](value, on_device)), getattr(np, name)(value, x)
    )


@pytest.mark.parametrize("value", [300, -1, 2**70, -(2**70)])
@pytest.mark.parametrize("name", ["logical_and", "logical_or", "logical_xor"])
def test_integers_out_of_range_are_true(name, value, queue):
    x = np.array([0, 1, 255], "u1")
    on_device, out = usm.asarray(x, sycl_queue=queue), usm.empty(3, dtype="?", sycl_queue=queue)
    wanted = getattr(np, name)(x, True)
    for operands in ((on_device, value), (value, on_device)):
        assert usm.asnumpy(FUNCTIONS[name](*operands)).tolist() == wanted.tolist()
        assert FUNCTIONS[name](*operands, out=out) is out
        assert usm.asnumpy(out).tolist() == wanted.tolist()


@pytest.mark.parametrize("name", BINARY)
def test_scalars_of_numpy_count_as_arrays(name, queue):
    """On either side, their type counts as an array's."""
    function = FUNCTIONS[name]

    def outcome(*operands):
        try:
            return function(*operands).dtype
        except TypeError:
            return TypeError

    for ours in supported_dtypes():
        x = usm.ones(2, dtype=ours, sycl_queue=queue)
        for other in supported_dtypes():
            scalar, array = other.type(1), usm.ones(2, dtype=other, sycl_queue=queue)
            assert outcome(x, scalar) == outcome(x, array), (ours, other)
            assert outcome(scalar, x) == outcome(array, x), (other, ours)


@pytest.mark.parametrize("apply", [operator.lt, operator.eq, operator.ne, operator.add])
def test_integers_that_no_float_holds(apply, queue):
    """Infinity is larger, NaN is not less: no single answer holds for all elements."""
    x = usm.asarray([1.0, np.inf, np.nan], sycl_queue=queue)
    for operands in ((x, 10**400), (-(10**400), x), (x + 1j, 10**400)):
        with pytest.raises(OverflowError):
            apply(*operands)


# Operators

OPERATORS = [
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv),
    *(operator.mod, operator.pow, operator.and_, operator.or_, operator.xor),
    *(operator.lshift, operator.rshift, operator.eq, operator.ne),
    *(operator.lt, operator.le, operator.gt, operator.ge),
]


@pytest.mark.parametrize("apply", OPERATORS, ids=lambda function: function.__name__)
def test_binary_operators(apply, queue):
    x, y = np.array([5, -7, 3, 0], "i4"), np.array([2, 3, 3, 1], "i4")
    x_device, y_device = (usm.asarray(array, sycl_queue=queue) for array in (x, y))
    for ours, numpys in [
        ((x_device, y_device), (x, y)),
        ((x_device, 2), (x, 2)),
        ((2, y_device), (2, y)),
        ((x_device, y), (x, y)),
        ((x, y_device), (x, y)),
    ]:
        result = apply(*ours)
        wanted = apply(*numpys)
        assert isinstance(result, usm.usm_ndarray)
        assert result.dtype == held(wanted.dtype)
        np.testing.assert_allclose(usm.asnumpy(result), wanted, rtol=1e-6)


@pytest.mark.parametrize("apply", [operator.neg, operator.pos, operator.abs, operator.invert])
def test_unary_operators(apply, queue):
    x = np.array([5, -7, 0], "i4")
    result = apply(usm.asarray(x, sycl_queue=queue))
    np.testing.assert_array_equal(usm.asnumpy(result), apply(x), strict=True)


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "greater", "less", "floor_divide"])
@pytest.mark.parametrize("dtype", ["i1", "u4", "f2", "f4", "f8", "c8"])
def test_arrays_beside_arrays_without_dimensions(name, dtype, queue):
    skip_without(queue.sycl_device, dtype)
    if np.dtype(dtype).kind == "c" and name in ("greater", "less", "floor_divide"):
        pytest.skip("not defined for complex numbers")
    host, numpys, function = numbered((7, 6), dtype), getattr(np, name), getattr(usm, name)
    x = usm.asarray(host, sycl_queue=queue)
    for key in (np.s_[:], np.s_[2], np.s_[:, 3], np.s_[::-2, 1], np.s_[:0], np.s_[:, ::2], (1, 1)):
        line, one = host[key], host[3, 4]
        with np.errstate(all="ignore"):
            assert_same(function(x[key], x[3, 4]), numpys(line, one))
            assert_same(function(x[3, 4], x[key]), numpys(one, line))
            assert_same(function(x[key], one), numpys(line, one))
            assert_same(function(one, x[key]), numpys(one, line))
            assert_same(numpys(one, x[key]), numpys(one, line))
    out = usm.empty(6, dtype=function(x[0], x[0]).dtype, sycl_queue=queue)
    assert function(x[2, 2], x[1], out=out) is out
    assert_same(out, numpys(host[2, 2], host[1]))


@pytest.mark.parametrize("apply", OPERATORS[:12], ids=lambda function: function.__name__)
def test_in_place_operators(apply, queue):
    in_place = getattr(operator, "i" + apply.__name__.strip("_"))
    x = np.array([5, -7, 3, 0], "f4" if apply is operator.truediv else "i4")
    on_device = usm.asarray(x, sycl_queue=queue)
    alias = on_device
    pointer = on_device._pointer
    on_device = in_place(on_device, 2)
    assert on_device is alias and on_device._pointer == pointer
    np.testing.assert_array_equal(usm.asnumpy(on_device), apply(x, x.dtype.type(2)), strict=True)


def test_in_place_operators_keep_the_type(queue):
    x = usm.ones(3, dtype="f4", sycl_queue=queue)
    if "f8" in {dtype.str[1:] for dtype in supported_dtypes()}:
        x += usm.ones(3, dtype="f8", sycl_queue=queue)
        assert x.dtype == np.float32 and usm.asnumpy(x).tolist() == [2, 2, 2]
    y = usm.ones(3, dtype="i4", sycl_queue=queue)
    with pytest.raises(TypeError, match=r"add: out has .* int32; expected .* float64 casts"):
        y += 1.5
    with pytest.raises(ValueError, match=r"shape \(3,\)"):
        y += usm.ones((2, 3), dtype="i4", sycl_queue=queue)
    assert usm.asnumpy(y).tolist() == [1, 1, 1]


class Other:
    def __radd__(self, other):
        return "other"


def test_operators_defer_to_other_classes(queue):
    x = usm.ones(3, sycl_queue=queue)
    assert x + Other() == "other"
    assert x.__add__(object()) is NotImplemented
    assert (x == "text") is False and (x == [1, 2, 3]) is False


class Row(list):
    pass


class RowWithOperator(list):
    def __rmul__(self, other):
        return "own"


def test_text_is_repeated(queue):
    count = usm.asarray([2, 3], sycl_queue=queue)
    assert "ab" * count[0] == "abab" and count[1] * b"-" == b"---"
    with pytest.raises(TypeError, match=r"of float32 .* is not an integer"):
        "ab" * usm.ones((), dtype="f4", sycl_queue=queue)
    with pytest.raises(TypeError, match="add: an operand is of type str"):
        "ab" + count[0]


@pytest.mark.parametrize(
    "other",
    [[1, 2], (1, 2), "ab", b"ab", bytearray(b"ab"), Row([1]), deque([1]), array("i", [1, 2])],
    ids=lambda other: type(other).__name__,
)
def test_sequences_are_not_repeated(queue, other):
    one = usm.asarray([2], sycl_queue=queue)
    for call in (
        lambda: one * other,
        lambda: other * one,
        lambda: one + other,
        lambda: operator.imul(other, one),
        lambda: one[0] + other if isinstance(other, str | bytes) else one[0] * other,
    ):
        with pytest.raises(TypeError, match=f"an operand is of type {type(other).__name__}"):
            call()
    assert one * RowWithOperator([1]) == "own"


# where and clip


@given(data=st.data(), dtype=st.sampled_from(["f4", "i2", "?", "c8"]))
@examples(50)
def test_where(loops, data, dtype, queue):
    shape = data.draw(hnp.array_shapes(max_dims=3, max_side=4))
    parts = [data.draw(st.sampled_from([shape, (1, *shape[1:]), shape[1:]])) for _ in range(3)]
    condition = numbered(parts[0], "?")
    x, y = numbered(parts[1], dtype), numbered(parts[2], "i1")
    result = usm.where(*(usm.asarray(part, sycl_queue=queue) for part in (condition, x, y)))
    np.testing.assert_array_equal(usm.asnumpy(result), np.where(condition, x, y), strict=True)


def test_where_of_numbers(queue):
    x = np.array([0.0, 1.5, -2.0, np.nan], "f4")
    on_device = usm.asarray(x, sycl_queue=queue)
    np.testing.assert_array_equal(
        usm.asnumpy(usm.where(on_device > 0, on_device, 0)), np.where(x > 0, x, np.float32(0))
    )
    np.testing.assert_array_equal(usm.asnumpy(usm.where(on_device, 1, 2)), np.where(x, 1, 2))
    for condition in (True, False, 0, 2.5, 0j, np.True_, np.float32(0)):
        expected = np.where(condition, x, np.float32(7))
        np.testing.assert_array_equal(usm.asnumpy(usm.where(condition, on_device, 7)), expected)
        fused = usm.fuse(lambda a, c=condition: usm.where(c, a, 7))
        np.testing.assert_array_equal(usm.asnumpy(fused(on_device)), expected)
    with pytest.raises(TypeError, match=r"where: condition is of type str"):
        usm.where("1", on_device, on_device)


@pytest.mark.parametrize("xp", [usm, np], ids=["usmtensor", "numpy"])
def test_keywords_of_ufuncs(queue, xp):
    """NumPy's functions call ours."""
    host = np.asarray([[1, 0, 4], [0, 2, 9]], dtype="f4")
    x = usm.asarray(host, sycl_queue=queue)
    mask, row = host > 0, np.asarray([True, False, True])

    def both(name, *operands, **keywords):
        ours = [x if one is host else one for one in operands]
        own = {
            key: usm.asarray(v, sycl_queue=queue) if key == "out" else v
            for key, v in keywords.items()
        }
        theirs = {key: v.copy() if key == "out" else v for key, v in keywords.items()}
        found = getattr(xp, name)(*ours, **own)
        expected = getattr(np, name)(*operands, **theirs)
        assert found is own.get("out", found) and found.dtype == expected.dtype
        np.testing.assert_allclose(usm.asnumpy(found), expected, rtol=1e-6)

    both("divide", 1, host, out=np.full_like(host, 7), where=mask)
    both("log", host, out=np.zeros_like(host), where=mask)
    both("sqrt", host, out=np.zeros_like(host), where=row)
    both("add", host, host, out=np.zeros_like(host), where=True, casting="same_kind")
    both("multiply", host, 2.5, out=np.zeros(host.shape, "i4"), casting="unsafe")
    both("multiply", host, 3, dtype="f2")
    both("add", host.astype("i4"), host, dtype=np.complex64) if xp is usm else None
    both("less", host, 2, dtype=bool)
    found = xp.add(x, 1, where=usm.asarray(mask, sycl_queue=queue))
    np.testing.assert_array_equal(usm.asnumpy(found)[mask], (host + 1)[mask])


def test_dtype_of_numbers():
    for name, numbers, dtype in (
        ("floor_divide", (7, 2), "f8"),
        ("remainder", (5, 0), "f4"),
        ("add", (np.float64(1), 2), "f4"),
        ("sqrt", (2,), "f4"),
        ("add", (1, 2), "c8"),
    ):
        found = getattr(usm, name)(*numbers, dtype=dtype)
        with np.errstate(all="ignore"):
            expected = getattr(np, name)(*numbers, dtype=dtype)
        assert type(found) is type(expected)
        np.testing.assert_array_equal(found, expected)
    with pytest.raises(TypeError, match="add: Cannot cast"):
        usm.add(1, 2.5, dtype="i4")
    with pytest.raises(OverflowError, match="add: Python integer 300 out of bounds"):
        usm.add(1, 300, dtype="i1")
    with pytest.raises(TypeError, match="rsqrt: the dtype int32 is not supported"):
        usm.rsqrt(2.0, dtype="i4")


def test_wide_masks(queue):
    x = usm.asarray([1.0, 2.0], dtype="f4", sycl_queue=queue)
    mask = np.asarray([[True, False], [True, True]])
    found = usm.asnumpy(usm.negative(x, where=mask))
    assert found.shape == (2, 2) and (found[mask] == [-1, -1, -2]).all()
    out = usm.zeros((2, 2), dtype="f4", sycl_queue=queue)
    usm.negative(x, out, where=mask)
    assert usm.asnumpy(out).tolist() == [[-1, 0], [-1, -2]]


@pytest.mark.parametrize(
    "keywords, error, words",
    [
        ({"where": [1, 2]}, TypeError, "add: where is of"),
        (
            {"where": np.asarray([1, 2])},
            TypeError,
            "add: where is of data type int64; expected bool",
        ),
        ({"casting": "any"}, ValueError, "add: casting is 'any'; expected 'no', 'equiv', 'safe'"),
        ({"casting": 1}, (TypeError, ValueError), "add: casting"),
        ({"dtype": "no"}, TypeError, "add: dtype is of type str; expected a data type"),
        (
            {"dtype": "i4"},
            TypeError,
            "add: an operand is of data type float32, and casting is 'same",
        ),
        ({"dtype": "f2", "casting": "safe"}, TypeError, "add: an operand is of data type float32"),
        ({"out": np.zeros(2), "where": True}, TypeError, "add: out is of type ndarray"),
    ],
)
def test_wrong_keywords_of_ufuncs(queue, keywords, error, words):
    x = usm.asarray([1.0, 2.0], dtype="f4", sycl_queue=queue)
    with pytest.raises(error, match=words):
        usm.add(x, x, **keywords)
    with pytest.raises(TypeError, match=r"add: out has .* int32; expected .* float16 casts"):
        usm.add(x, x, out=usm.empty_like(x, dtype="i4"), dtype="f2")
    with pytest.raises((TypeError, ValueError), match="add: "):
        usm.add(x, x, out=usm.empty(3, dtype="f4", sycl_queue=queue), where=[True])
    with pytest.raises(TypeError, match="less: the dtype float32 is not supported; expected bool"):
        usm.less(x, x, dtype="f4")


def test_where_of_a_condition_alone(queue):
    x = np.asarray([[0, 3], [2, 0]])
    y = usm.asarray(x, sycl_queue=queue)
    for found, expected in zip(usm.where(y > 1), np.where(x > 1), strict=True):
        np.testing.assert_array_equal(usm.asnumpy(found), expected)
    with pytest.raises(TypeError, match="where: x2 is of type NoneType"):
        usm.where(y, y)


NUMBERS = [True, 1, 1.5, np.True_, np.int8(1), np.uint64(1), np.float16(1.5), np.float32(1.5)]


@pytest.mark.parametrize("x", [*NUMBERS, 1j], ids=repr)
def test_types_of_where_and_clip(x, queue):
    """Numbers of Python take the type that all the others promote to, as in NumPy."""
    one = usm.ones(1, dtype="?", sycl_queue=queue)
    for y in [*NUMBERS, np.float64(1.5)]:
        for operands in [(x, y), (y, x)]:
            wanted = held(np.where(True, *operands).dtype)
            assert usm.where(one, *operands).dtype == wanted, operands
            if 1j in operands:
                continue
            for dtype in supported_dtypes():
                wanted = held(np.result_type(dtype, *operands))
                assert usm.clip(usm.astype(one, dtype), *operands).dtype == wanted, operands


@pytest.mark.parametrize("low, high", [(1, 4), (None, 3), (2, None), (None, None), (4, 1)])
@pytest.mark.parametrize("dtype", ["i1", "u8", "f4"])
def test_clip(dtype, low, high, queue):
    x = np.arange(7).astype(dtype)
    on_device = usm.asarray(x, sycl_queue=queue)
    wanted = x.copy() if low is None and high is None else np.clip(x, low, high)
    result = usm.clip(on_device, low, high)
    np.testing.assert_array_equal(usm.asnumpy(result), wanted, strict=True)
    out = usm.empty_like(on_device)
    assert usm.clip(on_device, low, high, out=out) is out
    np.testing.assert_array_equal(usm.asnumpy(out), wanted)


def test_limits_that_are_bools_or_beyond_the_type(queue):
    x = np.array([1, 2, 300], "u2")
    y = usm.asarray(x, sycl_queue=queue)
    for low, high in ((-1, True), (True, 70000), (False, 70000), (-1, 5), (None, 70000)):
        assert_same(usm.clip(y, low, high), np.clip(x, low, high))
        assert_same(usm.clip(y, a_min=low, a_max=high), np.clip(x, low, high))


def test_clip_to_arrays(queue):
    x = numbered((3, 4), "f4")
    low, high = numbered((4,), "f4") + 1, numbered((3, 1), "f4") + 5
    parts = [usm.asarray(part, sycl_queue=queue) for part in (x, low, high)]
    np.testing.assert_array_equal(usm.asnumpy(usm.clip(*parts)), np.clip(x, low, high))


def test_clip_errors_name_the_argument(queue):
    x = usm.ones(3, sycl_queue=queue)
    for keywords in ({"min": "a"}, {"min": [1, 2, 3]}, {"min": 0, "max": "a"}):
        with pytest.raises(TypeError, match=r"clip: (min|max) is of type (str|list)"):
            usm.clip(x, **keywords)
    with pytest.raises(TypeError, match=r"clip: max is of type str"):
        usm.clip(x, max="a")
    with pytest.raises(ValueError, match="clip: min and a_min are given; expected one of them"):
        usm.clip(x, 1, a_min=2)
    wide = usm.ones(2, sycl_queue=queue)
    for keywords in ({"min": wide}, {"max": wide}, {"min": wide, "max": 1}):
        with pytest.raises(ValueError, match=r"clip: .*shapes \(3,\) and \(2,\)"):
            usm.clip(x, **keywords)
    with pytest.raises(OverflowError):
        usm.clip(usm.astype(x, "u1"), 300)


# Placement of results


def test_kind_of_the_result(queue):
    x = {k: usm.ones(3, usm_type=k, sycl_queue=queue) for k in ("device", "shared", "host")}
    for first in x:
        assert usm.exp(x[first]).usm_type == first
        assert (x[first] + 1).usm_type == first
        for second in x:
            wanted = usm.utils.get_coerced_usm_type([first, second])
            assert (x[first] + x[second]).usm_type == wanted


@pytest.mark.parametrize("place", ["in-order", "out-of-order"])
def test_queues_of_one_context_mix(place, device, queue):
    other = PLACES[place](device)
    x, y = usm.ones(3, sycl_queue=queue), usm.ones(3, sycl_queue=other)
    assert (x + y).sycl_queue == queue
    assert (y + x).sycl_queue == other
    out = usm.empty(3, sycl_queue=other)
    assert usm.add(x, x, out=out) is out
    assert usm.asnumpy(out).tolist() == [2, 2, 2]


@pytest.mark.parametrize("place", ["other context", "sub-device"])
def test_other_devices_and_contexts_are_refused(place, device, queue):
    x, y = usm.ones(3, sycl_queue=queue), usm.ones(3, sycl_queue=PLACES[place](device))
    for call in (
        lambda: x + y,
        lambda: usm.add(x, x, out=y),
        lambda: usm.exp(x, out=y),
        lambda: usm.where(x, x, y),
        lambda: usm.clip(x, 1, y),
    ):
        with pytest.raises(usm.ExecutionPlacementError, match="expected one device and context"):
            call()


# Bad input


def test_operands_other_than_arrays(queue):
    x = usm.ones(3, sycl_queue=queue)
    for call in (lambda: usm.exp(np.ones(3)), lambda: usm.exp([1])):
        with pytest.raises(TypeError, match="exp: x is of type"):
            call()
    for error in (TypeError, usm.ExecutionPlacementError):  # NumPy's class, and dpctl's
        with pytest.raises(error, match=r"add: .*expected at least one usm_ndarray"):
            usm.add(np.ones(3), np.ones(3))
    for other in ([1, 2, 3], "text", None, {1}, object()):
        with pytest.raises(TypeError, match="add: x2 is of type"):
            usm.add(x, other)
    with pytest.raises(TypeError, match="cannot have"):
        usm.add(x, np.ones(3, "U1"))
    with pytest.raises(ValueError, match="cannot be broadcast together"):
        usm.add(x, usm.ones(2, sycl_queue=queue))
    with pytest.raises(ValueError, match="order is 'Z'"):
        usm.add(x, x, order="Z")
    with pytest.raises(TypeError, match="not defined for bool and bool"):
        usm.subtract(x > 0, x > 0)
    with pytest.raises(TypeError, match="not defined for float"):
        usm.bitwise_and(x, x)


# Documents


def test_docstrings():
    for name, function in FUNCTIONS.items():
        assert function.__doc__.startswith(f"{name}(")
        assert "Parameters\n-----" in function.__doc__
        sources = (f"array API 2025.12, `{name}`", f"dpctl.tensor.{name}.", f"numpy.{name}.")
        assert any(source in function.__doc__ for source in sources)


KINDS = {"b": "bool", "i": "integers", "f": "floats", "c": "complex"}


def row_of_the_table(name, functions=FUNCTIONS):
    function = functions[name]
    taken = {np.dtype(signature[0]).kind for signature in function.types}
    kinds = [words for kind, words in KINDS.items() if kind in taken]
    results = {signature[-1] for signature in function.types}
    parts = any(signature[0] in "FD" and signature[-1] in "fd" for signature in function.types)
    result = "real part's type" if parts else "same"
    if len(results) == 1:
        result = str(np.dtype(results.pop()))
    summary = function.__doc__.split("\n")[2].rstrip(".")
    return f"| `{name}` | {summary} | {', '.join(kinds)} | {result} |"


def test_documented_table():
    text = (Path(__file__).parent.parent / "docs" / "elementwise.md").read_text(encoding="utf-8")
    missing = [row for row in map(row_of_the_table, FUNCTIONS) if row not in text.splitlines()]
    assert not missing, "rows for docs/elementwise.md:\n" + "\n".join(missing)


def test_attributes_of_functions():
    assert (usm.add.nin, usm.exp.nin, usm.add.nout) == (2, 1, 1)
    assert "ff->f" in usm.add.types and usm.add.types == usm.add.types_
    assert usm.add.__name__ == "add" and "add" in repr(usm.add) and "add" in str(usm.add)
    with pytest.raises(TypeError):
        type(usm.add)()


# Operands of NumPy and of ctypes


class Subclass(np.ndarray):
    pass


@pytest.mark.parametrize(
    "other", [np.ma.masked_array([1.0, 2, 3], [0, 1, 0]), np.ones(3).view(Subclass)], ids=repr
)
def test_subclasses_of_numpy_arrays_are_no_operands(queue, other):
    x = usm.ones(3, sycl_queue=queue)
    kind = type(other).__name__
    for call in (
        lambda: x + other,
        lambda: x == other,
        lambda: x.__iadd__(other),
        lambda: usm.add(other, x),
        lambda: usm.where(x > 0, x, other),
        lambda: usm.clip(x, other),
    ):
        with pytest.raises(TypeError, match=f"{kind}(; expected no subclass| has a mask)"):
            call()
    for out in (other, np.ones(3), [1.0]):
        with pytest.raises(TypeError, match=f"out is of type {type(out).__name__}; expected usm_n"):
            usm.add(x, x, out=out)
    with pytest.raises(TypeError, match=f"out is of type {kind}; expected usm_ndarray"):
        np.add(x, x, out=other)


@pytest.mark.parametrize(
    "other",
    [
        "a",
        np.str_("a"),
        np.bytes_(b"a"),
        np.void(b"a"),
        np.zeros((), "i4, i4")[()],
        np.zeros(3, "i4, i4"),
        np.array(["a", "b", "c"]),
        np.array([None, 1, "a"], object),
        np.datetime64("2020-01-01"),
        np.array(["2020-01-01"] * 3, "M8[D]"),
        np.longdouble(1),
        np.array([1, 1, 1], np.longdouble),
        ctypes.c_wchar("a"),
        ctypes.c_void_p(3),
    ],
    ids=repr,
)
@pytest.mark.parametrize("shape", [3, 2, ()])
@pytest.mark.parametrize("usm_type", ["device", "shared"])
def test_comparisons_with_other_objects(queue, other, usm_type, shape):
    x = usm.ones(shape, usm_type=usm_type, sycl_queue=queue)
    assert (x == other) is False
    assert (x != other) is True
    if getattr(other, "dtype", x.dtype).kind == "V":
        return  # on the left, NumPy's scalar and array do not ask x
    assert (other == x) is False
    assert (other != x) is True
    for call in (
        lambda: x < other,
        lambda: other >= x,
        lambda: x + other,
        lambda: operator.iand(x, other),
    ):
        with pytest.raises(TypeError):
            call()


@pytest.mark.parametrize("char", "?bBhHiIlLfd")
def test_numbers_of_ctypes(queue, device, char):
    if char == "d" and not device.has_aspect_fp64:
        pytest.skip("the device lacks the aspect fp64")
    number = np.ctypeslib.as_ctypes_type(np.dtype(char))(1)
    scalar = np.dtype(char).type(1)
    x = usm.asarray([1, 2, 3], dtype="i2", sycl_queue=queue)
    assert_same(x + number, np.asarray([1, 2, 3], "i2") + scalar)
    assert_same(number * x, scalar * np.asarray([1, 2, 3], "i2"))
    assert_same(usm.less(number, x), scalar < np.asarray([1, 2, 3], "i2"))
    assert_same(usm.where(x > 1, x, memoryview(number)), usm.asnumpy(usm.where(x > 1, x, scalar)))


def test_numbers_of_ctypes_that_no_array_can_have(queue):
    x = usm.ones(3, sycl_queue=queue)
    with pytest.raises(TypeError, match="cannot have"):
        usm.add(x, ctypes.c_char(b"a"))
    with pytest.raises(TypeError, match="x2 is of type c_double_Array_3"):
        usm.add(x, (ctypes.c_double * 3)())


@pytest.mark.parametrize("exponent", [2, 2.0, -1, -1.0, 0.5, 3])
@pytest.mark.parametrize("char", "bHiqefdFD")
def test_powers_by_numbers(char, exponent, queue):
    """The operator computes some of them by other functions, as NumPy does."""
    skip_without(queue.sycl_device, char)
    if char in "bHiq":
        if exponent == -1 or not isinstance(exponent, int):
            pytest.skip("integers are powers of integers, and not negative ones here")
        host = np.array([0, 1, 2, 3, 11, 120], char)
    else:
        host = np.array([0.0, -0.0, 1.0, 2.5, -3.0, 200.0, np.inf, -np.inf, np.nan], char)
        host = host[:6] if char in "FD" else host
    x = usm.asarray(host, sycl_queue=queue)
    with np.errstate(all="ignore"):
        wanted = host**exponent
    precision = np.finfo(wanted.dtype).eps * 8 if wanted.dtype.kind in "fc" else 0
    # Infinities of complex numbers have other parts.
    compared = np.isfinite(wanted) if char in "FD" else slice(None)
    for found in (x**exponent, operator.ipow(usm.copy(x), exponent)):
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(usm.asnumpy(found)[compared], wanted[compared], precision)


def test_square_roots_and_powers_of_minus_infinity(queue):
    x = usm.asarray([-np.inf], dtype="f4", sycl_queue=queue)
    assert np.isnan(float(x**0.5)) and float(usm.pow(x, 0.5)) == np.inf
    assert float(x**2) == float(usm.pow(x, 2)) == np.inf


@pytest.mark.parametrize("dtype", ["i4", "u1", "f4"])
def test_divmod(queue, dtype):
    values = np.arange(1, 40).astype(dtype)
    x = usm.asarray(values, sycl_queue=queue)
    for found, expected in (
        (divmod(x, 7), divmod(values, np.array(7, dtype))),
        (divmod(7, x), divmod(np.array(7, dtype), values)),
        (divmod(x[3], x), divmod(values[3], values)),
        (divmod(values, x[3]), divmod(values, values[3])),
        (np.divmod(x, x), np.divmod(values, values)),
    ):
        for part, wanted in zip(found, expected, strict=True):
            assert_same(part, wanted)
    with pytest.raises(TypeError, match="floor_divide: an operand is of type list"):
        divmod(x, [7])

    class Other:
        __array_ufunc__ = None

        def __rdivmod__(self, x):
            return "its own"

    assert divmod(x, Other()) == "its own"


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
def test_shifts_by_a_scalar(queue, dtype):
    info = np.iinfo(dtype)
    values = np.random.default_rng(1).integers(info.min, info.max, 999, dtype, endpoint=True)
    x = usm.asarray(values, sycl_queue=queue)
    for shift in [*range(8 * values.itemsize + 2), info.max]:
        for part in (slice(None), slice(3, 20), slice(None, None, -2)):
            assert_same(x[part] >> shift, values[part] >> np.array(shift, dtype))
            assert_same(x[part] << shift, values[part] << np.array(shift, dtype))
    shifts = np.arange(999).astype(dtype) % (8 * values.itemsize)
    shifts[16:64] = 3  # some neighbours are alike
    assert_same(x >> usm.asarray(shifts, sycl_queue=queue), values >> shifts)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
def test_division_by_a_scalar(queue, dtype):
    info = np.iinfo(dtype)
    random = np.random.default_rng(1)
    powers = [2**k + d for k in range(8 * np.dtype(dtype).itemsize) for d in (-1, 0, 1)]
    divisors = [3, 7, 10, 641, -1, -7, info.max, info.max - 1, info.min, *powers]
    if info.max < 256:
        divisors = [*range(info.min, info.max + 1)]
    divisors = sorted({d for d in divisors if d != 0 and info.min <= d <= info.max})
    edges = [info.min, info.min + 1, info.max, info.max - 1, 0, 1, *divisors]
    values = np.concatenate(
        [np.array(edges, dtype), random.integers(info.min, info.max, 99, dtype)]
    )
    multiples = values // np.array(7, dtype) * np.array(7, dtype)
    values = np.concatenate([values, multiples, multiples - np.array(1, dtype)])
    x = usm.asarray(values, sycl_queue=queue)
    for divisor in divisors:
        scalar = np.array(divisor, dtype)
        with np.errstate(over="ignore"):  # of the minimum by -1
            quotients, rests = values // scalar, values % scalar
        assert_same(x // divisor, quotients)
        assert_same(x % divisor, rests)
        assert_same(x[5:20] // divisor, quotients[5:20])
