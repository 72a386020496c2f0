"""Data types: promotion, kinds, limits, and the inspection functions of the namespace."""

import itertools
import math
import os
import subprocess
import sys

import numpy as np
import pytest
from checks import name_of
from strategies import DTYPES, missing_aspect, supported_dtypes

import usmtensor as usm

KINDS = {
    "bool": "?",
    "signed integer": "bhil",
    "unsigned integer": "BHIL",
    "integral": "bhilBHIL",
    "real floating": "efd",
    "complex floating": "FD",
    "numeric": "bhilBHILefdFD",
}


def skip_without(device, *dtypes):
    for dtype in dtypes:
        aspect = missing_aspect(device, dtype)
        if aspect:
            pytest.skip(f"the device lacks {aspect}")


# Promotion


@pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind", "unsafe"])
def test_can_cast(device, queue, casting):
    for source, target in itertools.product(DTYPES, DTYPES):
        expected = np.can_cast(source, target, casting)
        assert usm.can_cast(source, target, casting=casting) is expected
        assert usm.can_cast(source.str, target.type, casting=casting) is expected
    x = usm.zeros(2, dtype="i4", sycl_queue=queue)
    for target in DTYPES:
        if missing_aspect(device, target) is None:
            # Without double precision, integers promote to float32.
            widest = target.char in "fF" and casting == "safe" and not device.has_aspect_fp64
            expected = np.can_cast("i4", target, casting) or widest
            assert usm.can_cast(x, target, casting=casting) is expected


def test_can_cast_is_safe_by_default():
    assert usm.can_cast("i2", "i4") is True
    assert usm.can_cast("i4", "i2") is False


@pytest.mark.parametrize(
    ("arguments", "keywords", "error"),
    [
        (("i4", "junk"), {}, TypeError),
        (("junk", "i4"), {}, TypeError),
        ((1, "i4"), {}, TypeError),
        (([1], "i4"), {}, (TypeError, ValueError)),
        (("i4",), {}, TypeError),
        (("i4", "f4"), {"casting": "junk"}, ValueError),
        (("i4", "f4"), {"casting": 3}, (TypeError, ValueError)),
    ],
    ids=str,
)
def test_bad_can_cast_arguments(arguments, keywords, error):
    with pytest.raises(error):
        usm.can_cast(*arguments, **keywords)


@pytest.fixture
def fp64(device):
    if not device.has_aspect_fp64:
        pytest.skip("the device lacks fp64")


def test_result_type_of_dtypes(fp64):
    for pair in itertools.product(DTYPES, DTYPES):
        assert usm.result_type(*pair) == np.result_type(*pair)
    for three in itertools.combinations(DTYPES, 3):
        assert usm.result_type(*three) == np.result_type(*three)
    for dtype in DTYPES:
        assert usm.result_type(dtype) == usm.result_type(dtype.str) == dtype
        assert usm.result_type(dtype.type) == dtype


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_result_type_of_arrays_and_python_scalars(fp64, device, queue, dtype):
    """A Python scalar changes the kind of the result, never the size within a kind."""
    skip_without(device, dtype)
    x = usm.zeros(2, dtype=dtype, sycl_queue=queue)
    for scalar in (True, 1, 1.5, 1j):
        assert usm.result_type(x, scalar) == np.result_type(np.zeros(2, dtype), scalar)
        assert usm.result_type(scalar, x) == np.result_type(dtype, scalar)
        assert usm.result_type(scalar, dtype) == np.result_type(dtype, scalar)
    for other in DTYPES:
        if missing_aspect(device, other) is None:
            y = usm.zeros((), dtype=other, sycl_queue=queue)
            assert usm.result_type(x, y) == np.result_type(dtype, other)
            assert usm.result_type(x, other, 1) == np.result_type(dtype, other, 1)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((), (TypeError, ValueError)),
        (("junk",), TypeError),
        (("i4", "junk"), TypeError),
        ((object(), "i4"), TypeError),
        (([1], "i4"), (TypeError, ValueError)),
        (("U1", "i4"), (TypeError, ValueError)),
    ],
    ids=name_of,
)
def test_bad_result_type_arguments(arguments, error):
    with pytest.raises(error):
        usm.result_type(*arguments)


# Kinds and limits


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_isdtype(dtype):
    for kind, letters in KINDS.items():
        expected = dtype.char in letters
        assert usm.isdtype(dtype, kind) is expected
        assert usm.isdtype(dtype, (kind,)) is expected
        assert usm.isdtype(dtype, (kind, "bool")) is (expected or dtype.char == "?")
    for other in DTYPES:
        assert usm.isdtype(dtype, other) is (dtype == other)
        assert usm.isdtype(dtype, (other, "bool")) is (dtype == other or dtype.char == "?")
        assert usm.isdtype(dtype.type, other.type) is (dtype == other)
    assert usm.isdtype(dtype, ()) is False


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("i4", "junk"), TypeError),
        (("i4", "i4"), TypeError),
        (("i4", ("integral", "junk")), TypeError),
        (("f8", float), TypeError),
        (("i8", int), TypeError),
        (("?", bool), TypeError),
        (("f8", None), TypeError),
        (("f8", np.floating), TypeError),
        (("f8", np.str_), TypeError),
        (("i4", (("integral",), "bool")), TypeError),
        (("i4", 3), TypeError),
        (("i4", ["integral"]), TypeError),
        (("junk", "integral"), TypeError),
        (("U1", "integral"), TypeError),
        ((3, "integral"), TypeError),
    ],
    ids=str,
)
def test_bad_isdtype_arguments(arguments, error):
    with pytest.raises(error):
        usm.isdtype(*arguments)


