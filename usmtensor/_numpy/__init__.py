"""NumPy's interface: methods of arrays, and NumPy functions on arrays."""
