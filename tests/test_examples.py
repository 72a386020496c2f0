"""The examples build with the system's compiler and run, and the headers compile alone."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from xml.etree import ElementTree

import pytest

import usmtensor as usm

pytestmark = pytest.mark.any_memory

EXAMPLES = Path(__file__).parents[1] / "examples"


# The tools of the virtual environment come first.
PATH = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])


def run(*command, **environment):
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        timeout=600,
        env=os.environ | {"PATH": PATH} | environment,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def cmake_folders():
    import nanobind
    import pybind11

    return {
        "usmtensor_DIR": usm.get_cmake_dir(),
        "pybind11_DIR": pybind11.get_cmake_dir(),
        "nanobind_DIR": nanobind.cmake_dir(),
    }


SCRIPTS = [
    "exchange",
    "group_means",
    "heat",
    "image_filter",
    "kmeans",
    "least_squares",
    "mandelbrot",
    "monte_carlo",
    "normalise",
]


def test_every_example_is_tested():
    folders = {file.parent.name for file in EXAMPLES.glob("*/check.py")}
    assert folders == {"cython", "kernel", "nanobind", "pybind11"}
    assert {file.parent.name for file in EXAMPLES.glob("*/pyproject.toml")} == {"extension"}
    # tests/interop runs those of MPI.
    scripts = {file.stem for file in EXAMPLES.glob("*.py") if not file.stem.startswith("mpi_")}
    assert scripts == {*SCRIPTS, "picture"}


@pytest.mark.parametrize("name", ["cython", "kernel", "nanobind", "pybind11"])
def test_example(name, device, tmp_path):
    for kind in ("device", "shared", "host"):
        if not getattr(device, f"has_aspect_usm_{kind}_allocations"):
            pytest.skip(f"the device lacks the aspect usm_{kind}_allocations")
    settings = cmake_folders() | {
        "Python_EXECUTABLE": sys.executable,
        "CMAKE_BUILD_TYPE": "Debug",  # without optimisation and symbols it compiles faster
        "CMAKE_CXX_FLAGS_DEBUG": "",
    }
    defined = [f"-D{key}={value}" for key, value in settings.items()]
    run("cmake", "-G", "Ninja", "-S", EXAMPLES / name, "-B", tmp_path, *defined)
    run("cmake", "--build", tmp_path)
    output = run(
        sys.executable,
        EXAMPLES / name / "check.py",
        PYTHONPATH=str(tmp_path),
        **selection(device),
    )
    assert output.endswith("NumPy\n")


@pytest.mark.parametrize("name", SCRIPTS)
def test_script(name, device, tmp_path):
    if name == "least_squares" and usm.linalg.backend(device) is None:
        pytest.skip("the device has no library for lstsq")
    output = run(sys.executable, EXAMPLES / f"{name}.py", tmp_path, **selection(device))
    assert len(output.splitlines()) > 1
    for picture in tmp_path.glob("*.png"):
        assert picture.read_bytes().startswith(b"\x89PNG")
    for picture in tmp_path.glob("*.svg"):
        ElementTree.parse(picture)


def test_extension(device, tmp_path):
    package = shutil.copytree(EXAMPLES / "extension", tmp_path / "extension")
    installed = tmp_path / "installed"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", installed]
    # Without an index: flit_core, which builds the package, is a requirement of the tests.
    run(*pip, "--no-index", "--no-build-isolation", package)
    shutil.rmtree(package / "usmtensor_nearest")
    output = run(
        *[sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", package, package],
        PYTHONPATH=str(installed),
        **selection(device),
    )
    assert re.search(r"[1-9][0-9]* passed", output)


def selection(device):
    """A variable that makes the device under test the default device, which the examples use."""
    if not os.environ.get("USMTENSOR_TEST_DEVICE"):
        return {}
    backend, kind, _ = device.filter_string.split(":")
    return {"ONEAPI_DEVICE_SELECTOR": f"{backend}:{kind}"}


def flags(*arguments):
    return shlex.split(run(sys.executable, "-m", "usmtensor", "flags", *arguments))


STRICT = ["-Wall", "-Wextra", "-Werror", f"-isystem{sysconfig.get_path('include')}"]


@pytest.mark.parametrize("standard", ["c99", "c11", "c++17", "c++20"])
def test_the_header_for_c_is_c_and_cpp(standard, tmp_path):
    source = tmp_path / ("x.cpp" if "+" in standard else "x.c")
    source.write_text("#include <usmtensor/capi.h>\nint f(void) { return import_usmtensor(); }\n")
    compiler = "c++" if "+" in standard else "cc"
    output = tmp_path / "x.o"
    run(compiler, f"-std={standard}", *STRICT, *flags(), "-c", source, "-o", output)


VIEW = """
#include <usmtensor/array_view.hpp>
using usmtensor::array_view;

