"""Factorisations, equations and determinants, which libraries compute."""

from numbers import Real
from typing import Any, Literal, NamedTuple, overload

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._core.typing import ArrayOperand
from usmtensor._functions.arguments import named_in_errors, require_one_of
from usmtensor._libraries.dispatch import Routine, operand, serve_lapack
from usmtensor._linalg import factorisations
from usmtensor._runtime.arguments import number, wrong_value

__all__ = ["EigResult", "EighResult", "QRResult", "SVDResult", "SlogdetResult", "cholesky", "det"]
__all__ += ["eig", "eigh", "eigvals", "eigvalsh", "inv", "matrix_rank", "pinv", "qr", "slogdet"]
__all__ += ["solve", "svd", "svdvals"]

serve_lapack(factorisations)


class EigResult(NamedTuple):
    """The results of `eig`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> result = usm.linalg.eig(usm.asarray([[2.0, 0.0], [0.0, 3.0]]))
    >>> usm.real(result.eigenvalues)
    usm_ndarray([2., 3.])
    """

    eigenvalues: usm_ndarray
    eigenvectors: usm_ndarray


class EighResult(NamedTuple):
    """The results of `eigh`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> result = usm.linalg.eigh(usm.asarray([[2.0, 0.0], [0.0, 3.0]]))
    >>> result.eigenvalues
    usm_ndarray([2., 3.])
    """

    eigenvalues: usm_ndarray
    eigenvectors: usm_ndarray


class QRResult(NamedTuple):
    """The results of `qr`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> result = usm.linalg.qr(usm.asarray([[2.0, 1.0], [0.0, 3.0]]))
    >>> usm.abs(result.R)
    usm_ndarray([[2., 1.],
                 [0., 3.]])
    """

    Q: usm_ndarray
    R: usm_ndarray


class SlogdetResult(NamedTuple):
    """The results of `slogdet`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> result = usm.linalg.slogdet(usm.asarray([[2.0, 0.0], [0.0, -4.0]]))
    >>> result.sign
    usm_ndarray(-1.)
    """

    sign: usm_ndarray
    logabsdet: usm_ndarray


class SVDResult(NamedTuple):
    """The results of `svd`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> result = usm.linalg.svd(usm.asarray([[3.0, 0.0], [0.0, 4.0]]))
    >>> result.S
    usm_ndarray([4., 3.])
    """

    U: usm_ndarray
    S: usm_ndarray
    Vh: usm_ndarray


_cholesky = {
    False: Routine("cholesky", "mm->mm", "x"),
    True: Routine("cholesky", "mm->mm", "x", upper=True),
}
_det = Routine("det", "mm->", "x")
_LOWER = "the lower triangle of a matrix"
_eig = Routine("eig", "mm->m,mm", "cc", EigResult, finite="a matrix")
_eigh = Routine("eigh", "mm->m,mm", "rx", EighResult, finite=_LOWER)
_eigvals = Routine("eigvals", "mm->m", "c", finite="a matrix")
_eigvalsh = Routine("eigvalsh", "mm->m", "r", finite=_LOWER)
inverse_of = Routine("inv", "mm->mm", "x")
_qr = {
    "reduced": Routine("qr", "mn->mk,kn", "xx", QRResult),
    "complete": Routine("qr", "mn->mm,mn", "xx", QRResult, mode="complete"),
}
_slogdet = Routine("slogdet", "mm->,", "xr", SlogdetResult)
_solve = Routine("solve", "mm,mn->mn", "x")
_solve_vector = Routine("solve", "mm,m->m", "x")
_svd = {
    True: Routine("svd", "mn->mm,k,nn", "xrx", SVDResult, finite="a matrix"),
    False: Routine("svd", "mn->mk,k,kn", "xrx", SVDResult, finite="a matrix", full_matrices=False),
}
singular_values_of = Routine("svdvals", "mn->k", "r", finite="a matrix")


# Factorisations ----------------------------------------------------------------------------------


