"""The steps of a fused function: kernels and reductions, made from a trace."""

from cython.operator cimport dereference
from libc.stdint cimport int64_t
from usmtensor._core.array cimport C_CONTIGUOUS, WRITABLE, finish, same_shape, usm_ndarray
from usmtensor._core.operands cimport broadcast_shape, common_kind
from usmtensor._core.tracing cimport (
    Array, Event, NO_AXIS, Node, Trace, Traced, are_disjoint, literal, whole_view,
)
from usmtensor._core.views cimport same_memory
from usmtensor._native.libtensor cimport is_like_cpu
from usmtensor._runtime.arguments cimport kind_name
from usmtensor._runtime.dtypes cimport DTYPES, cpp_type, itemsizes
from usmtensor._runtime.queue cimport SyclQueue

import math
import re

import usmtensor._functions as usm
from usmtensor._functions.elementwise import divide
from usmtensor._kernels.fused_reductions import (
    MAX_UNROLLED, MIN_ELEMENTS, MIN_ROW, RowReduction, reduction_kernel, strides_in,
)
from usmtensor._kernels.row_kernel import (
    MAX_LAUNCHES, NUMBERS, RowKernel, Stage, can_reduce, fits_registers,
)
from usmtensor._kernels.source import MAX_ARRAYS, MAX_PARAMETERS, has_calls
from usmtensor._kernels.user_kernels import ElementwiseKernel, RawKernel

OPERATION_TIME = 0.05  # nanoseconds of one operation on one compute unit, in vectors

cdef object NODE = re.compile(r"\bt(\d+)\b"), NUMBER = re.compile(r"\bs\d+_\w+\b")

cdef enum:
    SEQUENCE_ITEMS = 16  # work-items of the work-group that runs a Sequence: a vector
    MAX_STATEMENTS = 300  # in a kernel of several steps: longer kernels take too long to compile


# Values and their targets


cdef class Value:
    """A node as a step computes it. Results that earlier steps have stored are read."""

    cdef str text
    cdef dict operands  # values by node
    cdef Array array    # None if the value is computed
    cdef tuple view
    cdef int version
    cdef int code
    cdef tuple shape
    cdef object loads   # the array values that it depends on
    cdef object numbers  # the names of the numbers that it depends on
    cdef object inputs   # the arguments that define its shape
    cdef bint is_costly  # true if computing it takes longer than storing and reading it


cdef Value new_value(Array array, tuple view, int version, object inputs):
    """Return the value of a view of a stored array."""
    cdef Value value = Value.__new__(Value)
    value.array, value.view, value.version = array, view, version
    value.code, value.shape, value.inputs = array.code, view[1], inputs
    value.loads, value.numbers = frozenset((value,)), frozenset()
    return value


cdef Value new_expression(str text, int code, tuple shape, dict operands, object inputs):
    """Return the value of an expression."""
    cdef Value value = Value.__new__(Value)
    value.text, value.code, value.shape = text, code, shape
    value.operands, value.inputs = operands, inputs
    value.loads = frozenset().union(*[(<Value>one).loads for one in operands.values()])
    value.numbers = frozenset(NUMBER.findall(text)).union(
        *[(<Value>one).numbers for one in operands.values()])
    value.is_costly = "Divide" in text or has_calls(text) or any(
        [(<Value>one).is_costly for one in operands.values()])
    return value


cdef class Target:
    """A view of an array that receives a value."""

    cdef Array array
    cdef tuple view
    cdef int version  # of the array after the write
    cdef Value value
    cdef bint is_new  # true if the array is new
    cdef object fill  # the number that the value is equal to; or None

    cdef bint is_disjoint(self, Array array, tuple view):
        return array is not self.array or are_disjoint(view, self.view)

    cdef bint matches(self, Value load):
        """Return True if a load reads exactly the value of this target."""
        return (load.array is self.array and load.view == self.view
                and load.version >= self.version)


cdef class Operand:
    """A view of an array at a call."""

    cdef int index   # of the array
    cdef tuple view  # None for all elements

    def __cinit__(self, Array array, tuple view):
        self.index, self.view = array.index, None if view == whole_view(array.shape) else view

    cdef usm_ndarray of(self, list arrays):
        cdef usm_ndarray x = arrays[self.index]
        return x if self.view is None else apply_view(x, self.view)


cdef usm_ndarray apply_view(usm_ndarray x, tuple view):
    """Return a view of an array."""
    cdef tuple starts = view[0], extents = view[1], axes = view[2]
    cdef int rank = len(extents), k, axis
    cdef usm_ndarray y = same_memory(x, rank)
    cdef char *data = x.data
    cdef int64_t start, step
    if x.rank != len(starts):
        raise ValueError("the shape of an argument changed during the call")
    for axis in range(x.rank):
        start = starts[axis]
        data += start * x.extents[x.rank + axis] * itemsizes[x.code]
    for k in range(rank):
        axis, step = axes[k]
        y.extents[k] = extents[k]
        y.extents[rank + k] = step * x.extents[x.rank + axis] if axis >= 0 else 0
    finish(y, data, x.bits & WRITABLE)
    return y


# Steps


