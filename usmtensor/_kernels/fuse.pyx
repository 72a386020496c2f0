"""Functions of arrays as one kernel: usmtensor.fuse."""

from libc.stdint cimport int64_t
from libcpp.vector cimport vector
from usmtensor._core.array cimport C_CONTIGUOUS, from_interface, same_shape, usm_ndarray
from usmtensor._core.copy cimport upload
from usmtensor._core.operands cimport (
    ARRAY, NUMPY_ARRAY, NUMPY_SCALAR, PYTHON_BOOL, PYTHON_COMPLEX, UNKNOWN, OperandKind, broadcast,
    check_out, delivered, numpy_code, operand_kind,
)
from usmtensor._core.tracing cimport Trace, Traced
from usmtensor._core.views cimport axis_indices
from usmtensor._native.libtensor cimport may_overlap
from usmtensor._runtime.arguments cimport wrong_type
from usmtensor._runtime.dtypes cimport DTYPES, supported_code
from usmtensor._runtime.queue cimport SyclQueue

import functools
import os
import re
import sys
import traceback

import numpy

from usmtensor._core.copy import copy
from usmtensor._functions.elementwise import divide
from usmtensor._kernels.fused_reductions import LEAST, LEAST_ROW, reduction_kernel
from usmtensor._kernels.source import MOST
from usmtensor._kernels.user_kernels import ElementwiseKernel

__all__ = ["fuse"]

cdef int device_features(SyclQueue queue) noexcept:
    return queue.ref.get().fp16 + 2 * queue.ref.get().fp64


cdef list needed(list lines, set names):
    """The statements that results need."""
    cdef list found = []
    for line in reversed(lines):
        if line.split()[2] in names:
            found.append(line)
            names.update(re.findall(r"\bt\d+\b", line))
    return found[::-1]


cdef bint overlaps(list outs, list operands):
    """Whether an array for a result may overlap an operand."""
    return any([may_overlap((<usm_ndarray>x).view(), (<usm_ndarray>out).view())
                for out in outs if isinstance(out, usm_ndarray)
                for x in operands if isinstance(x, usm_ndarray)])


cdef list delivered_all(object found, list outs, str function):
    """Results in the arrays for them."""
    if not outs:
        return list(found)
    return [one if one is to else delivered(one, to, function) for one, to in zip(found, outs)]


cdef object rebuilt(object container, object found):
    """Results in the container that the function returns."""
    if container is None:
        return found[0]
    return container._make(found) if hasattr(container, "_make") else container(found)


cdef object constant_key(object value):
    """What tells a constant from others, which may be equal: 1 from 1.0, and 0.0 from -0.0."""
    if isinstance(value, (tuple, frozenset)):
        return type(value), tuple([constant_key(one) for one in value])
    return type(value), repr(value) if isinstance(value, (float, complex)) else value


