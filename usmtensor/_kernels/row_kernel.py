"""Kernels for devices other than CPUs that reduce rows and use the results in the same rows."""

import math
from typing import NamedTuple

import numpy

from usmtensor._kernels.fused_reductions import merge_axes, reduction_rule, type_name
from usmtensor._kernels.user_kernels import RawKernel

MIN_GROUP, MAX_GROUP = 128, 256  # work-items; more might exceed the registers of a GPU
EACH, MAX_EACH = 8, 32  # elements of a row in the registers of a work-item
WARP = 32  # work-items that need no barrier
MAX_REGISTERS = 64  # elements of all operands
MAX_LAUNCHES = 16  # that a kernel keeps
NUMBERS = {"int64": "long", "float32": "float", "float64": "double"}


class Stage(NamedTuple):
    """A part of the kernel: a reduction, a value of the row, or values of all its elements."""

    kind: str  # "reduction", "row" or "elements"
    used: set  # the operands that it reads
    lines: list  # C++ statements
    names: list  # the variables with the values
    outputs: list  # for each value its output's number, or None
    variable: str | None  # for the value of a row
    element: numpy.dtype  # of the values
    result: numpy.dtype  # of the reduction
    function: str | None
    keywords: dict | None


def can_reduce(function, element, result):
    """Return True if a stage can be this reduction."""
    if function in ("var", "std"):
        return element == result and result.kind == "f" and result.itemsize >= 4
    return reduction_rule(function, element, result) is not None


