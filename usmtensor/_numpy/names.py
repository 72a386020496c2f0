"""NumPy's names: aliases of functions with the standard's names, NumPy's types and functions of
types, and functions with NumPy's arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Literal, SupportsIndex

import numpy
from numpy import (
    base_repr,
    binary_repr,
    bool_,
    byte,
    cdouble,
    complexfloating,
    csingle,
    double,
    dtypes,
    errstate,
    euler_gamma,
    exceptions,
    floating,
    format_float_positional,
    format_float_scientific,
    generic,
    geterr,
    half,
    index_exp,
    inexact,
    int_,
    intc,
    integer,
    intp,
    isscalar,
    issubdtype,
    iterable,
    little_endian,
    long,
    longlong,
    min_scalar_type,
    mintypecode,
    ndindex,
    number,
    promote_types,
    s_,
    seterr,
    short,
    signedinteger,
    single,
    typecodes,
    typename,
    typing,
    ubyte,
    uint,
    uintc,
    uintp,
    ulong,
    ulonglong,
    unsignedinteger,
    ushort,
)

import usmtensor._functions as usm
from usmtensor._composed.index_arrays import indices
from usmtensor._composed.joining import vstack
from usmtensor._core.array import usm_ndarray
from usmtensor._core.printing import (
    get_print_options,
    print_options,
    set_print_options,
    usm_ndarray_repr,
    usm_ndarray_str,
)
from usmtensor._core.typing import Axis, Casting, DeviceLike, DType, KeepOrder, Out, USMType, Values
from usmtensor._functions.arguments import named_in_errors, require_array, stack_sequence
from usmtensor._runtime.arguments import number as _number
from usmtensor._runtime.arguments import require as _require
from usmtensor._runtime.arguments import wrong_value
from usmtensor._runtime.queue import SyclQueue

__all__ = ["False_", "True_", "absolute", "amax", "amin", "arccos", "arccosh", "arcsin", "arcsinh"]
__all__ += ["arctan", "arctan2", "arctanh", "around", "array", "array2string", "array_repr"]
__all__ += ["array_str", "asanyarray", "asarray_chkfinite", "ascontiguousarray", "asfortranarray"]
__all__ += ["bitwise_not", "common_type", "concatenate", "conjugate", "cumprod", "cumsum", "fabs"]
__all__ += ["fix", "fromfunction", "get_printoptions", "identity", "invert", "iscomplex"]
__all__ += ["iscomplexobj", "isfortran", "isreal", "isrealobj", "left_shift", "mod", "ndarray"]
__all__ += ["ndim", "power", "printoptions", "real_if_close", "require", "right_shift", "rint"]
__all__ += ["row_stack", "set_printoptions", "shape", "size", "sort_complex", "transpose"]
__all__ += ["true_divide"]
# NumPy's own
__all__ += ["base_repr", "binary_repr", "bool_", "byte", "cdouble", "complexfloating", "csingle"]
__all__ += ["double", "dtypes", "errstate", "euler_gamma", "exceptions", "floating"]
__all__ += ["format_float_positional", "format_float_scientific", "generic", "geterr", "half"]
__all__ += ["index_exp", "inexact", "int_", "intc", "integer", "intp", "isscalar", "issubdtype"]
__all__ += ["iterable", "little_endian", "long", "longlong", "min_scalar_type", "mintypecode"]
__all__ += ["ndindex", "number", "promote_types", "s_", "seterr", "short", "signedinteger"]
__all__ += ["single", "typecodes", "typename", "typing", "ubyte", "uint", "uintc", "uintp", "ulong"]
__all__ += ["ulonglong", "unsignedinteger", "ushort"]

# The table of aliases
absolute = usm.abs
amax = usm.max
amin = usm.min
arccos = usm.acos
arccosh = usm.acosh
arcsin = usm.asin
arcsinh = usm.asinh
arctan = usm.atan
arctan2 = usm.atan2
arctanh = usm.atanh
around = usm.round
bitwise_not = usm.bitwise_invert
concatenate = usm.concat
conjugate = usm.conj
fix = usm.trunc
get_printoptions = get_print_options
invert = usm.bitwise_invert
left_shift = usm.bitwise_left_shift
mod = usm.remainder
ndarray = usm_ndarray
power = usm.pow
printoptions = print_options
right_shift = usm.bitwise_right_shift
row_stack = vstack
true_divide = usm.divide
True_ = numpy.True_
False_ = numpy.False_


@named_in_errors
def array(
    object: Values,
    dtype: DType = None,
    *,
    copy: bool | None = True,
    order: KeepOrder = "K",
    ndmin: SupportsIndex = 0,
    device: DeviceLike = None,
    usm_type: USMType | None = None,
    sycl_queue: SyclQueue | None = None,
) -> usm_ndarray:
    """Make an array from data, as `asarray`, but copy by default.

    Parameters
    ----------
    object : usm_ndarray, NumPy array, buffer, scalar, nested sequence, or other data
        As in `asarray`.
    dtype : data type, optional
        Default: the type of the data.
    copy : bool, optional
        None copies only if needed. False never copies.
    order : {"K", "C", "F", "A"}
        The memory order.
    ndmin : int
        The minimum number of dimensions. Axes of extent 1 are inserted before the others.
    device, usm_type, sycl_queue : optional
        As in `asarray`.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError, ValueError
        As from `asarray`.

    Notes
    -----
    Compatible with numpy.array.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.array([1, 2])
    >>> y = usm.array(x, ndmin=2)
    >>> y[0, 0] = 7
    >>> x, y
    (usm_ndarray([1, 2]), usm_ndarray([[7, 2]]))
    """
    x = usm.asarray(
        object,
        dtype=dtype,
        copy=copy,
        order=order,
        device=device,
        usm_type=usm_type,
        sycl_queue=sycl_queue,
    )
    return x[(None,) * (int(ndmin) - x.ndim)] if int(ndmin) > x.ndim else x


@named_in_errors
def array_repr(
    arr: usm_ndarray,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
) -> str:
    """Return the `repr` of an array: `usm_ndarray_repr` with NumPy's arguments.

    Parameters
    ----------
    arr : usm_ndarray
    max_line_width, precision, suppress_small : optional
        `line_width`, `precision` and `suppress` of `usm_ndarray_repr`.

    Returns
    -------
    str

    Notes
    -----
    Compatible with numpy.array_repr.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.array_repr(usm.asarray([1.25, 2.0]), precision=1)
    'usm_ndarray([1.2, 2. ])'
    """
    return usm_ndarray_repr(arr, max_line_width, precision, suppress_small)


@named_in_errors
def array_str(
    a: usm_ndarray,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
) -> str:
    """Return the `str` of an array: `usm_ndarray_str` with NumPy's arguments.

    Parameters
    ----------
    a : usm_ndarray
    max_line_width, precision, suppress_small : optional
        `line_width`, `precision` and `suppress` of `usm_ndarray_str`.

    Returns
    -------
    str

    Notes
    -----
    Compatible with numpy.array_str.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.array_str(usm.asarray([1.25, 2.0]), precision=1)
    '[1.2 2. ]'
    """
    return array2string(a, max_line_width, precision, suppress_small)


@named_in_errors
def array2string(
    a: usm_ndarray,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
    separator: str = " ",
    prefix: str = "",
    *,
    threshold: int | None = None,
    edgeitems: int | None = None,
    sign: Literal["+", "-", " "] | None = None,
    floatmode: Literal["fixed", "unique", "maxprec", "maxprec_equal"] | None = None,
    suffix: str = "",
) -> str:
    """Return the elements as text: `usm_ndarray_str` with NumPy's arguments.

    Parameters
    ----------
    a : usm_ndarray
    max_line_width, precision, suppress_small, threshold, edgeitems, sign, floatmode : optional
        `line_width`, `precision`, `suppress`, `threshold`, `edge_items`, `sign` and `floatmode` of
        `usm_ndarray_str`.
    separator, prefix, suffix : str
        As in `usm_ndarray_str`.

    Returns
    -------
    str

    Notes
    -----
    Compatible with numpy.array2string, except that it has no parameter `formatter`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.array2string(usm.arange(3), separator=", ")
    '[0, 1, 2]'
    """
    return usm_ndarray_str(
        a,
        max_line_width,
        edgeitems,
        threshold,
        precision,
        floatmode,
        suppress_small,
        sign,
        separator=separator,
        prefix=prefix,
        suffix=suffix,
    )


@named_in_errors
def asanyarray(
    a: Values,
    dtype: DType = None,
    order: KeepOrder = "K",
    *,
    device: DeviceLike = None,
    copy: bool | None = None,
) -> usm_ndarray:
    """Make an array from data: `asarray` with NumPy's arguments.

    Parameters
    ----------
    a, dtype, order, device, copy : optional
        As in `asarray`.

    Returns
    -------
    usm_ndarray

    Notes
    -----
    Compatible with numpy.asanyarray.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.asanyarray([1, 2])
    usm_ndarray([1, 2])
    """
    return usm.asarray(a, dtype=dtype, order=order, device=device, copy=copy)


@named_in_errors
def asarray_chkfinite(
    a: Values,
    dtype: DType = None,
    order: KeepOrder = "K",
    *,
    device: DeviceLike = None,
) -> usm_ndarray:
    """Make an array from data, and raise if it has infinities or NaN.

    Parameters
    ----------
    a, dtype, order, device : optional
        As in `asarray`.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    ValueError
        If an element is infinite or NaN.

    Notes
    -----
    Waits for the elements. Compatible with numpy.asarray_chkfinite.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.asarray_chkfinite([1, 2])
    usm_ndarray([1, 2])
    """
    x = usm.asarray(a, dtype=dtype, order=order, device=device)
    if not usm.all(usm.isfinite(x)):
        raise ValueError("asarray_chkfinite: a has infinities or NaN; expected finite elements")
    return x


@named_in_errors
def require(
    a: Values, dtype: DType = None, requirements: str | Sequence[str] | None = None
) -> usm_ndarray:
    """Make an array from data with a memory order; copy if needed.

    Parameters
    ----------
    a, dtype : optional
        As in `asarray`.
    requirements : str or sequence of str, optional
        "C" and "F", or "C_CONTIGUOUS" and "F_CONTIGUOUS", request an order. "W" or "WRITEABLE"
        requests a writable array. "A", "O" and "E", or "ALIGNED", "OWNDATA" and "ENSUREARRAY", are
        true for every array, after a copy for "O".

    Returns
    -------
    usm_ndarray

    Raises
    ------
    ValueError
        If a requirement is unknown, or both orders are requested.

    Notes
    -----
    Compatible with numpy.require.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.require(usm.ones((2, 3)), requirements=["F", "W"]).flags.f_contiguous
    True
    """
    given = [requirements] if isinstance(requirements, str) else list(requirements or ())
    asked = {_REQUIREMENTS.get(one.upper()) if isinstance(one, str) else None for one in given}
    if None in asked or {"C", "F"} <= asked:
        expected = "C or F, A, O, W and E"
        raise wrong_value(requirements, "require", "requirements", expected)
    order: Any = "C" if "C" in asked else "F" if "F" in asked else "K"
    x = usm.asarray(a, dtype=dtype, order=order)
    is_own = "O" not in asked or x is not a
    return x if is_own and (x.flags.writable or "W" not in asked) else usm.copy(x, order=order)


_REQUIREMENTS = {
    name: name[0]
    for name in (
        *("C", "F", "A", "O", "W", "E", "C_CONTIGUOUS", "F_CONTIGUOUS", "CONTIGUOUS"),
        *("FORTRAN", "ALIGNED", "OWNDATA", "WRITEABLE", "ENSUREARRAY"),
    )
}


@named_in_errors
def sort_complex(a: usm_ndarray) -> usm_ndarray:
    """Return the elements, sorted along the last axis, as complex numbers.

    Parameters
    ----------
    a : usm_ndarray

    Returns
    -------
    usm_ndarray
        An array of a complex type.

    Raises
    ------
    TypeError
        If `a` is not an array.
    AxisError
        If `a` is 0-D.

    Notes
    -----
    Compatible with numpy.sort_complex.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.sort_complex(usm.asarray([3, 1, 2]))
    usm_ndarray([1.+0.j, 2.+0.j, 3.+0.j])
    """
    x = require_array(a, "sort_complex")
    small = x.dtype.kind in "iu" and x.dtype.itemsize <= 2
    real = "f4" if small else "i8" if x.dtype.kind == "b" else x  # bools like wide integers
    return usm.sort(usm.astype(x, usm.result_type(real, "c8"), copy=False))


@named_in_errors
def real_if_close(a: usm_ndarray, tol: float = 100) -> usm_ndarray:
    """Return the real parts if the imaginary parts of all elements are close to zero.

    Parameters
    ----------
    a : usm_ndarray
    tol : float
        The tolerance. If it is greater than 1, it is a multiple of the type's eps.

    Returns
    -------
    usm_ndarray
        `a` itself if it is not complex or not close to real numbers.

    Raises
    ------
    TypeError
        If `a` is not an array.

    Notes
    -----
    Waits for complex elements. Compatible with numpy.real_if_close.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.real_if_close(usm.asarray([1 + 1e-15j, 2]))
    usm_ndarray([1., 2.])
    """
    x = require_array(a, "real_if_close")
    if x.dtype.kind != "c":
        return x
    given = _number(tol, "real_if_close", "tol")
    most = given * float(usm.finfo(x.dtype).eps) if given > 1 else given
    return usm.real(x) if usm.all(usm.abs(usm.imag(x)) < most) else x


@named_in_errors
def ascontiguousarray(a: Values, dtype: DType = None, *, device: DeviceLike = None) -> usm_ndarray:
    """Return an array of one or more dimensions in C order; copy if needed.

    Parameters
    ----------
    a, dtype, device : optional
        As in `asarray`.

    Returns
    -------
    usm_ndarray

    Notes
    -----
    Compatible with numpy.ascontiguousarray.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.ascontiguousarray(usm.ones((2, 3)).T).flags.c_contiguous
    True
    """
    x = usm.asarray(a, dtype=dtype, order="C", device=device)
    return x if x.ndim else x[None]


@named_in_errors
def asfortranarray(a: Values, dtype: DType = None, *, device: DeviceLike = None) -> usm_ndarray:
    """Return an array of one or more dimensions in F order; copy if needed.

    Parameters
    ----------
    a, dtype, device : optional
        As in `asarray`.

    Returns
    -------
    usm_ndarray

    Notes
    -----
    Compatible with numpy.asfortranarray.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.asfortranarray(usm.ones((2, 3))).flags.f_contiguous
    True
    """
    x = usm.asarray(a, dtype=dtype, order="F", device=device)
    return x if x.ndim else x[None]


@named_in_errors
def identity(n: SupportsIndex, dtype: DType = None, *, device: DeviceLike = None) -> usm_ndarray:
    """Return a square matrix with ones on its diagonal and zeros elsewhere.

    Parameters
    ----------
    n : int
        The number of rows.
    dtype, device : optional
        As in `eye`.

    Returns
    -------
    usm_ndarray

    Notes
    -----
    Compatible with numpy.identity.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.identity(2)
    usm_ndarray([[1., 0.],
                 [0., 1.]])
    """
    return usm.eye(n, dtype=dtype, device=device)


def _in_line(a: usm_ndarray, axis: Axis, function: str) -> tuple[usm_ndarray, Any]:
    """Return an array and its axis; without an axis, all elements in C order along one axis."""
    require_array(a, function)
    return (usm.reshape(a, -1), 0) if axis is None else (a, axis)


@named_in_errors
def cumsum(
    a: usm_ndarray,
    axis: Axis = None,
    dtype: DType = None,
    out: Out = None,
) -> usm_ndarray:
    """Return cumulative sums along an axis: `cumulative_sum` with NumPy's arguments.

    Parameters
    ----------
    a : usm_ndarray
    axis : int, optional
        Default: `a` is flattened in C order.
    dtype : data type, optional
        As in `cumulative_sum`.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape.

    Returns
    -------
    usm_ndarray

    Notes
    -----
    Compatible with numpy.cumsum.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.cumsum(usm.asarray([[1, 2], [3, 4]]))
    usm_ndarray([ 1,  3,  6, 10])
    """
    a, axis = _in_line(a, axis, "cumsum")
    return usm.cumulative_sum(a, axis=axis, dtype=dtype, out=out)


@named_in_errors
def cumprod(
    a: usm_ndarray,
    axis: Axis = None,
    dtype: DType = None,
    out: Out = None,
) -> usm_ndarray:
    """Return cumulative products along an axis: `cumulative_prod` with NumPy's arguments.

    Parameters
    ----------
    a : usm_ndarray
    axis : int, optional
        Default: `a` is flattened in C order.
    dtype : data type, optional
        As in `cumulative_prod`.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape.

    Returns
    -------
    usm_ndarray

    Notes
    -----
    Compatible with numpy.cumprod.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.cumprod(usm.asarray([1, 2, 3]))
    usm_ndarray([1, 2, 6])
    """
    a, axis = _in_line(a, axis, "cumprod")
    return usm.cumulative_prod(a, axis=axis, dtype=dtype, out=out)


@named_in_errors
def transpose(a: Any, axes: Sequence[SupportsIndex] | None = None) -> usm_ndarray:
    """Return a view with the axes in another order.

    Parameters
    ----------
    a : usm_ndarray or sequence of usm_ndarray
        The arrays of a sequence are stacked along a new first axis.
    axes : sequence of int, optional
        The axis of `a` for each axis of the result. Default: the reverse order.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError, ValueError
        As from `permute_dims`.

    Notes
    -----
    Compatible with numpy.transpose.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.transpose(usm.ones((2, 3, 4))).shape
    (4, 3, 2)
    """
    a = require_array(stack_sequence(a), "transpose")
    return usm.permute_dims(a, tuple(range(a.ndim))[::-1] if axes is None else axes)


def _asks_back(x: Any) -> bool:
    """Return True if NumPy functions call a method of x, which calls usmtensor functions."""
    return hasattr(type(x), "__array_function__")


@named_in_errors
def ndim(a: usm_ndarray) -> int:
    """Return the number of dimensions.

    Parameters
    ----------
    a : usm_ndarray

    Returns
    -------
    int

    Notes
    -----
    Compatible with numpy.ndim, also for numbers, lists and NumPy arrays.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.ndim(usm.ones((2, 3)))
    2
    """
    return a.ndim if _asks_back(a) else numpy.ndim(a)


@named_in_errors
def shape(a: usm_ndarray) -> tuple[int, ...]:
    """Return the extents of the axes.

    Parameters
    ----------
    a : usm_ndarray

    Returns
    -------
    tuple of int

    Notes
    -----
    Compatible with numpy.shape, also for numbers, lists and NumPy arrays.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.shape(usm.ones((2, 3)))
    (2, 3)
    """
    return a.shape if _asks_back(a) else numpy.shape(a)


@named_in_errors
def size(a: usm_ndarray, axis: Axis = None) -> int:
    """Return the number of elements, or the extent of an axis.

    Parameters
    ----------
    a : usm_ndarray
    axis : int, optional

    Returns
    -------
    int

    Notes
    -----
    Compatible with numpy.size, also for numbers, lists and NumPy arrays.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.size(usm.ones((2, 3))), usm.size(usm.ones((2, 3)), 0)
    (6, 2)
    """
    if axis is None:
        return prod(shape(a))
    return shape(a)[axis]


@named_in_errors
def iscomplexobj(x: Any) -> bool:
    """Return True if the data type is complex.

    Parameters
    ----------
    x : usm_ndarray, or anything that numpy.iscomplexobj takes

    Returns
    -------
    bool

    Notes
    -----
    Compatible with numpy.iscomplexobj.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.iscomplexobj(usm.ones(2))
    False
    """
    if _asks_back(x):
        return bool(x.dtype.kind == "c")
    return bool(numpy.iscomplexobj(x))


@named_in_errors
def isrealobj(x: Any) -> bool:
    """Return True if the data type is not complex.

    Parameters
    ----------
    x : usm_ndarray, or anything that numpy.isrealobj takes

    Returns
    -------
    bool

    Notes
    -----
    Compatible with numpy.isrealobj.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.isrealobj(usm.ones(2))
    True
    """
    return not iscomplexobj(x)


def _inexact(x: Any) -> Any:
    """Convert an array or number to the floating point type of elementwise functions."""
    if not isinstance(x, usm_ndarray):
        return usm.multiply(x, 1.0)
    if x.dtype.kind in "fc":
        return x
    return usm.astype(x, usm.sqrt(usm.reshape(x, -1)[:0]).dtype, copy=False)


@named_in_errors
def fabs(
    x: Any,
    /,
    out: Out = None,
    order: KeepOrder = "K",
    *,
    where: Values = True,
    dtype: DType = None,
    casting: Casting | None = None,
) -> usm_ndarray:
    """Return the absolute values of real numbers, in a floating point type.

    Parameters
    ----------
    x : usm_ndarray
        An array of real numbers.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape.
    order, where, dtype, casting : optional
        As in `abs`.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If `x` is not an array, or is complex.

    Notes
    -----
    Compatible with numpy.fabs.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.fabs(usm.asarray([-1, 2]))
    usm_ndarray([1., 2.])
    """
    if iscomplexobj(x):
        raise TypeError("fabs: not defined for complex numbers; use abs")
    return usm.abs(_inexact(x), out, order, where=where, dtype=dtype, casting=casting)


@named_in_errors
def rint(
    x: Any,
    /,
    out: Out = None,
    order: KeepOrder = "K",
    *,
    where: Values = True,
    dtype: DType = None,
    casting: Casting | None = None,
) -> usm_ndarray:
    """Round to the nearest integers in a floating point type. Ties are rounded to even.

    Parameters
    ----------
    x : usm_ndarray
    out : usm_ndarray, optional
        An array for the result. It has the result's shape.
    order, where, dtype, casting : optional
        As in `abs`.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If `x` is not an array.

    Notes
    -----
    Compatible with numpy.rint. `round` keeps integer types.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.rint(usm.asarray([0.5, 1.5, -2.7]))
    usm_ndarray([ 0.,  2., -3.])
    """
    return usm.round(_inexact(x), out, order, where=where, dtype=dtype, casting=casting)


def _complex_parts(x: Any, function: str) -> Any:
    """Return the imaginary parts of a complex array, or None for a real array."""
    array = require_array(x, function, "x")
    return usm.imag(array) if array.dtype.kind == "c" else None


def isreal(x: usm_ndarray) -> usm_ndarray:
    """Test for each element if its imaginary part is zero.

    Parameters
    ----------
    x : usm_ndarray

    Returns
    -------
    usm_ndarray
        An array of bools.

    Raises
    ------
    TypeError
        If `x` is not an array.

    Notes
    -----
    Compatible with numpy.isreal.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.isreal(usm.asarray([1, 2j]))
    usm_ndarray([ True, False])
    """
    imaginary = _complex_parts(x, "isreal")
    return usm.ones_like(x, dtype=bool) if imaginary is None else usm.equal(imaginary, 0)


def iscomplex(x: usm_ndarray) -> usm_ndarray:
    """Test for each element if its imaginary part is not zero.

    Parameters
    ----------
    x : usm_ndarray

    Returns
    -------
    usm_ndarray
        An array of bools.

    Raises
    ------
    TypeError
        If `x` is not an array.

    Notes
    -----
    Compatible with numpy.iscomplex.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.iscomplex(usm.asarray([1, 2j]))
    usm_ndarray([False,  True])
    """
    imaginary = _complex_parts(x, "iscomplex")
    return usm.zeros_like(x, dtype=bool) if imaginary is None else usm.not_equal(imaginary, 0)


def isfortran(a: usm_ndarray) -> bool:
    """Return True if an array is in F order and not in C order.

    Parameters
    ----------
    a : usm_ndarray

    Returns
    -------
    bool

    Raises
    ------
    TypeError
        If `a` is not an array.

    Notes
    -----
    Compatible with numpy.isfortran.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.isfortran(usm.ones((2, 3)).T)
    True
    """
    return bool(require_array(a, "isfortran").flags.fnc)


@named_in_errors
def common_type(*arrays: usm_ndarray) -> Any:
    """Return the floating point type to which arrays promote.

    Parameters
    ----------
    *arrays : usm_ndarray or numpy.ndarray

    Returns
    -------
    type
        NumPy's scalar class; float64 if an array has integers.

    Raises
    ------
    TypeError
        If an argument is not an array, or is an array of bools.

    Notes
    -----
    Compatible with numpy.common_type.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.common_type(usm.ones(2, dtype="f4"), usm.ones(2, dtype="c8"))
    <class 'numpy.complex64'>
    """
    for one in arrays:
        _require(one, (usm_ndarray, numpy.ndarray), "common_type", "one of arrays", "usm_ndarray")
    return numpy.common_type(*(numpy.empty(0, one.dtype) for one in arrays))


@named_in_errors
def fromfunction(
    function: Callable[..., Any],
    shape: Sequence[SupportsIndex],
    *,
    dtype: DType = float,
    device: DeviceLike = None,
    **kwargs: Any,
) -> Any:
    """Call a function of the indices of an array, and return its result.

    Parameters
    ----------
    function : callable
        It takes an array of indices for each axis.
    shape : tuple of int
        The shape of these arrays.
    dtype : data type
        The type of these arrays.
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
        Default: the default device.
    **kwargs
        Keywords for the function.

    Returns
    -------
    object
        The result of the function.

    Raises
    ------
    TypeError
        If an extent is not an integer.

    Notes
    -----
    Compatible with numpy.fromfunction.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.fromfunction(lambda i, j: i + j, (2, 3), dtype=int)
    usm_ndarray([[0, 1, 2],
                 [1, 2, 3]])
    """
    return function(*indices(shape, dtype=dtype, device=device), **kwargs)


@named_in_errors
def set_printoptions(
    precision: int | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    suppress: bool | None = None,
    **others: Any,
) -> None:
    """Set print options for arrays: `set_print_options` with NumPy's parameter order.

    Parameters
    ----------
    precision, threshold, edgeitems, linewidth, suppress : optional
        As in `set_print_options`.
    **others
        The other options of `set_print_options`.

    Notes
    -----
    Compatible with numpy.set_printoptions.

    Examples
    --------
    >>> import usmtensor as usm
    >>> before = usm.get_printoptions()
    >>> usm.set_printoptions(3)
    >>> usm.asarray([1 / 3])
    usm_ndarray([0.333])
    >>> usm.set_printoptions(**before)
    """
    options = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems}
    options |= {"linewidth": linewidth, "suppress": suppress}
    set_print_options(**options, **others)  # type: ignore[arg-type]
