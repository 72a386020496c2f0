"""A short test of an installed wheel: `python .ci/smoke.py`. No compiler is within reach."""

import os
import sys
import time

os.environ["PATH"] = ""
begin = time.perf_counter()

import numpy as np  # noqa: E402

import usmtensor as usm  # noqa: E402

usm.lsplatform()
x = usm.asarray(np.arange(12, dtype="f4").reshape(3, 4))
y = usm.sqrt(x[:, ::2].T) + 0.5
assert np.allclose(usm.asnumpy(y), np.sqrt(np.arange(12).reshape(3, 4)[:, ::2].T) + 0.5)
assert float(usm.sum(usm.ones(3_000_000, dtype="f4"))) == 3_000_000
assert usm.asnumpy(usm.sort(usm.asarray([3, 1, 2]))).tolist() == [1, 2, 3]
# The runtime's compiler compiles this kernel in memory.
double = usm.fuse(lambda x: 2 * x)
assert double(x)[2, 3].item() == 22
seconds = time.perf_counter() - begin
print(f"usmtensor {usm.__version__}, Python {sys.version.split()[0]}: works, {seconds:.1f} s")
