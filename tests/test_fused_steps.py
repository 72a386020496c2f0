"""Fused functions of several steps: views, assignments, arrays made inside, reductions anywhere.

A function runs plainly and fused, on copies of the same arrays. The results, and the arrays that it
changes, have the same bits."""

import math
import operator
from contextlib import contextmanager, nullcontext

import numpy as np
import pytest
from both_tiers import assert_same_bits
from hypothesis import given
from hypothesis import strategies as st
from placement import other_context_queue
from strategies import examples, numbered, skip_without

import usmtensor as usm
from usmtensor._kernels import joined_steps, steps

LAYOUTS = ["C", "F", "reversed", "strided"]


def placed(host, layout, queue):
    """A new array of some elements."""
    x = usm.asarray(host, order="F" if layout == "F" else "C", copy=True, sycl_queue=queue)
    if layout == "reversed":
        return usm.flip(usm.asarray(np.flip(host).copy(), sycl_queue=queue))
    if layout == "strided" and host.ndim:
        wide = usm.zeros((*host.shape[:-1], 2 * host.shape[-1]), dtype=host.dtype, sycl_queue=queue)
        wide[..., ::2] = x
        return wide[..., ::2]
    return x


def as_host(found):
    return [usm.asnumpy(x) for x in (found if isinstance(found, (list, tuple)) else [found])]


@contextmanager
def kernels_apart():
    """No kernels of few elements run in turn in one launch."""
    usual, joined_steps.OPERATION_TIME = joined_steps.OPERATION_TIME, math.inf
    try:
        yield
    finally:
        joined_steps.OPERATION_TIME = usual


def agree(function, hosts, queue, layouts=("C",) * 9, numbers=(), apart=False):
    """The plain and the fused function return equal arrays, and leave equal arguments.

    The fused function also writes its results to given arrays.
    """
    fused, outcomes, outs = usm.fuse(function), [], {}
    with kernels_apart() if apart else nullcontext():
        for called in (function, fused, fused, fused):  # the second call has its kernels
            arrays = [placed(x, layout, queue) for x, layout in zip(hosts, layouts, strict=False)]
            found = called(*arrays, *numbers, **outs)
            outcomes.append([*as_host(found), *as_host(arrays)])
            if len(outcomes) == 3 and found is not None:
                outs["out"] = in_new_arrays(found, queue)
    for outcome in outcomes[1:]:
        assert len(outcome) == len(outcomes[0])
        for one, other in zip(outcome, outcomes[0], strict=True):
            assert (one.shape, one.dtype) == (other.shape, other.dtype)
            assert_same_bits(one.reshape(-1), other.reshape(-1))


def in_new_arrays(results, queue):
    """Return arrays like some results, with other elements."""
    if isinstance(results, (tuple, list)):
        return tuple(in_new_arrays(one, queue) for one in results)
    return usm.ones(results.shape, dtype=results.dtype, sycl_queue=queue)


# Random functions

SLICES = st.builds(
    slice,
    st.none() | st.integers(-3, 3),
    st.none() | st.integers(-3, 4),
    st.sampled_from([None, None, 1, 2, -1, -2]),
)
ITEMS = SLICES | st.sampled_from([None, ..., slice(None), slice(1, None), slice(None, -1), 0, -1])
KEYS = st.lists(ITEMS, max_size=3).map(tuple) | st.tuples(st.just(...), st.integers(-1, 1))
OPERATORS = [operator.add, operator.sub, operator.mul, usm.maximum, operator.lt]
UPDATES = [operator.iadd, operator.isub, operator.imul]
UNARY = [operator.neg, usm.abs, usm.square, lambda x: usm.where(x > 2, x, 1), lambda x: x.T]
MADE = [usm.zeros_like, usm.ones_like, lambda x: usm.full_like(x, 3), lambda x: usm.zeros(x.shape)]
REDUCTIONS = [usm.sum, usm.max, usm.min, usm.any]

