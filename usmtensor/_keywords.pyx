"""What the keywords `order=`, `usm_type=` and those that take a bool accept."""

from usmtensor._native cimport UsmKind

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
    if isinstance(word, str):
        raise ValueError(f"{function}: usm_type is {word!r}; expected 'device', 'shared' or 'host'")
    raise TypeError(f"{function}: usm_type is of type {type(word).__name__}; expected str")


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
    if isinstance(order, str):
        raise ValueError(f"{function}: order is {order!r}; expected 'C', 'F', 'A' or 'K'")
    raise TypeError(f"{function}: order is of type {type(order).__name__}; expected str")


cdef bint is_true(object flag, str argument, str function) except -1:
    """The value of a keyword that takes a bool."""
    if flag is True:
        return True
    if flag is False:
        return False
    if isinstance(flag, (int, numpy.bool_)):
        return bool(flag)
    raise TypeError(f"{function}: {argument} is {flag!r}; expected a bool")