cdef class Step:
    """A kernel that writes values to views of arrays, a reduction, or the creation of an array."""

    cdef list targets
    cdef tuple shape
    cdef object reduction  # a function and its keywords; or None
    cdef object fill       # a number; or None
    cdef bint is_new       # true for a new array that is filled or not set
    cdef bint by_shape     # true if only some shapes allow the step
    cdef bint is_computed  # true if the value is computed; otherwise it is an array or a number
    cdef bint has_space    # true if a reduction has fewer parameters than a kernel may have
    cdef object kernel
    cdef list operands     # of the kernel: Operand
    cdef list numbers      # of the kernel: indices
    cdef list outputs      # Operand
    cdef tuple order       # the arguments of a simple kernel
    cdef list dead         # arrays that no later step needs
    cdef list lines        # of a reduction: the statements of its elements
    cdef str name, inputs
    cdef int code          # of the value
    cdef dict kernels      # of a reduction, by the kind of device
    cdef object rows       # of a reduction: RowReduction

    cdef list loads(self):
        """Return the array values that the step reads."""
        cdef Target target
        found = {load for target in self.targets for load in target.value.loads}
        return [load for load in found
                if not any([target.matches(load) for target in self.targets])]

    cdef bint precedes(self, Step other):
        """Return True if a later step must run after this step."""
        cdef Target target
        cdef Value load
        for target in self.targets:
            for later in other.targets:
                if not target.is_disjoint((<Target>later).array, (<Target>later).view):
                    return True
                for load in (<Target>later).value.loads:
                    if not target.is_disjoint(load.array, load.view):
                        return True
        for target in other.targets:
            for load in self.loads():
                if not target.is_disjoint(load.array, load.view):
                    return True
        return False

    cdef Step join(self, Step other):
        """Return this kernel and a later one as one kernel, or None if that is not possible."""
        cdef Step both = Step.__new__(Step)
        cdef Target target
        cdef Value load
        if (self.shape != other.shape or self.reduction is not None or other.reduction is not None
                or self.is_new or other.is_new):
            return None
        both.targets, both.shape = self.targets + other.targets, self.shape
        both.by_shape = self.by_shape or other.by_shape or \
            (<Target>self.targets[0]).value.inputs != (<Target>other.targets[0]).value.inputs
        for target in self.targets:
            for later in other.targets:
                if not target.is_disjoint((<Target>later).array, (<Target>later).view):
                    return None
                for load in (<Target>later).value.loads:
                    # Integers are read from memory: see Trace.operand.
                    if not target.is_disjoint(load.array, load.view) and not (
                            target.matches(load) and DTYPES[load.code].kind != "i"):
                        return None
        # The loops read the elements of an output only if it is the single output.
        if len(both.targets) > 1:
            for load in both.loads():
                for target in both.targets:
                    if not target.is_disjoint(load.array, load.view):
                        return None
        return both if both.fits_parameter_limit() else None

    cdef bint fits_parameter_limit(self):
        """Return True if a kernel can have all parameters of the step."""
        cdef Target target
        cdef set keys = {padded_key(load, len(self.shape)) for load in self.loads()}
        arrays = len(keys) + len(self.targets)
        numbers = {one for target in self.targets for one in target.value.numbers}
        most = MAX_PARAMETERS
        if self.reduction is not None:
            most -= 3  # the parameters that a reduction adds
        return arrays <= MAX_ARRAYS and arrays + len(numbers) <= most

    cdef int prepare(self, Plan plan) except -1:
        """Write the kernel."""
        cdef Target target
        cdef Text text = Text(self)
        self.outputs = [Operand(target.array, target.view) for target in self.targets]
        self.operands, self.lines, self.kernels = text.operands, text.lines, {}
        self.numbers, self.has_space = [], self.fits_parameter_limit()
        if self.is_new:
            return 0
        names = [text.name(target.value) for target in self.targets]
        scalars = self.number_parameters(plan)
        self.broadcast_operand(plan)
        self.inputs, self.name = ", ".join(text.inputs + scalars), names[0]
        target = self.targets[0]
        self.code = target.value.code
        self.is_computed = len(self.targets) > 1 or (target.value.array is None
                                                     and target.fill is None)
        if self.is_computed:  # other steps call functions of the package
            outputs = [f"{DTYPES[target.array.code if self.reduction is None else self.code].name} "
                       f"y{k}" for k, target in enumerate(self.targets)]
            self.kernel = plan.kernel(self.inputs, ", ".join(outputs), self.lines +
                                      [f"y{k} = {name};" for k, name in enumerate(names)])
        return 0

    cdef list number_parameters(self, Plan plan):
        """Set the numbers that the kernel takes, and return its parameters for them."""
        names = sorted({name for target in self.targets
                        for name in (<Target>target).value.numbers})
        self.numbers = [plan.trace.scalars[name][0] for name in names]
        return [f"{DTYPES[plan.trace.scalars[name][1]].name} {name}" for name in names]

    cdef int broadcast_operand(self, Plan plan) except -1:
        """Broadcast an operand to the kernel's shape, unless the operands define that shape."""
        cdef Operand one
        cdef Array array
        cdef list shapes = []
        if not plan.trace.by_shape or not self.operands:
            return 0
        for one in self.operands:
            array = plan.trace.arrays[one.index]
            shapes.append(array.shape if one.view is None else one.view[1])
        if broadcast_shape(shapes, plan.name) != self.shape:
            one = self.operands[0]
            array = plan.trace.arrays[one.index]
            starts, _, axes = whole_view(array.shape) if one.view is None else one.view
            one.view = starts, self.shape, ((-1, 0),) * (len(self.shape) - len(axes)) + axes
        return 0

    cdef int run(self, Plan plan, list arrays, list numbers, list outs,
                 SyclQueue queue) except -1:
        cdef Target target = self.targets[0]
        cdef Operand one
        cdef list given, made
        cdef int k
        if self.is_new:
            found = plan.empty(self.shape, target.array.code, arrays, queue)
            if self.fill is not None:
                found[...] = self.fill
            arrays[target.array.index] = found
            return 0
        given = [arrays[one.index] if one.view is None else one.of(arrays)
                 for one in self.operands]
        given += [numbers[k] for k in self.numbers]
        if self.reduction is not None:
            if self.is_computed and not self.operands:
                outs = [plan.empty(self.shape, self.code, arrays, queue)]
            arrays[target.array.index] = self.reduce(plan, given, outs)
            return 0
        if not self.is_computed:
            shape = given[0].shape if given else self.shape
            made = outs or [plan.empty(shape, target.array.code, arrays, queue)
                            if target.is_new else (<Operand>self.outputs[0]).of(arrays)]
            made[0][...] = given[0] if given else target.fill
            if target.is_new:
                arrays[target.array.index] = made[0]
            return 0
        if outs:
            made = outs
        elif self.operands and all([target.is_new for target in self.targets]):
            made = []
        else:
            made = [plan.empty(self.shape, target.array.code, arrays, queue) if target.is_new
                    else one.of(arrays) for target, one in zip(self.targets, self.outputs)]
        found = self.kernel(*given, *made)
        for k, target in enumerate(self.targets):
            if target.is_new:
                arrays[target.array.index] = found if len(self.targets) == 1 else found[k]
        return 0

    cdef object reduce(self, Plan plan, list given, list outs):
        """Return the reduction of the value, for the operands of its kernel."""
        function, keywords = self.reduction
        if not self.is_computed:
            return function(given[0], **keywords)
        found = self.reduce_in_one_kernel(plan, given, function, keywords)
        if found is None:
            found = self.reduce_by_rows(plan, given, function, keywords)
        return function(self.kernel(*given, *outs), **keywords) if found is None else found

    cdef object reduce_by_rows(self, Plan plan, list given, object function, dict keywords):
        """Reduce by one kernel whose work-items reduce rows, or return None for two kernels."""
        cdef Target target = self.targets[0]
        cdef list shapes = [x.shape for x in given if isinstance(x, usm_ndarray)]
        if not shapes:
            return None
        shape = broadcast_shape(shapes, plan.name)
        if self.rows is None:
            self.rows = RowReduction(function.__name__, DTYPES[self.code],
                                     DTYPES[target.array.code], self.inputs, self.lines,
                                     self.name, plan.headers)
        if self.rows.rule is None:
            return None
        axes = tuple(range(len(shape))) if keywords["axis"] is None else keywords["axis"]
        cpu = is_like_cpu(dereference(plan.trace.queue.ref.get()))
        made = self.rows(given, shape, sorted(axes), keywords["keepdims"], cpu)
        if made is None or function.__name__ != "mean":
            return made
        return divide(made, math.prod([shape[k] for k in axes]), out=made)

    cdef object reduce_in_one_kernel(self, Plan plan, list given, object function, dict keywords):
        """Reduce by one kernel, or return None if two kernels are better."""
        cdef Target target = self.targets[0]
        cdef usm_ndarray x, first = None
        cdef int axis
        cdef int64_t row = 1
        for value in given[:len(self.operands)]:
            if not isinstance(value, usm_ndarray):  # a NumPy scalar
                continue
            x = value
            first = x if first is None else first
            if not x.bits & C_CONTIGUOUS or not same_shape(x, first.rank, first.extents):
                return None
        if first is None or first.count() < MIN_ELEMENTS:
            return None
        axes = keywords["axis"]
        axes = tuple(range(first.rank)) if axes is None else axes
        for axis in axes:
            row *= first.extents[axis]
        if row < MIN_ROW or sorted(axes) != list(range(first.rank - len(axes), first.rank)):
            return None
        cpu = is_like_cpu(dereference(first.queue.ref.get()))
        if cpu not in self.kernels:
            kernel = None
            if self.has_space:
                kernel = reduction_kernel(
                    function.__name__, DTYPES[self.code], DTYPES[target.array.code], cpu,
                    self.inputs, self.lines, self.name, plan.headers)
            self.kernels.setdefault(cpu, kernel)
        kernel = self.kernels[cpu]
        if kernel is None:
            return None
        made = kernel(*given, axis=axes, keepdims=keywords["keepdims"])
        return divide(made, row, out=made) if function.__name__ == "mean" else made


