"""Fused functions give the results of the functions that they are made of, bit by bit."""

import collections
import copy
import functools
import math
import operator
import pickle
import threading

import numpy as np
import pytest
from both_tiers import assert_same_bits
from elementwise_oracle import BINARY, FUNCTIONS, UNARY
from hypothesis import given
from hypothesis import strategies as st
from placement import other_context_queue
from strategies import DTYPES, dtypes, examples, numbered, skip_without, supported_dtypes
from test_tiers import operands, random_values

import usmtensor as usm

pytestmark = pytest.mark.any_memory

TOGETHER = 12  # functions of one kernel


def bits_agree(function, *arguments, **keywords):
    """The fused function and the function itself give equal arrays."""
    fused, wanted = usm.fuse(function)(*arguments, **keywords), function(*arguments, **keywords)
    several = isinstance(wanted, (list, tuple))
    assert type(fused) is type(wanted)
    for one, other in zip(fused, wanted, strict=True) if several else [(fused, wanted)]:
        assert one.shape == other.shape
        assert_same_bits(on_host(one), on_host(other), case=str(function))


def on_host(x):
    """The elements on the host; foreign memory may hold any byte for a bool, and so may a copy."""
    host = usm.asnumpy(x).reshape(-1)
    return host.view("u1") != 0 if host.dtype == bool else host


# Every function of the table


def groups(names):
    return [names[k : k + TOGETHER] for k in range(0, len(names), TOGETHER)]


@pytest.mark.parametrize("names", groups(UNARY), ids=lambda names: names[0])
@pytest.mark.parametrize("char", "?bBqefdFD")
@pytest.mark.tier("device")
def test_unary_functions(names, char, queue, device):
    skip_without(device, char)
    known = [
        name for name in names if any(types.startswith(char) for types in FUNCTIONS[name].types)
    ]
    if not known:
        pytest.skip("none is defined for the type")
    host = operands(char)[0]
    if queue.backend == usm.backend_type.cuda:  # signs of zeros beside NaN: docs/devices.md
        host = host[np.isnan(host.real) == np.isnan(host.imag)]
    x = usm.asarray(host, sycl_queue=queue)
    bits_agree(lambda x: tuple(FUNCTIONS[name](x) for name in known), x)


@pytest.mark.parametrize("names", groups(BINARY), ids=lambda names: names[0])
@pytest.mark.parametrize("char", "?bIqefdFD")
@pytest.mark.tier("device")
def test_binary_functions(names, char, queue, device):
    skip_without(device, char)
    known = [
        name for name in names if any(types.startswith(2 * char) for types in FUNCTIONS[name].types)
    ]
    if not known:
        pytest.skip("none is defined for the type")
    x, y = (usm.asarray(one, sycl_queue=queue) for one in operands(2 * char))
    bits_agree(lambda x, y: tuple(FUNCTIONS[name](x, y) for name in known), x, y)


@pytest.mark.parametrize("char", [dtype.char for dtype in DTYPES])
def test_conversions(char, queue, device):
    skip_without(device, char)
    x = usm.asarray(operands(char)[0], sycl_queue=queue)
    for kinds in (supported_dtypes()[:7], supported_dtypes()[7:]):
        bits_agree(lambda x, kinds=kinds: [x.astype(kind) for kind in kinds], x)


# Rounding: the compiler merges no operations


@pytest.mark.parametrize("char", "efdFD")
@pytest.mark.parametrize("size", [7, 1000, 1 << 18])
@pytest.mark.tier("device")
def test_operations_round_one_by_one(char, size, queue, device):
    skip_without(device, char)

    def function(x, y, z):
        product = x * y
        return product + z, product - z, (x - y * z) / (x * x + y * y), x * 3 + y * 7 - z * 11

    arrays = [usm.asarray(random_values(char, size, name), sycl_queue=queue) for name in "xyz"]
    bits_agree(function, *arrays)


@pytest.mark.parametrize("char", "efd")
@pytest.mark.tier("device")
@pytest.mark.quirk("merged-sincos")
def test_sine_and_cosine_of_one_angle(char, queue, device):
    skip_without(device, char)
    x = usm.asarray(operands(char)[0], sycl_queue=queue)
    bits_agree(lambda x: (usm.sin(x), usm.cos(x)), x)
    bits_agree(lambda x: usm.sin(x) * usm.cos(x) + usm.sin(x), x)


