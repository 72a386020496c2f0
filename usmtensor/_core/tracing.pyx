"""Operands for usmtensor.fuse, which record the usmtensor functions that are called with them.

A trace has nodes, which are the values of expressions, and events, which store values in arrays. An
array that is not stored has only a node. A view of it is the same expression of views."""

from libc.stdint cimport uint64_t
from usmtensor._core.array cimport allocate_array, require_array, usm_ndarray
from usmtensor._core.operators cimport Operators
from usmtensor._core.views cimport axis_indices, basic_view, broadcast_view, plain_index
from usmtensor._native.libtensor cimport UsmKind
from usmtensor._runtime.arguments cimport extents_of
from usmtensor._runtime.dtypes cimport (
    BOOL, C8, DTYPES, F2, U8, code_or_default, cpp_type, find_code, from_python,
)

import re
import threading
from functools import partial
from math import gcd

import numpy

from usmtensor._core.array import bodies

METHODS = {"all", "any", "argmax", "argmin", "astype", "clip", "conj", "copy", "max", "mean", "min",
           "prod", "round", "std", "sum", "var"}

MAX_LOADS = 13  # in an expression whose views are computed again
MAX_DEPTH = 200  # of an expression: deeper expressions take too long to compile

NODE = re.compile(r"\bt(\d+)\b")


cdef str literal(object value, int code, str function):
    """Return the C++ expression for a number as an element of a type."""
    cdef uint64_t[2] words = [0, 0]
    from_python(value, code, <char *>words, function)
    return f"from_bits<{cpp_type(code)}>({words[0]:#x}u, {words[1]:#x}u)"


# Views

NO_AXIS = (-1, 0)


cdef tuple whole_view(tuple shape):
    """Return the view of all elements."""
    return (0,) * len(shape), shape, tuple([NO_AXIS if n == 1 else tuple((k, 1))
                                            for k, n in enumerate(shape)])


cdef tuple compose_views(tuple first, tuple second):
    """Return a view of a view as a view of the array."""
    starts, _, axes = first
    starts = list(starts)
    for (axis, step), start in zip(axes, second[0]):
        if axis >= 0:
            starts[axis] += step * start
    found = [(axes[k][0], axes[k][1] * step) if k >= 0 and axes[k][0] >= 0 else NO_AXIS
             for k, step in second[2]]
    return tuple(starts), second[1], tuple(found)


cdef tuple index_view(tuple shape, tuple keys):
    """Return the view for a valid key of integers, slices, None and Ellipsis."""
    cdef list starts = [0] * len(shape), extents = [], axes = []
    cdef int axis = 0, used = len([one for one in keys if one is not None and one is not Ellipsis])
    if not any([one is Ellipsis for one in keys]):
        keys += (Ellipsis,)
    for item in keys:
        if item is None:
            extents.append(1)
            axes.append(NO_AXIS)
        elif item is Ellipsis:
            for _ in range(len(shape) - used):
                extents.append(shape[axis])
                axes.append((axis, 1))
                axis += 1
        elif type(item) is slice:
            values = range(*item.indices(shape[axis]))
            starts[axis] = values.start if len(values) else 0
            extents.append(len(values))
            axes.append((axis, values.step))
            axis += 1
        else:
            starts[axis] = item + shape[axis] * (item < 0)
            axis += 1
    axes = [NO_AXIS if n == 1 else along for n, along in zip(extents, axes)]
    return tuple(starts), tuple(extents), tuple(axes)


cdef tuple restrict_view(tuple view, int rank, tuple own):
    """Return the part of a view of an array of `rank` axes that an operand needs.

    The shape `own` of the operand broadcasts to the shape of the array.
    """
    cdef int shift = rank - len(own)
    starts = tuple([0 if n == 1 else view[0][k + shift] for k, n in enumerate(own)])
    axes = [(k - shift, step) if k >= shift and own[k - shift] != 1 else NO_AXIS
            for k, step in view[2]]
    extents = [n if axis[0] >= 0 else 1 for n, axis in zip(view[1], axes)]
    while axes and axes[0][0] < 0:
        del axes[0], extents[0]
    return starts, tuple(extents), tuple(axes)


