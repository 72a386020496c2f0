"""Calls of other packages' array API code with NumPy arrays and with usmtensor arrays."""

import numpy as np
from elementwise_oracle import held

import usmtensor as usm


def on_device(value, **place):
    """Converts NumPy arrays to usmtensor arrays; leaves other objects unchanged."""
    return usm.asarray(value, **place) if isinstance(value, np.ndarray) else value


def assert_agrees(function, *operands, **place):
    """A function gives usmtensor arrays for usmtensor arrays, with the values of NumPy's."""
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
