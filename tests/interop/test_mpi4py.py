"""mpi4py: arrays in messages of two processes, without staging."""

import os
import shutil
import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("mpi4py")

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


@pytest.mark.shows(
    "mpi4py",
    "from us",
    "`Allreduce(x, y)`, `Sendrecv`: contiguous, and the queue waited for first (`stream=-1`)",
    "none",
)
def test_two_ranks(device):
    launcher = shutil.which("mpiexec", path=os.path.dirname(sys.executable)) or shutil.which(
        "mpiexec"
    )
    if not launcher:
        pytest.skip("there is no mpiexec")
    # MPI on the host reads and writes the memory directly.
    reachable = device.is_cpu and os.environ.get("USMTENSOR_DISCRETE") != "1"
    script = textwrap.dedent(SCRIPT).format(reachable=reachable)
    done = subprocess.run(
        [launcher, "-n", "2", sys.executable, "-P", "-c", script],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"PYTHONSAFEPATH": "1"},
    )
    assert (done.returncode, done.stdout.count("done")) == (0, 2), done.stderr
