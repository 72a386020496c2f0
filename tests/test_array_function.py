"""NumPy's functions on arrays: usmtensor's function or a TypeError, never a result on the host."""

import warnings

import numpy as np
import pytest
from checks import assert_same
from library import run, skip_without_library
from strategies import skip_without

import usmtensor as usm
from usmtensor._numpy import array_function

VALUES = np.array([[3, 1, 2], [0, 5, 4]], "f4")


@pytest.fixture
def x(queue, usm_kind):
    return usm.asarray(VALUES, usm_type=usm_kind, sycl_queue=queue)


CALLS = {
    "concatenate": [lambda x: np.concatenate([x, x], axis=1), lambda x: np.concatenate((x, x))],
    "concat": [lambda x: np.concatenate([x, x], 1), lambda x: np.concatenate([x, x], dtype="f4")],
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
    "where": [
        lambda x: np.where(x > 2, x, 0),
        lambda x: np.where(x > 2)[1],
        lambda x: np.where(VALUES > 2, x, 0),
    ],
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
    "mean": [lambda x: np.mean(x, axis=1), lambda x: np.mean(x, 0, "f8")],
    "std": [np.std, lambda x: np.std(x, 0, None, None, 1), lambda x: np.std(x, correction=1)],
    "var": [np.var, lambda x: np.var(x, ddof=1, keepdims=True, where=True)],
    "nansum": [np.nansum, lambda x: np.nansum(x, axis=0, keepdims=True)],
    "nanprod": [np.nanprod],
    "nanmax": [np.nanmax, lambda x: np.nanmax(x, axis=1)],
    "nanmin": [np.nanmin],
    "nanargmax": [lambda x: np.nanargmax(x, axis=1)],
    "nanargmin": [lambda x: np.nanargmin(x, axis=1)],
    "nanmean": [np.nanmean, lambda x: np.nanmean(x, 0), lambda x: np.nanmean(x, dtype="f8")],
    "nanvar": [np.nanvar, lambda x: np.nanvar(x, axis=1, ddof=1)],
    "nanstd": [np.nanstd],
    "nanmedian": [
        lambda x: np.nanmedian(x, (0, 1), keepdims=True),
        lambda x: np.nanmedian(x, axis=0),
    ],
    "diagonal": [lambda x: np.diagonal(x, 1), lambda x: np.diagonal(x[None], -1, 2, 1)],
    "hstack": [lambda x: np.hstack([x, x]), lambda x: np.hstack([x[0], x[1]])],
    "vstack": [lambda x: np.vstack([x, x]), lambda x: np.vstack((x[0], x[1]))],
    "asarray": [
        lambda x: np.asarray([[1, 2], [3, 4]], "f4", like=x),
        lambda x: np.asarray(VALUES[::2], like=x),
    ],
    "asanyarray": [lambda x: np.asanyarray(VALUES.T, like=x)],
    "array": [lambda x: np.array(VALUES, like=x, ndmin=4, order="F")],
    "nancumsum": [np.nancumsum, lambda x: np.nancumsum(x, axis=1)],
    "nancumprod": [np.nancumprod],
    "cumsum": [np.cumsum, lambda x: np.cumsum(x, 0)],
    "cumprod": [lambda x: np.cumprod(x, axis=1)],
    "ravel": [np.ravel, lambda x: np.ravel(x, "F")],
    "atleast_1d": [lambda x: np.atleast_1d(x[0, 0])],
    "atleast_2d": [lambda x: np.atleast_2d(x[0])],
    "atleast_3d": [np.atleast_3d, lambda x: np.atleast_3d(x[0]), lambda x: np.atleast_3d(x, x)[1]],
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
def test_numpy_functions(x, name, call):
    assert getattr(np, name) in array_function.functions()
    result, expected = call(x), call(VALUES)
    assert isinstance(result, usm.usm_ndarray) and result.sycl_queue == x.sycl_queue
    assert result.usm_type == x.usm_type or name in ("where", "take", "nonzero")
    if name == "nonzero" or name == "count_nonzero":
        expected = np.asarray(expected)
    assert_same(result, np.asarray(expected))


def test_like(x):
    """Arrays of usmtensor stay in their place; a traced function has none."""
    assert np.asarray(x, like=x[0]) is x
    other = "host" if x.usm_type == "shared" else "shared"
    if getattr(x.sycl_device, f"has_aspect_usm_{other}_allocations"):
        y = usm.asarray(x, usm_type=other)
        assert np.array(y, like=x).usm_type == other
    with pytest.raises(TypeError, match=r"numpy\.asarray"):
        usm.fuse(lambda x: x + np.asarray(1, like=x))(x)


def test_dtype_of_ufuncs(x):
    """NumPy's keyword: the operands are converted."""
    assert_same(
        np.add(x, x, dtype="i4", casting="unsafe"),
        np.add(VALUES, VALUES, dtype="i4", casting="unsafe"),
    )
    with pytest.raises(TypeError, match="casting is 'same_kind'"):
        np.add(x, x, dtype="i4")
    assert_same(np.add(x, VALUES, dtype="f4"), VALUES + VALUES)
    assert_same(
        np.multiply(2, x, dtype="f2" if x.sycl_device.has_aspect_fp16 else "f4"),
        VALUES.astype("f2" if x.sycl_device.has_aspect_fp16 else "f4") * 2,
    )
    out = usm.zeros_like(x)
    assert np.add(x, x, out, dtype="f4") is out
    with pytest.raises(TypeError, match="less: the dtype int32"):
        np.less(x, x, dtype="i4")
    with pytest.raises(TypeError, match=r"add: out has data type bool; expected .* int32 casts"):
        np.add(np.asarray([1], like=x), 1, usm.zeros_like(out[:1, :1], dtype="?"), dtype="i4")
    assert_same(out, VALUES + VALUES)


def test_inquiries(x):
    assert np.shape(x) == (2, 3) and np.ndim(x) == 2 and np.size(x) == 6 and np.size(x, 1) == 3
    assert np.isrealobj(x) and not np.iscomplexobj(x)
    assert np.result_type(x, np.int8) == "f4"
    assert all(part.shape == (2, 3) for part in np.broadcast_arrays(x, x[0]))
    assert np.empty_like(x).usm_type == x.usm_type


@pytest.mark.parametrize(
    "call",
    [
        lambda x: np.busday_count(x, x),
        lambda x: np.concatenate([np.zeros(2), np.zeros(2)], out=x[0]),
    ],
)
def test_others_are_refused(x, call):
    with pytest.raises(TypeError, match=r"asnumpy|not supported|expected usm_ndarray"):
        call(x)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: np.sort(x, order="field"),
        lambda x: np.linspace(x, x, 3, device="cpu"),
    ],
)
def test_other_keywords_are_refused(x, call):
    with pytest.raises(TypeError, match=r"numpy|where|out"):
        call(x)


