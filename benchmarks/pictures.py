"""Pictures of a run: `python -m benchmarks.pictures FILE... FOLDER`.

FILE is a JSON file of `python -m benchmarks` or `python -m benchmarks.sizes`, or a page:
`docs/speed.md` with the tables of `python -m benchmarks.sizes --markdown` and of
`python -m benchmarks.programs`, or `docs/devices.md` with ratios to torch. The folder gets an SVG
file for each group of cases; `sizes.svg` has all families of operations, and `programs.svg` all
programs.
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


# The head of the table of programs: "plain" and "fused" are NumPy's time divided by usmtensor's.
PROGRAMS = (
    "| program | arrays, float64 | NumPy, ms | usmtensor | `fuse` | plain | fused | Numba |\n"
)
COLUMNS = {"usmtensor": "#9ecae9", "usmtensor with @fuse": FASTER, "Numba, parallel": "#bab0ac"}


def programs_of(path: Path) -> dict[str, list[float]]:
    """The speed of COLUMNS divided by NumPy's for each program of a page; {} without a table.

    A program has no last ratio if Numba does not compile it."""
    programs: dict[str, list[float]] = {}
    table = path.read_text(encoding="utf-8").partition(PROGRAMS)[2].partition("\n\n")[0]
    for line in table.splitlines()[1:]:
        name, _, time, *_, plain, fused, numba = (x.strip() for x in line.strip("|").split("|"))
        ratios = [float(plain), float(fused)]
        ratios += [float(time) / float(numba)] if numba != "-" else []
        programs[name.replace("_", " ")] = ratios
    return programs


def of_programs(programs: dict[str, list[float]]) -> Figure:
    """A bar for each program and column, on a logarithmic axis that begins at NumPy's speed."""
    figure = Figure(figsize=(6.5, 0.9 + 0.42 * len(programs)), layout="constrained")
    axes = figure.subplots()
    for k, (label, color) in enumerate(COLUMNS.items()):
        rows = {i + 0.27 * (k - 1): x[k] for i, x in enumerate(programs.values()) if k < len(x)}
        axes.barh(rows.keys(), [x - 1 for x in rows.values()], 0.25, 1, color=color, label=label)
        for row, ratio in rows.items():
            axes.annotate(f" {ratio:.2g}", (ratio, row), fontsize=7, va="center")
    axes.set_xscale("log")
    axes.set_xlim(1, 40)
    axes.set_xticks([1, 2, 5, 10, 20], ["1", "2", "5", "10", "20"])
    axes.minorticks_off()
    axes.grid(axis="x", alpha=0.3)
    axes.set_axisbelow(True)
    axes.set_yticks(range(len(programs)), list(programs), fontsize=9)
    axes.invert_yaxis()
    figure.legend(loc="outside upper right", ncols=3, fontsize=8)
    figure.supxlabel("times as fast as NumPy, for the same program text", fontsize=9)
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
    for file in options.files:
        groups = (from_page if file.suffix == ".md" else from_json)(file)
        if file.suffix == ".md" and (programs := programs_of(file)):
            save(of_programs(programs), options.folder / "programs.svg")
        if is_sizes(groups):
            save(over_sizes(groups), options.folder / f"{SIZES}.svg")
        else:
            for name, cases in groups.items():
                words = re.sub(r"\W+", "_", name).strip("_")
                save(of_group(cases), options.folder / f"{words}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
