"""Speed of usmtensor in relation to references: `python -m benchmarks`."""

import sys
from pathlib import Path

# Measure the installed package, not the source folder of the same name beside this one.
sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != Path(__file__).parents[1]]