# Random expressions

OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv]
OPERATORS += [operator.mod, operator.and_, operator.or_, operator.xor, operator.lt, operator.le]
OPERATORS += [operator.eq, operator.ne, operator.gt, operator.ge, operator.rshift]
CALLS = [usm.abs, usm.sqrt, usm.exp, usm.sin, usm.floor, operator.neg, operator.invert, usm.sign]
CALLS += [usm.log1p, usm.tanh, usm.isnan, usm.square]
TERNARY = [usm.where, usm.clip]
NUMBERS = [0, 1, 3, -2, 0.5, -1.25, 2.0, True, 1 + 2j]

leaves = st.sampled_from(["x", "y", "z", "a", "b"]) | st.sampled_from(NUMBERS)
trees = st.recursive(
    leaves,
    lambda inner: (
        st.tuples(st.sampled_from(OPERATORS), inner, inner)
        | st.tuples(st.sampled_from(CALLS), inner)
        | st.tuples(st.sampled_from(TERNARY), inner, inner, inner)
        | st.tuples(st.just("astype"), inner, dtypes())
    ),
    max_leaves=12,
)


def computed(tree, names):
    if isinstance(tree, str):
        return names[tree]
    if not isinstance(tree, tuple):
        return tree
    function, *inner = tree
    if function == "astype":
        return usm.astype(computed(inner[0], names), inner[1])
    return function(*[computed(one, names) for one in inner])


@st.composite
def arrays_that_broadcast(draw):
    shape = draw(st.lists(st.integers(1, 5), max_size=3).map(tuple))
    shapes = [
        tuple(draw(st.sampled_from([1, n])) for n in shape[draw(st.integers(0, len(shape))) :])
        for _ in range(3)
    ]
    return [numbered(one, draw(dtypes())) for one in shapes]


@examples(60)
@given(st.lists(trees, min_size=1, max_size=3), arrays_that_broadcast())
@pytest.mark.filterwarnings("ignore")
def test_random_expressions(queue, trees, hosts):
    def function(x, y, z, a, b):
        names = {"x": x, "y": y, "z": z, "a": a, "b": b}
        return tuple(computed(tree, names) for tree in trees)

    arguments = [*(usm.asarray(x, sycl_queue=queue) for x in hosts), 2, 0.75]
    try:
        wanted = function(*arguments)
    except (TypeError, ValueError, ArithmeticError, usm.ExecutionPlacementError) as error:
        kind = error
    else:
        kind = None
    fused = usm.fuse(function)
    if kind is not None:
        with pytest.raises((type(kind), TypeError)):
            fused(*arguments)
        return
    if not all(isinstance(one, usm.usm_ndarray) for one in wanted):
        with pytest.raises(TypeError, match=r"a result is|cannot be fused"):
            fused(*arguments)
        return
    for one, other in zip(fused(*arguments), wanted, strict=True):
        assert one.shape == other.shape
        assert_same_bits(on_host(one), on_host(other))


@pytest.mark.parametrize(
    "function",
    [
        lambda x, y: 0.75 + (0 - x),
        lambda x, y: usm.astype(0 - usm.astype(y > 3, usm.int32), usm.float32),
        lambda x, y: 0.5 * ((y > 3) * -1),
        lambda x, y: usm.sum(0.5 * (0 - usm.astype(y > 3, usm.int64))),
        lambda x, y: usm.astype(0 - x, usm.complex64),
    ],
)
def test_negatives_of_bools(device, queue, function):
    """The runtime's compiler makes a number that it knows to be one a positive float."""
    skip_without(device, "f8")
    for size in (0, 1, 5, 1000):
        x = usm.asarray(np.arange(size) % 3 > 0, sycl_queue=queue)
        y = usm.asarray(np.arange(size) % 7.0, sycl_queue=queue)
        assert_same_bits(on_host(usm.fuse(function)(x, y)), on_host(function(x, y)))


