"""Text forms: NumPy's output with the class's name, for all print options."""

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import dtypes, examples, numbered, recipes, shapes

import usmtensor as usm

DEFAULTS = {
    "linewidth": 75,
    "edgeitems": 3,
    "threshold": 1000,
    "precision": 8,
    "floatmode": "maxprec",
    "suppress": False,
    "nanstr": "nan",
    "infstr": "inf",
    "sign": "-",
}


class usm_ndarray(np.ndarray):
    """A NumPy subclass of this name, because NumPy prints the name of the class."""


def numpy_repr(array, **options):
    with np.printoptions(**DEFAULTS | options):
        return repr(np.asarray(array).view(usm_ndarray))


def numpy_str(array, **options):
    if np.ndim(array) == 0:
        return str(array)
    with np.printoptions(**DEFAULTS | options):
        return np.array2string(np.asarray(array))


@pytest.fixture(autouse=True)
def same_options_afterwards():
    before = usm.get_print_options()
    yield
    assert usm.get_print_options() == before


@pytest.fixture
def x(queue):
    return usm.asarray(np.array([1.5, -2.25, 1e-9], "f4"), sycl_queue=queue)


OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "linewidth": st.integers(10, 120),
        "edgeitems": st.integers(1, 4),
        "threshold": st.sampled_from([0, 5, 20, 1000]),
        "precision": st.integers(0, 9),
        "floatmode": st.sampled_from(["fixed", "unique", "maxprec", "maxprec_equal"]),
        "suppress": st.booleans(),
        "nanstr": st.sampled_from(["nan", "NaN", "-"]),
        "infstr": st.sampled_from(["inf", "oo"]),
        "sign": st.sampled_from("-+ "),
    },
)


def floats(shape, dtype, seed):
    """Numbers of many magnitudes, some not finite."""
    rng = np.random.default_rng(seed)
    with np.errstate(all="ignore"):
        if dtype.kind in "fc":
            values = rng.standard_normal(shape) * 10.0 ** rng.integers(-6, 6, shape)
            odd = rng.random(shape) < 0.1
            values = np.where(odd, rng.choice([np.nan, np.inf, -np.inf, 0.0], shape), values)
            if dtype.kind == "c":
                values = values + 1j * rng.standard_normal(shape)
            return values.astype(dtype)
    return numbered(shape, dtype)


@examples(300)
@given(
    shape=shapes(max_dims=4, max_side=9),
    dtype=dtypes(),
    seed=st.integers(0, 99),
    options=OPTIONS,
)
def test_text_is_numpys(queue, shape, dtype, seed, options):
    values = floats(shape, dtype, seed)
    x = usm.asarray(values, sycl_queue=queue)
    with usm.print_options(**options):
        assert repr(x) == numpy_repr(values, **options)
        assert str(x) == numpy_str(values, **options)


@examples(100)
@given(recipe=recipes(max_side=9), options=OPTIONS)
def test_text_of_views(queue, recipe, options):
    expected, x = recipe.pair(queue)
    with usm.print_options(**options):
        assert repr(x) == numpy_repr(expected, **options)
        assert str(x) == numpy_str(expected, **options)


@pytest.mark.parametrize("shape", [(2000,), (40, 50), (3, 700), (700, 3), (8, 9, 20), (1001, 1, 1)])
@pytest.mark.parametrize("dtype", ["?", "i4", "i8", "f4", "c8"])
@pytest.mark.parametrize("edgeitems", [1, 3, 5])
def test_summaries(queue, shape, dtype, edgeitems):
    values = floats(shape, np.dtype(dtype), 1)
    x = usm.asarray(values, sycl_queue=queue)
    with usm.print_options(edgeitems=edgeitems):
        assert repr(x) == numpy_repr(values, edgeitems=edgeitems)
        assert str(x) == numpy_str(values, edgeitems=edgeitems)
        assert "..." in str(x)
        assert f"shape={shape}" in repr(x)
        assert repr(x[::-1]) == numpy_repr(values[::-1], edgeitems=edgeitems)


def test_summary_of_nothing_but_the_last_element(queue):
    x = usm.asarray(np.full(2000, 7, "i4"), sycl_queue=queue)
    assert usm.usm_ndarray_str(x, edge_items=0) == "[... 7]"


