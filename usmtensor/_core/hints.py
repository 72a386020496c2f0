"""Names of public modules: hints in the errors for missing names, and the paths in pickles."""

import re
import sys
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy


def _table(rows: str) -> dict[str, str]:
    """Return replacements by name; `{}` stands for the name itself."""
    found = (row.split(": ", 1) for row in rows.strip().splitlines())
    return {name: hint.replace("{}", name) for names, hint in found for name in names.split()}


# Functions of NumPy, CuPy and torch, and their replacements.
FUNCTIONS = _table("""
tensor: asarray(x, copy=True)
as_tensor: asarray
cat: concat
chunk: x[start:stop]
permute: permute_dims
round_: round
flatten: reshape(x, -1)
movedim: moveaxis
mm bmm: matmul or vecdot
Tensor: usm_ndarray
div: divide
mul: multiply
sub: subtract
neg: negative
eq: equal
ne: not_equal
lt: less
le: less_equal
gt: greater
ge: greater_equal
clamp: clip
relu: maximum(x, 0)
sigmoid: special.expit
erf erfc erfcinv erfinv digamma psi gamma gammaln i0 expit logit: special.{}
softmax log_softmax softplus xlogy: special.{}
lgamma: special.gammaln
tgamma: special.gamma
equiv: x.shape == y.shape and all(x == y)
msort: sort(x, axis=0)
topk: top_k
in1d: isin
broadcast: broadcast_shapes
vectorize frompyfunc: fuse or ElementwiseKernel
logcumsumexp: cumulative_logsumexp
cummax cumulative_max: maximum.accumulate(x)
cummin cumulative_min: minimum.accumulate(x)
ndenumerate nditer: numpy.{}(asnumpy(x))
NaN NAN: nan
Inf Infinity: inf
cholesky det inv pinv qr solve svd: linalg.{}
norm: linalg.norm
rand: random.default_rng(seed).random(size)
randn: random.default_rng(seed).standard_normal(size)
randint: random.default_rng(seed).integers(low, high, size)
manual_seed: random.default_rng(seed)
memmap: load
poly1d: polyval
fromregex: asarray(numpy.{}(...))
longdouble float128: float64
clongdouble complex256: complex128
geterrcall getbufsize info seterrcall setbufsize show_config show_runtime: numpy.{}
busday_count busday_offset datetime_as_string datetime_data is_busday isnat: numpy.{}
test: numpy.{}
""")

# Methods of their arrays, and their replacements.
METHODS = _table("""
get numpy cpu: usmtensor.asnumpy(x)
mm: x @ y
permute: x.T, x.mT or usmtensor.permute_dims(x, axes)
base data: x.usm_data, which is all of the memory that x lies in
clone: x.copy()
masked_select: x[mask]
contiguous: usmtensor.asarray(x, order="C")
dim: x.ndim
dump: pickle.dump(x, file)
dumps: pickle.dumps(x)
expand: usmtensor.broadcast_to(x, shape)
double float half int long: x.astype(dtype)
getfield setfield: x.view(dtype)
masked_fill: usmtensor.where(mask, value, x)
numel: x.size
permute_dims: usmtensor.permute_dims(x, axes)
resize: usmtensor.reshape(x, shape)
to: x.to_device(device) or x.astype(dtype)
H: x.mT.conj()
byteswap ctypes: usmtensor.asnumpy(x).{}
unsqueeze: usmtensor.expand_dims(x, axis)
""")

# Methods of NumPy's ufuncs, and their replacements.
UFUNCS = _table("""
accumulate at outer reduce reduceat: sum, prod, max, min, any or all
""")

# Functions of numpy.random and methods of its generators, and their replacements.
RANDOM = _table("""
ranf sample: random.random
random_integers: random.randint
manual_seed: random.seed
get_state set_state: copy.copy(random.RandomState(seed))
""")


def missing(
    where: str, name: str, owner: Any, hints: dict[str, str], library: Any = None
) -> AttributeError:
    """Return the error for a missing attribute.

    Parameters
    ----------
    where : str
        The owner in Python's words, such as "module 'usmtensor'".
    name : str
    owner : object
    hints : dict
        Replacements, by name.
    library : module, optional
        The module of NumPy whose functions take arrays of the host.

    Returns
    -------
    AttributeError
    """
    text, hint = f"{where} has no attribute {name!r}", hints.get(name)
    found = vars(numpy.random.Generator).get(name) if hints is RANDOM and name[0] != "_" else None
    if hint is None and callable(found):
        hint = f"random.default_rng(seed).{name}"
    if hint:
        is_name = re.fullmatch(r"(?!x\.|numpy\.|True|False)[\w.]+( or [\w.]+)*", hint)
        text += f": {'usmtensor calls it' if is_name else 'write'} {hint}"
    elif library is not None and name in library.__all__:
        found = vars(library).get(name)  # None for a module that getattr() would import
        text += (
            f": call {library.__name__}.{name} with usmtensor.asnumpy(x), a copy on the host"
            if callable(found) and not isinstance(found, type)
            else f": write {library.__name__}.{name}"
        )
    return AttributeError(text, name=name, obj=owner)


def of_module(
    where: str, hints: dict[str, str] | None = None, library: Any = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the functions `__getattr__` and `__dir__` of a public module.

    Functions from private modules get its name as their `__module__`, which pickles store.
    """
    module = sys.modules[where]
    for name in module.__all__:
        function = vars(module).get(name)
        is_function = isinstance(function, FunctionType | BuiltinFunctionType)
        if is_function and function.__module__.startswith("usmtensor._"):
            function.__module__ = where

    def getter(name: str) -> Any:
        raise missing(f"module {where!r}", name, module, hints or {}, library)

    return getter, lambda: sorted(module.__all__)
