"""Selections of few elements on the host, without a wait: keys of indices, or of a mask, with whole
slices around them. More keys are in test_advanced_indexing.
"""

import numpy as np
import pytest
from both_tiers import all_on_the_host, skip_without_tiers
from checks import assert_same
from hypothesis import given
from hypothesis import strategies as st
from strategies import dtypes, examples, numbered, recipes

import usmtensor as usm
from usmtensor import _hooks


@st.composite
def keys(draw, shape):
    """A key for an array of this shape, mostly within its bounds."""
    axis = draw(st.integers(0, len(shape) - 1))
    whole = draw(st.sampled_from([(slice(None),) * axis, (Ellipsis,)]))
    rest = shape[axis:]
    axes = draw(st.integers(1, min(len(rest), 3)))
    if draw(st.booleans()):
        count = int(np.prod(rest[:axes]))
        bits = draw(st.lists(st.booleans(), min_size=count, max_size=count))
        found = [np.array(bits, bool).reshape(rest[:axes])]
    else:
        common = tuple(draw(st.lists(st.integers(0, 3), max_size=2)))
        found = []
        for n in rest[:axes]:
            if n > 0 and draw(st.integers(0, 3)) == 0:
                found.append(draw(st.integers(-n, n - 1)))
                continue
            sides = common[draw(st.integers(0, len(common))) :]
            sides = tuple(draw(st.sampled_from([1, side])) for side in sides)
            count = int(np.prod(sides))
            beyond = draw(st.integers(0, 9)) == 0
            places = st.integers(-n - beyond, max(n - 1, -n) + beyond)
            places = draw(st.lists(places, min_size=count, max_size=count))
            found.append(np.array(places, np.int64).reshape(sides))
    if whole == (Ellipsis,):  # the last axes
        shortened = len(shape) - len(rest)
        end = (slice(None),) * (len(rest) - axes)
        return (Ellipsis, *found, *end) if shortened or draw(st.booleans()) else (*found, *end)
    end = draw(st.sampled_from([(), (Ellipsis,), (slice(None),) * (len(rest) - axes)]))
    return (*whole, *found, *end)


def on_device(key, queue):
    return tuple(
        usm.asarray(item, sycl_queue=queue) if isinstance(item, np.ndarray) else item
        for item in key
    )


@examples(400)
@given(recipe=recipes(max_steps=2), data=st.data())
def test_get(queue, recipe, data):
    base, x = recipe.pair(queue)
    if base.ndim == 0:
        return
    key = data.draw(keys(base.shape))
    found = on_device(key, queue)
    try:
        expected = np.asarray(base[key])
    except IndexError:
        with pytest.raises(IndexError):
            x[found]
        return
    if expected.size == 0:  # NumPy does not look at positions then
        return
    assert_same(x[found], expected)


@examples(400)
@given(recipe=recipes(broadcast=False, max_steps=2), dtype=dtypes(), data=st.data())
def test_set(queue, recipe, dtype, data):
    base = recipe.base()
    x = usm.asarray(base, sycl_queue=queue)
    target, y = recipe.of_numpy(base), recipe.of_usm(x)
    if target.ndim == 0:
        return
    key = data.draw(keys(target.shape))
    found = on_device(key, queue)
    try:
        shape = np.asarray(target[key]).shape
    except IndexError:
        before = base.copy()
        with pytest.raises(IndexError):
            y[found] = 1
        assert_same(x, before)
        return
    if 0 in shape:
        return
    # Of several values for one place NumPy may keep any, so a place gets its own value here.
    places = np.arange(target.size).reshape(target.shape)[key]
    value = numbered(shape, dtype)
    value = value.reshape(-1)[np.unique(places, return_inverse=True)[1].reshape(shape)]
    if data.draw(st.booleans()):
        value = value.reshape(-1)[:1].reshape(())
    with np.errstate(all="ignore"):
        target[key] = value.real if value.dtype.kind == "c" and base.dtype.kind != "c" else value
    y[found] = usm.asarray(value, sycl_queue=queue)
    assert_same(x, base)


@pytest.fixture
def matrix(queue, device):
    skip_without_tiers(device)
    x = usm.reshape(usm.arange(12, dtype="i4", sycl_queue=queue), (3, 4))
    queue.wait()
    return x


def rows(queue):
    return usm.asarray([2, -3], sycl_queue=queue)


def columns(queue):
    return usm.asarray([3, 0], sycl_queue=queue)


def mask(queue):
    return usm.asarray([True, False, True], sycl_queue=queue)


# The commands that they take on the host: an index is checked as elements are read; several become
# offsets; a mask is counted, then becomes positions.
KEYS = {
    "index": (lambda q: rows(q), 1),
    "index of columns": (lambda q: np.s_[:, columns(q)], 1),
    "after an ellipsis": (lambda q: np.s_[..., columns(q)], 1),
    "two indices": (lambda q: (rows(q), columns(q)), 3),
    "broadcast": (lambda q: (rows(q)[:, None], columns(q)), 3),
    "a number": (lambda q: (rows(q), -1), 1),
    "a slice": (lambda q: np.s_[rows(q), 1:], 1),
    "a new axis": (lambda q: (rows(q), None), 1),
    "apart": (lambda q: np.s_[rows(q), None, columns(q)], 3),
    "mask": (lambda q: mask(q), 3),
    "mask of columns": (lambda q: np.s_[:, usm.concat((mask(q), mask(q)[:1]))], 3),
}


@pytest.mark.parametrize("key", KEYS)
def test_commands_on_the_host(queue, matrix, key):
    make, count = KEYS[key]
    found = make(queue)
    queue.wait()
    with all_on_the_host(queue):
        ran = _hooks.host_commands()
        matrix[found]
        assert _hooks.host_commands() == ran + count


def on_host(key):
    if type(key) is tuple:
        return tuple(map(on_host, key))
    return usm.asnumpy(key) if isinstance(key, usm.usm_ndarray) else key


@pytest.mark.parametrize("key", KEYS)
def test_after_pending_work(queue, key):
    """A command that still runs writes the array before it is read."""
    found = KEYS[key][0](queue)
    x = usm.zeros((3, 4), dtype="f8", sycl_queue=queue)
    late = usm.full(1 << 18, 0.5, dtype="f8", sycl_queue=queue)
    for _ in range(20):
        late = usm.tanh(late)
    usm.add(x, usm.reshape(late[:12], (3, 4)), out=x)
    selected = x[found]
    assert usm.all(x > 0)
    assert_same(selected, usm.asnumpy(x)[on_host(found)])


@pytest.mark.parametrize("key", KEYS)
def test_shared_memory(queue, key):
    """An array that lies in its own index or values gets what they held before."""
    found = KEYS[key][0](queue)
    x = usm.reshape(usm.arange(12, sycl_queue=queue), (3, 4))
    expected, place = usm.asnumpy(x), on_host(found)
    expected[place] = expected[::-1, ::-1][place].copy()
    x[found] = usm.flip(x)[found]
    assert_same(x, expected)
    index = x[0]  # of itself
    index[...] = usm.asarray([2, 1, 0, 1], sycl_queue=queue)
    expected = usm.asnumpy(x)
    expected[expected[0].copy()] = 9
    x[index] = 9
    assert_same(x, expected)
