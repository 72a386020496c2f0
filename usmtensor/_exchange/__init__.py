"""Interfaces for native code and for other libraries."""
