"""What all tests share: the device under test."""

import os

import pytest
from hypothesis import settings

import usmtensor as usm

settings.register_profile("usmtensor", deadline=None, print_blob=True)
settings.load_profile("usmtensor")


@pytest.fixture(scope="session")
def device():
    selector = os.environ.get("USMTENSOR_TEST_DEVICE")
    return usm.SyclDevice(selector) if selector else usm.select_default_device()


@pytest.fixture(scope="session")
def queue(device):
    return usm.get_device_cached_queue(device)


@pytest.fixture(params=["device", "shared", "host"])
def usm_kind(request, device):
    aspect = f"has_aspect_usm_{request.param}_allocations"
    if not getattr(device, aspect):
        pytest.skip(f"needs {aspect}")
    return request.param
