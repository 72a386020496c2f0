"""Run the array API test suite (github.com/data-apis/array-api-tests) on usmtensor.

    python tests/conformance/run.py CHECKOUT [PYTEST ARGUMENT...]

CHECKOUT is a clone of the suite with its submodule; its requirements.txt lists its dependencies.
`failures.txt` lists the tests that may fail, below the sentence of the standard that allows it. The
exit status is pytest's.
"""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def entries(path):
    """The (reason, test ids) of a list; ids without a reason are an error."""
    reason, ids = "", []
    for line in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        if line.startswith("#"):
            if ids:
                yield reason, ids
                reason, ids = "", []
            reason += line[1:].strip() + " "
        elif line.strip():
            if not reason:
                sys.exit(f"{path.name}: {line.strip()} stands below no reason")
            ids.append(line.strip())
        elif ids:
            yield reason, ids
            reason, ids = "", []


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    checkout = Path(sys.argv[1]).resolve()
    for reason, ids in entries(HERE / "failures.txt"):
        print(f"may fail: {', '.join(ids)}: {reason}")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    command += [f"--xfails-file={HERE / 'failures.txt'}"]
    tests = [] if any("test_" in argument for argument in sys.argv[2:]) else ["array_api_tests"]
    environment = {"ARRAY_API_TESTS_MODULE": "usmtensor", **os.environ}
    return subprocess.run(
        [*command, *sys.argv[2:], *tests], cwd=checkout, env=environment
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
