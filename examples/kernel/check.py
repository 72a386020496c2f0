"""Compares the example with NumPy."""

import heat
import numpy as np

import usmtensor as usm


def step(before, rate):
    after = before.copy()
    after[1:-1, 1:-1] += np.float32(rate) * (
        before[:-2, 1:-1]
        + before[2:, 1:-1]
        + before[1:-1, :-2]
        + before[1:-1, 2:]
        - 4 * before[1:-1, 1:-1]
    )
    return after


host = np.random.default_rng(1).random((60, 90), dtype="f4")
for queue in (usm.SyclQueue(property="in_order"), usm.SyclQueue()):
    for part in (np.s_[:], np.s_[::2, ::-1], np.s_[5:6], np.s_[3:3]):
        x = usm.asarray(host, sycl_queue=queue)[part]
        y = usm.empty(x.shape, dtype="f4", sycl_queue=queue)
        expected = host[part]
        for _ in range(10):  # alternates with commands of usmtensor, without waits
            heat.step(x, y, 0.2)
            x[...] = y
            expected = step(expected, 0.2)
        np.testing.assert_allclose(usm.asnumpy(x), expected, rtol=1e-5)

x = usm.zeros((4, 4), dtype="f4")
for wrong in (x, x[:2], usm.zeros((4, 4), dtype="i4"), usm.zeros(4, dtype="f4"), "x"):
    try:
        heat.step(x, wrong, 0.2)
    except ValueError:
        pass
    else:
        raise AssertionError(f"{wrong!r} was taken")
print("the heat equation agrees with NumPy")
