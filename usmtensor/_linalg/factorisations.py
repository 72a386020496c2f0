"""oneMKL's LAPACK for `linalg`: commands in the queue of the arrays."""

import numpy
from numpy.linalg import LinAlgError

import usmtensor._functions as usm
from usmtensor._functions.manipulation import diagonal_of

_ERRORS = {
    "cholesky": "Matrix is not positive definite",
    "solve": "Singular matrix",
    "eigen": "Eigenvalues did not converge",
    "general": "Eigenvalues did not converge",
    "singular": "SVD did not converge",
}
_OF_HOST = {"eig", "eigvals"}
_SLOWER = {"det", "slogdet"}  # slower than NumPy, because they need several commands


def compute(routine, inputs, outputs):
    """Compute a routine into outputs, which have the right shapes and types."""
    if not all(x.size for x in inputs):
        results = map(_empty_result, outputs, routine.outputs, range(len(outputs)))
    else:
        if routine.finite:
            x = inputs[0] if routine.finite == "a matrix" else usm.tril(inputs[0])
            routine.require(usm.all(usm.isfinite(x)))  # waits
        results = globals()[f"_{routine.name}"](*inputs, **routine.keywords)
    for out, result in zip(outputs, results, strict=True):
        out[...] = usm.reshape(result, out.shape)  # solve returns a column for a vector


def serves(name, cpu, by_numpy):
    """Return True if oneMKL has a routine for a device that is not slower than NumPy's."""
    return not (by_numpy and name in _SLOWER) and (cpu or name not in _OF_HOST)


def _step(step, *operands, mode=0):
    """Run a LAPACK step in place. LU factors may be singular."""
    from usmtensor._libraries.onemkl import factorise  # an optional library

    if not factorise(step, *operands, mode=mode) and step in _ERRORS:
        raise LinAlgError(_ERRORS[step])


def _empty_result(out, axes, index):
    """Return a result for matrices without elements, such as identity matrices."""
    if len(axes) < 2:
        return usm.full_like(out, 1 - index)
    one = usm.eye(*out.shape[-2:], dtype=out.dtype, sycl_queue=out.sycl_queue)
    return usm.broadcast_to(one, out.shape)


def _by_columns(x):
    """Return a copy in column-major order."""
    return usm.copy(x.mT, order="C")


def _empty(x, *extents, dtype=None):
    """Allocate `extents` elements for each matrix of x."""
    shape = (*x.shape[:-2], *extents)
    return usm.empty(shape, dtype=dtype or x.dtype, usm_type=x.usm_type, sycl_queue=x.sycl_queue)


def _real(x):
    return usm.finfo(x.dtype).dtype


def _cholesky(x, upper=False):
    a = _by_columns(x)
    _step("cholesky", a, mode=upper)
    return ((usm.triu if upper else usm.tril)(a.mT),)


def _solve(x, y):
    y = y if y.ndim > 1 else y[:, None]
    stack = usm.broadcast_shapes(x.shape[:-2], y.shape[:-2])
    a, b = (_by_columns(usm.broadcast_to(z, stack + z.shape[-2:])) for z in (x, y))
    _step("solve", a, _empty(a, a.shape[-1], dtype="i8"), b)
    return (b.mT,)


def _inv(x):
    return _solve(x, usm.eye(x.shape[-1], dtype=x.dtype, sycl_queue=x.sycl_queue))


def _diagonal(x):
    """Return the diagonal of U in x = P L U, the sign of P, and a mask of singular matrices."""
    a = _by_columns(x)
    pivots = _empty(a, a.shape[-1], dtype="i8")
    _step("lu", a, pivots)
    unpivoted = usm.arange(1, a.shape[-1] + 1, sycl_queue=x.sycl_queue)
    swaps = usm.count_nonzero(pivots != unpivoted, axis=-1)
    values = diagonal_of(a, 0, "diagonal")
    sign = usm.astype(1 - 2 * (swaps & 1), _real(x))
    return values, sign, usm.any(values == 0, axis=-1)


def _det(x):
    values, sign, singular = _diagonal(x)
    return (usm.where(singular, 0, usm.prod(values, axis=-1) * sign),)


def _slogdet(x):
    values, sign, singular = _diagonal(x)
    sizes = usm.abs(values)
    if values.dtype.kind == "c":
        directions = values / sizes
    else:  # as in NumPy, infinities have a sign and NaN is positive
        directions = 1 - 2 * usm.astype(values < 0, x.dtype)
    sign = usm.prod(directions, axis=-1) * sign
    logarithm = usm.sum(usm.log(sizes), axis=-1)
    return usm.where(singular, 0, sign), usm.where(singular, -numpy.inf, logarithm)


def _qr(x, mode="reduced"):
    a = _by_columns(x)
    n, m = a.shape[-2:]
    k = min(m, n)
    factors = _empty(a, k)
    _step("qr", a, factors)
    q = _empty(a, m if mode == "complete" else k, m)
    q[..., :k, :] = a[..., :k, :]
    r = usm.triu(a.mT[..., : q.shape[-2], :])
    _step("orthonormal", q, factors)
    return q.mT, r


def _eigh(x, mode=1):
    a = _by_columns(x)
    values = _empty(a, a.shape[-1], dtype=_real(x))
    _step("eigen", a, values, mode=mode)
    return values, a.mT


def _eigvalsh(x):
    return _eigh(x, mode=0)[:1]


def _eig(x, vectors=True):
    a = _by_columns(x)
    n, kind = a.shape[-1], usm.result_type(a.dtype, "c8")
    results = [_empty(a, n, dtype=kind), _empty(a, n, n, dtype=kind)][: 1 + vectors]
    _step("general", a, *results)
    return [results[0], *(v.mT for v in results[1:])]


def _eigvals(x):
    return _eig(x, vectors=False)


def _svd(x, full_matrices=True):
    a = _by_columns(x)
    n, m = a.shape[-2:]
    k = min(m, n)
    values = _empty(a, k, dtype=_real(x))
    u = _empty(a, m if full_matrices else k, m)
    vh = _empty(a, n, n if full_matrices else k)
    _step("singular", a, values, u, vh, mode=1 + full_matrices)
    return u.mT, values, vh.mT


def _svdvals(x):
    a = _by_columns(x)
    values = _empty(a, min(a.shape[-2:]), dtype=_real(x))
    _step("singular", a, values)
    return (values,)
