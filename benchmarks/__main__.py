"""`python -m benchmarks [--quick] [--only PATTERN] [--json FILE] [--wheel FILE]`, or
`python -m benchmarks --compare OLD.json NEW.json`."""

import argparse
import gc
import re
import sys
import warnings
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from .cases import CASES, Case, Setting
from .compare import compare
from .measure import interleave
from .report import Result, print_table, write_json

REPETITIONS = 15
QUICK_REPETITIONS = 5


def main() -> int:
    options = parse()
    console = Console()
    if options.compare:
        return compare(*options.compare, console)
    pattern = re.compile(options.only, re.IGNORECASE)
    cases = [case for case in CASES if pattern.search(case.title)]
    setting = Setting(options.wheel)
    repetitions = QUICK_REPETITIONS if options.quick else REPETITIONS
    warnings.simplefilter("ignore")  # NumPy's, on casts that drop an imaginary part

    results = []
    with progress_bar(console) as progress:
        task = progress.add_task("", total=len(cases))
        for case in cases:
            progress.update(task, description=escape(case.title))
            result = run(case, setting, repetitions)
            if result:
                results.append(result)
            progress.advance(task)

    print_table(results, console)
    if options.json:
        described = {"repetitions": repetitions, "only": options.only}
        write_json(results, described, options.json)
    return int(any(result.error for result in results))


def run(case: Case, setting: Setting, repetitions: int) -> Result | None:
    try:
        prepared = case.prepare(setting)
        if prepared is None:
            return None
        samples = interleave(prepared.subjects, repetitions, case.rest)
    except Exception as error:
        return Result(case, {}, error=f"{type(error).__name__}: {error}")
    finally:
        gc.collect()
    return Result(case, samples, prepared.moved)


def progress_bar(console: Console) -> Progress:
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    return Progress(*columns, console=console, transient=True)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure usmtensor against the launch floor, queue.memcpy, NumPy and dpnp.",
        epilog="Missed targets do not change the exit status; a case that cannot run does.",
    )
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    parser.add_argument("--only", metavar="PATTERN", default="", help="cases whose title matches")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write every sample to FILE")
    parser.add_argument("--wheel", metavar="FILE", type=Path, help="a built wheel, for its size")
    parser.add_argument(
        "--compare",
        nargs=2,
        metavar=("OLD", "NEW"),
        type=Path,
        help="measure nothing; name the cases of two JSON files that got slower",
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
