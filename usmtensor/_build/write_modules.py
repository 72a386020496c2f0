"""Write the C++ of the extension modules that changed, or that cimport changed files.

write_modules.py FOLDER MODULE...

One process translates all of them, because Cython takes long to start.
"""

import sys
from pathlib import Path

import sections
from Cython.Build.Dependencies import create_dependency_tree
from Cython.Compiler.Main import CompilationOptions, compile_single

# Without binding, methods check the type of self: usm_ndarray.item(3) raises TypeError instead of a
# crash. Signatures then come from the docstrings. An argument of an extension type refuses None
# unless None is its default, and attributes of None raise AttributeError. Annotations are for the
# stubs: the names of their types need no import, and the types of arguments are not checked.
DIRECTIVES = {
    "binding": False,
    "nonecheck": True,
    "allow_none_for_extension_args": False,
    "annotation_typing": False,
    "auto_pickle": False,
    "embedsignature": True,
    "embedsignature.format": "clinic",
    "autotestdict": False,  # which would hold a copy of each docstring with an example
}
PACKAGE = Path(__file__).resolve().parents[1]


def main(folder, *modules):
    dependencies = create_dependency_tree()
    changed = max(Path(file).stat().st_mtime for file in (__file__, sections.__file__))
    failed = 0
    for module in modules:
        path = Path(module)
        # A module from elsewhere becomes one of the package itself.
        name = path.relative_to(PACKAGE) if path.is_relative_to(PACKAGE) else Path(path.name)
        name = name.with_suffix("")
        output = Path(folder, f"{name}.cxx")
        output.parent.mkdir(exist_ok=True)
        newest = max(dependencies.newest_dependency(module)[0], changed)
        if output.exists() and output.stat().st_mtime > newest:
            continue
        options = CompilationOptions(
            cplus=True,
            language_level=3,
            emit_linenums=True,
            compiler_directives=DIRECTIVES,
            include_path=[str(PACKAGE.parent)],
            output_file=str(output),
        )
        if compile_single(module, options, ".".join(["usmtensor", *name.parts])).num_errors:
            failed += 1
        else:
            output.write_text(sections.fill_literals(output.read_text()))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
