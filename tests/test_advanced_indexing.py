"""Indexing by arrays and masks: x[ind], take and put, nonzero, extract, place."""

import numpy as np
import pytest
from checks import assert_same, name_of
from hypothesis import assume, given
from hypothesis import strategies as st
from placement import PLACES, in_order_queue, other_context_queue
from strategies import dtypes, examples, numbered, recipes, skip_without

import usmtensor as usm
from usmtensor import _hooks

INTEGERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]


@pytest.fixture
def x(queue):
    """Two rows of three, 0 to 5."""
    return usm.asarray(np.arange(6, dtype="i4").reshape(2, 3), sycl_queue=queue)


@pytest.fixture(params=["of the device", "of other devices"], autouse=True)
def kernels(request):
    """The variants for CPUs and for other devices."""
    if request.param == "of other devices":
        _hooks.force_device_class(2)
    yield
    _hooks.force_device_class(0)


# Keys


@st.composite
def keys(draw, shape):
    """Keys with at least one array, which NumPy accepts."""
    axes = list(shape)
    common = tuple(draw(st.lists(st.integers(0, 3), max_size=2)))
    key = []
    found = False
    while axes or not found:
        kind = draw(st.sampled_from(["slice", "integer", "array", "mask", "none", "flag"]))
        if kind == "none":
            key.append(None)
        elif kind == "flag":
            key.append(draw(st.sampled_from([True, np.False_, np.array(True)])))
            found = True
        elif not axes:
            assume(found)
        elif kind == "mask":
            count = draw(st.integers(1, min(len(axes), 2)))
            extents, axes = axes[:count], axes[count:]
            size = int(np.prod(extents))
            bits = draw(st.lists(st.booleans(), min_size=size, max_size=size))
            key.append(np.array(bits, bool).reshape(extents))
            found = True
        else:
            n = axes.pop(0)
            if kind == "slice":
                key.append(slice(*draw(st.tuples(*[st.none() | st.integers(-4, 4)] * 2))))
            elif kind == "integer":
                assume(n)
                key.append(draw(st.integers(-n, n - 1)))
            else:
                kept = common[draw(st.integers(0, len(common))) :]
                kept = tuple(draw(st.sampled_from([1, side])) for side in kept)
                size = int(np.prod(kept))
                assume(n or not size)
                dtype = draw(st.sampled_from(INTEGERS))
                low = 0 if dtype[0] == "u" else -n
                values = st.integers(low, max(n - 1, low))
                values = draw(st.lists(values, min_size=size, max_size=size))
                key.append(np.array(values, dtype).reshape(kept))
                found = True
        if len(key) > 6:
            break
    if draw(st.booleans()) or axes:
        last = len(key) if axes else draw(st.integers(0, len(key)))
        key.insert(last, Ellipsis)
    assume(found)
    return tuple(key)


def given_as(draw, key, queue):
    """The key, with some of its arrays as lists or as arrays of the device."""
    entries = []
    for entry in key:
        how = draw(st.sampled_from(["usm", "usm", "numpy", "list"]))
        if not isinstance(entry, np.ndarray) or how == "numpy":
            entries.append(entry)
        elif how == "list" and entry.ndim and entry.size and entry.dtype != bool:
            entries.append(entry.tolist())
        else:
            entries.append(usm.asarray(entry, sycl_queue=queue))
    return entries[0] if len(entries) == 1 and draw(st.booleans()) else tuple(entries)


@pytest.mark.sanitized
@examples(300)
@given(recipe=recipes(max_steps=2), data=st.data())
def test_get(queue, recipe, data):
    base, y = recipe.pair(queue)
    key = data.draw(keys(base.shape))
    try:
        expected = base[key]
    except IndexError:
        with pytest.raises(IndexError):
            y[given_as(data.draw, key, queue)]
        return
    found = y[given_as(data.draw, key, queue)]
    assert_same(found, np.asarray(expected))
    assert found.sycl_queue == queue


@pytest.mark.sanitized
@examples(300)
@given(recipe=recipes(broadcast=False, max_steps=2), dtype=dtypes(), data=st.data())
def test_set(queue, recipe, dtype, data):
    base = recipe.base()
    x = usm.asarray(base, sycl_queue=queue)
    target, y = recipe.of_numpy(base), recipe.of_usm(x)
    key = data.draw(keys(target.shape))
    try:
        shape = np.asarray(target[key]).shape
    except IndexError:
        before = base.copy()
        with pytest.raises(IndexError):
            y[given_as(data.draw, key, queue)] = 1
        assert_same(x, before)
        return
    kept = data.draw(st.integers(0, len(shape)))
    sides = [data.draw(st.sampled_from([1, side])) for side in shape[len(shape) - kept :]]
    value = numbered(tuple(sides), dtype)
    with np.errstate(all="ignore"):
        target[key] = value.real if value.dtype.kind == "c" and base.dtype.kind != "c" else value
    how = data.draw(st.sampled_from(["usm", "numpy"]))
    y[given_as(data.draw, key, queue)] = (
        usm.asarray(value, sycl_queue=queue) if how == "usm" else value
    )
    assert_same(x, base)


@pytest.mark.parametrize("value", [7, 2.5, True, np.int8(3), np.array(9)])
def test_set_from_scalars(x, value):
    expected = usm.asnumpy(x)
    for key in ([0], expected > 3, (slice(None), np.array([0, -1]))):
        expected[key] = value
        x[key] = value
        x[usm.asarray(key, sycl_queue=x.sycl_queue) if isinstance(key, np.ndarray) else key] = value
        assert_same(x, expected)


