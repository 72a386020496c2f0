"""NumPy's arrays beside arrays, arrays of its subclasses, masked ones among them, and numbers that
are buffers."""

import ctypes
import itertools

import numpy as np
import pytest
from checks import assert_same, name_of
from library import skip_without_library

import usmtensor as usm


@pytest.fixture
def x(queue):
    return usm.asarray(np.arange(4.0), sycl_queue=queue)


# Functions of several arrays: NumPy's arrays are copied to the queue of the first array.

A, B, C = np.array([3, 1, 2], "f4"), np.array([4, 0, 1], "f4"), np.array([1, 5, 2], "f4")
PLACES, COUNTS, FLAGS = np.array([2, 0, 1]), np.array([0, 1, 1]), np.array([True, False, True])
MATRIX, ORDER = np.array([[2, 1], [1, 3]], "f4"), np.argsort(A)
TOGETHER = {
    "add": (A, B),
    "allclose": (A, B),
    "average": (lambda xp, x, w: xp.average(x, weights=w), A, B),
    "bincount": (lambda xp, x, w: xp.bincount(x, weights=w), COUNTS, A),
    "broadcast_arrays": (A, np.float32(2), B[:, None]),
    "clip": (A, B, C),
    "concat": (lambda xp, *arrays: xp.concat(arrays), A, B, C),
    "concat of one axis": (lambda xp, *arrays: xp.concat(arrays, axis=None), A, MATRIX),
    "cross": (lambda xp, x, y: xp.linalg.cross(x, y), A, B),
    "diff": (lambda xp, x, y, z: xp.diff(x, prepend=y, append=z), A, B, C),
    "digitize": (A, np.sort(B)),
    "extract": (FLAGS, A),
    "histogram": (lambda xp, x, b, w: xp.histogram(x, b, weights=w)[0], A, np.sort(B), C),
    "interp": (A, np.sort(B), C),
    "isclose": (A, B),
    "isin": (A, B),
    "linalg.solve": (lambda xp, x, y: xp.linalg.solve(x, y), MATRIX, MATRIX),
    "linalg.solve of a vector": (lambda xp, x, y: xp.linalg.solve(x, y), MATRIX, A[:2]),
    "linalg.vecdot": (lambda xp, x, y: xp.linalg.vecdot(x, y), A, B),
    "matmul": (MATRIX, MATRIX),
    "meshgrid": (lambda xp, *arrays: usm.meshgrid(*arrays), A, B),
    "outer": (A, B),
    "repeat": (lambda xp, x, y: usm.repeat(x, y), A, COUNTS),
    "searchsorted": (np.sort(A), B),
    "searchsorted by order": (lambda xp, x, y, z: xp.searchsorted(x, y, sorter=z), A, B, ORDER),
    "stack": (lambda xp, *arrays: xp.stack(arrays, axis=1), A, B, C),
    "take": (lambda xp, x, y: usm.take(x, y), A, PLACES),  # NumPy asks the first operand only
    "take_along_axis": (A, PLACES),
    "tensordot": (lambda xp, x, y: xp.tensordot(x, y, axes=1), MATRIX, MATRIX),
    "vecdot": (A, B),
    "where": (FLAGS, A, B),
}


def call_of(name):
    """A function of a namespace and arrays, and NumPy's arrays."""
    first, *arrays = TOGETHER[name]
    if callable(first):
        return first, arrays
    return lambda xp, *arrays: getattr(xp, name)(*arrays), [first, *arrays]


@pytest.mark.parametrize("name", TOGETHER)
@pytest.mark.parametrize("xp", [usm, np], ids=["usmtensor", "numpy"])
def test_numpy_arrays_beside_arrays_are_copied_to_their_queue(name, xp, queue, usm_kind):
    if "linalg.solve" in name:
        skip_without_library(queue)
    function, arrays = call_of(name)
    place = {"sycl_queue": queue, "usm_type": usm_kind}
    ours = [usm.asarray(x, **place) for x in arrays]
    expected = function(usm, *ours)
    for is_ours in itertools.product([True, False], repeat=len(arrays)):
        if not any(is_ours):
            continue
        mixed = [x if k else y for k, x, y in zip(is_ours, ours, arrays, strict=True)]
        result = function(xp, *mixed)
        assert type(result) is type(expected)
        pairs = [(result, expected)]
        if isinstance(result, tuple):
            pairs = zip(result, expected, strict=True)
        for x, y in pairs:
            assert_same(x, usm.asnumpy(y))
            assert x.sycl_queue == queue and x.usm_type == usm_kind