# Variables are indices, from the last one; a view of one has a key.
VARIABLES = st.tuples(st.integers(0, 6), st.none() | KEYS)
OPERANDS = VARIABLES | VARIABLES | st.sampled_from([1, 2, 0.5, True])
STATEMENTS = st.one_of(
    st.tuples(st.just("apply"), st.sampled_from(OPERATORS), VARIABLES, OPERANDS),
    st.tuples(st.just("apply"), st.sampled_from(UNARY), VARIABLES),
    st.tuples(st.just("view"), VARIABLES),
    st.tuples(st.just("apply"), st.sampled_from(MADE), VARIABLES),
    st.tuples(st.just("assign"), VARIABLES, OPERANDS),
    st.tuples(st.just("assign"), VARIABLES, OPERANDS),
    st.tuples(st.just("update"), st.sampled_from(UPDATES), VARIABLES, OPERANDS),
    st.tuples(
        st.just("reduce"),
        st.sampled_from(REDUCTIONS),
        VARIABLES,
        st.sampled_from([None, 0, -1, (0, 1)]),
        st.booleans(),
    ),
)


def run(statements, variables):
    """The variables after some statements. A statement with wrong shapes, types or indices is left
    out: the arrays' shapes and types decide that, and they are equal in the fused function."""

    def value(operand):
        if not isinstance(operand, tuple):
            return operand
        place, key = operand
        x = variables[-1 - place % len(variables)]
        return x if key is None else x[key]

    for kind, *rest in statements:
        try:
            if kind == "apply":
                variables.append(rest[0](*[value(one) for one in rest[1:]]))
            elif kind == "view":
                variables.append(value(rest[0]))
            elif kind == "assign":
                (place, key), source = rest
                source = value(source)
                variables[-1 - place % len(variables)][... if key is None else key] = source
            elif kind == "update":
                function, target, source = rest
                function(value(target), value(source))
            else:
                function, source, axis, keepdims = rest
                source = value(source)
                if 0 not in source.shape:  # max() of nothing is an error of the call
                    variables.append(function(source, axis=axis, keepdims=keepdims))
        except (IndexError, TypeError, ValueError):
            pass
    return tuple(variables[3:]) or (variables[0] + 1,)


@st.composite
def hosts_that_broadcast(draw):
    shape = draw(st.lists(st.integers(0, 5), max_size=3).map(tuple))
    dtypes = st.sampled_from(["f4", "f4", "i4", "?"])
    return [
        numbered(
            tuple(draw(st.sampled_from([n, n, n, 1])) for n in shape[draw(st.integers(0, 1)) :]),
            draw(dtypes),
        )
        % 5
        for _ in range(3)
    ]


@examples(200)
@given(
    st.lists(STATEMENTS, min_size=1, max_size=8),
    hosts_that_broadcast(),
    st.lists(st.sampled_from(LAYOUTS), min_size=3, max_size=3),
    st.integers(1, 2),
    st.booleans(),
)
@pytest.mark.filterwarnings("ignore")
def test_random_functions(queue, statements, hosts, layouts, times, apart):
    repeated = statements * times
    agree(lambda x, y, z: run(repeated, [x, y, z]), hosts, queue, layouts, apart=apart)


WINDOWS = st.tuples(
    st.integers(0, 6),
    st.sampled_from([None, np.s_[1:], np.s_[:-1], np.s_[::-1], np.s_[1:-1], np.s_[2:], np.s_[:-2]]),
)
SOURCES = WINDOWS | WINDOWS | st.sampled_from([2, 0.5])
STEPS = st.one_of(
    st.tuples(st.just("apply"), st.sampled_from(OPERATORS[:4]), WINDOWS, SOURCES),
    st.tuples(st.just("apply"), st.sampled_from(MADE), WINDOWS),
    st.tuples(st.just("assign"), WINDOWS, SOURCES),
    st.tuples(st.just("assign"), WINDOWS, SOURCES),
    st.tuples(st.just("update"), st.sampled_from(UPDATES), WINDOWS, SOURCES),
    st.tuples(st.just("reduce"), st.sampled_from(REDUCTIONS), WINDOWS, st.just(-1), st.just(True)),
)


@pytest.mark.any_memory
@examples(40)
@given(st.lists(STEPS, min_size=4, max_size=16), st.sampled_from(["f4", "i4"]), st.booleans())
@pytest.mark.filterwarnings("ignore")
def test_random_windows(queue, statements, dtype, apart):
    """Windows of equal sizes: most statements have an effect, and many need old elements."""
    hosts = [numbered((6,), dtype) * factor % 7 for factor in (1, 3, 4)]
    layouts = ["C", "reversed", "strided"]
    agree(lambda x, y, z: run(statements, [x, y, z]), hosts, queue, layouts, apart=apart)


