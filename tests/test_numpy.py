"""What NumPy does with arrays: buffers, `__array__`, ufuncs. No silent copy to the host."""

import gc

import numpy as np
import pytest
from checks import assert_same
from hypothesis import given
from hypothesis import strategies as st
from strategies import recipes

import usmtensor as usm
from usmtensor import _ufunc

HOST_KINDS = ("shared", "host")


@pytest.fixture(params=HOST_KINDS)
def x(request, queue):
    """An array that the host can reach."""
    aspect = f"usm_{request.param}_allocations"
    if not getattr(queue.sycl_device, f"has_aspect_{aspect}"):
        pytest.skip(f"the device lacks the aspect {aspect}")
    values = np.arange(24, dtype="i4").reshape(4, 6)
    return usm.asarray(values, usm_type=request.param, sycl_queue=queue)


@pytest.fixture
def far(queue):
    """An array that the host cannot reach."""
    return usm.asarray(np.arange(6, dtype="i4"), sycl_queue=queue)


# --- buffers and conversions ---------------------------------------------------------------------


@given(recipe=recipes(), kind=st.sampled_from(HOST_KINDS))
def test_views(queue, recipe, kind):
    expected, x = recipe.pair(queue, kind)
    for host in (np.asarray(x), np.asarray(memoryview(x)), np.array(x, copy=False)):
        np.testing.assert_array_equal(host, expected, strict=True)
        if host.size:
            assert host.ctypes.data == x._pointer
        assert host.flags.writeable
    copied = np.array(x)
    np.testing.assert_array_equal(copied, expected, strict=True)
    assert not x.size or copied.ctypes.data != x._pointer


def test_writes_are_seen(x):
    host = np.asarray(x)
    host[1:3, 2] = -5
    assert_same(x, host.copy())
    x[0, 0] = 77
    assert host[0, 0] == 77


def test_read_only(x):
    x.flags.writable = False
    assert not np.asarray(x).flags.writeable
    assert memoryview(x).readonly
    assert np.array(x, copy=True).flags.writeable
    with pytest.raises((BufferError, ValueError)):
        np.asarray(x)[0] = 1


def test_array_protocol(x):
    expected = usm.asnumpy(x)
    view = x.__array__()
    assert view.ctypes.data == x._pointer
    assert x.__array__(copy=False).ctypes.data == x._pointer
    copied = x.__array__(copy=True)
    np.testing.assert_array_equal(copied, expected)
    assert copied.ctypes.data != x._pointer
    converted = x.__array__(np.float64)
    np.testing.assert_array_equal(converted, expected.astype("f8"), strict=True)
    with pytest.raises(ValueError):
        x.__array__(np.float64, copy=False)


def test_dtype_of_a_conversion(x):
    np.testing.assert_array_equal(np.asarray(x, dtype="f4"), usm.asnumpy(x).astype("f4"))
    with pytest.raises(ValueError):
        np.array(x, dtype="f4", copy=False)


def test_a_view_keeps_the_memory(queue, x):
    y = usm.asarray(x, copy=True)
    host, expected = np.asarray(y), usm.asnumpy(y)
    kind = y.usm_type
    del y
    gc.collect()
    usm.full(24, -1, dtype="i4", usm_type=kind, sycl_queue=queue)
    np.testing.assert_array_equal(host, expected)


@pytest.mark.parametrize(
    "look",
    [np.asarray, np.array, np.ascontiguousarray, np.sum, np.sort, lambda x: np.array([x, x])],
)
def test_device_memory_is_refused(far, look):
    with pytest.raises(TypeError, match="asnumpy"):
        look(far)


def test_buffer_of_device_memory_is_refused(far):
    with pytest.raises(BufferError, match="asnumpy"):
        memoryview(far)
    with pytest.raises((BufferError, TypeError, ValueError)):
        np.frombuffer(far, "i4")


# --- ufuncs --------------------------------------------------------------------------------------


class Recorder:
    """A function of the namespace that says what it was called with."""

    def __init__(self):
        self.calls = []

    def __call__(self, *args, **keywords):
        self.calls.append((args, keywords))
        return "result"


