"""Makes the plan of a fused function from its trace."""

from cython.operator cimport dereference
from usmtensor._core.tracing cimport Array, Event, Node, Trace, Traced, are_disjoint, whole_view
from usmtensor._kernels.joined_steps cimport with_columns, with_rows, with_sequences
from usmtensor._kernels.steps cimport (
    Operand, Plan, Step, Target, Value, new_expression, new_value, replace_value, without_target,
)
from usmtensor._native.libtensor cimport is_like_cpu

import math

from usmtensor._kernels.source import MAX_ARRAYS, MAX_PARAMETERS


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

    cdef int drop_temporaries(self) except -1:
        """Remove the temporary arrays that only their own kernels read."""
        cdef Step step, other
        cdef Target target
        cdef int k
        for step in self.steps:
            read = set().union(*[other.arrays_read() for other in self.steps if other is not step])
            for k in range(len(step.targets) - 1, -1, -1):
                target = step.targets[k]
                index = target.array.index
                if index not in self.temporaries or index in self.aliases.values() \
                        or len(step.targets) == 1 or target.array in read:
                    continue
                targets = without_target(step.targets, target, -1)
                step.targets = step.targets if targets is None else targets
        return 0

    cdef int save_before(self, Event event, int k) except -1:
        """Store the values of earlier nodes that later events need and an event would change."""
        cdef Node node, load
        cdef Value value
        cdef int number
        for number in self.lasting:
            node = self.trace.nodes[number]
            if node.time > k or self.last_uses[number] <= k:
                continue
            for one in node.loads:
                load = self.trace.nodes[one]
                if load.array is event.array and load.version < event.version \
                        and not are_disjoint(load.view, event.view):
                    value = self.value(number)
                    if value.array is None or value.array.index not in self.temporaries:
                        self.values[number] = self.store(value)
                    break
        return 0


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
    planner.drop_temporaries()
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
    if not planner.is_cpu:
        plan.steps = with_rows(plan.steps)
    trace.by_shape |= any([(<Step>one).by_shape for one in plan.steps])
    if planner.is_cpu and trace.by_shape:  # no trace is repeated for sequences alone
        plan.steps = with_sequences(plan.steps, trace.queue)
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
        step.complete(plan)
    step = plan.steps[0] if len(plan.steps) == 1 else None
    plan.is_kernel = (step is not None and not step.is_joined and step.reduction is None
                      and not step.is_new
                      and all([(<Target>one).is_new for one in step.targets])
                      and [((<Target>one).array.index, None) for one in step.targets]
                      == [((<Operand>one).index, (<Operand>one).view) for one in plan.results])
    for step in plan.steps:  # kept plans should not keep the trace
        for one in step.targets:
            (<Target>one).value = None
    trace.nodes, trace.events, trace.known, trace.fills = [], [], {}, {}
    return plan
