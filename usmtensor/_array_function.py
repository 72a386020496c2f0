"""NumPy's functions other than ufuncs on arrays: `usm_ndarray.__array_function__`.

NumPy's function calls the equal function of usmtensor, for all USM kinds. There is no silent result
on the host.
"""

import inspect
from functools import cache, partial
from operator import attrgetter
from typing import Any

import numpy

from usmtensor import _usmarray

# NumPy's functions and their parameters in order, each with usmtensor's name if it differs. A
# parameter that usmtensor lacks is refused, unless it has its default value.
_TABLE = """
all: a axis out keepdims where
allclose: a b rtol atol equal_nan
amax = max: a axis out keepdims initial where
amin = min: a axis out keepdims initial where
any: a axis out keepdims where
argmax: a axis out keepdims
argmin: a axis out keepdims
argsort: a axis kind order stable
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
empty_like: prototype dtype order subok shape
expand_dims: a axis
extract: condition arr
fft.fft: a n axis norm out
fft.fftn: a s axes norm out
fft.fftshift: x axes
fft.hfft: a n axis norm out
fft.ifft: a n axis norm out
fft.ifftn: a s axes norm out
fft.ifftshift: x axes
fft.ihfft: a n axis norm out
fft.irfft: a n axis norm out
fft.irfftn: a s axes norm out
fft.rfft: a n axis norm out
fft.rfftn: a s axes norm out
flip: m axis
full_like: a fill_value dtype order subok shape
histogram: a bins range density weights
imag: val
interp: x xp fp left right period
isclose: a b rtol atol equal_nan
isin: element test_elements assume_unique invert kind
linalg.cholesky: a upper
linalg.cross: x1 x2 axis
linalg.det: a
linalg.diagonal: x offset
linalg.eig: a
linalg.eigh: a UPLO
linalg.eigvals: a
linalg.eigvalsh: a UPLO
linalg.inv: a
linalg.matmul: x1 x2
linalg.matrix_norm: x keepdims ord
linalg.matrix_power: a n
linalg.matrix_rank: A tol hermitian rtol
linalg.matrix_transpose: x
linalg.outer: x1 x2
linalg.pinv: a rcond hermitian rtol
linalg.qr: a mode
linalg.slogdet: a
linalg.solve: a b
linalg.svd: a full_matrices compute_uv hermitian
linalg.svdvals: x
linalg.tensordot: x1 x2 axes
linalg.trace: x offset dtype
linalg.vecdot: x1 x2 axis
linalg.vector_norm: x axis keepdims ord
matrix_transpose: x
max: a axis out keepdims initial where
mean: a axis dtype out keepdims where
median: a axis out overwrite_input keepdims
min: a axis out keepdims initial where
moveaxis: a source destination
nan_to_num: x copy nan posinf neginf
nonzero: a
ones_like: a dtype order subok shape
outer: a b out
permute_dims: a axes
prod: a axis dtype out keepdims initial where
ptp: a axis out keepdims
real: val
repeat: a repeats axis
reshape: a shape order copy
roll: a shift axis
round: a decimals out
searchsorted: a v side sorter
sort: a axis kind order stable
squeeze: a axis
stack: arrays axis
std: a axis dtype out ddof>correction keepdims where mean correction
sum: a axis dtype out keepdims initial where
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
var: a axis dtype out ddof>correction keepdims where mean correction
zeros_like: a dtype order subok shape
"""
# Functions that make an array beside the one of NumPy's keyword `like`.
_LIKE = {numpy.array, numpy.asarray, numpy.asanyarray}
# Some parameters that usmtensor lacks change the first argument instead.
_INSTEAD = {
    "dtype": lambda x, dtype: _own().astype(x, dtype, copy=False),
    "shape": lambda x, shape: _own().empty(
        shape, dtype=x.dtype, usm_type=x.usm_type, sycl_queue=x.sycl_queue
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
        self.names = [one.partition(">")[0] for one in parameters]
        self.renamed = dict(one.split(">") for one in parameters if ">" in one)
        own = inspect.signature(function).parameters
        self.known = set(own)
        self.by_place = sum(
            one.kind is one.POSITIONAL_ONLY
            or (one.kind is one.POSITIONAL_OR_KEYWORD and one.default is one.empty)
            for one in own.values()
        )

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if len(args) > len(self.names):
            raise TypeError(f"numpy.{self.name}: {len(args)} arguments; expected {len(self.names)}")
        given = _without_defaults(self.name, dict(zip(self.names, args, strict=False))) | keywords
        places = []
        for one in self.names[: self.by_place]:
            if one not in given:
                break
            places.append(given.pop(one))
        named = {}
        for name, value in given.items():
            own = self.renamed.get(name, name)
            if name in self.names and own in self.known:
                named[own] = value
            elif name in self.names and name in _INSTEAD:
                places[0] = _INSTEAD[name](places[0], value)
            else:
                raise TypeError(f"numpy.{self.name}: the keyword {name} is not supported")
        return self.function(*places, **named)


@cache
def _defaults(name: str) -> dict[str, Any]:
    """The default values of the parameters of a NumPy function."""
    try:
        parameters = inspect.signature(attrgetter(name)(numpy)).parameters.values()
    except ValueError:  # some functions in C have no signature
        return {}
    return {one.name: one.default for one in parameters if one.default is not one.empty}


def _without_defaults(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """Arguments by name, without the arguments that have their default value."""
    defaults = _defaults(name)
    return {
        one: value
        for one, value in given.items()
        if value is not numpy._NoValue
        and not (one == "subok" or (one == "where" and value is True))
        and not (one in defaults and type(value) is type(defaults[one]) and value == defaults[one])
    }


@cache
def _functions() -> dict[Any, Any]:
    """The replacements of NumPy's functions: a dict by function."""
    equals = {}
    for line in _TABLE.split("\n"):
        names, _, parameters = line.partition(":")
        name, _, own = names.partition(" = ")
        try:
            theirs, ours = attrgetter(name)(numpy), attrgetter(own or name)(_own())
        except AttributeError:  # NumPy is older
            continue
        equals[theirs] = _Equal(name, ours, parameters.split())
    from usmtensor import _numpy_functions

    for name, function in vars(_numpy_functions).items():
        if getattr(function, "__module__", "") == _numpy_functions.__name__ and name[0] != "_":
            equals[getattr(numpy, name)] = function
    return equals


def apply(
    function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any], like: Any = None
) -> Any:
    """The body of usm_ndarray.__array_function__ of the array `like`."""
    equal = _functions().get(function)
    if function in _LIKE:
        equal = None if like is None else partial(equal, like)
    name = f"{function.__module__}.{function.__name__}"
    if equal is None:
        raise TypeError(
            f"{name}: usmtensor has no such function, and never copies arrays to the host "
            "silently: use usmtensor.asnumpy()"
        )
    out = keywords.get("out")
    if out is not None and not isinstance(out, _usmarray.usm_ndarray):
        raise TypeError(
            f"{name}: out is of type {type(out).__name__}; expected usm_ndarray (for a result on "
            "the host use usmtensor.asnumpy())"
        )
    return equal(*arguments, **_without_defaults(name.removeprefix("numpy."), keywords))
