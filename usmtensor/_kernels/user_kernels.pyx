"""User kernels: ElementwiseKernel, RawKernel and RawModule."""

cimport cython
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memset
from libcpp cimport bool as cbool
from libcpp.string cimport string
from libcpp.vector cimport vector
from usmtensor._core.array cimport (
    allocate_array, require_array, require_writable, same_shape, usm_ndarray,
)
from usmtensor._core.copy cimport as_contiguous, copy_into
from usmtensor._core.operands cimport (
    ARRAY, NUMPY_SCALAR, Operands, PYTHON_BOOL, broadcast, check_out, in_type, operand_kind,
    python_code, read_operands, require_same_device,
)
from usmtensor._core.views cimport broadcast_view
from usmtensor._functions.elementwise cimport new_result
from usmtensor._native.libtensor cimport (
    Allocation, Queue, QueueRef, UsmKind, View, may_overlap, raised,
)
from usmtensor._runtime.arguments cimport (
    extents_of, kind_name, require, shape_tuple, short_repr, wrong_type,
)
from usmtensor._runtime.dtypes cimport (
    BOOL, C8, C16, DTYPES, F2, itemsizes, from_python, is_supported,
)
from usmtensor._runtime.queue cimport SyclQueue, default_queue

from functools import partial

import numpy

from usmtensor._kernels.source import (
    MAX_ARRAYS, MAX_PARAMETERS, Elementwise, by_parts, compile_options, elementwise_source,
    has_calls, is_complete, mentions, parameters, raw_options, raw_signature,
)
from usmtensor._runtime.errors import CompileError

__all__ = ["ElementwiseKernel", "RawKernel", "RawModule"]

cdef extern from "runtime/kernel_store.hpp" namespace "usmtensor" nogil:
    cdef cppclass SourceKernel:
        string name, source
        vector[string] options
        cbool complete

    uint32_t add_kernel(const SourceKernel &) except +raised

cdef extern from "ops/user_kernel.hpp" namespace "usmtensor" nogil:
    ctypedef struct Argument "usmtensor::Argument":
        uint64_t bits
        unsigned char nbytes
        cbool pointer

    cdef cppclass UserOperands:
        vector[int64_t] shape
        vector[View] outputs, inputs, raw
        vector[cbool] raw_written
        vector[Argument] scalars
        cbool indexed, calls
        int cost

    cdef cppclass UserKernels:
        uint32_t contiguous, partition, strided, grid, stencil

    void run_user "UNLOCKED(run_user)"(const QueueRef &, const UserKernels &,
                                       const UserOperands &) except +raised
    void run_user "UNLOCKED(run_user)"(const QueueRef &, uint32_t, const vector[int64_t] &,
                                       const vector[int64_t] &, const vector[Argument] &,
                                       const vector[const Allocation *] &operands) except +raised


cdef uint32_t register(str name, str source, tuple options) except? 0:
    """Register a kernel, and return its id."""
    cdef SourceKernel kernel
    kernel.name = name.encode()
    kernel.source = source.encode()
    kernel.options = [option.encode() for option in options]
    kernel.complete = is_complete(source, options)
    return add_kernel(kernel)


cdef int add_scalar(vector[Argument] &scalars, object value, int code, str function) except -1:
    """Add a number as the bits of an element of a type."""
    cdef uint64_t[2] bits = [0, 0]
    cdef int k
    from_python(value, code, <char *>bits, function)
    for k in range(2 if code == C16 else 1):
        scalars.push_back(Argument(bits[k], sizeof(uint64_t), False))
    return 0


cdef object explain_error(object error, str source):
    """Return a compiler error with line numbers in the user's texts."""
    result = CompileError(by_parts(str(error), source))
    result.code, result.source = error.code, source
    return result


@cython.final
cdef class _Variant:
    """The kernels for some argument types."""
    cdef UserKernels kernels
    cdef bint indexed
    cdef str source


