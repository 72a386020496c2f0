"""Fourier transforms: NumPy's results, identities, errors, threads."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from library import assert_close, random_numbers, run, skip_without_library
from numpy.exceptions import AxisError
from placement import out_of_order_queue
from strategies import dtypes, examples, laid_out, layouts, supported_dtypes

import usmtensor as usm
from usmtensor import _hooks, fft

REAL = {"rfft", "ihfft", "rfftn"}  # of real numbers
NORMS = st.sampled_from([None, "backward", "ortho", "forward"])


@st.composite
def operands(draw, queue, name):
    shape = tuple(draw(st.lists(st.integers(1, 6), min_size=1, max_size=3)))
    if "ir" in name or name == "hfft":
        shape = tuple(extent + 1 for extent in shape)
    dtype = draw(dtypes("f" if name in REAL else "fc", least=4))
    return laid_out(random_numbers(shape, dtype), draw(layouts(len(shape))), queue)


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
@examples(60)
@given(data=st.data(), norm=NORMS)
def test_along_one_axis(queue, name, data, norm):
    skip_without_library(queue)
    values, x = data.draw(operands(queue, name))
    axis = data.draw(st.integers(-values.ndim, values.ndim - 1))
    n = data.draw(st.one_of(st.none(), st.integers(1, 9)))
    keywords = {"n": n, "axis": axis, "norm": norm}
    assert_close(getattr(fft, name)(x, **keywords), getattr(np.fft, name)(values, **keywords))


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn"])
@examples(60)
@given(data=st.data(), norm=NORMS)
def test_along_several_axes(queue, name, data, norm):
    skip_without_library(queue)
    values, x = data.draw(operands(queue, name))
    axes = data.draw(st.one_of(st.none(), st.permutations(range(values.ndim))))
    s = None
    if axes is not None:
        axes = axes[: data.draw(st.integers(1, len(axes)))]
        s = data.draw(
            st.one_of(
                st.none(), st.lists(st.integers(1, 7), min_size=len(axes), max_size=len(axes))
            )
        )
    keywords = {"s": s, "axes": axes, "norm": norm}
    assert_close(getattr(fft, name)(x, **keywords), getattr(np.fft, name)(values, **keywords))


@examples(60)
@given(data=st.data(), norm=NORMS)
def test_identities(queue, data, norm):
    """Round trips, and Parseval's theorem."""
    skip_without_library(queue)
    values, x = data.draw(operands(queue, "fftn"))
    spectrum = fft.fftn(x, norm=norm)
    back = fft.ifftn(spectrum, norm=norm)
    assert_close(back, values.astype(back.dtype))
    power = usm.linalg.vector_norm(fft.fftn(x, norm="ortho"))
    assert_close(power, np.linalg.vector_norm(values).astype(power.dtype))
    if x.dtype.kind == "f":
        half = fft.rfft(x, norm=norm)
        assert_close(fft.irfft(half, n=x.shape[-1], norm=norm), values)
        assert_close(fft.hfft(fft.ihfft(x), n=x.shape[-1]), values)


@examples(60)
@given(n=st.integers(1, 30), d=st.floats(0.1, 10), dtype=st.sampled_from([None, "f4", "f8"]))
def test_frequencies(queue, n, d, dtype):
    if dtype and np.dtype(dtype) not in supported_dtypes():
        return
    for ours, theirs in ((fft.fftfreq, np.fft.fftfreq), (fft.rfftfreq, np.fft.rfftfreq)):
        result = ours(n, d=d, dtype=dtype, device=queue)
        assert result.sycl_queue == queue
        if dtype:
            assert result.dtype == dtype
        np.testing.assert_allclose(usm.asnumpy(result), theirs(n, d), rtol=1e-6)


@examples(60)
@given(data=st.data(), dtype=dtypes())
def test_shifts(queue, data, dtype):
    shape = tuple(data.draw(st.lists(st.integers(0, 5), min_size=1, max_size=3)))
    values = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    values, x = laid_out(values, data.draw(layouts(len(shape))), queue)
    axes = data.draw(st.sampled_from([None, *range(len(shape)), tuple(range(len(shape)))]))
    for name in ("fftshift", "ifftshift"):
        result = getattr(fft, name)(x, axes=axes)
        expected = getattr(np.fft, name)(values, axes=axes)
        np.testing.assert_array_equal(usm.asnumpy(result), expected, strict=True)