@pytest.mark.any_memory
@examples(50)
@given(
    st.lists(STATEMENTS, min_size=1, max_size=6),
    st.lists(st.integers(0, 3), min_size=3, max_size=3),
    st.sampled_from([1, -1]),
)
@pytest.mark.filterwarnings("ignore")
def test_random_functions_of_arguments_that_overlap(queue, statements, starts, step):
    def function(x, y, z):
        return run(statements, [x, y, z])

    outcomes, fused = [], usm.fuse(function)
    for called in (function, fused, fused):
        base = usm.asarray(numbered((4, 8), "f4") % 5, sycl_queue=queue)
        views = [base[:, start : start + 5] for start in starts]
        views[2] = views[2][:, ::step]
        outcomes.append([*as_host(called(*views)), usm.asnumpy(base)])
    for outcome in outcomes[1:]:
        for one, other in zip(outcome, outcomes[0], strict=True):
            assert_same_bits(one.reshape(-1), other.reshape(-1))


COLUMNS = st.tuples(st.sampled_from("xyz"), st.integers(0, 3))


@pytest.mark.any_memory
@examples(40)
@given(
    st.lists(st.tuples(COLUMNS, COLUMNS, COLUMNS, st.booleans()), min_size=2, max_size=8),
    st.lists(st.sampled_from(LAYOUTS), min_size=3, max_size=3),
    st.sampled_from(["f4", "i4", "?"]),
    st.sampled_from([(3, 4), (2, 3, 4), (0, 4), (1, 2, 4)]),
)
def test_random_columns(queue, statements, layouts, dtype, shape):
    """Steps along the last axis, which become one kernel if no work-item needs another's."""

    def function(x, y, z):
        names = {"x": x, "y": y, "z": z}
        for target, left, right, flipped in statements:
            (a, i), (b, j), (c, k) = target, left, right
            other = names[c][::-1, ..., k] if flipped else names[c][..., k]
            names[a][..., i] = names[b][..., j] * 2 + other
        return x + y

    agree(function, [numbered(shape, dtype) % 5] * 3, queue, layouts)


@pytest.mark.parametrize(
    "part", [np.s_[:1, :1], np.s_[:5, :1], np.s_[:1, :3], np.s_[1, :1], (1, 2)]
)
def test_columns_and_operands_that_broadcast(part, queue):
    """All elements of a repeated axis are the same, whatever the stride of the axis."""

    def function(x, y):
        x[..., 0] = y
        x[..., 2] += y
        return x * y[..., None]

    outcomes = []
    for called in (function, usm.fuse(function)):
        x = usm.asarray(numbered((5, 3, 4), "f4"), sycl_queue=queue)
        y = usm.asarray(numbered((9, 9), "f4"), sycl_queue=queue)[part]
        outcomes.append([*as_host(called(x, y)), *as_host(x)])
    for one, other in zip(*outcomes, strict=True):
        assert_same_bits(one.reshape(-1), other.reshape(-1))


# The kernels


@pytest.fixture
def kernels(monkeypatch):
    """The kernels that run, once for each run."""
    runs = []

    class Kernel(usm.ElementwiseKernel):
        def __call__(self, *arguments, **keywords):
            runs.append(self)
            return super().__call__(*arguments, **keywords)

    monkeypatch.setattr(steps, "ElementwiseKernel", Kernel)
    return runs


def jacobi(a, b):
    for _ in range(3):
        b[1:-1, 1:-1] = (
            a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1]
        ) / 5
        a[1:-1, 1:-1] = (
            b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1]
        ) / 5


def two_steps(a, b):
    jacobi(a, b)
    return a


def test_functions_that_return_nothing(queue):
    x, y = (usm.asarray(numbered((6, 7), "f4"), sycl_queue=queue) for _ in "xy")
    fused = usm.fuse(jacobi)
    assert fused(x, usm.copy(x)) is None and jacobi(y, usm.copy(y)) is None
    assert_same_bits(usm.asnumpy(x), usm.asnumpy(y))
    with pytest.raises(TypeError, match="out"):
        fused(x, y, out=y)
    with pytest.raises(TypeError, match="a result is None"):
        usm.fuse(lambda x: None)(x)


