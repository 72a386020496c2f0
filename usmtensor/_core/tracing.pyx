"""Operands that record the functions of usmtensor that take them: for usmtensor.fuse."""

from libc.stdint cimport uint64_t
from usmtensor._core.array cimport allocate_array, require_array, usm_ndarray
from usmtensor._core.operators cimport Operators
from usmtensor._native.libtensor cimport UsmKind
from usmtensor._runtime.dtypes cimport BOOL, C8, DTYPES, F2, U8, find_code, from_python

from functools import partial

import numpy

from usmtensor._core.array import bodies

METHODS = {"all", "any", "astype", "clip", "conj", "max", "mean", "min", "prod", "round", "sum"}


cdef str type_name(int code):
    """The name of an element type in kernels/kernel.hpp."""
    return f"{DTYPES[code].kind}{DTYPES[code].itemsize}"


cdef str literal(object value, int code, str function):
    """A number as an element of a type."""
    cdef uint64_t[2] words = [0, 0]
    from_python(value, code, <char *>words, function)
    return f"from_bits<{type_name(code)}>({words[0]:#x}u, {words[1]:#x}u)"


cdef class Trace:
    def __cinit__(self, SyclQueue queue):
        self.queue = queue
        self.lines, self.families, self.numbers, self.scalars = [], {"fused"}, [], {}

    def new(self, object sample, str name, object inputs):
        cdef Traced traced = Traced.__new__(Traced)
        traced.trace, traced.sample, traced.name, traced.inputs = self, sample, name, inputs
        return traced

    def new_array(self, str name, int code, object inputs):
        cdef Traced traced
        code = find_code(DTYPES[code])  # IndexError for no code
        traced = self.new(
            allocate_array(self.queue, UsmKind.device, code, 0, NULL, b"C"), name, inputs)
        traced.code = code
        return traced

    def argument(self, int place, object value, int code):
        """An argument: an array of a type, or a number where that is negative."""
        if code < 0:
            return self.add_number(value, (place,))
        return self.new_array(f"x{place}", code, frozenset((place,)))

    def add_number(self, object value, tuple origin):
        cdef Traced traced = self.new(value, str(len(self.numbers)), frozenset())
        self.numbers.append(origin)
        return traced

    def number(self, object function, list operands):
        """A function of numbers, which Python computes at every call."""
        values = [(<Traced>x).sample if isinstance(x, Traced) else x for x in operands]
        places = [(int((<Traced>x).name), None) if isinstance(x, Traced) else (-1, x)
                  for x in operands]
        value = function(*values)
        return self.add_number(value, (function, places, type(value)))

    def step(self, str text, int code, object inputs):
        """One more statement."""
        name = f"t{len(self.lines)}"
        self.lines.append(f"const {type_name(code)} {name} = {text};")
        return self.new_array(name, code, inputs)

    def apart(self, str operand):
        """An operand whose origin the compiler cannot know."""
        zero = self.operand(self.number(int, []), U8, "cos")
        return f"apart({operand}, {zero})"

    def operand(self, object value, int code, str function):
        """An operand in an element type, as a launch converts it."""
        cdef Traced traced
        if isinstance(value, usm_ndarray) or isinstance(value, numpy.ndarray) and value.ndim:
            raise TypeError(f"{function}: an array that is no argument of the fused function; "
                            "expected it as an argument")
        if not isinstance(value, Traced):
            return literal(value, code, function)
        traced = value
        if not isinstance(traced.sample, usm_ndarray):
            wanted = code
            if isinstance(traced.sample, numpy.generic):  # it has a type of its own
                code = find_code(traced.sample.dtype)
            name = f"s{traced.name}_{type_name(code)}"
            self.scalars[name] = int(traced.name), code
            return name if code == wanted else f"convert<{type_name(wanted)}>({name})"
        if traced.code == code:
            return traced.name
        name = traced.name + (".real()" if traced.code >= C8 and BOOL < code < C8 else "")
        if code >= F2 and DTYPES[traced.code].kind == "i" and name.startswith("t"):
            # A fault of the compiler: the negative of a bool becomes a positive float.
            name = self.apart(name)
        return f"convert<{type_name(code)}>({name})"


cdef class Traced(Operators):
    """An operand of a function that is traced: it stands for an argument or a result."""

    __hash__ = None

    def cast(self, int code, bint must_copy):
        find_traced([self])
        if code == self.code and not must_copy:
            return self
        return self.trace.step(self.trace.operand(self, code, "astype"), code, self.inputs)

    def reduce(self, str function, int code, object axis, bint keepdims, object dtype, object out):
        """A reduction to results of a type."""
        cdef Traced result
        find_traced([self])
        if out is not None:
            raise TypeError(f"{function}: out cannot be traced")
        result = self.trace.new_array(self.name, code, self.inputs)
        keywords = {"axis": axis, "keepdims": keepdims}
        if dtype is not None:
            keywords["dtype"] = dtype
        result.code, result.reduction = self.code, (getattr(bodies.namespace, function), keywords)
        return result

    def update(self, Traced value):
        """The effect of an in-place operator."""
        if self.name[0] == "x":
            raise TypeError("an in-place operator would change an argument")
        if self.is_shared:
            raise TypeError("an in-place operator would change an array and a view of it")
        self.trace.updates |= value.inputs != self.inputs
        self.name, self.inputs = value.name, value.inputs
        return self

    def __getattr__(self, name):
        if name in METHODS:
            return partial(getattr(usm_ndarray, name), self)
        if name == "real" and self.code < C8:
            return self
        if name in ("real", "imag"):
            part = <Traced>getattr(bodies.namespace, name)(self)
            if self.code >= C8:
                part.is_shared = self.is_shared = True
            return part
        raise AttributeError(f"{name!r} of an array is unknown here", name=name, obj=self)

    def __array_namespace__(self, *, api_version=None):
        return bodies.namespace

    @property
    def dtype(self):
        return self.sample.dtype

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return bodies.apply_ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, func, types, args, kwargs):
        return bodies.apply_function(func, args, kwargs)

    def __bool__(self):
        raise TypeError("no branch may depend on values: expected usmtensor.where, or a constant "
                        "that is passed by keyword")


cdef Traced find_traced(list values):
    """The first operand that is traced."""
    cdef Traced found = None
    for value in values:
        if isinstance(value, Traced):
            found = value
            if found.trace.over or found.reduction is not None:
                raise TypeError("the operand belongs to an earlier call" if found.trace.over else
                                "a reduction may only be a result")
    return found


cdef Traced number_of(object function, list values):
    """A function of numbers of which some are traced; None if an operand is an array."""
    cdef Traced found = find_traced(values)
    if found is None or any([isinstance((<Traced>x).sample if isinstance(x, Traced) else x,
                                        usm_ndarray) for x in values]):
        return None
    return found.trace.number(function, values)


cdef bint is_traced_scalar(object x, list others):
    """True if an operand is a NumPy scalar in a trace, where no array replaces it."""
    return isinstance((<Traced>x).sample if isinstance(x, Traced) else x, numpy.generic) \
        and find_traced([x, *others]) is not None


cdef usm_ndarray array_or_sample(object x, str function):
    """An argument as an array; in place of an operand that is traced one of its type."""
    if isinstance(x, usm_ndarray):
        return <usm_ndarray>x
    return require_array((<Traced>x).sample if isinstance(x, Traced) else x, function)
