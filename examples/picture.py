"""Pictures of the examples: PNG files, written without another package."""

import struct
import sys
import zlib
from pathlib import Path

import usmtensor as usm


def save(picture, name):
    """Write a matrix of numbers from 0 (black) to 1 (white) as `name`, a PNG file.

    The command line may name the folder.
    """
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    grey = usm.astype(usm.round(usm.clip(picture, 0, 1) * 255), "u1")
    rows, columns = grey.shape
    # Each row begins with the number of its filter; 0 is none.
    lines = usm.concat([usm.zeros((rows, 1), dtype="u1"), grey], axis=1)
    header = struct.pack(">IIBBBBB", columns, rows, 8, 0, 0, 0, 0)  # 8 bits of grey
    content = zlib.compress(usm.asnumpy(lines).tobytes(), 9)
    parts = chunk(b"IHDR", header), chunk(b"IDAT", content), chunk(b"IEND", b"")
    (folder / name).write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(parts))
    print(f"{name}: {columns} x {rows} pixels")


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
