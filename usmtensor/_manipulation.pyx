"""Views: the elements of an array under another shape or order of axes."""

from libc.stdint cimport int64_t
from libcpp.vector cimport vector
from usmtensor._copy cimport copied
from usmtensor._keywords cimport integer, is_true, order_char, wrong_value
from usmtensor._operands cimport broadcast_shape
from usmtensor._shapes cimport complete_shape, extents_of, integers, shape_tuple
from usmtensor._usmarray cimport require_array, usm_ndarray
from usmtensor._views cimport (
    strided_view, axis_index, axis_indices, basic_view, broadcast_view, swapped_axes, reshaped,
)

__all__ = ["broadcast_arrays", "broadcast_shapes", "broadcast_to", "expand_dims", "flip",
           "matrix_transpose", "moveaxis", "permute_dims", "reshape", "squeeze", "swapaxes",
           "unstack"]


# Extents


def reshape(x, /, shape, *, order="C", copy=None):
    """The elements of an array under another shape.

    Parameters
    ----------
    x : usm_ndarray
    shape : int or tuple of int
        One extent may be -1: it follows from the size.
    order : {"C", "F", "A"}
        The order in which elements are read and placed; "A" is F for F-contiguous arrays.
    copy : bool, optional
        True: always a copy. False: never, ValueError where one is needed. None: where needed.

    Returns
    -------
    usm_ndarray
        A view where the strides allow one.

    Raises
    ------
    ValueError
        The shape holds another number of elements, or a copy is needed.

    Notes
    -----
    Source: array API 2025.12, `reshape`; `order` as in dpctl.tensor.reshape.
    """
    cdef usm_ndarray source = require_array(x, "reshape"), y
    cdef char letter = b"C" if order == "C" else order_char(order, "reshape")
    if letter == b"K":
        raise wrong_value(order, "reshape", "order", "'C', 'F' or 'A'")
    new_shape = complete_shape(shape, source.count(), "reshape")
    if letter == b"A":
        letter = b"F" if source.bits & 3 == 2 else b"C"
    if copy is None or not is_true(copy, "copy", "reshape"):
        y = reshaped(source, new_shape, letter)
        if y is not None:
            return y
        if copy is not None:
            raise ValueError(f"reshape: shape {source.shape} with strides {source.strides} has no "
                             f"view of shape {new_shape}; copy=False does not allow a copy")
    return reshaped(copied(source, source.code, letter, source.queue, None), new_shape, letter)


def expand_dims(x, /, axis=0):
    """A view with new axes of extent one.

    Parameters
    ----------
    x : usm_ndarray
    axis : int or tuple of int
        Where they are in the result; negative ones count from its end.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    AxisError
        An axis is out of range.
    ValueError
        An axis is given twice.

    Notes
    -----
    Source: array API 2025.12, `expand_dims`.
    """
    cdef usm_ndarray source = require_array(x, "expand_dims")
    given = integers(axis, "expand_dims", "axis")
    axes = axis_indices(given, source, "expand_dims", "axis", len(given))
    return basic_view(source, tuple([None if k in axes else slice(None)
                                     for k in range(source.rank + len(axes))]))


def squeeze(x, /, axis=None):
    """A view without axes of extent one.

    Parameters
    ----------
    x : usm_ndarray
    axis : int or tuple of int, optional
        Default: all axes of extent one.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    AxisError
        An axis is out of range.
    ValueError
        An axis has another extent, or is given twice.

    Notes
    -----
    Source: array API 2025.12, `squeeze`; the default as in dpctl.tensor.squeeze.
    """
    cdef usm_ndarray source = require_array(x, "squeeze")
    cdef int k
    if axis is None:
        axes = [k for k in range(source.rank) if source.extents[k] == 1]
    else:
        axes = axis_indices(axis, source, "squeeze")
    for k in axes:
        if source.extents[k] != 1:
            raise ValueError(f"squeeze: axis {k} of shape {source.shape} has extent "
                             f"{source.extents[k]}; expected 1")
    return basic_view(source, tuple([0 if k in axes else slice(None)
                                     for k in range(source.rank)]))


def broadcast_shapes(*shapes):
    """The shape that shapes broadcast to.

    Parameters
    ----------
    *shapes : tuple of int
        None at all give ().

    Returns
    -------
    tuple of int

    Raises
    ------
    ValueError
        They do not broadcast.

    Notes
    -----
    Source: array API 2025.12, `broadcast_shapes`.
    """
    return broadcast_shape([shape_tuple(shape, "broadcast_shapes") for shape in shapes],
                           "broadcast_shapes")


def broadcast_to(x, /, shape):
    """A read-only view of another shape, along whose new extents the elements repeat.

    Parameters
    ----------
    x : usm_ndarray
    shape : int or tuple of int

    Returns
    -------
    usm_ndarray

    Raises
    ------
    ValueError
        `x` does not broadcast to the shape.

    Notes
    -----
    Source: array API 2025.12, `broadcast_to`.
    """
    return _broadcast(require_array(x, "broadcast_to"), shape_tuple(shape, "broadcast_to"),
                      "broadcast_to")


