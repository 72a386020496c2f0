"""Steps of a fused function that are one kernel in place of several."""

from usmtensor._core.tracing cimport Array, NO_AXIS, literal, whole_view
from usmtensor._kernels.steps cimport (
    MAX_STATEMENTS, Operand, Plan, Step, Target, Text, Value, statements,
)
from usmtensor._runtime.dtypes cimport DTYPES, cpp_type
from usmtensor._runtime.queue cimport SyclQueue

import math

import usmtensor._functions as usm
from usmtensor._kernels.fused_reductions import MAX_UNROLLED, strides_in
from usmtensor._kernels.row_kernel import (
    MAX_LAUNCHES, NUMBERS, RowKernel, Stage, can_reduce, fits_registers,
)
from usmtensor._kernels.source import MAX_ARRAYS
from usmtensor._kernels.user_kernels import RawKernel

OPERATION_TIME = 0.05  # nanoseconds of one operation on one compute unit, in vectors

cdef enum:
    SEQUENCE_ITEMS = 16  # work-items of the work-group that runs a Sequence: a vector


cdef class AddressText(Text):
    """The statements of a kernel that computes the addresses of elements."""

    cdef str load(self, Value value):
        name = f"x{len(self.lines)}"
        at = self.address(value.array, value.view)
        self.lines.append(f"const {cpp_type(value.code)} {name} = {at};")
        return name

    cdef str address(self, Array array, tuple view):
        """Return the C++ expression for the element of a view."""
        raise NotImplementedError


# Columns


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
            if len(self.layouts) >= MAX_LAUNCHES:
                self.layouts.clear()
            known = self.layouts[key] = usm.asarray(layout, dtype="int64", sycl_queue=queue)
        ins = [x for x, written in zip(views, self.written) if not written]
        made = [x for x, written in zip(views, self.written) if written]
        self.kernel(*ins, known, *[numbers[k] for k in self.numbers], *made, size=self.shape)
        return 0


cdef class ColumnsText(AddressText):
    """The statements of a Columns kernel."""

    cdef dict groups  # number and first start of the views of an array along the same axes

    def __cinit__(self, Step step):
        self.groups = {}

    cdef str address(self, Array array, tuple view):
        key = array.index, view[2]
        if key not in self.groups:
            self.groups[key] = len(self.operands), view[0]
            self.operands.append(Operand(array, view))
        k, first = self.groups[key]
        parts = [f"{start - begin} * g{k}_{axis}"
                 for axis, (start, begin) in enumerate(zip(view[0], first)) if start != begin]
        return f"p{k}[{' + '.join(parts) or '0'}]"


cdef bint is_strided(Array array, tuple view):
    """Return True if the last axis of a view is strided in a C-contiguous array."""
    return len(view[2]) > 0 and -1 < view[2][-1][0] < len(array.shape) - 1


cdef Step with_columns(Step first, Step second):
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


# Rows


cdef class Rows(Step):
    """Reductions of rows, and kernels that use their results in the same rows, as one kernel.

    The rows are along the last axis of `shape`. A team of work-items reads each row once. For
    devices other than CPUs.
    """

    cdef list steps
    cdef object program  # RowKernel
    cdef list stored     # the targets that later steps or results need

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
        # A variable holds the value of a row, so all rows are read or written in order.
        for array, view in [(load.array, load.view) for load in loads] + [
                (target.array, target.view) for target in step.targets]:
            if self.is_result(array):
                if any(view[0]) or self.axes_of(view, shape) != own + (NO_AXIS,):
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

    cdef int complete(self, Plan plan) except -1:
        """Write the kernel, given the arrays that no later step needs."""
        cdef Target target
        cdef RowsText text = self.text()
        self.stored = [target for target in self.targets if target.array.index not in self.dead]
        names = {target: k for k, target in enumerate(self.stored)}
        stages = [Stage(kind, used, lines, found, [names.get(one) for one in targets], *others)
                  for kind, used, lines, found, targets, *others in text.stages]
        scalars = sorted({name for target in self.targets
                          for name in (<Target>target).value.numbers})
        self.numbers = [plan.trace.scalars[name][0] for name in scalars]
        self.outputs = []
        for target in self.stored:
            shape = target.view[1]
            axes = self.axes_of(target.view, shape)
            self.outputs.append(Operand(target.array, (target.view[0], self.shape, axes)))
        self.program = RowKernel(
            f"{plan.name}_rows", self.shape,
            [(DTYPES[code], f"x{k}", is_row) for k, (code, is_row) in enumerate(text.kinds)],
            [(DTYPES[plan.trace.scalars[name][1]], name) for name in scalars],
            [(DTYPES[target.array.code], f"y{k}") for k, target in enumerate(self.stored)],
            stages, plan.headers)
        return 0

    cdef int run(self, Plan plan, list arrays, list numbers, list outs,
                 SyclQueue queue) except -1:
        cdef Target target
        if not self.stored:
            return 0
        views = [(<Operand>one).of(arrays) for one in self.operands]
        for target in self.stored:
            if target.is_new:
                arrays[target.array.index] = plan.array_for(target.array, target.array.shape,
                                                            arrays, queue)
        self.program(plan.kernels, views, [numbers[k] for k in self.numbers],
                     [(<Operand>one).of(arrays) for one in self.outputs])
        return 0


