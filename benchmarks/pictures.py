"""Pictures of a run: `python -m benchmarks.pictures FILE... FOLDER`.

FILE is a JSON file of `python -m benchmarks` or `python -m benchmarks.sizes`, or a page:
`docs/speed.md` with the table of `python -m benchmarks.sizes --markdown`, or `docs/devices.md` with
ratios to torch. The folder gets an SVG file for each group of cases. `sizes.svg` has all families
of operations. `programs.svg` has a panel for each page with a table of `python -m
benchmarks.programs`.
"""

import argparse
import json
import re
import sys
from pathlib import Path

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure

# Speed of usmtensor divided by that of a reference, by group, case and reference.
Ratios = dict[str, dict[str, dict[str, float]]]

FASTER, SLOWER = "#4c78a8", "#e4572e"
REFERENCES = {"memcpy": "#8a8a8a", "numpy": "#4c78a8", "torch": "#e4572e", "dpnp": "#72b7b2"}
SIZES = "sizes"


def from_json(path: Path) -> Ratios:
    found: Ratios = {}
    for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
        medians = {name: subject["median"] for name, subject in case["subjects"].items()}
        ours = medians.pop("usmtensor", None)
        ratios = {name: value / ours for name, value in medians.items() if name in REFERENCES}
        if ours and ratios and case["unit"] == "s":
            found.setdefault(case["group"], {})[case["name"]] = ratios
    return found


def from_page(path: Path) -> Ratios:
    """The table of NumPy's times divided by usmtensor's, whose first row has the sizes; or the
    first table of ratios to torch."""
    text = path.read_text(encoding="utf-8")
    if (head := "| operation | usmtensor | torch | ratio |\n") in text:
        rows = [
            line.strip("|").split("|") for line in text.split(head)[1].split("\n\n")[0].splitlines()
        ]
        ratios = {row[0].strip().replace("`", ""): {"torch": float(row[-1])} for row in rows[1:]}
        return {path.stem: ratios}
    table = text[text.index("| f4 ") :].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()]
    found: Ratios = {}
    for name, *cells in rows[2:]:
        found[name] = {
            size: {"numpy": float(cell)}
            for size, cell in zip(rows[0][1:], cells, strict=True)
            if cell
        }
    return found


# The head of a table of `python -m benchmarks.programs`. The other heads are libraries.
PROGRAMS = "| program, ms | arrays, float64 |"
# Colour-blind readers distinguish the colours, and each library has its own shape.
MARKERS = {
    "Numba": ("^", "#999999"),
    "dpnp": ("X", "#d55e00"),
    "usmtensor": ("o", "#56b4e9"),
    "usmtensor with @fuse": ("D", "#0072b2"),
}

# Times by program and library.
Times = dict[str, dict[str, float]]


def programs_of(path: Path) -> Times:
    """The times of the table of programs of a page; {} without such a table.

    A program lacks the libraries that cannot run it."""
    programs: Times = {}
    text = path.read_text(encoding="utf-8")
    if PROGRAMS not in text:
        return programs
    lines = text[text.index(PROGRAMS) :].partition("\n\n")[0].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    libraries = [cell.replace("`fuse`", "usmtensor with @fuse") for cell in rows[0][2:]]
    for name, _, *cells in rows[2:]:
        if not name.startswith("speed of"):
            found = zip(libraries, cells, strict=True)
            times = {library: float(cell) for library, cell in found if cell != "-"}
            programs[name.replace("_", " ")] = times
    return programs


def of_programs(panels: list[Times]) -> Figure:
    """A panel for each table, with a row for each program and a logarithmic axis.

    Speeds are relative to CuPy if the table has CuPy's times, otherwise relative to NumPy."""
    programs = list(panels[0])
    width = 6.5 if len(panels) == 1 else 9
    figure = Figure(figsize=(width, 1.1 + 0.21 * len(programs)), layout="constrained")
    columns = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for axes, times in zip(columns, panels, strict=True):
        gpu = any("CuPy" in found for found in times.values())
        reference = "CuPy" if gpu else "NumPy"
        for label, (marker, color) in MARKERS.items():
            speeds = {
                programs.index(program): found[reference] / found[label]
                for program, found in times.items()
                if {label, reference} <= found.keys()
            }
            style = {"color": color, "markersize": 7, "label": label}
            axes.plot(speeds.values(), speeds.keys(), marker, **style)
        axes.axvline(1.0, color="black", linewidth=1)
        axes.set_xscale("log")
        low, high = axes.get_xlim()
        ticks = [x for x in (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50) if low <= x <= high]
        axes.set_xticks(ticks, [f"{x:g}" for x in ticks])
        axes.minorticks_off()
        axes.grid(alpha=0.3)
        axes.set_axisbelow(True)
        axes.set_xlabel(f"{'GPU' if gpu else 'CPU'}: times as fast as {reference}", fontsize=9)
    axes.set_yticks(range(len(programs)), programs, fontsize=9)
    axes.invert_yaxis()
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper right", ncols=4, fontsize=8)
    return figure


