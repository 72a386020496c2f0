"""Functions that move elements or change shapes, against NumPy."""

import warnings

import numpy as np
import pytest
from checks import assert_same, shares_memory
from hypothesis import given
from hypothesis import strategies as st
from placement import in_order_queue, other_context_queue
from strategies import dtypes, examples, numbered, recipes, shapes

import usmtensor as usm

AxisError = np.exceptions.AxisError


@pytest.fixture
def x(queue):
    """Two rows of three, 0 to 5."""
    return usm.asarray(np.arange(6, dtype="i4").reshape(2, 3), sycl_queue=queue)


def assert_view(y, x, expected):
    """`y` has the expected values, the memory of `x`, and is as writable as `x`."""
    assert_same(y, expected)
    assert y.usm_data is x.usm_data
    assert y.sycl_queue == x.sycl_queue
    assert y.flags.writable == x.flags.writable


def some_axes(ndim, min_size=0):
    """Different axes, counted from either end."""
    choices = st.lists(
        st.sampled_from(range(ndim)) if ndim else st.nothing(), min_size=min_size, unique=True
    )
    return choices.flatmap(
        lambda axes: st.tuples(*[st.sampled_from((axis, axis - ndim)) for axis in axes])
    )


# Views


@examples(50)
@given(recipe=recipes(), data=st.data())
def test_expand_dims_and_squeeze(queue, recipe, data):
    expected, x = recipe.pair(queue)
    count = data.draw(st.integers(0, 3))
    ndim = x.ndim + count
    axes = tuple(data.draw(st.permutations(range(ndim)))[:count])
    axes = tuple(axis - data.draw(st.sampled_from((0, ndim))) for axis in axes)
    wide = usm.expand_dims(x, axes)
    assert_view(wide, x, np.expand_dims(expected, axes))
    assert_view(usm.squeeze(wide, axes), x, expected)
    assert_view(usm.squeeze(wide), x, np.squeeze(expected))


@examples(50)
@given(recipe=recipes(), data=st.data())
def test_flip(queue, recipe, data):
    expected, x = recipe.pair(queue)
    axes = data.draw(st.none() | some_axes(x.ndim))
    assert_view(usm.flip(x, axis=axes), x, np.flip(expected, axes))


@examples(50)
@given(recipe=recipes(), data=st.data())
def test_moveaxis(queue, recipe, data):
    expected, x = recipe.pair(queue)
    source = data.draw(some_axes(x.ndim))
    destination = tuple(data.draw(st.permutations(range(x.ndim))))[: len(source)]
    destination = tuple(axis - data.draw(st.sampled_from((0, x.ndim))) for axis in destination)
    assert_view(usm.moveaxis(x, source, destination), x, np.moveaxis(expected, source, destination))


@examples(50)
@given(recipe=recipes(), data=st.data())
def test_two_axes(queue, recipe, data):
    expected, x = recipe.pair(queue)
    if x.ndim:
        axes = [data.draw(st.integers(-x.ndim, x.ndim - 1)) for _ in range(2)]
        assert_view(usm.swapaxes(x, *axes), x, np.swapaxes(expected, *axes))
    if x.ndim >= 2:
        assert_view(usm.matrix_transpose(x), x, np.matrix_transpose(expected))


@examples(50)
@given(recipe=recipes(), data=st.data())
def test_unstack(queue, recipe, data):
    expected, x = recipe.pair(queue)
    if x.ndim == 0:
        with pytest.raises(AxisError):
            usm.unstack(x)
        return
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    parts = usm.unstack(x, axis=axis)
    assert type(parts) is tuple
    assert len(parts) == x.shape[axis]
    for part, part_expected in zip(parts, np.unstack(expected, axis=axis), strict=True):
        assert_view(part, x, np.asarray(part_expected))


