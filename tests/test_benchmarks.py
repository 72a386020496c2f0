"""The comparison and the pictures of benchmarks, from figures that are made up."""

import io
import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

pytestmark = pytest.mark.any_memory

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "speed.md"
sys.path.append(str(ROOT))

Console = pytest.importorskip("rich.console").Console

import numpy as np  # noqa: E402

import usmtensor as usm  # noqa: E402
from benchmarks import devices, programs  # noqa: E402
from benchmarks.compare import compare  # noqa: E402  # needs rich, and the path


def case(name, ours, theirs, error=None):
    subjects = {"usmtensor": ours, "numpy": theirs}
    return {
        "group": "g",
        "name": name,
        "unit": "s",
        "against": "numpy",
        "error": error,
        "subjects": {key: {"least": value, "median": value} for key, value in subjects.items()},
    }


def write(path, *cases):
    path.write_text(json.dumps({"cases": cases}))
    return path


def compared(old, new):
    text = io.StringIO()
    status = compare(old, new, Console(file=text, width=100))
    return status, text.getvalue()


def test_slower_cases_are_named(tmp_path):
    old = write(tmp_path / "old", case("a", 1.0, 1.0), case("b", 1.0, 1.0), case("c", 1.0, 1.0))
    new = write(tmp_path / "new", case("a", 1.2, 1.0), case("b", 2.0, 2.0), case("c", 0.5, 1.0))
    status, text = compared(old, new)
    rows = [line.split("│")[1:-1] for line in text.splitlines() if "│" in line]
    rows = [[cell.strip() for cell in row] for row in rows]
    # b took longer because the machine did.
    assert rows == [["g: a", "1.20", "1.20", "slower"], ["g: c", "0.50", "0.50", "faster"]]
    assert status == 1 and "1 slower, 1 faster, 1 equal" in text


def test_equal_runs_and_missing_cases(tmp_path):
    old = write(tmp_path / "old", case("a", 1.0, 1.0), case("b", 1.0, 1.0))
    assert compared(old, old) == (0, "0 slower, 0 faster, 2 equal\n")
    new = write(tmp_path / "new", case("a", 1.0, 1.0, error="broken"))
    status, text = compared(old, new)
    assert status == 1 and "g: a has an error" in text and "g: b is in one" in text


def test_pictures(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    from benchmarks import pictures

    run = write(tmp_path / "run.json", case("a", 1.0, 2.0), case("b", 3.0, 1.0))
    devices = PAGE.with_name("devices.md")
    files = [str(file) for file in (run, PAGE, devices, tmp_path)]
    monkeypatch.setattr("sys.argv", ["pictures", *files])
    assert pictures.main() == 0
    names = {"g.svg", "sizes.svg", "programs.svg", "devices.svg"}
    assert {file.name for file in tmp_path.glob("*.svg")} == names
    assert (tmp_path / "sizes.svg").read_bytes().startswith(b"<?xml")
    found = pictures.from_page(PAGE)
    assert len(found) == 18 and found["x + y"]["8"] == {"numpy": 0.63}
    found = pictures.programs_of(PAGE)
    assert len(found) == 8 and found["heat 2d"] == [2.3, 11, pytest.approx(58.1 / 8.33)]
    assert found["softmax"] == [2, 2] and pictures.programs_of(devices) == {}
    found = pictures.from_page(devices)["devices"]
    assert len(found) > 30 and found["transpose of 16384² copied"] == {"torch": 2.17}


@pytest.mark.parametrize("gpu", ["cuda:1", None])
def test_torch_is_measured_on_the_same_gpu(gpu, monkeypatch):
    from benchmarks import sizes

    calls = []
    torch = SimpleNamespace(
        tensor=lambda values, device="cpu": calls.append(device) or values,
        cuda=SimpleNamespace(synchronize=calls.append),
    )
    monkeypatch.setitem(sys.modules, "torch", torch)
    device = SimpleNamespace(get_filter_string=lambda include_device_type: gpu or "opencl:0")
    monkeypatch.setattr(sizes, "usmtensor", lambda: (None, SimpleNamespace(sycl_device=device)))
    library = sizes.torch()
    names = sizes.namespace(library, 8)
    assert set(calls) == {gpu or "cpu"}
    calls.clear()
    exec(library.timed("x + y"), names)
    assert calls == ([gpu] if gpu else [])


@pytest.mark.parametrize("program", programs.PROGRAMS, ids=lambda program: program.__name__)
def test_programs(program, queue):
    """Plain and fused, they compute what NumPy computes."""
    if not queue.sycl_device.has_aspect_fp64:
        pytest.skip("the device lacks the aspect fp64")
    shapes = [tuple(min(n, 12) for n in shape) for shape in programs.PROGRAMS[program]]
    hosts = programs.arguments(shapes)
    first, second = ([usm.asarray(x, sycl_queue=queue) for x in hosts] for _ in "ab")
    plain, fused = program(*first, np=usm), usm.fuse(program)(*second, np=usm)
    np.testing.assert_allclose(usm.asnumpy(plain), program(*hosts, np=np), rtol=1e-12)
    np.testing.assert_allclose(usm.asnumpy(fused), usm.asnumpy(plain), rtol=1e-12)


def test_operations_of_devices_run(monkeypatch):
    monkeypatch.setattr(devices, "torch", lambda: None)
    rows = [devices.row(*found) for found in devices.measured(devices.OPERATIONS, 8)]
    assert len(rows) == len(devices.OPERATIONS)
    assert all(re.fullmatch(r"[\d.,e-]+ (GB/s|ms)", ours) for _, ours, _, _ in rows)
    found = devices.row(devices.Operation("copy", "", moved=8), 10**9, {"usmtensor": 2, "torch": 4})
    assert found == ["copy", "4 GB/s", "2 GB/s", "2.00"]
