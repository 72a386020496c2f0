"""Linear algebra: the extension `linalg` of the array API standard.

Functions that need a library raise NotImplementedError on devices without one. All other functions
run on any device.

Examples
--------
>>> import usmtensor as usm
>>> a, b = usm.asarray([[2.0, 0.0], [0.0, 4.0]]), usm.asarray([2.0, 2.0])
>>> usm.linalg.solve(a, b)
usm_ndarray([1. , 0.5])
"""

from typing import TYPE_CHECKING, Any

import numpy
from numpy.linalg import LinAlgError

from usmtensor._core import hints as _hints
from usmtensor._functions.manipulation import matrix_transpose
from usmtensor._functions.products import matmul, outer, tensordot, vecdot
from usmtensor._libraries.dispatch import backend_name
from usmtensor._linalg.decompositions import (
    EighResult,
    EigResult,
    QRResult,
    SlogdetResult,
    SVDResult,
    cholesky,
    det,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    inv,
    matrix_rank,
    pinv,
    qr,
    slogdet,
    solve,
    svd,
    svdvals,
)
from usmtensor._linalg.equations import lstsq, multi_dot, tensorinv, tensorsolve
from usmtensor._linalg.matrices import cross, diagonal, matrix_power, trace
from usmtensor._linalg.norms import cond, matrix_norm, norm, vector_norm
from usmtensor._runtime.device import normalize_queue

__all__ = ["EigResult", "EighResult", "LinAlgError", "QRResult", "SVDResult", "SlogdetResult"]
__all__ += ["backend", "cholesky", "cond", "cross", "det", "diagonal", "eig", "eigh", "eigvals"]
__all__ += ["eigvalsh", "inv", "lstsq", "matmul", "matrix_norm", "matrix_power", "matrix_rank"]
__all__ += ["matrix_transpose", "multi_dot", "norm", "outer", "pinv", "qr", "slogdet", "solve"]
__all__ += ["svd", "svdvals", "tensordot", "tensorinv", "tensorsolve", "trace", "vecdot"]
__all__ += ["vector_norm"]

if not TYPE_CHECKING:  # with __getattr__, type checkers would accept any name
    __getattr__, __dir__ = _hints.of_module("usmtensor.linalg", library=numpy.linalg)


def backend(device: Any = None) -> str | None:
    """Return the name of the library for a device.

    Parameters
    ----------
    device : Device, SyclQueue, SyclDevice, usm_ndarray's `device` or filter string, optional
        Default: the default device.

    Returns
    -------
    str or None
        "onemkl" for a CPU or an Intel GPU if the extra `mkl` is installed, otherwise "numpy" for a
        CPU. None: functions that need a library raise NotImplementedError.

    Notes
    -----
    `usmtensor.fft` also uses this library. On a CPU, NumPy computes small operands and functions
    that it computes faster. On a GPU, oneMKL has no `eig`. `USMTENSOR_LIBRARIES` restricts calls to
    one library.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.linalg.backend() in ("numpy", "onemkl", None)
    True
    """
    return backend_name(normalize_queue("backend", device, None))
