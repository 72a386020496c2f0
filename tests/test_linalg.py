"""Linear algebra: identities, NumPy's results, errors, threads, devices without a library."""

import ctypes
import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from library import (
    assert_close,
    random_numbers,
    run,
    skip_without_library,
    skip_without_numpy,
)
from numpy.linalg import LinAlgError
from placement import (
    in_order_queue,
    other_context_queue,
    out_of_order_queue,
    survives_forks,
)
from strategies import dtypes, examples, laid_out, layouts, supported_dtypes
from usmtensor._libraries.host import assign

import usmtensor as usm
from usmtensor import _hooks
from usmtensor import linalg as la

STACKS = st.lists(st.integers(0, 3), max_size=2)


def floats():
    return dtypes("fc", least=4)


def real_of(dtype):
    return np.finfo(dtype).dtype


def complex_of(dtype):
    return np.result_type(dtype, "c8")


@st.composite
def matrices(draw, queue, square=False):
    """A stack of matrices, as a NumPy array and a usmtensor array, in any layout."""
    m = draw(st.integers(0, 6))
    n = m if square else draw(st.integers(0, 6))
    shape = (*draw(STACKS), m, n)
    values = random_numbers(shape, draw(floats()), draw(st.integers(0, 99)))
    return laid_out(values, draw(layouts(len(shape))), queue)


def hosted(*arrays):
    return [usm.asnumpy(x) for x in arrays]


# --- factorisations, equations, eigenvalues ------------------------------------------------------


@examples(60)
@given(data=st.data(), full=st.booleans())
def test_svd(queue, data, full):
    skip_without_library(queue)
    values, x = data.draw(matrices(queue))
    m, n = values.shape[-2:]
    k = min(m, n)
    result = la.svd(x, full_matrices=full)
    assert result.S.dtype == real_of(x.dtype) and result._fields == ("U", "S", "Vh")
    assert result.U.shape[-2:] == (m, m if full else k)
    assert result.Vh.shape[-2:] == (n if full else k, n)
    u, _, vh = hosted(*result)
    assert_close(result.S, np.linalg.svd(values, compute_uv=False))
    assert_close(la.svdvals(x), np.linalg.svd(values, compute_uv=False))
    only_values = la.svd(x, full, compute_uv=False, hermitian=False)
    assert np.array_equal(usm.asnumpy(only_values), usm.asnumpy(la.svdvals(x)))
    product = (u[..., :k] * usm.asnumpy(result.S)[..., None, :]) @ vh[..., :k, :]
    assert_close(usm.asarray(product.astype(x.dtype), sycl_queue=queue), values)


@examples(60)
@given(data=st.data(), mode=st.sampled_from(["reduced", "complete"]))
def test_qr(queue, data, mode):
    skip_without_library(queue)
    values, x = data.draw(matrices(queue))
    q, r = la.qr(x, mode)
    if mode == "reduced":
        assert np.array_equal(usm.asnumpy(la.qr(x, "r")), usm.asnumpy(r), equal_nan=True)
    expected = np.linalg.qr(values, mode=mode)
    assert q.shape == expected.Q.shape and r.shape == expected.R.shape
    assert_close(q @ r, values)
    assert_close(r, np.triu(usm.asnumpy(r)))
    one = np.broadcast_to(
        np.eye(q.shape[-1], dtype=x.dtype), (*q.shape[:-2], q.shape[-1], q.shape[-1])
    )
    assert_close(usm.conj(q).mT @ q, one)


@examples(60)
@given(data=st.data())
def test_eigenvalues(queue, data):
    skip_without_library(queue)
    values, x = data.draw(matrices(queue, square=True))
    w, v = la.eig(x)
    assert w.dtype == v.dtype == complex_of(x.dtype)
    assert w.shape == x.shape[:-1] and v.shape == x.shape
    wide = usm.astype(x, w.dtype)
    assert_close(wide @ v, usm.asnumpy(v * w[..., None, :]))
    assert la.eigvals(x).dtype == w.dtype
    order = np.sort_complex(usm.asnumpy(la.eigvals(x)).astype("c16"))
    assert np.allclose(np.sum(order, -1), np.trace(values, axis1=-2, axis2=-1), atol=1e-3)


@examples(60)
@given(data=st.data())
def test_eigenvalues_of_hermitian_matrices(queue, data):
    skip_without_library(queue)
    _, x = data.draw(matrices(queue, square=True))
    hermitian = x + usm.conj(x).mT
    w, v = la.eigh(hermitian)
    assert w.dtype == real_of(x.dtype) and v.dtype == x.dtype
    assert_close(hermitian @ v, usm.asnumpy(v * w[..., None, :]))
    assert_close(la.eigvalsh(hermitian), usm.asnumpy(w))