def cholesky(a: usm_ndarray, /, *, upper: bool = False) -> usm_ndarray:
    """Compute Cholesky factors of Hermitian positive definite matrices.

    Parameters
    ----------
    a : usm_ndarray
        An array of shape (..., M, M). Only the triangle of the result is read.
    upper : bool
        If True, return the factor U of a = U^H U, otherwise the factor L of a = L L^H.

    Returns
    -------
    usm_ndarray
        An array of the shape and type of `a`; the other triangle is zero.

    Raises
    ------
    LinAlgError
        If a matrix is not positive definite, or not square.
    TypeError
        If `a` is not an array of single or double precision.
    NotImplementedError
        If the device has no library.

    Notes
    -----
    Source: array API 2025.12, `linalg.cholesky`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.linalg.cholesky(usm.asarray([[4.0, 2.0], [2.0, 5.0]]))
    usm_ndarray([[2., 0.],
                 [1., 2.]])
    """
    return _cholesky[bool(upper)](a)


@overload
def qr(a: usm_ndarray, mode: Literal["reduced", "complete"] = "reduced") -> QRResult: ...


@overload
def qr(a: usm_ndarray, mode: Literal["r"] = ...) -> usm_ndarray: ...


def qr(
    a: usm_ndarray, mode: Literal["reduced", "complete", "r"] = "reduced"
) -> QRResult | usm_ndarray:
    """Compute the QR factorisation a = Q R of matrices.

    Parameters
    ----------
    a : usm_ndarray
        An array of shape (..., M, N).
    mode : {"reduced", "complete", "r"}
        Q has min(M, N) columns in mode "reduced", and M columns in mode "complete". The mode "r"
        returns only R, with min(M, N) rows.

    Returns
    -------
    Q, R : usm_ndarray
        Arrays of the type of `a`.

    Raises
    ------
    LinAlgError
        If `a` has fewer than two dimensions.
    ValueError
        If `mode` is unknown.
    TypeError
        If `a` is not an array of single or double precision.
    NotImplementedError
        If the device has no library.

    Notes
    -----
    Source: array API 2025.12, `linalg.qr`; the mode "r" as in numpy.linalg.qr.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.asarray([[1.0, 2.0], [3.0, 4.0]])
    >>> q, r = usm.linalg.qr(x)
    >>> usm.allclose(q @ r, x)
    usm_ndarray(True)
    """
    require_one_of(mode, ("reduced", "complete", "r"), "qr", "mode")
    factors: QRResult = _qr["complete" if mode == "complete" else "reduced"](a)
    return factors.R if mode == "r" else factors


@overload
def svd(
    a: usm_ndarray,
    full_matrices: bool = True,
    compute_uv: Literal[True] = True,
    hermitian: bool = False,
) -> SVDResult: ...


@overload
def svd(
    a: usm_ndarray, full_matrices: bool = True, *, compute_uv: bool, hermitian: bool = False
) -> SVDResult | usm_ndarray: ...


@named_in_errors
def svd(
    a: usm_ndarray,
    full_matrices: bool = True,
    compute_uv: bool = True,
    hermitian: bool = False,
) -> SVDResult | usm_ndarray:
    """Compute singular values and vectors of matrices: a = U diag(S) Vh.

    Parameters
    ----------
    a : usm_ndarray
        An array of shape (..., M, N).
    full_matrices : bool
        If True, U and Vh are square. Otherwise they have min(M, N) columns and rows.
    compute_uv : bool
        If True, compute U and Vh. Otherwise the result is S, as from `svdvals`.
    hermitian : bool
        Accepted for compatibility, and ignored: all matrices are decomposed in the same way.

    Returns
    -------
    U, S, Vh : usm_ndarray
        S is real, of shape (..., min(M, N)), in descending order. U and Vh have the type of `a`.

    Raises
    ------
    LinAlgError
        If `a` has fewer than two dimensions, infinities or NaN, or the iteration does not converge.
    TypeError
        If `a` is not an array of single or double precision.
    NotImplementedError
        If the device has no library.

    Notes
    -----
    Source: array API 2025.12, `linalg.svd`; `compute_uv` as in numpy.linalg.svd.

    Examples
    --------
    >>> import usmtensor as usm
    >>> u, s, vh = usm.linalg.svd(usm.asarray([[3.0, 0.0], [0.0, 4.0]]))
    >>> s
    usm_ndarray([4., 3.])
    """
    return _svd[bool(full_matrices)](a) if compute_uv else singular_values_of(a, function="svd")