@pytest.mark.parametrize(
    "function",
    [
        lambda x, a, b: x + usm.abs(a),
        lambda x, a, b: x * (usm.sqrt(b) - a),
        lambda x, a, b: usm.maximum(x, usm.where(a > 3, 1, b)),
        lambda x, a, b: (x * usm.clip(a, 0, 5), usm.square(usm.abs(a)) - x),
        lambda x, a, b: usm.where(usm.abs(a), x, b),
        lambda x, a, b: usm.clip(usm.sqrt(b), x, 9),
    ],
)
@pytest.mark.parametrize("char", "?bf")
def test_functions_of_numbers(function, char, queue, device):
    """They give NumPy's scalars, whose types count in promotion."""
    skip_without(device, "d")
    x, fused = usm.asarray(np.arange(6).astype(char), sycl_queue=queue), usm.fuse(function)
    for a, b in ((2, 0.75), (-7, 2.5), (2**30, 0.0)):
        found, wanted = fused(x, a, b), function(x, a, b)
        if not isinstance(wanted, tuple):
            found, wanted = (found,), (wanted,)
        for one, other in zip(found, wanted, strict=True):
            assert_same_bits(on_host(one), on_host(other))


# Layouts, places, out


def polynomial(x, y, a):
    square = x * x
    return square * a + x * y - 3


@pytest.mark.parametrize(
    "window", [np.s_[:], np.s_[::2], np.s_[::-1], np.s_[:, ::3], np.s_[:0], np.s_[3], np.s_[2, 1]]
)
@pytest.mark.parametrize("order", "CF")
def test_layouts(window, order, queue):
    x, y = (
        usm.asarray(numbered((20, 30), "f4") * scale, order=order, sycl_queue=queue)[window]
        for scale in (1, 0.1)
    )
    bits_agree(polynomial, x, y, 0.3)
    bits_agree(polynomial, x, y[..., :1] if y.ndim else y, 0.3)
    bits_agree(polynomial, x, usm.flip(y), 2)


@pytest.mark.parametrize("size", [3 << 20, (4 << 20) + 3])
@pytest.mark.tier("device")
def test_large_arrays(size, queue):
    x, y = (usm.arange(size, dtype="f4", sycl_queue=queue) * k for k in (1e-3, 7e-3))
    bits_agree(polynomial, x, y, 0.3)
    bits_agree(lambda x, y: (usm.exp(-x) + y, usm.tanh(y) * x), x, y)


@pytest.mark.tier("device")
def test_functions_of_strided_arrays(queue):
    """Large ones are copied before the kernel."""

    def function(x, y):
        return usm.exp(-x) * y + usm.sin(y), usm.log1p(x * x) - y

    fused = usm.fuse(function)
    x = usm.asarray(numbered((90, 140), "f4") / 99, sycl_queue=queue)
    row, column = x[:1], x[:, 3:4]
    for arguments in ((x, row), (row, column), (x[::-1], x), (x[::2, ::2], x[1::2, 1::2])):
        bits_agree(function, *arguments)
        bits_agree(function, *(one.T for one in arguments))
        wanted = [usm.asnumpy(one) for one in function(*arguments)]
        shape = wanted[0].shape
        outs = [usm.empty((shape[0], 2 * shape[1]), dtype="f4", sycl_queue=queue) for _ in "xy"]
        for window in (np.s_[:, : shape[1]], np.s_[:, ::2], np.s_[:, ::-2]):
            found = fused(*arguments, out=tuple(one[window] for one in outs))
            for one, other in zip(found, wanted, strict=True):
                assert_same_bits(usm.asnumpy(one), other)
    wanted = usm.asnumpy(usm.tanh(x[::-1]))
    usm.fuse(lambda x: usm.tanh(x))(x[::-1], out=x)  # overlaps
    assert_same_bits(usm.asnumpy(x), wanted)