cdef usm_ndarray _broadcast(usm_ndarray x, tuple shape, str function):
    cdef vector[int64_t] extents = extents_of(shape)
    return broadcast_view(x, <int>extents.size(), extents.data(), function)


def broadcast_arrays(*arrays):
    """Views of the shape that the arrays broadcast to.

    Parameters
    ----------
    *arrays : usm_ndarray

    Returns
    -------
    tuple of usm_ndarray
        Arrays of that shape as they are, read-only views of the others.

    Raises
    ------
    ValueError
        They do not broadcast.

    Notes
    -----
    Source: array API 2025.12, `broadcast_arrays`.
    """
    sources = [require_array(x, "broadcast_arrays", "one of arrays") for x in arrays]
    common = broadcast_shape(sources, "broadcast_arrays")
    return tuple([x if x.shape == common else _broadcast(x, common, "broadcast_arrays")
                  for x in sources])


# Axes


def flip(x, /, *, axis=None):
    """A view with the elements in reverse along axes.

    Parameters
    ----------
    x : usm_ndarray
    axis : int or tuple of int, optional
        Default: all axes.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    AxisError
        An axis is out of range.

    Notes
    -----
    Source: array API 2025.12, `flip`.
    """
    cdef usm_ndarray source = require_array(x, "flip")
    cdef int k
    axes = range(source.rank) if axis is None else axis_indices(axis, source, "flip")
    return basic_view(source, tuple([slice(None, None, -1) if k in axes else slice(None)
                                     for k in range(source.rank)]))


def permute_dims(x, /, axes):
    """A view with its axes in another order.

    Parameters
    ----------
    x : usm_ndarray
    axes : tuple of int
        A permutation of the axes; negative ones count from the end.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    AxisError
        An axis is out of range.
    ValueError
        `axes` is not a permutation.

    Notes
    -----
    Source: array API 2025.12, `permute_dims`.
    """
    cdef usm_ndarray source = require_array(x, "permute_dims")
    places = axis_indices(axes, source, "permute_dims", "axes")
    if len(places) != source.rank:
        raise wrong_value(axes, "permute_dims", "axes", f"a permutation of {source.rank} axes")
    return _permuted(source, places)


cdef usm_ndarray _permuted(usm_ndarray x, list axes):
    return strided_view(x, [x.extents[<int>axis] for axis in axes],
                    [x.extents[x.rank + <int>axis] for axis in axes])


def moveaxis(x, source, destination, /):
    """A view with some axes at other places, and the rest in their order.

    Parameters
    ----------
    x : usm_ndarray
    source, destination : int or tuple of int
        The axes, and where they are in the result; negative ones count from the end.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    AxisError
        An axis is out of range.
    ValueError
        The numbers of axes differ, or one is given twice.

    Notes
    -----
    Source: array API 2025.12, `moveaxis`.
    """
    cdef usm_ndarray array = require_array(x, "moveaxis")
    sources = integers(source, "moveaxis", "source")
    destinations = integers(destination, "moveaxis", "destination")
    sources = axis_indices(sources, array, "moveaxis", "source")
    destinations = axis_indices(destinations, array, "moveaxis", "destination")
    if len(sources) != len(destinations):
        raise ValueError(f"moveaxis: source and destination are {source} and {destination}; "
                         "expected as many axes of both")
    axes = [axis for axis in range(array.rank) if axis not in sources]
    for place, axis in sorted(zip(destinations, sources)):
        axes.insert(place, axis)
    return _permuted(array, axes)


def swapaxes(x, axis1, axis2):
    """A view with two axes exchanged.

    Parameters
    ----------
    x : usm_ndarray
    axis1, axis2 : int

    Returns
    -------
    usm_ndarray

    Raises
    ------
    AxisError
        An axis is out of range.

    Notes
    -----
    Compatible with dpctl.tensor.swapaxes.
    """
    cdef usm_ndarray source = require_array(x, "swapaxes")
    axis1, axis2 = integer(axis1, "swapaxes", "axis1"), integer(axis2, "swapaxes", "axis2")
    return swapped_axes(source, axis_index(axis1, source, "swapaxes"),
                     axis_index(axis2, source, "swapaxes"))


def matrix_transpose(x, /):
    """A view with the last two axes exchanged.

    Parameters
    ----------
    x : usm_ndarray
        Of two or more dimensions.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    ValueError
        Fewer than two dimensions.

    Notes
    -----
    Source: array API 2025.12, `matrix_transpose`.
    """
    return require_array(x, "matrix_transpose").mT


def unstack(x, /, *, axis=0):
    """The views that an array falls into along an axis.

    Parameters
    ----------
    x : usm_ndarray
    axis : int

    Returns
    -------
    tuple of usm_ndarray
        Of one dimension less.

    Raises
    ------
    AxisError
        The axis is out of range.

    Notes
    -----
    Source: array API 2025.12, `unstack`.
    """
    cdef usm_ndarray source = require_array(x, "unstack")
    cdef int along = axis_index(axis, source, "unstack")
    before = (slice(None),) * along
    return tuple([basic_view(source, (*before, i)) for i in range(source.extents[along])])
