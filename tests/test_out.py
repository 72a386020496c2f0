"""`out=` and `order=` of the elementwise functions: any layout, any overlap, errors."""

import operator

import numpy as np
import pytest
from checks import assert_same
from hypothesis import given
from hypothesis import strategies as st
from placement import in_order_queue
from strategies import examples, numbered, recipes

import usmtensor as usm

ROWS, COLUMNS = 8, 9


@st.composite
def steps(draw, count, length):
    """A slice of so many elements of an axis, forwards or backwards."""
    step = draw(st.sampled_from([1, 1, 2, -1, -2]))
    span = (count - 1) * abs(step) + 1
    if span > length:
        step, span = step // abs(step), count
    first = draw(st.integers(0, length - span))
    if step > 0:
        return slice(first, first + span, step)
    stop = first - 1
    return slice(first + span - 1, None if stop < 0 else stop, step)


@st.composite
def windows(draw, shape):
    """A view of a shape in a matrix: (rows, columns, whether it is transposed)."""
    turned = draw(st.booleans())
    rows, columns = shape[::-1] if turned else shape
    return draw(steps(rows, ROWS)), draw(steps(columns, COLUMNS)), turned


def seen(base, window):
    rows, columns, turned = window
    view = base[rows, columns]
    return view.T if turned else view


SHAPES = st.tuples(st.integers(1, 4), st.integers(1, 4))


@examples(200)
@given(data=st.data(), shape=SHAPES)
def test_overlap(queue, data, shape):
    """All operands and the result are windows on one matrix; the inputs are read first."""
    base = numbered((ROWS, COLUMNS), "i4")
    ours = usm.asarray(base, sycl_queue=queue)
    x, y, z, out = (data.draw(windows(shape)) for _ in range(4))
    function, count = data.draw(
        st.sampled_from([("negative", 1), ("subtract", 2), ("where", 3), ("clip", 3)])
    )
    names = [x, y, z][:count]
    wanted = getattr(np, function)(*(seen(base, name) for name in names))
    seen(base, out)[...] = wanted
    target = seen(ours, out)
    result = getattr(usm, function)(*(seen(ours, name) for name in names), out=target)
    assert result is target
    assert_same(ours, base)


def test_out_in_a_tuple(queue):
    """NumPy's ufuncs have a tuple of outputs."""
    x = usm.arange(4, dtype="f4", sycl_queue=queue)
    out = usm.zeros_like(x)
    assert usm.add(x, 1, out=(out,)) is out
    assert out.tolist() == [1, 2, 3, 4]
    usm.sqrt(x, out=(out,), where=x < 2)
    assert out.tolist() == [0, 1, 3, 4]
    assert usm.round(x / 4, decimals=1, out=(out,)) is out
    with pytest.raises(TypeError, match="add: out is of type tuple"):
        usm.add(x, 1, out=(out, out))


@examples(100)
@given(data=st.data(), shape=SHAPES)
def test_overlap_in_place(queue, data, shape):
    base = numbered((ROWS, COLUMNS), "i4")
    ours = usm.asarray(base, sycl_queue=queue)
    x, y = data.draw(windows(shape)), data.draw(windows(shape))
    np.subtract(seen(base, x), seen(base, y).copy(), out=seen(base, x))
    target = seen(ours, x)
    target -= seen(ours, y)
    assert_same(ours, base)


