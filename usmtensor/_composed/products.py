"""Products with NumPy's arguments: vector products, and sums of products in Einstein's notation."""

import math
import string
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple, SupportsIndex, TypeAlias

import numpy
import numpy.typing as npt

import usmtensor._functions as usm
from usmtensor._core.array import bodies, usm_ndarray
from usmtensor._core.operands import as_arrays, copy_to_out
from usmtensor._core.typing import Axis, Out
from usmtensor._functions.arguments import (
    CASTINGS,
    axis_index,
    cast_operand,
    named_in_errors,
    require_one_of,
)
from usmtensor._functions.manipulation import diagonal_of
from usmtensor._runtime.arguments import integer, require, short_repr, wrong_value

__all__ = ["cross", "einsum", "einsum_path", "kron", "matvec", "vecmat"]

_Labels: TypeAlias = tuple[str, ...]
_LETTERS = string.ascii_uppercase + string.ascii_lowercase
_MAX_OPERANDS = 32
# The number of multiplications from which several products are faster than copies of the operands.
_LARGE_PRODUCT = 1 << 18


def einsum(
    subscripts: Any,
    /,
    *operands: Any,
    out: usm_ndarray | None = None,
    dtype: npt.DTypeLike | None = None,
    order: Literal["K", "A", "C", "F"] = "K",
    casting: Literal["no", "equiv", "safe", "same_kind", "unsafe"] = "safe",
    optimize: Any = True,
) -> usm_ndarray:
    """Compute sums of products of elements in Einstein notation.

    Parameters
    ----------
    subscripts : str
        A letter for each axis of each operand, with commas between the operands, such as
        ``"ij,jk->ik"``. The result has the axes after ``->``; all others are summed over. Without
        ``->`` the result has the letters that occur once, in alphabetical order. ``...`` stands for
        any number of axes, which broadcast. A letter that an operand repeats takes the diagonal.
        Instead of a string, operands and lists of integers from 0 to 51 may alternate: ``einsum(x,
        [0, 1], y, [1, 2], [0, 2])``.
    *operands : usm_ndarray, numpy.ndarray, sequence or number
        At least one of them is a usm_ndarray.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape, and may overlap operands.
    dtype : data type, optional
        The operands are converted to this type first. Default: the type that they promote to.
    order : {"K", "A", "C", "F"}
        The memory order of the result. "K" is the order in which it is computed.
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}
        The conversions to `dtype` that are allowed.
    optimize : bool, {"greedy", "optimal"}, or sequence
        The method that determines the order of the products. A path from `numpy.einsum_path` is
        used unchanged. False multiplies from left to right.

    Returns
    -------
    usm_ndarray
        A view if there is one operand and no sum.

    Raises
    ------
    ValueError
        If the subscripts do not match the operands; if extents of one letter differ and none is 1;
        or if `out` has another shape or is read-only.
    TypeError
        If an operand is neither an array nor a number, or `casting` does not allow a conversion.
    ExecutionPlacementError
        If no operand is a usm_ndarray, or the arrays are on different devices or in different
        contexts.

    Notes
    -----
    Operands are multiplied in pairs, by `matmul` if the pair is summed over an axis. Compatible
    with numpy.einsum, except that the default of `optimize` differs.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.reshape(usm.arange(6), (2, 3))
    >>> usm.einsum("ij,kj->ik", x, x)
    usm_ndarray([[ 5, 14],
                 [14, 50]])
    >>> usm.einsum("ij->j", x)
    usm_ndarray([3, 5, 7])
    """
    require_one_of(casting, CASTINGS, "einsum", "casting")
    if not isinstance(subscripts, str):
        subscripts, operands = _from_lists((subscripts, *operands))
    arrays = as_arrays("einsum", {f"operand {k}": x for k, x in enumerate(operands)})
    plan = _plan(subscripts, tuple([x.shape for x in arrays]))
    if dtype is not None or len({x.dtype for x in arrays}) > 1:
        target = usm.result_type(*arrays) if dtype is None else numpy.dtype(dtype)
        arrays = [cast_operand(x, target, casting, "einsum") for x in arrays]
    terms = [_simplify(x, labels) for x, labels in zip(arrays, plan.labels, strict=True)]
    result = _product(terms, plan.wanted, optimize)
    if result.ndim != len(plan.shape):
        result = usm.reshape(result, plan.shape)
    if order in ("C", "F"):
        result = usm.asarray(result, order=order)
    return copy_to_out(result, out, "einsum")