@pytest.mark.parametrize("size", [7, 5_000, 70_000])
@pytest.mark.parametrize("dtype", ["i1", "i2", "f4", "i8", "c8"])
def test_many(queue, size, dtype):
    """More elements than one work-item's share, and repeated places: the last value stays."""
    rng = np.random.default_rng(size)
    base = rng.integers(0, 100, size).astype(dtype)
    index = rng.integers(-size, size, 3 * size)
    index[::3] = rng.integers(0, 5, size)
    y, ind = (usm.asarray(a, sycl_queue=queue) for a in (base, index))
    assert_same(y[ind], base[index])
    values = rng.integers(0, 100, index.size).astype(dtype)
    base[index] = values
    y[ind] = usm.asarray(values, sycl_queue=queue)
    assert_same(y, base)
    for some in (0, 0.001, 0.5, 0.999, 1):
        mask = rng.random(size) < some
        flags = usm.asarray(mask, sycl_queue=queue)
        assert_same(y[flags], base[mask])
        assert_same(y[::-1][flags], base[::-1][mask])
        assert_same(usm.nonzero(flags)[0], np.nonzero(mask)[0])
        values = rng.integers(0, 100, mask.sum()).astype(dtype)
        base[mask] = values
        y[flags] = values
        assert_same(y, base)


@pytest.mark.parametrize("count", [1, 2, 3, 15, 16, 40])
@pytest.mark.parametrize("rows", [2, 127, 129, 1000, 50_000])
def test_columns_in_another_order(queue, rows, count):
    random = np.random.default_rng(rows + count)
    values = random.integers(0, 1 << 30, (2, rows, 5), "i4")
    index = random.integers(-5, 5, count)
    x, columns = (usm.asarray(y, sycl_queue=queue) for y in (values, index))
    assert_same(x[..., columns], values[..., index])
    assert_same(x[0][:, columns], values[0][:, index])
    assert_same(x[:, ::-2, ::-1][..., columns % 3], values[:, ::-2, ::-1][..., index % 3])
    assert_same(usm.take(x[1], columns, axis=1, mode="wrap"), values[1][:, index])
    pairs = values[:, :, :2]
    assert_same(x[:, :, :2][..., columns % 2], pairs[..., index % 2])


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_repeated_rows(queue, axis):
    base = numbered((40, 50, 60), "i4")
    y = usm.asarray(base, sycl_queue=queue)
    index = np.random.default_rng(1).integers(0, 40, (7, 30))
    key = (slice(None),) * axis + (index,)
    values = np.arange(base[key].size, dtype="i4").reshape(base[key].shape)
    base[key] = values
    y[(slice(None),) * axis + (usm.asarray(index, sycl_queue=queue),)] = values
    assert_same(y, base)


@pytest.mark.parametrize("dtype", ["u1", "i2", "f4", "f8", "c16"])
def test_short_rows(queue, dtype):
    """They move as fewer, larger elements where strides and addresses allow that."""
    random = np.random.default_rng(3)
    base = random.integers(0, 100, (50, 40)).astype(dtype)
    index = random.integers(-50, 50, 90)
    y, places = (usm.asarray(a, sycl_queue=queue) for a in (base, index))
    for columns in (1, 2, 3, 4, 5, 6, 8, 12, 16, 17):
        parts = [np.s_[first : first + columns] for first in (0, 1, 4, 40 - columns)]
        for part in (*parts, np.s_[2 * columns - 1 : columns - 1 : -1]):
            key = np.s_[:: 1 if part.start else -1, part]
            assert_same(y[key][places], base[key][index])
            assert_same(usm.take(y[key], places, axis=0, mode="clip"),
                        base[key].take(index, axis=0, mode="clip"))  # fmt: skip
            values = random.integers(0, 100, (90, columns)).astype(dtype)
            base[key][index] = values
            y[key][places] = values
            assert_same(y, base)
        cube, out = base[:, :columns].reshape(5, 10, -1), np.zeros((5, 7, columns + 1), dtype)
        z, to = (usm.asarray(a, sycl_queue=queue) for a in (cube, out))
        out[..., 1:] = cube[:, index[:7] % 10]
        to[..., 1:] = z[:, places[:7] % 10]
        usm.take(z, places[:7] % 10, axis=1, out=to[..., 1:])
        assert_same(to, out)


def test_the_result_is_a_copy(x):
    y = x[[0, 1]]
    y[...] = 9
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_operands_may_overlap(queue):
    y = usm.arange(6, sycl_queue=queue)
    y[usm.asarray([1, 2, 3, 4, 5], sycl_queue=queue)] = y[:-1]
    assert y.tolist() == [0, 0, 1, 2, 3, 4]
    y[y] = y[::-1]
    expected = np.array([0, 0, 1, 2, 3, 4])
    expected[expected.copy()] = expected[::-1].copy()
    assert_same(y, expected)
    base = np.random.default_rng(2).integers(0, 4, (4, 4, 4))
    z = usm.asarray(base, sycl_queue=queue)
    for key in (lambda a: (slice(None), a[0]), lambda a: (a[1], slice(None), a[2, ::-1])):
        z[key(z)] = z[0, 0]
        base[key(base.copy())] = base[0, 0].copy()
        assert_same(z, base)
    flags = usm.asarray([True, False, True], sycl_queue=queue)
    flags[flags] = flags[::-1][:2]
    assert flags.tolist() == [True, False, False]
    usm.put(y, y, y)
    out = usm.zeros(3, dtype="f4", sycl_queue=queue)
    assert usm.take(y, usm.asarray([3, 2, 1], sycl_queue=queue), out=out) is out
    assert_same(out, usm.asnumpy(y)[[3, 2, 1]].astype("f4"))
    usm.take(y, usm.asarray([3, 2, 1, 0, 0, 0], sycl_queue=queue), out=y)
    usm.take(y, y, out=y)


