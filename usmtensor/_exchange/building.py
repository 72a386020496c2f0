"""The folders of headers, libraries and CMake files, for building native code."""

import os

from usmtensor._core import array as _array
from usmtensor._runtime import bootstrap as _bootstrap

__all__ = ["get_cmake_dir", "get_include"]

# The folder of the extension modules, which also has the other build files in an editable install.
_HERE = os.path.dirname(os.path.dirname(os.path.abspath(_array.__file__)))


def get_include():
    """Return the folder of usmtensor's headers, for the option ``-I`` of a C or C++ compiler.

    Returns
    -------
    str
        The folder has ``usmtensor/capi.h``, ``usmtensor/array.hpp``, ``usmtensor/array_view.hpp``
        and the casters for pybind11 and nanobind.

    Examples
    --------
    >>> import usmtensor as usm
    >>> import os
    >>> os.path.exists(os.path.join(usm.get_include(), "usmtensor", "capi.h"))
    True
    """
    return os.path.join(_HERE, "include")


def get_cmake_dir():
    """Return the folder of usmtensor's CMake package: the value of ``usmtensor_DIR``.

    Returns
    -------
    str
        The package has the targets ``usmtensor::headers`` and ``usmtensor::sycl``, the SYCL runtime
        that usmtensor uses.

    Examples
    --------
    >>> import usmtensor as usm
    >>> import os
    >>> "usmtensor-config.cmake" in os.listdir(usm.get_cmake_dir())
    True
    """
    return os.path.join(_HERE, "cmake")


def sycl_runtime():
    """Return the folder of the SYCL headers and the library to link.

    Returns
    -------
    tuple of str

    Raises
    ------
    FileNotFoundError
        If the headers are not installed.
    """
    library = _bootstrap.sycl_library()
    include = os.path.join(os.path.dirname(os.path.dirname(library)), "include")
    if not os.path.exists(os.path.join(include, "sycl", "sycl.hpp")):
        raise FileNotFoundError(
            f"usmtensor: the SYCL runtime {library} has no headers in {include}: run `pip install "
            "'dpcpp-cpp-rt==2026.2.*'`"
        )
    return include, library


def compile_flags():
    """Return the compiler flags for the headers of usmtensor and SYCL, as a list of str."""
    return [
        f"-I{get_include()}",
        f"-isystem{sycl_runtime()[0]}",
        "-DSYCL_DISABLE_FSYCL_SYCLHPP_WARNING",
    ]
