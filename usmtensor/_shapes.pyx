"""Arguments that are integers: shapes and strides."""

from libc.math cimport INFINITY
from libc.stdint cimport int64_t
from libcpp.vector cimport vector
from usmtensor._keywords cimport as_int, shown, wrong_type, wrong_value


cdef tuple integers(object values, str function, str argument):
    """An integer or a sequence of integers, as a tuple."""
    if type(values) is int:
        return (values,)
    if not isinstance(values, (list, tuple)):
        try:
            return (as_int(values),)
        except TypeError:  # a sequence, perhaps an array
            pass
    if isinstance(values, (str, bytes, dict, set)):
        raise wrong_type(values, function, argument, "an integer or a sequence of integers")
    try:
        return tuple([as_int(value) for value in values])
    except TypeError:
        raise TypeError(f"{function}: {argument} is {shown(values)}; expected an integer or a "
                        "sequence of integers") from None


cdef tuple shape_tuple(object shape, str function, str argument="shape"):
    """A shape given as an integer or a sequence, as a tuple of non-negative integers."""
    cdef double size = 1, extent
    shape = integers(shape, function, argument)
    try:
        for extent in shape:
            size *= INFINITY if extent < 0 else extent or 1
    except OverflowError:  # of more than a thousand bits
        size = INFINITY
    if size > 2.0 ** 59:  # extents of zero are no excuse for others that do not fit
        raise wrong_value(shape, function, argument, "non-negative extents that fit in memory")
    return shape


cdef tuple complete_shape(object shape, object count, str function):
    """A shape of `count` elements, its one -1 replaced."""
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
        if total == 0 or count % total:
            raise ValueError(f"{function}: shape {shown(shape)} has no -1 for {count} elements")
        shape = shape[:unknown] + (count // total,) + shape[unknown + 1:]
    elif total != count:
        raise ValueError(f"{function}: shape {shown(shape)} does not hold the {count} elements")
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
