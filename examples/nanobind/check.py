"""Compares the example with NumPy."""

import histogram
import numpy as np

import usmtensor as usm

host = np.random.default_rng(1).integers(0, 256, (8, 500), dtype="u1")
image = usm.asarray(host, usm_type="host")
for part in (np.s_[:], np.s_[::-1, ::3], np.s_[1:1]):
    counts = usm.zeros((host[part].shape[0], 256), dtype="i8", usm_type="host")
    counts.sycl_queue.wait()
    histogram.count_bytes(image[part], counts)
    expected = [np.bincount(row, minlength=256) for row in host[part]]
    np.testing.assert_array_equal(usm.asnumpy(counts), np.reshape(expected, (-1, 256)))

counts = usm.zeros((8, 256), dtype="i8", usm_type="host")
read_only = usm.broadcast_to(counts[0], (8, 256))
for arguments, error in (
    ((image, counts[:3]), ValueError),
    ((image, read_only), TypeError),
    ((image[0], counts), TypeError),
    ((host, counts), TypeError),
    ((counts, counts), TypeError),
):
    try:
        histogram.count_bytes(*arguments)
    except error:
        pass
    else:
        raise AssertionError(f"{arguments!r} were taken")
print("histograms agree with NumPy")