def laplacian_of_laplacian(x):
    inner = x[2:, 1:-1] + x[:-2, 1:-1] + x[1:-1, 2:] + x[1:-1, :-2] - 4 * x[1:-1, 1:-1]
    return inner[2:] - inner[:-2]


def in_place(x, y):
    x *= 2
    x[...] = x + y
    x -= y[::-1]
    y[1:] = 3
    return x


def in_place_with_a_common_factor(x, y, z):
    x[...] = y * 2
    z[...] = y + x
    factor = 1 / (z - x)
    x *= factor
    z *= factor
    return x + 0


def recurrence(x, y):
    for k in range(1, y.shape[1]):
        y[:, k] = x[:, k] - y[:, k - 1] * 0.5


def softmax(x):
    e = usm.exp(x - usm.max(x, axis=-1, keepdims=True))
    return e / usm.sum(e, axis=-1, keepdims=True)


def results_of_one_shape(x):
    y = usm.empty_like(x)
    y[...] = x * 2
    x[...] = y + 1
    return y, y - 3, usm.sum(x, axis=0)


@pytest.mark.any_memory
@pytest.mark.parametrize(
    "function, shapes, count, different",
    [
        (two_steps, [(9, 8), (9, 8)], 6, 1),
        (laplacian_of_laplacian, [(9, 8)], 1, 1),
        (lambda x, y: recurrence(x, y) or y + 0, [(9, 5), (9, 5)], 2, 2),
        (lambda x, y: recurrence(x, y) or y + 0, [(9, 50), (9, 50)], 2, 2),
        (lambda x, y: recurrence(x.T, y.T) or y + 0, [(30, 9), (30, 9)], 6, 3),
        (softmax, [(9, 8)], 2, 2),
        (results_of_one_shape, [(9, 8)], 2, 2),
        (lambda x, y: x * usm.exp(y / 2), [(9, 8), (8,)], 2, 2),  # 8 exponentials
        (lambda x, y: x * (y + 2), [(9, 8), (8,)], 1, 1),
        (lambda x, y: x * usm.exp(y / 2), [(9, 8), (9, 8)], 1, 1),
        (in_place, [(9, 8), (9, 8)], 1, 1),
        (in_place_with_a_common_factor, [(9, 8), (9, 8), (9, 8)], 1, 1),
    ],
)
def test_the_fewest_kernels(function, shapes, count, different, queue, kernels):
    skip_without(queue.sycl_device, "d")
    if function is softmax and not queue.sycl_device.is_cpu:
        pytest.skip("test_fused_rows.py tests reductions of rows on other devices than CPUs")
    hosts = [numbered(shape, "f8") / 8 + k for k, shape in enumerate(shapes)]
    agree(function, hosts, queue, apart=True)
    if queue.sycl_device.is_cpu or function in (two_steps, laplacian_of_laplacian):
        assert len(kernels) == 3 * count and len(set(kernels)) == different


def test_results_are_computed_in_given_arrays(queue):
    """Not in new arrays that are copied."""

    def count():
        kinds = usm.memory.statistics()[queue.sycl_device].values()
        return sum(kind["hits"] + kind["misses"] for kind in kinds)

    def allocations(**outs):
        before = count()
        fused(x, **outs)
        return count() - before

    fused, x = usm.fuse(softmax), usm.ones((300, 400), dtype="f4", sycl_queue=queue)
    out = usm.empty_like(x)
    fused(x)
    usual = allocations()
    assert allocations(out=out) == usual - 1
    assert allocations(out=x) > usual - 1
    assert_same_bits(usm.asnumpy(x), usm.asnumpy(out))


@pytest.mark.any_memory
@pytest.mark.parametrize("layout", LAYOUTS)
def test_kernels_of_few_elements_run_in_turn(layout, queue, kernels):
    def edges(p, q, scale):
        made = usm.zeros_like(p)
        p[1:-1, 1:-1] = (q[1:-1, 2:] + q[1:-1, :-2]) * scale
        p[:, -1] = p[:, -2]
        p[0] = p[1] + q[-1, ::-1]
        made[::2, None, 1] = p[::2, :1]
        p[-1] = 0
        p[2, 2] = 5
        return made, p[1:] * 2, made.T + 1

    for shape in ((9, 8), (40, 33)):
        hosts = [numbered(shape, "f4") % 7, numbered(shape, "f4") % 5]
        agree(edges, hosts, queue, [layout, layout], numbers=(1.5,))
    if queue.sycl_device.is_cpu:
        assert not kernels
    large = [numbered((2000, 100), "f4") % 7 for _ in range(2)]
    agree(edges, large, queue, [layout, layout], numbers=(2.5,))
    assert kernels


