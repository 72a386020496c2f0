"""Environment variables for clients and their tests."""

import os

import pytest

# SciPy reads its switch for other arrays at import, and scikit-learn requires the switch.
os.environ["SCIPY_ARRAY_API"] = "1"

# With "required", a missing client fails its tests instead of skipping them.
REQUIRED = os.environ.get("USMTENSOR_TEST_CLIENTS") == "required"


def without_skips(report):
    if REQUIRED and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, but the clients are required: {report.longrepr[2]}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    return without_skips((yield))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    return without_skips((yield))
