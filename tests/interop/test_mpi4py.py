"""mpi4py: arrays in messages of several processes, and examples, without staging."""

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

pytest.importorskip("mpi4py")

EXAMPLES = Path(__file__).parents[2] / "examples"

SCRIPT = """
    import os
    import numpy as np
    import usmtensor as usm
    from mpi4py import MPI

    world = MPI.COMM_WORLD
    rank, size = world.rank, world.size
    assert size == 2
    for kind in ("device", "shared", "host") if {reachable} else ("shared", "host"):
        x = usm.asarray(np.arange(1000, dtype="f8") + rank, usm_type=kind)
        y = usm.zeros(1000, dtype="f8", usm_type=kind)
        x.sycl_queue.wait()  # mpi4py requests no order: stream=-1
        world.Allreduce(x, y)
        assert (usm.asnumpy(y) == 2 * np.arange(1000) + 1).all()
        world.Sendrecv(x, 1 - rank, recvbuf=y, source=1 - rank)
        assert (usm.asnumpy(y) == np.arange(1000) + 1 - rank).all()
    print("done")
"""


def run(ranks, *command):
    """The lines that the ranks print."""
    launcher = shutil.which("mpiexec", path=os.path.dirname(sys.executable)) or shutil.which(
        "mpiexec"
    )
    if not launcher:
        pytest.skip("there is no mpiexec")
    done = subprocess.run(
        [launcher, "-n", str(ranks), sys.executable, *map(str, command)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def host_reaches_device_memory(device):
    """MPI on the host reads and writes the memory directly."""
    return device.is_cpu and os.environ.get("USMTENSOR_DISCRETE") != "1"


@pytest.mark.shows(
    "mpi4py",
    "from us",
    "`Allreduce(x, y)`, `Sendrecv`: contiguous, and the queue waited for first (`stream=-1`)",
    "none",
)
def test_two_ranks(device):
    script = textwrap.dedent(SCRIPT).format(reachable=host_reaches_device_memory(device))
    # mpiexec may put the ends of both lines behind them.
    assert "".join(run(2, "-P", "-c", script)) == "donedone"


@pytest.mark.parametrize("name", ["mpi_heat", "mpi_kmeans"])
def test_examples(device, tmp_path, name):
    """Two and four ranks print the lines of one rank, and write the same picture."""
    if not host_reaches_device_memory(device):
        pytest.skip("MPI on the host cannot reach device memory")
    arguments = [64, 100] if name == "mpi_heat" else []
    lines, pictures = [], []
    for ranks in (1, 2, 4):
        folder = tmp_path / str(ranks)
        folder.mkdir()
        lines.append(run(ranks, EXAMPLES / f"{name}.py", folder, *arguments))
        pictures.append([file.read_bytes() for file in folder.iterdir()])
    assert len(lines[0]) > 1 and lines[0] == lines[1] == lines[2]
    assert pictures[0] == pictures[1] == pictures[2]
    assert len(pictures[0]) == (name == "mpi_heat")
