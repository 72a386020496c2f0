"""Makes the SYCL runtime in the wheels usable without environment variables (Linux).

The import of usmtensor loads the shared libraries that the runtime cannot find itself. It queries
no device and does not change the environment. `driver_variable` gives the native library the
variable for its first platform query, and `diagnose` explains why there is no device.
"""

import ctypes
import os
import sys

_SYCL = "libsycl.so.9"
_LOADER = "libOpenCL.so.1"
_DRIVER = "libintelocl.so"

# In dependency order, because libOpenCL.so.1 has no RUNPATH to libsvml.so.
_PRELOAD = ("libintlc.so.5", "libirng.so", "libimf.so", "libsvml.so", _LOADER, _SYCL)

_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # the package
_SYSTEM_VENDORS = "/etc/OpenCL/vendors"


def _mapped(prefix):
    """Return the path of a mapped library whose name has a prefix, or None."""
    try:
        with open("/proc/self/maps", "rb") as maps:
            for line in map(os.fsdecode, maps):
                if prefix in line:
                    path = line[line.index("/") :].rstrip("\n")
                    if os.path.basename(path).startswith(prefix):
                        return path
    except (OSError, ValueError):
        pass
    return None


def _known_directories():
    """Yield the `lib/` folders of wheels, beginning with the prefix that has this package."""
    yield os.path.normpath(os.path.join(_HERE, "..", "..", ".."))
    yield os.path.join(sys.prefix, "lib")
    site = sys.modules.get("site")
    if site is not None and getattr(site, "ENABLE_USER_SITE", False):
        yield os.path.join(site.getuserbase(), "lib")
    yield os.path.join(sys.base_prefix, "lib")