@pytest.mark.parametrize("name", sorted(TOGETHER.keys() - {"broadcast_arrays"}))
def test_numpy_arrays_alone_are_refused(name):
    function, arrays = call_of(name)
    with pytest.raises((TypeError, usm.ExecutionPlacementError)):
        function(usm, *arrays)


@pytest.mark.parametrize("stack", [np.hstack, np.vstack, np.concatenate, np.stack])
def test_numpys_functions_of_sequences_take_both_kinds_of_arrays(stack, queue):
    x = usm.asarray(A, sycl_queue=queue)
    for arrays in ([x, B], [B, x], (B, x, C)):
        expected = stack([A if y is x else y for y in arrays])
        assert_same(stack(arrays), expected)
    assert_same(np.atleast_2d(B, x)[0], np.atleast_2d(B))


def test_placed_values_of_numpy(queue):
    x = usm.asarray(A, sycl_queue=queue)
    usm.place(x, FLAGS, B)
    assert_same(x, np.array([4, 1, 0], "f4"))
    with pytest.raises(TypeError, match="place: arr is of type ndarray"):
        usm.place(A, usm.asarray(FLAGS, sycl_queue=queue), B)


def test_arrays_of_types_that_arrays_cannot_have_are_named(queue):
    x = usm.asarray(A, sycl_queue=queue)
    for wrong in (np.array(["a"]), np.array([None]), np.datetime64("2000")):
        with pytest.raises(TypeError, match="concat: one of arrays is of data type"):
            usm.concat([x, wrong])


# Masks: no use of a masked array loses them.

