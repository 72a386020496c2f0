"""The part of numpy.lib that makes views.

Examples
--------
>>> import usmtensor as usm
>>> usm.lib.stride_tricks.sliding_window_view(usm.arange(4), 3)
usm_ndarray([[0, 1, 2],
             [1, 2, 3]])
"""

from usmtensor.lib import stride_tricks

__all__ = ["stride_tricks"]
