"""NumPy's functions on arrays: the function of usmtensor, or a TypeError; never a host result."""

import numpy as np
import pytest
from checks import assert_same

import usmtensor as usm
from usmtensor import _array_function

VALUES = np.array([[3, 1, 2], [0, 5, 4]], "f4")


@pytest.fixture
def x(queue, usm_kind):
    return usm.asarray(VALUES, usm_type=usm_kind, sycl_queue=queue)


CALLS = {
    "concatenate": [lambda x: np.concatenate([x, x], axis=1), lambda x: np.concatenate((x, x))],
    "concat": [lambda x: np.concatenate([x, x], 1)],
    "stack": [lambda x: np.stack([x, x], -1)],
    "reshape": [lambda x: np.reshape(x, (3, 2)), lambda x: np.reshape(x, -1, order="F")],
    "transpose": [np.transpose, lambda x: np.transpose(x, (1, 0)), lambda x: np.transpose(x, None)],
    "permute_dims": [lambda x: np.permute_dims(x, (1, 0))],
    "matrix_transpose": [np.matrix_transpose],
    "swapaxes": [lambda x: np.swapaxes(x, 0, 1)],
    "moveaxis": [lambda x: np.moveaxis(x, 0, -1)],
    "squeeze": [lambda x: np.squeeze(x[None]), lambda x: np.squeeze(x[None], 0)],
    "expand_dims": [lambda x: np.expand_dims(x, 1), lambda x: np.expand_dims(x, axis=(0, 2))],
    "broadcast_to": [lambda x: np.broadcast_to(x, (2, 2, 3))],
    "flip": [np.flip, lambda x: np.flip(x, 1)],
    "roll": [lambda x: np.roll(x, 2), lambda x: np.roll(x, 1, axis=1)],
    "repeat": [lambda x: np.repeat(x, 2, axis=0)],
    "tile": [lambda x: np.tile(x, (2, 1))],
    "tril": [np.tril, lambda x: np.tril(x, 1)],
    "triu": [np.triu, lambda x: np.triu(x, k=-1)],
    "where": [lambda x: np.where(x > 2, x, 0)],
    "clip": [lambda x: np.clip(x, 1, 3), lambda x: np.clip(x, min=2)],
    "take": [lambda x: np.take(x, [1, 0], axis=1)],
    "nonzero": [lambda x: np.nonzero(x)[1]],
    "extract": [lambda x: np.extract(x > 2, x)],
    "copy": [np.copy],
    "zeros_like": [np.zeros_like, lambda x: np.zeros_like(x, dtype="i4")],
    "ones_like": [np.ones_like],
    "full_like": [lambda x: np.full_like(x, 7)],
    "tensordot": [lambda x: np.tensordot(x, x.T, 1), lambda x: np.tensordot(x, x, axes=2)],
    "real": [np.real],
    "round": [np.round],
    "sum": [np.sum, lambda x: np.sum(x, 0), lambda x: np.sum(x, axis=1, keepdims=True)],
    "prod": [np.prod],
    "max": [np.max, lambda x: np.max(x, axis=0)],
    "amax": [np.amax],
    "min": [np.min],
    "mean": [lambda x: np.mean(x, axis=1)],
    "any": [np.any],
    "all": [lambda x: np.all(x, axis=0)],
    "count_nonzero": [np.count_nonzero],
    "median": [np.median, lambda x: np.median(x, axis=1, keepdims=True)],
    "average": [np.average, lambda x: np.average(x, 0), lambda x: np.average(x, weights=x)],
    "ptp": [np.ptp, lambda x: np.ptp(x, axis=0)],
    "isclose": [lambda x: np.isclose(x, x + 1e-9), lambda x: np.isclose(x, 3, rtol=1)],
    "allclose": [lambda x: np.allclose(x, x, atol=0.5)],
    "nan_to_num": [np.nan_to_num, lambda x: np.nan_to_num(x, posinf=3)],
    "bincount": [lambda x: np.bincount(x.astype("i4").reshape(-1), minlength=9)],
    "digitize": [lambda x: np.digitize(x, [1, 3]), lambda x: np.digitize(x, [3, 1], right=True)],
    "histogram": [lambda x: np.histogram(x, 3)[0], lambda x: np.histogram(x, range=(0, 2))[1]],
    "interp": [lambda x: np.interp(x, x[1, ::2], x[0, :2], left=-1).astype("f4")],
    "outer": [lambda x: np.outer(x, x[0])],
    "sort": [np.sort, lambda x: np.sort(x, 0)],
    "argsort": [np.argsort],
}


@pytest.mark.parametrize(
    ("name", "call"), [(name, call) for name, calls in CALLS.items() for call in calls]
)
def test_functions_that_there_are(x, name, call):
    assert getattr(np, name) in _array_function._functions()
    result, expected = call(x), call(VALUES)
    assert isinstance(result, usm.usm_ndarray) and result.sycl_queue == x.sycl_queue
    assert result.usm_type == x.usm_type or name in ("where", "take", "nonzero")
    if name == "nonzero" or name == "count_nonzero":
        expected = np.asarray(expected)
    assert_same(result, np.asarray(expected))


def test_questions(x):
    assert np.shape(x) == (2, 3) and np.ndim(x) == 2 and np.size(x) == 6 and np.size(x, 1) == 3
    assert np.isrealobj(x) and not np.iscomplexobj(x)
    assert np.result_type(x, np.int8) == "f4"
    assert all(part.shape == (2, 3) for part in np.broadcast_arrays(x, x[0]))
    assert np.empty_like(x).usm_type == x.usm_type


@pytest.mark.parametrize(
    "call",
    [
        lambda x: np.array_equal(x, x),
        lambda x: np.quantile(x, 0.5),
        lambda x: np.linalg.norm(x),
        lambda x: np.fft.fft(x),
        lambda x: np.histogram2d(x[0], x[1]),
        lambda x: np.einsum("ij->i", x),
        lambda x: np.dot(x, x.T),
        lambda x: np.copyto(np.zeros((2, 3)), x),
        lambda x: np.concatenate([np.zeros(2), np.zeros(2)], out=x[0]),
    ],
)
def test_others_are_refused(x, call):
    with pytest.raises(TypeError, match=r"asnumpy|not supported"):
        call(x)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: np.sum(x, where=x > 1),
        lambda x: np.sum(x, initial=3),
        lambda x: np.concatenate([x, x], casting="no"),
        lambda x: np.round(x, 2),
        lambda x: np.where(x > 1),
    ],
)
def test_other_keywords_are_refused(x, call):
    with pytest.raises(TypeError, match=r"numpy|where"):
        call(x)


def test_out_on_the_host_is_refused(x):
    out = np.zeros(3, "f4")
    with pytest.raises(TypeError, match="asnumpy"):
        np.sum(x, axis=0, out=out)
    assert not out.any()


def test_every_row_names_what_there_is():
    """A row of the table whose function is missing does nothing."""
    known = {function.__name__ for function in _array_function._functions()}
    rows = [line for line in _array_function._TABLE.split("\n") if line]
    names = {line.partition(":")[0].partition(" = ") for line in rows}
    for name, _, own in names:
        assert hasattr(usm, own or name) == (getattr(np, name).__name__ in known)
