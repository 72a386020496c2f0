from typing import Any, Final

from . import BinaryElementwiseFunc, UnaryElementwiseFunc, usm_ndarray
from ._core.typing import Axes, Casting, DType, KeepOrder, Operand, Out, Values

__all__: list[str]

digamma: Final[UnaryElementwiseFunc]
entr: Final[UnaryElementwiseFunc]
erf: Final[UnaryElementwiseFunc]
erfc: Final[UnaryElementwiseFunc]
erfcinv: Final[UnaryElementwiseFunc]
erfinv: Final[UnaryElementwiseFunc]
expit: Final[UnaryElementwiseFunc]
gamma: Final[UnaryElementwiseFunc]
gammaln: Final[UnaryElementwiseFunc]
i0: Final[UnaryElementwiseFunc]
i0e: Final[UnaryElementwiseFunc]
i1: Final[UnaryElementwiseFunc]
i1e: Final[UnaryElementwiseFunc]
kl_div: Final[BinaryElementwiseFunc]
log_expit: Final[UnaryElementwiseFunc]
log_ndtr: Final[UnaryElementwiseFunc]
logit: Final[UnaryElementwiseFunc]
ndtr: Final[UnaryElementwiseFunc]
ndtri: Final[UnaryElementwiseFunc]
psi: Final[UnaryElementwiseFunc]
rel_entr: Final[BinaryElementwiseFunc]
xlog1py: Final[BinaryElementwiseFunc]
xlogy: Final[BinaryElementwiseFunc]

def log_softmax(x: usm_ndarray, axis: Axes = None) -> usm_ndarray: ...
def logsumexp(
    a: usm_ndarray,
    axis: Axes = None,
    b: Operand | None = None,
    keepdims: bool = False,
    return_sign: bool = False,
) -> Any: ...
def softplus(
    x: usm_ndarray,
    out: Out = None,
    order: KeepOrder = "K",
    *,
    where: Values = True,
    dtype: DType = None,
    casting: Casting | None = None,
) -> usm_ndarray: ...
def softmax(x: usm_ndarray, axis: Axes = None) -> usm_ndarray: ...
