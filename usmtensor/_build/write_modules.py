"""Write the C++ of the extension modules that changed, or that cimport changed files.

write_modules.py FOLDER MODULE...

One process translates all of them, because Cython takes long to start.
"""

import sys
from pathlib import Path

from Cython.Build.Dependencies import create_dependency_tree
from Cython.Compiler.Main import CompilationOptions, compile_single

# Without binding, methods check the type of self: usm_ndarray.item(3) raises TypeError instead of a
# crash. Signatures then come from the docstrings. An argument of an extension type refuses None
# unless None is its default, and attributes of None raise AttributeError.
DIRECTIVES = {
    "binding": False,
    "nonecheck": True,
    "allow_none_for_extension_args": False,
    "auto_pickle": False,
    "embedsignature": True,
    "embedsignature.format": "clinic",
}


def main(folder, *modules):
    dependencies = create_dependency_tree()
    failed = 0
    for module in modules:
        output = Path(folder, Path(module).with_suffix(".cxx").name)
        newest, _ = dependencies.newest_dependency(module)
        if output.exists() and output.stat().st_mtime > newest:
            continue
        options = CompilationOptions(
            cplus=True,
            language_level=3,
            emit_linenums=True,
            compiler_directives=DIRECTIVES,
            include_path=[str(Path(__file__).parents[1])],
            output_file=str(output),
        )
        failed += compile_single(module, options, f"usmtensor.{output.stem}").num_errors
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