cdef tuple padded_key(Value load, int rank):
    """Return a key for a load in a kernel of `rank` axes."""
    return load.array.index, load.view[0], ((-1, 0),) * (rank - len(load.view[2])) + load.view[2]


cdef class Text:
    """The statements of a kernel."""

    cdef Step step
    cdef list lines, operands, inputs
    cdef dict names   # of values
    cdef dict arrays  # names by the key of a load

    def __cinit__(self, Step step):
        self.step = step
        self.lines, self.operands, self.inputs, self.names, self.arrays = [], [], [], {}, {}

    cdef str name(self, Value value):
        """Return the variable of a value."""
        cdef Target target
        if value in self.names:
            return self.names[value]
        if value.array is None:
            names = {node: self.name(one) for node, one in value.operands.items()}
            text = NODE.sub(lambda match: names[int(match[1])], value.text)
            name = f"t{len(self.lines)}"
            self.lines.append(f"const {cpp_type(value.code)} {name} = {text};")
        else:
            for target in reversed(self.step.targets):
                if target.matches(value):
                    name = self.name(target.value)
                    break
            else:
                name = self.load(value)
        self.names[value] = name
        return name

    cdef str load(self, Value value):
        key = padded_key(value, len(self.step.shape))
        if key not in self.arrays:
            self.arrays[key] = f"x{len(self.operands)}"
            self.inputs.append(f"{DTYPES[value.code].name} {self.arrays[key]}")
            self.operands.append(Operand(value.array, value.view))
        return self.arrays[key]


cdef class Columns(Step):
    """A kernel of several steps of one shape along a strided axis, as in a loop over the last axis.

    A work-item computes its element in all steps, so it uses neighbours in memory.
    """

    cdef dict layouts  # arrays of extents and strides, by their content
    cdef list written  # for each group of views: true if it is written

    cdef int prepare(self, Plan plan) except -1:
        cdef Target target
        cdef ColumnsText text = ColumnsText(self)
        cdef int axis, k, at, rank = len(self.shape)
        for target in self.targets:
            name = text.name(target.value)
            text.lines.append(f"{text.address(target.array, target.view)} = {name};")
        scalars = self.number_parameters(plan)
        written = {target.array.index for target in self.targets}
        self.operands = text.operands
        self.written = [(<Operand>one).index in written for one in self.operands]
        lines, at = ["usmtensor::int64 rest = i;"], rank
        for axis in range(rank - 1, 0, -1):
            lines.append(f"const usmtensor::int64 k{axis} = rest % layout[{axis}];")
            lines.append(f"rest /= layout[{axis}];")
        lines.append("const usmtensor::int64 k0 = rest;")
        for k, one in enumerate(self.operands):
            ndim = len((<Array>plan.trace.arrays[(<Operand>one).index]).shape)
            lines += [f"const usmtensor::int64 g{k}_{axis} = layout[{at + axis}];"
                      for axis in range(ndim)]
            offset = "".join([f" + k{axis} * layout[{at + ndim + axis}]" for axis in range(rank)])
            lines.append(f"auto *p{k} = &r{k}[0{offset}];")
            at += ndim + rank
        kinds = [DTYPES[(<Array>plan.trace.arrays[(<Operand>one).index]).code].name
                 for one in self.operands]
        raws = [f"raw {kind} r{k}" for k, kind in enumerate(kinds)]
        inputs = [one for one, written in zip(raws, self.written) if not written]
        outputs = [one for one, written in zip(raws, self.written) if written]
        self.kernel = plan.kernel(", ".join([*inputs, "raw int64 layout", *scalars]),
                                  ", ".join(outputs), lines + text.lines)
        self.kernel._strided, self.kernel._cost = True, len(text.lines)
        self.layouts = {}
        return 0

    cdef int run(self, Plan plan, list arrays, list numbers, list outs,
                 SyclQueue queue) except -1:
        cdef int k
        views = [(<Operand>one).of(arrays) for one in self.operands]
        layout = self.shape
        for one, x in zip(self.operands, views):
            layout += arrays[(<Operand>one).index].strides + strides_in(x, self.shape)
        key = layout, queue
        known = self.layouts.get(key)
        if known is None:
            if len(self.layouts) > 16:
                self.layouts.clear()
            known = self.layouts[key] = usm.asarray(layout, dtype="int64", sycl_queue=queue)
        ins = [x for x, written in zip(views, self.written) if not written]
        made = [x for x, written in zip(views, self.written) if written]
        self.kernel(*ins, known, *[numbers[k] for k in self.numbers], *made, size=self.shape)
        return 0


