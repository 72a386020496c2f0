"""Functions of `usmtensor.linalg`."""