static_assert(std::is_trivially_copyable_v<array_view<float, 3>>);
static_assert(std::is_convertible_v<array_view<int, 2>, array_view<const int, 2>>);
static_assert(!std::is_convertible_v<array_view<const int, 2>, array_view<int, 2>>);
static_assert(!std::is_convertible_v<array_view<int, 2>, array_view<const long, 2>>);
static_assert(!std::is_convertible_v<array_view<int, 2>, array_view<const int, 1>>);

constexpr int data[] = {0, 1, 2, 3, 4, 5};
constexpr std::ptrdiff_t shape[] = {2, 3}, strides[] = {-3, 1}, once[] = {0};
constexpr array_view<const int, 2> upside_down(data + 3, shape, strides);
static_assert(upside_down(0, 0) == 3 && upside_down(1, 2) == 2 && upside_down[1][1] == 1);
static_assert(upside_down.size() == 6 && upside_down.extent(1) == 3);
static_assert(upside_down.stride(0) == -3);
static_assert(upside_down.ndim() == 2 && upside_down[0].ndim() == 1);
static_assert(upside_down.data() == data + 3);
constexpr array_view<const int, 0> scalar(data + 4, nullptr, nullptr);
static_assert(scalar() == 4 && scalar.size() == 1);
constexpr array_view<const int, 1> repeated(data + 5, shape, once);
static_assert(repeated[1] == 5 && array_view<const int, 2>().size() == 0);
"""


def test_views(tmp_path):
    source = tmp_path / "x.cpp"
    source.write_text(VIEW)
    run("c++", "-std=c++17", "-pedantic", *STRICT, *flags(), "-fsyntax-only", source)


TYPES = """
#include <sycl/sycl.hpp>
#include <usmtensor/array.hpp>
#include <cstdint>
using usmtensor::type_number;
static_assert(type_number<bool>() == 0 && type_number<signed char>() == 1);
static_assert(type_number<const std::uint8_t>() == 2 && type_number<std::int16_t>() == 3);
static_assert(type_number<std::uint16_t>() == 4 && type_number<std::int32_t>() == 5);
static_assert(type_number<std::uint32_t>() == 6 && type_number<std::int64_t>() == 7);
static_assert(type_number<long long>() == 7 && type_number<unsigned long long>() == 8);
static_assert(type_number<float>() == 11 && type_number<const double>() == 12);
static_assert(type_number<std::complex<float>>() == 14 && type_number<sycl::half>() == 23);
static_assert(type_number<std::complex<double>>() == 15);
bool use(PyObject *x) { return usmtensor::array_ref(x).queue().is_in_order(); }
int main() { return use(nullptr); }
"""


def test_types_and_queues(tmp_path):
    source = tmp_path / "x.cpp"
    source.write_text(TYPES)
    library = flags("--link")
    assert [Path(path).is_file() for path in library] == [True]
    shared = ["-shared", "-fPIC", "-o", tmp_path / "x.so"]
    run("c++", "-std=c++17", *STRICT, *flags(), source, *library, *shared)


HALF = """
#include <usmtensor/array.hpp>
struct Half { short bits; };
struct Bfloat { short bits; };
template <> struct usmtensor::is_half<Half> : std::true_type {};
static_assert(usmtensor::type_number<const Half>() == 23 && !usmtensor::is_half<Bfloat>::value);
#ifdef WRONG
constexpr int number = usmtensor::type_number<Bfloat>();
#endif
"""


def test_half_precision_is_not_any_class_of_two_bytes(tmp_path):
    source = tmp_path / "x.cpp"
    source.write_text(HALF)
    compile = ["c++", "-std=c++17", *STRICT, *flags(), "-fsyntax-only", source]
    run(*compile)
    with pytest.raises(AssertionError, match="no array has elements of this type"):
        run(*compile, "-DWRONG")


def test_installed_files():
    include = Path(usm.get_include()) / "usmtensor"
    headers = {"array.hpp", "array_view.hpp", "capi.h", "dlpack.h", "nanobind.hpp", "pybind11.hpp"}
    assert {path.name for path in include.iterdir()} == headers
    assert (Path(usm.get_cmake_dir()) / "usmtensor-config.cmake").is_file()
    assert any((Path(folder) / "__init__.pxd").is_file() for folder in usm.__path__)
