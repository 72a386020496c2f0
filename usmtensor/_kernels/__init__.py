"""Kernels of users, and fused functions."""
