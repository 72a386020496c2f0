"""The source of user kernels: their parameters, and the text for the compiler."""

import re
from typing import NamedTuple

import numpy

from usmtensor._runtime.arguments import require, wrong_type
from usmtensor._runtime.dtypes import SUPPORTED, cpp_type, find_code

MAX_PARAMETERS, MAX_ARRAYS = 32, 15  # of a kernel
TYPES = tuple(f"{dtype.kind}{dtype.itemsize}" for dtype in SUPPORTED)

# Options that are self-contained: other options may name user files, which can change.
_COMPLETE = re.compile(r"-([DUOWg].*|std=.*|f[\w-]+(=[\w-]+)?)", re.DOTALL)
# Includes of user files; and device variables, which a binary from disk does not have.
_INCOMPLETE = re.compile(
    r"(#|%:)\s*(include|include_next|import|embed)\b(?!\s*(<[^/]|\"kernels/))"
    r"|__has_include|device_global"
)


# Texts that need <complex>, which takes longer to compile than all other headers.
_COMPLEX = re.compile(r"complex|\bstd\s*::\s*(real|imag|conj|norm|arg|polar|proj)\b", re.IGNORECASE)

_NAME = re.compile(r"\b[A-Za-z_]\w*")
# Names that need neither SYCL nor C++ headers, in addition to parameters and variables. float16 is
# not among them, because its types differ in some operations.
_KNOWN = frozenset(
    _NAME.findall(
        "_ind a auto b bool break case char const constexpr continue default do double else false "
        "float for i if int long n return short signed size switch true unsigned using usmtensor "
        "Value void while USMTENSOR_LANES USMTENSOR_UNROLL bool8 int8 uint8 int16 uint16 int32 "
        "uint32 int64 uint64 float32 float64"
    )
)
# The functions and constants of kernels/user.hpp, which need no SYCL headers.
FUNCTIONS = frozenset(
    _NAME.findall(
        "abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 "
        "expm1 fabs floor fma fmax fmin fmod hypot isfinite isinf isnan lgamma log log10 log1p "
        "log2 max min nextafter pow rint round rsqrt sin sinh sqrt tan tanh tgamma trunc"
    )
)
_CONSTANTS = frozenset(["INFINITY", "NAN", "M_PI"])
_QUALIFIED = re.compile(rf"\bsycl\s*::\s*({'|'.join(FUNCTIONS)})\b")
_VARIABLE = re.compile(
    r"\b(?:auto|bool|char|double|float|int|long|short|unsigned|using(?=\s+\w+\s*=)|[A-Za-z]"
    r"|(?:bool|u?int|float)(?:8|16|32|64)|reduced_t)\s+&?([A-Za-z_]\w*)"
)
_DEFINITION = re.compile(_VARIABLE.pattern + r"\s*\(")

MARK = "// the user's part: "  # before each part of the source

# Loops and functions, in C++ or as functors, which compilers vectorise only across work-items. On
# CPUs this includes a few functions that are single instructions.
_LONG = (
    r"for|while|fmod|hypot|pow|cbrt|erfc?|[lt]gamma|a?(sin|cos|tan)h?|atan2|exp(2|m1)?"
    r"|log(10|1p|2)?|logaddexp|floordivide|remainder"
)
_CALLS = re.compile(rf"\b({_LONG}|r?sqrt|round|trunc)\b", re.IGNORECASE)
# The same for functions of float16 and complex numbers.
_CALLS_OF_SOME = re.compile(
    r"\b(f?abs|sign|ceil|floor|rint|divide|reciprocal|angle|arg)\b|/",
    re.IGNORECASE,
)


class Parameter(NamedTuple):
    name: str
    letter: str | None  # of a type that the arguments determine
    code: int  # dtype code of a fixed type
    raw: bool


# The C++ types of raw kernel parameters.
_KINDS = {
    "bool": "b1", "size_t": "u8", "ptrdiff_t": "i8", "float": "f4", "double": "f8",
    **{f"{s}int{8 * n}_t": f"{s[:1] or 'i'}{n}" for s in ("", "u") for n in (1, 2, 4, 8)},
}  # fmt: skip
_ELEMENTS = {"sycl::half": "f2", "std::complex<float>": "c8", "std::complex<double>": "c16"}


class Taken(NamedTuple):
    """A parameter of a raw kernel."""

    name: str
    code: int  # dtype code of the scalar or of the elements; -1 for other pointers
    pointer: bool
    const: bool


class Elementwise(NamedTuple):
    """The source texts of an elementwise kernel."""

    in_params: tuple
    out_params: tuple
    operation: str
    name: str
    preamble: str


