"""Elementwise functions: one object per row of libtensor/operators.toml."""

cimport numpy as np
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF
from cython.operator cimport dereference
from libc.stdint cimport int16_t, int64_t
from libc.string cimport memcmp, memset
from libcpp cimport bool as cbool
from libcpp.vector cimport vector
from usmtensor._core.array cimport (
    C_CONTIGUOUS, F_CONTIGUOUS, WRITABLE, allocate_array, same_shape, usm_ndarray,
)
from usmtensor._core.copy cimport copy_as, copy_into
from usmtensor._core.operands cimport (
    ARRAY, NUMPY_OTHER, NUMPY_SCALAR, OperandKind, Operands, PYTHON_BOOL, PYTHON_COMPLEX,
    PYTHON_FLOAT, PYTHON_INT, assign, broadcast, casts_safely, check_out, colocate, copy_to_out,
    first_array, in_type, numpy_code, operand_kind, read_operands, refuse_sequences,
)
from usmtensor._core.operators cimport EQ, NE, set_operate
from usmtensor._core.tracing cimport (
    Trace, Traced, array_or_sample, find_traced, is_traced_scalar, number_of,
)
from usmtensor._core.views cimport broadcast_view
from usmtensor._libraries.host cimport call_quietly
from usmtensor._native.libtensor cimport (
    HeldOperands, Input, Inputs, Operator, Queue, Signature, Signature_computed, Signature_copy,
    Signature_one, Signature_zero, UsmKind, View, compact_strides_like, elementwise, operator_count,
    operators,
)
from usmtensor._runtime.arguments cimport order_char, short_repr, wrong_type, wrong_value
from usmtensor._runtime.dtypes cimport (
    BOOL, C8, DTYPES, DTYPE_COUNT, F2, cpp_type, default_code, from_python, is_supported,
)
from usmtensor._runtime.queue cimport SyclQueue

import operator as operators_of_python
from opcode import opmap

import numpy

from usmtensor._core import hints as _hints
from usmtensor._core.array import bodies
from usmtensor._core.copy import asnumpy
from usmtensor._core.docstrings import (
    KEYWORDS, SECOND, elementwise_docstring, elementwise_signature,
)
from usmtensor._core.operators import Operation
from usmtensor._functions.creation import asarray

__all__ = ["BinaryElementwiseFunc", "UnaryElementwiseFunc", "clip", "divmod", "frexp", "modf",
           "where"]

cdef extern from "temporaries.hpp" namespace "usmtensor":
    cbool has_one_reference(object operand)
    cbool interpreter_applies_operator(const cbool *is_operator, PyTypeObject *type)

cdef extern from "Python.h":
    ctypedef PyObject *(*ternaryfunc)(PyObject *, PyObject *, PyObject *) except NULL
    ctypedef struct PyTypeObject:
        ternaryfunc tp_call

cdef object _TOKEN = object()  # so that only this module can make functions

cdef enum:
    NOT_ASKED = -1
    NO_SIGNATURE = -2

cdef list LIMITS = [None, *[(x.min, x.max) for x in map(numpy.iinfo, DTYPES[1:F2])]]


cdef usm_ndarray new_result(Operands operands, int code, int rank, const int64_t *shape,
                            char order, usm_ndarray temporary=None):
    """Return a new compact array, or a temporary operand that is like it.

    K and A have the order of the operands with its shape.
    """
    cdef int k, both = C_CONTIGUOUS | F_CONTIGUOUS
    cdef usm_ndarray x, model = None
    cdef const int64_t *strides = NULL
    if order == b"K" or order == b"A":
        for k in range(<int>len(operands.values)):
            x = operands.array(k)
            if x is not None and same_shape(x, rank, shape):
                both &= x.bits
                if model is None:
                    model = x
        if model is None or both & C_CONTIGUOUS or order == b"A" and not both & F_CONTIGUOUS:
            order = b"C"
        elif both & F_CONTIGUOUS:
            order = b"F"
        else:
            order, strides = b"K", model.strides_()
    return temporary_or_new(temporary, operands.queue, operands.kind, code, rank, shape, order,
                            strides)


cdef usm_ndarray temporary_or_new(usm_ndarray temporary, SyclQueue queue, UsmKind kind, int code,
                                  int rank, const int64_t *shape, char order,
                                  const int64_t *model=NULL):
    """Return the temporary operand if it is like the array that allocate_array() would make.

    Otherwise return this array.
    """
    cdef vector[int64_t] strides
    cdef bint is_like_new = (
        temporary is not None and temporary.queue is queue and temporary.allocation.kind == kind
        and temporary.code == code and same_shape(temporary, rank, shape))
    if is_like_new and order == b"K":
        strides.resize(rank)
        compact_strides_like(rank, shape, model, strides.data())
        is_like_new = not memcmp(strides.data(), temporary.strides_(), rank * sizeof(int64_t))
    elif is_like_new:
        is_like_new = temporary.bits & (C_CONTIGUOUS if order == b"C" else F_CONTIGUOUS)
    return temporary if is_like_new else allocate_array(queue, kind, code, rank, shape, order,
                                                        model)


cdef bint has_one_stride_like(usm_ndarray x, usm_ndarray model) noexcept:
    """Return True for a 0-D array, or an array with the shape of `model` and one stride."""
    return (x is model or x.rank == 0
            or x.has_one_stride() and same_shape(x, model.rank, model.extents))


cdef int number_code(object x, int code):
    """Return the type of a number in an operation with an array of a type.

    It is the array's type for a Python number in its range, and -1 for other objects.
    """
    cdef type kind = type(x)
    if kind is float:
        return code if code >= F2 else -1
    if kind is int:
        if code >= F2:
            return code
        return code if code != BOOL and LIMITS[code][0] <= x <= LIMITS[code][1] else -1
    if kind is complex:
        return code if code >= C8 else -1
    return numpy_code(x) if isinstance(x, np.generic) else -1


