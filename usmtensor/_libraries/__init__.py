"""Calls of other libraries: NumPy's, oneMKL's."""
