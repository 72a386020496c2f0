"""Results: the table on the terminal, and everything as JSON."""

import json
import os
import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from . import libraries
from .cases import Case
from .measure import summary


@dataclass(frozen=True)
class Result:
    """A measured case, or the error of its measurement."""

    case: Case
    samples: dict[str, list[float]]
    moved: int | None = None
    error: str | None = None

    def median(self, subject: str) -> float | None:
        samples = self.samples.get(subject)
        return summary(samples)["median"] if samples else None

    @property
    def ratio(self) -> float | None:
        measured, reference = self.median("usmtensor"), self.median(self.case.against)
        return None if self.error else self.case.target.ratio(measured, reference)

    @property
    def met(self) -> bool | None:
        return None if self.ratio is None else self.case.target.met(self.ratio)

    def figure(self, subject: str) -> str:
        """A subject's median in readable units."""
        value = self.median(subject)
        if value is None:
            return ""
        if self.case.unit != "s":
            return f"{value:.3g} {self.case.unit}"
        if self.moved:
            return f"{self.moved / value / 1e9:.1f} GB/s"
        for scale, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
            if value >= scale:
                return f"{value / scale:.3g} {unit}"
        return f"{value / 1e-9:.3g} ns"

    def as_json(self) -> dict:
        return {
            "group": self.case.group,
            "name": self.case.name,
            "unit": self.case.unit,
            "bytes_moved": self.moved,
            "against": self.case.against,
            "target": str(self.case.target),
            "ratio": self.ratio,
            "met": self.met,
            "error": self.error,
            "subjects": {name: summary(samples) for name, samples in self.samples.items()},
        }


def print_table(results: list[Result], console: Console) -> None:
    peers = [name for name in ("numpy", "dpnp") if any(name in r.samples for r in results)]
    table = Table(title="usmtensor against its references (medians)", title_justify="left")
    table.add_column("case")
    table.add_column("usmtensor", justify="right")
    table.add_column("reference", justify="right")
    for heading in ("ratio", "target", ""):
        table.add_column(heading, justify="right")
    for name in peers:
        table.add_column(name, justify="right", style="dim")

    group = None
    for result in results:
        case = result.case
        if case.group != group:
            group = case.group
            table.add_section()
            table.add_row(f"[bold]{group}")
        if result.error:
            table.add_row(f"  {escape(case.name)}", "", "", "", str(case.target), "[red]error")
            continue
        table.add_row(
            f"  {escape(case.name)}",
            result.figure("usmtensor"),
            f"{case.against} {result.figure(case.against)}",
            f"{result.ratio:.2f}",
            str(case.target),
            "[green]ok" if result.met else "[yellow]miss",
            *(result.figure(name) for name in peers),
        )
    console.print(table)
    for result in results:
        if result.error:
            console.print(f"[red]error[/] {escape(result.case.title)}: {escape(result.error)}")
    met = sum(bool(result.met) for result in results)
    console.print(f"{met} of {len(results)} targets met")


def write_json(results: list[Result], options: dict, path: Path) -> None:
    content = {
        "machine": machine(),
        "options": options,
        "cases": [result.as_json() for result in results],
    }
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def machine() -> dict:
    """The machine and the versions behind the figures."""
    device = libraries.usmtensor()[1].sycl_device
    packages = ("usmtensor", "numpy", "dpcpp-cpp-rt", "dpctl", "dpnp")
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "system": platform.platform(),
        "processor": _processor(),
        "cpus": len(os.sched_getaffinity(0)),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "load": os.getloadavg(),
        "python": platform.python_version(),
        "device": device.name,
        "driver": device.driver_version,
        "versions": {name: _version(name) for name in packages},
    }


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
