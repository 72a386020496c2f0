"""Calls of NumPy's libraries and of oneMKL."""
