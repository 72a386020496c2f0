"""The interface of NumPy's arrays: methods, and NumPy's functions on arrays."""
