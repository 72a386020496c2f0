"""A sample of each fuzzer that no other test runs, and the entry point of all."""

import re
from pathlib import Path

import pytest
from stress import fuzz, fuzz_index, fuzz_pickle, fuzz_values


@pytest.mark.parametrize("module", [fuzz_index, fuzz_pickle])
def test_sample(queue, module):
    assert module.main(2000, seed=3, queue=queue) > 20


@pytest.mark.sanitized
def test_extreme_values(queue):
    assert fuzz_values.main(3000, seed=3, queue=queue) > 2000


def test_every_fuzzer_has_a_share():
    files = {file.stem.removeprefix("fuzz_") for file in Path(fuzz.__file__).parent.glob("fuzz_*")}
    assert files == fuzz.SHARES.keys()
    assert abs(sum(fuzz.SHARES.values()) - 1) < 1e-9


def test_faults_are_reported(monkeypatch, capfd):
    """A fuzzer whose process ends with an error."""
    monkeypatch.setattr(fuzz, "SHARES", {"pickle": 1})
    assert fuzz.main(10, 1) == []
    assert re.search(r"pickle +10 cases", capfd.readouterr().out)
    monkeypatch.setattr(fuzz, "SHARES", {"missing": 1})
    assert fuzz.main(10, 1) == ["missing"]
    assert "fuzz_missing.py" in capfd.readouterr().out