cdef class RowsText(Text):
    """The statements of the stages of a RowKernel."""

    cdef Rows rows
    cdef list kinds      # of the operands: their type, and True for one value in a row
    cdef list stages
    cdef dict variables  # of the values of rows, by array

    def __cinit__(self, Step step):
        self.rows, self.kinds, self.stages, self.variables = step, [], [], {}

    cdef str load(self, Value value):
        if value.array.index in self.variables:
            return self.variables[value.array.index]
        axes = self.rows.axes_of(value.view, self.step.shape)
        key = value.array.index, value.view[0], axes
        if key not in self.arrays:
            self.arrays[key] = f"x{len(self.operands)}"
            self.operands.append(Operand(value.array, (value.view[0], self.rows.shape, axes)))
            self.kinds.append((value.code, axes[-1] == NO_AXIS))
        return self.arrays[key]

    cdef int add(self, Step step) except -1:
        """Add the stage of a step."""
        cdef Target target = step.targets[0]
        cdef bint is_row = step.reduction is not None or step.shape != self.rows.shape
        self.step, self.names, self.lines = step, {}, []
        names = [self.name((<Target>one).value) for one in step.targets]
        variable = f"r{len(self.stages)}" if is_row else None
        function, keywords = step.reduction or (None, None)
        kind = "elements" if not is_row else "row" if step.reduction is None else "reduction"
        self.stages.append((kind, set(self.names.values()), self.lines, names, step.targets,
                            variable, DTYPES[target.value.code], DTYPES[target.array.code],
                            None if function is None else function.__name__, keywords))
        if is_row and (target.is_new or target.array.index in self.variables):
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
    """Return True if a raw kernel can have the numbers of a step as parameters."""
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
            rows.shape, rows.steps, rows.by_shape, rows.is_joined = step.shape, [], True, True
            if rows.take(step):
                while waiting and ((<Step>waiting[0]).is_new or rows.take(waiting[0])):
                    if (<Step>waiting[0]).is_new:
                        found.append(waiting[0])
                    del waiting[0]
                step = rows if rows.is_useful() else step
        found.append(step)
    return found


# Sequences


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
            arrays[array.index] = plan.array_for(array, array.shape, arrays, queue)
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
            plan.kernels.setdefault(source, RawKernel(source, self.name, _traced=True))
        layout = self.text.layout(strides)
        return plan.kernels[source], usm.asarray(layout, dtype="int64", sycl_queue=queue)


cdef class SequenceText(AddressText):
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

    cdef str address(self, Array array, tuple view):
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
    cdef int count, total, units = queue.ref.get().compute_units
    # Launches partly overlap with the kernels before them.
    cdef double time, saved = queue.ref.get().launch_time / 2., part = (units - 1) / <double>units
    while waiting:
        sequence = Sequence.__new__(Sequence)
        sequence.steps, sequence.by_shape, sequence.is_joined = [], True, True
        time, count, total = 0, 0, 0
        for step in waiting:
            if step.reduction is not None or isinstance(step, Columns) or not takes_numbers(step):
                break
            operations = 1 if step.is_new else len(step.targets) + statements(step.targets)
            time += <double>OPERATION_TIME * math.prod(step.shape) * operations
            total += operations
            # Fewer launches, but on one compute unit.
            if count and (time * part > count * saved or total > MAX_STATEMENTS):
                break
            count += not step.is_new
            sequence.steps.append(step)
        if count > 1:
            found.append(sequence)
            del waiting[:len(sequence.steps)]
        else:
            found.append(waiting.pop(0))
    return found
