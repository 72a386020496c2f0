"""The array: its class, views, copies and operands of functions."""