@examples(60)
@given(data=st.data())
def test_inverses_and_determinants(queue, data):
    skip_without_library(queue)
    values, x = data.draw(matrices(queue, square=True))
    shift = 8 * np.eye(x.shape[-1], dtype=x.dtype)  # far from singular
    values, x = values + shift, x + usm.asarray(shift, sycl_queue=queue)
    assert_close(la.inv(x), np.linalg.inv(values))
    assert_close(la.matrix_power(x, -2), np.linalg.inv(values @ values))
    assert_close(la.det(x), np.linalg.det(values))
    sign, logarithm = la.slogdet(x)
    assert_close(sign, np.linalg.slogdet(values)[0])
    assert_close(logarithm, np.linalg.slogdet(values)[1])
    positive = x @ usm.conj(x).mT
    lower, upper = la.cholesky(positive), la.cholesky(positive, upper=True)
    assert_close(lower, np.linalg.cholesky(usm.asnumpy(positive)))
    assert_close(usm.conj(upper).mT, usm.asnumpy(lower))


@examples(80)
@given(data=st.data(), other=floats(), vector=st.booleans())
def test_solve(queue, data, other, vector):
    skip_without_library(queue)
    values, x = data.draw(matrices(queue, square=True))
    shift = 8 * np.eye(x.shape[-1], dtype=x.dtype)
    values, x = values + shift, x + usm.asarray(shift, sycl_queue=queue)
    stack = values.shape[:-2][data.draw(st.integers(0, values.ndim - 2)) :]
    shape = (x.shape[-1],) if vector else (*stack, x.shape[-1], data.draw(st.integers(0, 3)))
    right, y = laid_out(random_numbers(shape, other, 5), data.draw(layouts(len(shape))), queue)
    result = la.solve(x, y)
    assert result.dtype == np.result_type(x.dtype, other)
    expected = np.linalg.solve(values, right)
    assert_close(usm.astype(result, expected.dtype), expected)


@pytest.mark.parametrize("n", [1, 8, 9, 16, 17])
@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_small_matrices(queue, n, dtype):
    """The host's own code computes those of a few rows."""
    skip_without_library(queue)
    if np.dtype(dtype) not in supported_dtypes():
        pytest.skip("the device lacks the aspect fp64")
    values = random_numbers((2, 1, n, n), dtype) + 4 * np.eye(n, dtype=dtype)[::-1]
    right = random_numbers((3, 40, n), dtype).transpose(0, 2, 1)
    x, y = (usm.asarray(one, sycl_queue=queue) for one in (values, right))
    assert_close(la.solve(x, y), np.linalg.solve(values, right))
    assert_close(la.solve(x[0, 0].mT, y[0, :, 1]), np.linalg.solve(values[0, 0].T, right[0, :, 1]))
    assert_close(la.inv(x.mT), np.linalg.inv(values.mT))
    scale = abs(np.linalg.det(values)).max()
    assert_close(la.det(x) / scale, np.linalg.det(values) / scale)
    for ours, expected in zip(la.slogdet(x), np.linalg.slogdet(values), strict=True):
        assert_close(ours, expected)
    x[1, 0, 0, :] = 0
    assert usm.all(la.det(x)[1] == 0) and usm.all(la.slogdet(x).logabsdet[1] == -math.inf)
    with pytest.raises(LinAlgError, match="solve: Singular matrix"):
        la.solve(x, y)


def test_determinants_of_extreme_numbers(queue):
    """Factors above the largest number and below the smallest one may have a product between."""
    skip_without_library(queue)
    for factors in (
        [1e30, 1e30, 1e-30, 1e-30, 2],
        [1e-30, -1e-30, 1e30, 1e30],
        [1e30] * 2,
        [-1e-30] * 3,
    ):
        x = np.diag(np.asarray(factors, "f4"))
        with np.errstate(over="ignore"):
            expected = np.float32(np.prod(np.asarray(factors, "f8")))
        result = la.det(usm.asarray(x, sycl_queue=queue))
        np.testing.assert_allclose(float(result), expected, rtol=1e-5)
    x = usm.asarray(np.asarray([[math.nan, 1], [1, 2]], "f4"), sycl_queue=queue)
    assert usm.isnan(la.det(x)) and usm.all(usm.isnan(la.inv(x)))


