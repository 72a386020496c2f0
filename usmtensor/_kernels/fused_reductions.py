"""Reductions in fused functions, which compute and reduce the elements in one kernel."""

import itertools
import math

import numpy

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._kernels.reduction_kernel import ReductionKernel
from usmtensor._kernels.source import MAX_ARRAYS, MAX_PARAMETERS, has_calls
from usmtensor._kernels.user_kernels import ElementwiseKernel
from usmtensor._runtime.dtypes import cpp_type, find_code

MIN_ELEMENTS = 1 << 20  # for fewer, the Python code takes longer than a second kernel
MIN_ROW = 1 << 10  # elements per result
MIN_ROWS = 1 << 8  # results: for fewer, one work-item per result is slow
MAX_TEAM, TEAM_ELEMENTS = 64, 16  # work-items that reduce a row, and the elements of each
MAX_UNROLLED = 7  # elements per result that are operands of their own

_MAP = """[&] {{
{lines}
const {element} e = {name};
return reduced_t({value});
}}()"""


def type_name(dtype):
    """Return the name of an element type in kernels/kernel.hpp."""
    return f"usmtensor::{cpp_type(find_code(numpy.dtype(dtype)))}"


def reduction_rule(name, element, result):
    """Return the rule for a reduction, or None if it needs a dedicated kernel.

    The rule is the reduction of partial results, their type, the value for an element e, the
    combination of two values, and the neutral element.
    """
    if name not in ("max", "min", "any", "all", "count_nonzero", "sum", "prod", "mean"):
        return None
    if name in ("max", "min") and element.kind == "b":
        name = "any" if name == "max" else "all"
    nonzero = f"e != {type_name(element)}(0)"
    if name == "any":
        return "any", "bool", nonzero, "a || b", "false"
    if name == "all":
        return "all", "bool", nonzero, "a && b", "true"
    if name == "count_nonzero":
        return "sum", "uint64", nonzero, "a + b", "0"
    if name in ("max", "min"):
        if element.kind == "c":
            return None
        functor, sign, bound = "Minimum", "", "max"
        if name == "max":
            functor, sign, bound = "Maximum", "-", "lowest"
        neutral = f"usmtensor::standard::numeric_limits<reduced_t>::{bound}()"
        if element.kind == "f":
            neutral = f"{sign}__builtin_huge_valf()"
        return name, str(element), "e", f"{functor}()(a, b)", neutral
    # Integer means, narrower results and complex factors have different rules.
    width = {"b": 0, "i": 0, "u": 0, "f": 1, "c": 2}
    if result.kind == "b" or width[result.kind] < width[element.kind]:
        return None
    if (name != "sum" and result.kind == "c") or (name == "mean" and element.kind != "f"):
        return None
    if result == "f2" and (name == "mean" or element != "f2"):
        return None
    part = "uint64" if result.kind in "iu" else str(result).replace("float16", "float32")
    name, sign, neutral = ("prod", "*", "1") if name == "prod" else ("sum", "+", "0")
    return name, part, f"convert<{type_name(part)}>(e)", f"a {sign} b", neutral


def reduction_kernel(name, element, result, cpu, inputs, lines, last, preamble):
    """Return a kernel that reduces the value `last` of some statements, or None.

    It is None if there is no such kernel or two kernels are faster, because CPU compilers do not
    vectorise calls within a work-item.
    """
    rule = reduction_rule(name, element, result)
    if rule is None or (cpu and has_calls(*lines)):
        return None
    parts, part, value, combined, neutral = rule
    mapped = _MAP.format(lines="\n".join(lines), element=type_name(element), name=last, value=value)
    final = part if name == "mean" else str(result)
    preamble = '#include "kernels/comparison.hpp"\n' + preamble
    kernel = ReductionKernel(
        inputs,
        f"{final} y",
        mapped,
        combined,
        f"y = {type_name(final)}(a)",
        neutral,
        name,
        part,
        preamble,
    )
    kernel._traced = kernel._types._traced = True
    kernel._of_parts = getattr(usm, parts)
    return kernel


# A group of work-items reduces a row. Blocks and lanes keep sums accurate.
_ROW = """
  constexpr usmtensor::int64 reduced_team = {team}, reduced_block = reduced_team * 512;
  using reduced_t = {part};
  auto reduced_both = [](reduced_t a, reduced_t b) -> reduced_t {{ return {combined}; }};
  usmtensor::int64 reduced_rest = i / reduced_team;
  {indices}
  {pointers}
  auto reduced_one = [&](usmtensor::int64 at) -> reduced_t {{ {read} return {mapped}; }};
  reduced_t a = {neutral};
  for (usmtensor::int64 at = i % reduced_team; at < reduced_length;) {{
    const usmtensor::int64 left = reduced_length - at;
    const usmtensor::int64 end = at + (left < reduced_block ? left : reduced_block);
    reduced_t lanes[16];
    for (int k = 0; k < 16; ++k)
      lanes[k] = {neutral};
    for (; at + 15 * reduced_team < end; at += 16 * reduced_team)
      {lanes}
      for (int k = 0; k < 16; ++k)
        lanes[k] = reduced_both(lanes[k], reduced_one(at + k * reduced_team));
    {rest}
    for (int k = 0; k < 16; ++k)
      if (at < end) {{
        lanes[k] = reduced_both(lanes[k], reduced_one(at));
        at += reduced_team;
      }}
    for (int width = 8; width; width /= 2)
      for (int k = 0; k < width; ++k)
        lanes[k] = reduced_both(lanes[k], lanes[k + width]);
    a = reduced_both(a, lanes[0]);
  }}
  y = {final}(a);
"""


