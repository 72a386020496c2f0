"""Copies larger than the caches, which have their own loops: equal to NumPy's for every layout."""

import numpy as np
import pytest

import usmtensor as usm

pytestmark = pytest.mark.any_memory

SIZE = 3 << 20  # elements: 16 MB and more for types of eight bytes and their casts


def base(dtype, count=SIZE):
    values = np.arange(count) % 251
    return values.astype(dtype) + (1j * (values % 7) if np.dtype(dtype).kind == "c" else 0)


LAYOUTS = {
    "contiguous": lambda a: a,
    "every other": lambda a: a[::2],
    "every third from the end": lambda a: a[::-3],
    "reversed": lambda a: a[::-1],
    "shifted": lambda a: a[1:-2],
    "transpose": lambda a: a.reshape(1536, 2048).T,
    "odd transpose": lambda a: a[: 1531 * 2039].reshape(1531, 2039).T,
    "pairs apart": lambda a: a.reshape(-1, 2).T,
    "triples apart": lambda a: a.reshape(-1, 3).T,
    "triples together": lambda a: a.reshape(3, -1).T,
    "five together": lambda a: a[: a.size // 5 * 5].reshape(5, -1).T,
    "padded rows": lambda a: a.reshape(-1, 256)[:, :200],
    "rows of three": lambda a: a.reshape(-1, 4)[:, :3],
    "many dimensions": lambda a: a.reshape(16, 16, 16, 16, 48).transpose(4, 2, 0, 3, 1),
    "six dimensions": lambda a: a.reshape(8, 16, 8, 16, 4, 48).transpose(1, 5, 3, 0, 2, 4),
}
CASTS = [("f8", "f8"), ("f4", "f8"), ("u1", "c16"), ("c16", "i8")]


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS.keys())
@pytest.mark.parametrize(("source", "target"), CASTS)
def test_large_copies(queue, layout, source, target):
    host = base(source)
    x = usm.asarray(host, sycl_queue=queue)
    # The view of the device's array, by its strides.
    view = layout(host)
    offset = view.__array_interface__["data"][0] - host.__array_interface__["data"][0]
    strides = tuple(stride // host.itemsize for stride in view.strides)
    seen = usm.usm_ndarray(view.shape, source, strides, x, offset // host.itemsize)
    kept = view.real if view.dtype.kind == "c" and np.dtype(target).kind != "c" else view
    expected = kept.astype(target)
    into = usm.full(view.shape, 9, dtype=target, sycl_queue=queue)
    into[...] = seen
    np.testing.assert_array_equal(usm.asnumpy(into), expected)
    behind = usm.full(view.size + 1, 9, dtype=target, sycl_queue=queue)
    unaligned = usm.reshape(behind[1:], view.shape)
    unaligned[...] = seen
    np.testing.assert_array_equal(usm.asnumpy(unaligned), expected)
    assert usm.asnumpy(behind[0]) == 9


@pytest.mark.parametrize("dtype", ["u1", "f4", "c16"])
def test_large_broadcast_and_fill(queue, dtype):
    row = base(dtype, 4096)
    x = usm.asarray(row, sycl_queue=queue)
    into = usm.zeros((5000, 4096), dtype=dtype, sycl_queue=queue)
    into[...] = x
    np.testing.assert_array_equal(usm.asnumpy(into), np.broadcast_to(row, into.shape))
    into[:, 1:-1] = 3
    expected = np.broadcast_to(row, into.shape).copy()
    expected[:, 1:-1] = 3
    np.testing.assert_array_equal(usm.asnumpy(into), expected)


def test_pieces_of_temporaries(queue):
    """Strided operands of functions that are slow in rows, of more elements than one temporary."""
    rows, columns = 4099, 4111
    host = np.arange(rows * columns * 2, dtype="i4").reshape(rows, columns * 2)
    x = usm.asarray(host, sycl_queue=queue)[:, ::2]
    row = usm.asarray(np.arange(1, columns + 1, dtype="i4"), sycl_queue=queue)[::-1]
    expected = host[:, ::2] % np.arange(columns, 0, -1, dtype="i4")
    np.testing.assert_array_equal(usm.asnumpy(x % row), expected)
    into = usm.zeros((columns, rows), dtype="i4", sycl_queue=queue)
    usm.remainder(x, row, out=into.T)
    np.testing.assert_array_equal(usm.asnumpy(into.T), expected)
    x %= row
    np.testing.assert_array_equal(usm.asnumpy(x), expected)
