"""What the compiled kernels ask of a device: no precision that their element types do not have."""

import struct

from usmtensor import _hooks

# Capabilities of SPIR-V; the first is Float16Buffer, which the translator declares for any half.
FLOAT16, FLOAT64 = 8, 10
CAPABILITY = 17  # the instruction that declares one


def capabilities(module):
    """What a module of SPIR-V declares, after its header and before anything else."""
    words = struct.unpack(f"<{len(module) // 4}I", module)
    at = 5
    while words[at] & 0xFFFF == CAPABILITY:
        yield words[at + 1]
        at += words[at] >> 16


def test_precision():
    seen, wrong = set(), []
    for name, module in _hooks.kernels():
        types, declared = set(name.split("_")), set(capabilities(module))
        seen |= declared
        if FLOAT64 in declared and types.isdisjoint({"f8", "c16"}):
            wrong.append(name)
        if FLOAT16 in declared and "f2" not in types:
            wrong.append(name)
    assert {FLOAT16, FLOAT64} <= seen
    assert not wrong
