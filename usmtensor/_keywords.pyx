"""What arguments are checked for, and the errors of those that are not so."""

from usmtensor._native cimport UsmKind

import operator

import numpy

cdef tuple _KIND_NAMES = ("unknown", "device", "shared", "host")


cdef str kind_name(UsmKind kind):
    return _KIND_NAMES[<int>kind]


cdef UsmKind kind_of_word(object word, str function) except *:
    """The kind that a `usm_type` keyword names."""
    if word == "device":
        return UsmKind.device
    if word == "shared":
        return UsmKind.shared
    if word == "host":
        return UsmKind.host
    require(word, str, function, "usm_type")
    raise wrong_value(word, function, "usm_type", "'device', 'shared' or 'host'")


cdef char order_char(object order, str function) except 0:
    """The letter of an `order` keyword: C, F, A or K."""
    if order == "K" or order == "k":
        return b"K"
    if order == "C" or order == "c":
        return b"C"
    if order == "F" or order == "f":
        return b"F"
    if order == "A" or order == "a":
        return b"A"
    require(order, str, function, "order")
    raise wrong_value(order, function, "order", "'C', 'F', 'A' or 'K'")


cdef bint is_true(object flag, str argument, str function) except -1:
    """The value of a keyword that takes a bool."""
    if flag is True:
        return True
    if flag is False:
        return False
    if isinstance(flag, (int, numpy.bool_)):
        return bool(flag)
    raise TypeError(f"{function}: {argument} is {flag!r}; expected a bool")


cpdef object wrong_type(object value, str function, str argument, str expected):
    return TypeError(f"{function}: {argument} is of type {type(value).__name__}; expected "
                     f"{expected}")


cpdef object wrong_value(object value, str function, str argument, str expected):
    return ValueError(f"{function}: {argument} is {value!r}; expected {expected}")


cpdef object require(object value, object kind, str function, str argument, str expected=None):
    """The value, if it is of a type or one of a tuple of types."""
    if not isinstance(value, kind):
        raise wrong_type(value, function, argument, expected or kind.__name__)
    return value


cpdef object integer(object value, str function, str argument, str expected="an integer"):
    try:
        return operator.index(value)
    except TypeError:
        raise wrong_type(value, function, argument, expected) from None
