"""Pictures of the examples: PNG and SVG files, written without another package."""

import struct
import sys
import zlib
from pathlib import Path

import usmtensor as usm

# The command line may name the folder of the pictures.
FOLDER = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
WIDTH, HEIGHT = 640, 400  # of a plot, in pixels


def save(picture, name):
    """Write a matrix of numbers from 0 (black) to 1 (white) as `name`, a PNG file."""
    grey = usm.astype(usm.round(usm.clip(picture, 0, 1) * 255), "u1")
    rows, columns = grey.shape
    # Each row begins with the number of its filter; 0 is none.
    lines = usm.concat([usm.zeros((rows, 1), dtype="u1"), grey], axis=1)
    header = struct.pack(">IIBBBBB", columns, rows, 8, 0, 0, 0, 0)  # 8 bits of grey
    content = zlib.compress(usm.asnumpy(lines).tobytes(), 9)
    parts = chunk(b"IHDR", header), chunk(b"IDAT", content), chunk(b"IEND", b"")
    (FOLDER / name).write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(parts))
    print(f"{name}: {columns} x {rows} pixels")


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def plot(x, measured, fitted, name):
    """Write points and a line over x as `name`, an SVG file. It has no background and middle
    colours, which suit light and dark pages."""
    x, measured, fitted = (values.tolist() for values in (x, measured, fitted))
    left, low, high = min(x), min(measured + fitted), max(measured + fitted)

    def places(values):
        for a, b in zip(x, values, strict=True):
            across = (a - left) / (max(x) - left) * (WIDTH - 20) + 10
            yield across, HEIGHT - 10 - (b - low) / (high - low) * (HEIGHT - 20)

    points = "".join(f"M{a:.0f} {b:.0f}h0" for a, b in places(measured))
    line = " ".join(f"{a:.1f},{b:.1f}" for a, b in places(fitted))
    style = 'fill="none" stroke-linecap="round"'
    (FOLDER / name).write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">\n'
        f'<path {style} stroke="#5b9bd5" stroke-width="5" d="{points}"/>\n'
        f'<polyline {style} stroke="#e0752d" stroke-width="3" points="{line}"/>\n</svg>\n',
        encoding="utf-8",
    )
    print(f"{name}: {len(x)} points")
