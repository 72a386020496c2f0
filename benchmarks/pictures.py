"""Pictures of a run: `python -m benchmarks.pictures FILE... FOLDER`.

FILE is a JSON file of `python -m benchmarks` or `python -m benchmarks.sizes`, or a page with a
table of `python -m benchmarks.sizes --markdown`. The folder gets an SVG file for each group of
cases; `sizes.svg` has all families of operations.
"""

import argparse
import json
import re
import sys
from pathlib import Path

from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

# Speed of usmtensor divided by that of a reference, by group, case and reference.
Ratios = dict[str, dict[str, dict[str, float]]]

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
    """The table of NumPy's times divided by usmtensor's; its first row has the sizes."""
    text = path.read_text(encoding="utf-8")
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


def bars(axes: Axes, cases: dict[str, dict[str, float]], across: bool) -> None:
    """A bar from 1 for each case and reference, on a logarithmic axis: above 1 we are faster."""
    names = [name for name in REFERENCES if any(name in ratios for ratios in cases.values())]
    width = 0.8 / len(names)
    for k, name in enumerate(names):
        places = [i - 0.4 + width * (k + 0.5) for i in range(len(cases))]
        values = [ratios.get(name, 1.0) for ratios in cases.values()]
        draw = axes.barh if across else axes.bar
        start = {"left" if across else "bottom": 1.0}
        lengths = [value - 1 for value in values]
        draw(places, lengths, width, color=REFERENCES[name], label=name, **start)
    axis = axes.xaxis if across else axes.yaxis
    (axes.set_xscale if across else axes.set_yscale)("log", base=2)
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    (axes.axvline if across else axes.axhline)(1.0, color="black", linewidth=0.8)
    axes.grid(axis="x" if across else "y", alpha=0.3)
    axes.set_axisbelow(True)
    axes.minorticks_off()
    ticks = (axes.set_yticks, axes.invert_yaxis) if across else (axes.set_xticks, lambda: None)
    ticks[0](range(len(cases)), [short(name) for name in cases], fontsize=8)
    ticks[1]()


def short(name: str) -> str:
    """A size as an axis shows it: 1,000,000 is 10⁶."""
    if re.fullmatch(r"10+|1(,000)+|10(,000)+|100(,000)+", name):
        return "10" + str(len(name.replace(",", "")) - 1).translate(SUPERSCRIPTS)
    return name


SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def over_sizes(groups: Ratios) -> Figure:
    """A panel for each family of operations, a bar for each size."""
    columns = 4
    rows = -(-len(groups) // columns)
    figure = Figure(figsize=(10, 1.9 * rows), layout="constrained")
    panels = figure.subplots(rows, columns, sharey=True, squeeze=False).flatten()
    for axes, (name, cases) in zip(panels, groups.items(), strict=False):
        bars(axes, cases, across=False)
        axes.set_title(name, fontsize=9)
        axes.set_ylim(1 / 8, 64)
    for axes in panels[len(groups) :]:
        axes.set_axis_off()
    figure.supxlabel("elements (float32)", fontsize=9)
    figure.supylabel("times as fast", fontsize=9)
    legend(figure)
    return figure


def of_group(name: str, cases: dict[str, dict[str, float]]) -> Figure:
    figure = Figure(figsize=(8, 0.7 + 0.28 * len(cases)), layout="constrained")
    bars(figure.subplots(), cases, across=True)
    figure.suptitle(name, fontsize=10)
    figure.supxlabel("times as fast", fontsize=9)
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
    for file in options.files:
        groups = (from_page if file.suffix == ".md" else from_json)(file)
        if is_sizes(groups):
            save(over_sizes(groups), options.folder / f"{SIZES}.svg")
        else:
            for name, cases in groups.items():
                words = re.sub(r"\W+", "_", name).strip("_")
                save(of_group(name, cases), options.folder / f"{words}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