def test_more_arrays_than_a_kernel_takes(queue, kernels):
    def windows(x, y):
        total = x[:-40] * y[:-40]
        for k in range(1, 40):
            total += x[k : k - 40] * y[k : k - 40]
        return total, usm.sum(total)

    agree(windows, [numbered(50, "f4"), numbered(50, "f4") - 7], queue)
    assert len(kernels) // 2 < (12 if queue.sycl_device.is_cpu else 24)


@pytest.mark.parametrize("char", "iq?fF")
def test_masks(char, queue, device):
    skip_without(device, char)

    def masked(x, a):
        y = x * 1
        y[y == 2] = 0.5 if x.dtype.kind in "fc" else True
        x[1:][x[:-1] == 3] = 7
        y[1:][y[1:] == y[:-1]] = a
        return y

    agree(masked, [numbered((30,), char) + 2**60 * (char == "q")], queue, numbers=(3,))


@pytest.mark.parametrize("value", [np.int8(2), np.float64(2), np.full((), 2, "i4")])
def test_values_that_are_arrays_without_axes(value, queue):
    """A NumPy scalar or a 0-D array fills arrays and masks."""

    def function(x, a):
        y, z = usm.full_like(x, a), x * usm.full(x.shape, usm.sum(x))
        z[x == 1] = a
        x[x > 2] = usm.max(x)
        return y, z, usm.full((2, 2), x, dtype="i4") if x.ndim == 0 else x[1:]

    agree(function, [numbered((5,), "i4")], queue, numbers=[value])
    agree(function, [numbered((), "f4")], queue, numbers=[value])


def test_reductions_of_arrays_of_one_number(queue):
    def function(x):
        y = usm.full_like(x, 3)
        return usm.sum(y), usm.max(usm.ones((2, 3)), axis=0), usm.sum(usm.ones_like(x)[1:]), x + y

    agree(function, [numbered((30,), "f4")], queue)


def test_functions_of_numpy(queue):
    def function(x):
        y = np.zeros_like(x)
        y[1:] = np.where(x[1:] > 3, np.exp(x[:-1]), np.full_like(x[1:], 2))
        return np.sum(y, axis=0, keepdims=True) - np.copy(y), np.empty_like(x, dtype="i4")[:0]

    agree(function, [numbered((30,), "f4")], queue)


@pytest.mark.parametrize("char", "ief?F")
def test_normalisation(char, queue, device):
    skip_without(device, char, "d")

    def normalised(x):
        y = x.copy() if x.dtype.kind in "fc" else usm.astype(x, "f4")
        spread = usm.std(y, axis=1, correction=1, keepdims=True)
        y -= usm.mean(y, axis=1, keepdims=True)
        return y / (spread + 1), x.var(), np.var(x, axis=0, ddof=2, keepdims=True)

    agree(normalised, [numbered((7, 40), char)], queue)


def test_positions(queue):
    def positions(x):
        y = x * 2 - 7
        last = usm.argmax(y, axis=-1)
        return last + 1, y.argmin(), usm.argmin(y, axis=0, keepdims=True), y[1:] * last[1:, None]

    agree(positions, [numbered((4, 9), "f4")], queue)
    agree(positions, [numbered((4, 9), "i4")], queue, ["F"])


def test_long_loops(queue):
    def loop(x):
        for _ in range(2000):
            x = x * 0.5 + 1
        return x

    agree(loop, [numbered(50, "f4")], queue)


def test_views_of_long_loops(queue):
    """Windows of windows: some of them are stored."""

    def shrink(x):
        for _ in range(30):
            x = (x[:-2] + 2 * x[1:-1] + x[2:]) * 0.25
        return x

    agree(shrink, [numbered(90, "f4")], queue)


# Arguments


def shift(x, y):
    x[1:] = y[:-1] + 1
    return y * 2