@examples(100)
@given(recipe=recipes(), data=st.data())
def test_broadcast_to(queue, recipe, data):
    expected, x = recipe.pair(queue)
    shape = tuple(
        data.draw(st.integers(0, 3)) if extent == 1 else extent for extent in expected.shape
    )
    shape = (*data.draw(shapes(2, 3)), *shape)
    y = usm.broadcast_to(x, shape)
    assert_same(y, np.broadcast_to(expected, shape))
    assert y.usm_data is x.usm_data
    assert not y.flags.writable


@pytest.mark.parametrize("shape", [(2**40, 2**40), (2**62, 2), (2**61, 3), (2**60, 0)])
def test_broadcast_to_more_elements_than_can_be(queue, shape):
    x = usm.ones(1, dtype="i1", sycl_queue=queue)
    with pytest.raises(ValueError, match="fit in memory"):
        usm.broadcast_to(x, shape if shape[1] else (*shape, 2**40))
    with pytest.raises(ValueError, match="fit in memory"):
        usm.broadcast_arrays(usm.broadcast_to(x, (2**40, 1)), usm.broadcast_to(x, 2**40))


@examples(100)
@given(given_shapes=st.lists(shapes(3, 2), max_size=4))
def test_broadcast_shapes(given_shapes):
    try:
        expected = np.broadcast_shapes(*given_shapes)
    except ValueError:
        with pytest.raises(ValueError, match="broadcast_shapes"):
            usm.broadcast_shapes(*given_shapes)
    else:
        assert usm.broadcast_shapes(*given_shapes) == expected


@examples(50)
@given(given_shapes=st.lists(shapes(3, 2), max_size=4))
def test_broadcast_arrays(queue, given_shapes):
    hosts = [numbered(shape, "i4") for shape in given_shapes]
    arrays = [usm.asarray(host, sycl_queue=queue) for host in hosts]
    try:
        expected = np.broadcast_arrays(*hosts)
    except ValueError:
        with pytest.raises(ValueError, match="broadcast_arrays"):
            usm.broadcast_arrays(*arrays)
        return
    found = usm.broadcast_arrays(*arrays)
    assert type(found) is tuple
    for y, x, one in zip(found, arrays, expected, strict=True):
        assert_same(y, one)
        assert y.usm_data is x.usm_data
        assert y.flags.writable == (x.shape == y.shape)


def test_views_of_read_only_arrays(x):
    x.flags.writable = False
    for y in (
        usm.flip(x),
        usm.expand_dims(x, axis=0),
        usm.squeeze(x),
        usm.swapaxes(x, 0, 1),
        usm.moveaxis(x, 0, 1),
        usm.matrix_transpose(x),
        *usm.unstack(x),
        *usm.broadcast_arrays(x),
    ):
        assert not y.flags.writable


# Joining


@st.composite
def joinable(draw, queue, vary):
    """(NumPy arrays, their copies on the device, axis): equal shapes; with `vary`, except on the
    axis."""
    shape = draw(shapes(3, 3, min_dims=1))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    dtype = draw(st.none() | dtypes())
    hosts = []
    for _ in range(draw(st.integers(1, 4))):
        extents = list(shape)
        if vary:
            extents[axis] = draw(st.integers(0, 3))
        own = draw(dtypes()) if dtype is None else dtype
        hosts.append(numbered(extents, own, draw(st.sampled_from("CF"))))
    return hosts, [usm.asarray(host, sycl_queue=queue) for host in hosts], axis


def promoted(hosts, arrays):
    """NumPy's arrays in the promoted type of the device."""
    dtype = usm.result_type(*arrays)
    return [host.astype(dtype) for host in hosts]


@examples(100)
@given(data=st.data())
def test_concat(queue, data):
    hosts, arrays, axis = data.draw(joinable(queue, True))
    expected = np.concatenate(promoted(hosts, arrays), axis)
    assert_same(usm.concat(arrays, axis=axis), expected)
    assert_same(usm.concat(tuple(arrays), axis=None), np.concatenate(promoted(hosts, arrays), None))