def test_out(queue):
    x, y = (usm.arange(12, dtype="f4", sycl_queue=queue) * k for k in (1, 0.5))
    fused, out = usm.fuse(polynomial), usm.empty(12, dtype="f4", sycl_queue=queue)
    wanted = usm.asnumpy(polynomial(x, y, 2))
    assert fused(x, y, 2, out=out) is out
    assert (usm.asnumpy(out) == wanted).all()
    assert fused(x, y, 2, out=x[::-1]).shape == (12,)  # overlaps an input
    assert (usm.asnumpy(x[::-1]) == wanted).all()
    both = usm.fuse(lambda x, y: (x + y, x * y))
    x = usm.arange(12, dtype="f4", sycl_queue=queue)
    wanted = [usm.asnumpy(one) for one in (x + y, x * y)]
    first, second = both(x, y, out=(out, x))
    assert first is out and second is x
    for one, other in zip((first, second), wanted, strict=True):
        assert (usm.asnumpy(one) == other).all()
    for wrong in (out, (out,), (out, out, out)):
        with pytest.raises((TypeError, ValueError), match="out"):
            both(x, y, out=wrong)
    with pytest.raises(ValueError, match="out"):
        fused(x, y, 2, out=usm.empty(11, dtype="f4", sycl_queue=queue))
    with pytest.raises(ValueError, match="out"):
        fused(x, y, 2, out=usm.empty(12, dtype="i4", sycl_queue=queue))


def test_calls_of_other_types_and_arguments_in_turn(queue):
    fused = usm.fuse(lambda x, y, unused=0: x * y + x)
    x, y = (usm.asarray(numbered((6,), "f4"), sycl_queue=queue) + k for k in (1, 2))
    ints = usm.astype(x, "i4")
    out = usm.empty(6, dtype="f4", sycl_queue=queue)
    for _ in range(2):
        for args in ((x, y), (y, x), (ints, ints), (x, y), (x, ints), (x, 2), (x, x[:1]), (x, y)):
            wanted = args[0] * args[1] + args[0]
            assert_same_bits(on_host(fused(*args)), on_host(wanted))
            if wanted.dtype == out.dtype:
                assert fused(*args, out=out) is out
                assert_same_bits(on_host(out), on_host(wanted))
        assert_same_bits(on_host(fused(x, y, y)), on_host(x * y + x))
        with pytest.raises(ValueError, match="out"):
            fused(x, y, out=ints)
        with pytest.raises(ValueError, match="read-only"):
            fused(x, y, out=usm.broadcast_to(x[:1], (6,)))
        with pytest.raises(TypeError):
            fused(x)


@pytest.mark.parametrize("size", [1000, 3 << 20])
def test_out_that_a_later_kernel_reads(size, queue):
    """Results with reductions, or of several shapes, have several kernels."""

    def step(x):
        half = x * 0.5
        return half, usm.sum(half), usm.max(x)

    x = usm.asarray(numbered((size,), "f4") % 7, sycl_queue=queue)
    sums = [usm.empty((), dtype=t, sycl_queue=queue) for t in ("f4", "f4")]
    wanted = [usm.asnumpy(one) for one in step(x)]
    found = usm.fuse(step)(x, out=(x, *sums))
    assert found[0] is x
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(usm.asnumpy(one), other, rtol=1e-6)
    plain = usm.fuse(lambda x, n: (x + 1, x == n, x))  # which runs unfused for 300
    x = usm.arange(5, dtype="i1", sycl_queue=queue)
    outs = [usm.empty(5, dtype=t, sycl_queue=queue) for t in ("?", "i1")]
    plain(x, 300, out=(x, *outs))
    assert outs[1].tolist() == [0, 1, 2, 3, 4] and x.tolist() == [1, 2, 3, 4, 5]
    shapes = usm.fuse(lambda x, y: (x * 2, x + y))
    x = usm.arange(3, dtype="f4", sycl_queue=queue)
    both = usm.zeros((2, 3), dtype="f4", sycl_queue=queue)
    shapes(x, usm.ones((2, 3), dtype="f4", sycl_queue=queue), out=(x, both))
    assert usm.asnumpy(both).tolist() == [[1, 2, 3]] * 2 and x.tolist() == [0, 2, 4]


def test_out_in_another_context(queue, device):
    fused, with_number = usm.fuse(lambda x, y: x * y), usm.fuse(lambda x, k: x * k)
    for own in (queue, other_context_queue(device), queue):
        x, out = (usm.ones(5, dtype="f4", sycl_queue=own) for _ in range(2))
        assert fused(x, x, out=out) is out
        assert fused(usm.astype(x, "i4"), x).sycl_queue == own
        assert with_number(x, 3, out=out) is out
        assert (usm.asnumpy(out) == 3).all()