cdef bint is_number_after(object x, object second):
    """Return True if a second argument is a number, or a 0-D array that cannot be `out`."""
    if isinstance(second, usm_ndarray):
        return (<usm_ndarray>second).rank == 0 \
            and isinstance(x, usm_ndarray) and (<usm_ndarray>x).rank > 0
    return isinstance(second, (int, float, numpy.generic))


cdef bint are_numbers(list values):
    """Return True if all operands are Python or NumPy scalars."""
    for x in values:
        if isinstance(x, (usm_ndarray, numpy.ndarray)) \
                or operand_kind(x) not in (PYTHON_BOOL, PYTHON_INT, PYTHON_FLOAT, PYTHON_COMPLEX,
                                           NUMPY_SCALAR):
            return False
    return True


class _Signature:
    """The signature of a function. The class has no signature."""

    def __get__(self, function, cls=None):
        cdef ElementwiseFunction self_ = function
        if self_ is None:
            raise AttributeError("__signature__")
        return elementwise_signature(self_.name, self_.row.inputs)


cdef class ElementwiseFunction:
    """ElementwiseFunction(*args, **kwargs)\n--\n

    An elementwise function."""

    __signature__ = _Signature()

    cdef const Operator *row
    cdef str name
    cdef tuple arguments  # names
    cdef public object _with_second  # for round and angle: with NumPy's second argument
    cdef dict by_exponent  # for pow: functions that replace it for some exponents; or None
    # The signature's index by input types, for devices with or without fp16 and fp64.
    cdef int16_t[4][196] chosen

    def __cinit__(self, token=None):
        if token is not _TOKEN:
            raise TypeError(f"{type(self).__name__} objects are the functions of the package")
        memset(self.chosen, 0xff, sizeof(self.chosen))  # sets all entries to NOT_ASKED

    def __getattr__(self, name):
        raise _hints.missing(f"function {self.name!r}", name, self, _hints.UFUNCS)

    cdef int choose(self, const Queue *queue, int x, int y=0):
        """Return the signature for inputs of two types: the first that accepts both."""
        cdef int16_t *slot = &self.chosen[queue.fp16 + 2 * queue.fp64][DTYPE_COUNT * x + y]
        if slot[0] == NOT_ASKED:  # set only once, because other threads read it
            slot[0] = self.search(queue, x, y)
        return slot[0]

    cdef int search(self, const Queue *queue, int x, int y):
        cdef const Signature *signature
        cdef int i
        if self.row.numeric and x == BOOL and y == BOOL:
            return NO_SIGNATURE
        if self.row.default_float and x < F2 and y < F2:
            x = y = default_code(2, queue.fp64)
        for i in range(self.row.count):
            signature = &self.row.signatures[i]
            if (is_supported(signature.output, queue)
                    and casts_safely(x, signature.inputs[0], queue)
                    and (self.row.inputs == 1 or casts_safely(y, signature.inputs[1], queue))):
                return i
        return NO_SIGNATURE

    cdef usm_ndarray call_alike(self, object x, object y, usm_ndarray result,
                                usm_ndarray temporary):
        """Compute the most frequent case fast: one or two similar operands.

        The operands are arrays of one type and shape with one stride, 0-D arrays of this type, and
        numbers that take this type. Returns None for other operands.
        """
        cdef usm_ndarray first = <usm_ndarray>x if isinstance(x, usm_ndarray) else None
        cdef usm_ndarray second = <usm_ndarray>y if isinstance(y, usm_ndarray) else None
        cdef usm_ndarray model = first  # has the shape of the result
        cdef bint binary = self.row.inputs > 1
        cdef int slot = 1 if binary and self.row.swapped else 0  # of the first operand
        cdef int code, code_of_first, code_of_second, found
        cdef UsmKind kind
        cdef View[3] views
        cdef int64_t[3][2] lines
        cdef Input[2] inputs
        cdef const Signature *signature
        if first is None or second is not None and second.rank > first.rank:
            model = second
        code = code_of_first = code_of_second = model.code
        kind = model.allocation.kind
        if not model.has_one_stride():
            return None
        if first is not None and second is not None:
            if (first.queue is not second.queue or first.code != second.code
                    or not has_one_stride_like(first, model)
                    or not has_one_stride_like(second, model)):
                return None
            kind = min(first.allocation.kind, second.allocation.kind)
        elif first is None:
            code_of_first = number_code(x, code)
        elif binary:
            code_of_second = number_code(y, code)
        if code_of_first < 0 or code_of_second < 0:
            return None
        found = self.choose(model.queue.ref.get(), code_of_first, code_of_second if binary else 0)
        if found < 0:
            return None
        signature = &self.row.signatures[found]
        if (signature.result != Signature_computed or signature.inputs[0] != code
                or binary and signature.inputs[1] != code):
            return None
        if result is not None and (
                result.queue is not model.queue or result.code != signature.output
                or not result.bits & WRITABLE or not result.has_one_stride()
                or not same_shape(result, model.rank, model.extents)):
            return None
        inputs[slot].array = &views[0] if first is not None else NULL
        if first is not None:
            views[0] = first.as_1d_view(lines[0])
        else:
            from_python(x, code, <char *>inputs[slot].bits, self.name)
        if binary:
            inputs[1 - slot].array = &views[1] if second is not None else NULL
            if second is not None:
                views[1] = second.as_1d_view(lines[1])
            else:
                from_python(y, code, <char *>inputs[1 - slot].bits, self.name)
            if first is not None and second is not None and first.rank != second.rank:  # 0-D
                lines[0 if model is second else 1] = [lines[1 if model is second else 0][0], 0]
        if result is None:
            result = temporary_or_new(temporary, model.queue, kind, signature.output, model.rank,
                                      model.extents, b"C")
        views[2] = result.as_1d_view(lines[2])
        elementwise(model.queue.ref, signature[0], Inputs(inputs, self.row.inputs), views[2])
        return result

    cdef object call(self, object x, object y, object z, object out, char order, bint operator,
                     usm_ndarray temporary=None):
        """Compute the function of one, two or three operands.

        The result may be written to a temporary operand. Returns None for an operator with an
        operand of an unknown type.
        """
        cdef int inputs = self.row.inputs
        cdef usm_ndarray result
        cdef ElementwiseFunction function
        if self.by_exponent is not None:
            function = self.of_exponent(x, y, operator)
            if function is not None:
                return function.call(x, None, None, out, order, operator, temporary)
        if (inputs < 3 and order != b"F"
                and (isinstance(x, usm_ndarray) or inputs == 2 and isinstance(y, usm_ndarray))
                and (out is None or isinstance(out, usm_ndarray))):
            result = self.call_alike(x, y, <usm_ndarray>out, temporary)
            if result is not None:
                return result
        return self.call_any([x] if inputs == 1 else [x, y] if inputs == 2 else [x, y, z], out,
                             order, operator, temporary)

    cdef ElementwiseFunction of_exponent(self, object x, object y, bint operator):
        """Return a faster function of x that is equal to pow(x, y), or None.

        As in NumPy, only the operator uses sqrt, which differs from pow for -inf and -0.0.
        """
        cdef object base = (<Traced>x).sample if isinstance(x, Traced) else x
        cdef int code = (<usm_ndarray>base).code if isinstance(base, usm_ndarray) else BOOL
        if code == BOOL or type(y) is not int and type(y) is not float:
            return None
        if code < F2:
            return self.by_exponent.get(y) if type(y) is int and y == 2 else None
        if y not in self.by_exponent and -2 < y < 3:  # it may equal an exponent in the array's type
            y = (<usm_ndarray>base).dtype.type(y).real
        if y == 0.5 and not operator or y == 3 and code < C8:
            return None
        return self.by_exponent.get(y)

    cdef object call_any(self, list values, object out, char order, bint operator,
                         usm_ndarray temporary=None):
        """Compute the function of any operands."""
        cdef Traced traced = find_traced(values)
        cdef Operands operands
        cdef const Signature *signature
        cdef const int64_t *shape
        cdef vector[int64_t] common
        cdef usm_ndarray model, result, x
        cdef HeldOperands held
        cdef int k, rank
        if traced is not None:
            return self.trace(traced.trace, values, out, operator)
        if not operator and out is None and are_numbers(values):  # operators have an array operand
            return self.of_numbers(values)
        operands = read_operands(self.name, self.arguments, values, out, operator)
        if operands is None:
            return None
        signature = self.signature_of(operands)
        model = operands.model()
        if model is None:
            broadcast(common, values, self.name)
            rank, shape = common.size(), common.data()
        else:
            rank, shape = model.rank, model.extents
        if out is not None:
            result = check_out(out, operands.queue, signature.output, rank, shape, self.name, True)
            if result.code != signature.output:
                held.write(dereference(result.allocation))
                for k in range(self.row.inputs):
                    x = operands.array(k)
                    if x is not None:
                        held.read(dereference(x.allocation))
                held.lock()
                copy_into(self.call_any(values, None, order, False), result)
                return result
        elif signature.result == Signature_copy:
            return copy_as(operands.array(0), signature.output, order, operands.queue, None)
        else:
            result = new_result(operands, signature.output, rank, shape, order, temporary)
        if signature.result != Signature_computed:
            self.without_kernel(signature.result, operands.array(0), result)
            return result
        try:
            self.run(signature, operands, result)
        except OverflowError:
            # Comparisons and logical functions accept integers beyond the range of the type.
            if signature.output != BOOL or signature.inputs[0] >= F2:
                raise
            if self.row.dunder[0] == 0:
                return self.call_any([value if isinstance(value, usm_ndarray) else True
                                      for value in values], result, order, False)
            compare = getattr(operators_of_python, self.row.dunder.decode())
            found = compare(*[0 if isinstance(value, usm_ndarray) else value for value in values])
            self.without_kernel(Signature_one if found else Signature_zero, None, result)
        return result

    cdef object by_keyword(self, dict keywords):
        """Call a function whose operand is a keyword. Return None without it."""
        operand = KEYWORDS.get(self.name)
        if operand not in keywords:
            return None
        keywords = dict(keywords)
        return self(keywords.pop(operand), **keywords)

    cdef object of_numbers(self, list values):
        """Return a NumPy scalar for operands that are all numbers.

        NumPy computes it, or the device if NumPy does not have the function or raises an error.
        """
        cdef int k = 0
        function = getattr(numpy, self.row.name.decode(), None)
        if function is not None:
            try:
                result = call_quietly(function, values)
                if isinstance(result, np.generic):
                    return result
                result = numpy.asarray(result)
                if result.dtype != object:
                    return result[()]
            except (AttributeError, TypeError, ValueError):
                pass
        while k < len(values) - 1 and not isinstance(values[k], numpy.generic):
            k += 1
        values = list(values)
        try:
            values[k] = asarray(values[k])
        except OverflowError:
            raise OverflowError(
                f"{self.name}: {short_repr(values[k])} does not fit 64 bits") from None
        return asnumpy(self.call_any(values, None, b"K", False))[()]

    cdef object by_second(self, tuple given, dict keywords):
        """Compute round(a, decimals) or angle(z, deg). Return None without the second argument."""
        first, name = KEYWORDS[self.name], SECOND[self.name][0]
        if name in keywords:
            value = keywords[name]
            keywords = {other: keywords[other] for other in keywords if other != name}
        elif len(given) > 1 and is_number_after(given[0], given[1]):
            value, given = given[1], given[:1] + given[2:]
        else:
            return None
        if len(given) == 1 and not keywords and are_numbers([given[0]]):
            try:
                return numpy.asarray(getattr(numpy, self.name)(given[0], value))[()]
            except (AttributeError, TypeError):  # not a NumPy type
                raise wrong_value(given[0], self.name, first, "a number of a data type") from None
        operand = given[0]
        if not isinstance(operand, Traced):
            operand = array_or_sample(operand, self.name, first)
        return self._with_second(operand, value, *given[1:], **keywords)

    cdef const Signature *signature_of(self, Operands operands) except NULL:
        """Return the signature for operands.

        For three operands it depends on the promoted type, without a condition.
        """
        cdef const Queue *queue = operands.queue.ref.get()
        cdef int code, i, k, found = 0
        if self.row.inputs < 3:
            found = self.choose(queue, operands.code(0),
                                self.second_code(operands) if self.row.inputs > 1 else 0)
        else:
            code = operands.common_code(self.row.signatures[self.row.count - 1].inputs[0] == BOOL)
            for i in range(self.row.count):
                if self.row.signatures[i].output == code:
                    found = i
        if found < 0:
            types = " and ".join([str(DTYPES[operands.code(k)]) for k in range(self.row.inputs)])
            raise TypeError(f"{self.name}: not defined for {types}")
        return &self.row.signatures[found]

    cdef int second_code(self, Operands operands) except -1:
        """The type of the second operand. If it is an integer of another type than the first one, a
        Python integer does not take the first one's type."""
        cdef const Signature *first = &self.row.signatures[0]
        cdef OperandKind kind = operands.kinds[1]
        if first.inputs[0] != first.inputs[1] and (kind == PYTHON_BOOL or kind == PYTHON_INT):
            return first.inputs[1]
        return operands.code(1)

    cdef object trace(self, Trace trace, list values, object out, bint operator):
        """Trace the function of operands of which some are traced, as a statement."""
        cdef Operands operands
        cdef const Signature *signature
        cdef Traced result
        cdef int k, first = 0
        samples = [(<Traced>x).sample if isinstance(x, Traced) else x for x in values]
        result = number_of(getattr(operators_of_python, f"__{self.row.dunder.decode()}__")
                           if operator and self.row.dunder[0] else self, values)
        if result is not None:
            return result
        operands = read_operands(self.name, self.arguments, samples, None, operator)
        if operands is None:
            return None
        signature = self.signature_of(operands)
        inputs = [trace.operand(values[k], signature.inputs[k], self.name)
                  for k in range(self.row.inputs)]
        output = cpp_type(signature.output)
        if signature.result == Signature_copy:
            text = inputs[0]
        elif signature.result != Signature_computed:
            text = str(signature.result == Signature_one).lower()
        else:
            types = [output, *[cpp_type(signature.inputs[k]) for k in range(self.row.inputs)]]
            if self.row.swapped:
                inputs.reverse()
                types[1:] = types[:0:-1]
            if self.name == "cos" and signature.output < C8:
                inputs[0] = trace.hide_origin(inputs[0])
            functor = self.row.functor.decode()
            if (self.by_exponent is not None and isinstance(values[1], Traced)
                    and not isinstance(samples[1], (usm_ndarray, complex))
                    and operands.code(0) >= F2):
                functor = f"PowOfScalar<{'true' if operator else 'false'}>"
            text = f"Elementwise<{functor}, {', '.join(types)}>{{}}"
            text += f"({', '.join(inputs)})"
            trace.families.add(self.row.family.decode())
        result = trace.step(text, signature.output, values, self.name)
        if out is None:
            return result
        if not operator or not isinstance(out, Traced):
            raise TypeError(f"{self.name}: out cannot be traced")
        first = array_or_sample(out, self.name).code
        if not numpy.can_cast(<object>DTYPES[signature.output], <object>DTYPES[first],
                              "same_kind"):
            raise TypeError(f"{self.name}: out has data type {DTYPES[first]}; expected one to "
                            f"which {DTYPES[signature.output]} casts by the rule 'same_kind'")
        return (<Traced>out).update(result.cast(first, False), self.name)

    cdef int run(self, const Signature *signature, Operands operands,
                 usm_ndarray result) except -1:
        """Run the kernel."""
        cdef int k, slot, count = self.row.inputs
        cdef View[3] views
        cdef Input[3] inputs
        cdef usm_ndarray x
        # Numbers are converted first, because they may run user code.
        for k in range(count):
            if operands.kinds[k] != ARRAY:
                slot = 1 - k if self.row.swapped else k
                inputs[slot].array = NULL
                from_python(operands.values[k], signature.inputs[k], <char *>inputs[slot].bits,
                            self.name)
        for k in range(count):
            x = operands.array(k)
            if x is not None:
                slot = 1 - k if self.row.swapped else k
                x = in_type(x, signature.inputs[k])
                if not same_shape(x, result.rank, result.extents):
                    x = broadcast_view(x, result.rank, result.extents, self.name)
                views[slot] = x.view()
                operands.values[k] = x  # kept alive until the command is submitted
                inputs[slot].array = &views[slot]
        elementwise(operands.queue.ref, signature[0], Inputs(inputs, count), result.view())
        return 0

    cdef int without_kernel(self, int how, usm_ndarray x, usm_ndarray result) except -1:
        if how == Signature_copy:
            return copy_into(x, result)
        assign(result, how == Signature_one)
        return 0

    # Attributes of NumPy ufuncs

    @property
    def __name__(self) -> str:
        """str: The name of the function."""
        return self.name

    @property
    def nin(self) -> int:
        """int: The number of inputs."""
        return self.row.inputs

    @property
    def nout(self) -> int:
        """int: The number of outputs."""
        return 1

    @property
    def types(self) -> list[str]:
        """list of str: The signatures in NumPy's notation ("ff->f")."""
        cdef int i, k
        found = []
        for i in range(self.row.count):
            inputs = [DTYPES[self.row.signatures[i].inputs[k]].char
                      for k in range(self.row.inputs)]
            found.append("".join(inputs) + "->" + DTYPES[self.row.signatures[i].output].char)
        return found

    @property
    def types_(self) -> list[str]:
        """list of str: The signatures, as in `types`."""
        return self.types

    def __repr__(self):
        return f"<{type(self).__name__} '{self.name}'>"

    @property
    def __module__(self):
        module = self.row.module.decode()
        return f"usmtensor.{module}" if module else "usmtensor"

    def __reduce__(self):
        return self.name

    cdef object docstring(self):
        return elementwise_docstring(self.name, self.row.inputs, self.row.summary.decode(),
                                     self.row.notes.decode(), self.types, self.row.source.decode())