def svdvals(x: usm_ndarray, /) -> usm_ndarray:
    """Compute singular values of matrices.

    Parameters
    ----------
    x : usm_ndarray
        An array of shape (..., M, N).

    Returns
    -------
    usm_ndarray
        Real, of shape (..., min(M, N)), in descending order.

    Raises
    ------
    LinAlgError, ValueError, TypeError, NotImplementedError
        As from `svd`.

    Notes
    -----
    Source: array API 2025.12, `linalg.svdvals`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.linalg.svdvals(usm.asarray([[3.0, 0.0], [0.0, 4.0]]))
    usm_ndarray([4., 3.])
    """
    return singular_values_of(x, argument="x")


# Eigenvalues -------------------------------------------------------------------------------------


def eig(a: usm_ndarray) -> EigResult:
    """Compute eigenvalues and eigenvectors of matrices.

    Parameters
    ----------
    a : usm_ndarray
        An array of shape (..., M, M).

    Returns
    -------
    eigenvalues, eigenvectors : usm_ndarray
        Complex arrays of shapes (..., M) and (..., M, M), of the precision of `a`. Each column of
        the latter is an eigenvector.

    Raises
    ------
    LinAlgError
        If a matrix has infinities or NaN, or is not square; or if the iteration does not converge.
    TypeError
        If `a` is not an array of single or double precision.
    NotImplementedError
        If the device has no library.

    Notes
    -----
    Source: array API 2025.12, `linalg.eig`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> values, vectors = usm.linalg.eig(usm.asarray([[0.0, -1.0], [1.0, 0.0]]))
    >>> values
    usm_ndarray([0.+1.j, 0.-1.j])
    """
    return _eig(a)


def eigvals(a: usm_ndarray) -> usm_ndarray:
    """Compute eigenvalues of matrices.

    Parameters
    ----------
    a : usm_ndarray
        An array of shape (..., M, M).

    Returns
    -------
    usm_ndarray
        An array of shape (..., M), complex, of the precision of `a`.

    Raises
    ------
    LinAlgError, TypeError, NotImplementedError
        As from `eig`.

    Notes
    -----
    Source: array API 2025.12, `linalg.eigvals`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.linalg.eigvals(usm.asarray([[0.0, -1.0], [1.0, 0.0]]))
    usm_ndarray([0.+1.j, 0.-1.j])
    """
    return _eigvals(a)


def eigh(a: usm_ndarray, UPLO: Literal["L", "U"] = "L") -> EighResult:
    """Compute eigenvalues and eigenvectors of Hermitian matrices.

    Parameters
    ----------
    a : usm_ndarray
        An array of shape (..., M, M).
    UPLO : {"L", "U"}
        The triangle that is read: lower or upper.

    Returns
    -------
    eigenvalues, eigenvectors : usm_ndarray
        The eigenvalues are a real array of shape (..., M) in ascending order. The eigenvectors are
        the columns of an array of shape (..., M, M) and the type of `a`.

    Raises
    ------
    LinAlgError
        If the lower triangle has infinities or NaN; if a matrix is not square; or if the iteration
        does not converge.
    TypeError
        If `a` is not an array of single or double precision.
    NotImplementedError
        If the device has no library.

    Notes
    -----
    Source: array API 2025.12, `linalg.eigh`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> values, vectors = usm.linalg.eigh(usm.asarray([[2.0, 0.0], [0.0, 3.0]]))
    >>> values
    usm_ndarray([2., 3.])
    """
    return _eigh(_lower(a, UPLO, "eigh"))


def eigvalsh(a: usm_ndarray, UPLO: Literal["L", "U"] = "L") -> usm_ndarray:
    """Compute eigenvalues of Hermitian matrices.

    Parameters
    ----------
    a, UPLO
        As in `eigh`.

    Returns
    -------
    usm_ndarray
        A real array of shape (..., M) in ascending order.

    Raises
    ------
    LinAlgError, TypeError, NotImplementedError
        As from `eigh`.

    Notes
    -----
    Source: array API 2025.12, `linalg.eigvalsh`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.linalg.eigvalsh(usm.asarray([[3.0, 0.0], [0.0, 2.0]]))
    usm_ndarray([2., 3.])
    """
    return _eigvalsh(_lower(a, UPLO, "eigvalsh"))


