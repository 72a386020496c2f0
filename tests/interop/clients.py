"""Code of others that is written to the array API, called with NumPy's arrays and with ours."""

import numpy as np
from elementwise_oracle import held

import usmtensor as usm


def on_device(value, **place):
    """NumPy's arrays as ours; the rest as it is."""
    return usm.asarray(value, **place) if isinstance(value, np.ndarray) else value


def assert_agrees(function, *operands, **place):
    """A function gives arrays of ours for arrays of ours, with the values it has for NumPy's."""
    wanted = function(*operands)
    found = function(*(on_device(operand, **place) for operand in operands))
    if not isinstance(wanted, tuple | list):
        wanted, found = (wanted,), (found,)
    for x, expected in zip(found, wanted, strict=True):
        assert isinstance(x, usm.usm_ndarray)
        assert x.shape == expected.shape
        assert x.dtype == held(expected.dtype)
        tolerance = 1e-12 if x.dtype in (usm.float64, usm.complex128) else 1e-5
        np.testing.assert_allclose(usm.asnumpy(x), expected, rtol=tolerance, atol=tolerance)
