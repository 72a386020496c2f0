"""Calls of NumPy on arrays: buffers, `__array__`, ufuncs. No silent copy to the host."""

import gc
import io
import itertools
import sys

import numpy as np
import pytest
from checks import assert_same
from elementwise_oracle import FUNCTIONS, check, values
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, numbered, recipes, shapes, skip_without, supported_dtypes

import usmtensor as usm
from usmtensor._numpy import ufunc as _ufunc

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


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f2", "f4", "f8", "c8"])
def test_0d_arrays_of_device_memory_convert(queue, dtype):
    skip_without(queue.sycl_device, dtype)
    host = np.asarray(3.7).astype(dtype)
    x = usm.full((), host, dtype=dtype, usm_type="device", sycl_queue=queue)
    np.testing.assert_array_equal(np.asarray(x), host, strict=True)
    np.testing.assert_array_equal(np.array([x, x]), np.array([host, host]), strict=True)
    if dtype != "c8":
        wanted = host.astype("f4")
        np.testing.assert_array_equal(np.asarray(x, "f4"), wanted, strict=True)
        np.testing.assert_array_equal(np.full(2, x), np.full(2, host), strict=True)
    np.asarray(x)[...] = 0
    assert x == host
    with pytest.raises(TypeError, match="host view"):
        np.asarray(x, copy=False)
    with pytest.raises(BufferError, match="host view"):
        memoryview(x)


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
    [np.asarray, np.array, np.ascontiguousarray, lambda x: np.array([x, x])],
)
def test_device_memory_is_refused(far, look):
    with pytest.raises(TypeError, match="asnumpy"):
        look(far)


def test_buffers_leave_no_references(x):
    def references(use):
        before = sys.getrefcount(None)
        for _ in range(1000):
            use()
        return sys.getrefcount(None) - before

    def refused():
        x.flags["W"] = False
        with pytest.raises(TypeError):  # of the BufferError that it gets
            io.BytesIO(b"abc").readinto(x)

    assert abs(references(lambda: memoryview(x))) < 500
    assert abs(references(refused)) < 500


def test_buffer_of_device_memory_is_refused(far):
    with pytest.raises(BufferError, match="asnumpy"):
        memoryview(far)
    with pytest.raises((BufferError, TypeError, ValueError)):
        np.frombuffer(far, "i4")


# --- ufuncs --------------------------------------------------------------------------------------


UFUNCS = _ufunc._functions()


def test_names_of_ufuncs():
    """Ufuncs are found by NumPy's names and by the standard's."""
    others = {"absolute": "abs", "arctan2": "atan2", "power": "pow", "invert": "bitwise_invert"}
    others |= {"left_shift": "bitwise_left_shift", "conjugate": "conj", "true_divide": "divide"}
    for name, own in others.items():
        assert UFUNCS[getattr(np, name)] is getattr(usm, own)
    named = {value for value in vars(np).values() if isinstance(value, np.ufunc)}
    for name, function in FUNCTIONS.items():
        if getattr(np, name, None) in named:
            assert UFUNCS[getattr(np, name)] is function
    assert len(UFUNCS) > 60


@pytest.mark.parametrize("ufunc", [u for u in UFUNCS if not u.signature and u.nin < 3])
def test_types_of_results(ufunc):
    """Of operands of all types, and of all pairs. `reciprocal` has another rule for integers."""
    kinds = "fc" if ufunc is np.reciprocal else "biufc"
    hosts = [np.ones(2, dtype) for dtype in supported_dtypes() if dtype.kind in kinds]
    for pair in itertools.product(hosts, repeat=ufunc.nin):
        try:
            with np.errstate(all="ignore"):
                expected = ufunc(*pair)
        except TypeError:
            with pytest.raises(TypeError):
                UFUNCS[ufunc](*map(usm.asarray, pair))
            continue
        expected = expected if ufunc.nout > 1 else [expected]
        if {one.dtype for one in expected} <= {*supported_dtypes()}:
            found = UFUNCS[ufunc](*map(usm.asarray, pair))
            found = found if ufunc.nout > 1 else [found]
            assert [one.dtype for one in found] == [one.dtype for one in expected]


