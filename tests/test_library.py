"""libtensor.so exports exactly the functions that the extension modules use."""

import re
import struct
import subprocess
import sys
from pathlib import Path

import usmtensor

FOLDER = Path(usmtensor._runtime.platform.__file__).parents[1]
DYNSYM, UNDEFINED = 11, 0


def symbols(library):
    """Pairs of a dynamic symbol of an ELF file of 64 bits, and whether the file defines it."""
    data = library.read_bytes()
    assert data[:5] == b"\x7fELF\x02"
    (start,) = struct.unpack_from("<Q", data, 0x28)
    size, count = struct.unpack_from("<HH", data, 0x3A)
    sections = [struct.unpack_from("<IIQQQQII8xQ", data, start + i * size) for i in range(count)]
    for _, kind, _, _, offset, nbytes, link, _, entry in sections:
        if kind == DYNSYM:
            for at in range(offset + entry, offset + nbytes, entry):
                name, _, section = struct.unpack_from("<IBxH", data, at)
                name += sections[link][4]
                yield data[name : data.index(b"\0", name)].decode(), section != UNDEFINED


def words(symbol):
    """The names in a mangled one, without the parameters."""
    found, rest = [], re.fullmatch(r"_ZNK?9usmtensor(.*)", symbol)[1]
    while length := re.match(r"\d+", rest):
        end = length.end() + int(length[0])
        found.append(rest[length.end() : end])
        rest = rest[end:]
    return "::".join(found)


def test_exported_symbols():
    modules = [file for file in FOLDER.rglob("*.so") if file.name != "libtensor.so"]
    assert len(modules) > 15
    exported = {name for name, defined in symbols(FOLDER / "libtensor.so") if defined}
    needed = {name for file in modules for name, defined in symbols(file) if not defined}
    needed = {name for name in needed if re.match("_ZNK?9usmtensor", name)}
    assert {name for name in exported if not re.match("_ZNK?9usmtensor", name)} == set()
    assert needed <= exported
    for file in modules:
        shown = {name for name, defined in symbols(file) if defined}
        assert len(shown) == 1 and re.match("PyInit_|usmtensor_host_module", *shown), file
    # Overloads are exported together.
    assert {words(name) for name in exported} == {words(name) for name in needed}


def test_users_load_no_test_hooks():
    hooks = next(FOLDER.glob("_hooks.*.so"))
    theirs = {name for name, defined in symbols(hooks) if not defined}
    assert any("settings" in name for name in theirs)
    code = "import sys, usmtensor; print('usmtensor._hooks' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
    for word in ("launch_floor", "plan_faults", "late_copy", "test_hooks"):
        assert word.encode() not in (FOLDER / "libtensor.so").read_bytes()
