"""Argument checks, and the errors that they raise."""

cimport numpy as np
from cpython.buffer cimport PyObject_CheckBuffer
from cpython.long cimport PyLong_AsLongLongAndOverflow
from cpython.number cimport PyIndex_Check
from libc.math cimport INFINITY
from libc.stdint cimport int64_t
from libcpp.vector cimport vector
from usmtensor._native.libtensor cimport UsmKind

import operator
import reprlib

import numpy

cdef double MAX_ELEMENTS = 2.0 ** 59

cdef tuple _KIND_NAMES = ("unknown", "device", "shared", "host")


cdef str kind_name(UsmKind kind):
    return _KIND_NAMES[<int>kind]


cpdef int one_of(object value, tuple words, str function, str argument) except -1:
    """Return the index of a word among the words that an argument accepts."""
    cdef int k
    require(value, str, function, argument)
    for k in range(<int>len(words)):
        if value == words[k]:
            return k
    *others, last = [repr(word) for word in words]
    raise wrong_value(value, function, argument, f"{', '.join(others)} or {last}")


cdef UsmKind kind_of_word(object word, str function) except *:
    """Return the USM kind that a `usm_type` keyword names."""
    return <UsmKind>(1 + one_of(word, ("device", "shared", "host"), function, "usm_type"))


cdef char order_char(object order, str function) except 0:
    """Return the letter of an `order` keyword: C, F, A or K. None is K, as in NumPy."""
    if order == "K" or order is None:  # the most frequent defaults first
        return b"K"
    if order == "C":
        return b"C"
    require(order, str, function, "order")
    if len(order) != 1 or order not in "CFAKcfak":
        raise wrong_value(order, function, "order", "'C', 'F', 'A' or 'K'")
    return ord(order.upper())


cdef bint is_true(object flag, str argument, str function) except -1:
    """Return the value of a bool keyword."""
    if flag is True:
        return True
    if flag is False:
        return False
    given = plain_number(flag, function)
    if isinstance(given, int) or type(given) is numpy.bool_:
        return bool(given)
    raise TypeError(f"{function}: {argument} is {short_repr(flag)}; expected a bool")


cpdef object wrong_type(object value, str function, str argument, str expected):
    name = type(value).__name__
    if name.startswith("Sycl") and name in expected \
            and not type(value).__module__.startswith("usmtensor."):  # dpctl's class
        expected += f" of usmtensor: usmtensor.{name}(...) takes the object"
        name = f"{type(value).__module__}.{name}"
    elif ("usm_ndarray" in expected or expected in ("an array", "an array or a number")) \
            and type(value) in (bool, int, float, complex, list, tuple, range):
        expected += "; usmtensor.asarray makes one"
    elif name == "Traced":
        expected += "; fuse takes elementwise functions, slices and reductions"
    return TypeError(f"{function}: {argument} is of type {name}; expected {expected}")


class _Short(reprlib.Repr):
    def repr_int(self, value, level):
        bits = value.bit_length()
        return repr(value) if bits <= 128 else f"about {'-' * (value < 0)}2**{bits - 1}"


_short = _Short()
_short.maxtuple = 64  # as NumPy's axes
_short.maxstring = _short.maxother = 200


cpdef str short_repr(object value):
    """Return repr(value), shortened if it is long."""
    try:
        return _short.repr(value)
    except Exception:  # repr() of user objects may raise anything
        return f"of type {type(value).__name__}"


cpdef object wrong_value(object value, str function, str argument, str expected):
    return ValueError(f"{function}: {argument} is {short_repr(value)}; expected {expected}")


cpdef object require(object value, object kind, str function, str argument, str expected=None):
    """Return the value if it is an instance of a type, or of a type in a tuple."""
    if not isinstance(value, kind):
        raise wrong_type(value, function, argument, expected or kind.__name__)
    return value


def require_all(values, type kind, str function, str argument):
    """Return the values if they are a list or tuple of instances of a type."""
    require(values, (list, tuple), function, argument, f"list or tuple of {kind.__name__}")
    for value in values:
        require(value, kind, function, f"an element of {argument}")
    return values


cdef object as_int(object value):
    """Return an integer as a plain int, so that no method of the caller's class runs later."""
    return value if type(value) is int else \
        int.__index__(operator.index(plain_number(value, "")))


cpdef object integer(object value, str function, str argument, str expected="an integer"):
    try:
        return as_int(value)
    except TypeError:
        raise wrong_type(value, function, argument, expected) from None


cpdef object natural(object value, str function, str argument, str expected="an integer"):
    """Return a non-negative integer."""
    value = integer(value, function, argument, expected)
    if value < 0:
        raise wrong_value(value, function, argument, "0 or more")
    return value


cpdef object number(object value, str function, str argument):
    """Return a real number as a float."""
    try:
        # `+ 0` rejects strings, which float() would parse.
        return float(plain_number(value, function) + 0)
    except (TypeError, ValueError):
        raise wrong_type(value, function, argument, "a number") from None
    except OverflowError:
        raise OverflowError(f"{function}: {argument} is {short_repr(value)}; expected a number "
                            "that float64 holds") from None


