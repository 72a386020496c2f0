"""Code that runs after all functions of the namespace exist.

It gives classes the functions of modules above them, and makes array methods from a list of names.
"""

from cpython.object cimport PyObject
from cpython.type cimport PyType_Modified
from usmtensor._core.array cimport above, usm_ndarray
from usmtensor._core.operands cimport assign_value, copy_to_out
from usmtensor._core.views cimport basic_view, entry, swap_axes
from usmtensor._runtime.arguments cimport integer, require, wrong_value

from types import GenericAlias

import usmtensor._functions as usm
from usmtensor._composed import shapes as _shapes
from usmtensor._core import array as _array, copy as _copy, dlpack as _dlpack, printing as _printing
from usmtensor._functions import creation as _creation, indexing as _indexing
from usmtensor._numpy import (
    array_function as _array_function, array_methods as _array_methods, flat as _flat,
    ufunc as _ufunc, ufunc_methods as _ufunc_methods,
)
from usmtensor._runtime import memory as _memory, queue as _queue

cdef extern from "Python.h":
    ctypedef struct PyTypeObject:
        PyObject *tp_dict

    object PyInstanceMethod_New(object)

# Methods that arrays of NumPy, CuPy, MLX or torch also have.
NAMES = ("all", "any", "argmax", "argmin", "argpartition", "argsort", "astype", "choose", "clip",
         "conj", "conjugate", "cumprod", "cumsum", "diagonal", "dot", "max", "mean",
         "min", "nonzero", "prod", "ptp", "ravel", "repeat", "searchsorted", "squeeze", "std",
         "sum", "swapaxes", "trace", "var")


def reshape(x, /, *shape, order="C", copy=None):
    """Return the elements with another shape: usmtensor.reshape(x, shape, order=order, copy=copy).

    Parameters
    ----------
    *shape : int, or one tuple of int
        The extents. One of them may be -1, which is inferred from the size.
    order : {"C", "F"}
        The order in which the elements are read and written.
    copy : bool, optional
        As in `usmtensor.reshape`.

    Returns
    -------
    usm_ndarray

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.arange(6).reshape(2, 3)
    usm_ndarray([[0, 1, 2],
                 [3, 4, 5]])
    """
    return usm.reshape(x, shape[0] if len(shape) == 1 else shape, order=order, copy=copy)


def round(x, /, decimals=0, out=None, order="K"):
    """Return the elements rounded to a number of decimals. Ties are rounded to even.

    Parameters
    ----------
    decimals : int
        The number of decimals. Negative numbers round to tens, hundreds and so on.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape.
    order : {"K", "C", "F", "A"}
        The order of the axes of a new result.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If `decimals` is not an integer, or the array has bools.
    ValueError
        If `decimals` is greater than 308 or less than -308.

    Notes
    -----
    As in NumPy, elements are multiplied by a power of ten, rounded and divided by the power.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.asarray([1.234, 5.678]).round(1)
    usm_ndarray([1.2, 5.7])
    """
    decimals = integer(decimals, "round", "decimals")
    if decimals == 0 or decimals > 0 and x.dtype.kind in "iu":
        return usm.round(x, out=out, order=order)
    if not -308 <= decimals <= 308:
        raise wrong_value(decimals, "round", "decimals", "-308 to 308")
    if x.dtype.kind == "b":
        raise TypeError("round: x is of data type bool; expected numbers")
    found = _rounded(x, decimals, 10.0 ** abs(decimals))
    if out is not None:
        return copy_to_out(found, out, "round")
    return found if order == "K" else usm.copy(found, order=order)


def angle(z, deg, /, out=None, order="K"):
    """Call usmtensor.angle with NumPy's second argument."""
    found = usm.angle(z, out=out, order=order)
    return usm.multiply(found, 180 / usm.pi, out=found) if deg else found


cdef object _rounded(object x, object decimals, double scale):
    """Return the elements of a real array or traced operand, rounded to decimals."""
    dtype = x.dtype
    if dtype.kind == "c":
        found = usm.empty_like(require(x, usm_ndarray, "round", "x"))
        found.real[...] = _rounded(x.real, decimals, scale)
        found.imag[...] = _rounded(x.imag, decimals, scale)
        return found
    if decimals > 0:
        return usm.round(x * scale) / scale
    found = usm.round(x / scale) * scale
    if dtype.kind == "i":  # they wrap
        found = usm.astype(found, usm.int64)
    return usm.astype(found, dtype)


def copy(x, /, order="C"):
    """Return a copy of the array: usmtensor.copy(x, order), in C order by default, as in NumPy.

    Parameters
    ----------
    order : {"C", "K", "F", "A"}
        The order of the axes.

    Returns
    -------
    usm_ndarray

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.ones((2, 3)).T.copy().flags.c_contiguous
    True
    """
    return usm.copy(x, order)


def flatten(x, /, order="C"):
    """Return a 1-D copy of the elements.

    Parameters
    ----------
    order : {"C", "F", "A", "K"}
        The order of the elements, as in `ravel`.

    Returns
    -------
    usm_ndarray

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.asarray([[1, 2], [3, 4]]).flatten()
    usm_ndarray([1, 2, 3, 4])
    """
    if order == "K":
        x, order = _shapes.by_stride(x), "C"
    return usm.reshape(x, -1, order=order, copy=True)


def attach(namespace):
    """Give classes the functions of modules above them, which their methods call."""
    above.assign = assign_value
    above.basic_view = basic_view
    above.entry = entry
    above.swap_axes = swap_axes
    vars(_array.bodies).update(
        namespace=namespace,
        apply_function=_array_function.apply, apply_ufunc=_ufunc.apply, simple_ufuncs=_ufunc.simple,
        ufunc_methods=_ufunc_methods,
        asnumpy=_copy.asnumpy, duplicate=_copy.duplicate, to_device=_copy.to_device,
        permute_dims=usm.permute_dims, unpickle=_copy._unpickle,
        dlpack_device=_dlpack.device_of, to_dlpack=_dlpack.to_dlpack,
        from_anything=_creation.from_anything, from_sequence=_creation.from_sequence,
        zeros_like=_creation.zeros_like,
        repr=_printing.usm_ndarray_repr, str=_printing.usm_ndarray_str,
        selected=_indexing.get, set_selected=_indexing.set)
    vars(_queue.bodies).update(
        mem_advise=_memory.mem_advise, memcpy=_memory.memcpy, memcpy_async=_memory.memcpy_async,
        prefetch=_memory.prefetch)


def add_methods(namespace):
    """Gives arrays the methods of all functions that exist."""
    cdef dict members = <dict>(<PyTypeObject *>usm_ndarray).tp_dict
    for name in NAMES:
        if hasattr(namespace, name):
            members[name] = PyInstanceMethod_New(getattr(namespace, name))
    usm.round._with_second = round
    usm.angle._with_second = angle
    others = [function for function in vars(_array_methods).values()
              if getattr(function, "__module__", "") == _array_methods.__name__]
    for function in (copy, flatten, reshape, round, *others):
        members[function.__name__] = PyInstanceMethod_New(function)
    members["flat"] = property(_flat.get, _flat.set_all)
    members["__class_getitem__"] = classmethod(GenericAlias)  # for annotations
    PyType_Modified(usm_ndarray)
