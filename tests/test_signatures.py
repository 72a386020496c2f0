"""Functions and methods with a name of NumPy or scipy.special have its parameters.

Their names, kinds, order and defaults agree, except for the differences in the tables below.
"""

import inspect
from operator import attrgetter

import numpy as np
import pytest
from checks import assert_same
from library import skip_without_library

import usmtensor as usm
import usmtensor.lib.stride_tricks

pytestmark = pytest.mark.any_memory

# Differences of a parameter in all functions, and the reason.
EVERYWHERE = {
    "like": "a device is chosen by `device`, `sycl_queue` or `default_device`",
    "subok": "results have the class usm_ndarray",
    "signature": "`dtype` chooses the loop of an elementwise function",
}
_STRUCTURED = {"order": "arrays have no fields"}
_PAIR = dict.fromkeys(
    ("where", "casting", "order", "dtype"), "choose them by an `out` of the shape and type"
)
_LAST = "matrices are along the last axes"
_PROMOTED = "the result has the type to which the operands promote"
_MATRICES = dict.fromkeys(("axes", "axis", "keepdims"), _LAST) | {"casting": _PROMOTED}
_VECTORS = _MATRICES | dict.fromkeys(("order", "dtype"), _PROMOTED)
_TOLERANCES = dict.fromkeys(
    ("rtol", "atol", "equal_nan"), "keyword-only: dpctl has atol before rtol"
)
_SECOND = "the second positional argument is `out`, unless it is a number"
_ROUND = {"decimals": _SECOND, "out": _SECOND}
_LIKE = {"shape": "keyword-only: NumPy has `subok` before it"}
_CLAMPED = {"mode": "indices out of range are clamped without a wait, as in dpctl"}
_TEXT = dict.fromkeys(("formatter", "legacy"), "elements are numbers, printed as in NumPy 2")
# Differences of parameters of one function, and the reason.
DIFFERENT = {
    "allclose": _TOLERANCES,
    "isclose": _TOLERANCES,
    "angle": {"deg": _SECOND},
    "around": _ROUND,
    "round": _ROUND,
    "clip": dict.fromkeys(("a_min", "a_max"), "the limits by position are `min` and `max`"),
    "argsort": _STRUCTURED,
    "argpartition": _STRUCTURED,
    "partition": _STRUCTURED,
    "sort": _STRUCTURED,
    "ndarray.argsort": _STRUCTURED,
    "ndarray.argpartition": _STRUCTURED,
    "ndarray.partition": _STRUCTURED,
    "ndarray.sort": _STRUCTURED,
    "array": {"ndmax": "it is for arrays of objects"},
    "array2string": _TEXT,
    "divmod": _PAIR,
    "frexp": _PAIR,
    "modf": _PAIR,
    "matmul": _MATRICES,
    "matvec": _VECTORS,
    "vecdot": dict.fromkeys(("axes", "keepdims"), "`axis` is the axis of both")
    | dict.fromkeys(("out", "casting", "order", "dtype"), _PROMOTED),
    "vecmat": _VECTORS,
    "einsum": {"optimize": "the order of the products is that of numpy.einsum_path"},
    "einsum_path": {"einsum_call": "it is for NumPy's own use"},
    "empty_like": _LIKE,
    "fix": {"x": "it is `trunc`, whose operand is positional in NumPy"},
    "full_like": _LIKE,
    "ones_like": _LIKE,
    "zeros_like": _LIKE,
    "ndarray": dict.fromkeys(("buffer", "offset", "strides"), "dpctl has them in another order"),
    "ndarray.astype": {"copy": "keyword-only: NumPy has `subok` before it"},
    "put": _CLAMPED,
    "take": _CLAMPED,
    "fft.fftfreq": {"device": "keyword-only, as in the array API standard"},
    "fft.rfftfreq": {"device": "keyword-only, as in the array API standard"},
    "random.Generator": {"bit_generator": "there is one generator; `default_rng` makes it"},
    "stride_tricks.as_strided": {"writeable": "keyword-only: NumPy has `subok` before it"},
}


def pairs():
    """The name of each common callable, ours and the other one."""
    scipy_special = pytest.importorskip("scipy.special")
    for prefix, ours, theirs in (
        ("", usm, np),
        ("linalg.", usm.linalg, np.linalg),
        ("fft.", usm.fft, np.fft),
        ("random.", usm.random, np.random),
        ("Generator.", usm.random.Generator, np.random.Generator),
        ("ndarray.", usm.usm_ndarray, np.ndarray),
        ("special.", usm.special, scipy_special),
        ("stride_tricks.", usm.lib.stride_tricks, np.lib.stride_tricks),
    ):
        for name in dir(ours):
            own, other = getattr(ours, name), getattr(theirs, name, None)
            if not name.startswith("_") and callable(own) and callable(other) and own is not other:
                yield prefix + name, own, other


