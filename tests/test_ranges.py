"""Sequences of numbers, grids, and matrices of a given form, against NumPy."""

import math

import numpy as np
import pytest
from checks import assert_same
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.exceptions import AxisError
from placement import in_order_queue, other_context_queue
from strategies import dtypes, examples, recipes, skip_without

import usmtensor as usm
from usmtensor import _hooks

FLOATS = st.floats(-1e5, 1e5, allow_subnormal=False)


@pytest.fixture(params=[1, 2], ids=["as a CPU", "as another device"])
def device_class(request):
    """The kernels of each device class."""
    _hooks.force_device_class(request.param)
    yield
    _hooks.force_device_class(0)


def inexact_dtypes():
    return dtypes("fc")


# arange


@pytest.mark.sanitized
@examples(150)
@given(
    start=st.integers(-(2**62), 2**62),
    step=st.integers(-(2**40), 2**40).filter(bool),
    count=st.integers(0, 40),
    odd=st.integers(0, 2**40),
)
def test_arange_of_integers(queue, start, step, count, odd):
    stop = start + step * count
    if count:  # any stop within the last step gives these elements
        stop -= odd % abs(step) * (1 if step > 0 else -1)
    expected = np.array([start + k * step for k in range(count)], "i8")
    assert_same(usm.arange(start, stop, step, sycl_queue=queue), expected)


def test_keywords_of_arange():
    assert_same(usm.arange(stop=3), np.arange(stop=3))
    assert_same(usm.arange(start=1, stop=3), np.arange(start=1, stop=3))
    assert_same(usm.arange(step=2, stop=5, dtype="f4"), np.arange(step=2, stop=5, dtype="f4"))
    for call in (lambda: usm.arange(), lambda: usm.arange(step=2)):
        with pytest.raises(TypeError, match="arange: stop is of type NoneType; expected a real"):
            call()


@examples(150)
@given(data=st.data())
def test_arange_of_integer_types(queue, data):
    dtype = data.draw(dtypes("iu"))
    limits = np.iinfo(dtype)
    within = st.integers(int(limits.min), int(limits.max))
    start, last = data.draw(within), data.draw(within)
    count = data.draw(st.integers(2, 40))
    step = abs(last - start) // (count - 1) * (1 if last > start else -1)
    assume(step)
    expected = np.array([start + k * step for k in range(count)], dtype)
    x = usm.arange(start, start + count * step, step, dtype=dtype, sycl_queue=queue)
    assert_same(x, expected)


@pytest.mark.sanitized
@examples(200)
@given(start=FLOATS, step=FLOATS, count=st.floats(-2, 200), dtype=inexact_dtypes())
def test_arange_of_floats(queue, start, step, count, dtype):
    """As in NumPy, the step is the difference of the first two elements."""
    assume(abs(step) > 1e-3)
    stop = start + count * step
    with np.errstate(all="ignore"):
        expected = np.arange(start, stop, step, dtype)
    x = usm.asnumpy(usm.arange(start, stop, step, dtype=dtype, sycl_queue=queue))
    np.testing.assert_array_equal(x, expected, strict=True)
    defined = ~np.isnan(expected.real)  # the sign of inf - inf depends on the processor
    np.testing.assert_array_equal(np.signbit(x.real)[defined], np.signbit(expected.real)[defined])


@pytest.mark.parametrize(
    "arguments",
    [
        (5,),
        (0,),
        (-3,),
        (2.5,),
        (1, 4),
        (4, 1),
        (4, 1, -1),
        (1, 8, 3),
        (0.5, 3),
        (3, 0.5, -0.5),
        (1, 1),
        (0, 1, math.inf),
        (0, -1, math.inf),
        (0, 1e-300, 1e300),
        (np.int8(1), np.int16(5)),
        (np.float32(0.5), 3),
        (True, 5),
        (0, 10, None),
        (2.5, None, None),
        (2**53, 2**53 + 4),
        (-(2**63), 2**63 - 1, 2**62),
    ],
    ids=str,
)
def test_forms_of_arange(device, queue, arguments):
    x = usm.arange(*arguments, sycl_queue=queue)
    whole = all(isinstance(value, (int, np.integer, type(None))) for value in arguments)
    default = "f8" if device.has_aspect_fp64 else "f4"
    assert_same(x, np.arange(*arguments, dtype="i8" if whole else default))
    assert x.usm_type == "device"
    assert x.sycl_queue == queue