@pytest.mark.parametrize(
    "ufunc",
    # The others are products, and functions without a table of types.
    [u for u in UFUNCS if not u.signature and hasattr(UFUNCS[u], "types") and u is not np.ldexp],
    ids=lambda ufunc: ufunc.__name__,
)
def test_values_of_ufuncs(queue, ufunc):
    """With all types of the function: arrays of both libraries, NumPy's scalars and numbers."""
    function = UFUNCS[ufunc]
    name = function.__name__
    supported = {dtype.char for dtype in supported_dtypes()}
    signatures = [text.partition("->")[0] for text in function.types]
    for char in {chars[0] for chars in signatures if set(chars) <= supported}:
        x = values(char)
        if ufunc.nin == 1:
            calls = [(x,)]
        else:
            y = np.repeat(x, x.size)
            calls = [(y, np.tile(x, x.size)), (x, x[1]), (x[1], x)]
        for operands in calls:
            ours = [
                usm.asarray(one, sycl_queue=queue) if isinstance(one, np.ndarray) else one
                for one in operands
            ]
            result = ufunc(*ours)
            assert isinstance(result, usm.usm_ndarray) and result.sycl_queue == queue
            check(name, result, *np.broadcast_arrays(*operands))
            if len({one.shape for one in operands}) == 1 and ufunc.nin == 2:
                for mixed in ((operands[0], ours[1]), (ours[0], operands[1])):
                    assert_same(ufunc(*mixed), usm.asnumpy(result))
            out = usm.empty_like(result)
            assert ufunc(*ours, out=out) is out
            assert_same(out, usm.asnumpy(result))


def test_keywords_of_ufuncs(far):
    x = usm.asarray(np.arange(6, dtype="f4").reshape(2, 3), order="F", sycl_queue=far.sycl_queue)
    assert np.sqrt(x).flags.fnc and not np.sqrt(x, order="C").flags.fnc
    assert np.add(x, 1, out=None).dtype == "f4"
    with pytest.raises(TypeError, match="asnumpy"):
        np.add(far, far, out=np.empty(6, "i4"))
    with pytest.raises(ValueError, match="out has shape"):
        np.add(far, far, out=usm.empty(5, dtype="i4", sycl_queue=far.sycl_queue))


def test_numpy_operands_go_to_the_device(far):
    host = np.arange(6, dtype="f4")
    for result in (np.subtract(host, far), host - far):
        assert result.sycl_queue == far.sycl_queue
        np.testing.assert_array_equal(usm.asnumpy(result), host - usm.asnumpy(far))
    for result in (np.subtract(far, host), far - host):
        np.testing.assert_array_equal(usm.asnumpy(result), usm.asnumpy(far) - host)
    assert np.add(np.float32(2), usm.astype(far, "f2")).dtype == "f4"  # promotes as an array
    assert np.add(2.5, usm.astype(far, "f4")).dtype == "f4"


def test_numpy_operands_follow_the_kind_of_the_arrays(queue, usm_kind):
    x, host = usm.ones(3, dtype="f4", usm_type=usm_kind, sycl_queue=queue), np.ones(3, "f4")
    for result in (x + host, host + x, np.add(x, host), np.add(host, x), host @ x, host == x):
        assert result.usm_type == usm_kind
    out = usm.empty(3, dtype="f4", usm_type=usm_kind, sycl_queue=queue)
    assert np.add(host, host, out=out) is out
    assert out.tolist() == [2, 2, 2]
    with pytest.raises(TypeError, match="is of data type object"):
        x < np.array([1, 2, None])  # noqa: B015


def test_foreign_ufuncs_are_not_kept(far):
    ufunc = np.frompyfunc(lambda a: a, 1, 1)
    before = sys.getrefcount(ufunc)
    for _ in range(3):
        with pytest.raises(TypeError, match="asnumpy"):
            ufunc(far)
    gc.collect()
    assert sys.getrefcount(ufunc) == before


@pytest.mark.parametrize("ufunc", [np.divmod, np.frexp, np.modf, np.ldexp])
def test_values_of_ufuncs_that_are_composed(queue, ufunc):
    x = np.asarray([1.5, -2.25, 0.0, 100.0], dtype="f4")
    others = {np.divmod: (np.float32(2),), np.ldexp: (np.asarray([1, 2, 3, -4]),)}.get(ufunc, ())
    found = ufunc(usm.asarray(x, sycl_queue=queue), *others)
    expected = ufunc(x, *others)
    several = isinstance(expected, tuple)
    for one, other in zip(
        *((found, expected) if several else ((found,), (expected,))), strict=True
    ):
        assert isinstance(one, usm.usm_ndarray)
        np.testing.assert_array_equal(usm.asnumpy(one), other)