WITHOUT_NAN = "nansum nanprod nanmax nanmin nanmean nanvar nanstd nanmedian nancumsum nancumprod"


@pytest.mark.any_memory
@pytest.mark.parametrize("name", WITHOUT_NAN.split())
@pytest.mark.parametrize("char", "efFi")
@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 2)])
def test_without_nan(queue, name, char, axis):
    skip_without(queue.sycl_device, char)
    values = np.random.default_rng(0).integers(-4, 5, (3, 4, 5)).astype(char)
    if char != "i":
        values[np.random.default_rng(1).random(values.shape) < 0.4] = np.nan
        values[:, 2] = np.nan
    if "cum" in name and type(axis) is tuple:
        return
    x = usm.asarray(values, sycl_queue=queue)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = np.asarray(
            getattr(np, name)(values.astype("F") if char == "F" else values, axis)
        )
    result = getattr(np, name)(x, axis)
    assert isinstance(result, usm.usm_ndarray) and result.shape == expected.shape
    assert char == "i" or result.dtype == expected.dtype
    tolerance = 8 * np.finfo("e" if char == "e" else "f").eps
    np.testing.assert_allclose(usm.asnumpy(result), expected, tolerance, tolerance)


def test_places_without_nan(queue):
    values = np.array([[np.nan, 3, 7], [2, np.nan, 1]], "f4")
    x = usm.asarray(values, sycl_queue=queue)
    for function in (np.nanargmax, np.nanargmin):
        assert_same(function(x, axis=1), function(values, axis=1))
        assert_same(function(x, keepdims=True), function(values, keepdims=True))
        with pytest.raises(ValueError, match="All-NaN"):
            function(x * np.nan, axis=0)
    with pytest.raises(ValueError, match="max"):
        np.nanmax(x[:0])
    assert np.isnan(float(np.nanmedian(x[:0])))


def test_calls_of_dask_on_chunks(x):
    """dask.array also calls functions on its meta, an array without elements."""
    meta = np.empty_like(x, shape=(0, 0))
    assert meta.shape == (0, 0) and meta.dtype == x.dtype and meta.usm_type == x.usm_type
    assert np.full_like(x, 6, shape=(1, 1), dtype="i8").dtype == "i8"
    assert np.zeros_like(x, order="C", shape=4, dtype=None).shape == (4,)
    for function in (np.sum, np.prod, np.max, np.min, np.any, np.all, np.mean, np.argmax):
        assert function(x, axis=0 if function is np.argmax else (0,), keepdims=True).shape == (1, 3)
    assert np.sum(x, axis=(0, 1), dtype="f8", keepdims=True).dtype == "f8"
    parts = np.sum(x, axis=0, keepdims=True), np.sum(x, axis=0, keepdims=True)
    assert np.concatenate(parts, axis=0).shape == (2, 3)
    assert np.stack(parts, axis=0).shape == (2, 1, 3)
    assert np.take(x, np.array([1, 0]), axis=1).shape == (2, 2)
    places = usm.asarray([[0, 1], [1, 0]], sycl_queue=x.sycl_queue)
    assert_same(
        np.take_along_axis(x, places, 1), np.take_along_axis(VALUES, usm.asnumpy(places), 1)
    )
    with pytest.raises(IndexError):
        np.take_along_axis(x, places + 2, axis=0)
    assert np.transpose(x, axes=(1, 0)).shape == (3, 2)
    assert np.tensordot(x, x, axes=((1,), (1,))).shape == (2, 2)
    assert np.cumsum(x, axis=1, dtype=x.dtype).dtype == x.dtype
    assert np.round(x, decimals=0).shape == x.shape
    assert np.broadcast_to(x, shape=(2, 2, 3), subok=True).shape == (2, 2, 3)
    assert np.clip(x, a_min=1, a_max=2).shape == x.shape
    assert np.einsum("ij,ij->i", x, x).shape == (2,)