cdef int refuse_mask(object array, str function) except -1:
    """Raise for a masked array, because a conversion would silently drop the mask."""
    if type(array) is not np.ndarray and hasattr(array, "filled"):
        raise TypeError(f"{function}: {type(array).__name__} has a mask; expected an array "
                        "without one (filled() gives it)")
    return 0


cpdef object plain_array(object array, str function):
    """Return a plain ndarray, because a subclass may override shape or dtype."""
    refuse_mask(array, function)
    return array if type(array) is np.ndarray else numpy.asarray(array)


cdef object buffer_array(object buffer, str function):
    """Return a buffer as a NumPy array."""
    view = memoryview(buffer)
    try:
        array = numpy.asarray(view)
    except ValueError:  # NumPy does not have the type
        array = None
    if array is None or array.dtype == object:
        raise TypeError(f"{function}: {type(buffer).__name__} is of a type that arrays cannot have")
    return array


cpdef object plain_number(object value, str function):
    """Return a 0-D buffer, such as a ctypes number, as a NumPy scalar; other values unchanged."""
    if isinstance(value, np.ndarray):
        refuse_mask(value, function)
    elif not PyIndex_Check(value) and PyObject_CheckBuffer(value) \
            and not isinstance(value, np.generic) and memoryview(value).ndim == 0:
        return buffer_array(value, function)[()]
    return value


# Integers: shapes and strides


cdef tuple integers(object values, str function, str argument):
    """Return an integer or a sequence of integers as a tuple."""
    if type(values) is int:
        return (values,)
    if type(values) is tuple:  # the most frequent case: nothing to convert
        for value in <tuple>values:
            if type(value) is not int:
                break
        else:
            return values
    if not isinstance(values, (list, tuple)):
        if isinstance(values, np.ndarray):
            refuse_mask(values, f"{function}: {argument}")
        try:
            return (as_int(values),)
        except TypeError:  # a sequence, perhaps an array
            pass
    if isinstance(values, (str, bytes, dict, set)):
        raise wrong_type(values, function, argument, "an integer or a sequence of integers")
    try:
        return tuple([as_int(value) for value in values])
    except TypeError:
        raise TypeError(f"{function}: {argument} is {short_repr(values)}; expected an integer or a "
                        "sequence of integers") from None


cdef int parse_extents(object shape, int64_t *extents) except -2:
    """Read a shape that is an int or a tuple of at most four ints, and return its rank.

    Returns -1 for all other shapes, which shape_tuple() converts or rejects.
    """
    cdef int axis, overflow = 0, rank = 1
    cdef double size = 1
    if type(shape) is tuple:
        rank = len(<tuple>shape)
        if rank > 4:
            return -1
    elif type(shape) is not int:
        return -1
    for axis in range(rank):
        extent = (<tuple>shape)[axis] if type(shape) is tuple else shape
        if type(extent) is not int:
            return -1
        extents[axis] = PyLong_AsLongLongAndOverflow(extent, &overflow)
        if extents[axis] < 0:  # also if the extent overflows
            return -1
        size *= extents[axis] or 1
    return rank if size <= MAX_ELEMENTS else -1


cdef tuple shape_tuple(object shape, str function, str argument="shape"):
    """Return a shape, given as an integer or a sequence, as a tuple of non-negative integers."""
    cdef double size = 1, extent
    shape = integers(shape, function, argument)
    try:
        for extent in shape:
            size *= INFINITY if extent < 0 else extent or 1
    except OverflowError:  # too large for a double
        size = INFINITY
    if size > MAX_ELEMENTS:  # even if another extent is zero
        raise wrong_value(shape, function, argument, "non-negative extents that fit in memory")
    return shape


cdef tuple complete_shape(object shape, object count, str function):
    """Return a shape of `count` elements, with its -1 replaced."""
    shape = integers(shape, function, "shape")
    unknown = -1
    total = 1
    for axis, extent in enumerate(shape):
        if extent == -1 and unknown < 0:
            unknown = axis
        elif extent < 0:
            raise wrong_value(shape, function, "shape",
                              "non-negative extents and at most one -1")
        else:
            total *= extent
    if unknown >= 0:
        if total == 0:
            raise ValueError(f"{function}: shape is {short_repr(shape)}; expected no -1 next to an "
                             "extent of 0, because any number would match")
        if count % total:
            raise ValueError(f"{function}: shape {short_repr(shape)} does not hold the {count} "
                             "elements")
        shape = shape[:unknown] + (count // total,) + shape[unknown + 1:]
    elif total != count:
        raise ValueError(f"{function}: shape {short_repr(shape)} does not hold the {count} "
                         "elements")
    return shape if count else shape_tuple(shape, function)


cdef tuple strides_tuple(object strides, int ndim, str function):
    strides = integers(strides, function, "strides")
    if len(strides) != ndim:
        raise wrong_value(strides, function, "strides", f"{ndim} integers, as shape has")
    for stride in strides:
        if not -2 ** 62 <= stride < 2 ** 62:
            raise wrong_value(strides, function, "strides", "strides that fit in memory")
    return strides


cdef vector[int64_t] extents_of(tuple shape):
    cdef vector[int64_t] extents
    for extent in shape:
        extents.push_back(extent)
    return extents
