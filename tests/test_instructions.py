"""The instructions of a small call, as valgrind counts them: on a busy machine, too."""

import shutil

import pytest

from benchmarks.instructions import counted

# A quarter more than they take, with the loop around them.
MOST = {"x + y": 4800, "xp.empty(8)": 3500}


@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")
@pytest.mark.parametrize("code", MOST)
def test_small_calls_take_few_instructions(code):
    assert counted("usmtensor", code) < MOST[code]
