"""SciPy with SCIPY_ARRAY_API=1: functions by the array API, and functions that copy to the host."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from clients import assert_agrees

import usmtensor as usm

constants, fft, integrate, interpolate, ndimage, optimize, signal, special, stats, vq = (
    pytest.importorskip(f"scipy.{name}")
    for name in (
        *("constants", "fft", "integrate", "interpolate", "ndimage", "optimize", "signal"),
        *("special", "stats", "cluster.vq"),
    )
)

A = np.linspace(0.1, 0.9, 6)
M = np.arange(1.0, 13).reshape(3, 4)

BY_THE_ARRAY_API = [
    ("special.xlogy", special.xlogy, A, A[::-1]),
    ("special.rel_entr", special.rel_entr, A, A[::-1]),
    ("special.expit", special.expit, A),
    ("special.log_ndtr", special.log_ndtr, A),
    ("special.erf", special.erf, A),
    ("special.gammaln", special.gammaln, A),
    ("special.i0e", special.i0e, A),
    ("signal.gausspulse", signal.gausspulse, A),
    ("constants.convert_temperature", constants.convert_temperature, A, "C", "K"),
    ("constants.lambda2nu", constants.lambda2nu, A),
    ("constants.nu2lambda", constants.nu2lambda, A),
    ("optimize.rosen_der", optimize.rosen_der, A),
    ("special.logsumexp", special.logsumexp, M),
    ("special.softmax", special.softmax, M),
    ("stats.zscore", stats.zscore, M),
    ("stats.skew", stats.skew, A**2),
    ("stats.kurtosis", stats.kurtosis, A**2),
    ("stats.entropy", stats.entropy, A),
    ("stats.gmean", stats.gmean, A),
    ("stats.moment", stats.moment, A, 2),
    ("stats.iqr", stats.iqr, A**2),
    ("stats.trim_mean", stats.trim_mean, A**2, 0.2),
    ("stats.rankdata", stats.rankdata, A[::-1]),
    ("stats.differential_entropy", stats.differential_entropy, A**2),
    ("integrate.trapezoid", integrate.trapezoid, A),
    ("optimize.rosen", optimize.rosen, A),
    ("fft.rfft", fft.rfft, A),
    ("fft.ifftn", fft.ifftn, M),
    ("fft.fftshift", fft.fftshift, A),
    ("signal.hilbert", signal.hilbert, A),
    ("signal.fftconvolve", signal.fftconvolve, M, M),
    ("vq.whiten", vq.whiten, M**2),
]

# SciPy converts to NumPy and back, which works for kind shared.
ON_THE_HOST = [
    ("special.gammainc", special.gammainc, A, A[::-1]),
    ("special.betainc", special.betainc, A, A, A),
    ("signal.detrend", signal.detrend, M),
    ("signal.lfilter", signal.lfilter, A, A[::-1], A),
    ("signal.convolve", signal.convolve, A, A),
    ("signal.medfilt", signal.medfilt, A, 3),
    ("signal.upfirdn", signal.upfirdn, A, A),
    ("ndimage.gaussian_filter", ndimage.gaussian_filter, M, 1.0),
    ("ndimage.zoom", ndimage.zoom, M, 2),
    ("ndimage.label", lambda x: ndimage.label(x)[0], M > 3),
    ("ndimage.binary_dilation", ndimage.binary_dilation, M > 8),
    ("fft.dct", fft.dct, A),
    ("interpolate.PPoly", lambda c, x, at: interpolate.PPoly(c, x)(at), M[:, :3], M[0], A),
]


def named(rows):
    return [pytest.param(row[1], row[2:], id=row[0]) for row in rows]


@pytest.mark.shows(
    "SciPy, `SCIPY_ARRAY_API=1`", "from us", "functions that it computes by the array API", "none"
)
@pytest.mark.parametrize(("function", "operands"), named(BY_THE_ARRAY_API))
@pytest.mark.parametrize("kind", ["device", "shared"])
def test_by_the_array_api(queue, kind, function, operands):
    assert_agrees(function, *operands, usm_type=kind, sycl_queue=queue)


@pytest.mark.shows(
    "SciPy, `SCIPY_ARRAY_API=1`",
    "from us",
    "functions that it computes with NumPy, of arrays of kind shared and host",
    "results, to the device",
)
@pytest.mark.parametrize(("function", "operands"), named(ON_THE_HOST))
def test_on_the_host(device, queue, function, operands):
    if not device.has_aspect_usm_shared_allocations:
        pytest.skip("the device lacks the aspect usm_shared_allocations")
    assert_agrees(function, *operands, usm_type="shared", sycl_queue=queue)
    with pytest.raises(TypeError, match="asnumpy"):
        function(*(usm.asarray(x) if isinstance(x, np.ndarray) else x for x in operands))


WINDOWS = "hann hamming blackman bartlett tukey cosine flattop boxcar triang parzen exponential"


@pytest.mark.parametrize("name", WINDOWS.split())
def test_windows(device, queue, name):
    if not device.has_aspect_fp64:  # SciPy needs it for its windows
        pytest.skip("the device lacks the aspect fp64")
    function = getattr(signal.windows, name)
    place = usm.Device.create_device(queue)
    x = function(9, xp=usm, device=place)
    assert x.device == place
    np.testing.assert_allclose(usm.asnumpy(x), function(9), rtol=1e-5, atol=1e-6)


def test_tests_of_scipy(device):
    """Some of SciPy's own; docs/clients.md counts all."""
    if not device.has_aspect_fp64 or not device.has_aspect_cpu:
        pytest.skip("the tests of SciPy need the aspects cpu and fp64")
    command = [sys.executable, "-m", "pytest", "-c", os.devnull, "-p", "scipy_backend", "-q"]
    command += ["-m", "array_api_backends", "--pyargs", "scipy.cluster", "scipy.linalg"]
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider"],
        cwd=Path(__file__).parent,
        env={**os.environ, "SCIPY_ARRAY_API": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout
