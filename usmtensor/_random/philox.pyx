"""Counter-based random numbers in device memory, for `usmtensor.random`."""

from libc.stdint cimport int64_t, uint64_t
from libcpp.vector cimport vector
from usmtensor._core.array cimport C_CONTIGUOUS, allocate_shape, extents_tuple, usm_ndarray
from usmtensor._core.copy cimport copy_into
from usmtensor._core.operands cimport broadcast_shape, check_out
from usmtensor._core.views cimport axis_index
from usmtensor._native.libtensor cimport (
    Distribution, RandomStream, View, fill_integers, fill_random, fill_samples,
)
from usmtensor._runtime.arguments cimport extents_of, kind_of_word, require, shape_tuple
from usmtensor._runtime.dtypes cimport BOOL, DTYPES, F2, F4, F8, U1, code_or_default, dtype_code
from usmtensor._runtime.queue cimport SyclQueue


def result(str function, size, dtype, out, object usm_type, SyclQueue queue):
    """Return `out` or a new array of floating point numbers for a result."""
    cdef usm_ndarray given
    cdef tuple shape = shape_tuple(() if size is None else size, function, "size")
    cdef vector[int64_t] extents
    cdef int code
    if out is None:
        code = code_or_default(dtype, queue.ref.get(), function)
    else:
        given = require(out, usm_ndarray, function, "out")
        code = given.code if dtype is None else dtype_code(dtype, function)
        extents = extents_of(extents_tuple(given.rank, given.extents) if size is None else shape)
        check_out(given, given.queue, code, <int>extents.size(), extents.data(), function)
    require_real(function, code)
    return out if out is not None else new_array(function, shape, code, usm_type, queue)


cdef int require_real(str function, int code) except -1:
    if code != F4 and code != F8:
        raise TypeError(f"{function}: the data type is {DTYPES[code]}; expected float32 or float64")
    return code


def real_type(str function, dtype, SyclQueue queue):
    """Return the floating point data type of a result."""
    return DTYPES[require_real(function, code_or_default(dtype, queue.ref.get(), function))]


def integer_array(str function, size, dtype, object usm_type, SyclQueue queue):
    """Return a new array of integers or bools."""
    cdef int code = dtype_code(dtype, function)
    if code >= F2:
        raise TypeError(f"{function}: the data type is {DTYPES[code]}; expected an integer type or "
                        "bool")
    return new_array(function, shape_tuple(() if size is None else size, function, "size"), code,
                     usm_type, queue)


cdef usm_ndarray new_array(str function, tuple shape, int code, object usm_type, SyclQueue queue):
    return allocate_shape(queue, kind_of_word(usm_type, function), code, shape)


def size_of(str function, size, *parameters):
    """Return the shape of a result, by default the shape to which the parameters broadcast."""
    return broadcast_shape(parameters, function) if size is None \
        else shape_tuple(size, function, "size")


def axis_of(usm_ndarray x, axis, str function):
    return axis_index(axis, x, function)


def fill(usm_ndarray x, tuple key, int64_t first, uint64_t low=0, span=None,
         bint normal=False):
    """Fill an array from the stream, beginning with an index.

    An array of uint64 is filled with words, and an array of floats with uniform samples from [0,
    1). float32 samples take half a word each. With a span, the array is filled with integers from
    [low, low + span); the span 0 means 2**64. Normal samples are made in pairs from two words, so
    their first index is even.
    """
    cdef usm_ndarray side_by_side = x
    cdef RandomStream stream
    stream.key[0], stream.key[1], stream.first = key[0], key[1], first
    if not x.bits & C_CONTIGUOUS or x.code == BOOL:
        side_by_side = allocate_shape(x.queue, x.allocation.kind, x.code or U1,
                                      extents_tuple(x.rank, x.extents))
    if span is not None:
        fill_integers(x.queue.ref, side_by_side.view(), stream, low, span)
    else:
        fill_random(x.queue.ref, side_by_side.view(), stream, normal)
    if side_by_side is not x:
        copy_into(side_by_side, x)


cdef tuple DISTRIBUTIONS = ("gamma", "log_gamma", "von_mises", "poisson", "binomial",
                            "hypergeometric", "zipf", "integer")


def fill_from_words(str distribution, *arrays):
    """Fill the first of several contiguous arrays of one shape with samples.

    The second array has a random word for each sample, and the others have the parameters.
    """
    cdef usm_ndarray x = arrays[0]
    cdef vector[View] views
    for array in arrays:
        views.push_back((<usm_ndarray>array).view())
    fill_samples(x.queue.ref, <Distribution><int>DISTRIBUTIONS.index(distribution), views.data())