@pytest.mark.parametrize(
    "ufunc", [np.frompyfunc(lambda a: a, 1, 1), np.frompyfunc(lambda a, b: a, 2, 1)]
)
def test_other_ufuncs_are_refused(far, ufunc):
    with pytest.raises(TypeError, match="asnumpy"):
        ufunc(*(far,) * ufunc.nin)


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "minimum", "logical_or"])
@pytest.mark.parametrize("char", "?idF")
def test_reduceat_of_few_long_slices(queue, name, char):
    skip_without(queue.sycl_device, char)
    host = (np.arange(6000).reshape(3000, 2) % 3 - 1).astype(char)
    if char == "F" and name in ("maximum", "minimum"):
        return
    x = usm.asarray(host, sycl_queue=queue)
    starts = [0, 1200, 700, 2999, 2999]
    for axis, one, other in ((0, x, host), (-1, x.T, host.T)):
        wanted = getattr(np, name).reduceat(other, starts, axis=axis)
        found = getattr(usm, name).reduceat(one, starts, axis=axis)
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(usm.asnumpy(found), wanted)


PAIRWISE = {
    "bitwise_and": "?iB",
    "bitwise_or": "?iB",
    "bitwise_xor": "?iB",
    "fmax": "fi",
    "fmin": "fi",
    "gcd": "iB",
    "hypot": "f",
    "lcm": "i",
    "logaddexp": "f",
    "logical_xor": "?if",
}


@pytest.mark.parametrize("name", PAIRWISE)
@examples(60)
@given(data=st.data(), shape=shapes(max_dims=3, max_side=5))
def test_reductions_by_pairs(queue, name, data, shape):
    function, numpys = getattr(usm, name), getattr(np, name)
    dtype = data.draw(st.sampled_from(PAIRWISE[name]))
    host = np.asarray(numbered(shape, dtype) if dtype != "?" else numbered(shape, "i4") % 2 == 0)
    x = usm.asarray(host, sycl_queue=queue)
    keywords = {"keepdims": data.draw(st.booleans())}
    if len(shape):
        several = [] if name == "lcm" else [None, tuple(range(len(shape)))]  # NumPy refuses them
        keywords["axis"] = data.draw(st.sampled_from([0, -1, *several]))
    else:
        keywords["axis"] = None
    if data.draw(st.booleans()) and dtype != "?":
        keywords["initial"] = 2
        if data.draw(st.booleans()):
            keywords["where"] = np.asarray(numbered(shape, "i4") % 3 > 0)
    try:
        wanted = numpys.reduce(host, **keywords)
    except ValueError:
        with pytest.raises(ValueError, match=f"{name}.reduce"):
            function.reduce(x, **keywords)
        return
    found = function.reduce(x, **keywords)
    assert found.dtype == wanted.dtype and found.shape == wanted.shape
    np.testing.assert_allclose(usm.asnumpy(found), wanted, rtol=1e-5)
    if len(shape):
        found = function.accumulate(x, axis=-1)
        np.testing.assert_allclose(usm.asnumpy(found), numpys.accumulate(host, axis=-1), rtol=1e-5)


@pytest.mark.parametrize(
    "name, values",
    [("hypot", [1, 1, 1]), ("hypot", [True, True]), ("logaddexp", [1, 2, 3]), ("hypot", [-4])],
)
@pytest.mark.parametrize("dtype", ["?", "i1", "i2", "i4"])
def test_accumulations_have_the_type_of_the_function(queue, name, values, dtype):
    host = np.asarray(values, dtype)
    expected = getattr(np, name).accumulate(host)
    x = usm.asarray(host, sycl_queue=queue)
    result = getattr(usm, name).accumulate(x)
    assert result.dtype == getattr(usm, name)(x, x).dtype
    np.testing.assert_allclose(usm.asnumpy(result), expected, rtol=4e-3)


@pytest.mark.parametrize("count", [0, 1, 3])
@pytest.mark.parametrize(
    "name, dtype", [("bitwise_xor", "f4"), ("gcd", "f4"), ("gcd", "?"), ("hypot", "c8")]
)
def test_accumulations_of_other_types(queue, name, dtype, count):
    with pytest.raises(TypeError, match=f"{name}: not defined for"):
        getattr(usm, name).accumulate(usm.ones(count, dtype=dtype, sycl_queue=queue))