cdef class ColumnsText(Text):
    """The statements of a kernel that computes the addresses of elements."""

    cdef dict groups  # number and first start of the views of an array along the same axes

    def __cinit__(self, Step step):
        self.groups = {}

    cdef str load(self, Value value):
        name = f"x{len(self.lines)}"
        at = self.address(value.array, value.view)
        self.lines.append(f"const {cpp_type(value.code)} {name} = {at};")
        return name

    cdef str address(self, Array array, tuple view):
        """Return the C++ expression for the element of a view."""
        key = array.index, view[2]
        if key not in self.groups:
            self.groups[key] = len(self.operands), view[0]
            self.operands.append(Operand(array, view))
        k, first = self.groups[key]
        parts = [f"{start - begin} * g{k}_{axis}"
                 for axis, (start, begin) in enumerate(zip(view[0], first)) if start != begin]
        return f"p{k}[{' + '.join(parts) or '0'}]"


cdef class Rows(Step):
    """Reductions of rows, and kernels that use their results in the same rows, as one kernel.

    The rows are along the last axis of `shape`. A team of work-items reads each row once. For
    devices other than CPUs.
    """

    cdef list steps
    cdef object program  # RowKernel
    cdef list stored     # the targets that later steps or results need
    cdef list new        # True for each of them that is a new array

    cdef tuple axes_of(self, tuple view, tuple shape):
        """Return the axes of a view that broadcasts to a shape: the shape of elements or rows."""
        axes = (NO_AXIS,) * (len(shape) - len(view[2])) + view[2]
        return axes if len(shape) == len(self.shape) else axes + (NO_AXIS,)

    cdef bint is_result(self, Array array):
        """Return True if a step of this kernel has computed an array with one value for a row."""
        return any([array is (<Target>target).array and (<Target>target).is_new
                    for step in self.steps for target in (<Step>step).targets]) \
            and array.shape != self.shape

    cdef bint take(self, Step step):
        """Add a later step, and return True, if it can be a part of the kernel."""
        cdef Target target, other
        cdef Value load
        cdef Step earlier
        cdef tuple shape = step.shape, own = tuple(
            [NO_AXIS if n == 1 else (k, 1) for k, n in enumerate(self.shape[:-1])])
        if step.reduction is not None:
            if not reduces_rows(step) or shape != self.shape:
                return False
        elif step.is_new or shape not in (self.shape, self.shape[:-1], self.shape[:-1] + (1,)) \
                or shape != self.shape and len(step.targets) > 1:
            return False
        if not takes_numbers(step):
            return False
        loads = {load for target in step.targets for load in target.value.loads}
        for load in loads:
            if self.is_result(load.array):
                if any(load.view[0]) or self.axes_of(load.view, shape) != own + (NO_AXIS,):
                    return False
        # A team may read only elements of its own row that the kernel writes.
        for earlier in self.steps + [step]:
            for target in earlier.targets:
                if self.is_result(target.array):
                    continue
                for load in loads:
                    if not target.is_disjoint(load.array, load.view) and (
                            earlier is not step or load.view != target.view):
                        return False
                for other in step.targets:
                    if other is not target and not target.is_disjoint(other.array, other.view):
                        return False
        for target in step.targets:
            for earlier in self.steps:
                for load in earlier.loads():
                    if not target.is_disjoint(load.array, load.view) and load.view != target.view:
                        return False
        self.steps.append(step)
        if fits_registers(self.shape[-1], len(self.text().operands)):
            return True
        self.steps.pop()
        return False

    cdef bint is_useful(self):
        """Return True if the kernel replaces several, or need not store many elements."""
        cdef Step first = self.steps[0]
        return len(self.steps) > 1 or ((<Target>first.targets[0]).value.array is None
                                       and self.shape[-1] > MAX_UNROLLED)

    cdef RowsText text(self):
        """Return the statements of all steps."""
        cdef RowsText text = RowsText(self)
        cdef Step step
        for step in self.steps:
            text.add(step)
        return text

    cdef int prepare(self, Plan plan) except -1:
        cdef Step step
        self.targets = [target for step in self.steps for target in step.targets]
        self.operands = self.text().operands
        return 0

    cdef int write(self, Plan plan) except -1:
        """Write the kernel, given the arrays that no later step needs."""
        cdef Target target
        cdef RowsText text = self.text()
        self.stored = [target for target in self.targets
                       if not target.is_new or target.array.index not in self.dead]
        names = {target: k for k, target in enumerate(self.stored)}
        stages = [Stage(kind, used, lines, found, [names.get(one) for one in targets], *others)
                  for kind, used, lines, found, targets, *others in text.stages]
        scalars = sorted({name for target in self.targets
                          for name in (<Target>target).value.numbers})
        self.numbers = [plan.trace.scalars[name][0] for name in scalars]
        self.new = [target.is_new for target in self.stored]
        self.outputs = []
        for target in self.stored:
            shape = target.view[1]
            axes = self.axes_of(target.view, shape)
            self.outputs.append(Operand(target.array, (target.view[0], self.shape, axes)))
        self.program = RowKernel(
            f"{plan.name}_rows", self.shape,
            [(DTYPES[code], f"x{k}", (<Operand>one).view is not None
              and (<Operand>one).view[2][-1] == NO_AXIS)
             for k, (one, code) in enumerate(zip(self.operands, text.codes))],
            [(DTYPES[plan.trace.scalars[name][1]], name) for name in scalars],
            [(DTYPES[target.array.code], f"y{k}") for k, target in enumerate(self.stored)],
            stages, plan.headers)
        return 0

    cdef int run(self, Plan plan, list arrays, list numbers, list outs,
                 SyclQueue queue) except -1:
        cdef Target target
        views = [(<Operand>one).of(arrays) for one in self.operands]
        for target in self.stored:
            if target.is_new:
                arrays[target.array.index] = plan.empty(target.array.shape, target.array.code,
                                                        arrays, queue)
        self.program(plan.kernels, views, [numbers[k] for k in self.numbers],
                     [(<Operand>one).of(arrays) for one in self.outputs])
        return 0


