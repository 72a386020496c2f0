"""Devices, queues, memory and element types: what needs no arrays."""