@pytest.mark.parametrize("name, dtype", [("hypot", "f4"), ("gcd", "i4"), ("lcm", "i4")])
def test_reductions_of_one_element(queue, name, dtype):
    host = np.asarray([[-4, 6]], dtype)
    x = usm.asarray(host, sycl_queue=queue)
    ours, theirs = getattr(usm, name), getattr(np, name)
    for axis in (0, *([] if name == "lcm" else [()])):
        result = ours.reduce(x, axis=axis)
        np.testing.assert_array_equal(usm.asnumpy(result), theirs.reduce(host, axis=axis))
        result[...] = 0
        assert x[0, 0] == -4


@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin"])
@pytest.mark.parametrize("dtype", ["f2", "f4", "c8", "i1", "?"])
def test_accumulations_of_long_rows(queue, name, dtype):
    host = (np.arange(1200).reshape(30, 40) * 7 % 23 - 11).astype(dtype)
    if np.dtype(dtype).kind in "fc":
        host[::5, ::7] = np.nan
    x = usm.asarray(host, sycl_queue=queue)
    for one, other in ((x, host), (x.T[::-1], host.T[::-1])):
        for axis in (0, 1):
            found = getattr(usm, name).accumulate(one, axis)
            assert found.dtype == dtype and found.flags.c_contiguous
            wanted = getattr(np, name).accumulate(other, axis)
            np.testing.assert_array_equal(usm.asnumpy(found), wanted)
        out = one[...]
        assert getattr(usm, name).accumulate(usm.copy(one), 1, out=out) is out
        out[...] = usm.asarray(other, sycl_queue=queue)


def test_more_reductions_by_pairs(queue):
    x = usm.asarray([12, 18, 30], dtype="i4", sycl_queue=queue)
    assert usm.gcd.reduce(x) == np.gcd.reduce(x) == 6
    assert usm.bitwise_or.reduce([x > 20, x < 13]).tolist() == [True, False, True]
    out = usm.zeros((), dtype="i4", sycl_queue=queue)
    assert usm.lcm.reduce(x, out=out) is out and out == 180
    assert usm.bitwise_and.reduce(x[:0]) == -1
    assert usm.bitwise_and.reduce(usm.asarray([], dtype="u1", sycl_queue=queue)) == 255
    with pytest.raises(
        ValueError, match=r"lcm.reduce: array has shape \(0,\); expected an element"
    ):
        usm.lcm.reduce(x[:0])
    with pytest.raises(ValueError, match=r"fmax.reduce: where is given; expected initial"):
        usm.fmax.reduce(x, where=x > 3)


def test_methods_of_ufuncs_without_an_equal_are_refused(far):
    for call in (lambda: np.fmod.reduceat(far, [0]), lambda: np.fmod.reduce(far)):
        with pytest.raises(TypeError, match=r"asnumpy|expected one of"):
            call()


@pytest.mark.parametrize("keywords", [{"subok": True}, {"signature": "dd->d"}])
def test_other_keywords_of_ufuncs_are_refused(far, keywords):
    with pytest.raises(
        TypeError, match=f"add: the keyword {next(iter(keywords))} is not supported"
    ):
        np.add(far, 1, **keywords)


def test_operators_of_numpy_arrays(far):
    """Nothing is written to a NumPy array."""
    host = np.arange(6, dtype="i4")
    assert_same(host * far, host * usm.asnumpy(far))
    with pytest.raises(TypeError, match="asnumpy"):
        host += far
    np.testing.assert_array_equal(host, np.arange(6))


def test_host_kinds_are_not_copied_silently_either(x):
    with pytest.raises(TypeError, match="asnumpy"):
        np.frompyfunc(lambda a: a, 1, 1)(x)


def test_bools_of_ufuncs_compare_the_operands_as_they_are(far):
    for ufunc in (np.less, np.equal, np.not_equal):
        expected = ufunc(np.arange(6), 3, dtype=bool)
        assert usm.asnumpy(ufunc(far, 3, dtype=bool)).tolist() == expected.tolist()


def test_the_error_of_device_memory_says_what_to_do(queue):
    """NumPy, pandas, matplotlib and SciPy show it."""
    x = usm.ones(3, usm_type="device", sycl_queue=queue)
    with pytest.raises(TypeError, match=r"usmtensor\.asnumpy\(\) .* SCIPY_ARRAY_API=1"):
        np.asarray(x)