cdef class RowsText(Text):
    """The statements of the stages of a RowKernel."""

    cdef Rows rows
    cdef list codes, stages
    cdef dict variables  # of the values of rows, by array

    def __cinit__(self, Step step):
        self.rows, self.codes, self.stages, self.variables = step, [], [], {}

    cdef str load(self, Value value):
        if value.array.index in self.variables:
            return self.variables[value.array.index]
        axes = self.rows.axes_of(value.view, self.step.shape)
        key = value.array.index, value.view[0], axes
        if key not in self.arrays:
            self.arrays[key] = f"x{len(self.operands)}"
            self.operands.append(Operand(value.array, (value.view[0], self.rows.shape, axes)))
            self.codes.append(value.code)
        return self.arrays[key]

    cdef int add(self, Step step) except -1:
        """Add the stage of a step."""
        cdef Target target = step.targets[0]
        cdef bint is_row = step.reduction is not None or step.shape != self.rows.shape
        self.step, self.names, self.lines = step, {}, []
        names = [self.name((<Target>one).value) for one in step.targets]
        variable = f"r{len(self.variables)}" if is_row else None
        function, keywords = step.reduction or (None, None)
        kind = "elements" if not is_row else "row" if step.reduction is None else "reduction"
        self.stages.append((kind, set(self.names.values()), self.lines, names, step.targets, variable,
                            DTYPES[target.value.code], DTYPES[target.array.code],
                            None if function is None else function.__name__, keywords))
        if is_row:
            self.variables[target.array.index] = variable
        return 0


cdef bint reduces_rows(Step step):
    """Return True if a step reduces the last axis by a rule of RowKernel."""
    cdef Target target = step.targets[0]
    function, keywords = step.reduction
    axes = tuple(range(len(step.shape))) if keywords["axis"] is None else keywords["axis"]
    return (len(step.shape) > 0 and axes == (len(step.shape) - 1,) and 0 not in step.shape
            and can_reduce(function.__name__, DTYPES[target.value.code], DTYPES[target.array.code]))


cdef bint takes_numbers(Step step):
    """Return True if RowKernel takes the types of all numbers."""
    return all([name.rpartition("_")[2] in NUMBERS for target in step.targets
                for name in (<Target>target).value.numbers])


cdef list with_rows(list steps):
    """Return steps in which Rows replace reductions and the steps after them, where possible."""
    cdef list found = [], waiting = list(steps)
    cdef Step step
    cdef Rows rows
    while waiting:
        step = waiting.pop(0)
        if step.reduction is not None and reduces_rows(step):
            rows = Rows.__new__(Rows)
            rows.shape, rows.steps = step.shape, []
            if rows.take(step):
                while waiting and ((<Step>waiting[0]).is_new or rows.take(waiting[0])):
                    if (<Step>waiting[0]).is_new:
                        found.append(waiting[0])
                    del waiting[0]
                step = rows if rows.is_useful() else step
        found.append(step)
    return found


cdef class Sequence(Step):
    """Kernels of few elements as one kernel, whose single work-group runs them in turn.

    For CPUs, where the launch of a kernel takes longer than few elements.
    """

    cdef list steps
    cdef list made         # the arrays that the steps make
    cdef SequenceText text
    cdef dict launches     # kernels and their layouts, by the strides of the arrays and the queue

    cdef int prepare(self, Plan plan) except -1:
        cdef Step step
        cdef Target target
        self.targets, self.made, self.launches = [], [], {}
        self.text = SequenceText(self)
        for step in self.steps:
            for target in step.targets:
                self.targets.append(target)
                if step.is_new or target.is_new:
                    self.made.append(target.array)
            self.text.add(step)
        self.operands, self.name = self.text.operands, f"{plan.name}_in_turn"
        scalars = sorted({name for target in self.targets for name in target.value.numbers})
        self.numbers = [plan.trace.scalars[name][0] for name in scalars]
        self.inputs = "".join([f", {NUMBERS[DTYPES[plan.trace.scalars[name][1]].name]} {name}"
                               for name in scalars])
        return 0

    cdef int run(self, Plan plan, list arrays, list numbers, list outs,
                 SyclQueue queue) except -1:
        cdef Array array
        cdef Operand one
        for array in self.made:
            arrays[array.index] = plan.empty(array.shape, array.code, arrays, queue)
        given = [arrays[one.index] for one in self.operands]
        strides = tuple([x.strides for x in given])
        key = strides, queue
        launch = self.launches.get(key)
        if launch is None:
            if len(self.launches) >= MAX_LAUNCHES:
                self.launches.clear()
            launch = self.launches[key] = self.launch(plan, strides, queue)
        kernel, layout = launch
        kernel(SEQUENCE_ITEMS, SEQUENCE_ITEMS,
               (layout, *given, *[numbers[k] for k in self.numbers]))
        return 0

    cdef tuple launch(self, Plan plan, tuple strides, SyclQueue queue):
        """Return the kernel for the strides of the arrays, and its layout."""
        source = self.text.source(strides, f"{plan.headers}USMTENSOR_KERNEL({self.name}",
                                  self.inputs)
        if source not in plan.kernels:
            plan.kernels.setdefault(source, RawKernel(source, self.name, traced=True))
        layout = self.text.layout(strides)
        return plan.kernels[source], usm.asarray(layout, dtype="int64", sycl_queue=queue)