def _lower(x: usm_ndarray, UPLO: Any, function: str) -> usm_ndarray:
    """Return matrices whose lower triangle is the triangle to read."""
    if not isinstance(UPLO, str) or UPLO not in ("L", "U", "l", "u"):
        raise wrong_value(UPLO, function, "UPLO", "'L' or 'U'")
    x = operand(x, function, "a")
    return _adjoint(x) if UPLO in "Uu" and x.ndim > 1 else x


# Equations ---------------------------------------------------------------------------------------


def solve(a: ArrayOperand, b: ArrayOperand) -> usm_ndarray:
    """Solve systems of linear equations a @ result = b.

    Parameters
    ----------
    a : usm_ndarray or numpy.ndarray
        An array of shape (..., M, M). At least one of the operands is a usm_ndarray.
    b : usm_ndarray or numpy.ndarray
        An array of shape (..., M, K); or (M,), a column whose axis is removed from the result. The
        leading axes broadcast.

    Returns
    -------
    usm_ndarray
        An array of shape (..., M, K) and the type to which the inputs promote.

    Raises
    ------
    LinAlgError
        If a matrix is singular, or not square.
    ValueError
        If the shapes do not match.
    TypeError
        If an operand is not an array of single or double precision.
    ExecutionPlacementError
        If the arrays are on different devices or in different contexts.
    NotImplementedError
        If the device has no library.

    Notes
    -----
    Source: array API 2025.12, `linalg.solve`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.linalg.solve(usm.asarray([[2.0, 0.0], [0.0, 4.0]]), usm.asarray([2.0, 2.0]))
    usm_ndarray([1. , 0.5])
    """
    return (_solve_vector if getattr(b, "ndim", 0) == 1 else _solve)(a, b)


def inv(a: usm_ndarray) -> usm_ndarray:
    """Compute inverses of matrices.

    Parameters
    ----------
    a : usm_ndarray
        An array of shape (..., M, M).

    Returns
    -------
    usm_ndarray
        An array of the shape and type of `a`.

    Raises
    ------
    LinAlgError
        If a matrix is singular, or not square.
    TypeError
        If `a` is not an array of single or double precision.
    NotImplementedError
        If the device has no library.

    Notes
    -----
    Source: array API 2025.12, `linalg.inv`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.linalg.inv(usm.asarray([[2.0, 0.0], [0.0, 4.0]]))
    usm_ndarray([[0.5 , 0.  ],
                 [0.  , 0.25]])
    """
    return inverse_of(a)


def pinv(
    a: usm_ndarray,
    rcond: float | usm_ndarray | None = None,
    hermitian: bool = False,
    *,
    rtol: float | usm_ndarray | None = None,
) -> usm_ndarray:
    """Compute Moore-Penrose pseudo-inverses of matrices.

    Parameters
    ----------
    a : usm_ndarray
        An array of shape (..., M, N).
    rcond, rtol : float or usm_ndarray, optional
        Singular values not larger than `rtol` times the largest are treated as zero. It may be an
        array for the matrices of a stack. `rcond` is NumPy's other name. Default: max(M, N) * eps.
    hermitian : bool
        Accepted for compatibility, and ignored.

    Returns
    -------
    usm_ndarray
        An array of shape (..., N, M) and the type of `a`.

    Raises
    ------
    LinAlgError, ValueError, TypeError, NotImplementedError
        As from `svd`.

    Notes
    -----
    Source: array API 2025.12, `linalg.pinv`; `rcond` as in numpy.linalg.pinv.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.linalg.pinv(usm.asarray([[2.0, 0.0], [0.0, 4.0], [0.0, 0.0]]))
    usm_ndarray([[0.5 , 0.  , 0.  ],
                 [0.  , 0.25, 0.  ]])
    """
    if rcond is not None and rtol is not None:
        raise ValueError("pinv: rcond and rtol are given; expected one of them")
    rtol = rcond if rtol is None else rtol
    u, s, vh = _svd[False](a, function="pinv")
    if not s.size:
        return usm.zeros_like(usm.matrix_transpose(a), dtype=u.dtype, order="C")
    inverses = usm.where(_nonzero_mask(s, rtol, a.shape, "pinv"), 1 / s, usm.zeros_like(s))
    return usm.matmul(_adjoint(vh) * inverses[..., None, :], _adjoint(u))