@examples(100)
@given(data=st.data())
def test_stack(queue, data):
    hosts, arrays, axis = data.draw(joinable(queue, False))
    assert_same(usm.stack(arrays, axis=axis), np.stack(promoted(hosts, arrays), axis))
    last = usm.stack(arrays, axis=len(hosts[0].shape))
    assert_same(last, np.stack(promoted(hosts, arrays), -1))


CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")


@examples(100)
@given(data=st.data(), dtype=dtypes("fc"), casting=st.sampled_from(CASTINGS))
def test_joined_in_a_type_or_an_array(queue, data, dtype, casting):
    hosts, arrays, axis = data.draw(joinable(queue, True))
    for name, along in (("concat", axis), ("concat", None), ("stack", axis)):
        if name == "stack" and len({x.shape for x in hosts}) > 1:
            continue
        join, keywords = getattr(usm, name), {"axis": along, "casting": casting}
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of imaginary parts
                expected = getattr(np, name)(hosts, dtype=dtype, **keywords)
        except TypeError:
            with pytest.raises(TypeError, match=f"{name}: cannot cast from .* by the rule"):
                join(arrays, dtype=dtype, **keywords)
            continue
        assert_same(join(arrays, dtype=dtype, **keywords), expected)
        out = usm.empty(expected.shape, dtype=dtype, sycl_queue=queue)
        assert join(arrays, out=out, **keywords) is out
        assert_same(out, expected)
        with pytest.raises(ValueError, match=f"{name}: out has"):
            join(arrays, out=usm.empty(99, dtype=dtype, sycl_queue=queue), **keywords)
        with pytest.raises(TypeError, match=f"{name}: out and dtype are given"):
            join(arrays, out=out, dtype=dtype, **keywords)


def test_wrong_casting(x):
    for join in (usm.concat, usm.stack, usm.vstack, usm.hstack):
        with pytest.raises(ValueError, match=f"{join.__name__}: .*casting is 'some'; expected"):
            join([x, x], casting="some")
        with pytest.raises(TypeError, match=f"{join.__name__}: .*cannot cast from int32 to int8"):
            join([x, x], dtype="i1", casting="safe")
        assert join([x, x], dtype="i1").dtype == "i1"
    with pytest.raises(TypeError, match="cannot cast from int32 to int64 by the rule 'no'"):
        usm.concat([x[0], usm.ones(3, dtype="i8", sycl_queue=x.sycl_queue)], casting="no")


@examples(150)
@given(data=st.data())
def test_shared_memory(queue, data):
    """As NumPy of arrays with equal distances: of some slices of one array."""
    host = np.zeros((6, 7), "i4")
    x = usm.asarray(host, sycl_queue=queue)

    def key():
        step = st.integers(-3, 3).filter(bool)
        part = st.builds(slice, st.integers(0, 7), st.integers(0, 7), step)
        return (*(data.draw(st.one_of(part, st.integers(0, 5))) for _ in range(2)), ...)

    one, other = key(), key()
    for name in ("shares_memory", "may_share_memory"):
        expected = getattr(np, name)(host[one], host[other])
        assert getattr(usm, name)(x[one], x[other]) is expected
    assert usm.shares_memory(x, x[1:2]) and not usm.shares_memory(x, usm.copy(x))
    assert not usm.may_share_memory(x, host)


def test_bad_operands_of_shared_memory(x):
    for name in ("shares_memory", "may_share_memory"):
        function = getattr(usm, name)
        with pytest.raises(TypeError, match=f"{name}: b is of type list"):
            function(x, [1])
        with pytest.raises(ValueError, match=f"{name}: max_work is -2"):
            function(x, x, max_work=-2)
        with pytest.raises(TypeError, match=f"{name}: max_work"):
            function(x, x, max_work=1.5)
        with pytest.raises(ValueError, match=f"{name}: a has 65 dimensions"):
            function(usm.reshape(x[0, 0], (1,) * 65), x)
    strided = usm.zeros((40, 41, 43), dtype="u1", sycl_queue=x.sycl_queue)
    with pytest.raises(np.exceptions.TooHardError):
        usm.shares_memory(strided[::3, ::5, ::7], strided[1::4, 1::6, 1::5], max_work=1)


