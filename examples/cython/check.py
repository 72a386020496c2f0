"""Compares the example with NumPy."""

import moments
import numpy as np

import usmtensor as usm

x = usm.asarray(np.random.default_rng(1).normal(3, 2, 1001), usm_type="shared")
for part in (x, x[::2], x[::-3], x[:1]):
    host = usm.asnumpy(part)
    mean, variance = moments.moments(part)
    np.testing.assert_allclose([mean, variance], [host.mean(), host.var()], rtol=1e-12, atol=1e-12)

y = moments.view(x, 10, 5)
y[...] = 0  # x and y share the memory
assert usm.asnumpy(x)[10:15].tolist() == [0] * 5

for wrong, error in (("x", TypeError), (x[:, None], ValueError), (None, TypeError)):
    try:
        moments.moments(wrong)
    except error:
        pass
    else:
        raise AssertionError(f"{wrong!r} was taken")
print("moments agree with NumPy")
