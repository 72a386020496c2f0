"""Calls of functions that NumPy and usmtensor both have, with equal results."""

import warnings

import numpy as np
from elementwise_oracle import held

import usmtensor as usm

# The errors that NumPy raises where arguments do not fit.
ERRORS = (ValueError, TypeError, LookupError, ArithmeticError, RuntimeError)


def assert_alike(result, expected, ulps):
    """Equal structure, shapes, types and values, up to the accuracy of the type."""
    if isinstance(expected, tuple | list):
        assert isinstance(result, tuple | list) and len(result) == len(expected)
        for one, other in zip(result, expected, strict=True):
            assert_alike(one, other, ulps)
        return
    if not isinstance(result, usm.usm_ndarray):
        assert result == expected
        return
    expected = np.asarray(expected)
    assert result.shape == expected.shape
    assert result.dtype == held(expected.dtype)
    host = usm.asnumpy(result)
    if expected.dtype.kind in "biu" or ulps == 0:
        np.testing.assert_array_equal(host, expected)
        return
    scale = ulps * np.finfo(result.dtype).eps
    size = np.max(np.abs(expected[np.isfinite(expected)]), initial=1)
    np.testing.assert_allclose(host, expected, scale, scale * float(size))


def compare(queue, call, *hosts, ulps=0):
    """Calls with a namespace and arrays. If NumPy raises an error, usmtensor raises one, too."""
    compare_pairs(call, hosts, [usm.asarray(x, sycl_queue=queue) for x in hosts], ulps)


def compare_pairs(call, hosts, ours, ulps=0):
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = call(np, *hosts)
        except ERRORS as error:
            try:
                call(usm, *ours)
            except ERRORS:
                return
            raise AssertionError(f"NumPy raises {error!r}, usmtensor nothing") from error
        result = call(usm, *ours)
    assert_alike(result, expected, ulps)