def test_extensions(queue):
    skip_without_library(queue)
    host = np.array([[3, 1], [1, 4]], "f4")
    x = usm.asarray(host, sycl_queue=queue)
    for call in (
        np.linalg.inv,
        lambda x: np.linalg.cholesky(x, upper=True),
        lambda x: np.linalg.solve(x, x),
        lambda x: np.linalg.svd(x, full_matrices=False, compute_uv=True)[1],
        lambda x: np.linalg.eigh(x, UPLO="L")[0],
        lambda x: np.linalg.vector_norm(x, axis=0),
        lambda x: np.linalg.trace(x),
        lambda x: np.fft.fft(x, None, -1, None, None),
        lambda x: np.fft.rfftn(x, s=(3, 2), axes=(0, 1), norm="ortho"),
        lambda x: np.fft.fftshift(x, axes=0),
    ):
        result = call(x)
        assert isinstance(result, usm.usm_ndarray) and result.sycl_queue == queue
        np.testing.assert_allclose(usm.asnumpy(result), call(host), rtol=1e-5, atol=1e-6)
    y = usm.astype(x, "c8")
    assert np.fft.fft(y, out=y) is y


@pytest.mark.parametrize(
    "call",
    [
        lambda x: np.vstack([2.0, x]),
        lambda x: np.dstack([x, "1"]),
        lambda x: np.atleast_1d(x, "1"),
        lambda x: np.hstack([x, None]),
    ],
)
def test_operands_that_are_no_arrays_are_named(x, call):
    with pytest.raises(TypeError, match=r"is of type \w+; expected usm_ndarray"):
        call(x)


def test_out_on_the_host_is_refused(x):
    out = np.zeros(3, "f4")
    with pytest.raises(TypeError, match="asnumpy"):
        np.sum(x, axis=0, out=out)
    assert not out.any()


@pytest.mark.parametrize("name", sorted(array_function._DIFFERENT))
def test_functions_of_one_name_that_differ(name):
    assert hasattr(usm, name)
    assert getattr(np, name, None) not in array_function.functions()


def test_functions_of_submodules_are_known():
    known = array_function.functions()
    for module, names in (("fft", {"fftfreq", "rfftfreq"}), ("linalg", {"matmul"})):
        own = getattr(usm, module)
        shared = {name for name in own.__all__ if callable(getattr(getattr(np, module), name, 0))}
        missing = {name for name in shared if getattr(getattr(np, module), name) not in known}
        assert {name for name in missing if not isinstance(getattr(own, name), type)} <= names


@pytest.mark.parametrize("name", array_function._WITHOUT_SIGNATURE)
def test_parameters_of_functions_without_a_signature(name, monkeypatch):
    """As before NumPy 2.4."""

    def refuse(function):
        raise ValueError

    written = tuple(array_function._WITHOUT_SIGNATURE[name])
    monkeypatch.setattr(array_function.inspect, "signature", refuse)
    assert tuple(array_function._parameters.__wrapped__(name)) == written


def test_first_calls_in_several_threads():
    """One thread makes the table: `inspect.signature` fails in two before CPython 3.11.8."""
    run("""
import inspect, threading, time
import numpy as np, usmtensor as usm

inside, most, signature = [], [], inspect.signature

def watched(function):
    inside.append(function)
    most.append(len(inside))
    time.sleep(1e-4)
    inside.remove(function)
    return signature(function)

x = usm.ones(3)
inspect.signature = watched
threads = [threading.Thread(target=np.sum, args=(x,)) for _ in range(4)]
for one in threads:
    one.start()
for one in threads:
    one.join()
assert len(most) > 50 and max(most) == 1, (len(most), max(most))
""")


def test_device_is_refused(x):
    """NumPy's only device is "cpu"; for usmtensor that word selects a device."""
    with pytest.raises(TypeError, match="the keyword device"):
        np.zeros_like(x, device="cpu")
