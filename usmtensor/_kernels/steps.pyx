"""The steps of a fused function: kernels, reductions, and the plan that runs them."""

from cython.operator cimport dereference
from libc.stdint cimport int64_t, uint64_t
from usmtensor._core.array cimport C_CONTIGUOUS, WRITABLE, finish, same_shape, usm_ndarray
from usmtensor._core.operands cimport broadcast_shape, common_kind
from usmtensor._core.tracing cimport Array, are_disjoint, whole_view
from usmtensor._core.views cimport same_memory
from usmtensor._native.libtensor cimport is_like_cpu
from usmtensor._runtime.arguments cimport kind_name
from usmtensor._runtime.dtypes cimport DTYPES, cpp_type, from_python, itemsizes
from usmtensor._runtime.queue cimport SyclQueue

import math
import re

import usmtensor._functions as usm
from usmtensor._functions.elementwise import divide
from usmtensor._kernels.fused_reductions import (
    MIN_ELEMENTS, MIN_ROW, RowReduction, reduction_kernel,
)
from usmtensor._kernels.source import MAX_ARRAYS, MAX_PARAMETERS, has_calls
from usmtensor._kernels.user_kernels import ElementwiseKernel

cdef object NODE = re.compile(r"\bt(\d+)\b"), NUMBER = re.compile(r"\bs\d+_\w+\b")


# Values and their targets


cdef class Value:
    """A node as a step computes it. Results that earlier steps have stored are read."""
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


cdef class Target:
    """A view of an array that receives a value."""

    cdef bint is_disjoint(self, Array array, tuple view):
        return array is not self.array or are_disjoint(view, self.view)

    cdef bint matches(self, Value load):
        """Return True if a load reads exactly the value of this target."""
        return (load.array is self.array and load.view == self.view
                and load.version >= self.version)


cdef list without_target(list targets, Target dropped, int version):
    """Return the other targets. They compute the value of the dropped one instead of reading it.

    A later write to the same view has the version, which is -1 without such a write. Returns None
    if the value must be read.
    """
    cdef Target one, other
    cdef Value load, value
    cdef dict known = {}  # for each load
    cdef list found = []
    for one in targets:
        if one is dropped:
            continue
        value = one.value
        for load in one.value.loads:
            if dropped.matches(load) and (version < 0 or load.version < version):
                if DTYPES[load.code].kind == "i":  # integers are read from memory: Trace.operand
                    return None
                value = replace_value(value, load, dropped.value, known.setdefault(load, {}))
        other = Target.__new__(Target)
        other.array, other.view, other.version, other.fill = (one.array, one.view, one.version,
                                                              one.fill)
        other.value = value
        other.is_new = one.is_new or (dropped.is_new and one.array is dropped.array)
        found.append(other)
    return found


cdef class Operand:
    """A view of an array at a call."""

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

    cdef list loads(self):
        """Return the array values that the step reads."""
        cdef Target target
        found = {load for target in self.targets for load in target.value.loads}
        return [load for load in found
                if not any([target.matches(load) for target in self.targets])]

    cdef set arrays_read(self):
        cdef Target target
        cdef Value load
        return {load.array for target in self.targets for load in target.value.loads}

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
        cdef list first = self.targets, second = other.targets
        if (self.shape != other.shape or self.reduction is not None or other.reduction is not None
                or self.is_new or other.is_new):
            return None
        # A later value takes the place of an earlier one in the same view.
        for later in other.targets:
            for target in first:
                if (<Target>later).array is target.array and (<Target>later).view == target.view:
                    version = (<Target>later).version
                    second = without_target(second, target, version)
                    first = without_target(first, target, version)
                    if first is None or second is None:
                        return None
                    break
        both.targets, both.shape = first + second, self.shape
        both.by_shape = self.by_shape or other.by_shape or \
            (<Target>self.targets[0]).value.inputs != (<Target>other.targets[0]).value.inputs
        for target in first:
            for later in second:
                if not target.is_disjoint((<Target>later).array, (<Target>later).view):
                    return None
                for load in (<Target>later).value.loads:
                    # Integers are read from memory: see Trace.operand.
                    if not target.is_disjoint(load.array, load.view) and not (
                            target.matches(load) and DTYPES[load.code].kind != "i"):
                        return None
        if len(both.targets) < len(self.targets) + len(other.targets) \
                and statements(both.targets) > MAX_STATEMENTS:
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

    cdef int complete(self, Plan plan) except -1:
        """Write what depends on the arrays that no later step needs."""
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
            found = plan.array_for(target.array, self.shape, arrays, queue)
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
            made = outs or [plan.array_for(target.array, shape, arrays, queue)
                            if target.is_new else (<Operand>self.outputs[0]).of(arrays)]
            made[0][...] = given[0] if given else target.fill
            if target.is_new:
                arrays[target.array.index] = made[0]
            return 0
        if outs:
            made = outs
        elif self.operands and all([target.is_new and arrays[target.array.index] is None
                                    for target in self.targets]):
            made = []
        else:
            made = [plan.array_for(target.array, self.shape, arrays, queue) if target.is_new
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
        if isinstance(axes, int):  # argmax and argmin
            return None
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


# The text of a kernel


cdef tuple padded_key(Value load, int rank):
    """Return a key for a load in a kernel of `rank` axes."""
    return load.array.index, load.view[0], ((-1, 0),) * (rank - len(load.view[2])) + load.view[2]


cdef class Text:
    """The statements of a kernel."""

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
        cdef uint64_t[2] element
        for k, code in self.trace.scalars.values():
            from_python(numbers[k], code, <char *>element, self.name)
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

    cdef object array_for(self, Array array, tuple shape, list arrays, SyclQueue queue):
        """Return the array that is given for a result, or a new one."""
        given = arrays[array.index]
        return self.empty(shape, array.code, arrays, queue) if given is None else given

    cdef list run(self, list operands, list numbers, list outs, SyclQueue queue):
        """Run the steps, and return the results.

        They are in `outs`, or in new arrays if `outs` is empty or they are reductions.
        """
        cdef Array array
        cdef Operand one
        cdef Step step
        cdef list arrays = [None if array.argument < 0 else operands[array.argument]
                            for array in self.trace.arrays]
        if self.trace.by_shape or not self.is_kernel:  # other functions than kernels take arrays
            arrays = [x if x is None or isinstance(x, usm_ndarray) else
                      usm.asarray(x, sycl_queue=queue) for x in arrays]
        if not self.is_kernel:
            for one, out in zip(self.results, outs):
                if one.view is None and arrays[one.index] is None:
                    arrays[one.index] = out
            outs = []
        for step in self.steps:
            step.run(self, arrays, numbers, outs, queue)
            for k in step.dead:
                arrays[k] = None
        return [arrays[one.index] if one.view is None else one.of(arrays)
                for one in self.results]