def test_stack_and_concat_of_no_dimensions(queue):
    x = usm.asarray(3, dtype="i4", sycl_queue=queue)
    assert_same(usm.stack([x, x]), np.array([3, 3], "i4"))
    assert_same(usm.concat([x, x], axis=None), np.array([3, 3], "i4"))
    with pytest.raises(AxisError):
        usm.concat([x, x])


def test_views_are_joined(x):
    host = np.arange(6, dtype="i4").reshape(2, 3)
    assert_same(usm.concat([x[:, ::-1], x]), np.concatenate([host[:, ::-1], host]))
    y = usm.concat([x])
    assert_same(y, host)
    assert not shares_memory(x, y)


@pytest.mark.parametrize("join", [usm.concat, usm.stack])
def test_kind_and_queue_of_joined_arrays(device, queue, join):
    kinds = [
        kind
        for kind in ("host", "shared", "device")
        if getattr(device, f"has_aspect_usm_{kind}_allocations")
    ]
    other = in_order_queue(device)
    arrays = [usm.ones(2, dtype="i4", usm_type=kind, sycl_queue=queue) for kind in kinds]
    for count in range(1, len(kinds) + 1):
        assert join(arrays[:count]).usm_type == kinds[count - 1]
        assert join(arrays[:count][::-1]).usm_type == kinds[count - 1]
    mixed = [usm.ones(2, dtype="i4", sycl_queue=other), *arrays]
    assert join(mixed).sycl_queue == other
    assert join(mixed[::-1]).sycl_queue == queue
    assert usm.asnumpy(join(mixed)).sum() == 2 * len(mixed)


@pytest.mark.parametrize("join", [usm.concat, usm.stack])
def test_arrays_of_other_contexts_are_not_joined(device, queue, join):
    other = usm.ones(2, dtype="i4", sycl_queue=other_context_queue(device))
    with pytest.raises(usm.ExecutionPlacementError, match=join.__name__):
        join([usm.ones(2, dtype="i4", sycl_queue=queue), other])


# Repeating and moving


@examples(100)
@given(recipe=recipes(), times=st.integers(0, 3), data=st.data())
def test_repeat(queue, recipe, times, data):
    expected, x = recipe.pair(queue)
    axis = data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1)) if x.ndim else None
    extent = x.size if axis is None else x.shape[axis]
    y = usm.repeat(x, times, axis=axis)
    assert_same(y, np.repeat(expected, times, axis))
    assert y.usm_type == x.usm_type
    assert_same(usm.repeat(x, [times], axis=axis), np.repeat(expected, [times], axis))
    counts = np.array(
        data.draw(st.lists(st.integers(0, 3), min_size=extent, max_size=extent)),
        data.draw(st.sampled_from(["i1", "u1", "i4", "i8", "u8"])),
    )
    # NumPy refuses unsigned 64-bit numbers.
    result = np.repeat(expected, counts.astype("i8"), axis)
    assert_same(usm.repeat(x, usm.asarray(counts, sycl_queue=queue), axis=axis), result)
    assert_same(usm.repeat(x, counts.tolist(), axis=axis), result)
    kept = counts > 0
    result = np.repeat(expected, kept, axis)
    assert_same(usm.repeat(x, usm.asarray(kept, sycl_queue=queue), axis=axis), result)