cdef bint are_disjoint(tuple first, tuple second):
    """Return True if two views of an array have no common element along some axis.

    Views without elements are treated as if they had elements, so that the array exists first.
    """
    if 0 in first[1] or 0 in second[1]:
        return False
    for axis in range(len(first[0])):
        steps, spans = [], []
        for starts, extents, axes in (first, second):
            low = high = starts[axis]
            width = 0
            for n, (k, step) in zip(extents, axes):
                if k == axis:
                    high, width = low + (n - 1) * step, abs(step)
            steps.append(width)
            spans.append((min(low, high), max(low, high)))
        if spans[0][1] < spans[1][0] or spans[1][1] < spans[0][0]:
            return True
        width = gcd(*steps)
        if width > 1 and (spans[0][0] - spans[1][0]) % width:
            return True
    return False


# Traces

cdef object _running = threading.local()
cdef int _count = 0  # the number of active traces


cdef Trace current_trace():
    """Return the trace of this thread, or None."""
    return getattr(_running, "trace", None) if _count else None


cdef class Trace:
    def __cinit__(self, SyclQueue queue):
        self.queue = queue
        self.nodes, self.events, self.arrays, self.numbers = [], [], [], []
        self.known, self.samples, self.fills, self.scalars = {}, {}, {}, {}
        self.families = {"fused"}

    def __enter__(self):
        global _count
        _count += 1
        self.outer, _running.trace = getattr(_running, "trace", None), self

    def __exit__(self, *error):
        global _count
        _count -= 1
        self.over, _running.trace = True, self.outer

    # Arrays and numbers

    def new_array(self, int code, tuple shape, int value=-1, int argument=-1):
        cdef Array array = Array.__new__(Array)
        array.code = find_code(DTYPES[code])  # IndexError for an invalid code
        array.shape, array.value, array.argument = shape, value, argument
        array.index = len(self.arrays)
        self.arrays.append(array)
        return array

    def operand_for(self, Array array, tuple view):
        """Return a traced operand for a view of an array."""
        cdef Traced traced = Traced.__new__(Traced)
        if array.code not in self.samples:
            self.samples[array.code] = allocate_array(self.queue, UsmKind.device, array.code, 0,
                                                      NULL, b"C")
        extents = extents_of(view[1])
        traced.trace, traced.array, traced.view = self, array, view
        traced.sample = broadcast_view(self.samples[array.code], <int>extents.size(),
                                       extents.data(), "fuse")
        return traced

    def new_operand(self, int code, tuple shape, int value=-1, int argument=-1):
        return self.operand_for(self.new_array(code, shape, value, argument), whole_view(shape))

    def argument(self, int index, object value, int code):
        """Return a traced argument: an array of a type, or a number if the code is negative."""
        if code < 0:
            return self.add_number(value, (index,))
        is_array = isinstance(value, usm_ndarray)
        found = self.new_operand(code, value.shape if is_array else (), argument=index)
        (<Traced>found).array.is_scalar = not is_array
        return found

    def make_array(self, tuple shape, int code, object value, str function):
        """Return an array that the function makes, filled with a number, or not set for None."""
        self.by_shape = True
        if value is None:
            return self.new_operand(code, shape)
        if isinstance(value, Traced) and (<Traced>value).array is not None:
            made = self.make_array(shape, code, 0, function)
            (<Traced>made).assign(value, function)
            return made
        text = self.operand(value, code, function)
        node = self.add_node(text, code, shape, ())
        if not isinstance(value, Traced):
            self.fills[node] = value
        return self.new_operand(code, shape, node)

    def add_number(self, object value, tuple origin):
        cdef Traced traced = Traced.__new__(Traced)
        traced.trace, traced.sample, traced.number = self, value, len(self.numbers)
        self.numbers.append(origin)
        return traced

    def number(self, object function, list operands):
        """Return a function of numbers, which Python computes at every call."""
        values = [(<Traced>x).sample if isinstance(x, Traced) else x for x in operands]
        sources = [((<Traced>x).number, None) if isinstance(x, Traced) else (-1, x)
                  for x in operands]
        # Equal numbers in equal steps of a loop share a name, so that their kernels are equal.
        key = function, tuple([(k, type(x), repr(x)) for k, x in sources])
        if key not in self.known:
            value = function(*values)
            self.known[key] = self.add_number(value, (function, sources, type(value)))
        return self.known[key]

    # Nodes

    def add_node(self, str text, int code, tuple shape, tuple operands):
        cdef Node node = Node.__new__(Node)
        node.text, node.code, node.shape, node.operands = text, code, shape, operands
        node.time = len(self.events)
        node.depth = 1 + max([(<Node>self.nodes[k]).depth for k in operands], default=0)
        node.inputs = frozenset().union(*[(<Node>self.nodes[k]).inputs for k in operands])
        node.loads = frozenset().union(*[(<Node>self.nodes[k]).loads for k in operands])
        self.nodes.append(node)
        return len(self.nodes) - 1

    def load(self, Array array, int version, tuple view):
        """Return the node of a view of a stored array."""
        key = array.index, version, view
        if key not in self.known:
            self.known[key] = self.add_node("", array.code, view[1], ())
            node = <Node>self.nodes[self.known[key]]
            node.array, node.version, node.view = array, version, view
            node.inputs, node.loads = frozenset((array.index,)), frozenset((self.known[key],))
        return self.known[key]

    def view_node(self, int number, tuple view):
        """Return the node of a view of a node: the same expression of views."""
        cdef Node node = self.nodes[number]
        cdef dict views = {}
        if view == whole_view(node.shape):
            return number
        self.by_shape = True
        key = number, view
        if key not in self.known:
            if len(node.loads) > MAX_LOADS or self.is_outdated(node):
                if number not in self.known:
                    self.known[number] = self.new_array(node.code, node.shape, number)
                    self.store(self.known[number])
                found = self.load(self.known[number], 1, view)
            elif node.array is not None:
                found = self.load(node.array, node.version, compose_views(node.view, view))
            else:
                for k in node.operands:
                    own = (<Node>self.nodes[k]).shape
                    views[k] = self.view_node(k, restrict_view(view, len(node.shape), own))
                text = NODE.sub(lambda match: f"t{views[int(match[1])]}", node.text)
                found = self.add_node(text, node.code, view[1], tuple(views.values()))
            self.known[key] = found
        return self.known[key]

    cdef bint is_outdated(self, Node node):
        """Return True if an array has changed since a node read it."""
        cdef Node load
        for number in node.loads:
            load = self.nodes[number]
            if load.version < load.array.version:
                return True
        return False

    def node(self, Traced x):
        """Return the node of an array."""
        if x.array.value >= 0:
            return self.view_node(x.array.value, x.view)
        if x.array.argument < 0 or x.view != whole_view(x.array.shape):
            self.by_shape = True
        return self.load(x.array, x.array.version, x.view)

    def step(self, str text, int code, list values, str function):
        """Return an array that is computed from some values."""
        arrays = [x for x in values if isinstance(x, Traced) and (<Traced>x).array is not None]
        shapes = [(<Traced>x).sample.shape for x in arrays]
        try:
            shape = bodies.namespace.broadcast_shapes(*shapes)
        except ValueError:
            self.by_shape = True  # the function may handle the error
            raise ValueError(f"{function}: arrays of shapes {' and '.join(map(str, shapes))} "
                             "cannot be broadcast together") from None
        operands = tuple(dict.fromkeys([self.node(x) for x in arrays]))
        found = self.new_operand(code, shape, self.add_node(text, code, shape, operands))
        (<Traced>found).array.is_scalar = all([(<Traced>x).array.is_scalar for x in arrays])
        if (<Node>self.nodes[-1]).depth > MAX_DEPTH:
            self.store((<Traced>found).array)
        return found

    def hide_origin(self, str operand):
        """Return an operand whose origin is unknown to the compiler."""
        return f"opaque({operand}, {self.operand(self.number(int, []), U8, 'cos')})"

    def operand(self, object value, int code, str function):
        """Return an operand in an element type, converted as at a launch."""
        cdef Traced traced
        cdef Node node
        if isinstance(value, usm_ndarray) or isinstance(value, numpy.ndarray) and value.ndim:
            raise TypeError(f"{function}: an array that is not an argument of the fused function; "
                            "expected it as an argument")
        if not isinstance(value, Traced):
            return literal(value, code, function)
        traced = find_traced([value])
        if traced.array is None:
            wanted = code
            if isinstance(traced.sample, numpy.generic):  # a NumPy scalar has a type
                code = find_code(traced.sample.dtype)
            name = f"s{traced.number}_{cpp_type(code)}"
            self.scalars[name] = traced.number, code
            return name if code == wanted else f"convert<{cpp_type(wanted)}>({name})"
        number = self.node(traced)
        node = self.nodes[number]
        if node.code == code:
            return f"t{number}"
        name = f"t{number}" + (".real()" if node.code >= C8 and BOOL < code < C8 else "")
        if code >= F2 and DTYPES[node.code].kind == "i" and node.array is None:
            # A compiler bug: the negative of a bool becomes a positive float.
            name = self.hide_origin(name)
        return f"convert<{cpp_type(code)}>({name})"

    # Events

    def store(self, Array array):
        """Store the elements of an array from here on."""
        if array.value >= 0:
            number, array.value = array.value, -1
            self.write(array, whole_view(array.shape), number)

    def write(self, Array array, tuple view, int node, object reduction=None):
        """Write the elements of a node to a view of a stored array."""
        cdef Event event = Event.__new__(Event)
        event.array, event.view, event.node, event.reduction = array, view, node, reduction
        event.fill = self.fills.get(node) if reduction is None else None
        self.events.append(event)
        array.version += 1
        event.version = array.version