@pytest.fixture
def with_functions(monkeypatch):
    """Puts a recorder into the namespace under a name."""
    _ufunc._function_of.cache_clear()

    def put(name):
        recorder = Recorder()
        monkeypatch.setattr(usm, name, recorder, raising=False)
        monkeypatch.setattr(usm, "__all__", [*usm.__all__, name])
        return recorder

    yield put
    _ufunc._function_of.cache_clear()


def test_a_ufunc_is_the_function_of_its_name(with_functions, far):
    hypot = with_functions("hypot")
    assert np.hypot(far, 2) == "result"
    assert np.hypot(2.5, far, order="F") == "result"
    assert hypot.calls == [((far, 2), {}), ((2.5, far), {"order": "F"})]


@pytest.mark.parametrize(
    ("ufunc", "name"),
    [
        (np.absolute, "abs"),
        (np.arctan2, "atan2"),
        (np.power, "pow"),
        (np.invert, "bitwise_invert"),
        (np.left_shift, "bitwise_left_shift"),
        (np.conjugate, "conj"),
        (np.true_divide, "divide"),
    ],
)
def test_names_of_the_standard(with_functions, far, ufunc, name):
    recorder = with_functions(name)
    assert ufunc(*(far,) * ufunc.nin) == "result"
    assert len(recorder.calls) == 1


def test_out(with_functions, far):
    hypot = with_functions("hypot")
    y = usm.empty_like(far)
    assert np.hypot(far, far, out=y) == "result"
    assert hypot.calls[0][1]["out"] is y
    assert np.hypot(far, far, out=None) == "result"
    assert hypot.calls[1][1] == {}
    with pytest.raises(TypeError, match="asnumpy"):
        np.hypot(far, far, out=np.empty(6))
    modf = with_functions("modf")
    np.modf(far, out=(y, None))
    assert modf.calls[0][1]["out"] == (y, None)


def test_numpy_operands_go_to_the_device(with_functions, far):
    hypot = with_functions("hypot")
    host = np.arange(6, dtype="i4")
    np.hypot(host, far)
    np.hypot(far, host)
    for args, _ in hypot.calls:
        assert all(isinstance(a, usm.usm_ndarray) for a in args)
        assert all(a.sycl_queue == far.sycl_queue for a in args)
        assert_same(args[0], host)
    np.hypot(np.float32(2), far)  # a scalar stays one
    assert isinstance(hypot.calls[-1][0][0], np.float32)


@pytest.mark.parametrize("ufunc", [np.spacing, np.frompyfunc(lambda a: a, 1, 1), np.fmod])
def test_other_ufuncs_are_refused(far, ufunc):
    with pytest.raises(TypeError, match="asnumpy"):
        ufunc(*(far,) * ufunc.nin)


def test_a_ufunc_of_somebody_else_is_no_namesake(with_functions, far):
    asarray = np.frompyfunc(lambda a: a, 1, 1)
    with_functions(asarray.__name__)
    with pytest.raises(TypeError, match="asnumpy"):
        asarray(far)


@pytest.mark.parametrize("method", ["reduce", "accumulate", "outer", "at", "reduceat"])
def test_methods_of_ufuncs_are_refused(with_functions, far, method):
    with_functions("add")
    arguments = {"outer": (far, far), "at": (far, [0], 1), "reduceat": (far, [0])}
    with pytest.raises(TypeError, match="asnumpy"):
        getattr(np.add, method)(*arguments.get(method, (far,)))


@pytest.mark.parametrize("keywords", [{"dtype": "f4"}, {"where": True}, {"casting": "safe"}])
def test_other_keywords_of_ufuncs_are_refused(far, keywords):
    with pytest.raises(
        TypeError, match=f"add: the keyword {next(iter(keywords))} is not supported"
    ):
        np.add(far, 1, **keywords)


def test_operators_of_numpy_arrays(with_functions, far):
    """`ndarray + array` reaches the function, and nothing is written to a NumPy array."""
    add = with_functions("add")
    host = np.arange(6, dtype="i4")
    assert host + far == "result"
    assert_same(add.calls[0][0][0], host)
    with pytest.raises(TypeError, match="asnumpy"):
        host += far


def test_host_kinds_are_not_copied_silently_either(x):
    with pytest.raises(TypeError, match="asnumpy"):
        np.spacing(x)