@pytest.mark.parametrize("dtype", ["u1", "i2", "f4", "f8", "c16"])
def test_repeat_many(queue, dtype):
    """Runs of none to a few and some long ones, in sizes that the device divides."""
    random = np.random.default_rng(7)
    x = random.integers(0, 99, 60_000).astype(dtype)
    counts = random.integers(0, 6, x.size)
    counts[[0, 1000, -1]] = 0, 70_000, 9
    expected, numbers = np.repeat(x, counts), usm.asarray(counts, sycl_queue=queue)
    y = usm.asarray(x, sycl_queue=queue)
    assert_same(usm.repeat(y, numbers), expected)
    assert_same(usm.repeat(y[::-1], numbers), np.repeat(x[::-1], counts))
    rows = usm.reshape(y, (3, -1))
    assert_same(
        usm.repeat(rows, numbers[:20_000], axis=1), np.repeat(x.reshape(3, -1), counts[:20_000], 1)
    )
    assert usm.repeat(y, usm.zeros_like(numbers)).shape == (0,)
    many = usm.asarray([2**40, 2**40], sycl_queue=queue)
    assert usm.repeat(usm.zeros((2, 0), sycl_queue=queue), many, axis=0).shape == (2**41, 0)


@examples(100)
@given(recipe=recipes(max_dims=3), times=st.lists(st.integers(0, 3), max_size=4))
def test_tile(queue, recipe, times):
    expected, x = recipe.pair(queue)
    assert_same(usm.tile(x, tuple(times)), np.tile(expected, times))
    assert not shares_memory(usm.tile(x, ()), x)
    assert_same(usm.tile(x, 2), np.tile(expected, 2))


@examples(100)
@given(recipe=recipes(), data=st.data())
def test_roll(queue, recipe, data):
    expected, x = recipe.pair(queue)
    shifts = st.integers(-7, 7) | st.sampled_from([2**40, -(2**62), 2**70])
    shift = data.draw(shifts)
    rolled = np.roll(expected, shift % max(expected.size, 1))
    assert_same(usm.roll(x, shift), rolled)
    assert_same(usm.roll(x, (shift, -2, 1)), np.roll(rolled, -1 % max(expected.size, 1)))
    if x.ndim:
        count = data.draw(st.integers(1, 3))
        by = tuple(data.draw(st.integers(-7, 7)) for _ in range(count))
        axes = tuple(data.draw(st.integers(-x.ndim, x.ndim - 1)) for _ in range(count))
        assert_same(usm.roll(x, by, axis=axes), np.roll(expected, by, axes))
        assert_same(usm.roll(x, by[0], axis=axes), np.roll(expected, by[0], axes))
        assert_same(usm.roll(x, by[0], axis=axes[0]), np.roll(expected, by[0], axes[0]))


def test_results_keep_kind_and_queue(usm_kind, device):
    queue = in_order_queue(device)
    x = usm.ones((2, 3), dtype="i4", usm_type=usm_kind, sycl_queue=queue)
    for y in (
        usm.repeat(x, 2),
        usm.repeat(x, [1, 2], axis=0),
        usm.tile(x, (2, 1)),
        usm.roll(x, 1),
        usm.concat([x, x]),
        usm.stack([x, x]),
    ):
        assert y.usm_type == usm_kind
        assert y.sycl_queue == queue
        assert y.flags.writable


# Bad input