cdef class Traced(Operators):
    """An operand of a traced function, which stands for an argument or a result."""

    __hash__ = None

    def cast(self, int code, bint must_copy):
        find_traced([self])
        if code == self.array.code and not must_copy:
            return self
        return self.trace.step(self.trace.operand(self, code, "astype"), code, [self], "astype")

    def reduce(self, str function, int code, object axis, bint keepdims, object out,
               dict others=None):
        """Reduce to results of a type, with further arguments of the function."""
        cdef usm_ndarray sample
        cdef Array result
        find_traced([self])
        if out is not None:
            raise TypeError(f"{function}: out cannot be traced")
        sample = self.sample
        axes = list(range(sample.rank)) if axis is None else axis_indices(axis, sample, function)
        shape = tuple([1 if k in axes else n for k, n in enumerate(sample.shape)
                       if keepdims or k not in axes])
        keywords = {"axis": None if axis is None else tuple(axes), "keepdims": keepdims}
        keywords.update(others or {})
        result = self.trace.new_array(code, shape)
        self.trace.write(result, whole_view(shape), self.trace.node(self),
                         (getattr(bodies.namespace, function), keywords))
        return self.trace.operand_for(result, whole_view(shape))

    def assign(self, object value, str function):
        """Write values to the array."""
        cdef Trace trace = find_traced([self]).trace
        cdef Array array = self.array
        cdef Traced source
        cdef int extra
        if array.is_shared:
            raise TypeError(f"{function}: the array has real or imaginary parts as a view of it; "
                            "expected it to stay unchanged")
        if not isinstance(value, (Traced, usm_ndarray, numpy.ndarray, numpy.generic, int, float,
                                  complex)):
            raise TypeError(f"{function}: value is of type {type(value).__name__}; expected a "
                            "number or an array that is computed from the arguments")
        source = value if isinstance(value, Traced) and (<Traced>value).array is not None else None
        if source is None:
            number = trace.add_node(trace.operand(value, array.code, function), array.code, (), ())
            if not isinstance(value, Traced):
                trace.fills[number] = value
        elif source.array is array and source.view == self.view:
            return
        else:
            find_traced([source])
            own, target_type = DTYPES[source.array.code], DTYPES[array.code]
            if source.array.is_scalar and own.kind in "iu" and target_type.kind in "iu" \
                    and not numpy.can_cast(own, target_type):
                raise OverflowError(f"{function}: an integer of type {own} may not fit "
                                    f"{target_type}")  # the plain function checks it
            if source.array.code != array.code:
                source = source.cast(array.code, False)
            number = trace.node(source)
        shape, target = (<Node>trace.nodes[number]).shape, self.view[1]
        extra = max(len(shape) - len(target), 0)
        padded = (1,) * (len(shape) - len(target)) + target if extra else \
            target[len(target) - len(shape):]
        if any([n != 1 and n != m for n, m in zip(shape, padded)]):
            raise ValueError(f"{function}: cannot broadcast an array of shape {shape} to shape "
                             f"{target}")
        if extra:
            number = trace.view_node(number, index_view(shape, (0,) * extra))
        if array.value >= 0 and self.view == whole_view(array.shape):
            same = (<Node>trace.nodes[number]).inputs == (<Node>trace.nodes[array.value]).inputs
            trace.by_shape |= not same
            if (<Node>trace.nodes[number]).shape != array.shape:
                fill = trace.fills.get(number)
                number = trace.add_node(f"t{number}", array.code, array.shape, (number,))
                if fill is not None:
                    trace.fills[number] = fill
            array.value = number
            return
        trace.by_shape = True
        trace.store(array)
        trace.write(array, self.view, number)

    def update(self, Traced value, str function):
        """Apply the result of an in-place operator."""
        if value.sample.shape != self.sample.shape:
            raise ValueError(f"{function}: the result has shape {value.sample.shape}; expected "
                             f"{self.sample.shape}, as in place")
        self.assign(value, function)
        return self

    def part(self, object key):
        """Return a view for a key."""
        cdef tuple keys
        find_traced([self])
        if self.array is None:
            raise TypeError("a number has no elements")
        keys = key if type(key) is tuple else (key,)
        for item in keys:
            bounds = (item.start, item.stop, item.step) if type(item) is slice else (item,)
            for one in bounds:
                if isinstance(one, Traced):
                    raise TypeError(
                        "a key depends on an array; expected usmtensor.where"
                        if (<Traced>one).array is not None else
                        "a key depends on a number that may change at every call; expected it as a "
                        "constant that is passed by keyword")
        if basic_view(self.sample, key) is None:
            raise TypeError("a key is not traced; expected integers, slices, None and Ellipsis")
        self.trace.by_shape = True
        view = index_view(self.sample.shape, tuple([plain_index(item) for item in keys]))
        return self.trace.operand_for(self.array, compose_views(self.view, view))

    def __getitem__(self, key):
        return self.part(key)

    def __setitem__(self, key, value):
        if isinstance(key, Traced) and (<Traced>key).array is not None \
                and (<Traced>key).array.code == BOOL:
            self.assign_where(key, value)
        else:
            (<Traced>self.part(key)).assign(value, "__setitem__")

    def __delitem__(self, key):
        raise ValueError("elements of an array cannot be deleted")

    def assign_where(self, Traced mask, value):
        """Assign `x[mask] = value` for a number or a 0-D array."""
        find_traced([self, mask, value])
        sample = (<Traced>value).sample if isinstance(value, Traced) else value
        if mask.view[1] != self.view[1] or not (isinstance(sample, (int, float, complex))
                                                or getattr(sample, "shape", None) == ()):
            raise TypeError(f"x[mask] = value has a mask of shape {mask.view[1]}, a value of type "
                            f"{type(value).__name__} and x of shape {self.view[1]}; expected equal "
                            "shapes and a number or 0-D array, or usmtensor.where")
        filled = self.trace.make_array((), self.array.code, value, "__setitem__")
        self.assign(bodies.namespace.where(mask, filled, self), "__setitem__")

    def __len__(self):
        if self.array is None or not self.view[1]:
            raise TypeError("len() of a 0-D operand")
        self.trace.by_shape = True
        return self.view[1][0]

    def __index__(self):
        raise TypeError("a number that may change at every call decides the steps of the function; "
                        "expected it as a constant that is passed by keyword")

    def __getattr__(self, name):
        cdef Traced part
        if self.array is None:
            raise AttributeError(f"{name!r} of a number is unknown here", name=name, obj=self)
        if name in METHODS:
            return partial(getattr(usm_ndarray, name), self)
        if name == "real" and self.array.code < C8:
            return self
        if name in ("real", "imag"):
            part = <Traced>getattr(bodies.namespace, name)(self)
            if self.array.code >= C8:
                part.array.is_shared = self.array.is_shared = True
            return part
        if name in ("shape", "ndim", "size"):
            self.trace.by_shape = True
            return getattr(self.sample, name)
        if name in ("T", "mT"):
            rank = len(self.view[1])
            order = list(range(rank))
            if name == "T":
                order.reverse()
            elif rank < 2:
                raise ValueError(f"mT: the array has {rank} dimensions; expected two or more")
            else:
                order[-2:] = order[:-3:-1]
            return self.permuted(order)
        raise AttributeError(f"{name!r} of an array is unknown here", name=name, obj=self)

    def permuted(self, list order):
        """Return a view with the axes in another order."""
        starts, shape, axes = whole_view(self.view[1])
        view = starts, tuple([shape[k] for k in order]), tuple([axes[k] for k in order])
        self.trace.by_shape = True
        return self.trace.operand_for(self.array, compose_views(self.view, view))

    def __array_namespace__(self, *, api_version=None):
        return bodies.namespace

    def __array__(self, dtype=None, *, copy=None):
        raise TypeError("the values of an array that is computed from the arguments are not known "
                        "here; expected functions of usmtensor, and each array that they change "
                        "as an argument")

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


