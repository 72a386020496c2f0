"""What `shape` and `strides` arguments may be."""

import operator


cdef tuple _integers(object shape, str function):
    """An integer or a sequence of integers, as a tuple."""
    if type(shape) is int:
        return (shape,)
    if not isinstance(shape, (list, tuple)):
        try:
            return (operator.index(shape),)
        except TypeError:  # a sequence, perhaps an array
            pass
    if isinstance(shape, (str, bytes, dict, set)):
        raise TypeError(f"{function}: shape is of type {type(shape).__name__}; expected an integer "
                        "or a sequence of integers")
    try:
        return tuple([operator.index(extent) for extent in shape])
    except TypeError:
        raise TypeError(f"{function}: shape is {shape!r}; expected an integer or a sequence of "
                        "integers") from None


cdef tuple shape_tuple(object shape, str function):
    """A shape given as an integer or a sequence, as a tuple of non-negative integers."""
    shape = _integers(shape, function)
    for extent in shape:
        if not 0 <= extent < 2 ** 63:
            raise ValueError(f"{function}: shape is {shape}; expected non-negative extents of at "
                             "most 63 bits")
    return shape


cdef tuple complete_shape(object shape, object count, str function):
    """A shape of `count` elements, its one -1 replaced."""
    shape = _integers(shape, function)
    unknown = -1
    total = 1
    for axis, extent in enumerate(shape):
        if extent == -1 and unknown < 0:
            unknown = axis
        elif extent < 0:
            raise ValueError(f"{function}: shape is {shape}; expected non-negative extents and at "
                             "most one -1")
        else:
            total *= extent
    if unknown >= 0:
        if total == 0 or count % total:
            raise ValueError(f"{function}: shape {shape} has no -1 for {count} elements")
        shape = shape[:unknown] + (count // total,) + shape[unknown + 1:]
    elif total != count:
        raise ValueError(f"{function}: shape {shape} does not hold the {count} elements")
    return shape


cdef tuple strides_tuple(object strides, int ndim, str function):
    try:
        strides = tuple([operator.index(stride) for stride in strides])
    except TypeError:
        raise ValueError(f"{function}: strides is {strides!r}; expected a sequence of integers"
                         ) from None
    if len(strides) != ndim:
        raise ValueError(f"{function}: strides is {strides}; expected {ndim} integers, "
                         "as shape has")
    for stride in strides:
        if not -2 ** 62 <= stride < 2 ** 62:
            raise ValueError(f"{function}: strides is {strides}; expected strides that fit in "
                             "memory")
    return strides
