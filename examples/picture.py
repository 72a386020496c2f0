"""Pictures of the examples: files of grey values that every viewer opens."""

import sys
from pathlib import Path

import usmtensor as usm


def save(picture, name):
    """Write an array of numbers from 0 (black) to 1 (white) as `name`, into the folder that the
    command line names: picture.py has no dependency."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    grey = usm.astype(usm.round(usm.clip(picture, 0, 1) * 255), "u1")
    rows, columns = grey.shape
    header = f"P5 {columns} {rows} 255\n".encode()
    (folder / name).write_bytes(header + usm.asnumpy(grey).tobytes())
    print(f"{name}: {columns} x {rows} pixels")
