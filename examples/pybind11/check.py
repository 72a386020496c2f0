"""Compares the example with NumPy."""

import gc

import gather
import numpy as np

import usmtensor as usm

host = np.arange(60, dtype="f4").reshape(10, 6)
x = usm.asarray(host)
for part in (np.s_[:], np.s_[::2, 1:4], np.s_[::-1], np.s_[3:3], np.s_[:, 2:2]):
    y = gather.gather(x[part])
    np.testing.assert_array_equal(usm.asnumpy(y), host[part], strict=True)
    assert y.sycl_queue == x.sycl_queue
    assert y.flags.c_contiguous

x[...] = 5  # no wait for either
y = gather.gather(x)
x[...] = 7
assert np.all(usm.asnumpy(y) == 5)


def live_blocks():
    gc.collect()
    usm.memory.trim()  # also releases blocks that wait for commands
    return gather.blocks()


row = y[3]
del y
assert live_blocks() == 1
del row
assert live_blocks() == 0

for dtype in ("f4", "i4"):
    z = usm.asarray(np.arange(7, dtype=dtype), usm_type="shared")
    z.sycl_queue.wait()
    gather.flip(z)
    assert usm.asnumpy(z).tolist() == [6, 5, 4, 3, 2, 1, 0]

for function, wrong, error in (
    (gather.gather, host, TypeError),
    (gather.gather, x.T, ValueError),
    (gather.gather, x[0], ValueError),
    (gather.flip, usm.zeros(3, dtype="i8"), TypeError),
):
    try:
        function(wrong)
    except error:
        pass
    else:
        raise AssertionError(f"{function.__name__} took {wrong!r}")
print("gathered rows agree with NumPy")