cdef class UnaryElementwiseFunc(ElementwiseFunction):
    """An elementwise function of one array.

    Notes
    -----
    Compatible with dpctl.tensor: `nin`, `nout`, `types`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> isinstance(usm.sqrt, usm.UnaryElementwiseFunc)
    True
    >>> usm.sqrt.nin, usm.sqrt.types[0]
    (1, 'e->e')
    """

    def __call__(self, x, /, out=None, order="K"):
        return self.call(x, None, None, out, order_char(order, self.name), False)

    @property
    def __doc__(self):
        return self.docstring()


cdef class BinaryElementwiseFunc(ElementwiseFunction):
    """An elementwise function of two arrays, or of an array and a number.

    Notes
    -----
    Compatible with dpctl.tensor: `nin`, `nout`, `types`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> isinstance(usm.add, usm.BinaryElementwiseFunc)
    True
    >>> usm.add.nin, usm.add.types[0]
    (2, '??->?')
    """

    def __call__(self, x1, x2, /, out=None, order="K"):
        return self.call(x1, x2, None, out, order_char(order, self.name), False)

    @property
    def __doc__(self):
        return self.docstring()

    def reduce(
        self,
        array: usm_ndarray | Sequence[usm_ndarray],
        /,
        axis: Axes = 0,
        dtype: DType = None,
        out: Out = None,
        keepdims: bool = False,
        initial: Operand | None = None,
        where: Values | None = None,
    ) -> usm_ndarray:
        """Reduce the elements along axes with the function.

        Parameters
        ----------
        array : usm_ndarray or sequence of usm_ndarray
            The arrays of a sequence are stacked along a new first axis.
        axis : int or tuple of int, optional
            Default: the first axis. None: all axes.
        dtype : data type, optional
            As in `sum`.
        out : usm_ndarray, optional
            An array for the result.
        keepdims : bool
            If True, the result keeps the reduced axes with extent 1.
        initial : number, optional
            The initial value.
        where : usm_ndarray or numpy.ndarray, optional
            A mask of the elements to include.

        Returns
        -------
        usm_ndarray

        Raises
        ------
        TypeError
            If the function has no reduction: add, multiply, maximum, minimum, fmax, fmin, gcd,
            lcm, hypot, logaddexp and the logical and bitwise functions have one.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.add.reduce(usm.ones((2, 3)))
        usm_ndarray([2., 2., 2.])
        """
        return bodies.ufunc_methods.reduce(self, array, axis, dtype, out, keepdims, initial, where)

    def accumulate(
        self, array: usm_ndarray, /, axis: SupportsIndex = 0, dtype: DType = None, out: Out = None
    ) -> usm_ndarray:
        """Accumulate the elements along an axis with the function.

        Parameters
        ----------
        array : usm_ndarray
        axis : int
        dtype : data type, optional
            As in `cumulative_sum`.
        out : usm_ndarray, optional
            An array for the result.

        Returns
        -------
        usm_ndarray

        Raises
        ------
        TypeError
            If the function has no reduction: add, multiply, maximum, minimum, fmax, fmin, gcd,
            lcm, hypot, logaddexp and the logical and bitwise functions have one.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.maximum.accumulate(usm.asarray([1, 3, 2, 5]))
        usm_ndarray([1, 3, 3, 5])
        """
        return bodies.ufunc_methods.accumulate(self, array, axis, dtype, out)

    def outer(self, x1: Operand, x2: Operand, /) -> usm_ndarray:
        """Apply the function to each pair of elements of two arrays.

        Parameters
        ----------
        x1, x2 : usm_ndarray, numpy.ndarray or number
            At least one is a usm_ndarray.

        Returns
        -------
        usm_ndarray
            An array with the shape of `x1` followed by the shape of `x2`.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.add.outer(usm.asarray([10, 20]), usm.asarray([1, 2, 3]))
        usm_ndarray([[11, 12, 13],
                     [21, 22, 23]])
        """
        return bodies.ufunc_methods.outer(self, x1, x2)

    def reduceat(
        self,
        array: usm_ndarray,
        indices: Values,
        axis: SupportsIndex = 0,
        dtype: DType = None,
        out: Out = None,
    ) -> usm_ndarray:
        """Reduce slices along an axis with the function.

        Slice i is ``array[indices[i]:indices[i + 1]]``. The last slice extends to the end of the
        axis. If indices[i + 1] is not larger than indices[i], the slice is ``array[indices[i]]``.

        Parameters
        ----------
        array : usm_ndarray
        indices : usm_ndarray, numpy.ndarray or sequence
            A 1-D array of non-negative integers that are less than the extent of the axis.
        axis : int
        dtype : data type, optional
            The type of the result. Default: as for `reduce`.
        out : usm_ndarray, optional
            An array for the result.

        Returns
        -------
        usm_ndarray
            An array in which the axis has the number of indices as its extent.

        Raises
        ------
        TypeError
            If `array` is not an array; if the indices are not integers; or if the function has no
            reduction.
        IndexError
            If an index is out of range.
        ValueError
            If the indices are not 1-D, or `out` has another shape.

        Notes
        -----
        Waits for the indices.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.add.reduceat(usm.asarray([1, 2, 3, 4, 5]), [0, 2, 3])
        usm_ndarray([3, 3, 9])
        """
        return bodies.ufunc_methods.reduceat(self, array, indices, axis, dtype, out)

    def at(self, array: usm_ndarray, indices: Any, values: Values, /) -> None:
        """Combine elements with values in place. An index may occur several times.

        Parameters
        ----------
        array : usm_ndarray
            The array that is changed.
        indices : index
            Any index of `array[indices]`.
        values : usm_ndarray, numpy.ndarray, sequence or number
            Broadcasts to the shape of `array[indices]`.

        Raises
        ------
        TypeError
            If `array` is not an array, or its type does not take the values; or if the function has
            no reduction: add, subtract, multiply, maximum, minimum, logical_and and logical_or do.
        IndexError
            If an index is out of range.
        ValueError
            If the values do not broadcast, or `array` is read-only.

        Notes
        -----
        The values of an index are combined in an order that depends only on the indices, so equal
        calls give equal bits.

        Examples
        --------
        >>> import usmtensor as usm
        >>> x = usm.zeros(4)
        >>> usm.add.at(x, usm.asarray([1, 1, 3]), 1)
        >>> x
        usm_ndarray([0., 2., 0., 1.])
        """
        bodies.ufunc_methods.at(self, array, indices, values)