def test_results_of_several_shapes(queue):
    x = usm.asarray(numbered((3,), "f4"), sycl_queue=queue)
    y = usm.asarray(numbered((2, 3), "f4"), sycl_queue=queue)
    bits_agree(lambda x, y: (x * 2, x + y, y - 1, x - 1), x, y)
    bits_agree(lambda x, y: (x * 2, x + y), x, x)


def test_arguments_that_no_result_needs(queue):
    x = usm.asarray(numbered((3,), "f4"), sycl_queue=queue)
    y = usm.asarray(numbered((2, 3), "f4"), sycl_queue=queue)

    def function(x, y, a):
        _ = x * y * a
        return x + 1

    bits_agree(function, x, y, 3)


def test_results_that_depend_on_shapes_alone(queue):
    x = usm.asarray(numbered((3,), "i4"), sycl_queue=queue)
    bits_agree(lambda x: (usm.isnan(x), usm.isfinite(x), usm.imag(x), +x), x)


@pytest.mark.parametrize("size", [5, 1 << 20])
def test_usm_kind_and_queue_of_the_result(size, queue, usm_kind):
    x = usm.ones(size, dtype="f4", usm_type=usm_kind, sycl_queue=queue)
    for y in usm.fuse(lambda x: (x * 2 + 1, usm.sum(x * 2)))(x):
        assert y.usm_type == usm_kind and y.sycl_queue == queue


def test_host_arrays_and_scalars_of_numpy(queue):
    x = usm.ones((2, 3), dtype="f4", sycl_queue=queue)
    bits_agree(lambda x, y: x * y + 1, x, np.arange(3, dtype="f4"))
    bits_agree(lambda x, y: x * y + 1, np.arange(3, dtype="f4"), x)
    bits_agree(lambda x, y: x * y + 1, x, np.float32(0.1))
    bits_agree(lambda x: np.exp(x) * np.float32(0.1) + np.where(x > 0, x, 2), x)
    bits_agree(lambda x, a: x * usm.sqrt(a) + usm.exp(a), x, np.float32(0.1))


# Numbers and constants


def test_a_number_that_cannot_be_traced_leaves_the_function_fused(queue):
    x, calls = usm.ones(3, dtype="f4", sycl_queue=queue), []

    @usm.fuse
    def power(x, a):
        calls.append(a)
        return x * 10.0**a

    with pytest.raises(OverflowError):
        power(x, 400)
    for a in (2, 3, 4):
        assert power(x, a).tolist() == [10**a] * 3
    assert len(calls) == 3  # a trace, the plain function for its error, and another trace


def test_numbers_may_decide_between_arrays(queue):
    x = usm.arange(3, dtype="f4", sycl_queue=queue)
    fused = usm.fuse(lambda x, a: usm.where(a > 2, x, usm.where(a, -x, 5)))
    for a in (3.0, 1.0, 0.0):
        assert fused(x, a).tolist() == fused.__wrapped__(x, a).tolist()


def test_functions_that_handle_errors_of_shapes(queue):
    def function(x, y):
        try:
            return x + y
        except ValueError:
            return x * 2

    fused, x = usm.fuse(function), usm.ones(3, dtype="f4", sycl_queue=queue)
    for n, result in ((4, 2), (3, 1), (1, 1)):
        assert fused(x, usm.zeros(n, dtype="f4", sycl_queue=queue)).tolist() == [result] * 3


@pytest.mark.parametrize("name", ["größe", "3d", "", "for", "a b"])
def test_names_of_functions(name, queue):
    def function(x):
        y = usm.zeros_like(x)
        y[1:] = x[:-1] * 2
        return y

    function.__name__ = name
    bits_agree(function, usm.arange(5, dtype="f4", sycl_queue=queue))


