"""What the compiled kernels ask of a device: no precision that their element types do not have."""

import argparse
import struct
import sys
import unittest
from pathlib import Path

import lz4.block

FLOAT16, FLOAT64 = 9, 10  # capabilities of SPIR-V
CAPABILITY = 17  # the instruction that declares one


def modules(pack):
    """The kernels of a pack by their names, as kernelc/pack.py writes them."""
    data = pack.read_bytes()
    _, _, count, start, size, *_ = struct.unpack_from("<4s7I", data)
    dictionary = data[start : start + size]
    for name, module, packed, size in struct.iter_unpack("<4I", data[32 : 32 + 16 * count]):
        content = data[module : module + packed]
        yield (
            data[name : data.index(b"\0", name)].decode(),
            lz4.block.decompress(content, uncompressed_size=size, dict=dictionary),
        )


def capabilities(module):
    """What a module of SPIR-V declares, after its header and before anything else."""
    words = struct.unpack(f"<{len(module) // 4}I", module)
    at = 5
    while words[at] & 0xFFFF == CAPABILITY:
        yield words[at + 1]
        at += words[at] >> 16


class Precision(unittest.TestCase):
    def test_precision(self):
        packs = list(options.packs.glob("*.pack"))
        self.assertTrue(packs)
        for pack in packs:
            for name, module in modules(pack):
                types, declared = set(name.split("_")), set(capabilities(module))
                with self.subTest(name):
                    if types.isdisjoint({"f8", "c16"}):
                        self.assertNotIn(FLOAT64, declared)
                    if "f2" not in types:
                        self.assertNotIn(FLOAT16, declared)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packs", type=Path, required=True)
    options = parser.parse_args()
    unittest.main(argv=sys.argv[:1])