def test_in_place_operations_come_as_get_and_set(x):
    flags = usm.asarray([[True, False, True], [False, True, False]], sycl_queue=x.sycl_queue)
    x[flags] = x[flags][::-1]
    assert x.tolist() == [[4, 1, 2], [3, 0, 5]]


@st.composite
def lines(draw):
    """A line, with its step in memory; positions, of which one may be out of range; a mask."""
    n, step = draw(st.integers(1, 200)), draw(st.sampled_from([1, -1, 2, -3]))
    shape = draw(st.sampled_from([(), (1,), (5,), (70,), (2, 3), (0,)]))
    generator = np.random.default_rng(draw(st.integers(0, 9)))
    index = generator.integers(-n, n, shape)
    if index.size and draw(st.booleans()):
        index.flat[generator.integers(index.size)] = draw(st.sampled_from([n, -n - 1, 2**62]))
    return n, step, index, generator.random(n) < draw(st.sampled_from([0, 0.1, 1]))


@pytest.mark.sanitized
@given(lines(), dtypes(), st.sampled_from(["number", "one", "some", "view"]))
@examples(200)
def test_lines(queue, line, dtype, given_value):
    """Positions and masks of one dimension, which most programs have, get and set."""
    n, step, index, mask = line
    assume(index.shape or given_value != "view")  # NumPy wants no dimension there
    memory = numbered(n * abs(step), dtype)
    source = usm.asarray(memory, sycl_queue=queue)
    i, m = (usm.asarray(value, sycl_queue=queue) for value in (index, mask))
    for key, model_key in ((i, index), (m, mask)):
        model, x = memory.copy()[::step][:n], usm.copy(source)[::step][:n]
        value = usm_value = dtype.type(1)
        if given_value != "number":
            shape = {"one": (), "view": model.shape}.get(given_value, model_key.shape)
            value = np.ones(shape, dtype) if given_value != "view" else model[::-1]
            usm_value = usm.ones(shape, dtype=dtype, sycl_queue=queue)
            usm_value = usm_value if given_value != "view" else x[::-1]
        try:
            expected = model[model_key]
        except IndexError:
            with pytest.raises(IndexError):
                x[key]
        else:
            assert_same(x[key], expected)
            if model_key is index:
                assert_same(usm.take(x, key), expected)
                assert_same(usm.take(x, key, axis=-1), expected)
        try:
            model[model_key] = value.copy()
        except (IndexError, ValueError):
            with pytest.raises((IndexError, ValueError)):
                x[key] = usm_value
        else:
            x[key] = usm_value
        assert_same(x, model)


def test_an_axis_without_elements(queue):
    """Nothing is read beside it: the strides lead out of the memory."""
    x = usm.usm_ndarray((0,), "f4", strides=(2**40,), buffer_ctor_kwargs={"queue": queue})
    zero = usm.zeros(1, dtype="i8", sycl_queue=queue)
    for function in (lambda: x[zero], lambda: usm.take(x, zero), lambda: x.__setitem__(zero, 1)):
        with pytest.raises(IndexError):
            function()
    assert x[zero[:0]].shape == usm.take(x, zero[:0]).shape == (0,)
    y = usm.empty((3, 0), sycl_queue=queue)
    for dtype in ("i4", "i8"):
        inside, beyond = (usm.asarray(k, dtype=dtype, sycl_queue=queue) for k in ([2, -3], [0, 3]))
        assert y[inside].shape == usm.take(y, inside, axis=0).shape == (2, 0)
        with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 of size 3"):
            y[beyond]
    none = zero[:0]
    for key in ((none, usm.full_like(zero, 3)), (usm.full_like(zero, -4), none)):
        with pytest.raises(IndexError, match="out of bounds"):
            usm.zeros((3, 3), sycl_queue=queue)[key]
    assert usm.zeros((3, 3), sycl_queue=queue)[none, zero].shape == (0,)


def test_a_line_of_positions_sets_itself(queue):
    x = usm.asarray([3, 1, 0, 2], sycl_queue=queue)
    x[x] = x
    assert x.tolist() == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="read-only"):
        y = usm.asarray(x)
        y.flags["W"] = False
        y[x] = 1


