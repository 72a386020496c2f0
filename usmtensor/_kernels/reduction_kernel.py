"""User-defined reductions."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any, SupportsIndex

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from usmtensor._core.array import usm_ndarray
from usmtensor._core.copy import astype
from usmtensor._functions.creation import empty
from usmtensor._functions.manipulation import (
    broadcast_shapes,
    broadcast_to,
    permute_dims,
    reshape,
)
from usmtensor._kernels.source import MARK, TYPES, compile_options, parameters
from usmtensor._kernels.user_kernels import ElementwiseKernel
from usmtensor._runtime.arguments import require
from usmtensor._runtime.dtypes import cpp_type, find_code

__all__ = ["ReductionKernel"]

# A work-item combines a block of elements through lanes. The numbers of elements and lanes define
# the bits of the result. On devices other than CPUs, neighbouring work-items read neighbouring
# elements. The last loop adds to `at`, because for an offset of k steps the AVX2 compiler reads
# element 0 again.
_BLOCK = 512

_STEP = """
  constexpr usmtensor::int64 reduced_team = {team}, reduced_all = reduced_team * {block};
  const usmtensor::int64 reduced_row = i / reduced_blocks * reduced_length;
  const usmtensor::int64 reduced_block = i % reduced_blocks;
  const usmtensor::int64 reduced_start = reduced_block / reduced_team * reduced_all;
  const usmtensor::int64 reduced_begin = reduced_start + reduced_block % reduced_team;
  const usmtensor::int64 reduced_end = reduced_start + reduced_all < reduced_length
                                        ? reduced_start + reduced_all : reduced_length;
  using reduced_t = {kind};
  auto reduced_both = [](reduced_t a, reduced_t b) -> reduced_t {{ return {reduce}; }};
  auto reduced_one = [&](usmtensor::int64 at) -> reduced_t {{ {read} return {map}; }};
  reduced_t lanes[16];
  for (int k = 0; k < 16; ++k)
    lanes[k] = {identity};
  usmtensor::int64 at = reduced_begin;
  for (; at + 15 * reduced_team < reduced_end; at += 16 * reduced_team)
    {lanes}
    for (int k = 0; k < 16; ++k)
      lanes[k] = reduced_both(lanes[k], reduced_one(reduced_row + at + k * reduced_team));
  {rest}
  for (int k = 0; k < 16; ++k)
    if (at < reduced_end) {{
      lanes[k] = reduced_both(lanes[k], reduced_one(reduced_row + at));
      at += reduced_team;
    }}
  for (int width = 8; width; width /= 2)
    for (int k = 0; k < width; ++k)
      lanes[k] = reduced_both(lanes[k], lanes[k + width]);
  const reduced_t a = lanes[0];
  {post};