@pytest.mark.parametrize(
    "arguments",
    [(0,), (1,), (2,), (2, 4), (-1, 1), (-1,), (5, 4, -1), (0, 1, 0.5), (0.25, 1.5), (-0.5, 0.5)],
)
def test_arange_of_bools(queue, arguments):
    """NumPy has them for the two values of bool."""
    found = usm.arange(*arguments, dtype=bool, sycl_queue=queue)
    np.testing.assert_array_equal(
        usm.asnumpy(found), np.arange(*arguments, dtype=bool), strict=True
    )


@pytest.mark.parametrize("arguments", [(3,), (0, 1, 0.25), (2**70,)])
def test_arange_of_more_than_two_bools(queue, arguments):
    with pytest.raises(TypeError, match="arange: dtype is bool"):
        usm.arange(*arguments, dtype="?", sycl_queue=queue)


def test_arange_of_floats_as_integers(queue):
    assert_same(usm.arange(0.5, 5.5, dtype="i4", sycl_queue=queue), np.arange(0.5, 5.5, dtype="i4"))
    assert_same(usm.arange(0, 3, 0.5, dtype="i4", sycl_queue=queue), np.zeros(6, "i4"))


@pytest.mark.parametrize(
    ("arguments", "dtype", "error"),
    [
        ((0, 5, 0), None, ValueError),
        ((0, 5, 0.0), None, ValueError),
        ((0, math.inf), None, ValueError),
        ((0, math.nan), None, ValueError),
        ((math.nan, 1), None, ValueError),
        ((0, 2**70), None, ValueError),
        ((0, 1e300), None, ValueError),
        ((0, 300), "i1", OverflowError),
        ((-1, 3), "u2", OverflowError),
        ((2**63, 2**63 + 2), None, OverflowError),
        ((5,), "?", TypeError),
        ((5,), "U1", TypeError),
        ((5,), "junk", TypeError),
        ((1j,), None, TypeError),
        (("a",), None, TypeError),
        ((None,), None, TypeError),
        (([1],), None, TypeError),
    ],
    ids=str,
)
def test_bad_aranges(queue, arguments, dtype, error):
    with pytest.raises(error):
        usm.arange(*arguments, dtype=dtype, sycl_queue=queue)


# linspace


@examples(200)
@given(
    start=FLOATS,
    stop=FLOATS,
    num=st.integers(0, 200),
    endpoint=st.booleans(),
    dtype=dtypes(),
)
def test_linspace(device, queue, start, stop, num, endpoint, dtype):
    if not device.has_aspect_fp64:
        pytest.skip("the device lacks fp64")
    x = usm.linspace(start, stop, num, endpoint=endpoint, dtype=dtype, sycl_queue=queue)
    values = np.linspace(start, stop, num, endpoint=endpoint)
    values[:1] = start  # the sign of zero too
    if dtype.kind in "iu":
        # In NumPy, conversions out of range are undefined.
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
        values = np.floor(values)
        assume(((values >= low) & (values <= high)).all())
    with np.errstate(all="ignore"):
        assert_same(x, values.astype(dtype))


@examples(50)
@given(
    ends=st.tuples(FLOATS, FLOATS, FLOATS, FLOATS), num=st.integers(0, 50), endpoint=st.booleans()
)
def test_complex_linspace(device, queue, ends, num, endpoint):
    start, stop = complex(*ends[:2]), complex(*ends[2:])
    x = usm.linspace(start, stop, num, endpoint=endpoint, sycl_queue=queue)
    real, imag = (
        usm.asnumpy(usm.linspace(*pair, num, endpoint=endpoint, sycl_queue=queue))
        for pair in ((start.real, stop.real), (start.imag, stop.imag))
    )
    expected = np.empty(num, "c16" if device.has_aspect_fp64 else "c8")
    expected.real, expected.imag = real, imag
    assert_same(x, expected)


@examples(50)
@given(start=FLOATS, stop=FLOATS, num=st.integers(2, 2000))
def test_linspace_ends_where_it_should(queue, start, stop, num):
    x = usm.asnumpy(usm.linspace(start, stop, num, dtype="f4", sycl_queue=queue))
    assert x[0] == np.float32(start)
    assert x[-1] == np.float32(stop)
    assert (np.sign(np.diff(x)) * np.sign(stop - start) >= 0).all()


def test_zeros_keep_their_sign(queue):
    for x in (
        usm.arange(-0.0, 1, 0.5, dtype="f4", sycl_queue=queue),
        usm.linspace(-0.0, 1, 3, dtype="f4", sycl_queue=queue),
    ):
        assert np.signbit(usm.asnumpy(x)).tolist()[:2] == [True, False]


