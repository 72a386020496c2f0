"""Comparisons of the tests: on the host, by `asnumpy`, never by reading device memory."""

import re

import numpy as np

import usmtensor as usm


def assert_same(x, expected):
    """Same shape, dtype and values; NaNs are equal, zeros of different sign are not."""
    assert isinstance(x, usm.usm_ndarray)
    assert x.shape == expected.shape
    assert x.dtype == expected.dtype
    host = usm.asnumpy(x)
    np.testing.assert_array_equal(host, expected, strict=True)
    if expected.dtype.kind == "f":
        assert_same_signs(host, expected)
    elif expected.dtype.kind == "c":
        assert_same_signs(host.real, expected.real)
        assert_same_signs(host.imag, expected.imag)


def assert_same_signs(host, expected):
    numbers = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(host)[numbers], np.signbit(expected)[numbers])


def assert_same_strides(x, expected):
    """Same strides, in elements, on the axes where a stride means something."""
    if expected.size == 0:
        return
    for length, stride, byte_stride in zip(x.shape, x.strides, expected.strides, strict=True):
        assert length == 1 or stride * expected.itemsize == byte_stride


def shares_memory(x, y):
    """Whether the bytes between the bounds of two arrays overlap."""
    low_x, high_x = x._byte_bounds
    low_y, high_y = y._byte_bounds
    return low_x < high_y and low_y < high_x


def name_of(value):
    """A value in the name of a test, without its address, which differs between processes."""
    return re.sub(r" at 0x\w+", "", str(value))