cdef class ElementwiseKernel:
    """ElementwiseKernel(in_params, out_params, operation, name="kernel", preamble="", *, \
options=())\n--\n
    An elementwise function from a C++ expression, compiled at its first call.

    Parameters
    ----------
    in_params, out_params : str
        Parameters as "T x, float32 y, raw T z": a type and a name. A single letter stands for the
        data type of the arguments. The expression indexes raw arrays explicitly.
    operation : str
        C++ statements that assign the outputs from the inputs. An output initially has the previous
        value of its element. `i` is the index of the element in C order. `n` and `_ind.size()` are
        the number of elements.
    name : str
        The name of the kernel, for errors and profilers.
    preamble : str
        C++ code before the kernel: functions, `#include` lines.
    options : sequence of str
        Additional compiler options, such as "-DSTEPS=3".

    Raises
    ------
    TypeError, ValueError
        If a parameter has an unknown type or an invalid name.

    Notes
    -----
    Compatible with cupy.ElementwiseKernel. See docs/kernels.md.

    Examples
    --------
    >>> import usmtensor
    >>> squared_difference = usmtensor.ElementwiseKernel(
    ...     "T x, T y", "T z", "z = (x - y) * (x - y)", "squared_difference")
    >>> squared_difference(usmtensor.arange(4.0), 1)
    usm_ndarray([1., 0., 1., 4.])
    """

    cdef tuple in_params, out_params, options, names
    cdef object texts
    cdef str name
    cdef bint indexed, calls, calls_for_some, has_raw
    cdef bint[32] raw
    cdef signed char[32] letters  # the number of each parameter's letter; -1 for a fixed type
    cdef signed char[32] fixed    # the code of the fixed type
    cdef public int _cost  # the approximate number of raw array elements that a work-item reads
    cdef public bint _traced  # the statements are of a trace
    cdef public bint _strided  # raw arrays are not made contiguous
    cdef dict variants

    def __cinit__(self, in_params, out_params, operation, name="kernel", preamble="", *,
                  options=()):
        cdef str function = "ElementwiseKernel"
        for argument, text in (("operation", operation), ("name", name), ("preamble", preamble)):
            require(text, str, function, argument)
        if not name.isidentifier() or not name.isascii():
            raise ValueError(f"{function}: name is {name!r}; expected an identifier")
        self.in_params = tuple(parameters(function, "in_params", in_params))
        self.out_params = tuple(parameters(function, "out_params", out_params))
        self.options = compile_options(function, options)
        self.texts = Elementwise(self.in_params, self.out_params, operation, name, preamble)
        self.name = name
        self.names = tuple([p.name for p in self.in_params + self.out_params])
        if not self.out_params:
            raise ValueError(f"{function}: out_params is empty; expected one parameter or more")
        if len(self.names) > MAX_PARAMETERS:
            raise ValueError(f"{function}: there are {len(self.names)} parameters; expected at "
                             f"most {MAX_PARAMETERS}")
        for one in self.names:
            if self.names.count(one) > 1:
                raise ValueError(f"{function}: there are two parameters {one}")
        letters = sorted({p.letter for p in self.in_params + self.out_params if p.letter})
        for k, p in enumerate(self.in_params + self.out_params):
            self.raw[k], self.fixed[k] = p.raw, p.code
            self.letters[k] = letters.index(p.letter) if p.letter else -1
            self.has_raw |= p.raw
        self.indexed = mentions("i", operation, preamble)
        self.calls = has_calls(operation, preamble)
        self.calls_for_some = has_calls(operation, preamble, some_types=True)
        self.variants = {}
        self._cost = 1

    def __call__(self, *args, size=None):
        cdef list outs = self.outputs(args), inputs = list(args[:len(self.in_params)])
        cdef Operands operands
        cdef tuple shape = None
        if size is not None:
            shape = shape_tuple(size, self.name, "size")
            if all([PYTHON_BOOL <= operand_kind(x) <= NUMPY_SCALAR for x in args]):
                inputs.append(allocate_array(default_queue(), UsmKind.device, BOOL, 0, NULL, b"C"))
        elif not args:
            raise ValueError(f"{self.name}: no argument has a shape; expected the argument size")
        operands = read_operands(self.name, self.names, inputs + outs, outs[0] if outs else None)
        results = self.run(operands, outs, shape)
        if outs:
            results = list(args[len(self.in_params):])
        return results[0] if len(results) == 1 else tuple(results)

    def __reduce__(self):
        texts = [", ".join(["raw " * p.raw + (p.letter or DTYPES[p.code].name) + " " + p.name
                            for p in params]) for params in (self.in_params, self.out_params)]
        return partial(ElementwiseKernel, options=self.options), (*texts, *self.texts[2:])

    @property
    def __name__(self):
        """str: The name of the kernel."""
        return self.name

    @property
    def nin(self):
        """int: The number of inputs."""
        return len(self.in_params)

    @property
    def nout(self):
        """int: The number of outputs."""
        return len(self.out_params)

    def __repr__(self):
        return f"<ElementwiseKernel {self.name!r}>"

    cdef list outputs(self, tuple args):
        """Return the output arrays among the arguments: none or all."""
        cdef int nin = len(self.in_params), count = len(self.names), k
        if len(args) != nin and len(args) != count:
            raise TypeError(f"{self.name}: {len(args)} arguments; expected {nin}, or {count} with "
                            "the outputs")
        return [require_array(args[k], self.name, self.names[k]) for k in range(nin, len(args))]

    def _arguments(self, args):
        """Return the operands on one device, the type of each parameter, and the queue."""
        cdef int k
        cdef signed char[32] codes
        cdef list outs = self.outputs(args), inputs = list(args[:len(self.in_params)])
        cdef Operands operands = read_operands(self.name, self.names, inputs + outs,
                                               outs[0] if outs else None)
        self.resolve(operands, len(outs), codes)
        dtypes = [DTYPES[codes[k]] for k in range(len(self.names))]
        return operands.values, dtypes, operands.queue, kind_name(operands.kind)

    cdef int resolve(self, Operands operands, int outs, signed char *codes) except -1:
        """Determine the type of each parameter from its argument."""
        cdef signed char[32] letters
        cdef signed char *bound
        cdef int k, code, nin = len(self.in_params), count = nin + outs
        cdef bint fp64 = operands.queue.ref.get().fp64, python
        memset(letters, -1, sizeof(letters))
        # Arrays come first, because a Python number takes their type.
        for python in range(2):
            for k in range(count):
                if python != (operands.kinds[k] != ARRAY and operands.kinds[k] != NUMPY_SCALAR):
                    continue
                bound = &self.fixed[k] if self.letters[k] < 0 else &letters[self.letters[k]]
                if python:
                    code = python_code(operands.kinds[k], BOOL if bound[0] < 0 else bound[0], fp64)
                else:
                    code = operands.code(k)
                if bound[0] < 0:
                    bound[0] = code
                elif python and self._traced:
                    pass  # a number that is assigned to an array, of any type
                elif bound[0] != code and not (
                        k < nin and self.letters[k] < 0 and numpy.can_cast(
                            <object>DTYPES[code], <object>DTYPES[bound[0]], "same_kind")):
                    p = (self.in_params + self.out_params)[k]
                    raise TypeError(f"{self.name}: {p.name} is of type {DTYPES[code]}; expected "
                                    f"{DTYPES[bound[0]]}" + (f", as {p.letter} is" if p.letter
                                                             else ""))
                codes[k] = bound[0]
        for k in range(count, len(self.names)):
            codes[k] = self.fixed[k] if self.letters[k] < 0 else letters[self.letters[k]]
            if codes[k] < 0:
                p = self.out_params[k - nin]
                raise TypeError(f"{self.name}: no argument has the type {p.letter} of "
                                f"{p.name}; expected the outputs as arguments")
        return 0

    cdef list run(self, Operands operands, list outs, tuple size):
        """Run the kernel, and return the outputs."""
        cdef signed char[32] codes
        cdef list values = operands.values, targets = [], alive = [], copies_back = []
        cdef int k, j, nin = len(self.in_params), rank
        cdef const int64_t *shape
        cdef UserOperands given
        cdef int64_t count = 1
        cdef _Variant variant
        cdef usm_ndarray x, copy, model = None
        self.resolve(operands, len(outs), codes)
        variant = self.variant(operands, codes)
        # Numbers are converted first, because they may run user code.
        for k in range(nin):
            if operands.kinds[k] != ARRAY:
                if self.raw[k]:
                    require(values[k], usm_ndarray, self.name, self.names[k])
                add_scalar(given.scalars, values[k], codes[k], self.name)
        if not self.has_raw and size is None:
            model = operands.model()
        if model is not None:
            given.shape.assign(model.extents, model.extents + model.rank)
        else:
            self.common_shape(given.shape, values[:nin], outs, size)
        rank, shape = given.shape.size(), given.shape.data()
        for k in range(rank):
            count *= shape[k]
        given.scalars.push_back(Argument(count, sizeof(int64_t), False))
        for k in range(len(self.names) - nin):
            if outs:
                x = outs[k]
                if self.raw[nin + k]:
                    require_writable(x, self.name, self.names[nin + k])
                else:
                    check_out(x, operands.queue, codes[nin + k], rank, shape, self.name)
            elif self.raw[nin + k]:
                raise ValueError(f"{self.name}: the output {self.names[nin + k]} is raw; expected "
                                 "it as an argument")
            else:
                x = new_result(operands, codes[nin + k], rank, shape, b"K")
            targets.append(x)
        for k in range(len(targets)):
            for j in range(k):
                if may_overlap((<usm_ndarray>targets[k]).view(), (<usm_ndarray>targets[j]).view()):
                    raise ValueError(f"{self.name}: the outputs {self.out_params[j].name} and "
                                     f"{self.out_params[k].name} overlap")
        for k in range(len(targets)):
            x = targets[k]
            if self.raw[nin + k]:
                copy = x if self._strided else as_contiguous(x, x.code)
                if copy is not x:
                    copies_back.append((copy, x))
                alive.append(copy)
                given.raw.push_back(copy.view())
                given.raw_written.push_back(True)
            else:
                given.outputs.push_back(x.view())
        for k in range(nin):
            if operands.kinds[k] != ARRAY:
                continue
            x = in_type(values[k], codes[k])
            if self.raw[k]:
                x = x if self._strided else as_contiguous(x, codes[k])
                given.raw.push_back(x.view())
                given.raw_written.push_back(False)
            else:
                if not same_shape(x, rank, shape):
                    x = broadcast_view(x, rank, shape, self.name)
                given.inputs.push_back(x.view())
            alive.append(x)
        given.indexed, given.calls, given.cost = variant.indexed, self.calls, self._cost
        for k in range(nin):
            given.calls |= self.calls_for_some and (codes[k] == F2 or codes[k] >= C8)
        try:
            run_user(operands.queue.ref, variant.kernels, given)
        except CompileError as error:
            raise explain_error(error, variant.source) from None
        for copy, x in copies_back:
            copy_into(copy, x)
        return outs or targets

    cdef int common_shape(self, vector[int64_t] &shape, list inputs, list outs,
                          tuple size) except -1:
        """Return the shape of the arrays that are not raw."""
        cdef int k, nin = len(inputs)
        spread = [value for k, value in enumerate(inputs)
                  if isinstance(value, usm_ndarray) and not self.raw[k]]
        spread = spread or [out for k, out in enumerate(outs) if not self.raw[nin + k]]
        if size is not None:
            if spread:
                raise ValueError(f"{self.name}: size is {size}; expected none, as not all arrays "
                                 "are raw")
            spread = [size]
        elif not spread:
            raise ValueError(f"{self.name}: all arrays are raw; expected the argument size")
        return broadcast(shape, spread, self.name)

    cdef _Variant variant(self, Operands operands, signed char *codes):
        """Return the kernels for the types of the arguments."""
        cdef const Queue *queue = operands.queue.ref.get()
        cdef char[66] text
        cdef int k, count = len(self.names), nin = len(self.in_params), arrays = count - nin
        cdef _Variant variant
        for k in range(count):
            text[2 * k] = codes[k]
            text[2 * k + 1] = k >= nin or operands.kinds[k] == ARRAY
            arrays += k < nin and operands.kinds[k] == ARRAY
        text[2 * count], text[2 * count + 1] = queue.fp16, queue.fp64
        key = text[:2 * count + 2]
        variant = self.variants.get(key)
        if variant is None:
            if arrays > MAX_ARRAYS:
                raise ValueError(f"{self.name}: {arrays} arrays; expected at most "
                                 f"{MAX_ARRAYS}")
            for k in range(count):
                if not is_supported(codes[k], queue):
                    raise TypeError(f"{self.name}: {self.names[k]} is of type {DTYPES[codes[k]]}, "
                                    "which the device does not support")
            variant = _Variant.__new__(_Variant)
            types = {name: codes[k] for k, name in enumerate(self.names)}
            scalar = {p.name for k, p in enumerate(self.in_params) if operands.kinds[k] != ARRAY}
            # If all arrays are raw, the elements are indices.
            variant.indexed = self.indexed or all([
                p.raw or p.name in scalar for p in self.in_params + self.out_params])
            loops = ("contiguous", "lines" if self._cost == 1 else "partition", "strided", "grid",
                     "stencil")
            texts = [elementwise_source(self.texts, loop, types, scalar, variant.indexed,
                                        self.options, self._traced)
                     for loop in loops]
            kernels = [register(f"{self.name}_{loop}", source, self.options)
                       for loop, source in zip(loops, texts)]
            variant.source = texts[0]
            variant.kernels.contiguous, variant.kernels.partition = kernels[:2]
            variant.kernels.strided, variant.kernels.grid, variant.kernels.stencil = kernels[2:]
            self.variants[key] = variant
        return variant


