"""sort, argsort: against NumPy, in all types and layouts, on both tiers."""

import numpy as np
import pytest
from both_tiers import all_on_the_device, all_on_the_host, assert_same_bits, skip_without_tiers
from hypothesis import given
from hypothesis import strategies as st
from library import run
from placement import in_order_queue, out_of_order_queue, survives_forks
from strategies import DTYPES, dtypes, examples, numbered, recipes, skip_without

import usmtensor as usm
from usmtensor import _hooks

FLOATS = "fdFD"


def values(dtype, size, seed=0, few=False):
    """Random elements of all magnitudes; `few` different ones, among them NaN and both zeros."""
    random = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if few:
        pool = np.arange(-4, 5).astype(dtype)
        if dtype.kind in "fc":
            pool[:3] = np.nan, -0.0, np.inf
            if dtype.kind == "c":
                pool[3:6] = complex(1, np.nan), complex(np.nan, 1), complex(np.nan, 2)
        return random.choice(pool, size)
    if dtype.kind == "b":
        return random.random(size) < 0.5
    if dtype.kind in "iu":
        return np.frombuffer(random.bytes(size * dtype.itemsize), dtype).copy()
    parts = [random.normal(size=size) * 10.0 ** random.integers(-3, 3, size) for _ in "12"]
    return (parts[0] + (1j * parts[1] if dtype.kind == "c" else 0)).astype(dtype)


def order(x, axis, descending):
    """The places of NumPy's stable sort. Descending, equal elements keep their order too."""
    if not descending:
        return np.argsort(x, axis, stable=True)
    flipped = np.argsort(np.flip(x, axis), axis, stable=True)
    return np.flip(x.shape[axis] - 1 - flipped, axis)


def check(x, y, axis=-1, descending=False):
    """`x` is the NumPy array of `y`'s content."""
    places = order(x, axis, descending)
    found = usm.argsort(y, axis=axis, descending=descending)
    assert found.dtype == np.int64
    np.testing.assert_array_equal(usm.asnumpy(found), places)
    result = usm.sort(y, axis=axis, descending=descending)
    assert (result.dtype, result.shape, result.usm_type) == (y.dtype, y.shape, y.usm_type)
    assert result.flags.c_contiguous and result.sycl_queue == y.sycl_queue
    expected = np.take_along_axis(x, places, axis)
    assert_same_bits(usm.asnumpy(result), np.ascontiguousarray(expected))


@pytest.mark.sanitized
@examples(60)
@given(recipes(), st.data())
@pytest.mark.quirk("numpy-sorts")
def test_as_numpy(queue, recipe, data):
    x, y = recipe.pair(queue)
    if x.ndim:
        axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
        check(x, y, axis, data.draw(st.booleans()))


@pytest.mark.sanitized
@examples(40)
@given(
    dtypes(), st.integers(0, 200), st.integers(1, 4), st.booleans(), st.booleans(), st.integers()
)
def test_rows(queue, dtype, n, rows, few, descending, seed):
    x = values(dtype, n * rows, abs(seed), few).reshape(rows, n)
    check(x, usm.asarray(x, sycl_queue=queue), -1, descending)


@pytest.mark.any_memory
@pytest.mark.parametrize("few", [False, True], ids=["all", "few"])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("n", [1000, 5000, 100_000, 300_000])
def test_long_rows(queue, dtype, n, few):
    skip_without(queue.sycl_device, dtype)
    x = values(dtype, n, few=few)
    y = usm.asarray(x, sycl_queue=queue)
    check(x, y)
    check(x, y, descending=True)