@pytest.mark.parametrize("second", [np.s_[:-1], np.s_[1:], np.s_[::-1]])
def test_arguments_that_overlap(second, queue, kernels):
    outcomes = []
    for function in (shift, usm.fuse(shift)):
        whole = usm.asarray(numbered(9, "f4"), sycl_queue=queue)
        window = whole[second]
        found = function(whole[: window.size], window)
        outcomes.append((found.tolist(), whole.tolist()))
    assert outcomes[0] == outcomes[1] and not kernels


def test_the_same_argument_twice(queue):
    for function in (shift, usm.fuse(shift)):
        x = usm.arange(5, dtype="f4", sycl_queue=queue)
        function(x, x)
        assert x.tolist() == [0, 1, 2, 3, 4]


def test_an_argument_that_overlaps_itself(queue):
    """As in an in-place stencil: the values are those before the assignment."""

    def smooth(x):
        x[1:-1] += x[:-2] - x[2:]
        x[::-1] = x * 2
        return x

    agree(smooth, [numbered(40, "f4")], queue)


def test_an_assignment_to_the_old_values_of_an_argument(queue):
    def function(x):
        y, z = x * 1, x + 1
        x[1:] = 7
        y[1:] = usm.where(y[1:] == y[:-1], 3, y[1:])
        return y, z, x * z

    agree(function, [numbered((6,), "i4") // 2], queue)


def test_read_only_arguments(queue):
    x = usm.broadcast_to(usm.arange(3, dtype="f4", sycl_queue=queue), (2, 3))
    with pytest.raises(ValueError, match="read-only"):
        usm.fuse(lambda x: x.__setitem__(0, 1) or x + 1)(x)


def test_arguments_on_the_host(queue):
    x, host = usm.arange(5, dtype="f4", sycl_queue=queue), np.ones(5, "f4")

    def function(x, host):
        x[1:] = host[:-1] * 2
        return x[1:] - host[1:]

    assert usm.fuse(function)(x, host).tolist() == [1, 1, 1, 1]
    assert x.tolist() == [0, 2, 2, 2, 2]

    def writes(x, host):
        host[1:] = 7
        return x + host

    assert usm.fuse(writes)(x, host).tolist() == [1, 9, 9, 9, 9] and host.tolist()[1] == 7
    assert usm.fuse(lambda x, c: x[1:] * c[None])(x, np.float32(2)).tolist() == [4, 4, 4, 4]


def test_results_that_are_arguments(queue):
    def function(x):
        x[0] = 9
        return x, x[1:], x

    x = usm.arange(3, dtype="f4", sycl_queue=queue)
    first, second, third = usm.fuse(function)(x)
    assert first is x and third is x and second.tolist() == [1, 2]
    second[0] = 5
    assert x.tolist() == [9, 5, 2]
    outs = [usm.empty_like(one) for one in (x, second, x)]
    assert usm.fuse(function)(x, out=tuple(outs))[0] is outs[0]
    assert [one.tolist() for one in outs] == [[9, 5, 2], [5, 2], [9, 5, 2]]


def test_values_of_arguments_that_change_several_times(queue):
    def first(x, y):
        v = x + y
        x[0], y[0] = 1, 2
        y[1] = 3
        return v * 2

    def second(x, y):
        v, w = x + y, x * y
        y += 1
        x += v
        y *= w
        return v + w, v[1:] * 2

    def third(x, y):
        v = usm.exp(x) / y
        for k in range(3):
            y[..., k] = y[..., k + 1] * y[..., k]
        x[...] = v * x
        return v

    for function in (first, second, third):
        for apart in (False, True):
            agree(function, [numbered((4, 5), "f4") % 7 + 1] * 2, queue, apart=apart)


def test_results_that_are_views(queue):
    def function(x, part):
        made = usm.empty_like(x)
        made[...] = x + 1
        return made[part]

    for part in (np.s_[1:], np.s_[None], np.s_[::-1], np.s_[..., 0]):
        agree(lambda x, part=part: function(x, part), [numbered((4, 5), "f4")], queue)


def test_numbers_that_do_not_fit(queue):
    """The call raises the error before it changes an argument."""

    def function(x, a):
        x[1:] = 1
        x[0] = a
        return x

    fused = usm.fuse(function)
    x = usm.zeros(3, dtype="i1", sycl_queue=queue)
    assert fused(x, 5).tolist() == [5, 1, 1]
    for number in (300, np.int64(300)):
        with pytest.raises(OverflowError):
            fused(x, number)
    assert fused(x, np.int64(6)).tolist() == [6, 1, 1]


@pytest.mark.parametrize("char", "?bBiqe")
@pytest.mark.parametrize("size", [7, 1 << 20])
def test_numbers_of_other_kinds_than_the_array(char, size, queue):
    """An assigned number is converted, as in the plain function."""

    def function(x, a):
        y = usm.full_like(x, a)
        total = usm.sum(y * x, dtype="f4")
        y[:2], x[3] = x[0], a
        return y, total, usm.full_like(x[:3], a)

    for number in (2.5, 3, True):
        agree(function, [numbered((size,), char) % 2], queue, numbers=(number,))


def test_shapes_are_constants(queue):
    calls = []

    @usm.fuse
    def function(x):
        calls.append(1)
        return x[1:] / len(x) + x.shape[-1] * x.ndim + x.size

    for size in (3, 4, 3, 4, 5):
        x = usm.arange(size, dtype="f4", sycl_queue=queue)
        assert_same_bits(usm.asnumpy(function(x)), usm.asnumpy(function.__wrapped__(x)))
    assert len(calls) == 3 + 5


def test_axes_from_the_end_are_those_of_each_call(queue):
    fused = usm.fuse(lambda x, y: usm.sum(x * y, axis=-1))
    for shape in [(2, 3), (2, 3, 4), (5,), (2, 3)]:
        x, y = numbered(shape, "f4"), numbered(shape[-1:], "f4") + 1
        found = fused(usm.asarray(x, sycl_queue=queue), usm.asarray(y, sycl_queue=queue))
        assert usm.asnumpy(found).tolist() == (x * y).sum(axis=-1).tolist()


@pytest.mark.parametrize("char", "?if")
def test_copies_have_the_shape_of_each_call(char, queue):
    def function(x):
        y = usm.maximum(x, 3)
        return usm.sum(y), y, y

    fused = usm.fuse(function)
    for shape in [(6,), (4,), (2, 3)]:
        x = usm.asarray(numbered(shape, char), sycl_queue=queue)
        for one, other in zip(fused(x), function(x), strict=True):
            assert_same_bits(usm.asnumpy(one).reshape(-1), usm.asnumpy(other).reshape(-1))
            assert one.shape == other.shape


def test_arrays_of_more_than_64_axes(queue):
    def function(x, y):
        x[1:] = y[:-1] * 2
        return x + y[0], usm.sum(x * y, axis=(0, -1))

    shape = (3, *[1] * 70, 2)
    host = numbered((6,), "f4") + 1
    outcomes = []
    for called in (function, usm.fuse(function)):
        x, y = (usm.reshape(usm.asarray(host, sycl_queue=queue), shape, copy=True) for _ in "xy")
        found = (*called(x, y), x)
        outcomes.append([(one.shape, usm.reshape(one, (-1,)).tolist()) for one in found])
    assert outcomes[0] == outcomes[1]
    kernel = usm.ReductionKernel("T x, T y", "T z", "x * y", "a + b", "z = a", "0")
    assert usm.reshape(kernel(y, y, axis=0), (-1,)).tolist() == [35, 56]


def test_many_shapes(queue, kernels):
    """A kernel serves all of them; the steps for the first ones are forgotten."""
    fused = usm.fuse(lambda x: x[1:] - x[:-1])
    for size in [*range(2, 300), 2]:
        x = usm.arange(size, dtype="f4", sycl_queue=queue)
        assert fused(x).tolist() == [1] * (size - 1)
    assert len(set(kernels)) == 1


def test_kind_and_queue_of_arrays_made_inside(queue, usm_kind):
    x = usm.ones(5, dtype="f4", usm_type=usm_kind, sycl_queue=queue)

    @usm.fuse
    def function(x):
        y, z = usm.zeros_like(x), usm.full(3, 7)
        y[1:] = x[1:]
        return y, z, usm.ones((2, 2), dtype="i2"), usm.empty(0, dtype="f4")

    wanted = [[0, 1, 1, 1, 1], [7, 7, 7], [[1, 1], [1, 1]], []]
    for one, values in zip(function(x), wanted, strict=True):
        assert one.usm_type == usm_kind and one.sycl_queue == queue and one.tolist() == values


def test_arrays_in_another_context(queue, device):
    def function(x):
        y = usm.zeros_like(x)
        y[1:-1] = x[2:] - x[:-2]
        for k in range(1, 5):
            x[:, k] = x[:, k - 1] + y[:, k]
        return y, usm.sum(x[1:] * 2, axis=0)

    fused = usm.fuse(function)
    for own in (queue, other_context_queue(device), queue):
        agree(function, [numbered((6, 5), "f4")], own)
        x = usm.asarray(numbered((6, 5), "f4"), sycl_queue=own)
        assert [one.sycl_queue == own for one in fused(x)] == [True, True]


# Errors


@pytest.mark.parametrize(
    "function, error, words",
    [
        (lambda x: x[3:, 1], IndexError, "too many indices"),
        (lambda x: x[9] + 1, IndexError, "out of bounds"),
        (lambda x: x[..., ...] + 1, IndexError, "Ellipsis"),
        (lambda x: x[x > 1], TypeError, "expected usmtensor.where"),
        (lambda x: x.__setitem__(x > 1, x), TypeError, "expected equal shapes and a number"),
        (lambda x: x.__setitem__(x[1:] > 1, 3), TypeError, "expected equal shapes and a number"),
        (lambda x: x.__setitem__(x, 3), TypeError, "key"),
        (lambda x: x @ x, TypeError, "Traced"),
        (lambda x: x.reshape(5, 1), AttributeError, "reshape"),
        (lambda x: x[[0, 1]], TypeError, "expected integers, slices, None and Ellipsis"),
        (lambda x: x[True], TypeError, "expected integers, slices, None and Ellipsis"),
        (lambda x: x[:2] + x, ValueError, "broadcast"),
        (lambda x: x.__setitem__(0, x), ValueError, "broadcast"),
        (lambda x: x.__setitem__(0, "a"), TypeError, "value is of type str"),
        (lambda x: x.__setitem__(0, np.ones(5)), TypeError, "no argument"),
        (lambda x: x[:1].__iadd__(x), ValueError, "shape"),
        (lambda x: usm.sum(x, axis=3), ValueError, "axis"),
        (lambda x: usm.argmax(x, axis=True), TypeError, "axis"),
        (lambda x: usm.var(x, correction="a"), TypeError, "correction"),
        (lambda x: usm.std(x, out=x), TypeError, "out cannot be traced"),
        (lambda x: usm.zeros_like(x, dtype="U3"), TypeError, "dtype"),
        (lambda x: usm.zeros(-1), ValueError, "shape"),
        (lambda x: x + usm.zeros(5, sycl_queue=usm.SyclQueue()), TypeError, "no argument"),
        (lambda x: usm.ones_like(x, device=x), TypeError, "Traced"),
        (lambda x: x.mT, ValueError, "mT"),
        (lambda x: x.strides, AttributeError, "strides"),
        (lambda x: usm.sort(x), TypeError, "sort"),
        (lambda x: np.asarray(x), TypeError, "not known here"),
    ],
)
def test_errors(function, error, words, queue):
    x = usm.arange(5, dtype="f4", sycl_queue=queue)
    with pytest.raises((error, TypeError), match=words):
        usm.fuse(function)(x)
    assert x.tolist() == [0, 1, 2, 3, 4]


def test_assignments_to_other_arrays_than_arguments(queue):
    x, other = usm.ones(3, dtype="f4", sycl_queue=queue), usm.zeros(3, sycl_queue=queue)
    with pytest.raises(TypeError, match=r"other.__setitem__.*as an argument"):
        usm.fuse(lambda x: other.__setitem__(..., x) or x + 1)(x)


def test_an_assigned_operand_of_an_earlier_call(queue):
    kept, x = [], usm.ones(3, dtype="f4", sycl_queue=queue)
    usm.fuse(lambda x: kept.append(x) or x + 1)(x)
    for use in (
        lambda x: x.__setitem__(0, kept[0]),
        lambda x: x[kept[0]],
        lambda x: (kept[0], x + 1),
        lambda x: kept[0][1:],
    ):
        with pytest.raises(TypeError):
            usm.fuse(use)(x)