@pytest.mark.parametrize("dtype", ["e", "f", "d", "F", "D"])
def test_finfo(device, queue, dtype):
    expected = np.finfo(dtype)
    limits = usm.finfo(dtype)
    assert limits.dtype == expected.dtype
    assert limits.bits == expected.bits
    assert limits.precision == expected.precision
    for name in ("eps", "epsneg", "max", "min", "resolution", "smallest_normal", "tiny"):
        value = getattr(limits, name)
        assert type(value) is float
        assert value == getattr(expected, name)
    assert str(limits.dtype) in repr(limits)
    skip_without(device, dtype)
    assert usm.finfo(usm.zeros(1, dtype=dtype, sycl_queue=queue)).max == limits.max


@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if dtype.kind in "iu"], ids=str)
def test_iinfo(queue, dtype):
    expected = np.iinfo(dtype)
    for limits in (usm.iinfo(dtype), usm.iinfo(usm.zeros(1, dtype=dtype, sycl_queue=queue))):
        found = limits.dtype, limits.bits, limits.min, limits.max
        assert found == (dtype, expected.bits, expected.min, expected.max)
        assert {type(value) for value in found[1:]} == {int}


def test_limits_of_wrong_types():
    for dtype in ("?", "i4", "u8"):
        with pytest.raises(ValueError, match=r"finfo.*floating"):
            usm.finfo(dtype)
    for dtype in ("?", "f4", "c8"):
        with pytest.raises(ValueError, match=r"iinfo.*integer"):
            usm.iinfo(dtype)
    for junk in ("junk", 3, "U1", [1]):
        with pytest.raises(TypeError, match="finfo"):
            usm.finfo(junk)
        with pytest.raises(TypeError, match="iinfo"):
            usm.iinfo(junk)


# The namespace


def test_namespace(queue):
    x = usm.zeros(1, dtype="i4", sycl_queue=queue)
    assert usm.__array_api_version__ == "2025.12"
    assert x.__array_namespace__() is usm
    for version in ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12", None):
        assert x.__array_namespace__(api_version=version) is usm
    with pytest.raises(ValueError, match="api_version"):
        x.__array_namespace__(api_version="2020.12")
    with pytest.raises(TypeError, match="api_version"):
        x.__array_namespace__(api_version=2025.12)


def test_devices():
    info = usm.__array_namespace_info__()
    devices = info.devices()
    assert type(devices) is tuple
    assert list(devices) == usm.get_devices()
    assert info.default_device() == usm.empty(0).device
    for device in devices:
        x = usm.empty(2, device=device)
        assert x.device == device
        assert hash(x.device) == hash(device)


def test_capabilities():
    assert usm.__array_namespace_info__().capabilities()["max dimensions"] is None


def test_default_dtypes(device, queue):
    for place in (device, queue, usm.Device.create_device(device)):
        found = usm.__array_namespace_info__().default_dtypes(device=place)
        assert found == {
            "real floating": usm.empty(0, device=place).dtype,
            "complex floating": usm.asarray(1j, device=place).dtype,
            "integral": usm.asarray(1, device=place).dtype,
            "indexing": np.dtype("i8"),
        }


@pytest.mark.parametrize("kind", [None, *KINDS, ("bool", "complex floating"), ()], ids=str)
def test_dtypes(queue, kind):
    kinds = kind if isinstance(kind, tuple) else (kind,)
    letters = "".join(KINDS[one] for one in kinds) if kind is not None else KINDS["numeric"] + "?"
    expected = [dtype for dtype in supported_dtypes() if dtype.char in letters.replace("e", "")]
    found = usm.__array_namespace_info__().dtypes(device=queue, kind=kind)
    assert found == {str(dtype): dtype for dtype in expected}
    assert all(getattr(usm, name) == dtype for name, dtype in found.items())


def test_bad_arguments_of_the_info():
    info = usm.__array_namespace_info__()
    with pytest.raises(ValueError, match="kind"):
        info.dtypes(kind="junk")
    for junk in (3, ["bool"], (3,)):
        with pytest.raises(TypeError, match="kind"):
            info.dtypes(kind=junk)
    for junk in (3, [], 2.5):
        with pytest.raises(TypeError, match="device"):
            info.dtypes(device=junk)
        with pytest.raises(TypeError, match="device"):
            info.default_dtypes(device=junk)