def test_numbers_are_values_of_each_call(queue):
    calls = []

    @usm.fuse
    def function(x, a, b):
        calls.append(1)
        return x * (a + b * b / 2) - a

    x = usm.asarray(numbered((9,), "f4"), sycl_queue=queue)
    for a, b in ((0.1, 0.2), (1.5, -3.0), (math.inf, 1.0)):
        wanted = function.__wrapped__(x, a, b)
        calls.clear()
        assert_same_bits(usm.asnumpy(function(x, a, b)), usm.asnumpy(wanted))
    assert not calls  # traced once, by the first call
    function(x, 1, 2.0)
    function(usm.astype(x, "f8" if queue.sycl_device.has_aspect_fp64 else "f2"), 1, 2.0)
    function(x[::2], 3, 4.0)  # another shape
    assert len(calls) == 2


@pytest.mark.parametrize("exponent", [2, 0.5, -1, 1, 0, 3])
@pytest.mark.parametrize("char", "fF")
def test_constant_exponents(char, exponent, queue):
    x = usm.asarray(numbered((12,), "f4").astype(char) + 1, sycl_queue=queue)
    bits_agree(lambda x: x**exponent + 1, x)
    bits_agree(lambda x: usm.pow(x, exponent) + 1, x)


@pytest.mark.parametrize("char", "iefF")
def test_exponents_are_values_of_each_call(char, queue):
    skip_without(queue.sycl_device, char)
    x = usm.asarray((numbered((12,), "f4") - 5).astype(char), sycl_queue=queue)
    functions = [lambda x, a: x**a, lambda x, a: usm.pow(x, a) + a]
    for function in functions:
        fused = usm.fuse(function)
        for exponent in (2, 3) if char == "i" else (2, -1, 0.5, 3, 2.0, 0.5 + 1e-12, 2 + 1e-12):
            wanted = usm.asnumpy(function(x, exponent))
            assert_same_bits(usm.asnumpy(fused(x, exponent)), wanted, case=str(exponent))


def test_keywords_are_constants(queue):
    @usm.fuse
    def function(x, *, power=2, kind="plain"):
        if kind == "scaled":
            x = x / 4
        result = x
        for _ in range(power - 1):
            result = result * x
        return result

    x = usm.asarray(numbered((9,), "f4"), sycl_queue=queue)
    for keywords in ({}, {"power": 3}, {"power": np.int64(3)}, {"power": 3, "kind": "scaled"}):
        wanted = function.__wrapped__(x, **keywords)
        assert_same_bits(usm.asnumpy(function(x, **keywords)), usm.asnumpy(wanted))
    zero = usm.fuse(lambda x, a=0.0: usm.copysign(x, a))
    assert float(zero(x[1:2], a=0.0)) == 1 and float(zero(x[1:2], a=-0.0)) == -1


def test_equal_constants_of_other_types(queue):
    x = usm.arange(3, dtype="i4", sycl_queue=queue)
    fused = usm.fuse(lambda x, c: usm.copysign(usm.astype(x, "f4"), c[0]))
    for constants in ((0.0,), (-0.0,), (0,)):
        wanted = fused.__wrapped__(x, constants)
        assert_same_bits(usm.asnumpy(fused(x, constants)), usm.asnumpy(wanted))
    product = usm.fuse(lambda x, c: x * c[0])
    for one in (2, 2.0, True):
        assert product(x, (one,)).dtype == (x * one).dtype

    def either(a, b=None, y=None):
        return b * 2 if a == "y" else a * y

    fused = usm.fuse(either)
    assert fused("y", x).tolist() == [0, 2, 4] and fused(x, y=x).tolist() == [0, 1, 4]


def test_arrays_by_keyword(queue):
    x = usm.asarray(numbered((9,), "f4"), sycl_queue=queue)
    assert float(usm.fuse(lambda x, y: x - y)(y=x[2:3], x=x[5:6])) == 3


def test_the_type_of_a_computed_number_may_change(queue):
    x = usm.asarray(numbered((9,), "i4"), sycl_queue=queue)
    fused = usm.fuse(lambda x, a: x * 2**a)
    for power in (2, -1, 3):
        wanted = x * 2**power
        found = fused(x, power)
        assert found.dtype == wanted.dtype
        assert_same_bits(usm.asnumpy(found), usm.asnumpy(wanted))