def make_like(Traced x, object dtype, object shape, object value, str function):
    """Return an array that the function makes with the shape of another array."""
    find_traced([x])
    if x.array is None:
        raise TypeError(f"{function}: x is a number; expected an array")
    code = x.array.code if dtype is None else \
        code_or_default(dtype, x.trace.queue.ref.get(), function)
    return x.trace.make_array(x.view[1] if shape is None else shape, code, value, function)


cdef Traced find_traced(list values):
    """Return the first traced operand."""
    cdef Traced found = None
    for value in values:
        if isinstance(value, Traced):
            found = value
            if found.trace.over:
                raise TypeError("the operand belongs to an earlier call")
    return found


cdef Traced number_of(object function, list values):
    """Return a function of numbers of which some are traced, or None if an operand is an array."""
    cdef Traced found = find_traced(values)
    if found is None or any([isinstance((<Traced>x).sample if isinstance(x, Traced) else x,
                                        usm_ndarray) for x in values]):
        return None
    return found.trace.number(function, values)


cdef bint is_traced_scalar(object x, list others):
    """Return True if an operand is a NumPy scalar in a trace and no operand is an array."""
    return isinstance((<Traced>x).sample if isinstance(x, Traced) else x, numpy.generic) \
        and find_traced([x, *others]) is not None


cdef usm_ndarray array_or_sample(object x, str function, str argument="x"):
    """Return an argument as an array; for a traced operand, a sample array of its type."""
    if isinstance(x, usm_ndarray):
        return <usm_ndarray>x
    return require_array((<Traced>x).sample if isinstance(x, Traced) else x, function, argument)