PAIRS = {name: pair for name, *pair in pairs()}


def parameters(function):
    """The parameters, or None for a C function, which has no signature before NumPy 2.4."""
    try:
        return list(inspect.signature(function).parameters.values())
    except ValueError:
        return None


def is_same_default(own, other):
    """None, and NumPy's mark of a missing argument, may stand for any default."""
    if own is inspect.Parameter.empty:
        return False
    if own is other or None in (own, other) or np._NoValue in (own, other):
        return True
    types = (type, np.dtype)
    return own == other or (isinstance(other, types) and np.dtype(own) == np.dtype(other))


def differences(own, other):
    """Yield the name of each parameter of `other` with which a call of `own` differs."""
    by_name = {one.name: one for one in own}
    kinds = {one.kind for one in own}
    for place, one in enumerate(other):
        if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
            continue
        found = by_name.get(one.name)
        if one.kind is one.POSITIONAL_ONLY:
            found = own[place] if place < len(own) else None
        if found is None:
            if one.VAR_KEYWORD not in kinds:
                yield one.name
            continue
        by_position = one.kind is not one.KEYWORD_ONLY and one.VAR_POSITIONAL not in kinds
        by_keyword = one.kind is not one.POSITIONAL_ONLY
        if (
            (by_position and (found.kind is one.KEYWORD_ONLY or own.index(found) != place))
            or (by_keyword and found.kind is one.POSITIONAL_ONLY)
            or (one.default is not one.empty and not is_same_default(found.default, one.default))
        ):
            yield one.name


def test_functions_are_found():
    assert len(PAIRS) > 400
    assert {*DIFFERENT} <= {*PAIRS}


@pytest.mark.parametrize("name", PAIRS)
def test_parameters(name):
    """A difference that a table has is one: an entry is removed with its difference."""
    own, other = map(parameters, PAIRS[name])
    if other is None:
        pytest.skip("this version of the other library has no signature")
    found = {*differences(own, other)} - {*EVERYWHERE}
    expected = {*DIFFERENT.get(name, ())}
    assert found - expected == set(), "parameters that differ from those of the other library"
    assert (expected & {one.name for one in other}) - found == set(), "differences that are gone"


def test_parameters_everywhere_are_refused():
    """What makes no sense for these arrays raises an error that names the keyword."""
    for keyword in EVERYWHERE:
        for function in (usm.asarray, usm.concatenate, usm.add):
            with pytest.raises(TypeError, match=f"{function.__name__}.*{keyword}"):
                function(usm.ones(2), usm.ones(2), **{keyword: None})


# Calls by keyword

X = np.array([[3, 1, 2], [6, 5, 4]], "f4")
SQUARE = np.array([[2, 1], [1, 3]], "f4")
LINE = np.arange(3, dtype="f4")
INDICES = np.array([[2, 0, 1], [0, 1, 2]])


