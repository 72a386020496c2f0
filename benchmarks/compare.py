"""What got slower between two runs: `python -m benchmarks --compare OLD.json NEW.json`."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

# A case counts as slower if both figures grow by this factor: its time, and its time in relation to
# its reference. A busy machine changes the first alone, another reference the second alone.
TOLERANCE = 1.1


@dataclass(frozen=True)
class Change:
    """A case of both runs: new figures divided by old ones."""

    title: str
    time: float
    relative: float

    @property
    def verdict(self) -> str:
        if min(self.time, self.relative) > TOLERANCE:
            return "slower"
        return "faster" if max(self.time, self.relative) < 1 / TOLERANCE else "equal"


def titled(run: dict) -> dict[str, dict]:
    return {f"{case['group']}: {case['name']}": case for case in run["cases"]}


def figures(case: dict) -> tuple[float, float] | None:
    """The shortest time of usmtensor, and that time divided by the reference's."""
    times = {name: subject["least"] for name, subject in case["subjects"].items()}
    if case["error"] or "usmtensor" not in times or case["against"] not in times:
        return None
    return times["usmtensor"], times["usmtensor"] / times[case["against"]]


def changes(old: dict, new: dict) -> Iterator[Change]:
    before, after = titled(old), titled(new)
    for title in (title for title in before if title in after):
        was, is_ = figures(before[title]), figures(after[title])
        if was and is_:
            yield Change(title, is_[0] / was[0], is_[1] / was[1])


def compare(old: Path, new: Path, console: Console) -> int:
    """Print the cases that changed. The exit status is 1 if one got slower or has an error."""
    runs = [json.loads(path.read_text(encoding="utf-8")) for path in (old, new)]
    found = sorted(changes(*runs), key=lambda change: -change.time)
    table = Table(title="new / old: times above 1 are slower", title_justify="left")
    for heading in ("case", "time", "time / reference", ""):
        table.add_column(heading, justify="left" if heading == "case" else "right")
    for change in found:
        if change.verdict != "equal":
            color = "red" if change.verdict == "slower" else "green"
            row = escape(change.title), f"{change.time:.2f}", f"{change.relative:.2f}"
            table.add_row(*row, f"[{color}]{change.verdict}")
    if table.row_count:
        console.print(table)
    counts = {
        verdict: sum(change.verdict == verdict for change in found)
        for verdict in ("slower", "faster", "equal")
    }
    console.print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    before, after = map(titled, runs)
    broken = [title for title, case in after.items() if case["error"]]
    for title, words in (
        *((title, "has an error") for title in broken),
        *((title, "is in one of the files only") for title in before.keys() ^ after.keys()),
    ):
        console.print(f"{escape(title)} {words}")
    return int(bool(counts["slower"] or broken))
