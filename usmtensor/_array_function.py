"""What NumPy's functions other than ufuncs do with arrays: `usm_ndarray.__array_function__`.

A function that has an equal here stands for that, whatever the USM kind; there is no silent result
on the host.
"""

import inspect
from functools import cache
from typing import Any

import numpy

from usmtensor import _usmarray

# NumPy's functions, the parameters of NumPy that are known, and those of usmtensor where they have
# another name. What is not listed is refused, unless it is given its default value.
_TABLE = """
all: a axis out keepdims
allclose: a b rtol atol equal_nan
amax = max: a axis out keepdims
amin = min: a axis out keepdims
any: a axis out keepdims
argmax: a axis out keepdims
argmin: a axis out keepdims
argsort: a axis
average: a axis weights returned keepdims
bincount: x weights minlength
broadcast_to: array shape
clip: a a_min>min a_max>max out min max
concat: arrays axis
concatenate = concat: arrays axis
copy: a order
count_nonzero: a axis keepdims
cumulative_prod: x axis dtype out include_initial
cumulative_sum: x axis dtype out include_initial
diff: a n axis prepend append
digitize: x bins right
empty_like: prototype dtype order
expand_dims: a axis
extract: condition arr
flip: m axis
full_like: a fill_value dtype order
histogram: a bins range density weights
imag: val
interp: x xp fp left right period
isclose: a b rtol atol equal_nan
isin: element test_elements invert
matrix_transpose: x
max: a axis out keepdims
mean: a axis out keepdims
median: a axis out keepdims
min: a axis out keepdims
moveaxis: a source destination
nan_to_num: x copy nan posinf neginf
nonzero: a
ones_like: a dtype order
outer: a b out
permute_dims: a axes
prod: a axis dtype out keepdims
ptp: a axis out keepdims
real: val
repeat: a repeats axis
reshape: a shape order copy
roll: a shift axis
round: a
searchsorted: a v side sorter
sort: a axis
squeeze: a axis
stack: arrays axis
std: a axis correction keepdims
sum: a axis dtype out keepdims
swapaxes: a axis1 axis2
take_along_axis: arr indices axis
tensordot: a b axes
tile: A reps
tril: m k
triu: m k
unique_all: x
unique_counts: x
unique_inverse: x
unique_values: x
unstack: x axis
var: a axis correction keepdims
where: condition x y
zeros_like: a dtype order
"""
# What asks for attributes, or puts its arguments otherwise.
_OTHERS = {
    "broadcast_arrays": lambda *args: _own().broadcast_arrays(*args),
    "iscomplexobj": lambda x: x.dtype.kind == "c",
    "isrealobj": lambda x: x.dtype.kind != "c",
    "ndim": lambda a: a.ndim,
    "result_type": lambda *arrays_and_dtypes: _own().result_type(*arrays_and_dtypes),
    "shape": lambda a: a.shape,
    "size": lambda a, axis=None: a.size if axis is None else a.shape[axis],
    "take": lambda a, indices, axis=None, out=None: _own().take(
        a, indices, axis=axis, out=out, mode="raise"
    ),
    "transpose": lambda a, axes=None: _own().permute_dims(
        a, range(a.ndim)[::-1] if axes is None else axes
    ),
}


def _own() -> Any:
    import usmtensor

    return usmtensor


class _Equal:
    """A function that takes NumPy's arguments."""

    def __init__(self, name: str, function: Any, parameters: list[str]):
        self.name = name
        self.function = function
        self.parameters = parameters
        own = inspect.signature(function).parameters.values()
        self.by_place = sum(
            one.kind is one.POSITIONAL_ONLY
            or (one.kind is one.POSITIONAL_OR_KEYWORD and one.default is one.empty)
            for one in own
        )

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        names = [one.partition(">")[0] for one in self.parameters]
        if len(args) > len(names):
            raise TypeError(f"numpy.{self.name}: {len(args)} arguments; expected {len(names)}")
        given = dict(zip(names, args, strict=False)) | keywords
        given = {name: value for name, value in given.items() if value is not numpy._NoValue}
        places = []
        for one in self.parameters[: self.by_place]:
            if one not in given:
                break
            places.append(given.pop(one))
        if unknown := given.keys() - set(names):
            raise TypeError(f"numpy.{self.name}: the keyword {min(unknown)} is not supported")
        renamed = dict(one.split(">") for one in self.parameters if ">" in one)
        named = {renamed.get(name, name): value for name, value in given.items()}
        return self.function(*places, **named)


@cache
def _functions() -> dict[Any, Any]:
    """What stands for NumPy's functions, by these."""
    equals = {}
    for line in _TABLE.split("\n"):
        names, _, parameters = line.partition(":")
        name, _, own = names.partition(" = ")
        function = getattr(_own(), own or name, None)
        if function is not None and hasattr(numpy, name):
            equals[getattr(numpy, name)] = _Equal(name, function, parameters.split())
    for name, function in _OTHERS.items():
        equals[getattr(numpy, name)] = function
    return equals


def apply(function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """The body of usm_ndarray.__array_function__."""
    equal = _functions().get(function)
    name = f"{function.__module__}.{function.__name__}"
    if equal is None:
        raise TypeError(
            f"{name}: usmtensor has no such function, and does not copy arrays to the host by "
            "itself: use usmtensor.asnumpy()"
        )
    out = keywords.get("out")
    if out is not None and not isinstance(out, _usmarray.usm_ndarray):
        raise TypeError(
            f"{name}: out is of type {type(out).__name__}; expected usm_ndarray (for a result on "
            "the host use usmtensor.asnumpy())"
        )
    return equal(*arguments, **keywords)
