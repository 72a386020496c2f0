"""Matrix and vector products, which kernels compute, or NumPy's BLAS for large ones on a CPU."""

cimport numpy as np
from cpython.object cimport PyObject
from cython.operator cimport dereference
from libc.stdint cimport int64_t
from libcpp.vector cimport vector
from usmtensor._core.array cimport C_CONTIGUOUS, F_CONTIGUOUS, allocate_array, usm_ndarray
from usmtensor._core.copy cimport copy_as, copy_into
from usmtensor._core.operands cimport (
    Operands, assign, broadcast, check_out, convert_operands, copy_to_out, in_type, read_operands,
    refuse_sequences,
)
from usmtensor._core.operators cimport set_matrix_product
from usmtensor._core.views cimport as_plain, axis_indices, permute_axes, reshape_view
from usmtensor._libraries.host cimport is_host_accessible, onemkl
from usmtensor._native.libtensor cimport (
    HeldOperands, MatrixLoop, UsmKind, View, no_tier_is_forced, matmul as native_matmul, matmul_by,
    may_overlap, numpy_enabled, vecdot as native_vecdot,
)
from usmtensor._runtime.arguments cimport (
    integer, integers, order_char, require, wrong_type, wrong_value,
)
from usmtensor._runtime.dtypes cimport C8, C16, DTYPES, F2, F4, F8, dtype_code
from usmtensor._runtime.queue cimport SyclQueue

import numpy
from numpy.exceptions import AxisError

from usmtensor._functions.elementwise import multiply as multiply_elements
from usmtensor._functions.manipulation import permute_dims, reshape

__all__ = ["dot", "inner", "matmul", "outer", "tensordot", "vdot", "vecdot"]

cdef extern from "numpy/ufuncobject.h":
    ctypedef struct _Ufunc "PyUFuncObject":
        void (**functions)(char **, const np.npy_intp *, const np.npy_intp *, void *)
        void **data
        int ntypes
        const char *types  # of the operands and the result of each loop

# The extents of matrices from which BLAS is faster although it waits for the work on the operands.
# They are larger for batches, because kernels divide the products among cores. For matrices of few
# rows or columns, each row or column needs this number of terms.
cdef int64_t _WORTH_A_WAIT = 16, _WORTH_A_WAIT_IN_BATCHES = 32
# The number of terms from which oneMKL is faster than NumPy's BLAS: its command takes 20 µs.
cdef int64_t _WORTH_A_COMMAND = 128 * 128 * 128


cdef class _Factors:
    """Two arrays to multiply; the queue, USM kind and data type of their product."""
    cdef usm_ndarray x, y
    cdef SyclQueue queue
    cdef UsmKind kind
    cdef int code

    cdef bint read(self, object x1, object x2, object out, bint operator, str function,
                   int fewest=1) except -1:
        """Read two operands of at least `fewest` dimensions.

        Returns False for an operator with an operand of an unknown type.
        """
        cdef Operands operands = read_operands(function, ("x1", "x2"), [x1, x2], out, operator)
        cdef usm_ndarray x
        cdef int k
        if operands is None:
            return False
        for k in range(2):
            if operands.array(k) is None:
                raise wrong_type(operands.values[k], function, f"x{k + 1}",
                                 "an array of one dimension or more")
        self.x, self.y = as_plain(operands.array(0)), as_plain(operands.array(1))
        for k, x in enumerate((self.x, self.y)):
            if x.rank < fewest:
                raise ValueError(f"{function}: x{k + 1} has no dimensions; expected one or more")
        self.queue, self.kind, self.code = operands.queue, operands.kind, operands.common_code()
        return True

    cdef int convert(self) except -1:
        """Convert both to the type of the computation, which is float32 for float16."""
        cdef int code = F4 if self.code == F2 else self.code
        self.x, self.y = in_type(self.x, code), in_type(self.y, code)
        return 0

    cdef usm_ndarray target(self, usm_ndarray result, bint as_it_is):
        """Return the array for the products: the result, or a temporary array.

        It is temporary if the products cannot be written to the result directly.
        """
        cdef View out = result.view(), x = self.x.view(), y = self.y.view()
        if as_it_is and result.code == self.x.code and not may_overlap(out, x) \
                and not may_overlap(out, y):
            return result
        return allocate_array(self.queue, UsmKind.device, self.x.code, result.rank, result.extents,
                              b"C")


# Products of matrices