class RowReduction:
    """A reduction of expressions along axes of unit stride, whose operands may broadcast. It needs
    no memory for the elements."""

    def __init__(self, name, element, result, inputs, lines, last, preamble):
        self.rule = reduction_rule(name, element, result)
        self.inputs = [text.split() for text in inputs.split(", ")]  # pairs of a type and a name
        self.name, self.element, self.result = name, element, result
        self.lines, self.last, self.preamble = lines, last, preamble
        if self.rule is not None:
            self.final = self.rule[1] if name == "mean" else result  # the type of the results
        self.kernels = {}

    def __call__(self, given, shape, axes, keepdims, cpu):
        """Return the results for numbers and arrays that broadcast to a shape.

        Returns None if the elements have to be stored first. The reduction has a rule.
        """
        arrays = [x for x in given if isinstance(x, usm_ndarray)]
        kept = [k for k in range(len(shape)) if k not in axes]
        rows = math.prod(shape[k] for k in kept)
        wanted = tuple(
            1 if k in axes else n for k, n in enumerate(shape) if keepdims or k not in axes
        )
        if 0 < math.prod(shape) <= MAX_UNROLLED * rows:
            found = self.unrolled(given, shape, axes)
            if found is not None:
                return usm.reshape(found, wanted)
        if math.prod(shape) < MIN_ELEMENTS or rows < MIN_ROWS or (cpu and has_calls(*self.lines)):
            return None
        strides = [strides_in(x, shape) for x in arrays]
        reduced = merge_axes([shape[k] for k in axes], [[s[k] for k in axes] for s in strides])
        kept = merge_axes([shape[k] for k in kept], [[s[k] for k in kept] for s in strides])
        steps = [one[-1] if one else 0 for one in reduced[1]]
        if len(reduced[0]) > 1 or not {0, 1}.issuperset(steps):
            return None
        numbers = [x for x in given if not isinstance(x, usm_ndarray)]
        layout = [*reduced[0], *kept[0][1:], *(n for one in kept[1] for n in one)]
        if len(given) + len(layout) + 1 > MAX_PARAMETERS:
            return None
        is_array = tuple(isinstance(x, usm_ndarray) for x in given)
        team = 1 if cpu else _team_of_row(reduced[0][-1])
        key = is_array, tuple(steps), len(kept[0]), team, cpu
        if key not in self.kernels:
            self.kernels.setdefault(key, self.kernel(*key))
        name, part, *_ = self.rule
        if team == 1:
            out = _empty(wanted, self.final, arrays)
            self.kernels[key](*arrays, *numbers, *layout, out)
            return out
        parts = _empty((rows, team), part, arrays)
        self.kernels[key](*arrays, *numbers, *layout, parts)
        found = getattr(usm, name)(parts, axis=1)
        return usm.reshape(usm.astype(found, self.final, copy=False), wanted)

    def unrolled(self, given, shape, axes):
        """Reduce few elements per result, each of which is an operand, or return None."""
        arrays = [x for x in given if isinstance(x, usm_ndarray)]
        numbers = [x for x in given if not isinstance(x, usm_ndarray)]
        points = list(itertools.product(*(range(shape[k]) for k in axes)))
        # All elements use the same operand of an array that broadcasts along the axes.
        strides = [strides_in(x, shape) for x in arrays]
        used = [len(points) if any(one[k] for k in axes) else 1 for one in strides]
        if sum(used) >= MAX_ARRAYS or sum(used) + len(numbers) >= MAX_PARAMETERS:
            return None
        operands = []
        for x, n in zip(arrays, used, strict=True):
            x = usm.broadcast_to(x, shape)
            for point in points[:n]:
                at = dict(zip(axes, point, strict=True))
                operands.append(x[tuple(at.get(k, slice(None)) for k in range(len(shape)))])
        is_array = tuple(isinstance(x, usm_ndarray) for x in given)
        key = is_array, tuple(used), len(points)
        if key not in self.kernels:
            self.kernels.setdefault(key, self.unrolled_kernel(*key))
        out = _empty(operands[0].shape, self.final, arrays)
        self.kernels[key](*operands, *numbers, out)
        return out

    def unrolled_kernel(self, is_array, used, count):
        """Return the kernel for `count` elements per result."""
        _, part, _, combined, _ = self.rule
        arrays = [one for one, array in zip(self.inputs, is_array, strict=True) if array]
        inputs = [
            f"{kind} {name}_{k}"
            for (kind, name), n in zip(arrays, used, strict=True)
            for k in range(n)
        ]
        inputs += [
            " ".join(one) for one, array in zip(self.inputs, is_array, strict=True) if not array
        ]
        named = ", ".join(f"usmtensor::Value<{type_name(kind)}> {name}" for kind, name in arrays)
        lines = [
            f"using reduced_t = {type_name(part)};",
            f"auto reduced_both = [](reduced_t a, reduced_t b) -> reduced_t "
            f"{{ return {combined}; }};",
            f"auto reduced_one = [&]({named}) -> reduced_t {{ return {self.mapped()}; }};",
        ]
        for k in range(count):
            taken = ", ".join(
                f"{name}_{k if n > 1 else 0}" for (_, name), n in zip(arrays, used, strict=True)
            )
            lines.append(
                f"a = reduced_both(a, reduced_one({taken}));"
                if k
                else f"reduced_t a = reduced_one({taken});"
            )
        lines.append(f"y = {type_name(self.final)}(a);")
        return self.new_kernel(", ".join(inputs), self.final, "\n".join(lines))

    def mapped(self):
        """Return the C++ expression for the value of an element."""
        return _MAP.format(
            lines="\n".join(self.lines),
            element=type_name(self.element),
            name=self.last,
            value=self.rule[2],
        )

    def new_kernel(self, inputs, final, text):
        """Return a kernel of some statements."""
        preamble = '#include "kernels/comparison.hpp"\n' + self.preamble
        kernel = ElementwiseKernel(inputs, f"{final} y", text, self.name, preamble)
        kernel._traced = True
        return kernel

    def kernel(self, is_array, steps, ndim, team, cpu):
        """Return the kernel for some layouts of the arrays."""
        _, part, _, combined, neutral = self.rule
        names = [name for (_, name), array in zip(self.inputs, is_array, strict=True) if array]
        arrays, numbers, pointers, read = [], [], "", ""
        for (kind, name), array in zip(self.inputs, is_array, strict=True):
            (arrays if array else numbers).append(
                f"raw {kind} raw_{name}" if array else f"{kind} {name}"
            )
        for (kind, name), array in zip(self.inputs, is_array, strict=True):
            if not array:
                continue
            at = "".join(f" + k{k} * {name}_{k}" for k in range(ndim))
            pointers += f"const auto *at_{name} = &raw_{name}[0{at}];\n"
            index = "at" if steps[names.index(name)] else "0"
            read += f"const usmtensor::Value<{type_name(kind)}> {name} = at_{name}[{index}]; "
        indices = "".join(
            f"const usmtensor::int64 k{k} = reduced_rest % n{k}; reduced_rest /= n{k};\n"
            for k in range(ndim - 1, 0, -1)
        )
        layout = ["length", *(f"n{k}" for k in range(1, ndim))]
        layout[0] = "reduced_length"
        layout += [f"{name}_{k}" for name in names for k in range(ndim)]
        types = [numpy.dtype(kind) for kind, _ in self.inputs] + [numpy.dtype(part)]
        loop = cpu and all(t.itemsize >= 4 and t.kind != "c" for t in types)
        final = self.final if team == 1 else part
        rest = "USMTENSOR_UNROLL" if team > 1 else ""
        text = _ROW.format(
            team=team,
            part=type_name(part),
            combined=combined,
            indices=indices + ("const usmtensor::int64 k0 = reduced_rest;" if ndim else ""),
            pointers=pointers,
            read=read,
            mapped=self.mapped(),
            neutral=neutral,
            lanes="USMTENSOR_LANES" if loop else rest,
            rest=rest,
            final=type_name(final),
        )
        kernel = self.new_kernel(
            ", ".join([*arrays, *numbers, *(f"int64 {name}" for name in layout)]), final, text
        )
        kernel._strided = True
        kernel._cost = 64
        return kernel