cdef bint has_ufunc_keywords(dict keywords):
    """Return True if `where`, `dtype` or `casting` is given, which `ufunc_methods.call` applies."""
    return "where" in keywords or "dtype" in keywords or "casting" in keywords


cdef ternaryfunc _call_unary = (<PyTypeObject *>UnaryElementwiseFunc).tp_call
cdef ternaryfunc _call_binary = (<PyTypeObject *>BinaryElementwiseFunc).tp_call


cdef PyObject *call_by_name(PyObject *function, PyObject *arguments,
                            PyObject *keywords) except NULL:
    """Call a function as its class does. Argument errors name the function instead of __call__."""
    cdef ElementwiseFunction self = <ElementwiseFunction>function
    cdef ternaryfunc call = _call_unary if self.row.inputs == 1 else _call_binary
    cdef tuple given = <tuple>arguments
    cdef dict named = None
    if keywords == NULL and len(given) == self.row.inputs:
        result = self.call(given[0], given[1] if self.row.inputs > 1 else None, None, None, b"K",
                           False)
        Py_INCREF(result)
        return <PyObject *>result
    if keywords != NULL:
        named = <dict>keywords
        out = named.get("out")
        if type(out) is tuple and len(<tuple>out) == 1:  # as NumPy's ufuncs take it
            named = {**named, "out": (<tuple>out)[0]}
            keywords = <PyObject *>named
    if named is not None and len(given) == 0:
        result = self.by_keyword(named)
        if result is not None:
            Py_INCREF(result)
            return <PyObject *>result
    if self._with_second is not None and len(given):
        result = self.by_second(given, {} if named is None else named)
        if result is not None:
            Py_INCREF(result)
            return <PyObject *>result
    if named is not None and has_ufunc_keywords(named):
        result = bodies.ufunc_methods.call(self, given, named)
        Py_INCREF(result)
        return <PyObject *>result
    try:
        return call(function, arguments, keywords)
    except TypeError as error:
        text = str(error)
        if not text.startswith("__call__()"):
            raise
        raise TypeError(text.replace("__call__", self.name, 1)) from None