@examples(60)
@given(data=st.data(), rtol=st.sampled_from([None, 1e-3, 0.3, "array"]))
def test_rank_and_pseudo_inverse(queue, data, rtol):
    skip_without_library(queue)
    values, x = data.draw(matrices(queue))
    rank = min(2, *values.shape[-2:])
    values = (values[..., :rank] @ values[..., :rank, :]).astype(values.dtype)
    x = usm.asarray(values, sycl_queue=queue)
    theirs = ours = rtol or 1e-3
    if rtol == "array":
        theirs = np.full(values.shape[:-2], 0.2, real_of(x.dtype))
        ours = usm.asarray(theirs, sycl_queue=queue)
    ranks = np.linalg.matrix_rank(values, rtol=theirs) if values.size else 0
    found = la.matrix_rank(x, rtol=ours)
    assert found.shape == x.shape[:-2] and found.dtype == "i8"
    assert (usm.asnumpy(found) == ranks).all()
    assert la.matrix_rank(x).dtype == "i8"
    if values.size:
        assert_close(la.pinv(x, rtol=ours), np.linalg.pinv(values, rtol=theirs))
        assert_close(la.pinv(x, ours, False), np.linalg.pinv(values, theirs))
        ranks = np.linalg.matrix_rank(values, theirs)
        assert (usm.asnumpy(la.matrix_rank(x, ours)) == ranks).all()
    assert la.pinv(x).shape == (*x.shape[:-2], x.shape[-1], x.shape[-2])


def test_ranks_of_vectors_and_numbers(queue):
    for values in ([0, 0, 0], [0, 2, 0], [], [np.nan], 0, 3):
        x = np.asarray(values, "f4")
        found = la.matrix_rank(usm.asarray(x, sycl_queue=queue))
        assert found.dtype == "i8" and found == np.linalg.matrix_rank(x)


@pytest.mark.parametrize("shape", [(0, 3, 2), (3, 0), (2, 0, 0)])
def test_pseudo_inverses_without_elements_are_floating_point(queue, shape):
    skip_without_library(queue)
    x = usm.zeros(shape, dtype="i4", sycl_queue=queue)
    assert la.pinv(x).dtype == la.svdvals(x).dtype


@pytest.mark.parametrize("p", [1, -1, np.inf, "fro"])
@pytest.mark.parametrize("dtype", ["f4", "c8"])
def test_condition_numbers_of_singular_matrices_in_stacks(queue, p, dtype):
    skip_without_library(queue)
    stack = np.array([np.eye(3), np.ones((3, 3)), np.zeros((3, 3)), np.diag([1, 2, 4])], dtype)
    with np.errstate(all="ignore"):
        expected = np.linalg.cond(stack.reshape(2, 2, 3, 3), p)
    assert_close(la.cond(usm.asarray(stack.reshape(2, 2, 3, 3), sycl_queue=queue), p), expected)


@pytest.mark.parametrize("p", [None, 2, -2, 1, np.inf, "fro", "nuc"])
def test_condition_numbers_of_empty_stacks(queue, p):
    skip_without_library(queue)
    x = usm.zeros((2, 0, 3, 3), dtype="f4", sycl_queue=queue)
    result = la.cond(x, p)
    assert result.shape == (2, 0) and result.dtype == "f4"
    for shape in ((0, 3, 0), (0, 0)):
        with pytest.raises(LinAlgError, match=r"cond: x has shape .*expected matrices"):
            la.cond(usm.zeros(shape, dtype="f4", sycl_queue=queue), p)


@pytest.mark.parametrize("shape", [(), (0,), (5,), (2, 3), (2, 0, 2)])
@pytest.mark.parametrize("dtype", ["f2", "f4", "c8", "i4", "?"])
def test_norms_of_all_elements(queue, shape, dtype):
    host = (np.arange(math.prod(shape)).reshape(shape) % 4 - 1).astype(dtype)
    if dtype == "c8":
        host += 2j
    x = usm.asarray(host, sycl_queue=queue)
    for keepdims in (False, True):
        for one, other in (
            (x, host),
            (x.T, host.T),
            (x[..., ::2], host[..., ::2]) if shape else (x, host),
        ):
            expected = np.asarray(
                np.linalg.norm(other.astype("f4") if dtype == "?" else other, keepdims=keepdims)
            )
            result = la.norm(one, keepdims=keepdims)
            assert result.shape == expected.shape
            np.testing.assert_allclose(usm.asnumpy(result), expected, rtol=1e-3)
            assert dtype in ("i4", "?") or result.dtype == expected.dtype


def test_numbers_of_ctypes(queue):
    skip_without_library(queue)
    x = usm.eye(2, sycl_queue=queue)
    half, two = ctypes.c_double(0.5), ctypes.c_double(2)
    assert la.matrix_rank(x, rtol=half) == 2 and usm.all(la.pinv(x, rtol=half) == x)
    assert la.vector_norm(usm.ones(4, sycl_queue=queue), ord=two) == 2
    assert la.matrix_norm(x, ord=ctypes.c_int(1)) == 1


