"""Functions that libraries have: factorisations of matrices, Fourier transforms."""

from libc.stdint cimport int64_t
from libcpp.vector cimport vector
from usmtensor._copy cimport copied
from usmtensor._dtypes cimport C8, C16, F4, F8
from usmtensor._keywords cimport integer, wrong_value
from usmtensor._native cimport UsmKind
from usmtensor._operands cimport broadcast, common_code, common_kind, common_queue
from usmtensor._runtime cimport SyclQueue
from usmtensor._usmarray cimport allocate_array, require_array, usm_ndarray
from usmtensor._views cimport axis_index

from numpy.linalg import LinAlgError

from usmtensor import _backends

cdef tuple _NORMS = ("backward", "ortho", "forward")


cdef usm_ndarray operand(object operand, str function, str argument, bint real=False):
    """An argument, if it is an array of floating point numbers that libraries know."""
    cdef usm_ndarray x = require_array(operand, function, argument)
    if x.code < F4 or real and x.code >= C8:
        kinds = "float32 or float64" if real else "float32, float64, complex64 or complex128"
        raise TypeError(f"{function}: {argument} is of data type {x.dtype}; expected {kinds}")
    return x


cdef int result_code(int code, Py_UCS4 letter) noexcept:
    """The type of a result: x that of the operands, r its real, c its complex type."""
    if letter == u"r" and code >= C8:
        return F4 if code == C8 else F8
    if letter == u"c" and code < C8:
        return C8 if code == F4 else C16
    return code


cdef class Routine:
    """A function of matrices.

    Parameters
    ----------
    name : str
        NumPy's.
    signature : str
        The last axes of the operands and of the results, such as "mn,nk->mk"; k may also be the
        smaller one of m and n.
    types : str
        Of each result: x that of the operands, r its real, c its complex type.
    results : callable, optional
        Makes one object of several results.
    **keywords
        For the library.
    """

    cdef readonly str name
    cdef readonly dict keywords
    cdef readonly list inputs, outputs
    cdef str types
    cdef object results

    def __init__(self, str name, str signature, str types, results=None, **keywords):
        inputs, _, outputs = signature.partition("->")
        self.name, self.types, self.results, self.keywords = name, types, results, keywords
        self.inputs, self.outputs = inputs.split(","), outputs.split(",")

    def __call__(self, *operands):
        cdef int64_t[128] extents  # by letter
        cdef vector[int64_t] shape
        cdef usm_ndarray x
        cdef SyclQueue queue
        cdef UsmKind kind
        cdef int code, axis, batch
        cdef Py_UCS4 letter
        cdef str axes
        arguments = ("x",) if len(operands) == 1 else ("x1", "x2")
        arrays = [operand(one, self.name, argument)
                  for one, argument in zip(operands, arguments, strict=True)]
        for letter in u"mnk":
            extents[<int>letter] = -1
        stacks = []
        for x, axes, argument in zip(arrays, self.inputs, arguments):
            if x.rank < len(axes):
                raise ValueError(f"{self.name}: {argument} has {x.rank} dimensions; expected "
                                 f"{len(axes)} or more")
            axis = x.rank - <int>len(axes)
            stacks.append(tuple([x.extents[k] for k in range(axis)]))
            for letter in axes:
                if extents[<int>letter] < 0:
                    extents[<int>letter] = x.extents[axis]
                elif extents[<int>letter] != x.extents[axis]:
                    raise self.wrong_extent(x, argument, extents[<int>letter])
                axis += 1
        if extents[<int>u"k"] < 0:
            extents[<int>u"k"] = min(extents[<int>u"m"], extents[<int>u"n"])
        broadcast(shape, stacks, self.name)
        queue, kind = common_queue(arrays, self.name), common_kind(arrays)
        backend = _backends.backend_of(queue, self.name)
        code = common_code(arrays, self.name)
        inputs = tuple([x if (<usm_ndarray>x).code == code else copied(x, code, b"K", queue, None)
                        for x in arrays])
        outputs = []
        batch = <int>shape.size()
        for axes, letter in zip(self.outputs, self.types):
            shape.resize(batch)
            for axis_letter in axes:
                shape.push_back(extents[<int>ord(axis_letter)])
            outputs.append(allocate_array(queue, kind, result_code(code, letter),
                                          <int>shape.size(), shape.data(), b"C"))
        backend.compute(self, inputs, tuple(outputs))
        return outputs[0] if self.results is None else self.results(*outputs)

    cdef object wrong_extent(self, usm_ndarray x, str argument, int64_t expected):
        if argument == "x2":
            return ValueError(f"{self.name}: x2 is of shape {x.shape}; expected {expected} rows, "
                              "as x1 has")
        return LinAlgError(f"{self.name}: {argument} is of shape {x.shape}; expected square "
                           "matrices")


cdef class Transform:
    """A Fourier transform along one axis.

    Parameters
    ----------
    name : str
        NumPy's.
    real_input, real_output : bool
        Of the spectrum that belongs to real numbers, the first half results or is given.
    """

    cdef readonly str name
    cdef bint real_input, real_output

    def __init__(self, str name, bint real_input=False, bint real_output=False):
        self.name, self.real_input, self.real_output = name, real_input, real_output

    def __call__(self, x, n=None, axis=-1, norm="backward", str function=None):
        """The transform of x. Errors name the function."""
        cdef usm_ndarray source, result
        cdef vector[int64_t] shape
        cdef int along
        cdef int64_t extent
        function = function or self.name
        source = operand(x, function, "x", self.real_input)
        if n is not None:
            n = integer(n, function, "n")
        along = axis_index(axis, source, function)
        if norm not in _NORMS:
            raise wrong_value(norm, function, "norm", "'backward', 'ortho' or 'forward'")
        if n is None:
            extent = source.extents[along]
            if self.real_output:
                extent = 2 * (extent - 1)
        elif not 0 < n < 2 ** 59:
            raise wrong_value(n, function, "n", "a positive number of points")
        else:
            extent = n
        if extent < 1:
            raise ValueError(f"{function}: x is of shape {source.shape}, which gives {extent} "
                             f"points along axis {axis}; expected one or more")
        backend = _backends.backend_of(source.queue, function)
        shape.assign(source.extents, source.extents + source.rank)
        shape[along] = extent // 2 + 1 if self.real_input else extent
        result = allocate_array(
            source.queue, source.memory.kind(),
            result_code(source.code, u"r" if self.real_output else u"c"), source.rank,
            shape.data(), b"C")
        backend.transform(self.name, source, result, extent, along, norm)
        return result