(<PyTypeObject *>UnaryElementwiseFunc).tp_call = call_by_name
(<PyTypeObject *>BinaryElementwiseFunc).tp_call = call_by_name


# Functions of three operands


def where(
    condition: Operand,
    x1: Operand | None = None,
    x2: Operand | None = None,
    /,
    *,
    order: KeepOrder = "K",
    out: Out = None,
) -> Any:
    """Choose elements from one of two arrays by a condition.

    With only a condition, return the indices of its true elements, as `nonzero` does.

    Parameters
    ----------
    condition : usm_ndarray, numpy.ndarray or number
        The condition. Nonzero elements are true. At least one of the operands is a usm_ndarray.
    x1, x2 : usm_ndarray, numpy.ndarray or number, optional
        Operands whose shapes broadcast with the shape of `condition`. Both or neither are given.
    order : {"K", "C", "F", "A"}
        The memory order of the result.
    out : usm_ndarray, optional
        An array for the result; it may overlap the inputs.

    Returns
    -------
    usm_ndarray or tuple of usm_ndarray
        An array of the type to which `x1` and `x2` promote. With only a condition, the indices of
        its true elements along each axis.

    Raises
    ------
    TypeError
        If `condition` is not an array, or an operand is neither an array nor a number.
    ValueError
        If the shapes do not broadcast, or `out` has another shape or is read-only.
    ExecutionPlacementError
        If the arrays are on different devices or in different contexts.

    Notes
    -----
    Source: array API 2025.12, `where`; `order` and `out` as in dpctl.tensor.where.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.asarray([-1, 2, -3])
    >>> usm.where(x > 0, x, 0)
    usm_ndarray([0, 2, 0])
    >>> usm.where(x > 0)
    (usm_ndarray([1]),)
    """
    if x1 is None and x2 is None:
        if not isinstance(condition, Traced) \
                and colocate(condition, None, "where", "condition").rank == 0:
            raise wrong_value(0, "where", "condition.ndim", "1 or more without x1 and x2")
        return bodies.namespace.nonzero(condition)
    traced = number_of(where, [condition, x1, x2])
    if traced is not None:
        return traced
    if is_traced_scalar(condition, [x1, x2]):
        pass
    elif isinstance(condition, Traced) and (<Traced>condition).array is None:
        condition = (<Traced>condition).trace.number(bool, [condition])
    elif isinstance(condition, Traced):
        array_or_sample(condition, "where")
    elif out is None and not isinstance(condition, usm_ndarray) \
            and are_numbers([condition, x1, x2]):
        return numpy.where(condition, x1, x2)[()]
    elif isinstance(condition, (bool, int, float, complex)) \
            and (isinstance(x1, Traced) or isinstance(x2, Traced)):
        condition = bool(condition)
    else:
        if isinstance(condition, (bool, int, float, complex)):
            condition = numpy.bool_(condition)
        condition = colocate(condition, first_array((x1, x2)), "where", "condition")
    return _where.call(condition, x1, x2, out, order_char(order, "where"), False)


