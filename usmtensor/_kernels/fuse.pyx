"""usmtensor.fuse: functions of arrays, compiled to few kernels."""

from cython.operator cimport dereference
from libc.stdint cimport int64_t
from libcpp.vector cimport vector
from usmtensor._core.array cimport WRITABLE, from_interface, usm_ndarray
from usmtensor._core.copy cimport upload
from usmtensor._core.operands cimport (
    ARRAY, NUMPY_ARRAY, NUMPY_SCALAR, OperandKind, PYTHON_BOOL, PYTHON_COMPLEX, UNKNOWN, broadcast,
    check_out, copy_to_out, numpy_code, operand_kind,
)
from usmtensor._core.tracing cimport Trace, Traced, find_traced
from usmtensor._kernels.planner cimport new_plan
from usmtensor._kernels.steps cimport Plan
from usmtensor._native.libtensor cimport is_like_cpu, may_overlap
from usmtensor._runtime.arguments cimport wrong_type
from usmtensor._runtime.dtypes cimport supported_code
from usmtensor._runtime.queue cimport SyclQueue

import functools
import os
import re
import sys
import traceback

import numpy

from usmtensor._core.copy import copy

__all__ = ["fuse"]

cdef int device_features(SyclQueue queue) noexcept:
    """Return the device properties that decide the types and the kernels of a program."""
    return (queue.ref.get().fp16 + 2 * queue.ref.get().fp64
            + 4 * is_like_cpu(dereference(queue.ref.get())))


cdef bint overlaps(list outs, list operands):
    """Return True if an array for a result may overlap an operand."""
    return any([may_overlap((<usm_ndarray>x).view(), (<usm_ndarray>out).view())
                for out in outs if isinstance(out, usm_ndarray)
                for x in operands if isinstance(x, usm_ndarray)])


cdef bint can_hold(list outs, list operands, SyclQueue queue):
    """Return True if steps may write to the arrays for the results before they read operands."""
    return all([(<usm_ndarray>out).queue is queue and not overlaps([out], operands + outs[:k])
                for k, out in enumerate(outs)])


cdef list copy_all_to_out(object found, list outs, str function):
    """Return the results, copied to the arrays that are given for them."""
    if not outs:
        return list(found)
    return [one if one is to else copy_to_out(one, to, function) for one, to in zip(found, outs)]


cdef object rebuild(object container, object found):
    """Return the results in the container that the function returns."""
    if container is None:
        return found[0] if found else None
    return container._make(found) if hasattr(container, "_make") else container(found)


cdef enum:
    MAX_SHAPES = 256  # the number of shapes whose programs a function keeps


cdef object constant_key(object value):
    """Return a dict key that distinguishes equal constants, such as 1 and 1.0, or 0.0 and -0.0."""
    if isinstance(value, (tuple, frozenset)):
        return type(value), tuple([constant_key(one) for one in value])
    return type(value), repr(value) if isinstance(value, (float, complex)) else value


cdef class Program:
    """A function compiled for argument types, and for shapes if the trace depends on them."""

    cdef Plan plan         # None: the function is called without fusion
    cdef list codes        # of the arguments
    cdef object container  # list or tuple; None for a single result
    cdef int features      # of the device

    cdef bint accepts(self, tuple args, object out):
        """Return True if a simple program accepts the arguments and can write to `out`."""
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
                               and (<usm_ndarray>out).code == self.plan.result_code(0))

    cdef list numbers(self, list operands):
        """Return the numbers among the arguments, and the numbers computed from them.

        Returns None if the type of a number has changed.
        """
        cdef list values = []
        for origin in self.plan.trace.numbers:
            if len(origin) == 1:
                values.append(operands[origin[0]])
                continue
            function, others, kind = origin
            values.append(function(*[other if k < 0 else values[k] for k, other in others]))
            if type(values[-1]) is not kind:
                return None
        return [one.item() if isinstance(one, numpy.generic) else one for one in values]

    cdef bint has_write_hazard(self, list operands, list given):
        """Return True if a changed argument may be written only by an unfused call.

        Such an argument is read-only, was copied from the host, or may overlap another argument.
        """
        cdef usm_ndarray x
        for k in self.plan.written:
            if operands[k] is not given[k] and not isinstance(given[k], usm_ndarray):
                return True
            x = operands[k]
            if not x.bits & WRITABLE or overlaps([x], operands[:k] + operands[k + 1:]):
                return True
        return False

    cdef list outputs(self, object out):
        """Return the arrays for the results."""
        if out is None:
            return []
        if self.container is None and not self.plan.results:
            raise TypeError(f"{self.plan.name}: out is given; expected none, because the function "
                            "returns None")
        if self.container is None:
            return [out]
        if not isinstance(out, (list, tuple)) or len(out) != len(self.plan.results):
            raise wrong_type(out, self.plan.name, "out",
                             f"a tuple of {len(self.plan.results)} arrays")
        return list(out)

    cdef object run(self, list operands, list numbers, object out, SyclQueue queue):
        """Run the program, and return the results in the given arrays or in new arrays."""
        cdef str name = self.plan.name
        cdef list outs = self.outputs(out), results
        cdef vector[int64_t] shape
        cdef int k
        for k in range(len(outs)):
            extents = self.plan.shapes[k]
            if extents is None:
                continue
            broadcast(shape, [extents] if isinstance(extents, tuple) else
                      [operands[k] for k in extents], name)
            check_out(outs[k], queue, self.plan.result_code(k), shape.size(), shape.data(), name)
        if len(self.plan.steps) > 1 or self.plan.written:
            self.plan.check(numbers)
        # Only a plan for given shapes has checked all shapes before its first write.
        is_direct = self.plan.is_kernel or (self.plan.trace.by_shape
                                            and can_hold(outs, operands, queue))
        results = self.plan.run(operands, numbers, outs if is_direct else [], queue)
        if outs and not is_direct:
            results = [copy(one) if overlaps(outs, [one]) else one for one in results]
        return rebuild(self.container, copy_all_to_out(results, outs, name))