cdef class Program:
    """A function for arguments of some types, as statements of C++."""

    cdef str name
    cdef Trace trace       # None: the function runs as it is
    cdef list codes        # of the arguments
    cdef list results      # Traced
    cdef object container  # list or tuple; None for a single result
    cdef bint alike        # all results have the same inputs
    cdef bint single       # one kernel computes all results
    cdef tuple places      # of all results
    cdef dict kernels      # by the places of their results; of reductions by place and device
    cdef int features      # of the device

    cdef bint is_simple(self):
        """Whether the function is one kernel of its arguments, all arrays, with one result."""
        return (self.trace is not None and self.single and self.container is None
                and not self.trace.updates and not self.trace.numbers and min(self.codes) >= 0)

    cdef bint takes(self, tuple args, object out):
        """Whether a simple program is for these arguments, and the result can go to `out`."""
        cdef int k, code
        if len(args) != len(self.codes):
            return False
        for k in range(len(args)):
            code = self.codes[k]
            if type(args[k]) is not usm_ndarray or (<usm_ndarray>args[k]).code != code:
                return False
        if device_features((<usm_ndarray>args[0]).queue) != self.features:
            return False
        return out is None or (type(out) is usm_ndarray
                               and (<usm_ndarray>out).code == (<Traced>self.results[0]).code)

    cdef object run_simple(self, tuple args, object out):
        kernel, arguments, _ = self.kernel(self.places)
        if len(arguments) != len(args):
            args = tuple([args[k] for k in arguments])
        return kernel(*args) if out is None else kernel(*args, out)

    cdef list numbers(self, list operands):
        """The numbers among the arguments, and the numbers computed from them; None where one is of
        another type than before."""
        cdef list values = []
        for origin in self.trace.numbers:
            if len(origin) == 1:
                values.append(operands[origin[0]])
                continue
            function, others, kind = origin
            values.append(function(*[other if k < 0 else values[k] for k, other in others]))
            if type(values[-1]) is not kind:
                return None
        return [one.item() if isinstance(one, numpy.generic) else one for one in values]

    cdef bint updates_shapes(self, list operands):
        """Whether an in-place operator joins arrays of different shapes."""
        return self.trace.updates and len({x.shape for x in operands
                                           if isinstance(x, usm_ndarray)}) > 1

    cdef list outputs(self, object out):
        """The arrays for the results."""
        if out is None:
            return []
        if self.container is None:
            return [out]
        if not isinstance(out, (list, tuple)) or len(out) != len(self.results):
            raise wrong_type(out, self.name, "out", f"a tuple of {len(self.results)} arrays")
        return list(out)

    cdef object run(self, list operands, list numbers, list outs, SyclQueue queue):
        """The results, in arrays or in new ones."""
        cdef Traced result
        cdef dict groups = {}
        cdef list found = [None] * len(self.results)
        cdef vector[int64_t] shape
        cdef int k
        for k in range(len(self.results)):
            result = self.results[k]
            if outs or not self.alike:
                broadcast(shape, [operands[place] for place in result.inputs], self.name)
            if outs and result.reduction is None:
                check_out(outs[k], queue, result.code, shape.size(), shape.data(),
                          self.name)
            group = tuple(shape) if result.reduction is None and not self.alike else None
            groups.setdefault(k if result.reduction else group, []).append(k)
        # Whether a kernel may change an operand of the next one.
        later = len(groups) > 1 and bool(outs) and overlaps(outs, operands)
        for places in groups.values():
            result = self.results[places[0]]
            if result.reduction is not None:
                made = self.reduced(places[0], operands, numbers)
                if made is not None:
                    found[places[0]] = made
                    continue
            kernel, arguments, scalars = self.kernel(tuple(places))
            arrays = [operands[k] for k in arguments] + [numbers[k] for k in scalars]
            given = [outs[k] for k in places] if outs and not later else []
            if result.reduction is not None:
                function, keywords = result.reduction
                made = function(kernel(*arrays), **keywords, out=given[0] if given else None)
            else:
                made = kernel(*arrays, *given)
            for k, array in zip(places, made if len(places) > 1 else (made,)):
                found[k] = array
        return rebuilt(self.container, delivered_all(found, outs, self.name))

    cdef object reduced(self, int place, list operands, list numbers):
        """A result that ends with a reduction, by one kernel; None where two kernels suit it."""
        cdef Traced result = self.results[place]
        cdef usm_ndarray x, first = None
        cdef int axis
        cdef int64_t row = 1
        function, keywords = result.reduction
        for k in result.inputs:
            if not isinstance(operands[k], usm_ndarray):  # a scalar of NumPy
                continue
            x = operands[k]
            first = x if first is None else first
            if not x.bits & C_CONTIGUOUS or not same_shape(x, first.rank, first.extents):
                return None
        axes = keywords["axis"]
        if first is None or first.count() < LEAST:
            return None
        if not (axes is None or type(axes) is int
                or type(axes) is tuple and all(type(k) is int for k in axes)):
            return None
        axes = range(first.rank) if axes is None else axis_indices(axes, first, function.__name__)
        for axis in axes:
            row *= first.extents[axis]
        if row < LEAST_ROW or sorted(axes) != list(range(first.rank - len(axes), first.rank)):
            return None
        cpu = first.queue.sycl_device.is_cpu
        if (place, cpu) not in self.kernels:
            lines, arguments, scalars, inputs, headers = self.source([result])
            element, wanted = DTYPES[result.code], (<usm_ndarray>result.sample).dtype
            kernel = None
            if len(arguments) + len(scalars) <= MOST - 3:  # a step of a reduction has more
                kernel = reduction_kernel(function.__name__, element, wanted, cpu, inputs, lines,
                                          result.name, headers)
            self.kernels.setdefault((place, cpu), (kernel, arguments, scalars))
        kernel, arguments, scalars = self.kernels[place, cpu]
        if kernel is None:
            return None
        made = kernel(*[operands[k] for k in arguments], *[numbers[k] for k in scalars],
                      axis=tuple(axes), keepdims=keywords["keepdims"])
        return divide(made, row, out=made) if function.__name__ == "mean" else made

    cdef tuple source(self, list results):
        """The statements that results need, the places of the arguments and numbers, the kernel's
        parameters for them, and the headers."""
        cdef list lines = needed(self.trace.lines, {(<Traced>result).name for result in results})
        text = "\n".join([*lines, *[(<Traced>result).name for result in results]])
        arguments = sorted(frozenset().union(*[(<Traced>result).inputs for result in results]))
        scalars = [name for name in self.trace.scalars if re.search(rf"\b{name}\b", text)]
        inputs = [f"{DTYPES[self.codes[k]].name} x{k}" for k in arguments]
        inputs += [f"{DTYPES[self.trace.scalars[name][1]].name} {name}" for name in scalars]
        headers = "".join([f'#include "kernels/{name}.hpp"\n'
                           for name in sorted(self.trace.families)])
        return (lines, arguments, [self.trace.scalars[name][0] for name in scalars],
                ", ".join(inputs), headers + "using namespace usmtensor;\n")

    cdef tuple kernel(self, tuple places):
        """The kernel of some results, or of the elements of a reduction, and the places of the
        arguments and numbers that it takes."""
        cdef list results
        if places not in self.kernels:
            results = [self.results[k] for k in places]
            lines, arguments, scalars, inputs, headers = self.source(results)
            lines += [f"y{k} = {(<Traced>result).name};" for k, result in enumerate(results)]
            outputs = [f"{DTYPES[(<Traced>result).code].name} y{k}"
                       for k, result in enumerate(results)]
            kernel = ElementwiseKernel(inputs, ", ".join(outputs), "\n".join(lines), self.name,
                                       headers)
            kernel._traced = True
            self.kernels.setdefault(places, (kernel, arguments, scalars))
        return self.kernels[places]