def clip(
    a: ArrayOperand,
    min: Operand | None = None,
    max: Operand | None = None,
    out: Out = None,
    order: KeepOrder = "K",
    *,
    a_min: Operand | None = None,
    a_max: Operand | None = None,
) -> usm_ndarray:
    """Limit the elements of an array to an interval.

    Parameters
    ----------
    a : usm_ndarray or numpy.ndarray
        At least one of the operands is a usm_ndarray.
    min, max : usm_ndarray, numpy.ndarray or number, optional
        Operands whose shapes broadcast with the shape of `a`. None: no limit. If `min` exceeds
        `max`, the result is `max`. A Python integer out of range of the data type is ignored if the
        other limit is a Python integer or None.
    out : usm_ndarray, optional
        An array for the result; it may overlap the inputs.
    order : {"K", "C", "F", "A"}
        The memory order of the result.
    a_min, a_max : usm_ndarray, numpy.ndarray or number, optional
        NumPy's alternative names of `min` and `max`.

    Returns
    -------
    usm_ndarray
        An array of the type to which the operands promote; NaN if an operand is NaN.

    Raises
    ------
    TypeError
        If `a` is not an array, or a limit is neither an array nor a number.
    ValueError
        If the shapes do not broadcast, or `out` has another shape or is read-only; or if a
        limit is given by both names.
    ExecutionPlacementError
        If the arrays are on different devices or in different contexts.

    Notes
    -----
    Source: array API 2025.12, `clip`; `out` and `order` as in dpctl.tensor.clip.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.clip(usm.arange(6), 1, 4)
    usm_ndarray([1, 1, 2, 3, 4, 4])
    """
    cdef usm_ndarray array
    cdef object operand
    cdef char letter = order_char(order, "clip")
    for name, one, other in (("min", min, a_min), ("max", max, a_max)):
        if one is not None and other is not None:
            raise ValueError(f"clip: {name} and a_{name} are given; expected one of them")
    min, max = a_min if min is None else min, a_max if max is None else max
    if not isinstance(a, usm_ndarray) and out is None \
            and are_numbers([0 if one is None else one for one in (a, min, max)]) \
            and a is not None:
        return numpy.asarray(numpy.clip(a, min, max))[()]
    traced = number_of(clip, [a, min, max])
    if traced is not None:
        return traced
    is_scalar = is_traced_scalar(a, [min, max])  # with traced limits
    array = None if is_scalar else array_or_sample(a, "clip", "a") if isinstance(a, Traced) \
        else colocate(a, first_array((min, max)), "clip", "a")
    operand = a if is_scalar or isinstance(a, Traced) else array
    if not is_scalar and 1 <= array.code < F2 and (min is None or isinstance(min, int)) \
            and (max is None or isinstance(max, int)):
        # A limit out of range of the type changes no element.
        low, high = LIMITS[array.code]
        min = None if min is not None and min <= low else min
        max = None if max is not None and max >= high else max
    if min is not None and max is not None:
        return _clip.call(operand, min, max, out, letter, False)
    if min is not None:
        return _clip_below.call(operand, min, None, out, letter, False)
    if max is not None:
        return _clip_above.call(operand, max, None, out, letter, False)
    if isinstance(a, Traced):
        return (<Traced>a).cast(array.code, True)
    if out is None:
        return copy_as(array, array.code, letter, array.queue, None)
    return copy_to_out(array, out, "clip")


