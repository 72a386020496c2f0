"""Functions that libraries compute: matrix factorisations and Fourier transforms."""

from cython.operator cimport dereference
from libc.stdint cimport int64_t
from libcpp.vector cimport vector
from usmtensor._core.array cimport allocate_array, require_array, usm_ndarray
from usmtensor._core.operands cimport (
    as_floating, assign, broadcast, colocate_all, common_code, common_kind, common_queue, in_type,
)
from usmtensor._core.views cimport as_plain, axis_index
from usmtensor._libraries.host cimport onemkl
from usmtensor._native.libtensor cimport UsmKind, numpy_enabled
from usmtensor._runtime.arguments cimport integer, wrong_value
from usmtensor._runtime.dtypes cimport C8, C16, F2, F4, F8
from usmtensor._runtime.queue cimport SyclQueue

from numpy.linalg import LinAlgError

from usmtensor._libraries import numpy_backend as _numpy_backend

# The number of spectrum elements, and of matrix rows, from which oneMKL is faster than NumPy.
cdef int64_t _LARGE_SPECTRUM = 1 << 14
cdef int64_t _LARGE_MATRIX = 256

cdef str _EXTRA = "; on a GPU of Intel, `pip install 'usmtensor[mkl]'` adds it"

# The module of oneMKL's LAPACK. It calls functions of arrays, so it is above this module.
cdef object _lapack = None


def serve_lapack(module):
    """Set the module of oneMKL's LAPACK."""
    global _lapack
    _lapack = module


cdef tuple _NORMS = ("backward", "ortho", "forward")


cpdef usm_ndarray operand(object value, str function, str argument, bint real=False):
    """Return an argument as an array of a type that libraries support.

    Integers and bools are converted to the default floating point type.
    """
    cdef usm_ndarray x = require_array(value, function, argument)
    if x.code < F2:
        x = as_floating(x)
    if x.code < F4 or real and x.code >= C8:
        kinds = "float32 or float64" if real else "float32, float64, complex64 or complex128"
        raise TypeError(f"{function}: {argument} is of data type {x.dtype}; expected {kinds}")
    return x


cdef int require_library(SyclQueue queue, str function, str remedy) except -1:
    """Raise unless a queue's device has a library."""
    if not numpy_enabled(dereference(queue.ref)):
        raise NotImplementedError(
            f"{function}: no library for {queue.sycl_device.name} has this function, and "
            "usmtensor never copies arrays to the host silently: use usmtensor.asnumpy(), then "
            f"usmtensor.asarray(){remedy}")
    return 0


def backend_name(SyclQueue queue):
    """Implement usmtensor.linalg.backend."""
    if onemkl(queue) is not None:
        return "onemkl"
    return "numpy" if numpy_enabled(dereference(queue.ref)) else None


cdef int result_code(int code, Py_UCS4 letter) noexcept:
    """Return the type of a result: x is the operands' type, r its real and c its complex type."""
    if letter == u"r" and code >= C8:
        return F4 if code == C8 else F8
    if letter == u"c" and code < C8:
        return C8 if code == F4 else C16
    return code