cdef class RawKernel:
    """RawKernel(source, name, *, options=())\n--\n
    A kernel in a SYCL C++ source, compiled at its first call.

    Parameters
    ----------
    source : str
        The whole source. Its kernels are free functions with C names, whose parameters are pointers
        and arithmetic scalars.
    name : str
        The name of the kernel's function in the source.
    options : sequence of str
        Additional compiler options, such as "-DSTEPS=3".

    Raises
    ------
    TypeError
        If the kernel has a parameter of another type, such as a structure.
    ValueError
        If the source has no such kernel.

    Notes
    -----
    Similar to cupy.RawKernel. Call it with the global size, the local size (integers, or tuples in
    SYCL's order) and a tuple of arguments: arrays in any layout for pointers, and numbers for
    scalars. Arrays for pointers to const may be read-only. See docs/kernels.md.

    Examples
    --------
    >>> import usmtensor
    >>> source = '''
    ... #include <sycl/ext/oneapi/free_function_queries.hpp>
    ... #include <sycl/ext/oneapi/free_function_kernel_properties.hpp>
    ... extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(
    ...     (sycl::ext::oneapi::experimental::nd_range_kernel<1>))
    ... void scale(const float *x, float *y, float factor) {
    ...   const auto item = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
    ...   y[item.get_global_id(0)] = factor * x[item.get_global_id(0)];
    ... }
    ... '''
    >>> scale = usmtensor.RawKernel(source, "scale")
    >>> x = usmtensor.arange(4, dtype="float32")
    >>> y = usmtensor.empty_like(x)
    >>> scale(4, 2, (x, y, 3))
    >>> y
    usm_ndarray([0., 3., 6., 9.], dtype=float32)
    """

    cdef str source, checked, name
    cdef bint traced  # the statements are of a trace
    cdef tuple options
    cdef list taken
    cdef int dimensions
    cdef uint32_t kernel

    def __cinit__(self, source, name, *, options=(), _traced=False):
        require(source, str, "RawKernel", "source")
        if not require(name, str, "RawKernel", "name").isidentifier() or not name.isascii():
            raise ValueError(f"RawKernel: name is {name!r}; expected an identifier")
        self.source, self.name, self.traced = source, name, _traced
        self.options = compile_options("RawKernel", options)
        self.dimensions, self.taken, self.checked = raw_signature(source, name)
        self.kernel = register(name, self.checked, self.options if _traced else
                               raw_options(source, self.options))

    def __call__(self, global_size, local_size, args):
        cdef vector[int64_t] items = self.sizes("global_size", global_size, 0)
        cdef vector[int64_t] group = self.sizes("local_size", local_size, 1)
        cdef vector[Argument] arguments
        cdef vector[const Allocation *] operands
        cdef SyclQueue queue = None
        cdef usm_ndarray x
        cdef list values, alive = []
        cdef bint nothing = False
        cdef int k
        for k in range(self.dimensions):
            nothing |= items[k] == 0
            if items[k] % group[k]:
                raise ValueError(f"{self.name}: global_size is {global_size} and local_size "
                                 f"{local_size}; expected a multiple of local_size")
        values = list(require(args, (tuple, list), self.name, "args", "a tuple"))
        if len(values) != len(self.taken):
            raise TypeError(f"{self.name}: args has {len(values)} arguments; expected "
                            f"{len(self.taken)}")
        arguments.resize(len(values))
        # Numbers are converted first, because they may run user code.
        for k, p in enumerate(self.taken):
            if not p.pointer:
                arguments[k] = Argument(self.scalar(p, values[k]), itemsizes[<int>p.code], False)
        for k, p in enumerate(self.taken):
            if not p.pointer:
                continue
            x = require_array(values[k], self.name, p.name)
            if p.code >= 0 and x.code != p.code:
                raise TypeError(f"{self.name}: {p.name} is of type {x.dtype}; expected "
                                f"{DTYPES[p.code]}")
            if not p.const:
                require_writable(x, self.name, p.name)
            if queue is None:
                queue = x.queue
            require_same_device(queue, x, self.name)
            operands.push_back(x.allocation)
            arguments[k] = Argument(<uint64_t>x.data, sizeof(x.data), True)
            alive.append(x)
        if nothing:
            return
        queue = queue or default_queue()
        try:
            run_user(queue.ref, self.kernel, items, group, arguments, operands)
        except CompileError as error:
            raise explain_error(error, self.checked) from None

    cdef vector[int64_t] sizes(self, str argument, object given, int least) except *:
        """Return the sizes of the dimensions."""
        sizes = shape_tuple(given, self.name, argument)
        if len(sizes) != self.dimensions or any([size < least for size in sizes]):
            raise ValueError(f"{self.name}: {argument} is {given!r}; expected {self.dimensions} "
                             f"integers from {least} on, as the kernel has {self.dimensions} "
                             "dimensions")
        return extents_of(sizes)

    cdef uint64_t scalar(self, object p, object value) except? 0:
        """Return the bits of a number for a parameter."""
        cdef uint64_t[2] bits = [0, 0]
        kind = operand_kind(value)
        if PYTHON_BOOL <= kind <= NUMPY_SCALAR:
            if self.traced:  # a number that is assigned to an array, of any type
                fits = True
            elif kind == NUMPY_SCALAR:
                fits = numpy.can_cast(value.dtype, <object>DTYPES[p.code], "same_kind")
            else:
                fits = python_code(kind, p.code, True) == p.code
            if fits:
                from_python(value, p.code, <char *>bits, self.name)
                return bits[0]
            raise TypeError(f"{self.name}: {p.name} is {short_repr(value)}; expected a number for "
                            f"{DTYPES[p.code]}")
        raise wrong_type(value, self.name, p.name, f"a number for {DTYPES[p.code]}")

    def __reduce__(self):
        return partial(RawKernel, options=self.options), (self.source, self.name)

    @property
    def __name__(self):
        """str: The name of the kernel."""
        return self.name

    def __repr__(self):
        return f"<RawKernel {self.name!r}>"