cdef class SequenceText(Text):
    """The statements of a Sequence. Its layout has the extents of each step, and the start and the
    strides of each view."""

    cdef list views    # of each step: pairs of an operand's number and a view
    cdef list shapes   # of each step
    cdef list bodies   # of each step: the statements for an element
    cdef list codes    # of the operands
    cdef set written   # operands

    def __cinit__(self, Step step):
        self.views, self.shapes, self.bodies, self.codes, self.written = [], [], [], [], set()

    cdef int add(self, Step step) except -1:
        """Add the statements of a step."""
        cdef Target target
        if step.is_new and step.fill is None:
            return 0
        self.step, self.names, self.lines = step, {}, []
        self.views.append([])
        self.shapes.append(step.shape)
        self.bodies.append(self.lines)
        values = [literal(step.fill, target.array.code, "fill") if step.is_new else
                  self.name(target.value) for target in step.targets]
        for target, value in zip(step.targets, values):
            self.lines.append(f"{self.address(target.array, target.view)} = {value};")
            self.written.add(self.arrays[target.array.index])
        return 0

    cdef str load(self, Value value):
        name = f"x{len(self.lines)}"
        at = self.address(value.array, value.view)
        self.lines.append(f"const {cpp_type(value.code)} {name} = {at};")
        return name

    cdef str address(self, Array array, tuple view):
        """Return the C++ expression for the element of a view."""
        cdef list views = self.views[-1]
        if array.index not in self.arrays:
            self.arrays[array.index] = len(self.operands)
            self.operands.append(Operand(array, whole_view(array.shape)))
            self.codes.append(array.code)
        views.append((self.arrays[array.index], view))
        return f"v{len(views) - 1}[at{len(views) - 1}]"

    cdef list layout(self, tuple strides):
        """Return the layout for the strides of the operands."""
        cdef list found = []
        for shape, views in zip(self.shapes, self.views):
            found += shape
            for k, view in views:
                found.append(sum([start * n for start, n in zip(view[0], strides[k])]))
                found += view_strides(view, strides[k], len(shape))
        return found

    cdef str source(self, tuple strides, str declaration, str numbers):
        """Return the source of the kernel for the strides of the operands."""
        cdef int at = 0, rank
        arrays = [f", {'' if k in self.written else 'const '}usmtensor::{cpp_type(code)} *b{k}"
                  for k, code in enumerate(self.codes)]
        lines = ['#include "kernels/local.hpp"',
                 f"{declaration}, const long *layout{''.join(arrays)}{numbers}) {{",
                 "const usmtensor::int64 lane = usmtensor::work_item().get_local_id(0);"]
        for shape, views, body in zip(self.shapes, self.views, self.bodies):
            rank = len(shape)
            lines.append("{")
            lines += [f"for (long k{axis} = 0; k{axis} < layout[{at + axis}]; ++k{axis}) {{"
                      for axis in range(rank - 1)]
            count = f"layout[{at + rank - 1}]" if rank else "1"
            at += rank
            indices = []
            for j, (k, view) in enumerate(views):
                offset = "".join([f" + k{axis} * layout[{at + 1 + axis}]"
                                  for axis in range(rank - 1)])
                lines.append(f"auto *const v{j} = b{k} + (layout[{at}]{offset});")
                step = view_strides(view, strides[k], rank)[-1] if rank else 0
                index = "0" if step == 0 else "k" if step == 1 else f"k * layout[{at + rank}]"
                indices.append(f"const long at{j} = {index};")
                at += 1 + rank
            lines += [f"for (long k = lane, n = {count}; k < n; k += {SEQUENCE_ITEMS}) {{",
                      *indices, *body, "}" * max(rank, 1) + "}", "usmtensor::group_barrier();"]
        return "\n".join(lines + ["}", ""])


cdef list view_strides(tuple view, tuple strides, int rank):
    """Return the strides of a view, with `rank` axes, of an array with some strides."""
    axes = (NO_AXIS,) * (rank - len(view[2])) + view[2]
    return [strides[axis] * step if axis >= 0 else 0 for axis, step in axes]


cdef list with_sequences(list steps, SyclQueue queue):
    """Return steps in which Sequences replace neighbouring kernels of few elements."""
    cdef list found = [], waiting = list(steps)
    cdef Sequence sequence
    cdef Step step
    cdef int count, units = queue.ref.get().compute_units
    # Launches partly overlap with the kernels before them.
    cdef double time, saved = queue.ref.get().launch_time / 2., part = (units - 1) / <double>units
    while waiting:
        sequence = Sequence.__new__(Sequence)
        sequence.steps, time, count = [], 0, 0
        for step in waiting:
            if step.reduction is not None or isinstance(step, Columns) or not takes_numbers(step):
                break
            time += <double>OPERATION_TIME * math.prod(step.shape) * (
                1 if step.is_new else len(step.targets) + statements(step.targets))
            if count and time * part > count * saved:  # fewer launches, but on one compute unit
                break
            count += not step.is_new
            sequence.steps.append(step)
        if count > 1:
            found.append(sequence)
            del waiting[:len(sequence.steps)]
        else:
            found.append(waiting.pop(0))
    return found


cdef bint is_strided(Array array, tuple view):
    """Return True if the last axis of a view is strided in a C-contiguous array."""
    return len(view[2]) > 0 and -1 < view[2][-1][0] < len(array.shape) - 1


cdef Columns with_columns(Step first, Step second):
    """Return two consecutive steps as one Columns kernel, or None if it is impossible or slower."""
    cdef Columns both
    cdef Step left, right
    cdef Target target, later
    cdef Value load
    cdef dict axes = {}
    if first.shape != second.shape or not first.shape or first.reduction is not None \
            or second.reduction is not None or first.is_new or second.is_new:
        return None
    targets = first.targets + second.targets
    loads = {load for target in targets for load in target.value.loads}
    if any([target.is_new or not is_strided(target.array, target.view)
            and len(target.array.shape) > len(first.shape) for target in targets]) or not any(
            [is_strided(target.array, target.view) for target in targets]):
        return None
    # If a step writes to an array, only one work-item may use each element of the array.
    written = {target.array.index for target in targets}
    for array, view in [(target.array, target.view) for target in targets] + [
            (load.array, load.view) for load in loads]:
        axes.setdefault((<Array>array).index, set()).add(view[2])
    if any([len(axes[k]) > 1 for k in written]) \
            or sum([len(one) for one in axes.values()]) >= MAX_ARRAYS:
        return None
    for left, right in ((first, second), (second, first)):
        for target in left.targets:
            for later in right.targets:
                if not target.is_disjoint(later.array, later.view) and later.view != target.view:
                    return None
                for load in later.value.loads:
                    if not target.is_disjoint(load.array, load.view) and (
                            load.view != target.view or DTYPES[load.code].kind == "i"):
                        return None
    if statements(targets) > MAX_STATEMENTS:
        return None
    both = Columns.__new__(Columns)
    both.targets, both.shape = targets, first.shape
    return both


cdef int statements(list targets) except -1:
    """Return the number of operations in the values of targets."""
    cdef Value value
    cdef list waiting = [(<Target>target).value for target in targets]
    cdef set found = set()
    while waiting:
        value = waiting.pop()
        if value not in found and value.array is None:
            found.add(value)
            waiting.extend(value.operands.values())
    return len(found)


# Plans