def _installed_file(distribution, name):
    """Return the path of a file from its wheel's metadata, or None if the wheel is not installed.

    The file itself may be missing. This takes about 15 ms, so callers try other ways first.
    """
    import importlib.metadata

    try:
        wheel = importlib.metadata.distribution(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None
    # Since Python 3.12, `wheel.files` leaves out missing files.
    files = [line.split(",")[0] for line in (wheel.read_text("RECORD") or "").splitlines()]
    found = [file for file in files if os.path.basename(file) == name]
    return os.path.realpath(wheel.locate_file(found[0])) if found else None


def _find(name, distribution):
    """Return the directory of a runtime file, or None."""
    for directory in _known_directories():
        if os.path.exists(os.path.join(directory, name)):
            return directory
    path = _installed_file(distribution, name)
    return os.path.dirname(path) if path and os.path.exists(path) else None


def _preload():
    """Load the libraries that the dynamic linker would not find. Queries no device.

    Returns
    -------
    str
        The directory of the runtime.

    Raises
    ------
    ImportError
        If there is no SYCL runtime; the message gives the remedy.
    """
    mapped = _mapped(_SYCL)  # a process can use only one libsycl, perhaps another package's
    directory = os.path.dirname(mapped) if mapped else _find(_SYCL, "intel-sycl-rt")
    if directory is None:
        try:
            ctypes.CDLL(_SYCL)  # the linker may know more: LD_LIBRARY_PATH, a system installation
        except OSError:
            advice = _advice("intel-sycl-rt", _SYCL, "dpcpp-cpp-rt")
            message = f"usmtensor: the SYCL runtime ({_SYCL}) was not found; {advice}"
            raise ImportError(message) from None
        return os.path.dirname(_mapped(_SYCL) or "")
    foreign_loader = _mapped(_LOADER) is not None
    for name in _PRELOAD:
        path = os.path.join(directory, name)
        # A second libOpenCL would be a second loader with its own list of drivers.
        if (name == _LOADER and foreign_loader) or (name == _SYCL and mapped):
            continue
        if os.path.exists(path):
            try:
                ctypes.CDLL(path)
            except OSError as error:
                if name == _SYCL:
                    raise ImportError(f"usmtensor: cannot load the SYCL runtime: {error}") from None
    return directory


def sycl_library():
    """Return the path of the SYCL library that this process uses."""
    return _mapped(_SYCL)


def _find_driver():
    """Return the path of the OpenCL CPU driver in the wheels, or None."""
    path = os.path.join(_directory, _DRIVER)
    if os.path.exists(path):
        return path
    found = _find(_DRIVER, "intel-opencl-rt")
    return os.path.join(found, _DRIVER) if found else None


def _lost_in(driver):
    """Return True if a driver cannot find its other files, because its path has a space."""
    return " " in driver


def _icd_files(vendors):
    """Return the names of the .icd files in a vendors directory."""
    try:
        return [name for name in os.listdir(vendors) if name.endswith(".icd")]
    except OSError:
        return []


def _named_by_icd_files(vendors):
    """Return True if an .icd file in a vendors directory names an installed CPU driver."""
    for name in _icd_files(vendors):
        try:
            with open(os.path.join(vendors, name), "rb") as file:
                path = os.fsdecode(file.read().strip())
        except OSError:
            continue
        if os.path.basename(path).startswith(_DRIVER) and os.path.exists(path):
            return True
    return False


def _names_driver(value):
    """Return True if a list of paths has a CPU driver. The linker searches for bare names."""
    return any(
        os.path.basename(path).startswith(_DRIVER) and ("/" not in path or os.path.exists(path))
        for path in value.split(os.pathsep)
    )


def _is_khronos_loader(path):
    """Return False if a loader is Debian's ocl-icd, which ignores OCL_ICD_FILENAMES."""
    try:
        with open(path, "rb") as file:
            return b"OCL_ICD_FILENAMES" in file.read()
    except OSError:
        return True


def _vendors_with(driver):
    """Return a value of OCL_ICD_VENDORS for ocl-icd: the system's drivers and the wheel's."""
    names = _icd_files(_SYSTEM_VENDORS)
    if not names:
        return driver
    # The variable replaces the system's directory, so it must name the system's drivers too.
    import atexit
    import shutil
    import tempfile

    vendors = tempfile.mkdtemp(prefix="usmtensor-icd-")
    atexit.register(shutil.rmtree, vendors, ignore_errors=True)
    for name in names:
        os.symlink(os.path.join(_SYSTEM_VENDORS, name), os.path.join(vendors, name))
    with open(os.path.join(vendors, "usmtensor.icd"), "wb") as file:
        file.write(os.fsencode(driver) + b"\n")
    return vendors


def driver_variable():
    """Return the environment variable for the first platform query.

    Returns
    -------
    tuple of str
        Name and value. `("", "")` if the loader has the driver already (a second path would add a
        second device), if no driver works, or if the user's settings exclude the driver.
    """
    filenames = os.environ.get("OCL_ICD_FILENAMES", "")
    vendors = os.environ.get("OCL_ICD_VENDORS", "")
    known = _names_driver(filenames) or _names_driver(vendors)
    driver = None if known or _named_by_icd_files(vendors or _SYSTEM_VENDORS) else _find_driver()
    if driver is None or _lost_in(driver):
        return "", ""
    loader = _mapped(_LOADER)
    if loader is None or _is_khronos_loader(loader):
        return "OCL_ICD_FILENAMES", filenames + os.pathsep + driver if filenames else driver
    return ("", "") if vendors else ("OCL_ICD_VENDORS", _vendors_with(driver))


def _advice(distribution, name, requirement):
    """Return the remedy for a missing library."""
    path = _installed_file(distribution, name)
    if path is None:
        return f"run `pip install '{requirement}==2026.2.*'`."
    return (
        f"its wheel is installed but {path} is missing: `pip install --target` leaves out the "
        "`lib/` folder of wheels; install into a virtual environment, or with `--prefix`."
    )


def _admits_opencl(selector):
    """Return True if ONEAPI_DEVICE_SELECTOR allows the OpenCL backend."""
    terms = [term.partition(":")[0].strip().lower() for term in selector.split(";")]
    accepted = [term for term in terms if not term.startswith("!")]
    return not accepted or any(term in ("opencl", "*") for term in accepted)


_load_errors: dict[str, str | None] = {}  # by driver; None: the driver can be loaded


def _load_error(driver):
    """Return the reason why a driver cannot be loaded, or None."""
    if driver not in _load_errors:
        try:
            ctypes.CDLL(driver)
            _load_errors[driver] = None
        except OSError as error:
            _load_errors[driver] = str(error)
    return _load_errors[driver]


def diagnose():
    """Return the reason why the SYCL runtime has no device, and the remedy.

    Returns
    -------
    str
        Sentences for the user.

    Notes
    -----
    Call this only after a selection has found no device.
    """
    selector = os.environ.get("ONEAPI_DEVICE_SELECTOR", "")
    loaded = None if _load_errors else _mapped(_DRIVER)
    if selector and (loaded or not _admits_opencl(selector)):
        return (
            f"ONEAPI_DEVICE_SELECTOR={selector} excludes every device of this machine; unset it, "
            "or let it admit one, as ONEAPI_DEVICE_SELECTOR=opencl:* admits the CPU."
        )
    if loaded:
        return f"The driver {loaded} is loaded but offers no device; `clinfo` may say why."
    driver = _find_driver()
    if driver is None:
        advice = _advice("intel-opencl-rt", _DRIVER, "intel-opencl-rt")
        return f"The OpenCL driver of the CPU ({_DRIVER}) was not found; {advice}"
    if _lost_in(driver):
        return (
            f"The OpenCL driver of the CPU works only in a path without spaces, not in {driver}; "
            "make the virtual environment in another folder."
        )
    if os.environ.get("OCL_ICD_VENDORS"):
        return (
            f"OCL_ICD_VENDORS={os.environ['OCL_ICD_VENDORS']} keeps the OpenCL loader from the "
            f"driver {driver}; unset it, or let it lead to that driver too."
        )
    if error := _load_error(driver):
        return (
            f"The OpenCL driver of the CPU cannot be loaded ({error}). The OpenCL loader tries "
            "once in a process: remove the cause, then start Python again."
        )
    return (
        "Another package queried the SYCL or OpenCL platforms before usmtensor, and the OpenCL "
        "loader looks for drivers only once in a process. Query a device with usmtensor "
        f"first, or set OCL_ICD_FILENAMES={driver} before Python starts."
    )


_directory = _preload() if sys.platform == "linux" else ""  # of the runtime