"""


def _value(dtype):
    """Return the C++ type of a variable."""
    return f"usmtensor::Value<usmtensor::{cpp_type(find_code(dtype))}>"


def _team(queue):
    """Return the number of work-items that read neighbouring elements."""
    return 1 if queue.sycl_device.is_cpu else 64


class ReductionKernel:
    """A reduction from expressions in C++, compiled at its first call.

    Parameters
    ----------
    in_params, out_params : str
        Parameters as "T x, float32 y": a type and a name, as for ElementwiseKernel. None is raw.
    map_expr : str
        The value of an element, an expression of the inputs.
    reduce_expr : str
        The combination of two values `a` and `b`.
    post_map_expr : str
        Statements that assign the outputs from the combined value `a`.
    identity : str
        The neutral element of `reduce_expr`, which is the value of no elements.
    name : str
        The name of the kernel.
    reduce_type : str, optional
        The type of `a` and `b`: a data type or a letter. Default: the type of the first output.
    preamble : str
        C++ code before the kernel.
    options : sequence of str
        Additional compiler options.

    Raises
    ------
    TypeError, ValueError
        If a parameter has an unknown type or an invalid name, or is raw.

    Notes
    -----
    Compatible with cupy.ReductionKernel. Call it with the inputs, and optionally with the outputs,
    which may also be `out`. `axis` (an integer, a tuple or None for all) and `keepdims` are
    keywords. The order of the combinations depends only on the lengths of the axes, and on whether
    the device is a CPU.

    Examples
    --------
    >>> import usmtensor
    >>> norm = usmtensor.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
    >>> norm(usmtensor.asarray([[3.0, 4.0], [6.0, 8.0]]), axis=1)
    usm_ndarray([ 5., 10.])
    """

    _name = "kernel"  # for __repr__ if __init__ fails
    _traced = False  # see ElementwiseKernel
    _of_parts = None  # a function of the package that reduces partial results, if there is one

    def __init__(
        self,
        in_params: str,
        out_params: str,
        map_expr: str,
        reduce_expr: str,
        post_map_expr: str,
        identity: str,
        name: str = "kernel",
        reduce_type: str | None = None,
        preamble: str = "",
        *,
        options: Sequence[str] = (),
    ) -> None:
        function = "ReductionKernel"
        self._arguments = (in_params, out_params, map_expr, reduce_expr, post_map_expr, identity)
        self._arguments += (name, reduce_type, preamble)
        names = ("map_expr", "reduce_expr", "post_map_expr", "identity")
        for argument, text in zip(names, self._arguments[2:6], strict=True):
            require(text, str, function, argument)
        self._inputs = parameters(function, "in_params", in_params)
        self._outputs = parameters(function, "out_params", out_params)
        self._name = name
        self._options = compile_options(function, options)
        self._types = ElementwiseKernel(
            in_params, out_params, "", name, preamble, options=self._options
        )
        if any(p.raw for p in (*self._inputs, *self._outputs)):
            raise ValueError(f"{function}: a parameter is raw; expected none")
        self._kind = self._outputs[0]
        if reduce_type is not None:
            require(reduce_type, str, function, "reduce_type")
            (self._kind,) = parameters(function, "reduce_type", f"{reduce_type} a")
        self._steps = {}

    def __call__(
        self,
        *args: Any,
        axis: SupportsIndex | Sequence[SupportsIndex] | None = None,
        keepdims: bool = False,
        out: Any = None,
    ) -> Any:
        if out is not None:
            args += out if isinstance(out, tuple) else (out,)
        values, dtypes, queue, kind = self._types._arguments(args)
        nin, name = len(self._inputs), self._types.__name__
        arrays = [isinstance(x, usm_ndarray) for x in values[:nin]]
        shape = broadcast_shapes(*(x.shape for x in values[:nin] if isinstance(x, usm_ndarray)))
        axes = normalize_axis_tuple(range(len(shape)) if axis is None else axis, len(shape))
        kept = [k for k in range(len(shape)) if k not in axes]
        wanted = tuple(1 if k in axes else n for k, n in enumerate(shape) if keepdims or k in kept)
        length = math.prod(shape[k] for k in axes)
        rows = math.prod(shape[k] for k in kept)
        outs = values[nin:]
        for out in outs:
            if out.shape != wanted:
                raise ValueError(f"{name}: out has shape {out.shape}; expected {wanted}")
        letters = {
            p.letter: t for p, t in zip((*self._inputs, *self._outputs), dtypes, strict=True)
        }
        folded = self._kind
        part_type = letters.get(folded.letter) if folded.letter else np.dtype(TYPES[folded.code])
        if part_type is None:
            raise TypeError(f"{name}: no argument has the type {folded.letter} of reduce_type")
        data = [
            permute_dims(broadcast_to(x, shape), (*kept, *axes)) if is_array else x
            for x, is_array in zip(values[:nin], arrays, strict=True)
        ]
        first = True
        while True:
            blocks = max(-(-length // _BLOCK), 1)
            last = blocks == 1
            team = 1 if last else _team(queue)
            blocks = -(-blocks // team) * team
            key = (*(arrays if first else ()), *dtypes, part_type, first, last, team)
            step = self._steps.get(key)
            if step is None:
                step = self._steps[key] = self._step(arrays, dtypes, part_type, first, last, team)
            if last:
                outs = outs or [
                    empty(wanted, dtype=dtype, usm_type=kind, sycl_queue=queue)
                    for dtype in dtypes[nin:]
                ]
                step(*data, length, blocks, *outs)
                results = args[nin:] or outs
                return results[0] if len(results) == 1 else tuple(results)
            part = empty((rows, blocks), dtype=part_type, usm_type=kind, sycl_queue=queue)
            step(*data, length, blocks, part)
            if self._of_parts and not outs:
                found = astype(self._of_parts(part, axis=1), dtypes[nin], copy=False)
                return reshape(found, wanted)
            data, length, first = [part], blocks, False

    def _step(self, arrays, dtypes, part_type, first, last, team):
        """Return the kernel of a step: the first step reads the inputs, later steps read parts."""
        _, _, mapped, reduced, post, identity, name, _, preamble = self._arguments
        nin, taken, read = len(self._inputs), [], ""
        if first:
            for p, is_array, t in zip(self._inputs, arrays, dtypes[:nin], strict=True):
                taken.append(f"raw {t} raw_{p.name}" if is_array else f"{t} {p.name}")
                if is_array:
                    read += f"const {_value(t)} {p.name} = raw_{p.name}[at]; "
        else:
            taken, mapped = [f"raw {part_type} parts"], "parts[at]"
        outputs = [f"{t} {p.name}" for p, t in zip(self._outputs, dtypes[nin:], strict=True)]
        if not last:
            outputs, post = [f"{part_type} part"], "part = a"
        pairs = zip((*self._inputs, *self._outputs), dtypes, strict=True)
        letters = {p.letter: _value(t) for p, t in pairs if p.letter}
        elements = [np.dtype(t) for t in (part_type, *(dtypes[:nin] if first else ()))]
        # A loop is slower on CPUs for elements of one or two bytes, and for pairs of numbers.
        loop = team == 1 and all(t.itemsize >= 4 and t.kind != "c" for t in elements)
        # On GPUs an array stays in registers if all its indices are constants.
        rest = "USMTENSOR_UNROLL" if team > 1 else ""
        text = _STEP.format(
            lanes="USMTENSOR_LANES" if loop else rest,
            rest=rest,
            block=_BLOCK,
            team=team,
            kind=_value(part_type),
            reduce=reduced,
            read=read,
            map=mapped,
            identity=identity,
            post=post,
        )
        kernel = ElementwiseKernel(
            ", ".join([*taken, "int64 reduced_length", "int64 reduced_blocks"]),
            ", ".join(outputs),
            text,
            name,
            # The text starts on a new line, because it may begin with a directive.
            "".join(f"using {x} = {t};\n" for x, t in letters.items())
            + f"{MARK}preamble\n{preamble}",
            options=self._options,
        )
        kernel._cost, kernel._traced = _BLOCK, self._traced
        return kernel

    def __reduce__(self):
        return partial(ReductionKernel, options=self._options), self._arguments

    def __repr__(self):
        return f"<ReductionKernel {self._name!r}>"
