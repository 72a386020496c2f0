"""Clients in one process, imported before or after usmtensor; all use its arrays."""

import importlib.util
import itertools
import os
import subprocess
import sys

import pytest

# Clients with the SYCL runtime come first.
USE = {
    "dpctl": "from dpctl.memory import as_usm_memory; assert as_usm_memory(x).nbytes == 24",
    "dpnp": "assert dpnp.from_dlpack(x).sum() == 3; assert dpnp.ones(3).sum() == 3",
    "sklearnex": "from onedal.datatypes import to_table; assert to_table(x).shape == (3, 1)",
    "torch": "assert torch.from_dlpack(x.__dlpack__(dl_device=(1, 0))).sum() == 3",
    "jax": "assert usmtensor.from_dlpack(jax.numpy.ones(3)).shape == (3,)",
    "array_api_strict": "assert usmtensor.from_dlpack(array_api_strict.ones(3)).shape == (3,)",
    "numba": "assert numba.njit(lambda v: v.sum())(numpy.asarray(x)) == 3",
    "mpi4py.MPI": "assert usmtensor.asnumpy(x).sum() == 3",
}
SYCL = list(USE)[:3]
US = "usmtensor"

# usmtensor with each user of the runtime alone; then behind all of them.
ORDERS = [
    *(order for client in [*SYCL, "torch"] for order in itertools.permutations((US, client))),
    ("dpctl", US, "dpnp"),
    (*reversed(USE), US),
]


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_order_of_imports(order):
    """In any order of imports, usmtensor finds the devices, also for the other packages."""
    for name in order:
        if not importlib.util.find_spec(name.partition(".")[0]):
            pytest.skip(f"{name} is not installed")
    lines = [f"import {name}" for name in order]
    lines += ["import numpy", "x = usmtensor.ones(3, dtype='f8', usm_type='shared')"]
    lines += [USE[name] for name in order if name != US]
    done = subprocess.run(
        [sys.executable, "-P", "-c", "\n".join(lines)],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"PYTHONSAFEPATH": "1"},
    )
    assert (done.returncode, done.stderr) == (0, "")