BAD = [
    (usm.expand_dims, (), {"axis": 3}, AxisError),
    (usm.expand_dims, (), {"axis": -4}, AxisError),
    (usm.expand_dims, (), {"axis": (0, 0)}, ValueError),
    (usm.expand_dims, (), {"axis": (0, -4)}, ValueError),
    (usm.expand_dims, (), {"axis": 1.5}, TypeError),
    (usm.expand_dims, (), {"axis": None}, TypeError),
    (usm.squeeze, (), {"axis": 0}, ValueError),
    (usm.squeeze, (), {"axis": 2}, AxisError),
    (usm.squeeze, (), {"axis": "a"}, TypeError),
    (usm.broadcast_to, ((2,),), {}, ValueError),
    (usm.broadcast_to, ((2, 4),), {}, ValueError),
    (usm.broadcast_to, ((),), {}, ValueError),
    (usm.broadcast_to, ((0, 3),), {}, ValueError),
    (usm.broadcast_to, ((-1, 3),), {}, ValueError),
    (usm.broadcast_to, (2.5,), {}, TypeError),
    (usm.flip, (), {"axis": 2}, AxisError),
    (usm.flip, (), {"axis": (0, 0)}, ValueError),
    (usm.flip, (), {"axis": 1.5}, TypeError),
    (usm.moveaxis, (0, 2), {}, AxisError),
    (usm.moveaxis, ((0, 1), 0), {}, ValueError),
    (usm.moveaxis, ((0, 0), (0, 1)), {}, ValueError),
    (usm.moveaxis, (0, "a"), {}, TypeError),
    (usm.swapaxes, (0, 2), {}, AxisError),
    (usm.swapaxes, (0, 1.5), {}, TypeError),
    (usm.swapaxes, (0, 2**70), {}, AxisError),
    (usm.unstack, (), {"axis": 2}, AxisError),
    (usm.unstack, (), {"axis": None}, TypeError),
    (usm.repeat, (-1,), {}, ValueError),
    (usm.repeat, (1.5,), {}, TypeError),
    (usm.repeat, ("a",), {}, TypeError),
    (usm.repeat, (True,), {}, TypeError),
    (usm.repeat, ([1, 2],), {}, ValueError),
    (usm.repeat, ([1, -2],), {"axis": 0}, ValueError),
    (usm.repeat, ([1.5, 2],), {"axis": 0}, TypeError),
    (usm.repeat, ([[1, 2]],), {"axis": 0}, TypeError),
    (usm.repeat, (2,), {"axis": 2}, AxisError),
    (usm.repeat, (2,), {"axis": (0,)}, TypeError),
    (usm.tile, (-1,), {}, ValueError),
    (usm.tile, (1.5,), {}, TypeError),
    (usm.tile, (None,), {}, TypeError),
    (usm.roll, (1.5,), {}, TypeError),
    (usm.roll, (1,), {"axis": 2}, AxisError),
    (usm.roll, ((1, 2, 3),), {"axis": (0, 1)}, ValueError),
]


@pytest.mark.parametrize(
    ("function", "arguments", "keywords", "error"),
    [pytest.param(*row, id=f"{row[0].__name__} {row[1]} {row[2]}") for row in BAD],
)
def test_bad_arguments(x, function, arguments, keywords, error):
    with pytest.raises(error, match=function.__name__):
        function(x, *arguments, **keywords)


@pytest.mark.parametrize(
    ("shapes", "axis", "error"),
    [
        ([], 0, ValueError),
        ([(2,), (2, 3)], 0, ValueError),
        ([(2, 3), (2, 4)], 0, ValueError),
        ([(2, 3), (3, 3)], 2, AxisError),
        ([(2, 3), (2, 3)], 1.5, TypeError),
        ([(2, 3), (2, 3)], -4, AxisError),
    ],
    ids=str,
)
def test_arrays_that_do_not_join(queue, shapes, axis, error):
    arrays = [usm.zeros(shape, dtype="i4", sycl_queue=queue) for shape in shapes]
    for join in (usm.concat, usm.stack):
        if join is usm.concat or axis != 2:
            with pytest.raises(error, match=join.__name__):
                join(arrays, axis=axis)


