"""Elementwise functions: one object per row of libtensor/operators.toml."""

from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF
from libc.stdint cimport int16_t, int64_t
from libc.string cimport memset
from libcpp.vector cimport vector
from usmtensor._assignment cimport assign
from usmtensor._copy cimport copied, copy_into
from usmtensor._dtypes cimport (
    BOOL, DTYPES, DTYPE_COUNT, F2, default_code, from_python, is_supported,
)
from usmtensor._keywords cimport order_char, wrong_type
from usmtensor._native cimport (
    DType, Input, Operator, Queue, Signature, Signature_copy, Signature_one, Signature_zero,
    UsmKind, View, elementwise, operator_count, operators,
)
from usmtensor._operators cimport set_operate
from usmtensor._operands cimport (
    ARRAY, NUMPY_SCALAR, NUMPY_SUBCLASS, OperandKind, broadcast, casts_safely,
    check_out, check_result, operand_array, operand_code, operand_kind, promoted_code, python_code,
    require_place, resolved,
)
from usmtensor._runtime cimport SyclQueue
from usmtensor._usmarray cimport (
    C_CONTIGUOUS, F_CONTIGUOUS, WRITABLE, allocate_array, require_array, same_shape,
    usm_ndarray,
)
from usmtensor._views cimport broadcast_view

import operator as operators_of_python

import numpy

from usmtensor._docstrings import elementwise_docstring, elementwise_signature
from usmtensor._errors import ExecutionPlacementError

__all__ = ["BinaryElementwiseFunc", "UnaryElementwiseFunc", "clip", "where"]

cdef extern from "Python.h":
    ctypedef struct PyTypeObject:
        PyObject *(*tp_call)(PyObject *, PyObject *, PyObject *) except NULL

cdef object _TOKEN = object()  # only this module makes functions

cdef enum:
    NOT_ASKED = -1
    NO_SIGNATURE = -2

cdef int64_t _ONE = 1


cdef View as_line(usm_ndarray x, const int64_t *count) noexcept:
    """The elements of a compact array, whatever its shape."""
    cdef View line
    line.data = x.data
    line.dtype = <DType>x.code
    line.ndim = 1
    line.shape = count
    line.strides = &_ONE
    line.memory = x.memory.ref.get()
    return line


cdef list LIMITS = [None, *[(x.min, x.max) for x in map(numpy.iinfo, DTYPES[1:F2])]]


cdef usm_ndarray new_result(SyclQueue queue, UsmKind kind, int code, int rank,
                            const int64_t *shape, char order, usm_ndarray x, usm_ndarray y):
    """A compact array; K and A take their order from the inputs that have its shape."""
    cdef int both = C_CONTIGUOUS | F_CONTIGUOUS
    cdef usm_ndarray model = None
    if order == b"K" or order == b"A":
        if x is not None and same_shape(x, rank, shape):
            both &= x.bits
            model = x
        if y is not None and same_shape(y, rank, shape):
            both &= y.bits
            if model is None:
                model = y
        if model is None or both & C_CONTIGUOUS or order == b"A" and not both & F_CONTIGUOUS:
            order = b"C"
        elif both & F_CONTIGUOUS:
            order = b"F"
        else:
            return allocate_array(queue, kind, code, rank, shape, b"K", model.strides_())
    return allocate_array(queue, kind, code, rank, shape, order)


