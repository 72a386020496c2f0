"""User kernels and fused functions."""