def test_two_bounds_of_singular_values(queue):
    x = usm.eye(2, sycl_queue=queue)
    with pytest.raises(ValueError, match="pinv: rcond and rtol are given; expected one of them"):
        la.pinv(x, 0.1, rtol=0.1)
    with pytest.raises(ValueError, match="matrix_rank: tol and rtol are given"):
        la.matrix_rank(x, 0.1, rtol=0.1)


@pytest.mark.parametrize("function", [la.matrix_rank, la.pinv])
def test_rtol_of_other_types(function, queue):
    skip_without_library(queue)
    with pytest.raises(TypeError, match=f"{function.__name__}: rtol is of type str; expected a n"):
        function(usm.eye(2, sycl_queue=queue), rtol="a")


# --- functions without a library -----------------------------------------------------------------


@examples(150)
@given(
    data=st.data(),
    ord=st.sampled_from([0, 1, 2, 3, 0.5, -1, -2, math.inf, -math.inf]),
    keepdims=st.booleans(),
)
def test_vector_norm(queue, data, ord, keepdims):
    shape = tuple(data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=4)))
    values = random_numbers(shape, data.draw(floats()))
    values, x = laid_out(values, data.draw(layouts(len(shape))), queue)
    axis = data.draw(st.sampled_from([None, 0, -1, tuple(range(len(shape)))[:2]]))
    with np.errstate(all="ignore"):
        expected = np.linalg.vector_norm(values, axis=axis, keepdims=keepdims, ord=ord)
    result = la.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)
    assert result.dtype == real_of(x.dtype)
    np.testing.assert_allclose(usm.asnumpy(result), expected, rtol=1e-4)
    assert result.shape == np.shape(expected)