cdef class ElementwiseFunction:
    """ElementwiseFunction(*args, **kwargs)\n--\n

    An elementwise function."""

    cdef const Operator *row
    cdef str name
    cdef tuple arguments  # the names of the last two
    # The signature by the types of the inputs, for devices with and without fp16 and fp64.
    cdef int16_t[4][196] chosen

    def __cinit__(self, token=None):
        if token is not _TOKEN:
            raise TypeError(f"{type(self).__name__} objects are the functions of the package")
        memset(self.chosen, 0xff, sizeof(self.chosen))  # NOT_ASKED everywhere

    cdef int choose(self, const Queue *queue, int x, int y=0):
        """The signature for inputs of two types: the first that takes both."""
        cdef int16_t *slot = &self.chosen[queue.fp16 + 2 * queue.fp64][DTYPE_COUNT * x + y]
        if slot[0] == NOT_ASKED:  # set once: other threads read it
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

    cdef usm_ndarray call_alike(self, usm_ndarray x, usm_ndarray y, usm_ndarray result):
        """The function of one array or two that are alike and in C order, into a new one or an
        input, which is most of all calls: nothing has to be brought together. None where it has."""
        cdef int64_t count
        cdef int code = x.code, found
        cdef UsmKind kind = x.memory.kind()
        cdef View[3] views
        cdef Input[2] inputs
        cdef const Signature *signature
        if not x.bits & C_CONTIGUOUS:
            return None
        if y is not None:
            if (y.queue is not x.queue or y.code != code or not y.bits & C_CONTIGUOUS
                    or not same_shape(y, x.rank, x.extents)):
                return None
            kind = min(kind, y.memory.kind())
        found = self.choose(x.queue.ref.get(), code, 0 if y is None else code)
        if found < 0:
            return None
        signature = &self.row.signatures[found]
        if (signature.kernel < 0 or signature.inputs[0] != code
                or y is not None and signature.inputs[1] != code):
            return None
        count = x.count()
        if result is None:
            result = allocate_array(x.queue, kind, signature.output, x.rank, x.extents, b"C")
        elif signature.output != code or not result.bits & WRITABLE:
            return None
        views[0] = as_line(x, &count)
        views[1] = as_line(result, &count)
        inputs[0].array = inputs[1].array = &views[0]
        if y is not None:
            views[2] = as_line(y, &count)
            inputs[0 if self.row.swapped else 1].array = &views[2]
        if not elementwise(x.queue.ref, signature[0], self.row.inputs, inputs, views[1], True):
            with nogil:  # commands run, and may be waited for
                elementwise(x.queue.ref, signature[0], self.row.inputs, inputs, views[1], False)
        return result

    cdef usm_ndarray call(self, usm_ndarray first, object x, object y, object out, char order,
                          bint operator):
        """The function of one or two operands, or of an array and two; None where the operator of
        an array does not know the other operand."""
        cdef usm_ndarray alike
        if (first is None and isinstance(x, usm_ndarray) and order != b"F"
                and (out is None or out is x)
                and (self.row.inputs == 1 or isinstance(y, usm_ndarray))):
            alike = self.call_alike(<usm_ndarray>x, <usm_ndarray>y if self.row.inputs > 1 else None,
                                    <usm_ndarray>out)
            if alike is not None:
                return alike
        return self.call_any(first, x, y, out, order, operator)

    cdef usm_ndarray call_any(self, usm_ndarray first, object x, object y, object out, char order,
                              bint operator):
        """The same for all operands."""
        cdef bint binary = self.row.inputs > 1
        cdef int found, x_code, y_code = 0, rank
        cdef const int64_t *shape
        cdef vector[int64_t] common
        cdef OperandKind x_kind = operand_kind(x), y_kind = operand_kind(y) if binary else ARRAY
        cdef usm_ndarray x_array, y_array, model, other, result
        cdef const Signature *signature
        cdef SyclQueue queue
        cdef UsmKind kind = UsmKind.host
        if x_kind >= NUMPY_SUBCLASS or y_kind >= NUMPY_SUBCLASS:
            x = resolved(x, &x_kind, operator, self.name, self.arguments[0])
            y = resolved(y, &y_kind, operator, self.name, self.arguments[1])
            if x is None or binary and y is None:
                return None
        # Where the function runs
        result = None if out is None else check_out(out, self.name)
        if first is None and x_kind != ARRAY and (y_kind != ARRAY or not binary):
            if binary:
                raise ExecutionPlacementError(f"{self.name}: x1 is of type {type(x).__name__}, x2 "
                                              f"of type {type(y).__name__}; expected an array")
            raise wrong_type(x, self.name, "x", "usm_ndarray")
        if result is not None:
            queue = result.queue
        elif first is not None:
            queue = first.queue
        else:
            queue = (<usm_ndarray>x).queue if x_kind == ARRAY else (<usm_ndarray>y).queue
        if first is not None:
            operand_array(first, ARRAY, queue, self.name, &kind)
        x_array = operand_array(x, x_kind, queue, self.name, &kind)
        y_array = operand_array(y, y_kind, queue, self.name, &kind) if binary else None
        # The signature
        if first is not None:
            found = self.choose_of_three(queue.ref.get(), first.code, x, x_kind, x_array, y, y_kind,
                                         y_array)
        else:
            x_code = operand_code(x, x_kind, x_array, BOOL if y_array is None else y_array.code,
                                  queue.ref.get())
            if binary:
                y_code = operand_code(y, y_kind, y_array, x_code, queue.ref.get())
            found = self.choose(queue.ref.get(), x_code, y_code)
        if found < 0:
            types = f"{DTYPES[x_code]} and {DTYPES[y_code]}" if binary else DTYPES[x_code]
            raise TypeError(f"{self.name}: not defined for {types}")
        signature = &self.row.signatures[found]
        # The shape
        model = y_array if x_array is None else x_array
        other = None if x_array is None else y_array
        if first is None and (other is None or same_shape(other, model.rank, model.extents)):
            rank = model.rank
            shape = model.extents
        else:
            broadcast(common, (first, x_array, y_array), self.name)
            rank = common.size()
            shape = common.data()
        # The result
        if result is None:
            if signature.kernel == Signature_copy:
                return copied(x_array, signature.output, order, queue, None)
            if first is not None:
                model, other = first, model
            result = new_result(queue, kind, signature.output, rank, shape, order, model, other)
        elif operator and result.code != signature.output:
            # In place, the array keeps its type.
            if not numpy.can_cast(<object>DTYPES[signature.output], result.dtype, "same_kind"):
                raise TypeError(f"{self.name}: the result is of data type "
                                f"{DTYPES[signature.output]}, which an array of {result.dtype} "
                                "does not take in place")
            check_result(result, result.code, rank, shape, self.name)
            copy_into(self.call(None, x, y, None, order, False), result)
            return out
        else:
            check_result(result, signature.output, rank, shape, self.name)
        if signature.kernel < 0:
            self.without_kernel(signature.kernel, x_array, result)
        else:
            try:
                self.run(signature, queue, first, x, x_array, y, y_array, result)
            except OverflowError:
                # Integers beyond the range of an integer type compare, and are true.
                if signature.output != BOOL or signature.inputs[0] >= F2:
                    raise
                if self.row.dunder[0] == 0:
                    return self.call(first, True if x_array is None else x,
                                     True if y_array is None else y, result, order, False)
                compare = getattr(operators_of_python, self.row.dunder.decode())
                self.without_kernel(
                    Signature_one if compare(x if x_array is None else 0,
                                             y if y_array is None else 0)
                    else Signature_zero, None, result)
        return result

    cdef int choose_of_three(self, const Queue *queue, int first, object x, OperandKind x_kind,
                             usm_ndarray x_array, object y, OperandKind y_kind,
                             usm_ndarray y_array) except -1:
        """The signature of where() and clip(): that of the type all promote to, but conditions."""
        cdef bint condition = self.row.signatures[self.row.count - 1].inputs[0] == BOOL
        cdef unsigned int types = 1 << (BOOL if condition else first)
        cdef int code, i, found = 0
        if x_array is not None or x_kind == NUMPY_SCALAR:
            types |= 1 << operand_code(x, x_kind, x_array, BOOL, queue)
        if y_array is not None or y_kind == NUMPY_SCALAR:
            types |= 1 << operand_code(y, y_kind, y_array, BOOL, queue)
        # Python scalars come after the others.
        code = python_code(x_kind, promoted_code(types, queue), queue.fp64)
        code = python_code(y_kind, code, queue.fp64)
        for i in range(self.row.count):
            if self.row.signatures[i].output == code:
                found = i
        return found

    cdef int run(self, const Signature *signature, SyclQueue queue, usm_ndarray first, object x,
                 usm_ndarray x_array, object y, usm_ndarray y_array, usm_ndarray result) except -1:
        """Runs the kernel; `first` is the operand of three that is always an array."""
        cdef int count = self.row.inputs, x_place = 0 if first is None else 1, y_place = x_place + 1
        cdef int x_code = signature.inputs[x_place], y_code = signature.inputs[y_place]
        cdef View[3] views
        cdef Input[3] inputs
        cdef View out
        if self.row.swapped:
            x_place, y_place = y_place, x_place
        set_number(&inputs[x_place], x, x_array, x_code, self.name)
        if count > 1:
            set_number(&inputs[y_place], y, y_array, y_code, self.name)
            y_array = set_array(&inputs[y_place], &views[y_place], y_array, y_code, result,
                                self.name)
        x_array = set_array(&inputs[x_place], &views[x_place], x_array, x_code, result, self.name)
        first = set_array(&inputs[0], &views[0], first, signature.inputs[0], result, self.name)
        out = result.view()
        if not elementwise(queue.ref, signature[0], count, inputs, out, True):
            with nogil:  # commands run, and may be waited for
                elementwise(queue.ref, signature[0], count, inputs, out, False)
        return 0

    cdef int without_kernel(self, int what, usm_ndarray x, usm_ndarray result) except -1:
        if what == Signature_copy:
            return copy_into(x, result)
        assign(result, what == Signature_one)
        return 0

    # What NumPy's ufuncs tell of themselves

    @property
    def __name__(self):
        """str: The name of the function."""
        return self.name

    @property
    def nin(self):
        """int: The number of inputs."""
        return self.row.inputs

    @property
    def nout(self):
        """int: The number of outputs."""
        return 1

    @property
    def types(self):
        """list of str: The signatures, as NumPy writes them ("ff->f")."""
        cdef int i, k
        found = []
        for i in range(self.row.count):
            inputs = [DTYPES[self.row.signatures[i].inputs[k]].char
                      for k in range(self.row.inputs)]
            found.append("".join(inputs) + "->" + DTYPES[self.row.signatures[i].output].char)
        return found

    @property
    def types_(self):
        """list of str: The same as `types`."""
        return self.types

    def __repr__(self):
        return f"<{type(self).__name__} '{self.name}'>"

    def __reduce__(self):
        return self.name