@pytest.mark.parametrize("shape", [(1,), (5, 1, 3), (1, 0), (0, 1)])
def test_rows_of_one_element(queue, shape):
    x = usm.asarray(numbered(shape, "i4"), order="F", sycl_queue=queue)
    axis = shape.index(1)
    ordered, places = usm.sort(x, axis=axis), usm.argsort(x, axis=axis, descending=True)
    np.testing.assert_array_equal(usm.asnumpy(ordered), usm.asnumpy(x))
    assert places.dtype == "i8" and places.shape == shape and not usm.any(places)
    assert ordered.flags.c_contiguous and places.flags.c_contiguous
    ordered[...] = -1
    assert not usm.any(x == -1)


@pytest.mark.parametrize("n", [2, 9, 40, 3000, 70_000])
@pytest.mark.parametrize("dtype", "fdil")
@pytest.mark.parametrize("descending", [False, True])
def test_rows_in_order(queue, dtype, n, descending):
    """And rows with one element out of order, anywhere."""
    for few in (False, True):
        x = values(dtype, n, n, few=few)
        x = x[order(x, -1, descending)]
        for place in (None, 0, n // 2, n - 1):
            y = x.copy()
            if place is not None:
                y[place] = x[-1 - place]
            check(y, usm.asarray(y, sycl_queue=queue), descending=descending)


@pytest.mark.sanitized
@pytest.mark.parametrize(
    "x", [np.full(70_000, 3.0), np.arange(70_000)[::-1] << 20], ids=["equal", "falling"]
)
def test_skipped_digits(queue, x):
    x = x.astype("f4") if x.dtype.kind == "f" else x.astype("i8")
    check(x, usm.asarray(x, sycl_queue=queue))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("n", [5, 40, 300, 40_000])
def test_both_tiers(queue, dtype, n):
    skip_without(queue.sycl_device, dtype)
    skip_without_tiers(queue.sycl_device)
    x = usm.asarray(values(dtype, 3 * n).reshape(3, n)[:, : n - 1], sycl_queue=queue)
    for function in (usm.sort, usm.argsort):
        with all_on_the_host(queue):
            host = function(x)
        with all_on_the_device(queue):
            device = function(x)
        assert_same_bits(usm.asnumpy(host), usm.asnumpy(device))


@pytest.mark.parametrize("make", [in_order_queue, out_of_order_queue])
@pytest.mark.parametrize("n", [10, 20_000, 300_000])
@pytest.mark.parametrize("function", [usm.sort, usm.argsort])
def test_order(device, function, n, make):
    """Pending work on the operand comes before, later work after."""
    queue = make(device)
    numbers = values("f4", n)
    source = usm.asarray(numbers, sycl_queue=queue)
    for _ in range(3):
        x = usm.zeros(n, dtype="f4", sycl_queue=queue)
        queue.wait()
        _hooks.late_copy(queue, x, source)
        result = function(x)
        x[...] = 0
        later = result + 1
        expected = getattr(np, function.__name__)(numbers, stable=True)
        np.testing.assert_array_equal(usm.asnumpy(result), expected)
        np.testing.assert_array_equal(usm.asnumpy(later), expected + 1)


def test_the_end_of_a_process_with_a_sort():
    run("import usmtensor as usm; usm.sort(usm.ones(1 << 22))")


FREED = """
import numpy as np
import usmtensor as usm
rng = np.random.default_rng(0)
for function, reference in (usm.sort, np.sort), (usm.argsort, np.argsort):
    for _ in range(3):
        numbers = rng.permutation(1 << 21).astype("f4")
        x = usm.asarray(numbers)
        x.__sycl_usm_array_interface__  # the driver gets its memory back
        x.sycl_queue.wait()
        y = function(x)
        del x
        usm.memory.trim()
        assert np.array_equal(usm.asnumpy(y), reference(numbers))
"""


@pytest.mark.parametrize("pool", ["0", "1"])
@pytest.mark.quirk("early-free")
def test_freed_operands(pool):
    """The driver frees memory at once that no command of its own uses."""
    run(FREED, USMTENSOR_POOL=pool)


FORK = """
import os
import numpy as np
import usmtensor as usm
numbers = np.random.default_rng(0).permutation(1 << 20)
def check():
    x = usm.asarray(numbers)
    assert np.array_equal(usm.asnumpy(usm.sort(x)), np.sort(numbers))
    assert np.array_equal(usm.asnumpy(usm.argsort(x)), np.argsort(numbers))
check()
child = os.fork()
if child == 0:
    check()
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
check()
"""


@survives_forks
def test_forks():
    run(FORK)


@pytest.mark.parametrize("dtype", ["f8", "i8"])
def test_argsort_of_long_groups(queue, dtype):
    """Keys with one high word are many, and others are there."""
    skip_without(queue.sycl_device, dtype)
    x = np.tile(np.arange(1000)[::-1], 1000).astype(dtype)
    x = x + 2**40 if dtype == "i8" else 1 + x * 1e-12
    x[0] = 0
    y = usm.asarray(x, sycl_queue=queue)
    np.testing.assert_array_equal(usm.asnumpy(usm.argsort(y)), np.argsort(x, stable=True))


def test_bool_of_foreign_memory(queue):
    x = usm.asarray(np.array([3, 0, 2, 0, 1], "u1"), sycl_queue=queue)
    x = usm.usm_ndarray(5, "?", buffer=x)
    np.testing.assert_array_equal(usm.asnumpy(usm.argsort(x)), [1, 3, 0, 2, 4])
    np.testing.assert_array_equal(usm.asnumpy(usm.sort(x, descending=True)), [1, 1, 1, 0, 0])


def test_no_dimensions(queue):
    x = usm.asarray(3, sycl_queue=queue)
    assert usm.sort(x).shape == () and int(usm.sort(x)) == 3
    assert usm.argsort(x, axis=-1).shape == () and int(usm.argsort(x)) == 0


@pytest.mark.parametrize("function", [usm.sort, usm.argsort])
def test_bad_arguments(queue, function):
    x = usm.ones((2, 3), sycl_queue=queue)
    name = function.__name__
    with pytest.raises(np.exceptions.AxisError, match="axis 2"):
        function(x, axis=2)
    for axis in (0, 1, -2):
        with pytest.raises(np.exceptions.AxisError, match=name):
            function(x[0, 0], axis=axis)
    with pytest.raises(TypeError, match=f"{name}: axis"):
        function(x, axis=0.5)
    with pytest.raises(TypeError, match=f"{name}: descending"):
        function(x, descending="yes")
    with pytest.raises(TypeError, match=f"{name}: stable"):
        function(x, stable=2.0)
    with pytest.raises(ValueError, match=f"{name}: kind is 'quick'"):
        function(x, kind="quick")
    with pytest.raises(TypeError, match=f"{name}: a is of type list"):
        function([3, 1])
    for kind in ("stable", "radixsort", "mergesort", "quicksort", "heapsort", None):
        assert function(x, kind=kind).shape == (2, 3)


def test_a_read_only_array_and_overlapping_elements(queue):
    x = usm.broadcast_to(usm.asarray(np.array([3, 1, 2]), sycl_queue=queue), (4, 3))
    np.testing.assert_array_equal(usm.asnumpy(usm.sort(x)), np.tile([1, 2, 3], (4, 1)))
    np.testing.assert_array_equal(
        usm.asnumpy(usm.argsort(x, axis=0)), np.tile([[0], [1], [2], [3]], 3)
    )
    assert usm.sort(x).flags.writable


def test_all_elements_in_order(queue):
    host = np.asarray([[5, 1, 3], [2, 4, 0]])
    x = usm.asarray(host, sycl_queue=queue)
    for view in (lambda a: a, lambda a: a.T, lambda a: a[0, 0, ...]):
        for name in ("sort", "argsort"):
            found = getattr(usm, name)(view(x), axis=None)
            expected = getattr(np, name)(view(host), axis=None)
            np.testing.assert_array_equal(usm.asnumpy(found), expected)
