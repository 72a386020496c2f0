"""Helpers for tests of functions that call a library."""

import os
import subprocess
import sys

import numpy as np
import pytest

import usmtensor as usm

TOLERANCES = {"f": 2e-4, "F": 2e-4, "d": 1e-11, "D": 1e-11}


def skip_without_library(place):
    """For functions of LAPACK."""
    try:
        usm.linalg.inv(usm.ones((1, 1), dtype="f4", device=place))
    except NotImplementedError:
        pytest.skip("the device has no library")


def skip_without_numpy(place):
    """For limits and abilities of NumPy's library."""
    skip_without_library(place)
    if os.environ.get("USMTENSOR_LIBRARIES") == "onemkl":
        pytest.skip("NumPy may not compute")


def random_numbers(shape, dtype, seed=0):
    """Random numbers, whose matrices are usually well conditioned."""
    random = np.random.default_rng(seed)
    values = random.normal(size=shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * random.normal(size=shape)
    return values.astype(dtype)


def assert_close(x, expected, dtype=None):
    """Equal shapes and types, values within the precision of the type."""
    assert isinstance(x, usm.usm_ndarray)
    expected = np.asarray(expected)
    assert x.shape == expected.shape and x.dtype == (dtype or expected.dtype)
    limit = TOLERANCES[x.dtype.char] * max(1, np.abs(expected).max(initial=0))
    np.testing.assert_allclose(usm.asnumpy(x), expected, rtol=0, atol=limit)


def run(code, **variables):
    """Runs a program, which must succeed."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout
