"""array-api-compat: the questions that libraries ask about arrays before they use them."""

import numpy as np
import pytest

import usmtensor as usm

compat = pytest.importorskip("array_api_compat")


@pytest.fixture
def x(queue):
    return usm.ones((2, 3), sycl_queue=queue)


@pytest.mark.shows(
    "array-api-compat",
    "from us",
    "`array_namespace(x)` is usmtensor, `device`, `to_device`, `size`",
    "none",
)
def test_the_namespace_is_found(x):
    assert compat.is_array_api_obj(x)
    assert compat.array_namespace(x) is usm
    assert compat.array_namespace(x, x[0], 1, 2.5, None) is usm
    assert compat.array_namespace(x, api_version="2024.12") is usm
    with pytest.raises(TypeError, match="Multiple namespaces"):
        compat.array_namespace(x, np.ones(2))


def test_no_special_case_applies(x):
    """None of the special cases that the package keeps for other libraries applies."""
    kinds = ["cupy", "dask", "jax", "ndonnx", "numpy", "pydata_sparse", "torch"]
    for kind in kinds:
        assert not getattr(compat, f"is_{kind}_array")(x)
        assert not getattr(compat, f"is_{kind}_namespace")(usm)


def test_arrays_are_writable(x):
    assert compat.is_writeable_array(x)


def test_devices_and_size(x, queue, device):
    assert compat.device(x) == x.device
    assert compat.to_device(x, x.device) is x or compat.to_device(x, x.device).device == x.device
    other = usm.SyclQueue(device, property="in_order")
    assert compat.to_device(x, usm.Device.create_device(other)).sycl_queue == other
    assert compat.size(x) == 6
    assert compat.size(x[:0]) == 0
    assert compat.size(x[0, 0]) == 1
