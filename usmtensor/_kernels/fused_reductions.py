"""Reductions at the end of fused functions: the elements and their reduction in one kernel."""

import numpy

import usmtensor._functions as usm
from usmtensor._kernels.reduction_kernel import ReductionKernel
from usmtensor._kernels.source import TYPES, find_code, has_calls

LEAST = 1 << 20  # elements: with fewer the front end takes longer than a second kernel
LEAST_ROW = 1 << 10  # elements of a result

_MAP = """[&] {{
{lines}
const {element} e = {name};
return reduced_t({value});
}}()"""


def _type(dtype):
    """The name of an element type in kernels/kernel.hpp."""
    return f"usmtensor::{TYPES[find_code(numpy.dtype(dtype))]}"


def _rule(name, element, result):
    """The reduction of partial results, their type, the value for an element e, the combination of
    two, and the value of no elements; None for reductions that only have kernels of their own."""
    if name in ("max", "min") and element.kind == "b":
        name = "any" if name == "max" else "all"
    nonzero = f"e != {_type(element)}(0)"
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
    # Means of integers, narrower results and complex factors have rules of their own.
    width = {"b": 0, "i": 0, "u": 0, "f": 1, "c": 2}
    if result.kind == "b" or width[result.kind] < width[element.kind]:
        return None
    if (name != "sum" and result.kind == "c") or (name == "mean" and element.kind != "f"):
        return None
    if result == "f2" and (name == "mean" or element != "f2"):
        return None
    part = "uint64" if result.kind in "iu" else str(result).replace("float16", "float32")
    name, sign, neutral = ("prod", "*", "1") if name == "prod" else ("sum", "+", "0")
    return name, part, f"convert<{_type(part)}>(e)", f"a {sign} b", neutral


def reduction_kernel(name, element, result, cpu, inputs, lines, last, preamble):
    """A kernel that reduces the value `last` of some statements; None if there is no such kernel,
    or two kernels are faster: a CPU's compiler vectorises no call within a work-item."""
    rule = _rule(name, element, result)
    if rule is None or (cpu and has_calls(*lines)):
        return None
    parts, part, value, combined, neutral = rule
    mapped = _MAP.format(lines="\n".join(lines), element=_type(element), name=last, value=value)
    final = part if name == "mean" else str(result)
    preamble = '#include "kernels/comparison.hpp"\n' + preamble
    kernel = ReductionKernel(
        inputs,
        f"{final} y",
        mapped,
        combined,
        f"y = {_type(final)}(a)",
        neutral,
        name,
        part,
        preamble,
    )
    kernel._traced, kernel._of_parts = True, getattr(usm, parts)
    return kernel