cdef class _Unary(ElementwiseFunction):
    def __call__(self, x, /, out=None, order="K"):
        return self.call(None, x, None, out, order_char(order, self.name), False)


cdef class _Binary(ElementwiseFunction):
    def __call__(self, x1, x2, /, out=None, order="K"):
        return self.call(None, x1, x2, out, order_char(order, self.name), False)


class _Docstring:
    """Of a class, and of each function of it."""

    def __init__(self, text):
        self.text = text

    def __get__(self, function, cls=None):
        cdef ElementwiseFunction self_ = function
        if self_ is None:
            return self.text
        return elementwise_docstring(self_.name, self_.row.inputs, self_.row.summary.decode(),
                                     self_.row.notes.decode(), self_.types, not self_.row.dpctl)


class _Signature:
    """Of each function; the classes make none."""

    def __get__(self, function, cls=None):
        cdef ElementwiseFunction self_ = function
        if self_ is None:
            raise AttributeError("__signature__")
        return elementwise_signature(self_.row.inputs)


class UnaryElementwiseFunc(_Unary):
    __slots__ = ()
    __signature__ = _Signature()
    __doc__ = _Docstring("""An elementwise function of one array.

    Notes
    -----
    Compatible with dpctl.tensor: `nin`, `nout`, `types`.
    """)


