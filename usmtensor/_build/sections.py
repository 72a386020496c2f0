"""Sections that docstrings of extension modules share. A line <name> stands for one."""

import re
import textwrap

TEXT = """
<new_array>
dtype : data type, optional
    Default: the device's default floating point type.
order : {"C", "F"}
    The memory order of the axes.
device : Device, SyclQueue, SyclDevice or filter selector string, optional
    Where the array lives. Default: the default device.
usm_type : {"device", "shared", "host"}
    The kind of its USM memory.
sycl_queue : SyclQueue, optional
    The queue of the array, in place of `device`.

Returns
-------
usm_ndarray

Raises
------
ValueError
    If an extent is negative, or `order` or `usm_type` is unknown.
USMAllocationError
    If the device does not have enough memory.
<outs>
*outs : usm_ndarray or None
    Arrays for the results, in place of `out`.
out : tuple of two usm_ndarray or None, optional
    Arrays for the results; they may overlap the operands.
<placed>
device : Device, SyclQueue, SyclDevice or filter selector string, optional
    Where the array lives. Default: the device of an array among the operands, or the default
    device.
usm_type : {"device", "shared", "host"}
    The kind of its USM memory.
sycl_queue : SyclQueue, optional
    The queue of the array, in place of `device`.
<result_of_full>
Returns
-------
usm_ndarray

Raises
------
ValueError
    If an extent is negative, `order` or `usm_type` is unknown, or `fill_value` does not
    broadcast.
TypeError
    If `fill_value` is neither a number nor an array.
USMAllocationError
    If the device does not have enough memory.
<array_like_another>
dtype : data type, optional
    Default: as of `x`.
order : {"K", "C", "F", "A"}
    The memory order of the axes; "K" keeps the order of `x`.
shape : int or tuple of int, optional
    Default: as of `x`.
device : Device, SyclQueue, SyclDevice or filter selector string, optional
    Default: as of `x`.
usm_type : {"device", "shared", "host"}, optional
    Default: as of `x`.
sycl_queue : SyclQueue, optional
    Default: as of `x`.

Returns
-------
usm_ndarray

Raises
------
TypeError
    If `x` is not an array.
ValueError
    If `order` or `usm_type` is unknown.
USMAllocationError
    If the device does not have enough memory.
<memory>
Parameters
----------
obj : int, memory object, buffer or object with `__sycl_usm_array_interface__`
    A number of bytes (0 is allowed) to allocate; or memory to share, or to copy with
    ``copy=True``. Buffers are always copied.
alignment : int
    Alignment of a new allocation in bytes, a power of two; 0 means 64.
queue : SyclQueue, optional
    Default: the default queue, or the one of `obj`.
copy : bool
    Allocate and copy, also from another kind.

Raises
------
ValueError
    If `obj` is of another kind and `copy` is false, or has a bad interface.
USMAllocationError
    If the device does not have enough memory.

Notes
-----
Compatible with dpctl.memory.
<axis_of_reduction>
axis : int or tuple of int, optional
    The axes to reduce. Default: all axes.
<keepdims>
keepdims : bool
    Whether the result keeps the reduced axes, with extent 1.
<out>
out : usm_ndarray, optional
    An array for the result. It has the result's shape, and may overlap `x`. The result is
    converted to its type, if the rule *same_kind* allows that.
<dtype_of_sum>
dtype : data type, optional
    The elements are converted to this type first. Default: the type of `x`; for bools and
    integers smaller than the default integer type, that type or its unsigned variant.
<dtype_of_deviation>
dtype : data type, optional
    The elements are converted to this type first; a number in this position means `correction`,
    and the next positional argument is `keepdims` then.
<ddof>
ddof : float
    NumPy's name of `correction`.
<correction>
correction : float, optional
    The sum of squares is divided by the number of elements minus this number: 1 for a sample.
<initial>
initial : number, optional
    A value that counts as one more element.
<where>
where : usm_ndarray or numpy.ndarray, optional
    A mask of bools, which broadcasts to the shape of `x`: the elements that count.
<floating_dtype>
dtype : data type, optional
    The type of the result. Default: the type of `x`; for integers and bools the default
    floating point type. The elements are first converted to a real floating point type: to this
    one, or, if it is of another kind, to the default one.
<axis_of_scan>
axis : int, optional
    The axis to scan. It may be left out for an array of one dimension, and for a 0-D array,
    which counts as one element; without an initial value the result is 0-D then.
<errors_of_reduction>
TypeError
    If `x` is not an array, or an axis is not an integer.
ValueError
    If an axis is given twice, or `out` has another shape or is read-only.
AxisError
    If an axis is out of range.
<errors_of_extreme>
TypeError
    If `x` is not an array, or an axis is not an integer.
ValueError
    If there is no element to reduce, an axis is given twice, or `out` has another shape or is
    read-only.
AxisError
    If an axis is out of range.
<errors_of_real>
TypeError
    If `x` is not an array, or a complex one, or an axis is not an integer.
ValueError
    If an axis is given twice, or `out` has another shape or is read-only.
AxisError
    If an axis is out of range.
<errors_of_deviation>
TypeError
    If `x` is not an array, an axis is not an integer, or `correction` is not a number.
ValueError
    If an axis is given twice, or `out` has another shape or is read-only.
AxisError
    If an axis is out of range.
<errors_of_scan>
TypeError
    If `x` is not an array, or the axis is not an integer.
ValueError
    If `x` has several dimensions and no axis is given, or `out` has another shape or
    is read-only.
AxisError
    If the axis is out of range.
<errors_of_position>
TypeError
    If `x` is not an array, or the axis is not an integer.
ValueError
    If there is no element, or `out` has another shape or is read-only.
AxisError
    If the axis is out of range.
<errors_of_nearness>
TypeError
    If an operand is neither array nor number, or a tolerance is not a number.
ValueError
    If the shapes do not broadcast.
ExecutionPlacementError
    If no operand is an array, or the arrays are on different devices or in different contexts.
<errors_of_sort>
AxisError
    If the axis is out of range.
TypeError
    If `x` is not an array, or `descending` or `stable` is not a bool.
ValueError
    If `kind` is unknown.
<kind>
kind : {"stable", "radixsort", "mergesort", "quicksort", "heapsort"}, optional
    Accepted for NumPy and dpctl, and without effect: all sorts are stable.
<x_of_set>
x : usm_ndarray
    In it, each NaN differs from all other elements, and -0.0 equals 0.0.
<tolerances>
rtol, atol : float
    The relative tolerance, a factor of abs(x2), and the absolute tolerance.
equal_nan : bool
    Whether NaN is close to NaN.
"""
_parts = re.split(r"^<(\w+)>\n", TEXT, flags=re.MULTILINE)
SECTIONS = dict(zip(_parts[1::2], _parts[2::2], strict=True))


def _section(found):
    return textwrap.indent(SECTIONS[found[2]].rstrip(), found[1])


def filled(docstring):
    """A docstring with the sections: str."""
    return re.sub(r"^( *)<(\w+)>$", _section, docstring, flags=re.MULTILINE)


def fill_literals(code):
    """C++ code of Cython with the sections in its docstrings, which are one literal each: str."""

    def section(found):
        return r"\n" + _section(found).replace('"', r"\"").replace("\n", r"\n")

    def fill(line):
        # Two quotation marks split a long literal.
        return re.sub(r"\\n( *)<(\w+)>(?=\\n)", section, line[0].replace('""', ""))

    return re.sub(r"^.*PyDoc_STR(?:VAR)?\(.*<\w+>.*$", fill, code, flags=re.MULTILINE)