def test_integers_beyond_a_type(queue):
    x = usm.asarray(numbered((9,), "u1"), sycl_queue=queue)
    bits_agree(lambda x: x < 300, x)
    bits_agree(lambda x, a: x < a, x, 300)
    fused = usm.fuse(lambda x, a: x + a)
    assert int(fused(x, 5)[0]) == 5
    with pytest.raises(OverflowError):
        fused(x, 300)


# In-place operators


def test_in_place_operators(queue):
    def function(x, y):
        total = x * 1
        same = total
        total += y
        total *= 2
        return same - 1

    x, y = (usm.asarray(numbered(shape, "f4"), sycl_queue=queue) for shape in ((2, 3), (3,)))
    bits_agree(function, x, y)
    with pytest.raises(ValueError):
        usm.fuse(function)(y, x)  # as unfused
    with pytest.raises(TypeError, match=r"add: out has .* int32; expected .* float.. casts"):
        usm.fuse(lambda x, y: operator.iadd(x.astype("i4"), y))(x, y)
    z = usm.copy(x)
    assert usm.fuse(lambda x, y: operator.iadd(x, y))(z, y) is z
    assert_same_bits(usm.asnumpy(z), usm.asnumpy(x + y))


# Errors: they show the line


def branches(x):
    if x > 0:
        return x
    return -x


def uses_a_mask(x):
    return x[x > 0] + 1


def uses_a_number_as_index(x, k=0):
    return x[k]


def loops_over_a_number(x, k=3):
    for _ in range(k):
        x = x * 2
    return x


def becomes_a_number(x):
    return x * math.sqrt(x)


def sorts(x):
    return usm.sort(x)


def assigns_a_list(x):
    x[:2] = [1, 2]
    return x


@pytest.mark.parametrize(
    "function, line",
    [
        (branches, "if x > 0:"),
        (uses_a_mask, "return x[x > 0] + 1"),
        (uses_a_number_as_index, "return x[k]"),
        (loops_over_a_number, "for _ in range(k):"),
        (becomes_a_number, "return x * math.sqrt(x)"),
        (sorts, "return usm.sort(x)"),
        (assigns_a_list, "x[:2] = [1, 2]"),
    ],
)
def test_errors_show_the_line(function, line, queue):
    x = usm.ones(3, dtype="f4", sycl_queue=queue)
    numbers = (2,) * (function.__code__.co_argcount - 1)
    with pytest.raises(TypeError) as caught:
        usm.fuse(function)(x, *numbers)
    text = str(caught.value)
    assert line in text and "test_fuse.py:" in text and function.__name__ in text


def test_arrays_other_than_arguments(queue):
    x, weights = (usm.ones(3, dtype="f4", sycl_queue=queue) for _ in range(2))
    with pytest.raises(TypeError, match="an array that is not an argument"):
        usm.fuse(lambda x: x * weights)(x)
    with pytest.raises(TypeError, match="an array that is not an argument"):
        usm.fuse(lambda x: weights * x)(x)
    with pytest.raises(TypeError, match="an array that is not an argument"):
        usm.fuse(lambda x: x * np.ones(3))(x)


def test_decorators_with_arguments(queue):
    """As CuPy's fuse is used."""
    x = usm.ones(3, dtype="f4", sycl_queue=queue)
    for decorator in (usm.fuse, usm.fuse(), usm.fuse(kernel_name="line")):

        @decorator
        def line(x):
            return x * 2 + 1

        assert line(x).tolist() == [3, 3, 3] and line.__name__ == "line"


def test_bad_arguments(queue):
    x = usm.ones(3, dtype="f4", sycl_queue=queue)
    with pytest.raises(TypeError, match="function"):
        usm.fuse(3)
    with pytest.raises(TypeError, match="no argument is an array"):
        usm.fuse(lambda x: x + 1)(3)
    with pytest.raises(TypeError, match="a result is 3"):
        usm.fuse(lambda x: 3)(x)
    with pytest.raises(TypeError, match="unhashable"):
        usm.fuse(lambda x, y: x)(x, [3])
    with pytest.raises(ValueError, match="broadcast"):
        usm.fuse(lambda x, y: x + y)(x, usm.ones(4, dtype="f4", sycl_queue=queue))
    with pytest.raises(TypeError):
        usm.fuse(lambda x: x + 1)(x, x)
    with pytest.raises(RuntimeError, match="own"):  # not hidden

        @usm.fuse
        def fails(x):
            raise RuntimeError("own")

        fails(x)