# Subscripts


class _Plan(NamedTuple):
    labels: list[_Labels]  # of each operand
    wanted: _Labels  # of the result, without axes of extent 1
    shape: tuple[int, ...]  # of the result


@lru_cache(maxsize=256)
def _plan(subscripts: str, shapes: tuple[tuple[int, ...], ...]) -> _Plan:
    labels, result = _labels(subscripts, tuple(map(len, shapes)))
    extents = _extents(subscripts, labels, shapes)
    shape = tuple(extents[k] for k in result)
    return _Plan(labels, tuple(k for k in result if extents[k] != 1), shape)


def _from_lists(arguments: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """Return the string and the operands, for operands that alternate with lists of integers."""
    if len(arguments) < 2:
        raise TypeError("einsum: no subscripts; expected a string, or a list after each operand")
    operands, lists = arguments[: len(arguments) // 2 * 2 : 2], arguments[1::2]
    text = ",".join(map(_letters, lists))
    return f"{text}->{_letters(arguments[-1])}" if len(arguments) % 2 else text, operands


def _letters(labels: Any) -> str:
    if isinstance(labels, usm_ndarray | numpy.ndarray):
        labels = labels.tolist()
    if not isinstance(labels, list | tuple):
        raise wrong_value(labels, "einsum", "subscripts", "a list of integers")
    words = []
    for label in labels:
        index = None if label is Ellipsis else integer(label, "einsum", "a subscript")
        if index is not None and not 0 <= index < len(_LETTERS):
            raise wrong_value(label, "einsum", "a subscript", f"0 to {len(_LETTERS) - 1}")
        words.append("..." if index is None else _LETTERS[index])
    return "".join(words)


def _split(subscripts: str, count: int) -> tuple[str, ...]:
    """Return the terms of the operands, and the term of the result if it is given."""
    text = "".join(subscripts.split())
    inputs, arrow, result = text.partition("->")
    terms = inputs.split(",")
    for term in (*terms, result):
        if set(term.replace("...", "", 1)) - set(_LETTERS):
            raise _wrong(subscripts, "letters, at most one '...' in each term, ',' and one '->'")
    if len(terms) != count:
        raise _wrong(subscripts, f"{count} terms for the {count} operands")
    if count > _MAX_OPERANDS:
        raise _wrong(subscripts, f"at most {_MAX_OPERANDS} operands")
    return (*terms, result) if arrow else tuple(terms)


def _wrong(subscripts: str, expected: str) -> Exception:
    error: Exception = wrong_value(subscripts, "einsum", "subscripts", expected)
    return error


def _labels(subscripts: str, ranks: tuple[int, ...]) -> tuple[list[_Labels], _Labels]:
    """Return a label for each axis of each operand and of the result.

    The axes of an ellipsis have numbers as labels, counted from the last axis.
    """
    terms = _split(subscripts, len(ranks))
    inputs, result = terms[: len(ranks)], terms[len(ranks) :]
    labels = []
    for term, rank in zip(inputs, ranks, strict=True):
        letters, ellipsis = term.replace("...", ""), "..." in term
        if len(letters) > rank or (len(letters) < rank and not ellipsis):
            raise _wrong(subscripts, f"{rank} letters, or an ellipsis, in the term {term!r}")
        labels.append(_axes_of(term, rank - len(letters)))
    broadcast = max((sum(k.isdigit() for k in own) for own in labels), default=0)
    found = [k for own in labels for k in own if not k.isdigit()]
    if not result:
        once = sorted(k for k in set(found) if found.count(k) == 1)
        return labels, (*_axes_of("...", broadcast), *once)
    wanted = _axes_of(result[0], broadcast)
    if broadcast and "..." not in result[0]:
        raise _wrong(subscripts, "an ellipsis in the result, as an operand has one")
    for k in result[0].replace("...", ""):
        if k not in found or wanted.count(k) > 1:
            raise _wrong(subscripts, f"{k!r} once in the result, and in an operand")
    return labels, wanted


def _axes_of(term: str, broadcast: int) -> _Labels:
    before, ellipsis, after = term.partition("...")
    numbers = [str(k) for k in range(broadcast)][::-1] if ellipsis else []
    return (*before, *numbers, *after)


def _extents(
    subscripts: str, labels: list[_Labels], shapes: tuple[tuple[int, ...], ...]
) -> dict[str, int]:
    """Return the extent of each label. Extents of 1 broadcast."""
    extents: dict[str, int] = {}
    for shape, own in zip(shapes, labels, strict=True):
        of_one: dict[str, int] = {}
        for k, extent in zip(own, shape, strict=True):
            known = extents.setdefault(k, extent)
            if known == 1:
                extents[k] = extent
            if extent not in (1, extents[k]) or of_one.setdefault(k, extent) != extent:
                raise ValueError(
                    f"einsum: subscripts are {short_repr(subscripts)}, and the operands have "
                    f"shapes {', '.join(map(str, shapes))}; expected equal extents for "
                    f"{'the ellipses' if k.isdigit() else repr(k)}"
                )
    return extents


# Products


class _Term:
    """An array with a different label for each axis, and no axis of extent 1."""

    def __init__(self, array: usm_ndarray, labels: _Labels):
        self.array, self.labels = array, labels
        self.extent_of = dict(zip(labels, array.shape, strict=True))

    def axes(self, labels: Sequence[str]) -> tuple[int, ...]:
        return tuple(map(self.labels.index, labels))

    def extents(self, labels: Sequence[str]) -> tuple[int, ...]:
        """Return the extents of labels; 1 for a missing label."""
        return tuple([self.extent_of.get(k, 1) for k in labels])

    def permute(self, labels: Sequence[str]) -> usm_ndarray:
        """Return a view with axes in the order of labels; missing labels have extent 1."""
        x = self.array
        if tuple(labels) == self.labels:
            return x
        own = [k for k in labels if k in self.labels]
        if tuple(own) != self.labels:
            x = usm.permute_dims(x, self.axes(own))
        if len(own) < len(labels):
            x = x[tuple(slice(None) if k in self.labels else None for k in labels)]
        return x

    def group_axes(self, *groups: Sequence[str]) -> usm_ndarray:
        """Return an array with one axis for each group of labels."""
        x = self.permute([k for group in groups for k in group])
        if all(len(group) == 1 for group in groups):
            return x
        return usm.reshape(x, tuple(math.prod(self.extents(group)) for group in groups))

    def by_stride(self, labels: Sequence[str]) -> list[str]:
        """Return the labels in memory order, in which merging the axes needs no copy."""
        if len(labels) < 2:
            return list(labels)
        strides = self.array.strides
        return sorted(labels, key=lambda k: -abs(strides[self.labels.index(k)]))

    def is_one_axis(self, labels: Sequence[str]) -> bool:
        """Return True if the axes with these labels can be merged without a copy."""
        strides = [self.array.strides[k] for k in self.axes(labels)]
        extents = self.extents(labels)
        return all(strides[k] == strides[k + 1] * extents[k + 1] for k in range(len(labels) - 1))

    def sum_except(self, kept: Sequence[str]) -> "_Term":
        """Sum over all labels that are not kept."""
        axes = self.axes([k for k in self.labels if k not in kept])
        if not axes:
            return self
        x = self.array
        x = usm.any(x, axis=axes) if x.dtype == "?" else usm.sum(x, axis=axes, dtype=x.dtype)
        return _Term(x, tuple(k for k in self.labels if k in kept))


def _simplify(x: usm_ndarray, labels: _Labels) -> _Term:
    """Return a view without repeated labels, broadcast axes and axes of extent 1."""
    for k in {*labels} if len({*labels}) < len(labels) else ():
        while labels.count(k) > 1:
            first = labels.index(k)
            second = labels.index(k, first + 1)
            x = diagonal_of(usm.moveaxis(x, (first, second), (-2, -1)), 0, "diagonal")
            labels = (*(one for at, one in enumerate(labels) if at not in (first, second)), k)
    if 1 in x.shape:
        labels = tuple(k for k, extent in zip(labels, x.shape, strict=True) if extent != 1)
        x = usm.squeeze(x)
    return _Term(x, labels)


def _product(terms: list[_Term], wanted: _Labels, optimize: Any) -> usm_ndarray:
    """Compute the sum of products, with the labels of the result."""
    for step in _path(terms, wanted, optimize):
        chosen = [terms[k] for k in step]
        terms = [term for k, term in enumerate(terms) if k not in step]
        while len(chosen) > 1:
            x, y, *chosen = chosen
            others = [*chosen, *terms]
            kept = {*wanted, *(k for term in others for k in term.labels)}
            chosen = [_pair(x, y, kept, wanted if not others else ()), *chosen]
        terms = [*terms, *chosen]
    return terms[0].sum_except(wanted).permute(wanted)


def _path(terms: list[_Term], wanted: _Labels, optimize: Any) -> list[tuple[int, ...]]:
    """Return the operands that each step multiplies. Products are appended to the operands."""
    if isinstance(optimize, list | tuple) and optimize and optimize[0] == "einsum_path":
        return _given_path(optimize[1:], len(terms))
    if len(terms) <= 2:
        return [tuple(range(len(terms)))]
    found = {k for term in terms for k in term.labels}
    if optimize is False or len(found) > len(_LETTERS):
        return [(0, 1), *[(len(terms) - 2 - k, 0) for k in range(len(terms) - 2)]]
    method = "greedy" if optimize is True else optimize
    shapes = tuple(term.array.shape for term in terms)
    try:
        return _found_path(tuple(term.labels for term in terms), wanted, shapes, method)
    except (KeyError, TypeError):
        expected = "a bool, 'greedy', 'optimal' or a path"
        raise wrong_value(optimize, "einsum", "optimize", expected) from None


def _given_path(steps: Sequence[Any], count: int) -> list[tuple[int, ...]]:
    path = []
    for step in steps:
        valid = isinstance(step, list | tuple) and all(isinstance(k, int) for k in step)
        if not valid or not step or len({*step}) < len(step) or not {*step} <= {*range(count)}:
            raise wrong_value(steps, "einsum", "optimize", "a path of indices of operands")
        path.append(tuple(step))
        count -= len(step) - 1
    return path if count == 1 else [*path, tuple(range(count))]


@lru_cache(maxsize=256)
def _found_path(
    labels: tuple[_Labels, ...], wanted: _Labels, shapes: tuple[tuple[int, ...], ...], method: Any
) -> list[tuple[int, ...]]:
    letters = dict(zip(dict.fromkeys(k for own in labels for k in own), _LETTERS, strict=False))
    words = ["".join(map(letters.__getitem__, own)) for own in (*labels, wanted)]
    # Broadcast one element to the right shapes, because the path depends only on shapes.
    operands = [numpy.broadcast_to(numpy.float64(0), shape) for shape in shapes]
    text = f"{','.join(words[:-1])}->{words[-1]}"
    return numpy.einsum_path(text, *operands, optimize=method)[0][1:]  # type: ignore[no-any-return]


def _pair(x: _Term, y: _Term, kept: set[str], wanted: _Labels) -> _Term:
    """Multiply two terms, and sum over the labels that are not kept."""
    x = x.sum_except([k for k in x.labels if k in kept or k in y.labels])
    y = y.sum_except([k for k in y.labels if k in kept or k in x.labels])
    left = [k for k in x.labels if k not in y.labels]
    right = [k for k in y.labels if k not in x.labels]
    both = [k for k in x.labels if k in y.labels]
    batch = [k for k in both if k in kept]
    summed = [k for k in both if k not in kept]
    if not summed:
        labels = wanted or (*batch, *left, *right)
        return _Term(usm.multiply(x.permute(labels), y.permute(labels)), labels)
    larger = x if x.array.size >= y.array.size else y
    summed, batch = larger.by_stride(summed), larger.by_stride(batch)
    if batch and not left and not right and larger.by_stride(both) != [*batch, *summed]:
        # The summed axes are not contiguous.
        labels = tuple(larger.by_stride(both))
        product = usm.multiply(x.permute(labels), y.permute(labels))
        return _Term(product, labels).sum_except(batch)
    left, right = x.by_stride(left), y.by_stride(right)
    if x.array.size * math.prod(y.extents(right)) >= _LARGE_PRODUCT:
        # Several products of strided matrices avoid copies of the operands.
        if not x.is_one_axis(left):
            batch, left = [*batch, left[0]], left[1:]
        elif not y.is_one_axis(right):
            batch, right = [*batch, right[0]], right[1:]
    groups = [[k] for k in batch]
    if left and not right and not batch:
        product = usm.matmul(x.group_axes(left, summed), y.group_axes(summed))
    elif right and not left and not batch:
        product = usm.matmul(x.group_axes(summed), y.group_axes(summed, right))
    elif batch and not left and not right:
        first = usm.conj(x.array) if x.array.dtype.kind == "c" else x.array  # vecdot conjugates
        x = _Term(first, x.labels)
        product = usm.vecdot(x.group_axes(*groups, summed), y.group_axes(*groups, summed))
    else:
        first, second = x.group_axes(*groups, left, summed), y.group_axes(*groups, summed, right)
        product = usm.matmul(first, second)
    labels = (*batch, *left, *right)
    if product.ndim != len(labels):
        product = usm.reshape(
            product,
            (*map(max, x.extents(batch), y.extents(batch)), *x.extents(left), *y.extents(right)),
        )
    return _Term(product, labels)


def einsum_path(*operands: Any, optimize: Any = "greedy") -> tuple[list[Any], str]:
    """Return the order in which `einsum` multiplies its operands, and a description.

    Parameters
    ----------
    *operands : str and usm_ndarray, or usm_ndarray and sequences of int
        As in `einsum`.
    optimize : bool, str or list
        The method that determines the order.

    Returns
    -------
    tuple of list and str
        The list is a value for the parameter `optimize` of `einsum`.

    Raises
    ------
    TypeError, ValueError
        As from numpy.einsum_path, for subscripts and shapes.

    Notes
    -----
    NumPy finds the path from the shapes. Compatible with numpy.einsum_path.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x, y = usm.ones((2, 3)), usm.ones((3, 4))
    >>> usm.einsum_path("ij,jk", x, y)[0]
    ['einsum_path', (0, 1)]
    """
    for one in operands:
        kinds = (str, list, tuple, usm_ndarray, numpy.ndarray)
        require(one, kinds, "einsum_path", "an operand", "array, str or sequence")
    first = optimize[0] if isinstance(optimize, list | tuple) and optimize else optimize
    if not isinstance(first, bool | str):
        expected = "a bool, 'greedy', 'optimal' or a path"
        raise wrong_value(optimize, "einsum_path", "optimize", expected)
    # Broadcast one element to the right shapes.
    shapes = [
        numpy.broadcast_to(one.dtype.type(0), one.shape) if isinstance(one, usm_ndarray) else one
        for one in operands
    ]
    try:
        path, text = numpy.einsum_path(*shapes, optimize=optimize)
    except (IndexError, KeyError, TypeError, ValueError) as error:
        error.args = (f"einsum_path: {error}",)
        raise
    return path, text


# Vector products


@named_in_errors
def cross(
    a: Any,
    b: Any,
    axisa: SupportsIndex = -1,
    axisb: SupportsIndex = -1,
    axisc: SupportsIndex = -1,
    axis: Axis = None,
) -> usm_ndarray:
    """Compute cross products of vectors of three elements: `linalg.cross` with NumPy's arguments.

    Parameters
    ----------
    a, b : usm_ndarray, numpy.ndarray or sequence
        Arrays of extent 3 along the axis; the other axes broadcast. One of them is a usm_ndarray.
    axisa, axisb, axisc : int
        The axes of the vectors in `a`, in `b` and in the result.
    axis : int, optional
        If given, it replaces `axisa`, `axisb` and `axisc`.

    Returns
    -------
    usm_ndarray
        An array of the type that the inputs promote to.

    Raises
    ------
    TypeError
        If an operand is not an array of numbers.
    AxisError
        If an axis is out of range.
    ValueError
        If the extent along an axis is not 3, or the shapes do not match.

    Notes
    -----
    Compatible with numpy.cross, except for vectors of two elements.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.cross(usm.asarray([1, 0, 0]), [0, 1, 0])
    usm_ndarray([0, 0, 1])
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = as_arrays("cross", {"a": a, "b": b})
    x, y = _vectors_last(x, axisa, "a"), _vectors_last(y, axisb, "b")
    result = bodies.namespace.linalg.cross(x, y, axis=-1)
    return usm.moveaxis(result, -1, axis_index(axisc, result.ndim, "cross", "axisc"))


def _vectors_last(x: usm_ndarray, axis: Any, name: str) -> usm_ndarray:
    """Move the axis of vectors of three elements to the end."""
    index = axis_index(axis, x.ndim, "cross", f"axis{name}")
    if x.shape[index] != 3:
        raise wrong_value(x.shape, "cross", f"{name}.shape", f"3 elements along axis {axis}")
    return usm.moveaxis(x, index, -1)


def kron(a: Any, b: Any) -> usm_ndarray:
    """Compute the Kronecker product: copies of `b`, each multiplied by an element of `a`.

    Parameters
    ----------
    a, b : usm_ndarray, numpy.ndarray, sequence or number
        One of them is a usm_ndarray.

    Returns
    -------
    usm_ndarray
        The extent of each axis is the product of both extents. The array of fewer dimensions gets
        leading axes.

    Raises
    ------
    TypeError
        If an operand is neither an array nor a number.
    ExecutionPlacementError
        If no operand is a usm_ndarray, or the arrays are on different devices or in different
        contexts.

    Notes
    -----
    Compatible with numpy.kron.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.kron(usm.asarray([1, 10]), usm.asarray([1, 2]))
    usm_ndarray([ 1,  2, 10, 20])
    """
    x, y = as_arrays("kron", {"a": a, "b": b})
    ndim = max(x.ndim, y.ndim)
    left, right = ((1,) * (ndim - z.ndim) + z.shape for z in (x, y))
    blocks = usm.reshape(x, tuple(extent for n in left for extent in (n, 1)))
    tiles = usm.reshape(y, tuple(extent for n in right for extent in (1, n)))
    shape = tuple(n * m for n, m in zip(left, right, strict=True))
    return usm.reshape(usm.multiply(blocks, tiles), shape)


@named_in_errors
def matvec(x1: Any, x2: Any, /, out: Out = None) -> usm_ndarray:
    """Multiply matrices and vectors.

    Parameters
    ----------
    x1 : usm_ndarray or numpy.ndarray
        Matrices, in the last two axes.
    x2 : usm_ndarray or numpy.ndarray
        Vectors, in the last axis. `x1` or `x2` is a usm_ndarray; the other axes broadcast.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape.

    Returns
    -------
    usm_ndarray
        Vectors, in the last axis.

    Raises
    ------
    TypeError
        If an operand is not an array.
    ValueError
        If the shapes do not match.

    Notes
    -----
    Compatible with numpy.matvec.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.matvec(usm.asarray([[1, 2], [3, 4]]), usm.asarray([1, 10]))
    usm_ndarray([21, 43])
    """
    x, y = as_arrays("matvec", {"x1": x1, "x2": x2})
    if x.ndim < 2 or y.ndim < 1:
        raise ValueError(f"shapes are {x.shape} and {y.shape}; expected matrices and vectors")
    return copy_to_out(usm.matmul(x, y[..., None])[..., 0], out, "matvec")


@named_in_errors
def vecmat(x1: Any, x2: Any, /, out: Out = None) -> usm_ndarray:
    """Multiply conjugated vectors and matrices.

    Parameters
    ----------
    x1 : usm_ndarray or numpy.ndarray
        Vectors, in the last axis.
    x2 : usm_ndarray or numpy.ndarray
        Matrices, in the last two axes. `x1` or `x2` is a usm_ndarray; the other axes broadcast.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape.

    Returns
    -------
    usm_ndarray
        Vectors, in the last axis.

    Raises
    ------
    TypeError, ValueError
        As from `matvec`.

    Notes
    -----
    Compatible with numpy.vecmat.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.vecmat(usm.asarray([1, 10]), usm.asarray([[1, 2], [3, 4]]))
    usm_ndarray([31, 42])
    """
    x, y = as_arrays("vecmat", {"x1": x1, "x2": x2})
    if x.ndim < 1 or y.ndim < 2:
        raise ValueError(f"shapes are {x.shape} and {y.shape}; expected vectors and matrices")
    x = usm.conj(x) if x.dtype.kind == "c" else x
    return copy_to_out(usm.matmul(x[..., None, :], y)[..., 0, :], out, "vecmat")