@pytest.mark.parametrize("dtype", ["i1", "i4", "u4", "i8"])
@pytest.mark.parametrize("place", [0, 1023, 1024, 4999])
def test_one_position_out_of_range(queue, dtype, place):
    index = np.resize(np.arange(0 if dtype == "u4" else -100, 100, dtype=dtype), 5000)
    x = usm.arange(100, dtype="f4", sycl_queue=queue)
    found = x[usm.asarray(index, sycl_queue=queue)]
    np.testing.assert_array_equal(usm.asnumpy(found), np.arange(100, dtype="f4")[index])
    index[place] = 100
    ind = usm.asarray(index, sycl_queue=queue)
    for key in (ind, (ind[:, None], None), (slice(None), ind)):
        y = x if key is ind else usm.zeros((100, 100), sycl_queue=queue)
        with pytest.raises(IndexError, match=r"index 100 .*axis [01] .*100"):
            y[key]


@pytest.mark.parametrize("value", [2, -3, 100, 2**31, -(2**40), 2**63, 2**64 - 1])
@pytest.mark.parametrize("host", [True, False])
def test_out_of_range_changes_nothing(x, value, host):
    index = np.array([[0, 1], [value, 0]], "u8" if value >= 2**63 else "i8")
    ind = index if host else usm.asarray(index, sycl_queue=x.sycl_queue)
    for key in (ind, (ind, 0), (ind, slice(None), None), (ind, [0, 1])):
        with pytest.raises(IndexError, match=rf"{value} .*axis 0 .*2"):
            x[key]
        with pytest.raises(IndexError, match=rf"{value} .*axis 0 .*2"):
            x[key] = 9
    with pytest.raises(IndexError, match="axis 1"):
        x[:, [3]]
    for call in (
        lambda: usm.take(x, ind, axis=0, mode="raise"),
        lambda: usm.put(x, ind, 9, axis=0, mode="raise"),
    ):
        with pytest.raises(IndexError, match=str(value)):
            call()
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize(
    "key",
    [
        [0.5],
        np.zeros(2),
        [[0], [1, 2]],
        ["a"],
        [None],
        [[0, 1], [2]],
        ([0, 1], [0, 1, 2]),
        np.zeros(3, bool),
        np.zeros((2, 2), bool),
        np.zeros((2, 3, 1), bool),
        (slice(None), np.zeros(2, bool)),
        ([0], [0], [0]),
        (Ellipsis, [0], Ellipsis),
        ([0], 5),
        ([0], slice(None), None, 1),
        [object()],
    ],
    ids=name_of,
)
def test_bad_keys(x, key):
    with pytest.raises(IndexError):
        x[key]
    with pytest.raises(IndexError):
        x[key] = 9
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_bad_values(x):
    for value in ([1, 2, 3, 4], np.ones((2, 2)), usm.ones((4, 1, 3), sycl_queue=x.sycl_queue)):
        for key in ([0, 1, 0], np.ones((2, 3), bool), usm.ones((2, 3), dtype=bool)):
            with pytest.raises(ValueError):
                x[key] = value
    for value in ("a", None, object(), {}):
        with pytest.raises((TypeError, ValueError)):
            x[[0]] = value
    with pytest.raises(OverflowError):
        x[[0]] = 2**40
    x.flags.writable = False
    with pytest.raises(ValueError, match="read-only"):
        x[[0]] = 1
    for change in (
        lambda: usm.put(x, [0], 1, axis=0),
        lambda: usm.put_along_axis(x, usm.zeros((1, 3), dtype="i4"), 1, axis=0),
        lambda: usm.place(x, x, x[0]),
    ):
        with pytest.raises(ValueError, match="read-only"):
            change()
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_too_many_elements(queue):
    shapes = [(1,) * k + (1 << 16,) + (1,) * (3 - k) for k in range(4)]
    key = tuple(usm.zeros(shape, dtype="i8", sycl_queue=queue) for shape in shapes)
    x = usm.zeros((2, 2, 2, 2), sycl_queue=queue)
    with pytest.raises(IndexError, match="too many elements"):
        x[key]
    with pytest.raises(IndexError, match="too many elements"):
        x[key] = 1


def test_kind_under_masks(queue, usm_kind):
    x = usm.zeros(4, usm_type=usm_kind, sycl_queue=queue)
    for kind in ("device", "shared", "host"):
        mask = usm.ones(4, dtype="?", usm_type=kind, sycl_queue=queue)
        expected = min(kind, usm_kind, key=["device", "shared", "host"].index)
        assert x[mask].usm_type == x[:0][mask[:0]].usm_type == expected
        assert usm.ones((4, 4), usm_type=usm_kind, sycl_queue=queue)[
            mask, np.zeros(4, "i8")
        ].usm_type == expected  # fmt: skip


def test_a_single_bool_of_another_context(x, device):
    flag = usm.asarray(True, sycl_queue=other_context_queue(device))
    for key in (flag, (flag, usm.asarray([1], sycl_queue=x.sycl_queue))):
        with pytest.raises(usm.utils.ExecutionPlacementError):
            x[key]
        with pytest.raises(usm.utils.ExecutionPlacementError):
            x[key] = 1


@pytest.mark.parametrize("place", PLACES)
def test_index_arrays_of_another_place(x, device, place):
    ind = usm.asarray([1, 0], sycl_queue=PLACES[place](device))
    value = usm.asarray([[5, 5, 5], [6, 6, 6]], sycl_queue=ind.sycl_queue)
    if place in ("other context", "sub-device"):
        with pytest.raises(usm.utils.ExecutionPlacementError):
            x[ind]
        with pytest.raises(usm.utils.ExecutionPlacementError):
            x[ind] = 1
        x[[1, 0]] = value
    else:
        assert x[ind].tolist() == [[3, 4, 5], [0, 1, 2]]
        x[ind] = value
    assert x.tolist() == [[6, 6, 6], [5, 5, 5]]