@pytest.mark.parametrize(
    "name, keywords",
    [
        ("sum", {"a": X, "axis": 0}),
        ("prod", {"a": X}),
        ("mean", {"a": X, "axis": 1, "keepdims": True}),
        ("max", {"a": X, "initial": 9.0}),
        ("any", {"a": X > 2, "axis": 0}),
        ("count_nonzero", {"a": X > 2}),
        ("std", {"a": X, "ddof": 1}),
        ("median", {"a": X, "axis": 0}),
        ("ptp", {"a": X}),
        ("average", {"a": X, "weights": LINE, "axis": 1}),
        ("histogram", {"a": X, "bins": 3}),
        ("argmax", {"a": X, "axis": 1}),
        ("diff", {"a": X, "n": 1}),
        ("sort", {"a": X, "axis": 0, "kind": "stable"}),
        ("argsort", {"a": X, "stable": None}),
        ("partition", {"a": X, "kth": 1, "kind": "introselect"}),
        ("searchsorted", {"a": LINE, "v": X, "side": "right"}),
        ("isin", {"element": X, "test_elements": LINE}),
        ("digitize", {"x": X, "bins": LINE}),
        ("interp", {"x": X, "xp": LINE, "fp": LINE}),
        ("nan_to_num", {"x": X, "nan": 1.0}),
        ("isclose", {"a": X, "b": X + 1e-9}),
        ("allclose", {"a": X, "b": X + 1}),
        ("clip", {"a": X, "a_min": 2, "a_max": 4}),
        ("round", {"a": X / 3, "decimals": 1}),
        ("real", {"val": X}),
        ("imag", {"val": X}),
        ("sinc", {"x": X}),
        ("isposinf", {"x": X * np.inf}),
        ("around", {"a": X / 3}),
        ("angle", {"z": X + 1j, "deg": True}),
        ("take", {"a": X, "indices": np.array([1, 0]), "axis": 1}),
        ("take_along_axis", {"arr": X, "indices": INDICES, "axis": 1}),
        ("extract", {"condition": X > 2, "arr": X}),
        ("nonzero", {"a": X > 2}),
        ("expand_dims", {"a": X, "axis": 1}),
        ("squeeze", {"a": X[None]}),
        ("broadcast_to", {"array": LINE, "shape": (2, 3)}),
        ("flip", {"m": X, "axis": 1}),
        ("permute_dims", {"a": X}),
        ("moveaxis", {"a": X, "source": 0, "destination": 1}),
        ("swapaxes", {"a": X, "axis1": 0, "axis2": 1}),
        ("roll", {"a": X, "shift": 1}),
        ("repeat", {"a": X, "repeats": 2}),
        ("tile", {"A": X, "reps": 2}),
        ("tril", {"m": X, "k": 1}),
        ("triu", {"m": X}),
        ("full_like", {"a": X, "fill_value": 2}),
        ("zeros_like", {"a": X}),
        ("ones_like", {"a": X}),
        ("copy", {"a": X, "order": "F"}),
        ("outer", {"a": LINE, "b": LINE}),
        ("tensordot", {"a": X, "b": X, "axes": 2}),
        ("dot", {"a": X, "b": LINE}),
        ("kron", {"a": X, "b": LINE}),
        ("stack", {"arrays": (X, X), "axis": -1}),
        ("linalg.solve", {"a": SQUARE, "b": SQUARE}),
        ("linalg.inv", {"a": SQUARE}),
        ("linalg.det", {"a": SQUARE}),
        ("linalg.slogdet", {"a": SQUARE}),
        ("linalg.eigvalsh", {"a": SQUARE}),
        ("linalg.svd", {"a": X, "compute_uv": False}),
        ("linalg.matrix_rank", {"A": X}),
        ("linalg.matrix_power", {"a": SQUARE, "n": 2}),
        ("linalg.pinv", {"a": X}),
        ("fft.fft", {"a": X, "n": 4}),
        ("fft.irfft", {"a": X, "axis": 0}),
        ("fft.fftn", {"a": X}),
        ("fft.fftshift", {"x": X, "axes": 0}),
    ],
)
def test_calls_by_keyword(name, keywords):
    ours = {key: on_device(value) for key, value in keywords.items()}
    if name.startswith(("linalg", "fft")):
        skip_without_library(usm.ones(1).sycl_device)
    found, expected = attrgetter(name)(usm)(**ours), attrgetter(name)(np)(**keywords)
    if not isinstance(expected, tuple):
        found, expected = [found], [expected]
    for one, other in zip(found, expected, strict=True):
        host = usm.asnumpy(usm.asarray(one))
        assert host.dtype.kind == np.asarray(other).dtype.kind
        np.testing.assert_allclose(host, other, rtol=1e-5, atol=1e-5)


def on_device(value):
    if isinstance(value, tuple) and isinstance(value[0], np.ndarray):
        return tuple(map(on_device, value))
    return usm.asarray(value) if isinstance(value, np.ndarray) else value


def test_matrices_have_numpys_keywords():
    for keywords in ({"N": 2, "dtype": "f4"}, {"N": 2, "M": 3, "k": 1, "dtype": "i4"}):
        for name in ("eye", "tri"):
            assert_same(getattr(usm, name)(**keywords), getattr(np, name)(**keywords))


@pytest.mark.parametrize(
    "name, keywords",
    [
        ("put", {"a": LINE, "ind": np.array([2, 0]), "v": np.array([7, 8], "f4")}),
        ("place", {"arr": LINE, "mask": LINE > 0, "vals": np.array([7, 8], "f4")}),
        ("put_along_axis", {"arr": X, "indices": INDICES, "values": X, "axis": 1}),
    ],
)
def test_changes_by_keyword(name, keywords):
    target, *_ = keywords
    ours = {key: on_device(value) for key, value in keywords.items()}
    theirs = keywords | {target: keywords[target].copy()}
    getattr(usm, name)(**ours)
    getattr(np, name)(**theirs)
    assert_same(ours[target], theirs[target])