cdef class Planner:
    """Makes the steps of a trace in order."""

    cdef Trace trace
    cdef list steps
    cdef dict values     # by node
    cdef list last_uses  # the last event that needs each node
    cdef list lasting    # nodes that later events need
    cdef set reduced     # nodes that only reductions need
    cdef set existing    # arrays
    cdef set temporaries
    cdef set results     # arrays that no step reads or changes after they are set
    cdef dict aliases    # temporaries by the arrays that would be copies of them
    cdef bint is_cpu

    def __cinit__(self, Trace trace, set results):
        self.is_cpu = is_like_cpu(dereference(trace.queue.ref.get()))
        self.trace, self.steps, self.values, self.existing = trace, [], {}, set()
        self.results = results
        self.last_uses = [-1] * len(trace.nodes)
        self.reduced, self.temporaries, self.aliases = set(), set(), {}

    cdef int find_uses(self) except -1:
        cdef Event event
        cdef Node node
        cdef int k, number
        others = set()
        for k, event in enumerate(self.trace.events):
            self.last_uses[event.node] = k
            (others if event.reduction is None else self.reduced).add(event.node)
        for number in range(len(self.trace.nodes) - 1, -1, -1):
            node = self.trace.nodes[number]
            if self.last_uses[number] >= 0:
                for operand in node.operands:
                    self.last_uses[operand] = max(self.last_uses[operand], node.time)
                    others.add(operand)
        self.reduced -= others
        self.lasting = [number for number, last in enumerate(self.last_uses)
                        if last > (<Node>self.trace.nodes[number]).time]
        return 0

    cdef Value value(self, int number):
        """Return a node as a step computes it."""
        cdef Node node
        cdef Value value, operand
        cdef int k
        if number not in self.values:
            node = self.trace.nodes[number]
            if node.array is not None:
                self.require(node.array)
                value = new_value(node.array, node.view, node.version, node.inputs)
            else:
                for k in node.operands:
                    operand = self.value(k)
                    # A value that broadcasts would be computed again for each element.
                    if operand.is_costly and 2 * math.prod(operand.shape) <= math.prod(node.shape):
                        self.values[k] = self.store(operand)
                value = new_expression(node.text, node.code, node.shape,
                                       {k: self.values[k] for k in node.operands}, node.inputs)
            self.values[number] = value
        return self.values[number]

    cdef Value store(self, Value value):
        """Store a value in a new array, and return the value of this array."""
        cdef Array array
        array = self.trace.new_array(value.code, value.shape)
        self.add(array, whole_view(value.shape), value, 1)
        self.temporaries.add(array.index)
        return new_value(array, whole_view(value.shape), 1, value.inputs)

    cdef int add(self, Array array, tuple view, Value value, int version, object reduction=None,
                 object fill=None) except -1:
        """Add a step that writes a value to a view of an array."""
        cdef Step step = Step.__new__(Step), earlier, both
        cdef Value load
        cdef Target target = Target.__new__(Target)
        cdef int k
        target.array, target.view, target.version, target.value = array, view, version, value
        target.fill = fill
        step.targets, step.reduction = [target], reduction
        step.shape = value.shape if reduction is not None else view[1]
        while not step.fits_parameter_limit():
            target.value = value = self.split(value)
        if any([not target.is_disjoint(load.array, load.view) and load.view != view
                for load in value.loads]):
            # The step would read elements that it has already overwritten.
            target.value = value = self.store(value)
        target.is_new = array.argument < 0 and array.index not in self.existing
        self.existing.add(array.index)
        for k in range(len(self.steps) - 1, -1, -1):
            earlier = self.steps[k]
            both = earlier.join(step)
            if both is not None:
                self.steps[k] = both
                return 0
            if earlier.precedes(step):
                break
        self.steps.append(step)
        return 0

    cdef Value split(self, Value value):
        """Return a value with fewer parameters, after storing a part of it.

        The part is the one with the most parameters for which a kernel exists.
        """
        cdef Value one, best = None
        cdef list waiting = [value]
        cdef set seen = set()
        cdef int most = 1, parameters
        while waiting:
            one = waiting.pop()
            for part in one.operands.values():
                if part in seen or (<Value>part).array is not None:
                    continue
                seen.add(part)
                waiting.append(part)
                parameters = len((<Value>part).loads) + len((<Value>part).numbers)
                if (parameters > most and len((<Value>part).loads) < MAX_ARRAYS - 1
                        and parameters < MAX_PARAMETERS - 4):
                    most, best = parameters, part
        if best is None:
            raise TypeError("an operation has too many operands")
        return replace_value(value, best, self.store(best), {})

    cdef int add_event(self, Event event, int k) except -1:
        cdef Value value
        if event.reduction is None:
            self.save_before(event, k)
        if event.view == whole_view(event.array.shape) and event.array.index not in self.existing \
                and event.array.argument < 0:
            if event.fill is not None:
                return self.create(event.array, event.fill)
        else:
            self.require(event.array)
        value = self.value(event.node)
        # A GPU computes a value again in the time in which it would read it.
        if event.reduction is not None and value.array is None and self.is_cpu \
                and event.node not in self.reduced and self.last_uses[event.node] > k:
            value = self.values[event.node] = self.store(value)
        if event.reduction is None and event.array.index in self.results \
                and value.array is not None \
                and value.array.index in self.temporaries and value.view == event.view \
                and value.array.index not in self.aliases.values():
            self.aliases[event.array.index] = value.array.index
            return 0
        return self.add(event.array, event.view, value, event.version, event.reduction, event.fill)

    cdef int require(self, Array array) except -1:
        """Make an array whose elements are not set."""
        if array.argument < 0 and array.index not in self.existing:
            self.create(array, None)
        return 0

    cdef int create(self, Array array, object fill) except -1:
        """Add a step that makes an array."""
        cdef Step step = Step.__new__(Step)
        cdef Target target = Target.__new__(Target)
        target.array, target.view, target.version = array, whole_view(array.shape), 0
        target.value = Value.__new__(Value)
        target.value.loads = target.value.numbers = frozenset()
        step.targets, step.shape, step.fill, step.is_new = [target], array.shape, fill, True
        self.existing.add(array.index)
        self.steps.append(step)
        return 0

    cdef int save_before(self, Event event, int k) except -1:
        """Store the values of earlier nodes that later events need and an event would change."""
        cdef Node node, load
        cdef int number
        for number in self.lasting:
            node = self.trace.nodes[number]
            if node.time > k or self.last_uses[number] <= k:
                continue
            for one in node.loads:
                load = self.trace.nodes[one]
                if load.array is event.array and load.version < event.version \
                        and not are_disjoint(load.view, event.view):
                    self.values[number] = self.store(self.value(number))
                    break
        return 0