MOST = 4.0  # where an axis ends; the text of a longer bar has its value


def bars(axes: Axes, cases: dict[str, dict[str, float]]) -> None:
    """A bar from 1 for each case and reference: to the right we are faster."""
    names = [name for name in REFERENCES if any(name in ratios for ratios in cases.values())]
    width = 0.8 / len(names)
    for k, name in enumerate(names):
        for i, ratios in enumerate(cases.values()):
            value = ratios.get(name, 1.0)
            place, end = i - 0.4 + width * (k + 0.5), min(value, MOST)
            slower = "//" if value < 1 else None  # not by its colour only
            color = REFERENCES[name]
            if len(names) == 1:
                color = SLOWER if slower else FASTER
            style = {
                "color": color,
                "hatch": slower,
                "edgecolor": "white",
                "linewidth": 0,
            }
            axes.barh(place, end - 1, width, left=1, label=name, **style)
            where = {"ha": "left" if value >= 1 else "right", "va": "center"}
            axes.annotate(f" {value:.2f} ", (end, place), fontsize=7, **where)
    axes.set_xlim(-0.2, min(MOST, max(max(ratios.values()) for ratios in cases.values())) + 0.4)
    axes.axvline(1.0, color="black", linewidth=0.8)
    axes.grid(axis="x", alpha=0.3)
    axes.set_axisbelow(True)
    axes.set_yticks(range(len(cases)), list(cases), fontsize=8)
    axes.invert_yaxis()
    axes.margins(y=0.01)


def short(name: str) -> str:
    """A size as an axis shows it: 1,000,000 is 10⁶."""
    if re.fullmatch(r"10+|1(,000)+|10(,000)+|100(,000)+", name):
        return "10" + str(len(name.replace(",", "")) - 1).translate(SUPERSCRIPTS)
    return name


SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def over_sizes(groups: Ratios) -> Figure:
    """A row for each family of operations, a cell for each size: blue where we are faster."""
    sizes = list(dict.fromkeys(size for cases in groups.values() for size in cases))
    ratios = [[groups[name].get(size, {}).get("numpy") for size in sizes] for name in groups]
    values = np.array(ratios, dtype=float)  # NaN where a case is missing
    figure = Figure(figsize=(6, 0.6 + 0.3 * len(groups)), layout="constrained")
    axes = figure.subplots()
    axes.pcolormesh(np.log2(values), cmap="RdBu", vmin=-3, vmax=3, edgecolor="white", linewidth=1)
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            if not np.isnan(value):
                color = "white" if abs(np.log2(value)) > 2 else "black"
                centre = {"ha": "center", "va": "center"}
                axes.text(j + 0.5, i + 0.5, f"{value:.2g}", color=color, fontsize=9, **centre)
    axes.set_xticks([j + 0.5 for j in range(len(sizes))], [short(size) for size in sizes])
    axes.set_yticks([i + 0.5 for i in range(len(groups))], list(groups))
    axes.invert_yaxis()
    axes.tick_params(length=0, labelsize=9, labeltop=True, labelbottom=False)
    axes.set_frame_on(False)
    figure.supxlabel("times as fast as NumPy, by the number of elements (float32)", fontsize=9)
    return figure


def of_group(cases: dict[str, dict[str, float]]) -> Figure:
    figure = Figure(figsize=(6.5, 0.7 + 0.22 * len(cases)), layout="constrained")
    bars(figure.subplots(), cases)
    names = {name for ratios in cases.values() for name in ratios}
    figure.supxlabel(f"times as fast as {' or '.join(sorted(names))}", fontsize=9)
    if len(names) > 1:
        legend(figure)
    return figure


def legend(figure: Figure) -> None:
    handles: dict[str, object] = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            handles.setdefault(f"than {label}", handle)
    figure.legend(handles.values(), handles.keys(), loc="outside upper right", ncols=4, fontsize=8)


def is_sizes(groups: Ratios) -> bool:
    """Whether the cases of the groups are numbers of elements."""
    return all(re.fullmatch(r"[\d,]+", name) for cases in groups.values() for name in cases)


def save(figure: Figure, path: Path) -> None:
    figure.patch.set_facecolor("white")  # the site has a dark mode
    figure.savefig(path, metadata={"Date": None})
    print(path)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pictures", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    rcParams["svg.hashsalt"] = "usmtensor"  # equal figures give equal files
    rcParams["svg.fonttype"] = "none"
    rcParams["font.sans-serif"] = ["DejaVu Sans", "sans-serif"]
    pages = [file for file in options.files if file.suffix == ".md"]
    if panels := [times for page in pages if (times := programs_of(page))]:
        save(of_programs(panels), options.folder / "programs.svg")
    for file in options.files:
        groups = (from_page if file in pages else from_json)(file)
        if is_sizes(groups):
            save(over_sizes(groups), options.folder / f"{SIZES}.svg")
        else:
            for name, cases in groups.items():
                words = re.sub(r"\W+", "_", name).strip("_")
                save(of_group(cases), options.folder / f"{words}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