def test_kinds(queue):
    y = usm.arange(5, sycl_queue=queue, usm_type="host")
    assert y[[0]].usm_type == "host"
    ind = usm.asarray([1], sycl_queue=queue, usm_type="shared")
    assert y[ind].usm_type == "shared"
    assert usm.take(y, ind).usm_type == "shared"
    assert y[usm.asarray(y, dtype=bool, usm_type="device")].usm_type == "device"


# take and put


def clamped(index, n, mode):
    """Positions within bounds, by Python's unbounded integers."""
    out = []
    for value in np.asarray(index).ravel().tolist():
        if mode == "wrap" and value < 0:
            value += n
        out.append(min(max(value, 0), n - 1))
    return np.array(out, "i8").reshape(np.shape(index))


@pytest.mark.sanitized
@examples(200)
@given(
    recipe=recipes(broadcast=False, max_steps=2),
    dtype=st.sampled_from(INTEGERS),
    mode=st.sampled_from(["wrap", "clip"]),
    data=st.data(),
)
def test_take_and_put(queue, recipe, dtype, mode, data):
    base = recipe.base()
    x = usm.asarray(base, sycl_queue=queue)
    target, y = recipe.of_numpy(base), recipe.of_usm(x)
    assume(target.ndim)
    axes = range(-target.ndim, target.ndim)
    axis = data.draw(st.sampled_from([None, *axes]))
    n = target.size if axis is None else target.shape[axis]
    info = np.iinfo(dtype)
    values = st.integers(max(info.min, -9), 9) | st.sampled_from([int(info.min), int(info.max)])
    shape = tuple(data.draw(st.lists(st.integers(0, 3), max_size=2)))
    size = int(np.prod(shape))
    index = np.array(data.draw(st.lists(values, min_size=size, max_size=size)), dtype)
    index = index.reshape(shape)
    ind = usm.asarray(index, sycl_queue=queue) if data.draw(st.booleans()) else index
    if n == 0 and size:
        with pytest.raises(IndexError):
            usm.take(y, ind, axis=axis, mode=mode)
        with pytest.raises(IndexError):
            usm.put(y, ind, 0, axis=axis, mode=mode)
        return
    places = clamped(index, n, mode)
    expected = np.take(target, places, axis=axis) if n else target.take(places, axis=axis)
    assert_same(usm.take(y, ind, axis=axis, mode=mode), expected)
    out = usm.zeros(expected.shape, dtype=expected.dtype, sycl_queue=queue)
    assert usm.take(y, ind, axis=axis, mode=mode, out=out) is out
    assert_same(out, expected)
    new = numbered(expected.shape, base.dtype)
    if axis is None:
        target[np.unravel_index(places, target.shape)] = new
    else:
        target[(slice(None),) * (axis % target.ndim) + (places,)] = new
    usm.put(y, ind, usm.asarray(new, sycl_queue=queue), axis=axis, mode=mode)
    assert_same(x, base)


@examples(60)
@given(data=st.data())
def test_put_repeats_values(queue, data):
    """Without an axis, as numpy.put."""
    host = numbered((2, 3), data.draw(dtypes()))
    shape = data.draw(st.sampled_from([(), (1,), (4,), (2, 2), (0,)]))
    index = np.array(data.draw(st.lists(st.integers(0, 5), min_size=4, max_size=4)))
    index = np.resize(index, shape)
    values = numbered((data.draw(st.integers(0, 6)),), host.dtype)
    for one in (values, usm.asarray(values, sycl_queue=queue)):
        x, expected = usm.asarray(host, sycl_queue=queue), host.copy()
        y, target = (x.T, expected.T) if data.draw(st.booleans()) else (x, expected)
        usm.put(y, index, one)
        np.put(target, index, values)
        assert_same(x, expected)


@pytest.mark.sanitized
@examples(200)
@given(
    recipe=recipes(broadcast=False, max_steps=2),
    dtype=st.sampled_from(INTEGERS),
    mode=st.sampled_from(["wrap", "clip", "raise"]),
    data=st.data(),
)
def test_along_axis(queue, recipe, dtype, mode, data):
    base = recipe.base()
    x = usm.asarray(base, sycl_queue=queue)
    target, y = recipe.of_numpy(base), recipe.of_usm(x)
    assume(target.ndim)
    axis = data.draw(st.integers(-target.ndim, target.ndim - 1))
    n = target.shape[axis]
    shape = [data.draw(st.sampled_from([1, side])) for side in target.shape]
    shape[axis] = data.draw(st.integers(0, 4)) if n else 0
    low = 0 if dtype[0] == "u" else -n
    values = (
        st.integers(low, max(n - 1, low)) if mode == "raise" else st.integers(min(low, -low), 9)
    )
    size = int(np.prod(shape))
    index = np.array(data.draw(st.lists(values, min_size=size, max_size=size)), dtype)
    index = index.reshape(shape)
    ind = usm.asarray(index, sycl_queue=queue)
    places = clamped(index, n, "wrap" if mode == "raise" else mode)
    expected = np.take_along_axis(target, places, axis)
    assert_same(usm.take_along_axis(y, ind, axis=axis, mode=mode), expected)
    new = numbered(expected.shape, base.dtype)
    whole = list(target.shape)
    whole[axis] = index.shape[axis]
    np.put_along_axis(target, np.broadcast_to(places, whole), new, axis)
    usm.put_along_axis(y, ind, new, axis=axis, mode=mode)
    assert_same(x, base)