def parameters(function, argument, text):
    """Return the parameters that a text such as "T x, raw float32 y" declares."""
    require(text, str, function, argument)
    return [_parameter(function, argument, part) for part in text.split(",") if text.strip()]


def _parameter(function, argument, text):
    words = text.split()
    raw = words[:1] == ["raw"]
    if len(words) != 2 + raw:
        raise ValueError(
            f"{function}: {argument} has {text.strip()!r}; expected a type and a name, as in "
            "'T x', 'float32 x' or 'raw T x'"
        )
    kind, name = words[-2:]
    if not re.fullmatch("[A-Za-z]\\w*", name, re.ASCII) or name in ("i", "n"):
        raise ValueError(
            f"{function}: {argument} has the name {name!r}; expected a name of C++, without an "
            "underscore in front, other than i and n"
        )
    if re.fullmatch("[A-Za-z]", kind):
        return Parameter(name, kind, -1, raw)
    try:
        code = find_code(numpy.dtype(kind))
    except TypeError:
        code = -1
    if code < 0:
        raise TypeError(
            f"{function}: {argument} has the type {kind!r}; expected a letter or a data type of "
            "arrays"
        )
    return Parameter(name, None, code, raw)


def compile_options(function, options):
    """Return compiler options as a tuple of words."""
    if isinstance(options, str):
        raise wrong_type(options, function, "options", "a sequence of str")
    return tuple(require(option, str, function, "an element of options") for option in options)


def raw_options(source, options):
    """Return the options for a raw source. With usmtensor's headers, it may call any function."""
    calls = ("-DUSMTENSOR_CALLS", "-DUSMTENSOR_CALLS_COMPLEX")
    return options + calls if '"kernels/' in source else options


def _headers(kernel):
    """Return the macro that selects the headers for the texts of a kernel, or None.

    Reductions have names with the prefixes raw_ and reduced_.
    """
    params = (*kernel.in_params, *kernel.out_params)
    known = _KNOWN | {p.name.removeprefix("raw_") for p in params} | {p.name for p in params}
    known |= {p.letter for p in params}
    preamble, operation = (
        _QUALIFIED.sub("INFINITY", _without_comments(x))
        for x in (kernel.preamble, kernel.operation)
    )
    outer, inner = (set(_VARIABLE.findall(x)) for x in (preamble, operation))

    def unknown(text, known):
        return {x for x in _NAME.findall(text) if not x.startswith("reduced_")} - known

    # In the preamble no function has a name without a namespace. A variable of the operation may
    # have the name of a function.
    outside = unknown(preamble, known | outer)
    own = set(_DEFINITION.findall(preamble))
    calls = unknown(operation, known | own | ((outer | inner) - FUNCTIONS))
    if not calls <= FUNCTIONS | _CONSTANTS or not outside <= _CONSTANTS or calls & outer:
        return "USMTENSOR_CALLS"
    if calls and re.search(r"(?<!\busmtensor)\s*::", operation):
        return "USMTENSOR_CALLS"
    if re.search("#|%:", preamble + operation):
        return "USMTENSOR_CALLS"
    return "USMTENSOR_MATH" if calls | outside else None


def _without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", re.sub(r"\\\s*\n", "", text), flags=re.DOTALL)


def is_complete(source, options):
    """Return True if a source and its options are self-contained, so its binary can be cached."""
    text = re.sub(r"/\*.*?\*/", " ", re.sub(r"\\\s*\n", "", source), flags=re.DOTALL)
    return all(_COMPLETE.fullmatch(x) for x in options) and not _INCOMPLETE.search(text)


def by_parts(log, source):
    """Return a log with line numbers relative to the user's texts."""
    lines = source.splitlines()

    def relocate(match):
        number = int(match[1])
        for k in range(min(number, len(lines)) - 1, -1, -1):
            if lines[k].startswith(MARK):
                return f"{lines[k].removeprefix(MARK)}:{number - k - 1}:"
        return f"source:{number}:"

    log = re.sub(r"\brtc_\d+\.cpp:(\d+):", relocate, log)
    if re.search(r"'[a-z_]+' file not found", log):  # names without .h or .hpp
        log += "\nThe headers of C++'s standard library are those of the machine: install g++."
    return log


def has_calls(*texts, some_types=False):
    return any((_CALLS_OF_SOME if some_types else _CALLS).search(text) for text in texts)


def mentions(name, *texts, flags=0):
    return any(re.search(rf"\b{name}\b", text, flags) for text in texts)


