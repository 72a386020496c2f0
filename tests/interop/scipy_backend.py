"""SciPy's own tests of the array API with usmtensor: a plugin of pytest.

    cd tests/interop
    SCIPY_ARRAY_API=1 python -m pytest -c /dev/null -p scipy_backend -m array_api_backends \
        --pyargs scipy.stats

Its fixture `xp` gives usmtensor in the place of SciPy's backends. With `SCIPY_USM_TYPE=shared` the
arrays are of that kind, which SciPy may convert to NumPy's.
"""

import os
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import conftest
from scipy._lib import _array_api

import usmtensor as usm

BACKEND = pytest.param(usm, marks=pytest.mark.array_api_backends, id="usmtensor")

KIND = os.environ.get("SCIPY_USM_TYPE", "device")

conftest.xp_known_backends.add("usmtensor")
if KIND == "device":  # SciPy skips its functions that convert to NumPy's arrays, as on a GPU
    conftest.xp_skip_cpu_only_backends.add("usmtensor")
for name in ["arange", "asarray", "empty", "eye", "full", "linspace", "ones", "zeros"]:
    setattr(usm, name, partial(getattr(usm, name), usm_type=KIND))


@pytest.fixture(params=[BACKEND])
def xp(request):
    conftest.skip_or_xfail_xp_backends(request, "skip")
    conftest.skip_or_xfail_xp_backends(request, "xfail")
    with _array_api.default_xp(request.param):
        yield request.param


@pytest.fixture
def devices(xp):
    """SciPy adds a list to the tuple, which was a list before version 2025.12 of the standard."""
    return [*xp.__array_namespace_info__().devices(), None]


def on_host(x):
    """The argument of a comparison, after SciPy has checked its namespace."""
    if isinstance(x, usm.usm_ndarray):
        return usm.asnumpy(x)
    return x.copy() if isinstance(x, np.ndarray) else x


class Comparisons:
    """numpy.testing, of copies on the host."""

    def __getattr__(self, name):
        compare = getattr(np.testing, name)
        return lambda *values, **keywords: compare(
            *map(on_host, values), **{key: on_host(value) for key, value in keywords.items()}
        )


conftest.xp = xp
conftest.devices = devices
_array_api._xp_copy_to_numpy = on_host
_array_api.np = SimpleNamespace(**{**vars(np), "testing": Comparisons()})