@examples(60)
@given(recipes(broadcast=False, max_dims=3, max_side=4), st.lists(st.integers(-4, 3), max_size=5))
def test_along_the_flattened_array(queue, recipe, places):
    x, y = recipe.pair(queue)
    if x.size == 0:
        return
    places = np.asarray(places, "i8") % x.size
    ind = usm.asarray(places, sycl_queue=queue)
    assert_same(usm.take_along_axis(y, ind, axis=None), np.take_along_axis(x, places, None))
    x.flat[places] = 3  # NumPy's put_along_axis fails for F order
    usm.put_along_axis(y, ind, 3, None)
    assert_same(y, x)
    with pytest.raises(ValueError, match=r"take_along_axis: indices\.ndim is 2; expected 1"):
        usm.take_along_axis(y, ind[None], axis=None)


def test_put_along_axis_takes_the_keyword_of_numpy(queue):
    x = np.zeros((2, 3))
    y, ind = usm.asarray(x, sycl_queue=queue), np.array([[2], [0]])
    np.put_along_axis(x, ind, values=4, axis=1)
    usm.put_along_axis(y, usm.asarray(ind, sycl_queue=queue), values=4, axis=1)
    assert_same(y, x)


def test_defaults(queue):
    y = usm.asarray([5, 6, 7], sycl_queue=queue)
    ind = usm.asarray([-1, 9, -9], sycl_queue=queue)
    assert usm.take(y, ind).tolist() == [7, 7, 5]
    assert usm.take(y, ind, mode="clip").tolist() == [5, 7, 5]
    assert usm.take(y[0], ind).tolist() == [5, 5, 5]
    assert usm.take(y, 1).tolist() == 6
    assert usm.take_along_axis(y, ind).tolist() == [7, 7, 5]
    huge = usm.asarray([2**64 - 1, 2**63, 1], dtype="u8", sycl_queue=queue)
    assert usm.take(y, huge).tolist() == [7, 7, 6]
    assert usm.take_along_axis(y, huge, mode="clip").tolist() == [7, 7, 6]
    usm.put(y, ind, [1, 2, 3])
    assert y.tolist() == [3, 6, 2]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda x, i: usm.put(usm.broadcast_to(x, (2, *x.shape)), i, 0), ValueError),
        (lambda x, i: usm.put(x.T, i, [1, 2, 3, 4, 5], axis=0), ValueError),
        (lambda x, i: usm.put(x.T, x.size, 0, mode="raise"), IndexError),
        (lambda x, i: usm.take(x, i, axis=2), np.exceptions.AxisError),
        (lambda x, i: usm.take(x, i, axis=0, mode="bounce"), ValueError),
        (lambda x, i: usm.take(x, i, axis=0, mode=3), TypeError),
        (lambda x, i: usm.take(x, usm.astype(i, "f4"), axis=0), IndexError),
        (lambda x, i: usm.take(x, usm.astype(i, "?"), axis=0), IndexError),
        (lambda x, i: usm.take(usm.asnumpy(x), usm.asnumpy(i), axis=0), TypeError),
        (lambda x, i: usm.take([1, 2], i), TypeError),
        (lambda x, i: usm.take(x, i, axis=0, out=x[:1]), ValueError),
        (lambda x, i: usm.take(x, i, axis=0, out=usm.astype(x, "u1")), TypeError),
        (lambda x, i: usm.take(x, i, axis=0, out=usm.asnumpy(x)), TypeError),
        (lambda x, i: usm.take(x[:0], i, axis=0), IndexError),
        (lambda x, i: usm.put(x[:0], i, 1, axis=0), IndexError),
        (lambda x, i: usm.put(x, i, [1, 2], axis=0), ValueError),
        (lambda x, i: usm.take_along_axis(x, i), ValueError),
        (lambda x, i: usm.take_along_axis(x, x[:, None]), ValueError),
        (lambda x, i: usm.take_along_axis(x[0], x[0], axis=1), np.exceptions.AxisError),
        (lambda x, i: usm.take_along_axis(x[:, :0], x), IndexError),
        (lambda x, i: usm.put_along_axis(x[:1], x, 0), ValueError),
        (lambda x, i: usm.put_along_axis(x, x, [1, 2]), ValueError),
        (lambda x, i: usm.put_along_axis(x, x, 0, mode="raise"), IndexError),
        (lambda x, i: usm.extract(x[0], x), ValueError),
        (lambda x, i: usm.extract(x, 3), TypeError),
        (lambda x, i: usm.place(x, x[0], i), ValueError),
        (lambda x, i: usm.place(x, x, x), ValueError),
        (lambda x, i: usm.place(x, x, i[:0]), ValueError),
        (lambda x, i: usm.place(x, x, "3"), TypeError),
        (lambda x, i: usm.place(x, x, 2**40), OverflowError),
        (lambda x, i: usm.nonzero(x[0, 0]), ValueError),
        (lambda x, i: usm.nonzero([1]), TypeError),
    ],
)
def test_bad_calls(x, call, error):
    with pytest.raises(error):
        call(x, usm.asarray([1, 0], sycl_queue=x.sycl_queue))
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("mode", ["wrap", "clip"])
def test_take_and_put_do_not_wait(device, mode):
    queue = in_order_queue(device)
    y = usm.arange(1000, sycl_queue=queue)
    ind = usm.asarray([5, 3], dtype="u8", sycl_queue=queue)
    target, source = (usm.zeros(2**14, sycl_queue=queue, usm_type="host") for _ in range(2))
    usm.put(y, ind, usm.take(y, ind, mode=mode), mode=mode)
    queue.wait()
    _hooks.late_copy(queue, target, source)
    usm.put(y, ind, usm.take(y, ind, mode=mode)[::-1], mode=mode)
    event = queue.submit_barrier()
    pending = event.execution_status != usm.event_status_type.complete
    assert y[[3, 5]].tolist() == [5, 3]
    if not pending:
        pytest.skip("commands are complete when they return here")