cdef Value replace_value(Value value, Value part, Value by, dict known):
    """Return a value with a part of it replaced."""
    if value is part:
        return by
    if value.array is not None or not (part.loads <= value.loads and part.numbers <= value.numbers):
        return value
    if value not in known:
        operands = {k: replace_value(one, part, by, known) for k, one in value.operands.items()}
        known[value] = new_expression(value.text, value.code, value.shape, operands, value.inputs)
    return known[value]


cdef Plan new_plan(Trace trace, list results, str name, dict kernels):
    """Return the steps of a trace and the locations of its results."""
    cdef Plan plan = Plan.__new__(Plan)
    cdef Planner planner
    cdef Traced result
    cdef Array array
    cdef Event event
    cdef Step step
    cdef Operand found
    cdef list arrays = []
    cdef set only_results = set()
    for result in results:
        array, view = result.array, result.view
        if array.value >= 0:
            node = trace.node(result)
            array, view = trace.new_array(array.code, view[1]), whole_view(view[1])
            trace.write(array, view, node)
            only_results.add(array.index)
        arrays.append((array, view))
    planner = Planner(trace, only_results)
    planner.find_uses()
    for k, event in enumerate(trace.events):
        planner.add_event(event, k)
    for array, _ in arrays:
        if array.index not in planner.aliases:
            planner.require(array)
    plan.name, plan.trace, plan.kernels = name, trace, kernels
    plan.headers = "".join([f'#include "kernels/{one}.hpp"\n' for one in sorted(trace.families)])
    plan.headers += "using namespace usmtensor;\n"
    plan.steps, plan.results, plan.shapes = [], [], []
    for step in planner.steps:
        # Only CPUs gain from this; an NVIDIA GPU ran some of these kernels without effect.
        joined = with_columns(plan.steps[-1], step) if plan.steps and planner.is_cpu else None
        if joined is None:
            plan.steps.append(step)
        else:
            plan.steps[-1] = joined
    if planner.is_cpu:
        plan.steps = with_sequences(plan.steps, trace.queue)
    else:
        plan.steps = with_rows(plan.steps)
    trace.by_shape |= any([(<Step>one).by_shape or isinstance(one, (Rows, Sequence))
                           for one in plan.steps])
    reductions = {event.array.index for event in trace.events if event.reduction is not None}
    inputs = {event.array.index: (<Node>trace.nodes[event.node]).inputs for event in trace.events}
    for array, view in arrays:
        found = Operand(array, view)
        plan.shapes.append(view[1] if trace.by_shape else None if array.index in reductions else
                           [(<Array>trace.arrays[k]).argument
                            for k in inputs.get(array.index, (array.index,))])
        found.index = planner.aliases.get(found.index, found.index)
        plan.results.append(found)
    plan.written = sorted({event.array.argument for event in trace.events
                           if event.array.argument >= 0})
    for step in plan.steps:
        step.prepare(plan)
    plan.find_dead()
    for step in plan.steps:
        if isinstance(step, Rows):
            (<Rows>step).write(plan)
    step = plan.steps[0] if len(plan.steps) == 1 else None
    plan.is_kernel = (step is not None and not isinstance(step, (Rows, Sequence))
                      and step.reduction is None and not step.is_new
                      and all([(<Target>one).is_new for one in step.targets])
                      and [(<Target>one).array.index for one in step.targets]
                      == [(<Operand>one).index for one in plan.results])
    for step in plan.steps:  # kept plans should not keep the trace
        for one in step.targets:
            (<Target>one).value = None
    trace.nodes, trace.events, trace.known, trace.fills = [], [], {}, {}
    return plan


cdef class Plan:
    cdef bint is_simple(self):
        """Return True if the plan is one kernel of all elements of arguments, with one result."""
        return (self.is_kernel and len(self.results) == 1 and not self.trace.by_shape
                and not self.trace.numbers and (<Step>self.steps[0]).is_computed)

    cdef object kernel(self, str inputs, str outputs, list lines):
        """Return a kernel of some statements."""
        key = inputs, outputs, "\n".join(lines), self.headers
        if key not in self.kernels:
            kernel = ElementwiseKernel(*key[:3], self.name, self.headers)
            kernel._traced = True
            self.kernels.setdefault(key, kernel)
        return self.kernels[key]

    cdef int result_code(self, int k):
        """Return the type of a result."""
        return (<Array>self.trace.arrays[(<Operand>self.results[k]).index]).code

    cdef int check(self, list numbers) except -1:
        """Raise an OverflowError if a number is out of range of its type."""
        for k, code in self.trace.scalars.values():
            literal(numbers[k], code, self.name)
        return 0

    cdef object run_simple(self, tuple args, object out):
        """Run the only kernel for arrays, and return its result."""
        cdef Step step = self.steps[0]
        cdef Operand one
        if step.order is None:
            step.order = tuple([(<Array>self.trace.arrays[one.index]).argument
                                for one in step.operands])
        if step.order != tuple(range(len(args))):
            args = tuple([args[k] for k in step.order])
        return step.kernel(*args) if out is None else step.kernel(*args, out)

    cdef int find_dead(self) except -1:
        """Find the step after which no step and no result needs an array."""
        cdef Array array
        cdef Step step
        cdef set needed = {(<Operand>one).index for one in self.results}
        needed.update([array.index for array in self.trace.arrays if array.argument >= 0])
        for step in reversed(self.steps):
            used = {(<Operand>one).index for one in step.operands}
            used.update([(<Target>one).array.index for one in step.targets])
            step.dead = list(used - needed)
            needed |= used
        return 0

    cdef object empty(self, tuple shape, int code, list arrays, SyclQueue queue):
        """Return a new array whose elements are not set."""
        given = [x for x in arrays if isinstance(x, usm_ndarray)]
        return usm.empty(shape, dtype=DTYPES[code], usm_type=kind_name(common_kind(given)),
                         sycl_queue=queue)

    cdef list run(self, list operands, list numbers, list outs, SyclQueue queue):
        """Run the steps, and return the results in new arrays or in the given ones."""
        cdef Array array
        cdef Operand one
        cdef Step step
        cdef list arrays = [None if array.argument < 0 else operands[array.argument]
                            for array in self.trace.arrays]
        if self.trace.by_shape:
            arrays = [x if x is None or isinstance(x, usm_ndarray) else
                      usm.asarray(x, sycl_queue=queue) for x in arrays]
        for step in self.steps:
            step.run(self, arrays, numbers, outs, queue)
            for k in step.dead:
                arrays[k] = None
        return [arrays[one.index] if one.view is None else one.of(arrays)
                for one in self.results]