class RawModule:
    """Several kernels in one SYCL C++ source.

    Parameters
    ----------
    source : str
        As for RawKernel.
    options : sequence of str
        Additional compiler options.

    Notes
    -----
    Similar to cupy.RawModule.

    Examples
    --------
    >>> import usmtensor as usm
    >>> source = '''
    ... #include <sycl/ext/oneapi/free_function_queries.hpp>
    ... #include <sycl/ext/oneapi/free_function_kernel_properties.hpp>
    ... extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(
    ...     (sycl::ext::oneapi::experimental::nd_range_kernel<1>))
    ... void count(int *x) {
    ...   const auto item = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
    ...   x[item.get_global_id(0)] = STEP * item.get_global_id(0);
    ... }
    ... '''
    >>> module = usm.RawModule(source, options=["-DSTEP=10"])
    >>> x = usm.empty(4, dtype="int32")
    >>> module.kernel("count")(4, 2, (x,))
    >>> x
    usm_ndarray([ 0, 10, 20, 30], dtype=int32)
    """

    def __init__(self, source, options=()):
        require(source, str, "RawModule", "source")
        self._source, self._options = source, compile_options("RawModule", options)

    def kernel(self, name):
        """Return a kernel of the source.

        Parameters
        ----------
        name : str

        Returns
        -------
        RawKernel

        Raises
        ------
        ValueError
            If the source has no such kernel.

        Notes
        -----
        cupy.RawModule calls it get_function.

        Examples
        --------
        >>> import usmtensor as usm
        >>> source = '''
        ... #include <sycl/ext/oneapi/free_function_queries.hpp>
        ... #include <sycl/ext/oneapi/free_function_kernel_properties.hpp>
        ... extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(
        ...     (sycl::ext::oneapi::experimental::nd_range_kernel<1>))
        ... void nothing() {}
        ... '''
        >>> usm.RawModule(source).kernel("nothing")
        <RawKernel 'nothing'>
        """
        return RawKernel(self._source, name, options=self._options)