def test_summary_needs_only_the_corners(queue):
    """10^14 elements through zero strides: only the shown elements may reach the host."""
    memory = usm.full(1, 3, dtype="i1", sycl_queue=queue)
    x = usm.usm_ndarray((10**7, 10**7), "i1", strides=(0, 0), buffer=memory.usm_data)
    values = np.broadcast_to(np.int8(3), (10**7, 10**7))
    assert str(x) == numpy_str(values)
    assert repr(x) == numpy_repr(values)


def test_implied_dtypes(device, queue):
    assert repr(usm.asarray([1, 2], sycl_queue=queue)) == "usm_ndarray([1, 2])"
    assert repr(usm.asarray([True], sycl_queue=queue)) == "usm_ndarray([ True])"
    x = usm.asarray([1, 2], dtype="i2", sycl_queue=queue)
    assert repr(x) == "usm_ndarray([1, 2], dtype=int16)"
    if not device.has_aspect_fp64:
        pytest.skip("the device lacks fp64")
    assert repr(usm.asarray([1.5], sycl_queue=queue)) == "usm_ndarray([1.5])"
    assert repr(usm.asarray([1.5j], sycl_queue=queue)) == "usm_ndarray([0.+1.5j])"


@pytest.mark.parametrize("shape", [(9,), (3, 4), (0, 3)])
@pytest.mark.parametrize("dtype", ["i1", "u8", "f4"])
def test_type_where_a_line_is_full(queue, shape, dtype):
    values = numbered(shape, dtype)
    x = usm.asarray(values, sycl_queue=queue)
    lines = set()
    for width in range(20, 100):
        with usm.print_options(linewidth=width):
            assert repr(x) == numpy_repr(values, linewidth=width)
            lines.add(
                repr(x).splitlines()[-1].startswith(12 * " " + ("dtype", "shape")[0 in shape])
            )
    assert lines == {False, True}


def test_shapes_that_do_not_show(queue):
    for shape in ((0,), (0, 3), (2, 0), (1, 0, 4)):
        x = usm.zeros(shape, dtype="i8", sycl_queue=queue)
        shown = "" if shape == (0,) else f" shape={shape},"
        assert repr(x) == f"usm_ndarray([],{shown} dtype=int64)"


def test_text_of_each_kind(queue, usm_kind):
    x = usm.asarray([1, 2, 3], dtype="i4", usm_type=usm_kind, sycl_queue=queue)
    assert repr(x[::-1]) == "usm_ndarray([3, 2, 1], dtype=int32)"


def test_read_only_arrays_print(x):
    x.flags.writable = False
    assert str(x) == numpy_str(usm.asnumpy(x))


# Options


def test_defaults():
    assert usm.get_print_options() == DEFAULTS


def test_get_print_options_is_a_copy():
    usm.get_print_options()["precision"] = 2
    assert usm.get_print_options() == DEFAULTS


def test_set_print_options(x):
    try:
        usm.set_print_options(precision=2, suppress=True)
        assert usm.get_print_options() == DEFAULTS | {"precision": 2, "suppress": True}
        assert str(x) == "[ 1.5  -2.25  0.  ]"
        usm.set_print_options(sign="+")
        assert usm.get_print_options()["precision"] == 2
    finally:
        usm.set_print_options(**DEFAULTS)


def test_print_options_go_back():
    with usm.print_options(precision=2) as outer:
        assert outer == usm.get_print_options() == DEFAULTS | {"precision": 2}
        with pytest.raises(KeyError), usm.print_options(linewidth=40):
            assert usm.get_print_options() == DEFAULTS | {"precision": 2, "linewidth": 40}
            raise KeyError
        assert usm.get_print_options() == outer
    assert usm.get_print_options() == DEFAULTS


def test_print_options_belong_to_a_thread():
    seen = []
    with usm.print_options(precision=2):
        thread = threading.Thread(target=lambda: seen.append(usm.get_print_options()))
        thread.start()
        thread.join()
    assert seen == [DEFAULTS]


