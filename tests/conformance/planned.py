"""A plugin of pytest for the names that are still to come.

Their tests are skipped: those of such a function, and the checks that the namespace has it. The
suite, and hypothesis for it, also use some of them in other tests, to make arrays and to assert.
There NumPy stands in: it gets the array by way of the host. The package itself knows nothing of it.
"""

from pathlib import Path

import numpy as np
import pytest

import usmtensor as usm

NAMES = {
    name
    for line in (Path(__file__).parent / "planned.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
    for name in line.split()
}
THERE = sorted(name for name in NAMES if hasattr(usm, name) or hasattr(usm.usm_ndarray, name))


def by_way_of_the_host(name):
    def reduction(x, /, **keywords):
        result = getattr(np, name)(usm.asnumpy(x), **keywords)
        return usm.asarray(result, device=x.device)

    return reduction


for name in {"all", "any", "sum"} & NAMES:
    setattr(usm, name, by_way_of_the_host(name))


def pytest_configure(config):
    if THERE:
        raise pytest.UsageError(f"planned.txt lists what exists: {', '.join(THERE)}")


def is_planned(item):
    title = item.originalname.removeprefix("test_")
    parameters = item.callspec.id.split("-") if hasattr(item, "callspec") else ()
    return any(title == name or title.startswith(name + "_") for name in NAMES) or any(
        parameter in NAMES for parameter in parameters
    )


def pytest_collection_modifyitems(items):
    for item in filter(is_planned, items):
        item.add_marker(pytest.mark.skip(reason="planned"))