cdef object with_source_line(object error, str name):
    """Return an error of a trace, with the line in the caller's file."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    lines = [f"{frame.filename}:{frame.lineno}: {frame.line}: "
             for frame in traceback.extract_tb(error.__traceback__)
             if not frame.filename.endswith(".pyx") and not frame.filename.startswith(package)]
    return TypeError(f"{name} cannot be fused: {''.join(lines[-1:])}{error}")


cdef class FusedFunction:
    """A function that usmtensor.fuse has made; `__wrapped__` is the original."""

    cdef object function
    cdef str name
    cdef dict programs  # by argument types and constants; the key None has a simple program
    cdef dict shaped    # also by the shapes of the arguments
    cdef dict kernels   # of all programs, by their source
    cdef dict __dict__

    def __cinit__(self, function):
        self.function, self.programs, self.shaped, self.kernels = function, {}, {}, {}
        self.name = getattr(function, "__name__", type(function).__name__)
        functools.update_wrapper(self, function)

    def __call__(self, *args, out=None, **keywords):
        cdef Program program = self.programs.get(None)
        if program is not None and not keywords and program.accepts(args, out):
            return program.plan.run_simple(args, out)
        cdef list operands = list(args), given, names = [], codes = [], key = []
        cdef dict constants = {}
        cdef SyclQueue queue = None
        cdef OperandKind kind
        cdef int k, code
        for name, value in keywords.items():
            kind = operand_kind(value)
            if PYTHON_BOOL <= kind <= PYTHON_COMPLEX or kind == NUMPY_SCALAR:
                key.append((name, type(value), repr(value)))
                constants[name] = value
            else:
                operands.append(value)
                names.append(name)
                key.append(name)
        for k in range(len(operands)):
            value = operands[k]
            if not isinstance(value, usm_ndarray) and operand_kind(value) == UNKNOWN:
                if isinstance(value, Traced):  # called in the trace of another function
                    if out is not None:
                        raise TypeError(f"{self.name}: out cannot be traced")
                    return self.function(*args, **keywords)
                value = from_interface(value, self.name)
                operands[k] = operands[k] if value is None else value
            if queue is None and isinstance(value, usm_ndarray):
                queue = (<usm_ndarray>value).queue
        if queue is None:
            raise TypeError(f"{self.name}: no argument is an array; expected one")
        given = list(operands)
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
            if kind == ARRAY or kind == NUMPY_ARRAY:  # axes of reductions depend on the rank
                key.append((code, (<usm_ndarray>value).rank))
            else:
                key.append(constant_key(value) if code < -PYTHON_COMPLEX else code)
        key.append(device_features(queue))
        types = tuple(key)
        try:
            program = self.programs.get(types)
        except TypeError as error:
            raise TypeError(f"{self.name}: an argument cannot be a constant: {error}; expected "
                            "arrays, numbers and objects that can be hashed") from None
        if program is None:
            types += tuple([(<usm_ndarray>x).shape for x in operands if isinstance(x, usm_ndarray)])
            program = self.shaped.get(types)
        if program is None:
            program = self.traced(queue, operands, codes, names, constants)
            if program.plan is not None:
                self.keep(program, tuple(key), types)
        if not keywords and program.plan is not None and program.plan.is_simple() \
                and min(program.codes) >= 0 and program.container is None:
            self.programs[None] = program
        if program.plan is not None and not program.has_write_hazard(operands, given):
            try:
                numbers = program.numbers(operands)
                if numbers is not None:
                    return program.run(operands, numbers, out, queue)
            except OverflowError:  # a number out of range of its type, which comparisons accept
                pass
        return self.run_unfused(program, args, keywords, out)

    cdef int keep(self, Program program, tuple types, tuple shapes) except -1:
        """Keep a program for further calls."""
        if not program.plan.trace.by_shape:
            self.programs[types] = program
            return 0
        while len(self.shaped) >= MAX_SHAPES:  # evict the oldest program
            self.shaped.pop(next(iter(self.shaped), None), None)
        self.shaped[shapes] = program
        return 0

    def __reduce__(self):
        path = getattr(self, "__qualname__", "")
        found = sys.modules.get(getattr(self, "__module__", None))
        for name in path.split("."):
            found = getattr(found, name, None)
        return path if found is self else (fuse, (self.function,))

    cdef object run_unfused(self, Program program, tuple args, dict keywords, object out):
        found = self.function(*args, **keywords)
        if out is None:
            return found
        if not isinstance(found, (list, tuple)):
            return copy_to_out(found, out, self.name)
        outs = list(out)
        # A result that overlaps an output is one of the arguments.
        results = [copy(one) if overlaps(outs, [one]) else one for one in found]
        return rebuild(type(found), copy_all_to_out(results, outs, self.name))

    cdef Program traced(self, SyclQueue queue, list operands, list codes, list names,
                        dict constants):
        """Trace the function for some argument types and constants."""
        cdef Program program = Program.__new__(Program)
        cdef Trace trace = Trace.__new__(Trace, queue)
        cdef int k, positional = len(operands) - len(names)
        given = [operands[k] if codes[k] < -PYTHON_COMPLEX else
                 trace.argument(k, operands[k], codes[k]) for k in range(len(operands))]
        try:
            with trace:
                found = self.function(*given[:positional], **dict(zip(names, given[positional:])),
                                      **constants)
                program.container = type(found) if isinstance(found, (list, tuple)) else None
                results = [found] if program.container is None else list(found)
                if found is None and trace.events:  # the function changes arguments
                    results = []
                for one in results:
                    if not isinstance(one, Traced) or (<Traced>one).array is None:
                        raise TypeError(f"a result is {one!r}; expected an array that is computed "
                                        "from the arguments")
                find_traced(results)
        except OverflowError:
            return program
        except (AttributeError, TypeError) as error:
            raise with_source_line(error, self.name) from error
        identifier = re.sub(r"\W|^(?=\d|$)", "_", self.name, flags=re.ASCII)
        program.plan = new_plan(trace, results, identifier, self.kernels)
        program.codes, program.features = codes, device_features(queue)
        return program


def fuse(
    function: Callable[..., Any] | None = None, /, *, kernel_name: str | None = None
) -> Callable[..., Any]:
    """Compile a function of arrays, so that its operations run in few kernels.

    The first call with arguments of some data types traces the function: its operations become the
    statements of kernels, which are compiled. Further calls run the kernels, in which most
    operations store no result in memory.

    Parameters
    ----------
    function : callable
        It computes arrays from arrays and numbers by operators, the elementwise functions, `where`,
        `clip`, `astype`, `copy`, and the reductions `sum`, `prod`, `max`, `min`, `mean`, `any`,
        `all`, `count_nonzero`, `var`, `std`, `argmax` and `argmin`. It may take slices of arrays,
        make arrays with `zeros_like` and the like, and assign to slices. It returns an array, a
        tuple or list of arrays, or None if it changes arguments. Without it, the result is a
        decorator, so `@usm.fuse()` is the same as `@usm.fuse`.
    kernel_name : str, optional
        Accepted for programs that were written for CuPy, and ignored.

    Returns
    -------
    callable
        Takes the arguments of `function`, and `out`: an array, or a tuple of arrays, for the
        results. Numbers that are passed by position may change at each call. Numbers that are
        passed by keyword, defaults, and arguments of other types are constants of the kernel.
        `__wrapped__` is `function`.

    Raises
    ------
    TypeError
        If `function` is not callable. A call raises it if the function needs the values of an
        array, and so cannot be traced; the message shows the line.

    Notes
    -----
    The results have the types and bits of the results of `function`, but reductions of large
    arrays, and on GPUs all reductions, may have other bits. The fused function raises the errors of
    the plain function, such as errors of shapes that do not broadcast.
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
    if function is None:
        return fuse
    if not callable(function):
        raise wrong_type(function, "fuse", "function", "a function")
    return FusedFunction(function)