class BinaryElementwiseFunc(_Binary):
    __slots__ = ()
    __signature__ = _Signature()
    __doc__ = _Docstring("""An elementwise function of two arrays, or of an array and a number.

    Notes
    -----
    Compatible with dpctl.tensor: `nin`, `nout`, `types`.
    """)


cdef PyObject *call_by_name(PyObject *function, PyObject *arguments,
                            PyObject *keywords) except NULL:
    """Calls a function as its class does; errors of its arguments name it in place of __call__."""
    cdef ElementwiseFunction self = <ElementwiseFunction>function
    cdef type kind
    cdef tuple given = <tuple>arguments
    if keywords == NULL and len(given) == self.row.inputs:
        result = self.call(None, given[0], given[1] if self.row.inputs > 1 else None, None, b"K",
                           False)
        Py_INCREF(result)
        return <PyObject *>result
    kind = _Unary if self.row.inputs == 1 else _Binary
    try:
        return (<PyTypeObject *>kind).tp_call(function, arguments, keywords)
    except TypeError as error:
        text = str(error)
        if not text.startswith("__call__()"):
            raise
        raise TypeError(text.replace("__call__", self.name, 1)) from None


(<PyTypeObject *>UnaryElementwiseFunc).tp_call = call_by_name
(<PyTypeObject *>BinaryElementwiseFunc).tp_call = call_by_name


cdef int set_number(Input *input, object x, usm_ndarray array, int code, str name) except -1:
    """Fills an input of a kernel that is no array; before all arrays, as it may run code of the
    caller's class."""
    if array is None:
        input.array = NULL
        from_python(x, code, <char *>input.bits, name)
    return 0


cdef usm_ndarray set_array(Input *input, View *view, usm_ndarray array, int code,
                           usm_ndarray result, str name):
    """Fills an input of a kernel that is an array; returns the one that must live until the
    command is submitted."""
    if array is None:
        return None
    if array.code != code:
        array = copied(array, code, b"K", array.queue, None)
    if not same_shape(array, result.rank, result.extents):
        array = broadcast_view(array, result.rank, result.extents, name)
    view[0] = array.view()
    input.array = view
    return array


# Functions of three operands