cdef usm_ndarray product_of_vectors(usm_ndarray x, usm_ndarray y):
    """Compute the product of two vectors of one type fast. Return None for other arrays."""
    cdef usm_ndarray result
    if (x.rank != 1 or y.rank != 1 or x.extents[0] != y.extents[0] or x.extents[0] == 0
            or x.queue is not y.queue or x.code != y.code or x.code == F2):
        return None
    result = allocate_array(x.queue, min(x.allocation.kind, y.allocation.kind), x.code, 0, NULL,
                            b"C")
    native_matmul(x.queue.ref, x.view(), y.view(), result.view())
    return result


cdef object product(object x1, object x2, object out, object dtype, char order, bint operator):
    """Implement matmul() and the operator."""
    cdef str function = "matmul"
    cdef _Factors factors = _Factors.__new__(_Factors)
    cdef usm_ndarray x, y, result
    cdef vector[int64_t] extents
    cdef HeldOperands held  # the product may be computed in another array and copied to `out`
    cdef int64_t terms
    cdef int rank, code = -1 if dtype is None else dtype_code(dtype, function)
    if out is None and code < 0 and isinstance(x1, usm_ndarray) and isinstance(x2, usm_ndarray):
        result = product_of_vectors(<usm_ndarray>x1, <usm_ndarray>x2)
        if result is not None:
            return result
    if not factors.read(x1, x2, out, operator, function):
        refuse_sequences(x1, x2, function, function, "an array")
        return NotImplemented
    if code >= 0:
        if not numpy.can_cast(<object>DTYPES[factors.code], <object>DTYPES[code], "same_kind"):
            raise TypeError(f"{function}: the operands promote to {DTYPES[factors.code]}, which "
                            f"does not cast to dtype {DTYPES[code]} by the rule 'same_kind'")
        factors.code = code
    x, y = factors.x, factors.y
    terms = x.extents[x.rank - 1]
    if terms != y.extents[max(y.rank - 2, 0)]:
        raise ValueError(f"{function}: x1 of shape {x.shape} has {terms} columns and x2 of shape "
                         f"{y.shape} has {y.extents[max(y.rank - 2, 0)]} rows; expected equal "
                         "numbers")
    if x.rank > 2 or y.rank > 2:
        broadcast(extents, (x.shape[:-2], y.shape[:-2]), function)
    if x.rank > 1:
        extents.push_back(x.extents[x.rank - 2])
    if y.rank > 1:
        extents.push_back(y.extents[y.rank - 1])
    rank = <int>extents.size()
    if out is not None:
        out = require(out, usm_ndarray, function, "out")
        result = check_out(out, factors.queue, factors.code, rank, extents.data(), function, True)
        held.write(dereference(result.allocation))
        held.read(dereference(x.allocation))
        held.read(dereference(y.allocation))
        held.lock()
    else:
        if order == b"A" and x.bits & y.bits & F_CONTIGUOUS \
                and not (x.bits | y.bits) & C_CONTIGUOUS:
            order = b"F"
        result = allocate_array(factors.queue, factors.kind, factors.code, rank, extents.data(),
                                b"F" if order == b"F" else b"C")
    multiply(factors, result)
    return result if out is None else out