@pytest.mark.parametrize("shape", [(300, 300), (40000, 3), (3, 40000), (20, 30, 200)])
def test_many_rows(queue, shape):
    """Threads share the work."""
    skip_without_library(queue)
    values = random_numbers(shape, "F")
    x = usm.asarray(values, sycl_queue=queue)
    for axis in range(len(shape)):
        assert_close(fft.fft(x, axis=axis), np.fft.fft(values, axis=axis))
    assert_close(fft.rfftn(usm.real(x)), np.fft.rfftn(values.real))
    turned = usm.permute_dims(x, range(len(shape))[::-1])
    assert_close(fft.ifftn(turned), np.fft.ifftn(values.T))


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft"])
@pytest.mark.parametrize(
    ("shape", "axis"),
    [
        ((2400, 130), 0),
        ((2048, 3, 67), 0),
        ((1100, 128), 0),
        ((1 << 19, 1), 0),
        ((1, 3 << 18), 1),
        ((5**8,), 0),
    ],
)
@pytest.mark.parametrize("precision", [4, 8])
def test_columns_and_long_ones(queue, name, shape, axis, precision):
    """With oneMKL threads share blocks of columns; the last block may have fewer. They share a long
    transform, if the number of points has the factors. They wait for the queue."""
    skip_without_library(queue)
    dtype = np.dtype(f"f{precision}" if name == "rfft" else f"c{2 * precision}")
    if dtype not in supported_dtypes():
        pytest.skip("no double precision")
    values = random_numbers(shape, dtype)
    source = usm.asarray(values, sycl_queue=queue)
    x = usm.zeros(shape, dtype=dtype, sycl_queue=queue)
    expected = getattr(np.fft, name)(values, axis=axis, norm="ortho")
    queue.wait()
    _hooks.late_copy(queue, x, source)
    result = getattr(fft, name)(x, axis=axis, norm="ortho")
    x[...] = 0
    assert_close(result, expected.astype(result.dtype))