def test_another_context_is_refused(x, device):
    other = usm.asarray([0], sycl_queue=other_context_queue(device))
    for call in (
        lambda: usm.take(x, other, axis=0),
        lambda: usm.put(x, other, 0, axis=0),
        lambda: usm.take_along_axis(x[0], other),
        lambda: usm.extract(other, x[0, :1]),
        lambda: usm.place(x[0, :1], other, x[0]),
    ):
        with pytest.raises(usm.utils.ExecutionPlacementError):
            call()


# Masks


@pytest.mark.sanitized
@examples(200)
@given(recipe=recipes(max_steps=2), data=st.data())
def test_nonzero_and_extract(queue, recipe, data):
    base, y = recipe.pair(queue)
    bits = data.draw(st.lists(st.booleans(), min_size=base.size, max_size=base.size))
    mask = np.array(bits, bool).reshape(base.shape)
    flags = usm.asarray(mask, sycl_queue=queue)
    assert_same(usm.extract(flags, y), np.extract(mask, base))
    assert_same(usm.extract(y, y), np.extract(base, base))
    line = usm.reshape(usm.arange(base.size, sycl_queue=queue), -1)
    assert_same(usm.extract(flags, line), np.extract(mask, np.arange(base.size)))
    usm.place(line, flags, 7)
    expected = np.arange(base.size)
    np.place(expected, mask, 7)
    assert_same(line, expected)
    if base.ndim:
        for found, expected in zip(usm.nonzero(y), np.nonzero(base), strict=True):
            assert_same(found, expected)


@pytest.mark.sanitized
@examples(100)
@given(
    recipe=recipes(broadcast=False, max_steps=2),
    count=st.integers(1, 7),
    data=st.data(),
)
def test_place(queue, recipe, count, data):
    base = recipe.base()
    x = usm.asarray(base, sycl_queue=queue)
    target, y = recipe.of_numpy(base), recipe.of_usm(x)
    bits = data.draw(st.lists(st.booleans(), min_size=target.size, max_size=target.size))
    mask = np.array(bits, bool).reshape(target.shape)
    values = numbered((count,), base.dtype)[::-1]
    flat = np.resize(values, int(mask.sum()))
    target[mask] = flat
    usm.place(y, usm.asarray(mask, sycl_queue=queue), usm.asarray(values, sycl_queue=queue))
    assert_same(x, base)


@pytest.mark.parametrize("value", [7, 2.5, True, np.int8(3), np.array(4, "i4"), [8, 9]], ids=repr)
def test_place_of_values(queue, value):
    host = np.arange(12, dtype="i4").reshape(3, 4)
    x = usm.asarray(host, sycl_queue=queue)
    for one, other in ((x, host), (x[:, ::-2], host[:, ::-2])):
        np.place(other, other % 3 == 1, value)
        usm.place(one, one % 3 == 1, value)
    assert_same(x, host)
    usm.place(x, x > 5, x[0, 0])
    np.place(host, host > 5, host[0, 0])
    assert_same(x, host)


@pytest.mark.parametrize("share", [0, 0.003, 0.5, 1])
@pytest.mark.parametrize("size", [1, 63, 64, 65, 1000, 300_001])
def test_a_scalar_by_mask(queue, size, share):
    random = np.random.default_rng(size)
    mask = random.random(size + 1) < share
    values = random.integers(0, 100, (size, 2), "i4")
    x, m = (usm.asarray(y, sycl_queue=queue) for y in (values, mask))
    x[:, 0][m[1:]] = -1
    values[:, 0][mask[1:]] = -1
    line, row = usm.copy(x[:, 1]), values[:, 1].copy()
    line[m[:-1]] = -2
    row[mask[:-1]] = -2
    assert_same(x, values)
    assert_same(line, row)


@pytest.mark.any_memory
@pytest.mark.sanitized
@pytest.mark.parametrize("offset", [1, 3])
def test_large_masks_at_odd_offsets(queue, offset):
    """The output is too large for the caches, and no address is aligned for vectors."""
    generator = np.random.default_rng(offset)
    bits, x = generator.random(2**24 + offset) < 0.5, np.arange(2**24 + offset, dtype="i4")
    mask = usm.asarray(bits, sycl_queue=queue)[offset:]
    bits = bits[offset:]
    for dtype in ("i4", "u1"):
        y = usm.asarray(x.astype(dtype), sycl_queue=queue)
        assert_same(y[offset:][mask], x.astype(dtype)[offset:][bits])
        assert_same(y[:-offset][mask], x.astype(dtype)[:-offset][bits])
        del y
    assert_same(usm.nonzero(mask)[0], np.flatnonzero(bits))


