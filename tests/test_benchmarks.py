"""The comparison and the pictures of benchmarks, from figures that are made up."""

import io
import json
import re
import subprocess
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
    assert list(found) == [program.__name__.replace("_", " ") for program in programs.PROGRAMS]
    everywhere = {"NumPy", "dpnp", "usmtensor"}
    assert found["waves"].keys() == everywhere | {"Numba", "usmtensor with @fuse"}
    assert found["network"].keys() == everywhere
    assert pictures.programs_of(ROOT / "README.md") == {}
    found = pictures.from_page(devices)["devices"]
    assert len(found) > 30 and found["transpose copied"].keys() == {"torch"}


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


# Their masks and matrix products are not in fused functions.
NOT_FUSED = {programs.k_means, programs.network}


@pytest.mark.parametrize("program", programs.PROGRAMS, ids=lambda program: program.__name__)
def test_programs(program, queue):
    """Plain and fused, they compute what NumPy computes."""
    if not queue.sycl_device.has_aspect_fp64:
        pytest.skip("the device lacks the aspect fp64")
    shapes = [tuple(min(n, 40) for n in shape) for shape in programs.PROGRAMS[program]]
    hosts = programs.arguments(shapes)
    first, second = ([usm.asarray(x, sycl_queue=queue) for x in hosts] for _ in "ab")
    plain = program(*first, np=usm)
    np.testing.assert_allclose(usm.asnumpy(plain), program(*hosts, np=np), rtol=1e-10)
    if program in NOT_FUSED:
        with pytest.raises(TypeError, match="cannot be fused"):
            usm.fuse(program)(*second, np=usm)
    else:
        fused = usm.fuse(program)(*second, np=usm)
        np.testing.assert_allclose(usm.asnumpy(fused), usm.asnumpy(plain), rtol=1e-10)


@pytest.mark.parametrize("program", programs.PROGRAMS, ids=lambda program: program.__name__)
def test_dpnp_runs_the_programs(program):
    library = programs.COLUMNS["dpnp"].library()
    if library is None:
        pytest.skip("dpnp is not installed, or finds no device")
    shapes = [tuple(min(n, 40) for n in shape) for shape in programs.PROGRAMS[program]]
    found = programs.call(library, program, programs.arguments(shapes))()
    expected = program(*programs.arguments(shapes), np=np)
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-10)


def test_programs_of_several_runs_are_joined(tmp_path, monkeypatch, capsys):
    """CuPy needs a GPU. NumPy's functions and a function that waits replace it here."""
    waits = []
    null = SimpleNamespace(synchronize=lambda: waits.append(1))
    cuda = SimpleNamespace(Stream=SimpleNamespace(null=null))
    monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace(**{**vars(np), "cuda": cuda}))
    small = {program: [(4, 4)] for program in (programs.edges, programs.softmax)}
    monkeypatch.setattr(programs, "PROGRAMS", small)

    def table(*options):
        monkeypatch.setattr("sys.argv", ["programs", *map(str, options)])
        assert programs.main() == 0
        out, err = capsys.readouterr()
        return [[cell.strip() for cell in x.strip("|").split("|")] for x in out.splitlines()], err

    def on(name):
        """CuPy's run where usmtensor uses a device of this name."""
        device = SimpleNamespace(get_filter_string=lambda: name)
        with monkeypatch.context() as patch:
            queue = SimpleNamespace(sycl_device=device)
            patch.setattr(programs, "usmtensor", lambda: ("a library", queue))
            return table("--libraries", "cupy", "--json", tmp_path / "cupy.json")

    _, err = on("opencl:cpu:0")
    assert not waits and err == "not installed, or on another device: cupy\n"
    rows, _ = on("cuda:gpu:0")
    assert rows[0] == ["program, ms", "arrays, float64", "CuPy"] and len(rows) == 4
    assert len(waits) > 2 * programs.REPETITIONS
    cupy = {row[0]: row[2] for row in rows}
    libraries = ("numpy", "usmtensor", "fuse")
    rows, err = table("--join", tmp_path / "cupy.json", "--libraries", *libraries)
    assert rows[0][2:] == ["NumPy", "CuPy", "usmtensor", "`fuse`"] and not err
    assert [row[0] for row in rows[2:4]] == ["edges", "softmax"]
    assert all(row[3] == cupy[row[0]] for row in rows[2:4])


def test_means_of_programs():
    """A library that does not run a program has no figure for it."""
    times = {
        "edges": {"numpy": 8.0, "numba": 9.0, "usmtensor": 2.0, "fuse": 1.0},
        "network": {"numpy": 2.0, "usmtensor": 2.0},
    }
    found = {
        program: {name: {"least": time} for name, time in columns.items()}
        for program, columns in times.items()
    }
    _, _, edges, network, plain, fused = programs.table(found)
    assert edges[2:] == ["8000", "9000", "2000", "1000"] and network[3:] == ["-", "2000", "-"]
    assert plain == ["speed of usmtensor", "geometric mean", "2", "4.5", "", ""]
    assert fused == ["speed of `fuse`", "geometric mean", "8", "9", "", ""]


def test_programs_without_usmtensor():
    """CuPy may be installed in a Python that has only NumPy."""
    code = (
        "import runpy, sys\n"
        "sys.modules |= {'usmtensor': None, 'rich': None}\n"
        "sys.argv[1:] = ['--libraries', 'numpy', 'usmtensor', '--only', 'softmax']\n"
        "runpy.run_module('benchmarks.programs', run_name='__main__')"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert re.search(r"\| softmax \| 8000 × 256 \| [\d.e+]+ \|\n$", done.stdout), done.stderr
    assert done.stderr == "not installed, or on another device: usmtensor\n"


def test_operations_of_devices_run(monkeypatch):
    monkeypatch.setattr(devices, "torch", lambda: None)
    rows = [devices.row(*found) for found in devices.measured(devices.OPERATIONS, 8)]
    assert len(rows) == len(devices.OPERATIONS)
    assert all(re.fullmatch(r"[\d.,e-]+ (GB/s|ms)", ours) for _, ours, _, _ in rows)
    found = devices.row(devices.Operation("copy", "", moved=8), 10**9, {"usmtensor": 2, "torch": 4})
    assert found == ["copy", "4 GB/s", "2 GB/s", "2.00"]