@examples(100)
@given(
    data=st.data(),
    ord=st.sampled_from(["fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf, None]),
    keepdims=st.booleans(),
)
def test_matrix_norm(queue, data, ord, keepdims):
    if ord in ("nuc", 2, -2):
        skip_without_library(queue)
    values, x = data.draw(matrices(queue).filter(lambda pair: 0 not in pair[0].shape))
    expected = np.linalg.matrix_norm(values, ord=ord or "fro", keepdims=keepdims)
    result = la.matrix_norm(x, ord=ord, keepdims=keepdims)
    assert_close(result, np.asarray(expected, real_of(x.dtype)))


@pytest.mark.parametrize("ord", [0, 1, 2, 3, math.inf])
def test_vector_norms_of_nothing(queue, ord):
    x = usm.zeros((3, 0), dtype="f4", sycl_queue=queue)
    assert la.vector_norm(x, axis=1, ord=ord).tolist() == [0, 0, 0]
    assert la.vector_norm(x, axis=0, ord=ord).shape == (0,)
    assert float(la.vector_norm(x, ord=ord)) == 0
    assert la.vector_norm(x, axis=1, ord=-2).tolist() == [math.inf] * 3  # as in NumPy


@pytest.mark.parametrize("ord", ["fro", "nuc", 1, 2, math.inf])
@pytest.mark.parametrize("shape", [(2, 0), (0, 2), (3, 0, 0)])
def test_matrix_norms_of_nothing(queue, ord, shape):
    if ord in ("nuc", 2):
        skip_without_library(queue)
    x = usm.zeros(shape, dtype="f4", sycl_queue=queue)
    assert usm.asnumpy(la.matrix_norm(x, ord=ord)).tolist() == np.zeros(shape[:-2]).tolist()
    assert la.matrix_norm(x, ord=ord, keepdims=True).shape == (*shape[:-2], 1, 1)


@examples(100)
@given(data=st.data(), offset=st.integers(-8, 8), dtype=dtypes())
def test_diagonal_and_trace(queue, data, offset, dtype):
    shape = (*data.draw(STACKS), data.draw(st.integers(0, 5)), data.draw(st.integers(0, 5)))
    values = np.arange(math.prod(shape)).reshape(shape).astype(dtype)
    values, x = laid_out(values, data.draw(layouts(len(shape))), queue)
    expected = np.diagonal(values, offset, -2, -1)
    assert usm.asnumpy(la.diagonal(x, offset=offset)).tolist() == expected.tolist()
    if dtype.kind not in "be":
        result = la.trace(x, offset=offset)
        np.testing.assert_allclose(
            usm.asnumpy(result), np.linalg.trace(values, offset=offset), rtol=1e-4
        )


def test_diagonals_are_views(queue):
    x = usm.zeros((2, 3, 4), dtype="i4", sycl_queue=queue)
    la.diagonal(x, offset=1)[...] = 7
    assert usm.asnumpy(x).sum() == 42 and int(x[1, 2, 3]) == 7


@examples(60)
@given(data=st.data(), dtype=dtypes("iufc"))
def test_products(queue, data, dtype):
    x, y = (
        np.arange(1, n + 1).astype(dtype) for n in data.draw(st.tuples(*[st.integers(0, 5)] * 2))
    )
    ours = [usm.asarray(one, sycl_queue=queue) for one in (x, y)]
    np.testing.assert_array_equal(usm.asnumpy(la.outer(*ours)), np.outer(x, y), strict=True)
    np.testing.assert_array_equal(usm.asnumpy(la.outer(ours[0], y)), np.outer(x, y), strict=True)
    x, y = np.arange(24).reshape(2, 4, 3).astype(dtype), np.arange(12)[::-1].reshape(4, 3)
    y = y.astype(dtype)
    ours = [usm.asarray(one, sycl_queue=queue) for one in (x, y)]
    np.testing.assert_array_equal(usm.asnumpy(la.cross(*ours)), np.cross(x, y), strict=True)
    swapped = [usm.moveaxis(one, -1, -2) for one in ours]
    expected = np.moveaxis(np.cross(x, y), -1, -2)
    np.testing.assert_array_equal(usm.asnumpy(la.cross(*swapped, axis=-2)), expected)


@pytest.mark.parametrize("n", range(8))
def test_powers(queue, n):
    values = np.arange(8).reshape(2, 2, 2)
    x = usm.asarray(values, sycl_queue=queue)
    result = la.matrix_power(x, n)
    expected = np.linalg.matrix_power(values, n)
    np.testing.assert_array_equal(usm.asnumpy(result), expected, strict=True)
    result[...] = 0
    assert (usm.asnumpy(x) == values).all()  # never x itself


# --- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda x: la.inv(x[:, :2]), LinAlgError, r"inv: a is of shape \(3, 2\); expected square"),
        (lambda x: la.inv(x[0]), LinAlgError, "inv: a has 1 dimensions; expected 2 or more"),
        (lambda x: la.inv(x * 0), LinAlgError, "inv: Singular matrix"),
        (lambda x: la.eigh(x[0], "U"), LinAlgError, "eigh: a has 1 dimensions; expected 2 or more"),
        (lambda x: la.eigvalsh(x[0], "U"), LinAlgError, "eigvalsh: a has 1 dimensions"),
        (lambda x: la.lstsq(x[0], x), LinAlgError, "lstsq: a has 1 dimensions; expected 2"),
        (lambda x: la.lstsq(x, x[:2]), LinAlgError, "lstsq: b.shape is .*; expected 3 rows"),
        (lambda x: la.cholesky(-x), LinAlgError, "cholesky: .*positive definite"),
        (lambda x: la.det(usm.asnumpy(x)), TypeError, "det: a is of type ndarray"),
        (lambda x: la.det(None), TypeError, "det: a is of type NoneType"),
        (lambda x: la.solve(x, x[:2]), ValueError, r"solve: b is of shape \(2, 3\); expected 3"),
        (lambda x: la.solve(x, None), TypeError, "solve: b is of type NoneType"),
        (lambda x: la.qr(x, mode="raw"), ValueError, "qr: mode is 'raw'"),
        (lambda x: la.cond(x[0]), LinAlgError, "cond: x has 1 dimensions; expected 2 or more"),
        (lambda x: la.matrix_norm(x, ord=3), ValueError, "matrix_norm: ord is 3"),
        (lambda x: la.vector_norm(x, ord="fro"), ValueError, "vector_norm: ord is 'fro'"),
        (lambda x: la.matrix_norm(x[0]), ValueError, "matrix_norm: x has 1 dimensions"),
        (lambda x: la.matrix_power(x, 1.5), TypeError, "matrix_power: n is of type float"),
        (lambda x: la.matrix_power(x[0], 2), LinAlgError, "matrix_power: a is of shape"),
        (lambda x: la.cross(x[:, :2], x), ValueError, "cross: x1 and x2 are of shapes"),
        (lambda x: la.diagonal(x[0]), ValueError, "diagonal: x has 1 dimensions"),
        (lambda x: la.diagonal(x, offset=None), TypeError, "diagonal: offset"),
    ],
)
def test_refused(queue, call, error, words):
    skip_without_library(queue)
    x = usm.asarray(np.eye(3, dtype="f4"), sycl_queue=queue)
    with pytest.raises(error, match=words):
        call(x)