@pytest.mark.parametrize("dtype", ["u1", "f4", "f8", "c16"])
@pytest.mark.parametrize("step", [1, -2])
@pytest.mark.parametrize("block", [1, 50, 64, 200, 1000])
def test_masks_whose_true_elements_lie_together(queue, block, step, dtype):
    """Pieces of the mask are all true, all false, or neither; true bytes may differ."""
    n = 3001
    host = np.arange(2 * n).astype(dtype)[::step][:n]
    x = usm.asarray(np.arange(2 * n).astype(dtype), sycl_queue=queue)[::step][:n]
    bits = np.arange(n) // block % 2 == 0
    raw = usm.asarray(bits * (1 + np.arange(n) % 3).astype("u1"), sycl_queue=queue)
    for mask, true in ((usm.usm_ndarray(n, "?", buffer=raw), bits), (raw == 0, ~bits)):
        assert_same(x[mask], host[true])
        assert_same(usm.nonzero(mask)[0], np.flatnonzero(true))
        for value in (7, np.arange(np.sum(true)).astype(dtype)):
            y, expected = usm.copy(x), host.copy()
            y[mask] = value if np.isscalar(value) else usm.asarray(value, sycl_queue=queue)
            expected[true] = value
            assert_same(y, expected)


def test_foreign_bytes_are_true(queue):
    raw = usm.asarray(np.array([0, 1, 2, 255, 0, 7, 0, 0, 128], "u1"), sycl_queue=queue)
    flags = usm.usm_ndarray(9, "?", buffer=raw)
    y = usm.arange(9, sycl_queue=queue)
    assert y[flags].tolist() == [1, 2, 3, 5, 8]
    assert usm.nonzero(flags)[0].tolist() == [1, 2, 3, 5, 8]
    y[flags] = 0
    assert y.tolist() == [0, 0, 0, 0, 4, 0, 6, 7, 0]


def test_masks_of_numpy_in_any_layout(queue, usm_kind):
    base = numbered((4, 6), "i4")
    above = base > base.mean()
    above[0, 1] = True
    for mask in (above, np.asfortranarray(above), above[::-1, ::-1], above[:, 2] > 0, above[::2].T):
        source = base.T[:, :2] if mask.shape == (6, 2) else base
        x = usm.asarray(source, usm_type=usm_kind, order="K", sycl_queue=queue)
        found = x[mask]
        assert_same(found, source[mask])
        assert found.usm_type == usm_kind
        x[mask] = -1
        expected = source.copy()
        expected[mask] = -1
        assert_same(x, expected)
    mask = np.broadcast_to(above[:1], base.shape)
    assert_same(usm.asarray(base, sycl_queue=queue)[mask], base[mask])


@pytest.mark.parametrize("shape", [(0,), (0, 3), (2, 0), (0, 0)])
def test_empty_masks_fit_any_axis(x, shape):
    """The array API test suite expects NumPy's behaviour."""
    mask = np.zeros(shape, bool)
    expected = usm.asnumpy(x)
    for key in (mask, usm.asarray(mask, sycl_queue=x.sycl_queue)):
        assert_same(x[key], expected[mask])
        x[key] = 9
        x[key] = expected[mask]
        assert_same(x, expected)


def test_no_values_for_no_elements(x):
    usm.place(x, usm.zeros_like(x), usm.empty(0, dtype="i4", sycl_queue=x.sycl_queue))
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_more_axes_than_scalar_arguments(queue):
    base = numbered((2, 3, 2, 3, 2, 2, 3), "i2")
    y = usm.asarray(base, sycl_queue=queue)
    swapped, turned = (
        base.transpose(4, 1, 6, 2, 0, 3, 5),
        usm.permute_dims(y, (4, 1, 6, 2, 0, 3, 5)),
    )
    for key in ((slice(None), [2, 0]), ([1, 0], Ellipsis, [1, 1]), swapped > 60):
        ours = usm.asarray(key, sycl_queue=queue) if isinstance(key, np.ndarray) else key
        assert_same(turned[ours], swapped[key])
        new = numbered(swapped[key].shape, "i2")[..., ::-1]
        swapped[key] = new
        turned[ours] = new
        assert_same(y, base)


@pytest.mark.parametrize("places", [1, 200, 70_000])
@pytest.mark.parametrize("dtype", ["u1", "f4", "c16"])
def test_the_last_value_of_a_place_wins_on_many_cores(queue, places, dtype):
    """CPUs of many cores divide the indices into ranges of places."""
    skip_without(queue.sycl_device, dtype)
    random = np.random.default_rng(places)
    index = random.integers(-places, places, 150_000)
    values = np.arange(2 * index.size).astype(dtype)[::-2]
    expected = np.zeros(2 * places, dtype)
    expected[::2][index] = values
    x = usm.zeros(2 * places, dtype=dtype, sycl_queue=queue)
    given, where = (usm.asarray(one, sycl_queue=queue) for one in (values, index))
    _hooks.force_device_class(1)
    x[::2][where] = given
    assert_same(x, expected)
    doubled = usm.asarray(np.repeat(values, 2), sycl_queue=queue)
    x[::-2][where] = doubled[::2]
    expected[::-2][index] = values
    assert_same(x, expected)