# Functions of two results


cdef tuple two_results(str name, ElementwiseFunction first, ElementwiseFunction second,
                       tuple operands, tuple outs, object out):
    """Return the results of two functions of the same operands, which outputs may overlap."""
    cdef usm_ndarray copied
    cdef object target, other, one, two
    if outs and out is not None:
        raise TypeError(f"{name}: out is given by position and by keyword")
    if out is not None and not isinstance(out, tuple):
        raise wrong_type(out, name, "out", "a tuple of two arrays or None")
    outs = outs if out is None else out
    if len(outs) > 2 or out is not None and len(outs) != 2:
        raise wrong_value(len(outs), name, "len(out)", "2")
    target = outs[0] if len(outs) else None
    other = outs[1] if len(outs) > 1 else None
    try:
        one = first(*operands)
        if target is not None and not isinstance(one, usm_ndarray):  # of numbers
            one = first(*operands, out=target)
        elif target is not None:
            copied = one
            check_out(target, copied.queue, copied.code, copied.rank, copied.extents, name, True)
        two = second(*operands) if other is None else second(*operands, out=other)
        return one if target is None or one is target else copy_to_out(one, target, name), two
    except (OverflowError, TypeError, ValueError) as error:
        if not str(error).startswith(f"{name}:"):
            error.args = (f"{name}: {error}",)
        raise


def divmod(
    x1: Operand,
    x2: Operand,
    /,
    *outs: Out,
    out: tuple[Out, Out] | None = None,
) -> tuple[usm_ndarray, usm_ndarray]:
    """Compute the quotient, rounded down, and the remainder.

    Parameters
    ----------
    x1, x2 : usm_ndarray, numpy.ndarray or number
        Operands whose shapes broadcast. At least one is a usm_ndarray.
    <outs>

    Returns
    -------
    tuple of two usm_ndarray
        The results of `floor_divide` and `remainder`.

    Raises
    ------
    TypeError
        If an operand is neither an array nor a number, or both are complex or bool.
    ValueError
        If the shapes do not broadcast, or `out` has other shapes or types or is read-only.
    ExecutionPlacementError
        If no operand is an array, or the arrays are on different devices or in different contexts.

    Notes
    -----
    Compatible with numpy.divmod.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.divmod(usm.asarray([7, -7]), 3)
    (usm_ndarray([ 2, -3]), usm_ndarray([1, 2]))
    """
    return two_results("divmod", _floor_divide, _remainder, (x1, x2), outs, out)