MASKED = {
    "masked": np.ma.array([1, 2, 0], mask=[0, 1, 0]),
    "without masked elements": np.ma.array([1, 2, 0]),
    "one element": np.ma.array(1, mask=True),
    "constant": np.ma.masked,
}
USES = {
    "asarray": lambda x, m: usm.asarray(m),
    "asarray of a type": lambda x, m: usm.asarray(m, dtype="f4"),
    "asarray of a sequence": lambda x, m: usm.asarray([m, m]),
    "asarray of a sequence with arrays": lambda x, m: usm.asarray([m, x[:3]]),
    "from_numpy": lambda x, m: usm.from_numpy(m),
    "full": lambda x, m: usm.full(3, m),
    "full of a type": lambda x, m: usm.full(3, m, dtype="f4"),
    "full_like": lambda x, m: usm.full_like(x[:3], m),
    "operator": lambda x, m: x[:3] + m,
    "function": lambda x, m: usm.add(x[:3], m),
    "value": lambda x, m: x[:3].__setitem__(..., m),
    "value in a sequence": lambda x, m: x[:2].__setitem__(..., [m, m]),
    "value at indices": lambda x, m: x.__setitem__([0, 1, 2], m),
    "value at a mask": lambda x, m: x.__setitem__(x < 3, m),
    "value of put": lambda x, m: usm.put(x, usm.asarray([0, 1, 2]), m),
    "index": lambda x, m: x[m],
    "index in a tuple": lambda x, m: x[None][0, m],
    "index of an assignment": lambda x, m: x.__setitem__(m, 1),
    "index of take": lambda x, m: usm.take(x, m),
    "index of put": lambda x, m: usm.put(x, m, 1),
    "repeats": lambda x, m: usm.repeat(x[:3], m),
    "clip": lambda x, m: usm.clip(x[:3], m),
}
NUMBERS = {
    "arange": lambda x, m: usm.arange(m),
    "linspace": lambda x, m: usm.linspace(0, m, 3),
    "shift": lambda x, m: usm.roll(x, m),
    "slice": lambda x, m: x[m:],
    "slice of an assignment": lambda x, m: x.__setitem__(slice(None, m), 1),
    "shape": lambda x, m: usm.zeros(m),
    "extent": lambda x, m: usm.zeros((2, m)),
    "reshape": lambda x, m: usm.reshape(x, (m, -1)),
    "axis": lambda x, m: usm.flip(usm.ones((2, 2)), axis=m),
    "number of elements": lambda x, m: usm.linspace(0, 1, m),
    "rtol": lambda x, m: usm.isclose(x, x, rtol=m),
    "correction": lambda x, m: usm.var(x, correction=m),
    "size": lambda x, m: usm.random.default_rng(1).random(m),
    "seed": lambda x, m: usm.random.default_rng(m),
    "list of isin": lambda x, m: usm.isin(x, [m, m]),
    "list of NumPy's isin": lambda x, m: np.isin(x, [m, m]),
    "list of weights": lambda x, m: usm.average(x[:2], weights=[m, m]),
    "from_dlpack": lambda x, m: usm.from_dlpack(m),
    "copy_from_host": lambda x, m: x.usm_data.copy_from_host(m),
    "memory": lambda x, m: usm.memory.MemoryUSMDevice(m),
    "memcpy": lambda x, m: x.sycl_queue.memcpy(x.usm_data, m, 1),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("array", MASKED)
def test_masked_arrays_are_refused(x, array, use):
    before = usm.asnumpy(x)
    with pytest.raises(TypeError, match=r"filled\(\)"):
        USES[use](x, MASKED[array])
    assert_same(x, before)


@pytest.mark.parametrize("use", NUMBERS)
@pytest.mark.parametrize("array", MASKED)
def test_masked_numbers_are_refused(x, array, use):
    before = usm.asnumpy(x)
    with pytest.raises(TypeError):
        NUMBERS[use](x, MASKED[array])
    assert_same(x, before)


@pytest.mark.parametrize("operate", [np.add, np.multiply, np.equal])
def test_numpy_reads_arrays_that_follow_a_masked_array(operate):
    """It does not ask usmtensor: shared memory is a buffer, and memory of the device is none."""
    masked, values = MASKED["masked"], [1.0, 2, 3]
    symbol = {np.add: "__add__", np.multiply: "__mul__", np.equal: "__eq__"}[operate]
    shared = getattr(masked, symbol)(usm.asarray(values, usm_type="shared"))
    assert type(shared) is np.ma.MaskedArray
    assert shared.tolist() == getattr(masked, symbol)(np.array(values)).tolist()
    with pytest.raises(TypeError):
        masked + usm.asarray(values)


@pytest.mark.parametrize("function", [usm.place, usm.where])
def test_functions_of_arrays_alone_refuse_masked_arrays(x, function):
    with pytest.raises(TypeError, match="MaskedArray"):
        function(MASKED["masked"], x[:3], x[:3])
    with pytest.raises(TypeError, match="MaskedArray"):
        function(x[:3], MASKED["masked"], x[:3])


def test_filled_arrays_are_taken(x):
    filled = MASKED["masked"].filled(3)
    x[:3] = filled
    assert_same(x, np.array([1.0, 3, 0, 3]))
    assert_same(x[filled], np.array([3.0, 3, 1]))


# Other subclasses: host data as values and indices, no operands


def test_matrices(x):
    values = np.ones((1, 3), "i4").view(np.matrix)
    assert_same(usm.asarray(values), np.ones((1, 3), "i4"))
    assert_same(x[values], np.array([[1.0, 1, 1]]))
    x[:3] = values
    assert_same(x, np.array([1.0, 1, 1, 3]))
    for call in (lambda: x[:3] + values, lambda: values + x[:3], lambda: usm.add(x[:3], values)):
        with pytest.raises(TypeError, match=r"numpy\.asarray\(\)"):
            call()


def test_records(x):
    values = np.rec.array([(1, 2), (3, 4)])
    for call in (
        lambda: usm.asarray(values),
        lambda: x.__setitem__(slice(2), values),
        lambda: x[:2] + values,
    ):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(IndexError):
        x[values]


# Numbers


@pytest.mark.parametrize(
    "number",
    [
        ctypes.c_int16(3),
        memoryview(ctypes.c_int16(3)),
        memoryview(np.array(3, "i2")),
        np.array(3, "i2"),
        np.int16(3),
    ],
    ids=lambda number: type(number).__name__,
)
def test_buffers_of_no_dimensions_are_numbers(x, number):
    assert_same(usm.arange(number), np.arange(3))
    assert_same(usm.arange(0, 7, number), np.arange(0, 7, 3))
    assert_same(usm.linspace(0, number, 4), np.linspace(0, 3, 4))
    assert_same(usm.full(2, number), np.full(2, 3, "i2"))
    assert_same(usm.asarray(number), np.array(3, "i2"))
    assert usm.result_type(number, usm.int8) == np.int16
    assert usm.result_type(x, number) == np.float64
    assert usm.can_cast(number, usm.int32)
    whole = usm.astype(x, "i1")
    assert_same(whole + number, np.arange(4, dtype="i2") + np.int16(3))
    whole[0] = number
    assert_same(whole, np.array([3, 1, 2, 3], "i1"))
    assert_same(usm.where(whole > 2, number, whole), np.array([3, 1, 2, 3], "i2"))


INTEGERS = {
    "slice": lambda x, n: x[n : n + 1 if isinstance(n, int) else None],
    "index": lambda x, n: x[n],
    "index in a list": lambda x, n: x[[n, 0]],
    "index of take": lambda x, n: usm.take(x, n),
    "item": lambda x, n: x.item(n),
    "shift": lambda x, n: usm.roll(x, n),
    "axis": lambda x, n: usm.expand_dims(x, axis=n),
    "shape": lambda x, n: usm.zeros((n, 2)),
    "extent": lambda x, n: usm.ones(n),
    "reshape": lambda x, n: usm.reshape(x, (n, -1)),
    "number of elements": lambda x, n: usm.linspace(0, 1, n),
    "repeats": lambda x, n: usm.repeat(x, n),
    "size": lambda x, n: usm.random.default_rng(1).random(n),
    "seed": lambda x, n: usm.random.default_rng(n).random(3),
    "diagonal": lambda x, n: usm.eye(3, k=n),
}
REALS = {
    "rtol": lambda x, n: usm.isclose(x, x[::-1], rtol=n),
    "nan": lambda x, n: usm.nan_to_num(x / 0, nan=n),
    "correction": lambda x, n: usm.var(x, correction=n),
    "range": lambda x, n: usm.histogram(x, bins=3, range=(n, 3))[1],
    "list": lambda x, n: usm.asarray([n, n]),
    "list in a list": lambda x, n: usm.asarray([[n, 2], [x[0], n]]),
    "value in a list": lambda x, n: assigned(x, [n, n, 2, 3]),
    "value": lambda x, n: assigned(x, n),
    "list of operands": lambda x, n: usm.average(x, weights=[n, n, 2, 3]),
}


def assigned(x, value):
    x[...] = value
    return x


@pytest.mark.parametrize("use", [*INTEGERS, *REALS])
@pytest.mark.parametrize(
    "number", [ctypes.c_int16(1), memoryview(ctypes.c_uint8(1)), ctypes.c_double(1)], ids=name_of
)
def test_buffers_of_no_dimensions_count_as_numpy_scalars(x, use, number):
    scalar = np.asarray(memoryview(number))[()]
    run = INTEGERS.get(use) or REALS[use]
    if use in INTEGERS and scalar.dtype.kind == "f":
        with pytest.raises((TypeError, IndexError)):
            run(x, number)
        return
    expected = usm.asnumpy(usm.asarray(run(usm.copy(x), scalar)))
    assert_same(usm.asarray(run(usm.copy(x), number)), expected)


def test_flags_may_be_bools_of_ctypes(x):
    assert usm.sum(x, keepdims=ctypes.c_bool(True)).shape == (1,)
    with pytest.raises(TypeError, match="keepdims"):
        usm.sum(x, keepdims=ctypes.c_int(1))


@pytest.mark.parametrize(
    "number",
    [ctypes.c_longdouble(1), ctypes.c_wchar("a"), ctypes.c_void_p(3), ctypes.py_object(1)],
    ids=lambda number: type(number).__name__,
)
def test_buffers_of_other_types_are_named(x, number):
    if type(number) is ctypes.c_longdouble and np.dtype(np.longdouble).itemsize == 8:
        pytest.skip("it is a double")
    for use in (
        usm.asarray,
        usm.arange,
        lambda n: usm.asarray([n]),
        lambda n: usm.asarray((type(n) * 2)()),
        lambda n: usm.full(2, n),
        lambda n: usm.add(x, n),
        lambda n: usm.result_type(x, n),
        lambda n: usm.can_cast(n, "f8"),
        lambda n: x[n],
        lambda n: assigned(x, n),
        lambda n: assigned(x, [n]),
    ):
        with pytest.raises(TypeError, match="of a type that arrays cannot have"):
            use(number)


@pytest.mark.parametrize("buffer", [b"5", bytearray(b"5"), memoryview(b"5"), ctypes.c_char(b"5")])
def test_other_buffers_are_no_numbers(buffer):
    with pytest.raises(TypeError, match="arange: stop"):
        usm.arange(buffer)
