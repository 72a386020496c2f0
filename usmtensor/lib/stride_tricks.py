"""Views by strides, as in numpy.lib.stride_tricks."""

from usmtensor._composed.shapes import as_strided, sliding_window_view

__all__ = ["as_strided", "sliding_window_view"]
