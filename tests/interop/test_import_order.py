"""Other users of the SYCL runtime in the same process, imported before and after."""

import importlib.util
import itertools
import os
import subprocess
import sys

import pytest

CLIENTS = ("dpctl", "dpnp", "torch")

USE = {
    "usmtensor": "assert usmtensor.asnumpy(usmtensor.ones(3)).sum() == 3",
    "dpctl": "assert dpctl.SyclDevice().filter_string",
    "dpnp": "assert dpnp.ones(3).sum() == 3",
    "torch": "assert torch.ones(3).sum() == 3",
}


ORDERS = [
    *(order for client in CLIENTS for order in itertools.permutations(("usmtensor", client))),
    ("dpctl", "usmtensor", "dpnp"),
]


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_order_of_imports(order):
    """Imported in any order; usmtensor finds the devices, for the others in the process too."""
    for name in order:
        if not importlib.util.find_spec(name):
            pytest.skip(f"{name} is not installed")
    imports = [f"import {name}" for name in order]
    uses = [USE[name] for name in sorted(order, key="usmtensor".__ne__)]
    done = subprocess.run(
        [sys.executable, "-P", "-c", "\n".join(imports + uses)],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"PYTHONSAFEPATH": "1"},
    )
    assert (done.returncode, done.stderr) == (0, "")