def _adjoint(x: usm_ndarray) -> usm_ndarray:
    return usm.matrix_transpose(usm.conj(x) if x.dtype.kind == "c" else x)


def _of_stack(value: Any, function: str, argument: str) -> Any:
    """Return a number, or an array of numbers for the matrices of a stack."""
    if isinstance(value, Real):
        return value
    return value[..., None] if hasattr(value, "ndim") else number(value, function, argument)


def _nonzero_mask(s: usm_ndarray, rtol: Any, shape: tuple[int, ...], function: str) -> usm_ndarray:
    """Return a mask of the singular values that are not treated as zero."""
    if rtol is None:
        rtol = max(shape[-2:]) * usm.finfo(s.dtype).eps
    else:
        rtol = _of_stack(rtol, function, "rtol")
    return s > usm.max(s, axis=-1, keepdims=True) * rtol


def matrix_rank(
    A: usm_ndarray,
    tol: float | usm_ndarray | None = None,
    hermitian: bool = False,
    *,
    rtol: float | usm_ndarray | None = None,
) -> usm_ndarray:
    """Compute the ranks of matrices: the numbers of singular values that are not zero.

    Parameters
    ----------
    A : usm_ndarray
        An array of shape (..., M, N). With fewer than two dimensions, the rank is 1 if an element
        is not zero.
    tol : float or usm_ndarray, optional
        Singular values up to this number are treated as zero. It may be an array for the matrices
        of a stack.
    hermitian : bool
        Accepted for compatibility, and ignored.
    rtol : float or usm_ndarray, optional
        As in `pinv`.

    Returns
    -------
    usm_ndarray
        An array of shape (...) and type int64.

    Raises
    ------
    LinAlgError, ValueError, TypeError, NotImplementedError
        As from `svd`.

    Notes
    -----
    Source: array API 2025.12, `linalg.matrix_rank`; `tol` as in numpy.linalg.matrix_rank.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.linalg.matrix_rank(usm.asarray([[1.0, 2.0], [2.0, 4.0]]))
    usm_ndarray(1)
    """
    if tol is not None and rtol is not None:
        raise ValueError("matrix_rank: tol and rtol are given; expected one of them")
    if isinstance(A, usm_ndarray) and A.ndim < 2:
        return usm.count_nonzero(usm.any(A))
    s = singular_values_of(A, function="matrix_rank", argument="A")
    if s.shape[-1] == 0:
        return usm.count_nonzero(s, axis=-1)
    if tol is not None:
        return usm.count_nonzero(s > _of_stack(tol, "matrix_rank", "tol"), axis=-1)
    return usm.count_nonzero(_nonzero_mask(s, rtol, A.shape, "matrix_rank"), axis=-1)


def det(a: usm_ndarray) -> usm_ndarray:
    """Compute determinants of matrices.

    Parameters
    ----------
    a : usm_ndarray
        An array of shape (..., M, M).

    Returns
    -------
    usm_ndarray
        An array of shape (...) and the type of `a`.

    Raises
    ------
    LinAlgError
        If a matrix is not square.
    TypeError
        If `a` is not an array of single or double precision.
    NotImplementedError
        If the device has no library.

    Notes
    -----
    Source: array API 2025.12, `linalg.det`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.linalg.det(usm.asarray([[2.0, 0.0], [1.0, 3.0]]))
    usm_ndarray(6.)
    """
    return _det(a)


def slogdet(a: usm_ndarray) -> SlogdetResult:
    """Compute signs and logarithms of determinants, which do not overflow.

    Parameters
    ----------
    a : usm_ndarray
        An array of shape (..., M, M).

    Returns
    -------
    sign, logabsdet : usm_ndarray
        Arrays of shape (...). The sign has the type of `a` and the absolute value 1, or 0 if the
        determinant is 0. `logabsdet` is the real natural logarithm of the absolute value.

    Raises
    ------
    LinAlgError, TypeError, NotImplementedError
        As from `det`.

    Notes
    -----
    Source: array API 2025.12, `linalg.slogdet`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> sign, logarithm = usm.linalg.slogdet(usm.asarray([[2.0, 0.0], [0.0, -4.0]]))
    >>> sign * usm.exp(logarithm)
    usm_ndarray(-8.)
    """
    return _slogdet(a)