def test_an_operand_of_an_earlier_call(queue):
    kept = []
    x = usm.ones(3, dtype="f4", sycl_queue=queue)

    @usm.fuse
    def keeps(x):
        kept.append(x)
        return x + 1

    keeps(x)
    with pytest.raises(TypeError, match="earlier call"):
        kept[0] + 1
    with pytest.raises(TypeError, match="earlier call"):
        usm.fuse(lambda x: x + kept[0])(x)


def change_real_parts(x):
    y = x * 1
    part = y.real
    part += 1
    return y + part


def change_a_cast(x):
    y = x * 1
    part = usm.astype(y, y.dtype, copy=False)
    part += 1
    return y * 1


def zeros_beside_a_change(x):
    y = x * 1
    part = y.imag  # of real numbers no view
    y *= 2
    return y + part


def test_views_within_a_function(queue):
    x = usm.arange(3, dtype="f4", sycl_queue=queue)
    bits_agree(zeros_beside_a_change, x)
    bits_agree(change_real_parts, x)
    bits_agree(change_a_cast, x)
    with pytest.raises(TypeError, match="a view of it"):
        usm.fuse(change_real_parts)(usm.astype(x, "c8"))

    def changes_an_argument(x):
        part = x.real
        part += 1
        return x * 1

    assert usm.fuse(changes_an_argument)(x).tolist() == x.tolist() == [1, 2, 3]

    def changes_the_whole(x):
        y = x * 1
        part = y.imag
        y *= 2
        return part

    with pytest.raises(TypeError, match="a view of it"):
        usm.fuse(changes_the_whole)(usm.astype(x, "c8"))


# Composition


def test_fused_functions_call_fused_functions(queue):
    @usm.fuse
    def inner(x, a):
        return usm.exp(x) * a

    x = usm.asarray(numbered((9,), "f4") / 50, sycl_queue=queue)
    bits_agree(lambda x: inner(x, 3) + inner(x * 2, 4), x)


def test_out_within_a_function(queue):
    inner = usm.fuse(lambda x: x * 2)

    def outer(x):
        y = x + 1
        inner(y, out=y)
        return y

    with pytest.raises(TypeError, match="out cannot be traced"):
        usm.fuse(outer)(usm.ones(3, dtype="f4", sycl_queue=queue))


Pair = collections.namedtuple("Pair", "first second")


def test_named_tuples(queue):
    x = usm.arange(4, dtype="f4", sycl_queue=queue)
    for function in (lambda x: Pair(x + 1, x * 2), lambda x: Pair(x + 1, usm.sum(x * 2))):
        found = usm.fuse(function)(x)
        assert isinstance(found, Pair)
        assert usm.asnumpy(found.first).tolist() == [1, 2, 3, 4]
        assert usm.asnumpy(usm.sum(found.second)) == 12


@usm.fuse
def doubled(x):
    return x * 2


def test_pickles(queue):
    assert pickle.loads(pickle.dumps(doubled)) is doubled and copy.deepcopy(doubled) is doubled
    again = pickle.loads(pickle.dumps(usm.fuse(polynomial)))
    assert again.__wrapped__ is polynomial
    x = usm.ones(3, dtype="f4", sycl_queue=queue)
    for function in (usm.sin, functools.partial(np.add, 1)):  # without a qualified name
        again = pickle.loads(pickle.dumps(usm.fuse(function)))
        assert (usm.asnumpy(again(x)) == usm.asnumpy(function(x))).all()
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(usm.fuse(lambda x: x))


def test_metadata():
    @usm.fuse
    def function(x):
        """Text."""
        return x

    assert function.__name__ == "function" and function.__doc__ == "Text."
    assert function.__wrapped__.__name__ == "function"


def test_threads(queue):
    x = usm.asarray(numbered((99,), "f4"), sycl_queue=queue)
    fused = usm.fuse(polynomial)
    wanted, wrong = usm.asnumpy(polynomial(x, x, 2)), []

    def work():
        for _ in range(20):
            if (usm.asnumpy(fused(x, x, 2)) != wanted).any():
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
