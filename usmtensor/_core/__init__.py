"""The array class, views, copies, and operands of functions."""