def _team_of_row(n):
    """Return the number of work-items that reduce a row of n elements: a power of two."""
    team = 1
    while team < MAX_TEAM and team * TEAM_ELEMENTS < n:
        team *= 2
    return team


def _empty(shape, dtype, arrays):
    """Return a new array beside others."""
    kind = min((x.usm_type for x in arrays), key=("device", "shared", "host").index)
    return usm.empty(shape, dtype=dtype, usm_type=kind, sycl_queue=arrays[0].sycl_queue)


def strides_in(x, shape):
    """Return the strides, in elements, of an array that is broadcast to a shape."""
    added = len(shape) - x.ndim
    return (0,) * added + tuple(0 if n == 1 else s for n, s in zip(x.shape, x.strides, strict=True))


def merge_axes(extents, strides):
    """Merge neighbouring axes of several arrays where all arrays allow it."""
    found, columns = [], []
    for n, column in zip(extents, zip(*strides, strict=True), strict=True):
        if n == 1:
            continue
        if found and all(s == t * n for s, t in zip(columns[-1], column, strict=True)):
            found[-1], columns[-1] = found[-1] * n, column
        else:
            found.append(n)
            columns.append(column)
    return found or [1], [list(one) for one in zip(*columns, strict=True)] or [[0] for _ in strides]