@pytest.mark.parametrize("n", [26364, 37000, 8 * 20369, 2 * 131071])
@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft"])
@pytest.mark.quirk("mkl-digits")
def test_digits_of_single_precision(queue, name, n):
    """oneMKL alone has errors of 3e-2 and 3e-4 for some of these lengths, with AVX-512."""
    skip_without_library(queue)
    values = random_numbers(n // 2 + 1 if name == "irfft" else n, "f" if name == "rfft" else "F")
    exact = getattr(np.fft, name)(values.astype("d" if name == "rfft" else "D"))
    result = getattr(fft, name)(usm.asarray(values, sycl_queue=queue))
    assert result.dtype.char in "fF" and result.shape == exact.shape
    assert np.abs(usm.asnumpy(result) - exact).max() < 2e-6 * np.abs(exact).max()


@pytest.mark.quirk("mkl-order")
def test_order_of_small_transforms(queue):
    """Seldom oneMKL's commands overlapped those before and after them."""
    skip_without_library(queue)
    values = random_numbers((6, 5), "F")
    source = usm.asarray(values, sycl_queue=queue)
    x = usm.zeros(values.shape, dtype="c8", sycl_queue=queue)
    for _ in range(300):
        back = fft.ifftn(fft.fftn(source)) * 1
        assert_close(back, values)
    for _ in range(5):
        x[...] = 0
        queue.wait()
        _hooks.late_copy(queue, x, source)
        result = fft.fftn(x)
        x[...] = 0
        assert_close(result, np.fft.fftn(values))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda x: fft.fft(x[0, 0]), AxisError, "fft: axis -1 is out of bounds"),
        (lambda x: fft.fft(x, axis=2), AxisError, "fft: axis 2 is out of bounds"),
        (lambda x: fft.fft(x, n=0), ValueError, "fft: n is 0; expected a positive number"),
        (lambda x: fft.fft(x, n=2**70), ValueError, "fft: n is "),
        (lambda x: fft.fft(x, n=1.5), TypeError, "fft: n is of type float"),
        (lambda x: fft.fft(x[:, :0]), ValueError, r"fft: a is of shape \(3, 0\), which gives 0"),
        (lambda x: fft.irfft(x[:, :1]), ValueError, "irfft: a is of shape"),
        (lambda x: fft.hfft(x, norm="other"), ValueError, "hfft: norm is 'other'"),
        (lambda x: fft.ifft(x, norm=[]), ValueError, "ifft: norm is"),
        (lambda x: fft.rfft(fft.fft(x)), TypeError, "rfft: a is of data type complex64"),
        (lambda x: fft.ihfft(fft.fft(x)), TypeError, "ihfft: a is of data type complex64"),
        (lambda x: fft.hfft(None), TypeError, "hfft: a is of type NoneType"),
        (lambda x: fft.fftn(usm.asnumpy(x)), TypeError, "fftn: a is of type ndarray"),
        (lambda x: fft.fftn(x, s=(2, 2)), ValueError, "fftn: s is given without axes"),
        (lambda x: fft.fftn(x, s=(2,), axes=(0, 1)), ValueError, "fftn: s has 1 elements"),
        (lambda x: fft.fftn(x, axes=(0, 0)), ValueError, "fftn: axes"),
        (lambda x: fft.fftn(x, axes=()), ValueError, "fftn: axes is"),
        (lambda x: fft.rfftn(x, axes=(5,)), AxisError, "rfftn: axes"),
        (lambda x: fft.fftfreq(0), ValueError, "fftfreq: n is 0"),
        (lambda x: fft.fftfreq(3, d=0), ValueError, "fftfreq: d is 0"),
        (lambda x: fft.rfftfreq(3, dtype="i4"), TypeError, "rfftfreq: dtype is 'i4'"),
        (lambda x: fft.fftshift(x, axes=3), AxisError, "fftshift"),
        (lambda x: fft.ifftshift([1]), TypeError, "ifftshift: x is of type list"),
    ],
)
def test_refused(queue, call, error, words):
    skip_without_library(queue)
    x = usm.ones((3, 4), dtype="f4", sycl_queue=queue)
    with pytest.raises(error, match=words):
        call(x)


def test_places(device, usm_kind):
    queue = out_of_order_queue(device)
    skip_without_library(queue)
    x = usm.ones((3, 4), dtype="f4", usm_type=usm_kind, sycl_queue=queue)
    for result in (fft.fft(x), fft.irfftn(x), fft.hfft(x)):
        assert result.usm_type == usm_kind and result.sycl_queue == queue


def test_shift_of_no_dimensions(queue):
    x = usm.ones((), dtype="f4", sycl_queue=queue)
    assert fft.fftshift(x).shape == () and float(fft.ifftshift(x)) == 1


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
@pytest.mark.parametrize("n", [1, 5])
def test_signals_of_no_elements(queue, name, n):
    """They are filled up with zeros."""
    skip_without_library(queue)
    usm.full(64, 3.0, dtype="f4", sycl_queue=queue)  # for the pool
    x = usm.zeros((2, 0), dtype="f4" if name in REAL else "c8", sycl_queue=queue)
    result = getattr(fft, name)(x, n=n)
    extent = n // 2 + 1 if name in REAL else n
    assert usm.asnumpy(result).tolist() == np.zeros((2, extent)).tolist()


LEAVING = """
import usmtensor as usm
from usmtensor import memory
queue = usm.SyclQueue({device!r}, property="in_order")
for k in range(60):
    x = usm.ones((300, 300), dtype="{dtype}", sycl_queue=queue)
    {export}
    y = usm.{function}
    {after}
    del x, y
print("end")
"""