def test_numpy_options(x):
    values = usm.asnumpy(x)
    with np.printoptions(precision=3, sign="+", linewidth=20, formatter={"all": lambda _: "?"}):
        assert str(x) == numpy_str(values)
        options = {"precision": 3, "sign": "+", "linewidth": 20}
        assert usm.usm_ndarray_str(x, numpy=True) == numpy_str(values, **options)
        assert usm.usm_ndarray_str(x, numpy=True, sign=" ") == numpy_str(
            values, **options | {"sign": " "}
        )
        with usm.print_options(numpy=True, precision=1) as current:
            assert current == DEFAULTS | options | {"precision": 1}
            assert repr(x) == numpy_repr(values, **options | {"precision": 1})


def test_usm_ndarray_str(queue):
    values = np.arange(40, dtype="f4").reshape(4, 10) / 7
    x = usm.asarray(values, sycl_queue=queue)
    text = usm.usm_ndarray_str(
        x,
        line_width=50,
        edge_items=2,
        threshold=10,
        precision=3,
        floatmode="fixed",
        suppress=True,
        sign="+",
        separator="; ",
        prefix="12345",
        suffix="123",
    )
    assert text == np.array2string(
        values,
        max_line_width=50,
        edgeitems=2,
        threshold=10,
        precision=3,
        floatmode="fixed",
        suppress_small=True,
        sign="+",
        separator="; ",
        prefix="12345",
        suffix="123",
    )


def test_usm_ndarray_repr(queue):
    values = np.arange(40, dtype="f4").reshape(4, 10) / 7
    x = usm.asarray(values, sycl_queue=queue)
    assert usm.usm_ndarray_repr(x) == repr(x) == numpy_repr(values)
    text = usm.usm_ndarray_repr(x, line_width=60, precision=2, suppress=True)
    assert text == numpy_repr(values, linewidth=60, precision=2, suppress=True)

    class Renamed(np.ndarray):
        pass

    expected = np.array_repr(values.view(Renamed), max_line_width=75)
    assert usm.usm_ndarray_repr(x, prefix="Renamed") == expected


@pytest.mark.parametrize("name", ["linewidth", "edgeitems", "threshold", "precision"])
@pytest.mark.parametrize(
    ("value", "error"), [("a", TypeError), (1.5, TypeError), ([3], TypeError), (-1, ValueError)]
)
def test_bad_numbers(x, name, value, error):
    with pytest.raises(error, match=name):
        usm.set_print_options(**{name: value})
    with pytest.raises(error), usm.print_options(**{name: value}):
        pass
    renamed = {"linewidth": "line_width", "edgeitems": "edge_items"}.get(name, name)
    with pytest.raises(error):
        usm.usm_ndarray_str(x, **{renamed: value})
    if name in ("linewidth", "precision"):
        with pytest.raises(error):
            usm.usm_ndarray_repr(x, **{renamed: value})


@pytest.mark.parametrize("name", ["floatmode", "sign"])
@pytest.mark.parametrize("value", ["junk", "", 3, ["fixed"]])
def test_bad_words(x, name, value):
    with pytest.raises(ValueError, match=name):
        usm.set_print_options(**{name: value})
    with pytest.raises(ValueError):
        usm.usm_ndarray_str(x, **{name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [("nanstr", 3), ("infstr", b"oo"), ("suppress", "yes"), ("numpy", "yes"), ("junk", 1)],
)
def test_bad_types(name, value):
    with pytest.raises(TypeError):
        usm.set_print_options(**{name: value})


@pytest.mark.parametrize("name", ["separator", "prefix", "suffix", "suppress", "numpy", "junk"])
def test_bad_types_of_one_call(x, name):
    with pytest.raises(TypeError):
        usm.usm_ndarray_str(x, **{name: 2.5})
    if name in ("prefix", "suppress"):
        with pytest.raises(TypeError):
            usm.usm_ndarray_repr(x, **{name: 2.5})


@pytest.mark.parametrize("junk", [[1, 2], 3, np.ones(2), None, "text"], ids=repr)
def test_only_arrays(junk):
    with pytest.raises(TypeError):
        usm.usm_ndarray_str(junk)
    with pytest.raises(TypeError):
        usm.usm_ndarray_repr(junk)