@examples(100)
@given(
    start=st.integers(0, 12),
    of=st.integers(0, 12),
    count=st.integers(1, 12),
    back=st.booleans(),
    types=st.sampled_from([("i2", "i4"), ("i4", "i8"), ("i1", "f4"), ("i8", "i1"), ("f4", "?")]),
)
def test_overlap_of_other_types(queue, start, of, count, back, types):
    """Operands of smaller and larger elements that share bytes."""
    small, large = map(np.dtype, types)
    host = np.arange(256, dtype="u1") % 2
    ours = usm.asarray(host, sycl_queue=queue)

    def views(array):
        parts = []
        for dtype, first in ((small, start), (large, of)):
            if isinstance(array, np.ndarray):
                whole = array.view(dtype)
            else:
                whole = usm.usm_ndarray(256 // dtype.itemsize, dtype, buffer=array)
            part = whole[first : first + count]
            parts.append(part[::-1] if back else part)
        return parts

    x, out = views(host)
    function = "not_equal" if large.kind == "b" else "floor_divide" if small.itemsize > 4 else "add"
    wanted = getattr(np, function)(x, x.dtype.type(1)).astype(large)
    x_ours, out_ours = views(ours)
    if getattr(usm, function)(x_ours, 1).dtype == large:
        getattr(usm, function)(x_ours, 1, out=out_ours)
    else:
        out_ours[...] = getattr(usm, function)(x_ours, 1)
    out[...] = wanted
    assert_same(ours, host)


@examples(100)
@given(recipe=recipes(broadcast=False, dtype="f4"), data=st.data())
def test_any_layout(queue, recipe, data):
    """Any view as `out`: the elements around it stay."""
    base = recipe.base()
    ours = usm.asarray(base, sycl_queue=queue)
    target, target_ours = recipe.of_numpy(base), recipe.of_usm(ours)
    shape = tuple(data.draw(st.sampled_from([1, side])) for side in target.shape)
    shape = shape[data.draw(st.integers(0, len(shape))) :]
    x = numbered(shape, "f4")
    wide = numbered(target.shape, "f4", "F")
    target[...] = x - wide
    usm.subtract(
        usm.asarray(x, sycl_queue=queue), usm.asarray(wide, sycl_queue=queue), out=target_ours
    )
    assert_same(ours, base)


def strides_of(x):
    return tuple(stride // x.itemsize for stride in x.strides)


@examples(100)
@given(recipe=recipes(broadcast=False), order=st.sampled_from("CFAK"))
def test_order(queue, recipe, order):
    """NumPy's order of the axes in memory, for views of any kind."""
    x, ours = recipe.pair(queue)
    result = usm.logical_not(ours, order=order)
    wanted = np.logical_not(x, order=order)
    assert_same(result, wanted)
    if x.size:
        lengths = [axis for axis, length in enumerate(x.shape) if length > 1]
        found, expected = result.strides, strides_of(wanted)
        assert [found[axis] for axis in lengths] == [expected[axis] for axis in lengths]


CALLS = {
    "negative": lambda x, out: usm.negative(x, out=out),
    "add": lambda x, out: usm.add(x, x, out=out),
    "add of a number": lambda x, out: usm.add(1, x, out=out),
    "where": lambda x, out: usm.where(x, x, x, out=out),
    "clip": lambda x, out: usm.clip(x, 0, 5, out=out),
    "clip, no limits": lambda x, out: usm.clip(x, out=out),
    "positive": lambda x, out: usm.positive(x, out=out),
    "real": lambda x, out: usm.real(x, out=out),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda x: usm.asnumpy(x), TypeError),
        (lambda x: [1, 2], TypeError),
        (lambda x: (x, x), TypeError),
        (lambda x: usm.zeros((3, 3), dtype=x.dtype), ValueError),
        (lambda x: usm.zeros((1, 2, 3), dtype=x.dtype), ValueError),
        (lambda x: usm.zeros(3, dtype=x.dtype), ValueError),
        (lambda x: usm.zeros((2, 3), dtype="u4"), TypeError),
        (lambda x: usm.zeros((2, 3), dtype="?"), TypeError),
        (lambda x: usm.broadcast_to(x[0], (2, 3)), ValueError),
    ],
    ids=[
        *("NumPy's", "list", "tuple", "larger", "more axes", "smaller", "unsigned", "bools"),
        "read-only",
    ],
)
def test_refused_out(queue, call, make, error):
    host = np.arange(6, dtype="i4").reshape(2, 3)
    x = usm.asarray(host, sycl_queue=queue)
    with pytest.raises(error, match="out"):
        call(x, make(x))
    assert_same(x, host)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("dtype", ["i1", "i8", "f4", "c8"])
def test_out_of_another_type(queue, name, dtype):
    """As in NumPy, the result is computed in its own type, and then converted."""
    x = usm.asarray(np.arange(-100, 500, 100, "i4").reshape(2, 3), sycl_queue=queue)
    wide = usm.zeros((2, 6), dtype=dtype, sycl_queue=queue)
    out = wide[:, ::-2]
    assert CALLS[name](x, out) is out
    assert_same(out, usm.asnumpy(CALLS[name](x, None)).astype(dtype))
    assert usm.all(wide[:, ::2] == 0)


def test_overlap_with_out_of_another_type(queue):
    x = usm.arange(8, dtype="f4", sycl_queue=queue)
    y = usm.usm_ndarray(4, "c8", buffer=x)
    usm.add(x[:4], 1, out=y)
    assert y.tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_out_decides_the_queue(device, queue, call):
    x = usm.ones((2, 3), dtype="i4", sycl_queue=queue)
    out = usm.empty((2, 3), dtype="i4", sycl_queue=in_order_queue(device))
    assert call(x, out) is out
    assert out.sycl_queue != queue
    assert set(usm.asnumpy(out).ravel().tolist()) <= {1, -1, 2}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3)], ids=str)
def test_no_axes_and_no_elements(queue, call, shape):
    x = usm.ones(shape, dtype="i4", sycl_queue=queue)
    out = usm.empty(shape, dtype="i4", sycl_queue=queue)
    assert call(x, out) is out
    assert call(x, None).shape == shape
    with pytest.raises(ValueError, match="out"):
        call(x, usm.empty((1, *shape), dtype="i4", sycl_queue=queue))


def test_huge_views(queue):
    """Shapes with more elements than fit in memory: refused only if the result needs memory."""
    x = usm.broadcast_to(usm.asarray(2, dtype="i4", sycl_queue=queue), (2**20, 2**20, 2**4))
    for call in (
        lambda: usm.negative(x),
        lambda: usm.add(x, 1),
        lambda: usm.add(x, x),
        lambda: usm.where(x, x, 0),
        lambda: usm.clip(x, 0, 1),
        lambda: usm.copy(x),
        lambda: usm.concat([x, x]),
        lambda: operator.add(x, x[0]),
    ):
        with pytest.raises(MemoryError):
            call()
    assert usm.asnumpy(usm.add(x[:2, :: -(2**19), 5], 1)).tolist() == [[3, 3], [3, 3]]


@pytest.mark.parametrize("word", ["B", "CF", "", "\0"])
def test_unknown_orders(queue, word):
    x = usm.ones(3, sycl_queue=queue)
    for call in (
        lambda: usm.exp(x, order=word),
        lambda: usm.add(x, x, order=word),
        lambda: usm.where(x, x, x, order=word),
        lambda: usm.clip(x, 0, order=word),
    ):
        with pytest.raises(ValueError, match="order"):
            call()