def test_forms_of_linspace(device, queue):
    default = np.dtype("f8" if device.has_aspect_fp64 else "f4")
    x = usm.linspace(0, 4, np.int8(5), sycl_queue=queue)
    assert_same(x, np.arange(5, dtype=default))
    assert usm.linspace(np.float32(0), True, num=3, sycl_queue=queue).tolist() == [0, 0.5, 1]
    assert usm.linspace(2, 3, 1, sycl_queue=queue).tolist() == [2]
    assert usm.linspace(3, 3, 2, sycl_queue=queue).tolist() == [3, 3]
    assert usm.linspace(1, math.inf, 1, sycl_queue=queue).tolist() == [1]


@examples(80)
@given(
    data=st.data(),
    num=st.integers(0, 9),
    endpoint=st.booleans(),
    dtype=st.one_of(st.none(), dtypes("fc")),
)
def test_lines_between_arrays(device, queue, data, num, endpoint, dtype):
    if not device.has_aspect_fp64:
        pytest.skip("the device lacks fp64")
    shapes = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3))
    ends = [
        data.draw(hnp.arrays("f8", shape, elements=st.floats(-1e3, 1e3)))
        for shape in shapes.input_shapes
    ]
    axis = data.draw(st.integers(-1 - len(shapes.result_shape), len(shapes.result_shape)))
    expected, step = np.linspace(*ends, num, endpoint, True, dtype, axis)
    here = [
        usm.asarray(ends[0], sycl_queue=queue),
        data.draw(st.sampled_from([list, np.asarray]))(ends[1]) if ends[1].ndim else float(ends[1]),
    ]
    x, found = usm.linspace(*here, num, endpoint, True, dtype, axis)
    assert x.dtype == expected.dtype and x.shape == expected.shape
    np.testing.assert_allclose(usm.asnumpy(x), expected, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(
        found if isinstance(found, float) else usm.asnumpy(found), step, rtol=1e-9, atol=1e-9
    )
    assert usm.linspace(*here, num, axis=axis).shape == expected.shape


def test_steps_of_linspace(queue):
    place = {"sycl_queue": queue}
    assert usm.linspace(0, 1, 5, retstep=True, **place)[1] == 0.25
    assert usm.linspace(0, 1, 5, False, True, **place)[1] == 0.2
    assert usm.linspace(0, 1j, 2, retstep=True, **place)[1] == 1j
    for num in (0, 1):
        assert math.isnan(usm.linspace(0, 1, num, retstep=True, **place)[1])
    assert usm.linspace([0, 0], [3, 7], 2, dtype="i4", **place).tolist() == [[0, 0], [3, 7]]
    assert usm.linspace([-1], [0], 3, dtype="i4", **place).tolist() == [[-1], [-1], [0]]
    with pytest.raises(AxisError, match="linspace: axis 1"):
        usm.linspace(0, 1, 3, axis=1, **place)
    with pytest.raises(AxisError, match="linspace: axis 2"):
        usm.linspace([0], 1, 3, axis=2, **place)
    with pytest.raises(TypeError, match="linspace: dtype is float32; expected a complex"):
        usm.linspace([1j], 1, 3, dtype="f4", **place)
    with pytest.raises(ValueError, match="linspace: num is -1"):
        usm.linspace([0], 1, -1, **place)
    x = np.linspace(usm.asarray([0.0], dtype="f4", sycl_queue=queue), 1, 3, retstep=True)
    assert isinstance(x[0], usm.usm_ndarray) and x[1].tolist() == [0.5]


# 0-D arrays as numbers

NUMBERS = [3, True, 2.5, 1 + 2j]


@pytest.mark.parametrize("number", NUMBERS)
def test_arrays_of_no_dimensions_are_numbers(device, queue, number):
    """In linspace, arange and full: the result is on their device."""
    own = in_order_queue(device)
    scalar = np.asarray(number, np.result_type(type(number)))
    if not device.has_aspect_fp64 and scalar.dtype.char in "dD":
        scalar = scalar.astype(scalar.dtype.char.translate({100: "f", 68: "F"}))
    x = usm.asarray(scalar, sycl_queue=own)
    plain = usm.linspace(0, number, 3, sycl_queue=queue)
    for ends in ((0, x), (0, scalar), (0, scalar[()]), (usm.asarray(0, sycl_queue=own), x)):
        found = usm.linspace(*ends, 3, sycl_queue=queue)
        assert_same(found, usm.asnumpy(plain))
        assert found.sycl_queue == queue
    for here in (usm.linspace(0, x, 3), usm.linspace(x, 0, 3), usm.full(3, x)):
        assert here.sycl_queue == own
    assert usm.linspace(0, x, 3, device=device).sycl_queue == queue
    if isinstance(number, complex):
        for value in (x, scalar, number):
            with pytest.raises(TypeError, match=r"arange: stop is of type .*expected a real numb"):
                usm.arange(value)
        return
    for value in (x, scalar):
        assert_same(usm.arange(value, sycl_queue=queue), usm.asnumpy(usm.arange(number)))
        assert_same(
            usm.arange(1, 9, value, sycl_queue=queue), usm.asnumpy(usm.arange(1, 9, number))
        )
    assert usm.arange(0, x).sycl_queue == own


@pytest.mark.parametrize("value", ["a", None, {}, ["a"], "an array"], ids=str)
def test_refused_arguments(queue, value):
    if isinstance(value, str) and value == "an array":
        value = usm.arange(1, sycl_queue=queue)
    words = f"is of type {type(value).__name__}; expected a (real )?number or a 0-D array"
    with pytest.raises(TypeError, match=r"^arange: stop " + words):
        usm.arange(value)
    if isinstance(value, usm.usm_ndarray):
        return
    for call in (lambda v: usm.linspace(0, v, 3), lambda v: usm.linspace(v, 0, 3)):
        with pytest.raises(TypeError, match=r"^linspace: "):
            call(value)


def test_numbers_of_two_places(device, queue):
    x = usm.asarray(1.5, sycl_queue=queue)
    y = usm.asarray(2.5, sycl_queue=other_context_queue(device))
    for call in (lambda: usm.linspace(x, y, 3), lambda: usm.arange(x, y)):
        with pytest.raises(usm.ExecutionPlacementError, match=r"linspace|arange"):
            call()
    assert usm.linspace(x, y, 3, sycl_queue=queue).tolist() == [1.5, 2, 2.5]


@pytest.mark.parametrize(
    ("arguments", "keywords", "error"),
    [
        ((0, 1, -1), {}, ValueError),
        ((0, 1, 2.5), {}, TypeError),
        ((0, 1, None), {}, TypeError),
        ((0, "a", 3), {}, TypeError),
        ((["a"], 1, 3), {}, TypeError),
        ((0, 1j, 3), {"dtype": "f4"}, TypeError),
        ((0, 1, 3), {"dtype": "U1"}, TypeError),
        ((0, 1, 3), {"endpoint": "a"}, TypeError),
        ((0, 10**400, 3), {}, OverflowError),
        ((0, 1, 2**62), {}, ValueError),
    ],
    ids=str,
)
def test_bad_linspaces(queue, arguments, keywords, error):
    with pytest.raises(error):
        usm.linspace(*arguments, sycl_queue=queue, **keywords)


# Matrices


@examples(100)
@given(
    rows=st.integers(0, 6),
    columns=st.none() | st.integers(0, 6),
    k=st.integers(-8, 8) | st.sampled_from([2**40, -(2**70)]),
    dtype=dtypes(),
    order=st.sampled_from("CF"),
)
def test_eye(queue, rows, columns, k, dtype, order):
    expected = np.eye(rows, columns, max(min(k, 10), -10), dtype)
    x = usm.eye(rows, columns, k=k, dtype=dtype, order=order, sycl_queue=queue)
    assert_same(x, expected)
    assert x.flags.c_contiguous if order == "C" else x.flags.f_contiguous


def test_eye_by_default(device, queue):
    x = usm.eye(2, sycl_queue=queue)
    assert_same(x, np.eye(2, dtype="f8" if device.has_aspect_fp64 else "f4"))


@pytest.mark.parametrize(
    ("arguments", "keywords", "error"),
    [
        ((-1,), {}, ValueError),
        ((2, -1), {}, ValueError),
        ((2.5,), {}, TypeError),
        ((2, "a"), {}, TypeError),
        ((2,), {"k": 1.5}, TypeError),
        ((2,), {"k": None}, TypeError),
        ((2,), {"order": "K"}, ValueError),
        ((2,), {"usm_type": "junk"}, ValueError),
    ],
    ids=str,
)
def test_bad_eyes(queue, arguments, keywords, error):
    with pytest.raises(error):
        usm.eye(*arguments, sycl_queue=queue, **keywords)


@examples(150)
@given(recipe=recipes(), k=st.integers(-7, 7) | st.sampled_from([2**40, -(2**70)]))
def test_triangles(device_class, queue, recipe, k):
    expected, x = recipe.pair(queue)
    if x.ndim < 2:
        for function in (usm.tril, usm.triu):
            with pytest.raises(ValueError, match=function.__name__):
                function(x, k=k)
        return
    near = max(min(k, 10), -10)
    for found, values in (
        (usm.tril(x, k=k), np.tril(expected, near)),
        (usm.triu(x, k=k), np.triu(expected, near)),
    ):
        assert_same(found, values)
        assert found.sycl_queue == queue
        assert found.usm_type == x.usm_type
        assert x.size == 0 or found._pointer != x._pointer


def test_large_triangles(device_class, queue):
    host = np.arange(700 * 900, dtype="i4").reshape(700, 900)
    x = usm.asarray(host, sycl_queue=queue)
    assert_same(usm.tril(x, k=-3), np.tril(host, -3))
    assert_same(usm.triu(x, k=5), np.triu(host, 5))


def test_bad_triangles(queue):
    x = usm.zeros((2, 2), dtype="i4", sycl_queue=queue)
    for function in (usm.tril, usm.triu):
        for junk in (1.5, "a", None):
            with pytest.raises(TypeError, match=function.__name__):
                function(x, k=junk)
        with pytest.raises(TypeError, match=function.__name__):
            function([[1, 2], [3, 4]])


# Grids


@examples(100)
@given(
    lengths=st.lists(st.integers(0, 4), max_size=5),
    indexing=st.sampled_from(["xy", "ij"]),
    dtype=dtypes(),
)
def test_meshgrid(queue, lengths, indexing, dtype):
    hosts = [np.arange(length).astype(dtype)[::-1] for length in lengths]
    arrays = [usm.asarray(host, sycl_queue=queue) for host in hosts]
    found = usm.meshgrid(*arrays, indexing=indexing)
    assert type(found) is tuple
    for x, expected in zip(found, np.meshgrid(*hosts, indexing=indexing), strict=True):
        assert_same(x, expected)
        assert x.flags.writable


@pytest.mark.parametrize("keywords", [{}, {"indexing": "ij"}, {"sparse": True}, {"copy": False}])
def test_meshgrid_of_0d_arrays(queue, keywords):
    host = np.arange(3, dtype="i4")
    x = usm.asarray(host, sycl_queue=queue)
    for pick in (lambda y: (y, y[1]), lambda y: (y[2], y, y), lambda y: (y[2],)):
        wanted = np.meshgrid(*pick(host), **keywords)
        for one, other in zip(usm.meshgrid(*pick(x), **keywords), wanted, strict=True):
            assert_same(one, other)


def test_meshgrid_keeps_kind_and_queue(device, usm_kind):
    queue = in_order_queue(device)
    x = usm.ones(2, dtype="i4", usm_type=usm_kind, sycl_queue=queue)
    for y in usm.meshgrid(x, x):
        assert (y.usm_type, y.sycl_queue) == (usm_kind, queue)


def test_bad_meshgrids(queue):
    x = usm.zeros(2, dtype="i4", sycl_queue=queue)
    for junk in ("junk", None, 3):
        with pytest.raises(ValueError, match="indexing"):
            usm.meshgrid(x, indexing=junk)
    with pytest.raises(ValueError, match="2 dimensions; expected 1 or 0"):
        usm.meshgrid(x, usm.zeros((1, 1), dtype="i4", sycl_queue=queue))
    with pytest.raises(TypeError):
        usm.meshgrid(x, [1, 2])


# Placement


@pytest.mark.parametrize(
    "make",
    [
        lambda **keywords: usm.arange(3, **keywords),
        lambda **keywords: usm.arange(0, 1, 0.25, dtype="f4", **keywords),
        lambda **keywords: usm.linspace(0, 1, 3, **keywords),
        lambda **keywords: usm.linspace(0, 1j, 3, **keywords),
        lambda **keywords: usm.eye(3, **keywords),
    ],
    ids=["arange", "arange f4", "linspace", "linspace complex", "eye"],
)
def test_placement(device, usm_kind, make):
    queue = in_order_queue(device)
    for keywords in ({"sycl_queue": queue}, {"device": queue}):
        x = make(usm_type=usm_kind, **keywords)
        assert x.usm_type == usm_kind
        assert x.sycl_queue == queue
    with pytest.raises(ValueError, match="usm_type"):
        make(usm_type="junk")
    with pytest.raises(TypeError, match="sycl_queue"):
        make(sycl_queue="junk")


@pytest.mark.parametrize("dtype", ["u1", "i2", "i8", "f4", "f8"])
def test_long_sequences(device_class, device, queue, dtype):
    skip_without(device, dtype)
    limit = np.iinfo(dtype).max if np.dtype(dtype).kind in "iu" else 2**20
    count = min(limit, 2**20)
    assert_same(usm.arange(count, dtype=dtype, sycl_queue=queue), np.arange(count, dtype=dtype))