@pytest.mark.parametrize("junk", [3, None, "ab", [1, 2], np.ones(2)], ids=repr)
def test_only_arrays(x, junk):
    for function in (usm.concat, usm.stack):
        with pytest.raises((TypeError, ValueError)):
            function(junk)
        with pytest.raises(TypeError):
            function([junk, junk])
        if not isinstance(junk, np.ndarray | list):  # which are copied beside x
            with pytest.raises(TypeError):
                function([x, junk])
    with pytest.raises(TypeError):
        usm.stack(x)
    for function, *arguments in (
        (usm.flip,),
        (usm.squeeze,),
        (usm.expand_dims, 0),
        (usm.broadcast_to, (2,)),
        (usm.broadcast_arrays,),
        (usm.moveaxis, 0, 0),
        (usm.swapaxes, 0, 0),
        (usm.matrix_transpose,),
        (usm.unstack,),
        (usm.repeat, 2),
        (usm.tile, 2),
        (usm.roll, 1),
    ):
        with pytest.raises(TypeError, match=function.__name__):
            function(junk, *arguments)


class Foreign:
    """An array of another library."""

    def __init__(self, x):
        self.x = x

    @property
    def __sycl_usm_array_interface__(self):
        return self.x.__sycl_usm_array_interface__


def test_arrays_of_other_libraries(x):
    host = usm.asnumpy(x)
    foreign = Foreign(x)
    assert_same(usm.flip(foreign), np.flip(host))
    assert_same(usm.concat([foreign, x]), np.concatenate([host, host]))
    assert_same(usm.stack([x, foreign]), np.stack([host, host]))
    assert_same(usm.roll(foreign, 1), np.roll(host, 1))
    assert_same(usm.broadcast_arrays(foreign, x[0])[0], host)
    assert_same(usm.broadcast_arrays(x[:, None], foreign)[1], np.stack([host, host]))
    assert_same(usm.meshgrid(Foreign(x[0]))[0], host[0])
    assert_same(usm.tril(foreign), np.tril(host))


def test_matrix_transpose_of_vectors(x):
    with pytest.raises(ValueError, match="dimensions"):
        usm.matrix_transpose(x[0])


@pytest.mark.parametrize("shapes", [((2,), (3,)), ((2, -1),), (("a",),), (1.5,)], ids=str)
def test_bad_shapes(shapes):
    with pytest.raises((TypeError, ValueError)):
        usm.broadcast_shapes(*shapes)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: usm.repeat(x, 2**62),
        lambda x: usm.repeat(x, 2**63),
        lambda x: usm.repeat(x[:1, :1], 2**63),
        lambda x: usm.repeat(x, [2**62, 2**62], axis=0),
        lambda x: usm.repeat(x, usm.full(2, 2**63, dtype="u8"), axis=0),
        lambda x: usm.tile(x, 2**62),
        lambda x: usm.tile(x, 2**70),
        lambda x: usm.tile(x, (2**32, 2**32)),
        lambda x: usm.broadcast_to(x[0, 0], (2**40, 2**40)),
        lambda x: usm.broadcast_arrays(
            usm.broadcast_to(x[:1, :1], (2**33, 1)), usm.broadcast_to(x[:1, :1], (1, 2**33))
        ),
        lambda x: usm.roll(usm.broadcast_to(x[0, 0], (2**29, 2**30)), 1),
        lambda x: usm.concat([usm.broadcast_to(x[0, 0], (2**58,))] * 2),
        lambda x: usm.stack([usm.broadcast_to(x[0, 0], (2**58,))] * 2),
    ],
)
def test_results_larger_than_memory(x, call):
    with pytest.raises((ValueError, MemoryError), match=r"memory|allocate"):
        call(x)


def test_views_larger_than_memory(x):
    """They cost nothing, and single elements can be read."""
    y = usm.broadcast_to(x[0, 1], (2**29, 2**30))
    assert usm.flip(y).size == 2**59
    assert usm.reshape(y, -1).shape == (2**59,)
    assert usm.permute_dims(y, (1, 0))[5, -1].item() == 1
    assert usm.take(y[0], usm.asarray([-1, 7], sycl_queue=x.sycl_queue)).tolist() == [1, 1]
    assert y[[3, -1], [2**30 - 1, 0]].tolist() == [1, 1]
    assert "1, 1, 1, ..., 1, 1, 1" in str(repr(y))
