"""Queues other than the default one, for tests across queues, sub-devices and contexts."""

import os

import pytest

import usmtensor as usm

survives_forks = pytest.mark.skipif(
    not (hasattr(os, "fork") and usm.select_default_device().is_cpu),
    reason="the device's driver does not survive a fork",
)


def in_order_queue(device):
    """A new in-order queue of the device's default context."""
    return usm.SyclQueue(device, property="in_order")


def out_of_order_queue(device):
    """A new out-of-order queue of the device's default context."""
    return usm.SyclQueue(device)


def other_context_queue(device):
    """A queue of the device in a context of its own."""
    return usm.SyclQueue(usm.SyclContext(device), device)


def sub_device_queue(device):
    """A queue of a sub-device; skips if the device has none."""
    units = device.max_compute_units
    try:
        sub_devices = device.create_sub_devices(partition=max(units // 2, 1))
    except usm.SyclSubDeviceCreationError:
        pytest.skip("the device cannot be partitioned")
    return usm.SyclQueue(sub_devices[0])


PLACES = {
    "in-order": in_order_queue,
    "out-of-order": out_of_order_queue,
    "other context": other_context_queue,
    "sub-device": sub_device_queue,
}