cdef class Routine:
    """A function of matrices that a library computes.

    Parameters
    ----------
    name : str
        NumPy's.
    signature : str
        The last axes of the operands and of the results, such as "mn,nk->mk". k may also be the
        smaller of m and n.
    types : str
        A letter for each result: x is the operands' type, r its real type, c its complex type.
    results : callable, optional
        Makes one object from several results.
    finite : {"a matrix", "the lower triangle of a matrix"}, optional
        The elements that must be finite, so that iterative LAPACK routines return.
    **keywords
        Keywords for the library.
    """

    cdef readonly str name, finite
    cdef readonly dict keywords
    cdef readonly tuple inputs, outputs
    cdef tuple arguments  # names
    cdef str types
    cdef object results

    def __cinit__(self, str name, str signature, str types, results=None, str finite=None,
                  **keywords):
        inputs, _, outputs = signature.encode().partition(b"->")
        self.finite = finite
        self.name, self.types, self.results, self.keywords = name, types, results, keywords
        self.inputs, self.outputs = tuple(inputs.split(b",")), tuple(outputs.split(b","))
        self.arguments = ("a",) if len(self.inputs) == 1 else ("a", "b")

    def __call__(self, *operands, str function=None, str argument=None):
        """Compute the results for operands. Errors name the function and the argument."""
        cdef int64_t[128] extents  # by letter
        cdef vector[int64_t] shape
        cdef usm_ndarray x
        cdef SyclQueue queue
        cdef UsmKind kind
        cdef int code, axis, batch, k
        cdef char letter
        cdef bytes axes
        cdef tuple outputs = ()
        cdef list inputs
        cdef tuple names = self.arguments if argument is None else (argument,)
        function = function or self.name
        inputs = [as_plain(operand(value, function, name)) for value, name
                  in zip(colocate_all(operands, function, names), names)]
        extents[c"m"] = extents[c"n"] = extents[c"k"] = -1
        for k in range(<int>len(inputs)):
            x, axes = inputs[k], self.inputs[k]
            axis = x.rank - <int>len(axes)
            if axis < 0:
                raise LinAlgError(f"{function}: {names[k]} has {x.rank} dimensions; "
                                  f"expected {len(axes)} or more")
            for letter in axes:
                if extents[<int>letter] < 0:
                    extents[<int>letter] = x.extents[axis]
                elif extents[<int>letter] != x.extents[axis]:
                    raise self.wrong_extent(x, names[k], extents[<int>letter], function)
                axis += 1
        if extents[c"k"] < 0:
            extents[c"k"] = min(extents[c"m"], extents[c"n"])
        x = inputs[0]
        queue, kind, code = x.queue, x.allocation.kind, x.code
        shape.assign(x.extents, x.extents + x.rank - len(self.inputs[0]))
        if len(inputs) > 1:
            queue, kind = common_queue(inputs, function), common_kind(inputs)
            code = common_code(inputs, function)
            broadcast(shape, [x.shape[:x.rank - len(axes)]
                              for x, axes in zip(inputs, self.inputs)], function)
            inputs = [as_plain(in_type(x, code), queue) for x in inputs]
        mkl = self.lapack_of_onemkl(queue, extents[c"m"])
        if mkl is None:
            require_library(queue, function, "" if self.name in ("eig", "eigvals") else _EXTRA)
        batch = <int>shape.size()
        for k in range(<int>len(self.outputs)):
            shape.resize(batch)
            for letter in <bytes>self.outputs[k]:
                shape.push_back(extents[<int>letter])
            outputs += (allocate_array(queue, kind, result_code(code, self.types[k]),
                                       <int>shape.size(), shape.data(), b"C"),)
        try:
            (mkl or _numpy_backend).compute(self, tuple(inputs), outputs)
        except LinAlgError as error:
            raise LinAlgError(f"{function}: {error}") from None
        return outputs[0] if self.results is None else self.results(*outputs)

    def require(self, bint is_finite):
        """Raise LinAlgError unless the elements that must be finite are finite."""
        if not is_finite:
            raise LinAlgError(f"{self.finite} has infinities or NaN; expected finite numbers")

    cdef object lapack_of_onemkl(self, SyclQueue queue, int64_t rows):
        """Return the module of oneMKL's LAPACK, if it computes this function for the queue."""
        cdef bint by_numpy = numpy_enabled(dereference(queue.ref))
        if by_numpy and rows < _LARGE_MATRIX or onemkl(queue) is None:
            return None
        serves = _lapack.serves(self.name, queue.sycl_device.is_cpu, by_numpy)
        return _lapack if serves else None

    cdef object wrong_extent(self, usm_ndarray x, str name, int64_t expected, str function):
        if name == "b":
            return ValueError(f"{function}: b is of shape {x.shape}; expected {expected} rows, "
                              "as a has")
        return LinAlgError(f"{function}: {name} is of shape {x.shape}; expected "
                           "square matrices")


cdef class Transform:
    """A Fourier transform along one axis.

    Parameters
    ----------
    name : str
        NumPy's.
    real_input, real_output : bool
        True if the input or the output is real. Then the spectrum has only its first half.
    """

    cdef readonly str name
    cdef bint real_input, real_output

    def __cinit__(self, str name, bint real_input=False, bint real_output=False):
        self.name, self.real_input, self.real_output = name, real_input, real_output

    def __call__(self, x, n=None, axis=-1, norm="backward", str function=None):
        """Compute the transform of x. Errors name the function."""
        cdef usm_ndarray source, result
        cdef vector[int64_t] shape
        cdef int along
        cdef int64_t extent
        function = function or self.name
        source = as_plain(operand(x, function, "a", self.real_input))
        if n is not None:
            n = integer(n, function, "n")
        along = axis_index(axis, source, function)
        norm = "backward" if norm is None else norm
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
            raise ValueError(f"{function}: a is of shape {source.shape}, which gives {extent} "
                             f"points along axis {axis}; expected one or more")
        mkl = onemkl(source.queue)
        if mkl is None:
            require_library(source.queue, function, _EXTRA)
        shape.assign(source.extents, source.extents + source.rank)
        shape[along] = extent // 2 + 1 if self.real_input else extent
        result = allocate_array(
            source.queue, source.allocation.kind,
            result_code(source.code, u"r" if self.real_output else u"c"), source.rank,
            shape.data(), b"C")
        if source.extents[along] == 0:  # libraries do not set all results
            return assign(result, 0)
        if mkl is not None and (result.count() >= _LARGE_SPECTRUM
                                or not numpy_enabled(dereference(source.queue.ref))):
            mkl.transform(self.name, source, result, extent, along, norm)
        else:
            _numpy_backend.transform(self.name, source, result, extent, along, norm)
        return result
