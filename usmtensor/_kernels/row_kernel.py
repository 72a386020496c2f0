"""Kernels for devices other than CPUs that reduce rows and use the results in the same rows."""

import math
from typing import NamedTuple

import numpy

from usmtensor._kernels.fused_reductions import merge_axes, reduction_rule, type_name
from usmtensor._kernels.user_kernels import RawKernel

MIN_GROUP, MAX_GROUP = 128, 256  # work-items; more might exceed the registers of a GPU
EACH, MAX_EACH = 8, 32  # elements of a row in the registers of a work-item
MAX_REGISTERS = 64  # elements of all operands
NUMBERS = {"int64": "long", "float32": "float", "float64": "double"}


class Stage(NamedTuple):
    """A part of the kernel: a reduction, a value of the row, or values of all its elements."""

    kind: str  # "reduction", "row" or "elements"
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
    each = -(-n // _team(n))
    return each <= MAX_EACH and each * operands <= MAX_REGISTERS


def _team(n):
    """Return the number of work-items for a row of n elements: a power of two."""
    team = 1
    while team < MAX_GROUP and team * EACH < n:
        team *= 2
    return team


def _variable_type(dtype):
    return "bool" if dtype.kind == "b" else type_name(dtype)


_SOURCE = """#include "kernels/local.hpp"
#include "kernels/comparison.hpp"
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
      f(k, at, {full} || at < length);
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
    each_element([&](auto k, int, bool inside) USMTENSOR_INLINE_LAMBDA {{
      {lines}
      const {element} e = {name};
      const reduced_t value = {value};
      a = both(a, inside ? value : {neutral});
    }});
    return all_in_team(team, a, local_memory<reduced_t, {group}>(), both);
  }}()"""


class RowKernel:
    """A kernel whose teams of work-items read a row once and compute all stages for it."""

    def __init__(self, name, shape, operands, numbers, outputs, stages, headers):
        """`operands` has a type, a name, and True for one value a row; `numbers` and `outputs` have
        types and names. The shape is that of all operands."""
        self.name, self.headers, self.rows, self.n = name, headers, shape[:-1], shape[-1]
        self.operands, self.numbers, self.outputs = operands, numbers, outputs
        self.stages = stages
        self.team = _team(self.n)
        self.group = max(self.team, MIN_GROUP)

    def __call__(self, kernels, arrays, numbers, outputs):
        """Run the kernel for views of the shape. `kernels` has raw kernels by their source."""
        strides = [x.strides for x in arrays + outputs]
        kept = merge_axes(self.rows, [one[:-1] for one in strides])
        source = self.source(len(kept[0]), [one[-1] == 1 for one in strides])
        if source not in kernels:
            kernels.setdefault(source, RawKernel(source, self.name, traced=True))
        rows = math.prod(self.rows)
        layout = [rows, self.n, *kept[0][1:]]
        layout += [n for one, own in zip(strides, kept[1], strict=True) for n in (*own, one[-1])]
        groups = -(-rows * self.team // self.group)
        kernels[source](groups * self.group, self.group, (*arrays, *outputs, *numbers, *layout))

    def source(self, ndim, is_dense):
        """Return the source for a number of axes of rows. `is_dense` tells for each operand whether
        the elements of its rows are adjacent."""
        index = "uint32" if math.prod(self.rows) < 1 << 31 else "int64"  # divides faster
        names = [name for _, name, _ in self.operands] + [name for _, name in self.outputs]
        parameters = [f"const {type_name(kind)} *{name}_data" for kind, name, _ in self.operands]
        parameters += [f"{type_name(kind)} *{name}_data" for kind, name in self.outputs]
        parameters += [f"{NUMBERS[str(kind)]} {name}" for kind, name in self.numbers]
        parameters += ["long rows", "long length", *(f"long n{k}" for k in range(1, ndim))]
        parameters += [f"long {name}_{k}" for name in names for k in (*range(ndim), "step")]
        body = [
            f"const int64 k{k} = row % {index}(n{k}); row /= {index}(n{k});"
            for k in range(ndim - 1, 0, -1)
        ] + ["const int64 k0 = row;"]
        for name in names:
            offset = " + ".join(f"k{k} * {name}_{k}" for k in range(ndim))
            body.append(f"auto *const {name}_row = {name}_data + ({offset});")
        for kind, name, is_row in self.operands:
            if is_row:
                body.append(f"const {_variable_type(kind)} {name} = *{name}_row;")
        elements = [(kind, name) for kind, name, is_row in self.operands if not is_row]
        each = -(-self.n // self.team)
        full = each * self.team == self.n
        places = {
            name: "at" if dense else f"at * {name}_step"
            for name, dense in zip(names, is_dense, strict=True)
        }
        body += [f"{_variable_type(kind)} {name}_of[{each}];" for kind, name in elements]
        body += self.for_each_element(
            "" if full else "at = inside ? at : length - 1;",
            *(f"{name}_of[k] = {name}_row[{places[name]}];" for _, name in elements),
        )
        for stage in self.stages:
            if stage.kind == "elements":
                body += self.values(stage, places)
            else:
                body += self.row(stage) if stage.kind == "row" else self.reduction(stage)
        return _SOURCE.format(
            headers=self.headers,
            name=self.name,
            index=index,
            parameters=", ".join(parameters),
            team=self.team,
            each=each,
            full="true" if full else "false",
            exact="true" if math.prod(self.rows) * self.team % self.group == 0 else "false",
            body="\n  ".join(body),
        )

    def for_each_element(self, *lines):
        return [
            "each_element([&](auto k, int at, bool inside) USMTENSOR_INLINE_LAMBDA {",
            *(f"  {line}" for line in lines),
            "});",
        ]

    def elements_of(self, stage):
        """Return the statements of a stage for one element."""
        names = [name for _, name, is_row in self.operands if not is_row]
        return [
            f"[[maybe_unused]] const auto {name} = {name}_of[k];" for name in names
        ] + stage.lines

    def reduction(self, stage):
        """Return the statements of a reduction."""
        function, result = stage.function, type_name(stage.result)
        if function in ("var", "std"):
            mean = f"{stage.variable}_mean"
            body = [
                f"const {result} {mean} = {self.reduced(stage, 'sum', 'e')} / {result}(length);"
            ]
            deviation = f"(e - {mean}) * (e - {mean})"
            divisor = f"{result}(length - {stage.keywords['correction']})"
            value = f"{self.reduced(stage, 'sum', deviation)} / {divisor}"
            value = f"Sqrt()({value})" if function == "std" else value
        else:
            body, value = [], self.reduced(stage, function)
            if function == "mean":
                value = f"{value} / {result}(length)"
        body.append(f"const {_variable_type(stage.result)} {stage.variable} = {result}({value});")
        return body + self.store_of_row(stage)

    def reduced(self, stage, function, value=None):
        """Return the expression for a reduction of all elements."""
        _, part, own, combined, neutral = reduction_rule(function, stage.element, stage.result)
        return _REDUCTION.format(
            part=type_name(part),
            combined=combined,
            neutral=neutral,
            lines="\n      ".join(self.elements_of(stage)),
            element=type_name(stage.element),
            name=stage.names[0],
            value=own if value is None else value,
            group=self.group,
        )

    def row(self, stage):
        """Return the statements of a value of the row."""
        lines = "\n    ".join(stage.lines)
        kind = _variable_type(stage.element)
        value = f"[&] () USMTENSOR_INLINE_LAMBDA {{ {lines} return {kind}({stage.names[0]}); }}()"
        return [f"const {kind} {stage.variable} = {value};", *self.store_of_row(stage)]

    def store_of_row(self, stage):
        if stage.outputs[0] is None:
            return []
        return [f"if (stores && lane == 0) *y{stage.outputs[0]}_row = {stage.variable};"]

    def values(self, stage, places):
        """Return the statements of values of all elements."""
        stores = [
            f"if (stores && inside) y{output}_row[{places[f'y{output}']}] = {name};"
            for name, output in zip(stage.names, stage.outputs, strict=True)
        ]
        return self.for_each_element(*self.elements_of(stage), *stores)