cdef int multiply(_Factors factors, usm_ndarray result) except -1:
    """Compute result[...] = x @ y for matching shapes."""
    cdef usm_ndarray x = factors.x, y = factors.y, out
    cdef tuple shape
    cdef bint by_rows
    cdef int64_t terms = x.extents[x.rank - 1]
    if terms == 0:
        assign(result, False)
        return 0
    if x.rank > 2 and y.rank <= 2:  # a stack times a matrix is one product if views allow it
        shape = (x.count() // terms, *y.shape[1:])
        x = reshape_view(x, (shape[0], terms), b"C")
        out = reshape_view(result, shape, b"C")
        if x is not None and out is not None:
            factors.x, result = x, out
    factors.convert()
    x, y = factors.x, factors.y
    # BLAS would need a copy of rows that overlap, such as windows.
    by_rows = y.rank == 1 and x.rank > 1 and x.extents[2 * x.rank - 1] == 1 and not is_for_blas(x)
    by_library = None if by_rows else library_for(x, y, result)
    out = factors.target(result, by_library is None or is_for_blas(result))
    if by_rows:
        if y.extents[1] != 1:
            y = copy_as(y, y.code, b"C", y.queue, None)
        native_vecdot(factors.queue.ref, x.view(), y.view(), out.view(), False)
    elif by_library is not None:
        by_library(for_blas(x), for_blas(y), out)
    else:
        native_matmul(factors.queue.ref, x.view(), y.view(), out.view())
    if out is not result:
        copy_into(out, result)
    return 0


# The library


cdef object library_for(usm_ndarray x, usm_ndarray y, usm_ndarray result):
    """Return the library function that multiplies, or None if kernels are as fast.

    Kernels are as fast for small matrices and single vectors.
    """
    cdef int64_t rows = x.extents[x.rank - 2] if x.rank > 1 else 1
    cdef int64_t columns = y.extents[y.rank - 1] if y.rank > 1 else 1
    cdef int64_t terms = x.extents[x.rank - 1] * rows * columns, least
    if x.code < F4 or x.rank == 1 and y.rank == 1:
        return None
    least = _WORTH_A_WAIT if x.rank <= 2 and y.rank <= 2 else _WORTH_A_WAIT_IN_BATCHES
    if terms < least * least * min(rows, columns, least) or result.count() == 0:
        return None
    if not no_tier_is_forced():
        return None
    by_numpy = _loops[x.code].function != NULL and numpy_enabled(dereference(x.queue.ref)) \
        and is_host_accessible((x, y, result))
    mkl = None if by_numpy and terms < _WORTH_A_COMMAND else onemkl(x.queue)
    if mkl is not None and onemkl(result.queue) is not None:
        if not by_numpy or mkl.multiplies_faster:
            return mkl.matmul
    return multiply_by_numpy if by_numpy else None


# The loops of NumPy's ufunc, which call BLAS. The ufunc itself takes at least 1 µs more, and warns
# of overflows.
cdef struct _Loop:
    MatrixLoop function
    void *context

cdef _Loop[C16 + 1] _loops  # by type


cdef int _find_loops(object matmul) except -1:
    cdef _Ufunc *ufunc = <_Ufunc *><PyObject *>matmul
    cdef int k, code
    for k in range(ufunc.ntypes):
        for code in (F4, F8, C8, C16):
            if ufunc.types[3 * k] == (<np.dtype>DTYPES[code]).type_num:
                _loops[code].function = <MatrixLoop>ufunc.functions[k]
                _loops[code].context = ufunc.data[k]
    return 0


_find_loops(numpy.matmul)


def multiply_by_numpy(usm_ndarray x, usm_ndarray y, usm_ndarray out):
    cdef _Loop loop = _loops[x.code]
    matmul_by(loop.function, loop.context, x.queue.ref, x.view(), y.view(), out.view())


cdef bint is_for_blas(usm_ndarray x) noexcept:
    """Return True if BLAS accepts the strides of the last two axes: contiguous rows or columns."""
    cdef const int64_t *shape = x.extents + x.rank - 2
    cdef const int64_t *strides = x.extents + 2 * x.rank - 2
    if x.rank == 1:
        return x.extents[1] > 0
    if shape[0] == 1 or shape[1] == 1:
        return strides[1 if shape[0] == 1 else 0] > 0 or shape[0] == shape[1]
    return (strides[1] == 1 and strides[0] >= shape[1]
            or strides[0] == 1 and strides[1] >= shape[0])


cdef usm_ndarray for_blas(usm_ndarray x):
    return x if is_for_blas(x) else copy_as(x, x.code, b"C", x.queue, None)


def matmul(
    x1: ArrayOperand,
    x2: ArrayOperand,
    /,
    out: Out = None,
    dtype: DType = None,
    order: KeepOrder = "K",
) -> usm_ndarray:
    """Multiply matrices.

    Parameters
    ----------
    x1 : usm_ndarray or numpy.ndarray
        An array of shape (..., M, K); or (K,), a row whose axis is removed from the result.
    x2 : usm_ndarray or numpy.ndarray
        An array of shape (..., K, N); or (K,), a column whose axis is removed from the result. One
        of the operands is a usm_ndarray. The axes before the last two broadcast.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape, and may overlap the
        inputs.
    dtype : data type, optional
        The data type of the result. Default: the type that the inputs promote to.
    order : {"K", "C", "F", "A"}
        The memory order of a new result. "A" is F order if both inputs have it, otherwise C order;
        "K" is C order.

    Returns
    -------
    usm_ndarray
        An array of shape (..., M, N). A product of bools is true if one of its terms is true.

    Raises
    ------
    TypeError
        If an operand is not an array, or the type to which the inputs promote is not of the kind of
        `dtype`.
    ValueError
        If the shapes do not match; if an operand is 0-D; or if `out` has another shape or
        is read-only.
    ExecutionPlacementError
        If no operand is a usm_ndarray, or they are on different devices or in different contexts.

    Notes
    -----
    Integers wrap; float16 is summed in float32. On a CPU NumPy's BLAS multiplies float32,
    float64, complex64 and complex128 matrices from about 16 x 16 on. Their last bits depend on BLAS
    and on its number of threads. All other results depend only on values, shapes and strides,
    except that devices other than CPUs sum long products of vectors in another order. Source: array
    API 2025.12, `matmul`; `out`, `dtype`, `order` as in dpctl.tensor.matmul.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.matmul(usm.asarray([[1, 2], [3, 4]]), usm.asarray([1, 1]))
    usm_ndarray([3, 7])
    """
    return product(x1, x2, out, dtype, order_char(order, "matmul"), False)


cdef object matrix_product(object x, object y, object out):
    return product(x, y, out, None, b"K", True)


set_matrix_product(matrix_product)


# Products of vectors


def vecdot(x1: ArrayOperand, x2: ArrayOperand, /, axis: SupportsIndex = -1) -> usm_ndarray:
    """Sum the products of the elements of two arrays along an axis.

    Parameters
    ----------
    x1, x2 : usm_ndarray or numpy.ndarray
        Arrays, at least one of which is a usm_ndarray. `x1` is conjugated. The extents along the
        axis are equal, and the other axes broadcast.
    axis : int
        The axis. It must be negative unless both arrays have the same number of dimensions.

    Returns
    -------
    usm_ndarray
        An array with the shape of the other axes, and the type to which the inputs promote.

    Raises
    ------
    TypeError
        If an operand is not an array.
    AxisError
        If the axis is out of range.
    ValueError
        If the shapes do not match, or an operand is 0-D.
    ExecutionPlacementError
        If no operand is a usm_ndarray, or they are on different devices or in different contexts.

    Notes
    -----
    Integers wrap; float16 is summed in float32. Source: array API 2025.12, `vecdot`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.vecdot(usm.asarray([1, 2, 3]), usm.asarray([4, 5, 6]))
    usm_ndarray(32)
    """
    cdef str function = "vecdot"
    cdef _Factors factors = _Factors.__new__(_Factors)
    cdef usm_ndarray result, out
    cdef vector[int64_t] extents
    cdef bint conjugate
    along = integer(axis, function, "axis")
    factors.read(x1, x2, None, False, function)
    if along >= 0 and factors.x.rank == factors.y.rank:
        along -= factors.x.rank
    fewest = min(factors.x.rank, factors.y.rank)
    if not -fewest <= along < 0:
        raise AxisError(max(min(axis, 2 ** 63), -2 ** 63), fewest, function)
    factors.x, factors.y = with_last(factors.x, along), with_last(factors.y, along)
    if factors.x.extents[factors.x.rank - 1] != factors.y.extents[factors.y.rank - 1]:
        raise ValueError(f"{function}: x1 has {factors.x.extents[factors.x.rank - 1]} elements "
                         f"along axis {axis}, x2 {factors.y.extents[factors.y.rank - 1]}; expected "
                         "as many")
    if factors.x.rank > 1 or factors.y.rank > 1:
        broadcast(extents, (factors.x.shape[:-1], factors.y.shape[:-1]), function)
    result = allocate_array(factors.queue, factors.kind, factors.code, <int>extents.size(),
                            extents.data(), b"C")
    if factors.x.extents[factors.x.rank - 1] == 0:
        return assign(result, False)
    conjugate = factors.code >= C8
    factors.convert()
    out = factors.target(result, True)
    native_vecdot(factors.queue.ref, factors.x.view(), factors.y.view(), out.view(), conjugate)
    if out is not result:
        copy_into(out, result)
    return result


cdef usm_ndarray with_last(usm_ndarray x, int axis):
    """Return a view with another axis, counted from the end, as its last axis."""
    cdef int k
    if axis == -1:
        return x
    order = [k for k in range(x.rank) if k != x.rank + axis] + [x.rank + axis]
    return permute_axes(x, order)


def tensordot(
    a: ArrayOperand, b: ArrayOperand, axes: SupportsIndex | Sequence[Shape] = 2
) -> usm_ndarray:
    """Sum products over some axes of two arrays.

    Parameters
    ----------
    a, b : usm_ndarray or numpy.ndarray
        One of them a usm_ndarray.
    axes : int or tuple of two sequences of int
        The axes of `a` and of `b` to sum over, in pairs of equal extents. An integer n means the
        last n axes of `a` and the first n axes of `b`.

    Returns
    -------
    usm_ndarray
        An array with the shape of the other axes, those of `a` first, and the type to which the
        inputs promote.

    Raises
    ------
    TypeError
        If an operand is not an array, or `axes` is neither an integer nor a pair.
    AxisError
        If an axis is out of range.
    ValueError
        If an axis is given twice, the extents of a pair differ, or there are more axes of one array
        than of the other.
    ExecutionPlacementError
        If no operand is a usm_ndarray, or they are on different devices or in different contexts.

    Notes
    -----
    It is computed as a matrix product: see `matmul`. Source: array API 2025.12, `tensordot`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.tensordot(usm.ones((2, 3, 4)), usm.ones((4, 3)), axes=((1, 2), (1, 0)))
    usm_ndarray([12., 12.])
    """
    cdef str function = "tensordot"
    cdef _Factors factors = _Factors.__new__(_Factors)
    cdef usm_ndarray x, y, result
    cdef vector[int64_t] extents
    cdef int64_t rows = 1, terms = 1, columns = 1
    cdef int k, count
    if isinstance(axes, (tuple, list)):
        if len(axes) != 2:
            raise wrong_value(axes, function, "axes", "an integer or two sequences of them")
        first = integers(axes[0], function, "axes")
        second = integers(axes[1], function, "axes")
    else:
        first = second = None
        axes = integer(axes, function, "axes", "an integer or two sequences of them")
    factors.read(a, b, None, False, function, 0)
    x, y = factors.x, factors.y
    if first is None:
        if not 0 <= axes <= min(x.rank, y.rank):
            raise wrong_value(axes, function, "axes", f"0 to {min(x.rank, y.rank)}, as many as a "
                              "and b have")
        count = axes
        first = [x.rank - count + k for k in range(count)]
        second = [k for k in range(count)]
    else:
        first = axis_indices(first, x, function, "axes of a")
        second = axis_indices(second, y, function, "axes of b")
        count = len(first)
        if count != len(second):
            raise wrong_value(axes, function, "axes", "equal numbers of axes of a and b")
    for k in range(count):
        if x.extents[first[k]] != y.extents[second[k]]:
            raise ValueError(f"{function}: axis {first[k]} of a of shape {x.shape} and axis "
                             f"{second[k]} of b of shape {y.shape} differ; expected equal extents")
        terms *= x.extents[first[k]]
    left = [k for k in range(x.rank) if k not in first]
    right = [k for k in range(y.rank) if k not in second]
    for k in left:
        rows *= x.extents[k]
        extents.push_back(x.extents[k])
    for k in right:
        columns *= y.extents[k]
        extents.push_back(y.extents[k])
    result = allocate_array(factors.queue, factors.kind, factors.code, <int>extents.size(),
                            extents.data(), b"C")
    factors.x = reshape(permute_dims(x, (*left, *first)), (rows, terms))
    factors.y = reshape(permute_dims(y, (*second, *right)), (terms, columns))
    multiply(factors, reshape_view(result, (rows, columns), b"C"))
    return result


def outer(a: Operand, b: Operand, out: Out = None) -> usm_ndarray:
    """Multiply each pair of elements of two arrays.

    Parameters
    ----------
    a, b : usm_ndarray, numpy.ndarray or number
        Operands, which are flattened in C order. At least one is a usm_ndarray.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape, and may overlap the
        inputs.

    Returns
    -------
    usm_ndarray
        An array of shape (a.size, b.size), and the type to which the inputs promote.

    Raises
    ------
    TypeError
        If an operand is neither an array nor a number.
    ValueError
        If `out` has another shape or is read-only.
    ExecutionPlacementError
        If no operand is a usm_ndarray, or they are on different devices or in different contexts.

    Notes
    -----
    Compatible with numpy.outer.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.outer(usm.asarray([1, 2]), usm.asarray([1, 10]))
    usm_ndarray([[ 1, 10],
                 [ 2, 20]])
    """
    x, y = convert_operands("outer", {"a": a, "b": b})
    return multiply_elements(reshape(x, (x.size, 1)), reshape(y, y.size), out=out)


def dot(a: Vector | Scalar, b: Vector | Scalar, out: Out = None) -> usm_ndarray:
    """Sum products over the last axis of `a` and the second to last axis of `b`.

    Parameters
    ----------
    a, b : usm_ndarray, numpy.ndarray, sequence or number
        One of them is a usm_ndarray.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape, and may overlap the
        inputs.

    Returns
    -------
    usm_ndarray
        An array with the other axes of `a`, then the other axes of `b`. If an operand is a number,
        the products with it.

    Raises
    ------
    TypeError
        If an operand is neither an array nor a number.
    ValueError
        If the shapes do not match.
    ExecutionPlacementError
        If no operand is a usm_ndarray, or the arrays are on different devices or in different
        contexts.

    Notes
    -----
    It is a matrix product for 2-D arrays: see `matmul`. Compatible with numpy.dot.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.dot(usm.asarray([1, 2]), usm.asarray([3, 4]))
    usm_ndarray(11)
    """
    cdef usm_ndarray x, y, result
    if out is None and isinstance(a, usm_ndarray) and isinstance(b, usm_ndarray):
        result = product_of_vectors(<usm_ndarray>a, <usm_ndarray>b)
        if result is not None:
            return result
    x, y = convert_operands("dot", {"a": a, "b": b})
    if x.rank == 0 or y.rank == 0:
        result = multiply_elements(x, y)
    else:
        require_terms(x, y, max(y.rank - 2, 0), "dot")
        if x.rank <= 2 and y.rank <= 2:
            result = product(x, y, None, None, b"K", False)
        else:
            result = tensordot(x, y, axes=((-1,), (max(y.rank - 2, 0),)))
    return copy_to_out(result, out, "dot")


cdef int require_terms(usm_ndarray x, usm_ndarray y, int axis, str function) except -1:
    """Raise a ValueError unless an axis of y has the extent of x's last axis."""
    if x.extents[x.rank - 1] != y.extents[axis]:
        expected = (f"{x.extents[x.rank - 1]} elements along axis {axis}, as a of shape {x.shape} "
                    "has last")
        raise wrong_value(y.shape, function, "b.shape", expected)
    return 0


def inner(a: Vector | Scalar, b: Vector | Scalar) -> usm_ndarray:
    """Sum products over the last axes of two arrays.

    Parameters
    ----------
    a, b : usm_ndarray, numpy.ndarray, sequence or number
        One of them is a usm_ndarray.

    Returns
    -------
    usm_ndarray
        An array with the other axes of `a`, then the other axes of `b`. If an operand is a number,
        the products with it.

    Raises
    ------
    TypeError, ValueError, ExecutionPlacementError
        As from `dot`.

    Notes
    -----
    Compatible with numpy.inner.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.inner(usm.asarray([[1, 2], [3, 4]]), usm.asarray([1, 10]))
    usm_ndarray([21, 43])
    """
    cdef usm_ndarray x, y
    x, y = convert_operands("inner", {"a": a, "b": b})
    if x.rank == 0 or y.rank == 0:
        return multiply_elements(x, y)
    require_terms(x, y, y.rank - 1, "inner")
    return tensordot(x, y, axes=((-1,), (-1,)))


def vdot(a: Vector | Scalar, b: Vector | Scalar) -> usm_ndarray:
    """Sum the products of the conjugates of `a` and the elements of `b`.

    Parameters
    ----------
    a, b : usm_ndarray, numpy.ndarray, sequence or number
        One of them is a usm_ndarray.

    Returns
    -------
    usm_ndarray
        A 0-D array.

    Raises
    ------
    TypeError, ValueError, ExecutionPlacementError
        As from `dot`.

    Notes
    -----
    The arrays are flattened in C order. Compatible with numpy.vdot.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.vdot(usm.asarray([1j, 2]), usm.asarray([1j, 2]))
    usm_ndarray(5.+0.j)
    """
    cdef usm_ndarray x, y
    x, y = convert_operands("vdot", {"a": a, "b": b})
    x, y = reshape(x, (-1,)) if x.rank != 1 else x, reshape(y, (-1,)) if y.rank != 1 else y
    require_terms(x, y, 0, "vdot")
    return vecdot(x, y)