def where(condition, x1, x2, /, *, order="K", out=None):
    """Elements of one array where a condition holds, of another where it does not.

    Parameters
    ----------
    condition : usm_ndarray
        Elements of any type count as true unless they are zero.
    x1, x2 : usm_ndarray, numpy.ndarray or number
        Of shapes that broadcast with that of `condition`.
    order : {"K", "C", "F", "A"}
        Of the axes of the result in memory.
    out : usm_ndarray, optional
        Where the result goes; may overlap the inputs.

    Returns
    -------
    usm_ndarray
        Of the type that `x1` and `x2` promote to.

    Raises
    ------
    TypeError
        `condition` is not an array, or an operand is neither array nor number.
    ValueError
        The shapes do not broadcast, or `out` has another shape or type or is read-only.
    ExecutionPlacementError
        The arrays are on different devices or in different contexts.

    Notes
    -----
    Source: array API 2025.12, `where`; `order` and `out` as in dpctl.tensor.where.
    """
    return _where.call(require_array(condition, "where", "condition"), x1, x2, out,
                       order_char(order, "where"), False)


def clip(x, /, min=None, max=None, out=None, order="K"):
    """The elements of an array, limited to an interval.

    Parameters
    ----------
    x : usm_ndarray
    min, max : usm_ndarray, numpy.ndarray or number, optional
        Of shapes that broadcast with that of `x`. None: no limit. Where `min` exceeds `max`, the
        result is `max`. With integers of Python and None alone, what no element can be beyond is no
        limit either.
    out : usm_ndarray, optional
        Where the result goes; may overlap the inputs.
    order : {"K", "C", "F", "A"}
        Of the axes of the result in memory.

    Returns
    -------
    usm_ndarray
        Of the type that the operands promote to; NaN where one of them is.

    Raises
    ------
    TypeError
        `x` is not an array, or a limit is neither array nor number.
    ValueError
        The shapes do not broadcast, or `out` has another shape or type or is read-only.
    ExecutionPlacementError
        The arrays are on different devices or in different contexts.

    Notes
    -----
    Source: array API 2025.12, `clip`; `out` and `order` as in dpctl.tensor.clip.
    """
    cdef usm_ndarray array = require_array(x, "clip"), result
    cdef char letter = order_char(order, "clip")
    if 1 <= array.code < F2 and (min is None or type(min) is int) \
            and (max is None or type(max) is int):
        # Beyond the type of the elements they are no limits.
        low, high = LIMITS[array.code]
        min = None if min is not None and min <= low else min
        max = None if max is not None and max >= high else max
    if min is not None and max is not None:
        return _clip.call(array, min, max, out, letter, False)
    if min is not None:
        return _clip_below.call(None, array, min, out, letter, False)
    if max is not None:
        return _clip_above.call(None, array, max, out, letter, False)
    if out is None:
        return copied(array, array.code, letter, array.queue, None)
    result = check_out(out, "clip")
    check_result(result, array.code, array.rank, array.extents, "clip")
    require_place(result.queue, array, "clip")
    copy_into(array, result)
    return out


# The functions, and the operators of arrays


cdef ElementwiseFunction new_function(const Operator *row):
    cdef ElementwiseFunction function
    kind = UnaryElementwiseFunc if row.inputs == 1 else BinaryElementwiseFunc
    function = kind.__new__(kind, _TOKEN)
    function.row = row
    function.name = row.name.decode()
    function.arguments = ("x", None) if row.inputs == 1 else ("x1", "x2")
    return function


# In the order of the enumeration in _operators.pxd.
cdef tuple _OPERATORS = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "lshift",
    "rshift", "eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "abs", "invert")
cdef list _by_operator = [None] * len(_OPERATORS)

cdef dict _of_three = {}

cdef int _row
for _row in range(operator_count):
    _function = new_function(&operators[_row])
    if operators[_row].inputs == 3:
        _of_three[_function.__name__] = _function
        continue
    globals()[_function.__name__] = _function
    __all__.append(_function.__name__)
    if operators[_row].dunder[0] != 0:
        _by_operator[_OPERATORS.index(operators[_row].dunder.decode())] = _function

cdef ElementwiseFunction _where = _of_three["where"], _clip = _of_three["clip"]
# maximum and minimum under another name
cdef ElementwiseFunction _clip_below = new_function((<ElementwiseFunction>globals()["maximum"]).row)
cdef ElementwiseFunction _clip_above = new_function((<ElementwiseFunction>globals()["minimum"]).row)
_clip_below.name = _clip_above.name = "clip"
_clip.arguments = "min", "max"
_clip_below.arguments = "x", "min"
_clip_above.arguments = "x", "max"


cdef object apply_operator(int which, object x, object y, object out):
    cdef usm_ndarray result
    result = (<ElementwiseFunction>_by_operator[which]).call(None, x, y, out, b"K", True)
    return NotImplemented if result is None else result


set_operate(apply_operator)