def fits_registers(n, operands):
    """Return True if a team can hold rows of n elements of some operands."""
    each = -(-n // _team(n, operands))
    return each <= MAX_EACH and each * operands <= MAX_REGISTERS


def _team(n, operands):
    """Return the number of work-items for rows of n elements: a power of two.

    A warp takes longer rows if it divides them evenly. The time of teams of two warps varies by a
    third between runs.
    """
    each, rest = divmod(n, WARP)
    if rest == 0 and EACH < each <= 2 * EACH and each * operands <= MAX_REGISTERS:
        return WARP
    team = 1
    while team < MAX_GROUP and team * EACH < n:
        team *= 2
    return team


def _variable_type(dtype):
    return "bool" if dtype.kind == "b" else type_name(dtype)


_SOURCE = """#include "kernels/local.hpp"
#include "kernels/comparison.hpp"
#include "kernels/exponential.hpp"
{headers}
USMTENSOR_KERNEL({name}, {parameters}) {{
  using namespace usmtensor;
  constexpr int team = {team};
  const int lane = work_item().get_local_id(0) % team;
  const int64 own = work_item().get_global_id(0) / team;
  const bool stores = {exact} || own < rows; // spare teams compute the last row again
  {index} row = stores ? own : rows - 1;
  // Without branches, so that the compiler computes equal expressions of several stages once.
  auto each_element = [&](auto f) USMTENSOR_INLINE_LAMBDA {{
    repeat<{each}>([&](auto k) USMTENSOR_INLINE_LAMBDA {{
      const int at = lane + k * team;
      const bool inside = {full} || at < length;
      f(k, inside ? at : int(length) - 1, inside);
    }});
  }};
  {body}
}}
"""

_REDUCTION = """[&] () USMTENSOR_INLINE_LAMBDA {{
    using reduced_t = {part};
    auto both = [](reduced_t a, reduced_t b) USMTENSOR_INLINE_LAMBDA -> reduced_t {{
      return {combined};
    }};
    reduced_t a = {neutral};
    each_element([&](auto k, int at, bool inside) USMTENSOR_INLINE_LAMBDA {{
      {lines}
      const {element} e = {name};
      const reduced_t value = {value};
      a = both(a, inside ? value : reduced_t({neutral}));
    }});
    return all_in_team(team, a, local_memory<reduced_t, {group}>(), both);
  }}()"""


class RowKernel:
    """A kernel whose teams of work-items compute all stages for a row."""

    def __init__(self, name, shape, operands, numbers, outputs, stages, headers):
        """`operands` has a type, a name, and True for one value a row; `numbers` and `outputs` have
        types and names. The shape is that of all operands."""
        self.name, self.headers, self.rows, self.n = name, headers, shape[:-1], shape[-1]
        self.operands, self.numbers, self.outputs = operands, numbers, outputs
        self.stages = stages
        self.team = _team(self.n, len(operands))
        self.each = -(-self.n // self.team)
        self.group = max(self.team, MIN_GROUP)
        self.launches = {}  # a raw kernel and its last arguments, by the strides of all arrays

    def __call__(self, kernels, arrays, numbers, outputs):
        """Run the kernel for views of the shape. `kernels` has raw kernels by their source."""
        strides = tuple([x.strides for x in arrays + outputs])
        launch = self.launches.get(strides)
        if launch is None:
            if len(self.launches) >= MAX_LAUNCHES:
                self.launches.clear()
            launch = self.launches[strides] = self.launch(kernels, strides)
        kernel, items, layout = launch
        kernel(items, self.group, (*arrays, *outputs, *numbers, *layout))

    def launch(self, kernels, strides):
        """Return the kernel for some strides, its number of work-items, and its last arguments."""
        kept = merge_axes(self.rows, [one[:-1] for one in strides])
        source = self.source(len(kept[0]), [one[-1] == 1 for one in strides])
        if source not in kernels:
            kernels.setdefault(source, RawKernel(source, self.name, _traced=True))
        rows = math.prod(self.rows)
        layout = [rows, self.n, *kept[0][1:]]
        layout += [n for one, own in zip(strides, kept[1], strict=True) for n in (*own, one[-1])]
        groups = -(-rows * self.team // self.group)
        return kernels[source], groups * self.group, layout

    def source(self, ndim, has_unit_stride):
        """Return the source for a number of axes of rows.

        `has_unit_stride` has True for each array whose rows are contiguous.
        """
        names = [name for _, name, _ in self.operands] + [name for _, name in self.outputs]
        parameters = [f"const {type_name(kind)} *{name}_data" for kind, name, _ in self.operands]
        parameters += [f"{type_name(kind)} *{name}_data" for kind, name in self.outputs]
        parameters += [f"{NUMBERS[str(kind)]} {name}" for kind, name in self.numbers]
        parameters += ["long rows", "long length", *(f"long n{k}" for k in range(1, ndim))]
        parameters += [f"long {name}_{k}" for name in names for k in (*range(ndim), "step")]
        index = "uint32" if math.prod(self.rows) < 1 << 31 else "int64"  # divides faster
        body = [
            f"const int64 k{k} = row % {index}(n{k}); row /= {index}(n{k});"
            for k in range(ndim - 1, 0, -1)
        ]
        body.append("const int64 k0 = row;")
        for name in names:
            offset = " + ".join(f"k{k} * {name}_{k}" for k in range(ndim))
            body.append(f"auto *const {name}_row = {name}_data + ({offset});")
        expressions = {
            name: f"{name}_row[at]" if is_unit else f"{name}_row[at * {name}_step]"
            for name, is_unit in zip(names, has_unit_stride, strict=True)
        }
        for kind, name, is_row in self.operands:
            variable = _variable_type(kind)
            if is_row:
                body.append(f"const {variable} {name} = *{name}_row;")
            elif self.passes(name) > 1:  # in registers
                body.append(f"{variable} {name}_of[{self.each}];")
                body += _for_each_element(f"{name}_of[k] = {expressions[name]};")
                expressions[name] = f"{name}_of[k]"
        for stage in self.stages:
            body += getattr(self, stage.kind)(stage, expressions)
        return _SOURCE.format(
            headers=self.headers,
            name=self.name,
            index=index,
            parameters=", ".join(parameters),
            team=self.team,
            each=self.each,
            full=_bool(self.each * self.team == self.n),
            exact=_bool(math.prod(self.rows) * self.team % self.group == 0),
            body="\n  ".join(body),
        )

    def passes(self, name):
        """Return the number of passes over a row that read an operand."""
        return sum(
            2 if stage.function in ("var", "std") else 1
            for stage in self.stages
            if name in stage.used
        )

    def reduction(self, stage, expressions):
        """Return the statements of a reduction."""
        function, result = stage.function, type_name(stage.result)
        if function in ("var", "std"):
            mean = f"{stage.variable}_mean"
            total = self.reduced(stage, expressions, "sum", "e")
            body = [f"const {result} {mean} = {total} / {result}(length);"]
            deviation = f"(e - {mean}) * (e - {mean})"
            value = self.reduced(stage, expressions, "sum", deviation)
            value = f"{value} / {result}(length - {stage.keywords['correction']})"
            value = f"Sqrt()({value})" if function == "std" else value
        else:
            body, value = [], self.reduced(stage, expressions, function)
            value = f"{value} / {result}(length)" if function == "mean" else value
        body.append(f"const {_variable_type(stage.result)} {stage.variable} = {result}({value});")
        return body + self.store_of_row(stage)

    def reduced(self, stage, expressions, function, value=None):
        """Return the expression for a reduction of all elements."""
        _, part, own, combined, neutral = reduction_rule(function, stage.element, stage.result)
        return _REDUCTION.format(
            part=type_name(part),
            combined=combined,
            neutral=neutral,
            lines="\n      ".join(self.reads(stage, expressions) + stage.lines),
            element=type_name(stage.element),
            name=stage.names[0],
            value=own if value is None else value,
            group=self.group,
        )

    def reads(self, stage, expressions):
        """Return the statements that read the operands of an element."""
        return [
            f"const {_variable_type(kind)} {name} = {expressions[name]};"
            for kind, name, is_row in self.operands
            if not is_row and name in stage.used
        ]

    def row(self, stage, expressions):
        """Return the statements of a value of the row."""
        lines, kind = "\n    ".join(stage.lines), _variable_type(stage.element)
        value = f"[&] () USMTENSOR_INLINE_LAMBDA {{ {lines} return {kind}({stage.names[0]}); }}()"
        return [f"const {kind} {stage.variable} = {value};", *self.store_of_row(stage)]

    def store_of_row(self, stage):
        if stage.outputs[0] is None:
            return []
        return [f"if (stores && lane == 0) *y{stage.outputs[0]}_row = {stage.variable};"]

    def elements(self, stage, expressions):
        """Return the statements of values of all elements."""
        stores = [
            f"if (stores && inside) {expressions[f'y{output}']} = {name};"
            for name, output in zip(stage.names, stage.outputs, strict=True)
            if output is not None
        ]
        if not stores:
            return []
        return _for_each_element(*self.reads(stage, expressions), *stage.lines, *stores)


def _for_each_element(*lines):
    return [
        "each_element([&](auto k, int at, bool inside) USMTENSOR_INLINE_LAMBDA {",
        *(f"  {line}" for line in lines),
        "});",
    ]


def _bool(value):
    return "true" if value else "false"