ITERATIVE = {
    "svd": [la.svd, lambda x: la.svd(x, full_matrices=False)],
    "svdvals": [la.svdvals],
    "pinv": [la.pinv],
    "matrix_rank": [la.matrix_rank],
    "matrix_norm": [lambda x: la.matrix_norm(x, ord=2), lambda x: la.matrix_norm(x, ord="nuc")],
    "eig": [la.eig],
    "eigvals": [la.eigvals],
    "eigh": [la.eigh],
    "eigvalsh": [la.eigvalsh],
}


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
@pytest.mark.parametrize("n", [1, 3, 33, 257])  # by NumPy, and by oneMKL if it is installed
@pytest.mark.parametrize("name", ITERATIVE)
def test_functions_that_iterate_refuse_infinities_and_nan(queue, name, n, value):
    skip_without_library(queue)
    x = usm.ones((2, n, n), dtype="f4", sycl_queue=queue)
    x[1, n - 1, n // 2] = value
    for function in ITERATIVE[name]:
        with pytest.raises(LinAlgError, match=f"{name}: .*a matrix has infinities or NaN"):
            function(x)


@pytest.mark.parametrize("n", [3, 257])
@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_every_element_counts_in_the_check_for_infinities(queue, n, dtype):
    skip_without_library(queue)
    if np.dtype(dtype) not in supported_dtypes():
        pytest.skip("the device lacks the aspect fp64")
    values = np.full((n, n + 1), np.finfo(dtype).max, dtype)  # whose sums are infinite
    whole = usm.asarray(values, sycl_queue=queue)
    assert la.svdvals(whole / n).shape == (n,)
    bad = [math.inf, complex(1, math.inf), complex(math.nan, 1)][: 3 if dtype[0] == "c" else 1]
    for value in bad:
        for place in ((0, 0), (0, n), (n - 1, 0), (n - 1, n), (n // 2, n // 2)):
            x = usm.ones((2 * n, n + 1), dtype=dtype, sycl_queue=queue)[::-2]
            x[place] = value
            for y in (x, x.mT):
                with pytest.raises(LinAlgError, match="svdvals: a matrix has infinities"):
                    la.svdvals(y)


@pytest.mark.parametrize("n", [1, 4, 260])
def test_eigh_reads_and_checks_the_lower_triangle(queue, n):
    skip_without_library(queue)
    values = np.random.default_rng(n).normal(size=(2, n, n)).astype("f4")
    x = usm.asarray(values, sycl_queue=queue)
    y = usm.asarray(np.where(np.tri(n, dtype=bool), values, np.nan), sycl_queue=queue)
    assert_close(la.eigvalsh(y), usm.asnumpy(la.eigvalsh(x)))
    assert usm.all(usm.isfinite(la.eigh(y).eigenvectors))


@pytest.mark.parametrize("n", [3, 16, 17, 40, 256])
@pytest.mark.parametrize(
    "values",
    [
        [math.inf],
        [-math.inf],
        [math.nan],
        [-math.inf, math.nan],
        [math.inf, -2.0],
        [math.inf, 0],
        [0, math.nan],
        [-math.inf, -math.inf],
        [0, complex(math.inf, 0)],
        [1j, 0, math.nan],
    ],
    ids=str,
)
def test_determinants_that_are_not_finite(queue, n, values):
    """NumPy's values for matrices of all sizes."""
    skip_without_library(queue)
    diagonal = np.array([*values, *[1] * (n - len(values))])
    diagonal = diagonal.astype("c8" if diagonal.dtype.kind == "c" else "f4")
    x = np.zeros((n, n), diagonal.dtype)
    np.fill_diagonal(x, diagonal)
    on_device = usm.asarray(x, sycl_queue=queue)
    with np.errstate(all="ignore"):
        expected, determinant = np.linalg.slogdet(x), np.linalg.det(x)
    result = la.slogdet(on_device)
    np.testing.assert_array_equal(usm.asnumpy(result.sign), expected.sign)
    np.testing.assert_array_equal(usm.asnumpy(result.logabsdet), expected.logabsdet)
    np.testing.assert_array_equal(usm.asnumpy(la.det(on_device)), determinant)


def test_half_precision_is_refused(queue):
    if np.dtype("f2") in supported_dtypes():
        x = usm.eye(3, dtype="f2", sycl_queue=queue)
        for call in (la.inv, la.svd, la.vector_norm):
            with pytest.raises(TypeError, match="float16; expected float32"):
                call(x)


def test_other_places(device, queue):
    skip_without_library(queue)
    x = usm.eye(3, dtype="f4", sycl_queue=queue)
    with pytest.raises(usm.ExecutionPlacementError):
        la.solve(x, usm.eye(3, dtype="f4", sycl_queue=other_context_queue(device)))
    other = out_of_order_queue(device)
    skip_without_library(other)
    assert la.solve(x.to_device(other), x).sycl_queue == other


def test_many_dimensions(queue):
    skip_without_numpy(queue)
    x = usm.reshape(usm.eye(2, dtype="f4", sycl_queue=queue), (1,) * 70 + (2, 2))
    with pytest.raises(ValueError, match="64 dimensions"):
        la.inv(x)


def test_kinds(queue, usm_kind):
    skip_without_library(queue)
    x = usm.eye(3, dtype="f4", usm_type=usm_kind, sycl_queue=queue)
    assert la.inv(x).usm_type == usm_kind
    assert {part.usm_type for part in la.svd(x)} == {usm_kind}
    assert la.solve(x, usm.ones(3, dtype="f4", sycl_queue=queue)).usm_type == "device"


# --- order, threads, other devices ---------------------------------------------------------------


@pytest.mark.parametrize("make", [in_order_queue, out_of_order_queue])
def test_order(device, make):
    """Pending work on the operands comes before, later work after."""
    q = make(device)
    skip_without_library(q)
    values = random_numbers((60, 60), "f4") + 20 * np.eye(60, dtype="f4")
    source = usm.asarray(values, sycl_queue=q)
    for _ in range(3):
        x = usm.zeros((60, 60), dtype="f4", sycl_queue=q)
        q.wait()
        _hooks.late_copy(q, x, source)
        result = la.inv(x)
        x[...] = 0
        assert_close(result, np.linalg.inv(values))


@pytest.mark.parametrize(
    "name", ["cholesky", "eigvals", "eigvalsh", "inv", "qr", "slogdet", "solve", "svdvals"]
)
@pytest.mark.parametrize("n", [60, 300])
@pytest.mark.quirk("mkl-order")
def test_order_of_each_library(queue, name, n):
    """Large matrices may be oneMKL's. It computes on the host, and must wait for the queue."""
    skip_without_library(queue)
    values = random_numbers((n, n), "f4")
    values = values @ values.T / n + np.eye(n, dtype="f4")
    source, x = (
        usm.asarray(values, sycl_queue=queue),
        usm.zeros((n, n), dtype="f4", sycl_queue=queue),
    )
    queue.wait()
    _hooks.late_copy(queue, x, source)
    more = (x[:, :3],) if name == "solve" else ()
    result = getattr(la, name)(x, *more)
    x[...] = 0
    expected = getattr(np.linalg, name)(values, *(values[:, :3] for _ in more))
    if name == "qr":
        result, expected = usm.abs(result.R), np.abs(expected.R)
    if name == "slogdet":
        result, expected = result.logabsdet, expected.logabsdet
    if name == "eigvals":  # in any order
        result, expected = usm.sort(usm.real(result)), np.sort(np.real(expected))
    assert_close(result, expected)


@pytest.mark.parametrize("shape", [(5000, 8, 8), (2, 900, 8, 8), (8192, 1, 1, 2, 2)])
def test_large_stacks(queue, shape):
    """Threads share the work."""
    skip_without_library(queue)
    values = random_numbers(shape, "f4") + 8 * np.eye(shape[-1], dtype="f4")
    x = usm.asarray(values, sycl_queue=queue)
    assert_close(la.inv(x), np.linalg.inv(values))
    assert_close(la.slogdet(x).logabsdet, np.linalg.slogdet(values)[1])
    right = random_numbers((shape[-1], 3), "f4")
    assert_close(la.solve(x, usm.asarray(right, sycl_queue=queue)), np.linalg.solve(values, right))
    assert_close(
        la.solve(x, usm.asarray(right[:, 0], sycl_queue=queue)),
        np.linalg.solve(values, right[:, 0]),
    )
    x[-1, ...] = 0
    with pytest.raises(LinAlgError, match="inv: Singular matrix"):
        la.inv(x)


FORKS = """
import atexit, os, threading
import numpy as np
import usmtensor as usm
device = usm.SyclDevice(os.environ.get("USMTENSOR_TEST_DEVICE") or None)
x = usm.asarray(np.random.default_rng(0).normal(size=(5000, 8, 8)), device=device)
expected = usm.asnumpy(usm.linalg.inv(x))

def check():
    assert np.array_equal(usm.asnumpy(usm.linalg.inv(x)), expected)

done = threading.Event()

def work():
    while not done.is_set():
        check()

thread = threading.Thread(target=work)
thread.start()
for _ in range(5):
    pid = os.fork()
    if pid == 0:
        check()
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
done.set()
thread.join()
atexit.register(check)
"""


@survives_forks
def test_forks_and_exit(queue):
    skip_without_numpy(queue)  # the child of a fork lacks oneMKL
    run(FORKS)


WITHOUT = """
import numpy as np
import usmtensor as usm
la = usm.linalg
x = usm.asarray(np.arange(9, dtype="f4").reshape(3, 3))
assert la.backend() is None
for call in (la.inv, la.svdvals, usm.fft.fft, lambda x: la.matrix_norm(x, ord=2)):
    try:
        call(x)
    except NotImplementedError as error:
        assert "asnumpy" in str(error), error
    else:
        raise AssertionError(call)
host = usm.asnumpy(x)
for ours, theirs in (
    (la.matrix_norm(x), np.linalg.matrix_norm(host)),
    (la.matrix_power(x, 3), np.linalg.matrix_power(host, 3)),
    (la.vector_norm(x, axis=0), np.linalg.vector_norm(host, axis=0)),
    (la.cross(x, x[::-1]), np.cross(host, host[::-1])),
    (la.outer(x[0], x[1]), np.outer(host[0], host[1])),
    (la.trace(x), np.trace(host)),
    (la.diagonal(x, offset=-1), np.diagonal(host, -1)),
    (usm.fft.fftfreq(5), np.fft.fftfreq(5)),
    (usm.fft.fftshift(x), np.fft.fftshift(host)),
    (usm.ones((50, 50)) @ usm.ones((50, 50)), np.full((50, 50), 50)),
):
    np.testing.assert_allclose(usm.asnumpy(ours), theirs, rtol=1e-5)
"""


# Large enough for a handler of NumPy's memory.
COUNT = 1 << 13


def data_of(x):
    return x.__array_interface__["data"][0]


@pytest.mark.quirk("numpy-allocations")
def test_results_of_numpy_are_not_copied():
    out, x, places = np.zeros(COUNT), np.arange(float(COUNT)), []

    def function(x):
        result = x + 1
        places.append(data_of(result))
        return result

    assign(out, function, x)
    assert places == [data_of(out)]
    np.testing.assert_array_equal(out, x + 1)
    assert data_of(np.empty_like(out)) != data_of(out)


@pytest.mark.parametrize("returned", [0, 1])
def test_several_arrays_of_the_size_of_a_result(returned):
    out, x = np.zeros(COUNT), np.arange(float(COUNT))
    assign(out, lambda x: (x + 1, x + 2)[returned][::-1], x)
    np.testing.assert_array_equal(out, (x + returned + 1)[::-1])


def test_results_that_cannot_stay_where_they_are():
    x = np.arange(float(COUNT))
    strided, kept = np.zeros(2 * COUNT)[::2], []
    assign(strided, np.negative, x)
    np.testing.assert_array_equal(strided, -x)
    out = np.zeros(COUNT)
    alive = sys.getrefcount(out)

    def function(x):
        kept.append(x + 1)
        return kept[0]

    assign(out, function, x)
    assert sys.getrefcount(out) == alive + 1  # its memory is that of the array kept
    with pytest.raises(MemoryError):
        kept[0].resize(3 * COUNT, refcheck=False)
    kept.clear()
    assert sys.getrefcount(out) == alive
    np.testing.assert_array_equal(out, x + 1)


@pytest.mark.quirk("numpy-allocations")
def test_an_array_of_other_code_in_the_memory_of_a_result():
    out, kept = np.zeros(COUNT), []

    def function(x):
        kept.append(x + 1)  # as a finalizer may do
        return x + 2

    with pytest.raises(RuntimeError, match="took the memory"):
        assign(out, function, np.ones(COUNT))


def test_functions_that_fail_leave_the_handler_of_memory():
    out, x = np.zeros(COUNT), np.ones(COUNT)
    with pytest.raises(ZeroDivisionError):
        assign(out, lambda x: (x + 1, 1 // 0), x)
    assert data_of(x + 1) != data_of(out)


@pytest.mark.parametrize("variable", [("USMTENSOR_DISCRETE", "1"), ("USMTENSOR_LIBRARIES", "none")])
def test_devices_without_a_library(variable):
    run(WITHOUT, **dict([variable]))


def test_importing_the_package_loads_neither():
    code = "import sys, usmtensor; print([n for n in sys.modules if n.startswith('usmtensor.')])"
    loaded = run(code)
    for name in ("linalg", "fft", "_libraries.numpy_backend"):
        assert f"usmtensor.{name}'" not in loaded


@pytest.mark.parametrize("char", "?bHl")
def test_integers_compute_in_the_default_floating_point_type(queue, char):
    skip_without_library(queue.sycl_device)
    host = np.asarray([[1, 0], [1, 1]]).astype(char)
    x = usm.asarray(host, sycl_queue=queue)
    wide = usm.__array_namespace_info__().default_dtypes(device=x.device)["real floating"]
    for name in ("inv", "det", "pinv", "svdvals", "vector_norm", "eigvals"):
        function = getattr(la, name)
        found, expected = function(x), function(usm.astype(x, wide))
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(usm.asnumpy(found), usm.asnumpy(expected))
    assert la.solve(x, usm.astype(x, wide)).dtype == wide