cdef object with_line(object error, str name):
    """An error of a trace, with the line of the caller's file."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    lines = [f"{frame.filename}:{frame.lineno}: {frame.line}: "
             for frame in traceback.extract_tb(error.__traceback__)
             if not frame.filename.endswith(".pyx") and not frame.filename.startswith(here)]
    return TypeError(f"{name} cannot be fused: {''.join(lines[-1:])}{error}")


cdef class FusedFunction:
    """A function that usmtensor.fuse has made; `__wrapped__` is the original."""

    cdef object function
    cdef str name
    cdef dict programs  # by the types of the arguments and the constants; None: a simple one
    cdef dict __dict__

    def __cinit__(self, function):
        self.function, self.programs = function, {}
        self.name = getattr(function, "__name__", type(function).__name__)
        functools.update_wrapper(self, function)

    def __call__(self, *args, out=None, **keywords):
        cdef Program program = self.programs.get(None)
        if program is not None and not keywords and program.takes(args, out):
            return program.run_simple(args, out)
        cdef list operands = list(args), names = [], codes = [], key = []
        cdef dict constants = {}
        cdef SyclQueue queue = None
        cdef OperandKind kind
        cdef int k, code
        for name, value in keywords.items():
            if PYTHON_BOOL <= operand_kind(value) <= PYTHON_COMPLEX:
                key.append((name, type(value), repr(value)))
                constants[name] = value
            else:
                operands.append(value)
                names.append(name)
                key.append(name)
        for k in range(len(operands)):
            value = operands[k]
            if not isinstance(value, usm_ndarray) and operand_kind(value) == UNKNOWN:
                if isinstance(value, Traced):  # in the trace of another function
                    if out is not None:
                        raise TypeError(f"{self.name}: out cannot be traced")
                    return self.function(*args, **keywords)
                value = from_interface(value, self.name)
                operands[k] = operands[k] if value is None else value
            if queue is None and isinstance(value, usm_ndarray):
                queue = (<usm_ndarray>value).queue
        if queue is None:
            raise TypeError(f"{self.name}: no argument is an array; expected one")
        for k in range(len(operands)):
            value = operands[k]
            kind = ARRAY if isinstance(value, usm_ndarray) else operand_kind(value)
            if kind == NUMPY_ARRAY:
                value = operands[k] = upload(value, queue, "device", self.name)
            if kind == ARRAY or kind == NUMPY_ARRAY:
                code = (<usm_ndarray>value).code
            elif kind == NUMPY_SCALAR:
                code = supported_code(numpy_code(value), queue.ref.get())
            else:
                code = -<int>kind
            codes.append(code)
            key.append(constant_key(value) if code < -PYTHON_COMPLEX else code)
        key.append(device_features(queue))
        types = tuple(key)
        try:
            program = self.programs.get(types)
        except TypeError as error:
            raise TypeError(f"{self.name}: an argument cannot be a constant: {error}; expected "
                            "arrays, numbers and objects that can be hashed") from None
        if program is None:
            program = self.traced(queue, operands, codes, names, constants)
            if program.trace is not None:
                self.programs[types] = program
        if not keywords and program.is_simple():
            self.programs[None] = program
        if program.trace is not None and not program.updates_shapes(operands):
            try:
                numbers = program.numbers(operands)
                if numbers is not None:
                    return program.run(operands, numbers, program.outputs(out), queue)
            except OverflowError:  # a number that a type does not hold; comparisons know it
                pass
        return self.unfused(program, args, keywords, out)

    def __reduce__(self):
        places = getattr(self, "__qualname__", "")
        found = sys.modules.get(getattr(self, "__module__", None))
        for name in places.split("."):
            found = getattr(found, name, None)
        return places if found is self else (fuse, (self.function,))

    cdef object unfused(self, Program program, tuple args, dict keywords, object out):
        found = self.function(*args, **keywords)
        if out is None:
            return found
        if not isinstance(found, (list, tuple)):
            return delivered(found, out, self.name)
        outs = list(out)
        # A result that overlaps an output is an argument.
        results = [copy(one) if overlaps(outs, [one]) else one for one in found]
        return rebuilt(type(found), delivered_all(results, outs, self.name))

    cdef Program traced(self, SyclQueue queue, list operands, list codes, list names,
                        dict constants):
        """The function for arguments of some types, constants among them."""
        cdef Program program = Program.__new__(Program)
        cdef Trace trace = Trace.__new__(Trace, queue)
        cdef int k, places = len(operands) - len(names)
        given = [operands[k] if codes[k] < -PYTHON_COMPLEX else
                 trace.argument(k, operands[k], codes[k]) for k in range(len(operands))]
        try:
            found = self.function(*given[:places], **dict(zip(names, given[places:])), **constants)
        except OverflowError:
            return program
        except (AttributeError, TypeError) as error:
            raise with_line(error, self.name) from error
        finally:
            trace.over = True
        program.container = type(found) if isinstance(found, (list, tuple)) else None
        program.results = [found] if program.container is None else list(found)
        for one in program.results:
            if not isinstance(one, Traced) or not isinstance((<Traced>one).sample, usm_ndarray):
                raise TypeError(f"{self.name} cannot be fused: a result is {one!r}; expected an "
                                "array that is computed from the arguments")
        program.name, program.trace, program.codes = re.sub(r"\W", "_", self.name), trace, codes
        program.kernels, program.features = {}, device_features(queue)
        program.alike = len({(<Traced>one).inputs for one in program.results}) == 1
        program.single = program.alike and all([(<Traced>one).reduction is None
                                                for one in program.results])
        program.places = tuple(range(len(program.results)))
        return program


def fuse(function, /):
    """A function of arrays whose operations run in one kernel.

    The first call with arguments of some data types traces the function: its operations become the
    statements of a kernel, which is compiled. Further calls run the kernel. So no operation stores
    its result in memory.

    Parameters
    ----------
    function : callable
        It computes arrays from arrays and numbers by operators, the elementwise functions, `where`,
        `clip` and `astype`, and returns an array, or a tuple or list of arrays. A result may be a
        `sum`, `prod`, `max`, `min`, `mean`, `any`, `all` or `count_nonzero` of such an array.

    Returns
    -------
    callable
        Takes the arguments of `function`, and `out`: an array, or a tuple of arrays, for the
        results. The numbers that are given by position are values of each call. Those given by
        keyword, defaults, and arguments other than arrays and numbers are constants of the kernel.
        `__wrapped__` is `function`.

    Raises
    ------
    TypeError
        `function` is not callable. A call raises it for a function that cannot be traced, because
        it needs the value or the shape of an array; the message shows the line.

    Notes
    -----
    The results have the types and bits of the results of `function`, but reductions of large arrays
    may have other bits. An error of the plain function, such as shapes that do not broadcast, is
    one of the fused function, too.
    Source: usmtensor's own; see docs/fuse.md.

    Examples
    --------
    >>> import usmtensor as usm
    >>> @usm.fuse
    ... def scaled_distance(x, y, scale):
    ...     return usm.sqrt(usm.square(x - y) + 1) * scale
    ...
    >>> scaled_distance(usm.arange(3.0), 1, 10)
    usm_ndarray([14.14213562, 10.        , 14.14213562])
    """
    if not callable(function):
        raise wrong_type(function, "fuse", "function", "a function")
    return FusedFunction(function)