def raw_signature(source, name):
    """Return the number of dimensions and the parameters of a kernel in a source."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", source, flags=re.DOTALL)
    text = re.sub(r"\bUSMTENSOR_KERNEL\((\w+), ", r"nd_range_kernel<1> void \1(", text)
    found = re.search(
        rf"nd_range_kernel\s*<\s*([123])\s*>[^;{{}}]*?\bvoid\s+{name}\s*\(([^)]*)\)\s*[;{{]", text
    )
    if not found:
        raise ValueError(
            f'RawKernel: source has no kernel {name}; expected extern "C" '
            "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel"
            f"<1>)) void {name}(...)"
        )
    parts = re.split(r",(?![^<]*>)", found[2]) if found[2].strip() else []
    check = (
        f"\nstatic_assert(__is_same(decltype(&{name}), void (*)({found[2]})), "
        f'"kernel {name}: this is not its first declaration");\n'
    )
    return int(found[1]), [_taken(name, part) for part in parts], source + check


def _integer(words):
    """Return the type that words such as "unsigned long int" name in C++, or None."""
    size = 8 if "long" in words else 2 if "short" in words else 1 if "char" in words else 4
    known = words and words <= {"signed", "unsigned", "char", "short", "int", "long"}
    return f"{'u' if 'unsigned' in words else 'i'}{size}" if known else None


def _taken(kernel, text):
    text = re.sub(r"\b__restrict(__)?\b|\[\[.*?\]\]", " ", text)
    text = re.sub(r"(\w+)\s*\[[^\]]*\]\s*$", r"*\1", text)  # an array is a pointer
    match = re.fullmatch(r"\s*(.*?)([\s*&])\s*(?:\bconst\s+)?(\w+)\s*", text, re.DOTALL)
    kind, mark, name = match.groups() if match else (text, "&", "")
    words = kind.replace("*", " * ").split()
    pointer, const = mark == "*" or "*" in words, "const" in words
    plain = " ".join(w for w in words if w not in ("const", "*")).replace("std::", "")
    known = (
        _integer(set(plain.split()))
        or _KINDS.get(plain)
        or (pointer and _ELEMENTS.get(plain.replace("complex", "std::complex")))
    )
    if mark == "&" or words.count("*") + (mark == "*") > 1 or not (known or pointer):
        raise TypeError(
            f"RawKernel: {kernel} has the parameter {text.strip()!r}; expected a pointer or an "
            "arithmetic scalar: structures are copied per work-item, or do not compile"
        )
    return Taken(name, TYPES.index(known) if known else -1, pointer, const)


def elementwise_source(kernel, loop, types, scalar, indexed, options=(), traced=False):
    """Return the source of a kernel.

    `types` has the element type of each parameter and `scalar` the parameters that are scalars.
    `indexed` is True if the kernel uses the index of an element. `traced` is True for statements of
    a trace, which call only the functors in kernels/.
    """
    outputs, inputs = kernel.out_params, kernel.in_params
    arrays = [p for p in (*outputs, *inputs) if not p.raw and p.name not in scalar]
    raw = [p for p in (*outputs, *inputs) if p.raw]
    scalars = [p for p in inputs if p.name in scalar]
    written = {p.name for p in outputs}
    element = {
        name: ("" if name in written else "const ") + f"usmtensor::{cpp_type(code)}"
        for name, code in types.items()
    }
    letters = {p.letter: p.name for p in (*outputs, *inputs) if p.letter}
    value = {name: f"usmtensor::Value<usmtensor::{cpp_type(code)}>" for name, code in types.items()}
    members = [f"usmtensor::Raw<{element[p.name]}> {p.name};" for p in raw]
    members += [f"{value[p.name]} {p.name};" for p in scalars]
    taken = ["usmtensor::int64 i", *(f"{element[p.name]} &_to_{p.name}" for p in arrays)]
    taken += [f"const {element[p.name].removeprefix('const ')} &_{p.name}" for p in arrays]
    variables = [
        f"{'' if p.name in written else 'const '}{value[p.name]} {p.name} = _{p.name};"
        for p in arrays
    ]
    stores = [f"_to_{p.name} = {p.name};" for p in arrays if p.name in written]
    texts = [kernel.preamble, kernel.operation, *element.values(), *options]
    defined = []
    if not traced:
        half, number = TYPES.index("f2") in types.values(), any(map(_COMPLEX.search, texts))
        headers = "USMTENSOR_CALLS" if options or half else _headers(kernel)
        if number and headers == "USMTENSOR_MATH":
            headers = "USMTENSOR_CALLS"
        defined = [f"#define {x}" for x in (headers, "USMTENSOR_CALLS_COMPLEX" * number) if x]
    text = [
        *defined,
        '#include "kernels/user.hpp"',
        *(f"using {x} = {value[name]};" for x, name in letters.items()),
        MARK + "preamble",
        kernel.preamble,
        MARK + "kernel",
        "struct usmtensor_operation {",
        *members,
        "struct { usmtensor::int64 count; usmtensor::int64 size() const { return count; } } _ind;",
        f"[[gnu::always_inline]] void operator()({', '.join(taken)}) const {{",
        "USMTENSOR_FUNCTIONS",
        "const usmtensor::int64 n = _ind.size();",
        *variables,
        "[&] {",
        MARK + "operation",
        kernel.operation,
        MARK + "kernel",
        "; }();",
        *stores,
        "}",
        "};",
        "namespace usmtensor {",
        *_wrapper(kernel, loop, arrays, raw, scalars, element, types, indexed),
        "}",
    ]
    return "\n".join(text) + "\n"


def _wrapper(kernel, loop, arrays, raw, scalars, element, types, indexed):
    """Yield the lines of the kernel function, which converts plain parameters to the loop's types.

    The order of the parameters is the order in ops/user_kernel.cpp.
    """
    axes = range(4)
    operands = [f"a{k}" for k in range(len(arrays))]
    taken = [f"{element[p.name]} *a{k}" for k, p in enumerate(arrays)] + ["int64 size, int64 first"]
    strided = operands + ["index"] * indexed

    def operand(kind, name, data, column):
        strides = [f"{name}_{k}" if name in strided else "0" for k in axes]
        return f"Operand<{kind}>{{{', '.join([data, *strides, str(column)])}}}"

    groups = ["output", "input"] + ["index"] * indexed  # with equal strides in a stencil
    extents = [f"uint32(n{k})" for k in axes]
    strides = [f"Strides{{{', '.join(f'{x}_{k}' for k in axes)}}}" for x in groups]
    strides += ["Strides{}"] * (not indexed)
    by_axis = loop in ("strided", "grid")
    if loop == "grid":
        taken += ["uint32 m0, uint32 m1, uint32 m2"]
    if loop == "stencil":
        taken += [f"int64 {x}{k}" for x in ("n", *(f"{x}_" for x in groups)) for k in axes]
    if by_axis:
        taken += [f"int64 n{k}" for k in axes] + [f"int64 {x}_{k}" for x in strided for k in axes]
        taken += ["const int64 *outer, int32 outer_count, int32 stream"]
        index = operand("const FlatIndex", "index", "flat_index(first)", len(strided) * indexed)
        operands = [operand(element[p.name], f"a{k}", f"a{k}", 1 + k) for k, p in enumerate(arrays)]
    space = f"Space{{n0, n1, n2, n3, outer, outer_count, {len(strided)}, stream}}"
    members = []
    for k, p in enumerate(raw):
        taken += [f"{element[p.name]} *r{k}, int64 r{k}_size"]
        members += [f"{{r{k}, r{k}_size}}"]
    for k, p in enumerate(scalars):
        words = [f"s{k}", f"s{k}_"][: 1 + (TYPES[types[p.name]] == "c16")]
        taken += [f"uint64 {word}" for word in words]
        members += [f"from_bits<{cpp_type(types[p.name])}>({', '.join(words)})"]
    functor = f"usmtensor_operation{{{', '.join([*members, '{count}'])}}}"
    texts = kernel.preamble, kernel.operation
    at_a_time = 2 if mentions(f"({_LONG})", *texts, flags=re.IGNORECASE) else 4
    # The loads of one element overlap if there are many; then more work-items, which need fewer
    # registers each, are faster than more elements.
    if mentions("(for|while|do|goto)", *texts):
        at_a_time = 1
    elif len(arrays) > (7 if loop == "stencil" else 5):
        at_a_time = 2 if loop == "stencil" else 1
    arguments = {
        "strided": [f"User<usmtensor_operation>{{{functor}}}", "size", space, *operands[:1]],
        "grid": [functor, "m0", "m1", "m2", "size", space],
        "stencil": [functor, *extents, *strides, "first", *operands],
    }.get(loop, [functor, "size", "first", *operands])
    if by_axis:
        arguments += [index, *operands[loop == "strided" :]]
    function = loop if loop == "strided" else f"{loop}_user"
    if loop in ("contiguous", "grid", "stencil"):
        function += f"<{at_a_time}>"
    taken = ", ".join([*taken, "int64 count"])
    yield f"USMTENSOR_KERNEL({kernel.name}_{loop}, {taken}) {{"
    yield f"  {function}({', '.join(arguments)});"
    yield "}"