@pytest.mark.parametrize(
    ("dtype", "function"),
    [("c8", "fft.fft(x)"), ("f8", "fft.rfft(x)"), ("f4", "matmul(x, x)"), ("f4", "linalg.qr(x)")],
    ids=["fft", "rfft", "matmul", "qr"],
)
@pytest.mark.parametrize(
    ("export", "after", "variables"),
    [
        ("x.__dlpack__()", "", {}),
        ("x.__sycl_usm_array_interface__", "", {}),
        ("", "memory.trim()", {}),
        ("", "del x, y; x, y = usm.empty(180_000), 0; x.__dlpack__()", {}),
        ("", "", {"USMTENSOR_POOL": "0"}),
        ("", "", {"USMTENSOR_POOL_LIMIT": "1"}),
    ],
    ids=["DLPack", "interface", "trim", "reuse", "no pool", "small pool"],
)
@pytest.mark.quirk("early-free", "mkl-commands")
def test_memory_leaves_after_the_commands_of_a_library(
    queue, device, dtype, function, export, after, variables
):
    """The driver does not know that oneMKL still uses it."""
    if dtype == "f8" and not device.has_aspect_fp64:
        pytest.skip("the device lacks the aspect fp64")
    skip_without_library(queue)
    code = LEAVING.format(
        device=device.filter_string, dtype=dtype, export=export, function=function, after=after
    )
    # NumPy's threads would wait for processors that other tests have.
    assert run(code, OPENBLAS_NUM_THREADS="1", **variables).split() == ["end"]


HOST_TASK = """
import usmtensor as usm
usm.empty(1)  # finds the devices
import dpctl, dpctl.memory
queue = dpctl.SyclQueue("{device}", property="in_order")
foreign = dpctl.memory.MemoryUSMShared(300 * 300 * 8, queue=queue)
x = usm.usm_ndarray((300, 300), dtype="c8", buffer=foreign)
x[...] = 1
usm.fft.fft(x)
done = queue._submit_keep_args_alive([x], [])
del x, foreign
done.wait()
print("end")
"""


def test_foreign_memory_of_a_transform_may_end_in_a_host_task(queue, device):
    """A wait for the queue there would never end."""
    pytest.importorskip("dpctl")
    skip_without_library(queue)
    if not device.has_aspect_usm_shared_allocations:
        pytest.skip("the device lacks the aspect usm_shared_allocations")
    assert run(HOST_TASK.format(device=device.filter_string)).split() == ["end"]


@pytest.mark.parametrize("char", "?bHl")
def test_integers_compute_in_the_default_floating_point_type(queue, char):
    skip_without_library(queue.sycl_device)
    host = np.asarray([1, 0, 3, 1, 5]).astype(char)
    x = usm.asarray(host, sycl_queue=queue)
    wide = usm.__array_namespace_info__().default_dtypes(device=x.device)["real floating"]
    for name in ("fft", "rfft", "irfft", "hfft"):
        function = getattr(fft, name)
        found, expected = function(x), function(usm.astype(x, wide))
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(usm.asnumpy(found), usm.asnumpy(expected))


@pytest.mark.parametrize(
    "name", [name for name in fft.__all__ if "s" not in name and "q" not in name]
)
def test_out(queue, name):
    skip_without_library(queue)
    host = (np.arange(24.0).reshape(4, 6) % 7).astype("f4")
    x = usm.asarray(host, sycl_queue=queue)
    x = x if name in {*REAL, "rfft2"} else usm.astype(x, "c8")
    expected = getattr(fft, name)(x)
    out = usm.empty_like(expected)
    assert getattr(fft, name)(x, out=out) is out
    np.testing.assert_array_equal(usm.asnumpy(out), usm.asnumpy(expected))
    if out.shape == x.shape and out.dtype == x.dtype:
        getattr(np.fft, name)(x, out=x)
        np.testing.assert_array_equal(usm.asnumpy(x), usm.asnumpy(expected))
    with pytest.raises(ValueError, match=f"{name}: .*out has shape"):
        getattr(fft, name)(usm.ones_like(x), out=out[:1])


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn", "fft2", "irfft2"])
def test_minus_one_point_means_the_whole_axis(queue, name):
    skip_without_library(queue)
    host = np.arange(24.0).reshape(4, 6).astype("f4")
    x = usm.asarray(host, sycl_queue=queue)
    for s in ((-1, 5), (3, -1), (-1, -1)):
        expected = getattr(np.fft, name)(host, s, (0, 1))
        found = getattr(fft, name)(x, s=s, axes=(0, 1))
        np.testing.assert_allclose(usm.asnumpy(found), expected, rtol=1e-4, atol=1e-4)