def frexp(
    x: usm_ndarray, /, *outs: Out, out: tuple[Out, Out] | None = None
) -> tuple[usm_ndarray, usm_ndarray]:
    """Split numbers into fractions and exponents: x = fraction * 2**exponent.

    Parameters
    ----------
    x : usm_ndarray
        An array of integers or floating point numbers.
    <outs>

    Returns
    -------
    tuple of two usm_ndarray
        Fractions with absolute values in [1/2, 1), and exponents of type int32. For 0, infinities
        and NaN the fraction is the number and the exponent is 0.

    Raises
    ------
    TypeError
        If `x` is not an array, or is complex.
    ValueError
        If `out` has another shape or other types or is read-only.

    Notes
    -----
    Compatible with numpy.frexp.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.frexp(usm.asarray([1.0, 10.0, -0.3]))
    (usm_ndarray([ 0.5  ,  0.625, -0.6  ]), usm_ndarray([ 1,  4, -1], dtype=int32))
    """
    return two_results("frexp", _frexp_fraction, _frexp_exponent, (x,), outs, out)


def modf(
    x: usm_ndarray, /, *outs: Out, out: tuple[Out, Out] | None = None
) -> tuple[usm_ndarray, usm_ndarray]:
    """Split numbers into fractional and integral parts, both with the sign of the number.

    Parameters
    ----------
    x : usm_ndarray
        An array of integers or floating point numbers.
    <outs>

    Returns
    -------
    tuple of two usm_ndarray
        Arrays of a floating point type.

    Raises
    ------
    TypeError
        If `x` is not an array, or is complex.
    ValueError
        If `out` has another shape or other types or is read-only.

    Notes
    -----
    Compatible with numpy.modf.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.modf(usm.asarray([1.5, -0.25]))
    (usm_ndarray([ 0.5 , -0.25]), usm_ndarray([ 1., -0.]))
    """
    return two_results("modf", _modf_fraction, _modf_whole, (x,), outs, out)


# The functions and the operators of arrays


cdef ElementwiseFunction new_function(const Operator *row):
    cdef ElementwiseFunction function
    kind = UnaryElementwiseFunc if row.inputs == 1 else BinaryElementwiseFunc
    function = kind.__new__(kind, _TOKEN)
    function.row = row
    function.name = row.name.decode()
    first = KEYWORDS.get(function.name, "x")
    function.arguments = ((first,), ("x1", "x2"), ("condition", "x1", "x2"))[row.inputs - 1]
    return function


cdef list _by_operator = [None] * len(Operation)

cdef dict _of_three = {}

cdef int _row
for _row in range(operator_count):
    _function = new_function(&operators[_row])
    if operators[_row].inputs == 3:
        _of_three[_function.__name__] = _function
        continue
    globals()[_function.__name__] = _function
    if operators[_row].module[0] == 0:
        __all__.append(_function.__name__)
    if operators[_row].dunder[0] != 0:
        _by_operator[Operation[operators[_row].dunder.decode().upper()]] = _function

cdef ElementwiseFunction _pow = globals()["pow"]
_pow.by_exponent = {2: globals()["square"], 3: globals()["cube"], -1: globals()["reciprocal"],
                    0.5: globals()["sqrt"]}

_floor_divide, _remainder = globals()["floor_divide"], globals()["remainder"]
_frexp_fraction, _frexp_exponent = globals()["frexp_fraction"], globals()["frexp_exponent"]
_modf_fraction, _modf_whole = globals()["modf_fraction"], globals()["modf_whole"]
for _function in _frexp_fraction, _frexp_exponent, _modf_fraction, _modf_whole:
    (<ElementwiseFunction>_function).name = _function.__name__.partition("_")[0]  # in errors

cdef ElementwiseFunction _where = _of_three["where"], _clip = _of_three["clip"]
# Other names of maximum and minimum
cdef ElementwiseFunction _clip_below = new_function((<ElementwiseFunction>globals()["maximum"]).row)
cdef ElementwiseFunction _clip_above = new_function((<ElementwiseFunction>globals()["minimum"]).row)
_clip_below.name = _clip_above.name = "clip"
_clip.arguments = "a", "min", "max"
_clip_below.arguments = "a", "min"
_clip_above.arguments = "a", "max"


cdef cbool[256] _is_operator  # by opcode of the interpreter
for _name in ("BINARY_OP", "UNARY_INVERT", "UNARY_NEGATIVE"):
    _is_operator[<int>opmap[_name]] = True


cdef bint may_be_temporary(object x) noexcept:
    """Return True for a large array on a CPU to which nothing else is known to refer."""
    return (type(x) is usm_ndarray and has_one_reference(x) and (<usm_ndarray>x).memory is None
            and (<usm_ndarray>x).bits & WRITABLE
            and <int64_t>(<usm_ndarray>x).allocation.nbytes >= (
                <usm_ndarray>x).queue.ref.get().reuse_bytes)


cdef object apply_operator(int which, object x, object y, object out):
    """Apply an operator.

    The result takes the memory of a large temporary operand. Then less memory passes through the
    caches, and `a + b + c` takes two thirds of the time.
    """
    cdef usm_ndarray temporary = None
    cdef bint first, second
    if out is None:  # checked before any other reference to the operands is taken
        first, second = may_be_temporary(x), may_be_temporary(y)
        if (first or second) and interpreter_applies_operator(
                _is_operator, <PyTypeObject *>usm_ndarray):
            temporary = <usm_ndarray>x if first else <usm_ndarray>y
    result = (<ElementwiseFunction>_by_operator[which]).call(x, y, None, out, b"K", True, temporary)
    if result is not None:
        return result
    if (which == EQ or which == NE) and NUMPY_OTHER in (operand_kind(x), operand_kind(y)):
        return which == NE  # NumPy would read an array of shared kind, and raise
    if which < EQ:
        refuse_sequences(x, y, (<ElementwiseFunction>_by_operator[which]).name,
                         Operation(which).name.lower())
    return NotImplemented


set_operate(apply_operator)