# Devices without a type

WITHOUT = """
import numpy as np, pytest, os
import usmtensor as usm

device = usm.SyclDevice(os.environ.get("USMTENSOR_TEST_DEVICE") or None)
queue = usm.get_device_cached_queue(device)
place = {"sycl_queue": queue}
assert not device.has_aspect_fp16 and not device.has_aspect_fp64

for x, expected in (
    (usm.zeros(2, **place), np.zeros(2, "f4")),
    (usm.full(2, 1.5, **place), np.full(2, 1.5, "f4")),
    (usm.full(2, 1j, **place), np.full(2, 1j, "c8")),
    (usm.full(2, np.float64(1.5), **place), np.full(2, 1.5, "f4")),
    (usm.asarray([0.5, 1j], **place), np.asarray([0.5, 1j], "c8")),
    (usm.asarray(np.arange(3.0), **place), np.arange(3, dtype="f4")),
    (usm.from_numpy(np.ones(3, "f2"), **place), np.ones(3, "f4")),
    (usm.arange(0.0, 2.0, 0.5, **place), np.arange(0, 2, 0.5, "f4")),
    (usm.linspace(0, 1, 5, **place), np.linspace(0, 1, 5, dtype="f4")),
    (usm.linspace(0, 1j, 5, **place), np.linspace(0, 1j, 5, dtype="c8")),
    (usm.eye(2, **place), np.eye(2, dtype="f4")),
):
    host = usm.asnumpy(x)
    assert host.dtype == expected.dtype
    np.testing.assert_array_equal(host, expected)

whole, single = usm.asarray([1], **place), usm.zeros(1, **place)
assert usm.result_type(whole, 1.5) == "f4"
assert usm.result_type(whole, single) == "f4"
assert usm.result_type(single, 1j) == "c8"
assert usm.result_type("i8", "f4") == "f8"
assert usm.can_cast(whole, "f4") and not usm.can_cast(whole, "f8")
assert not usm.can_cast(whole, "f8", casting="unsafe")
assert usm.concat([whole, single]).dtype == "f4"
assert usm.astype(whole, None).dtype == "f4"

for dtype, aspect in (("f2", "fp16"), ("f8", "fp64"), ("c16", "fp64")):
    for make in (
        lambda: usm.empty(2, dtype=dtype, **place),
        lambda: usm.usm_ndarray(2, dtype, buffer_ctor_kwargs={"queue": queue}),
        lambda: usm.empty_like(single, dtype=dtype),
        lambda: usm.asarray([1.5], dtype=dtype, **place),
        lambda: usm.astype(single, dtype),
        lambda: usm.arange(3, dtype=dtype, **place),
        lambda: usm.linspace(0, 1, 3, dtype=dtype, **place),
    ):
        with pytest.raises(ValueError, match=aspect):
            make()

info = usm.__array_namespace_info__()
defaults = info.default_dtypes(device=device)
assert defaults["real floating"] == "f4" and defaults["complex floating"] == "c8"
assert list(info.dtypes(device=device, kind=("real floating", "complex floating"))) == [
    "float32", "complex64"]
with pytest.raises(usm.SyclDeviceCreationError):
    usm.select_device_with_aspects("fp64")
"""


def test_device_without_half_and_double_precision():
    environment = {**os.environ, "USMTENSOR_TEST_HIDE": "fp64,fp16"}
    subprocess.run([sys.executable, "-c", WITHOUT], env=environment, check=True)


WARNED = """
import warnings, numpy as np, usmtensor as usm
warnings.simplefilter("error")
usm.asarray([1.5, 2]), usm.asarray(np.ones(2), dtype="f4"), usm.asarray(np.ones(2, "f4"))
warnings.simplefilter("always")
with warnings.catch_warnings(record=True) as warned:
    assert usm.asarray(np.ones(2)).dtype == "f4"
    assert usm.from_numpy(np.ones(2, "c16")).dtype == "c8"
message, = [str(one.message) for one in warned]
assert message.startswith("asarray: the device does not have float64, so NumPy data becomes")
"""


def test_double_precision_of_numpy_warns_once_on_a_device_without_it():
    environment = {**os.environ, "USMTENSOR_TEST_HIDE": "fp64"}
    subprocess.run([sys.executable, "-c", WARNED], env=environment, check=True)


def test_hiding_is_by_aspect():
    code = "import usmtensor as usm; print(usm.SyclDevice().has_aspect_fp64)"

    def has_fp64(hidden):
        environment = {**os.environ, "USMTENSOR_TEST_HIDE": hidden}
        command = [sys.executable, "-c", code]
        return subprocess.check_output(command, env=environment, text=True).strip() == "True"

    assert not has_fp64("fp64")
    assert not has_fp64("fp16,fp64")
    assert has_fp64("fp6") is has_fp64("")


def test_constants():
    assert (usm.e, usm.pi, usm.inf, usm.newaxis) == (math.e, math.pi, math.inf, None)
    assert math.isnan(usm.nan)
