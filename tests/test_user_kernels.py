"""Users' own kernels, against NumPy."""

import functools
import itertools
import operator
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from placement import survives_forks
from strategies import examples, numbered, recipes, skip_without, supported_dtypes

import usmtensor as usm
from usmtensor._kernels import reduction_kernel
from usmtensor._kernels.source import (
    FUNCTIONS,
    Elementwise,
    elementwise_source,
    is_complete,
    parameters,
)


def host(x):
    return usm.asnumpy(x)


affine = usm.ElementwiseKernel("T x, T y, T z", "T w", "w = x * y + z", "affine")
both = usm.ElementwiseKernel("T x, T y", "T low, bool less", "low = x < y ? x : y; less = x < y")
place = usm.ElementwiseKernel("T x", "int64 k, int64 last", "k = i; last = n - 1 + 0 * x", "place")


# Values


def check_affine(dtype, step, queue):
    x, y, z = (numbered(7, dtype)[::k] for k in (1, step, 1))
    ours = [usm.asarray(numbered(7, dtype), sycl_queue=queue)[::k] for k in (1, step, 1)]
    result = affine(*ours)
    assert result.dtype == dtype
    with np.errstate(over="ignore"):
        np.testing.assert_allclose(host(result), x * y + z, rtol=1e-2 if dtype == "e" else 1e-6)


@pytest.mark.any_memory
@pytest.mark.parametrize("dtype", [x for x in supported_dtypes() if x.kind != "b"], ids=str)
def test_every_type(dtype, queue):
    check_affine(dtype, 1, queue)


@pytest.mark.any_memory
@pytest.mark.parametrize("char", "befD")
def test_types_of_every_size(char, queue, device, loops):
    skip_without(device, char)
    check_affine(np.dtype(char), -1, queue)


@given(recipe=recipes(dtype="f4"), data=st.data())
@examples(60)
def test_any_layout(recipe, data, queue, loops):
    base = recipe.base()
    x, mine = recipe.of_numpy(base), recipe.of_usm(usm.asarray(base, sycl_queue=queue))
    y = np.float32(3)
    np.testing.assert_array_equal(host(affine(mine, mine, y)), x * x + y)
    low, less = both(mine, 5)
    np.testing.assert_array_equal(host(low), np.minimum(x, 5))
    np.testing.assert_array_equal(host(less), x < 5)
    k, last = place(mine)
    np.testing.assert_array_equal(host(k), np.arange(x.size).reshape(x.shape))
    assert x.size == 0 or (host(last) == x.size - 1).all()


neighbours = usm.ElementwiseKernel(
    "T a, T b, T c", "T z, int64 k", "z = a - b * c; k = i", "neighbours_of_any_type"
)
many_neighbours = usm.ElementwiseKernel(
    ", ".join(f"T x{k}" for k in range(9)),
    "T z",
    "z = " + " - ".join(f"x{k}" for k in range(9)),
    "many_neighbours",
)


@given(
    outer=st.lists(st.integers(1, 9), max_size=3),
    n=st.integers(28, 80),
    char=st.sampled_from("id"),
    step=st.sampled_from([1, -1, 2]),
)
@examples(100)
def test_stencils(outer, n, char, step, queue, loops, device):
    skip_without(device, char)
    shape = *(k + 2 for k in outer), n + 2
    base = numbered((*shape[:-1], shape[-1] * abs(step)), char)
    x, mine = base[..., ::step], usm.asarray(base, sycl_queue=queue)[..., ::step]

    def views(x, count):
        starts = itertools.product(range(3), repeat=x.ndim)
        return [
            x[tuple(slice(k, k + size - 2) for k, size in zip(start, x.shape, strict=True))]
            for start in itertools.islice(starts, count)
        ]

    inner = tuple(size - 2 for size in shape)
    z, k = (usm.zeros((*inner[:-1], 2 * n), dtype=t, sycl_queue=queue) for t in (char, "i8"))
    neighbours(*views(mine, 3), z[..., ::2], k[..., 1::2])
    a, b, c = views(x, 3)
    np.testing.assert_array_equal(host(z)[..., ::2], a - b * c)
    np.testing.assert_array_equal(host(k)[..., 1::2], np.arange(a.size).reshape(inner))
    assert not host(z)[..., 1::2].any()
    if len(shape) > 1:
        w = usm.zeros(shape, dtype=char, sycl_queue=queue)
        many_neighbours(*views(mine, 9), *views(w, 1))
        wanted = functools.reduce(operator.sub, views(x, 9))
        np.testing.assert_array_equal(host(*views(w, 1)), wanted)


def test_outputs_without_inputs(queue, loops):
    z = usm.zeros((9, 60), dtype="f4", sycl_queue=queue)
    start = usm.ElementwiseKernel("T start", "T z", "z += start + i", "add_numbers")
    start(2.5, z[1:-1, 1:-1])
    wanted = np.zeros((9, 60), "f4")
    wanted[1:-1, 1:-1] = 2.5 + np.arange(7 * 58).reshape(7, 58)
    np.testing.assert_array_equal(host(z), wanted)


@given(
    n=st.integers(1, 40),
    rows=st.integers(1, 700),
    char=st.sampled_from("bhfdFD"),
    layouts=st.lists(
        st.sampled_from(["matrix", "part", "reversed", "turned", "row", "column", "number"]),
        min_size=2,
        max_size=2,
    ),
    out=st.sampled_from(["new", "part", "turned"]),
)
@examples(40)
def test_short_rows(n, rows, char, layouts, out, device, queue, loops):
    skip_without(device, char)

    def laid_out(array, layout):
        return {
            "part": lambda: array[:rows, 1 : n + 1],
            "reversed": lambda: array[:rows, n - 1 :: -1],
            "turned": lambda: array.T[:rows, :n],
            "row": lambda: array[0, :n],
            "column": lambda: array[:rows, :1],
            "number": lambda: array[1, :1],
        }.get(layout, lambda: array[:rows, :n])()

    side = max(n, rows) + 2
    host_arrays = [numbered((side, side), char) for _ in layouts]
    host_arrays[1] = host_arrays[1][::-1].copy()
    x, y = (laid_out(a, one) for a, one in zip(host_arrays, layouts, strict=True))
    ours = [
        laid_out(usm.asarray(a, sycl_queue=queue), one)
        for a, one in zip(host_arrays, layouts, strict=True)
    ]
    shape = np.broadcast_shapes(x.shape, y.shape)
    add = usm.ElementwiseKernel("T x, T y", "T z, int64 k", "z = x + y; k = i", "add_short_rows")
    if out == "new" or shape != (rows, n):
        z, k = add(*ours)
    else:
        targets = [usm.zeros((side, side), dtype=t, sycl_queue=queue) for t in (char, "i8")]
        z, k = add(*ours, *(laid_out(one, out) for one in targets))
        assert all(usm.count_nonzero(one) <= rows * n for one in targets)
    np.testing.assert_array_equal(host(z), x + y)
    np.testing.assert_array_equal(host(k), np.arange(np.prod(shape)).reshape(shape))


def test_broadcasting(queue, loops):
    x, y, z = np.arange(3.0)[:, None], np.arange(4.0), np.arange(24.0).reshape(2, 3, 4)
    arrays = [usm.asarray(a, dtype="f4", sycl_queue=queue) for a in (x, y, z)]
    np.testing.assert_array_equal(host(affine(*arrays)), x * y + z)
    with pytest.raises(ValueError, match=r"affine: .* cannot be broadcast"):
        affine(arrays[0], arrays[1], arrays[1][:3])


@pytest.mark.any_memory
def test_large_outputs_bypass_the_caches(queue, loops):
    x = usm.arange(1 << 23, dtype="f4", sycl_queue=queue)
    for part in (np.s_[:], np.s_[3:], np.s_[::-1]):
        a = host(x)[part]
        np.testing.assert_array_equal(host(affine(x[part], x[part], 1)), a * a + np.float32(1))
    large = usm.ElementwiseKernel("T x", "T y, bool less", "y = x; less = x.real() < 1000")
    z = usm.astype(x[: 1 << 20], "c16" if queue.sycl_device.has_aspect_fp64 else "c8")
    y, less = large(z)
    np.testing.assert_array_equal(host(y), host(z))
    np.testing.assert_array_equal(host(less), host(z).real < 1000)
    for first in (1, 16):
        outputs = usm.full_like(x, 7), usm.zeros(x.size, dtype="?", sycl_queue=queue)
        both(x[:-20], 1000, *(out[first : first - 20] for out in outputs))
        for out, part in zip(outputs, (np.minimum(host(x), 1000), host(x) < 1000), strict=True):
            expected = np.full_like(part, 7 if part.dtype == "f4" else 0)
            expected[first : first - 20] = part[:-20]
            np.testing.assert_array_equal(host(out), expected)


def test_outputs_keep_former_values(queue, loops):
    kernel = usm.ElementwiseKernel("T x", "T y", "if (x > 2) y = x; else if (x == 0) return;")
    x = usm.arange(6, sycl_queue=queue)
    y = usm.full(6, -1, sycl_queue=queue)
    assert kernel(x, y) is y
    assert host(y).tolist() == [-1, -1, -1, 3, 4, 5]
    grow = usm.ElementwiseKernel("T x", "T y", "y += x")
    for part in (np.s_[:], np.s_[::2], np.s_[::-1]):
        before, target = host(y), y[part]
        grow(x[part], target)
        before[part] += host(x)[part]
        assert host(y).tolist() == before.tolist()


def test_overlap_of_raw_arrays(queue, loops):
    """The results are as of copied inputs, although work-items may read and write any element."""
    n = 2_000_003
    backwards = np.arange(n)[::-1]
    for inputs, output, operation, keywords in (
        ("raw T p", "T q", "q = p[n - 1 - i]", {}),
        ("T p", "raw T q", "q[n - 1 - i] = p", {}),
        ("raw T p", "raw T q", "q[i] = p[n - 1 - i]", {"size": n}),
    ):
        x = usm.arange(n, dtype="i4", sycl_queue=queue)
        usm.ElementwiseKernel(inputs, output, operation)(x, x, **keywords)
        np.testing.assert_array_equal(host(x), backwards)


def test_functions_into_raw_arrays(queue, loops):
    x, y = usm.ones(5, dtype="f4", sycl_queue=queue), usm.zeros(5, dtype="f4", sycl_queue=queue)
    usm.ElementwiseKernel("T x", "raw T y", "y[i] = sqrt(x)")(x, y)
    assert host(y).tolist() == [1] * 5


def test_overlap(queue, loops):
    x = np.arange(40, dtype="f4")
    for source, target in ((np.s_[1:], np.s_[:-1]), (np.s_[::-1], np.s_[:]), (np.s_[:], np.s_[:])):
        mine, expected = usm.asarray(x, sycl_queue=queue), x.copy()
        affine(mine[source], mine[source], 1, mine[target])
        expected[target] = x[source] * x[source] + 1
        np.testing.assert_array_equal(host(mine), expected)
    mine = usm.asarray(x, sycl_queue=queue)
    with pytest.raises(ValueError, match="outputs low and less overlap"):
        usm.ElementwiseKernel("T x", "T low, T less", "low = x; less = x")(mine, mine, mine)


def test_raw_arrays(queue, loops):
    step = usm.ElementwiseKernel(
        "raw T x", "T y", "y = i > 0 && i + 1 < n ? x[i - 1] + x[i + 1] : T(x.size())", "step"
    )
    x = np.arange(12.0).reshape(3, 4).astype("f4")
    for view in (lambda a: a, lambda a: a.T, lambda a: a[::-1, ::2]):
        part = view(x)
        flat = part.ravel()
        expected = np.full(part.shape, part.size, "f4")
        expected.ravel()[1:-1] = flat[:-2] + flat[2:]
        mine = view(usm.asarray(x, sycl_queue=queue))
        out = usm.empty(part.shape, dtype="f4", sycl_queue=queue)
        np.testing.assert_array_equal(host(step(mine, out)), expected.reshape(part.shape))
    scatter = usm.ElementwiseKernel("T x", "raw T y", "y[n - 1 - i] = x", "scatter")
    y = usm.zeros((8, 2), dtype="f4", sycl_queue=queue)[:, 0]
    scatter(usm.arange(8, dtype="f4", sycl_queue=queue), y)
    assert host(y).tolist() == list(range(8))[::-1]


def test_size(queue):
    squares = usm.ElementwiseKernel("T first", "T y", "y = first + T(i * i)", "squares")
    assert host(squares(1, size=4)).tolist() == [1, 2, 5, 10]
    assert host(squares(1.5, size=(2, 2))).tolist() == [[1.5, 2.5], [5.5, 10.5]]
    x = usm.arange(3, sycl_queue=queue)
    with pytest.raises(ValueError, match="size"):
        squares(x, size=4)
    fill = usm.ElementwiseKernel("", "raw float32 y", "y[i] = i", "fill")
    y = usm.zeros(5, dtype="f4", sycl_queue=queue)
    assert host(fill(y, size=3)).tolist() == [0, 1, 2, 0, 0]
    with pytest.raises(ValueError, match="expected the argument size"):
        fill(y)


# Arguments


def test_types_of_arguments(queue):
    x = usm.ones(3, dtype="f4", sycl_queue=queue)
    k = usm.ones(3, dtype="i4", sycl_queue=queue)
    assert affine(x, 2, 3.5).dtype == "f4"
    assert affine(np.float32(2), x, True).dtype == "f4"
    with pytest.raises(TypeError, match="affine: y is of type int32; expected float32, as T is"):
        affine(x, k, 1)
    with pytest.raises(TypeError, match="affine: y is of type float64"):
        affine(k, 1.5, 1)
    fixed = usm.ElementwiseKernel("float32 x", "float32 y", "y = x / 2", "fixed")
    assert host(fixed(usm.astype(x, "f2"))).tolist() == [0.5] * 3
    with pytest.raises(TypeError, match="fixed: x is of type complex64; expected float32"):
        fixed(usm.astype(x, "c8"))
    with pytest.raises(TypeError, match="fixed: y is of type int32"):
        fixed(x, k)
    with pytest.raises(TypeError, match="no argument has the type U of y"):
        usm.ElementwiseKernel("T x", "U y", "y = x", "open_")(x)


def test_bad_calls(queue):
    x = usm.ones(3, dtype="f4", sycl_queue=queue)
    with pytest.raises(TypeError, match="affine: 2 arguments; expected 3, or 4"):
        affine(x, x)
    with pytest.raises(usm.ExecutionPlacementError, match=r"affine: .*at least one usm_ndarray"):
        affine(1, 2, 3)
    with pytest.raises(TypeError, match="affine: w is"):
        affine(x, x, x, None)
    with pytest.raises(ValueError, match="affine: out has shape"):
        affine(x, x, x, usm.ones(4, dtype="f4", sycl_queue=queue))
    with pytest.raises(ValueError, match="read-only"):
        affine(x, x, x, usm.broadcast_to(x[0], (3,)))


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        (("T", "T y", "y = 1"), ValueError, "in_params has 'T'"),
        (("T x", "", "x"), ValueError, "out_params is empty"),
        (("T x", "T x", "x"), ValueError, "two parameters x"),
        (("T i", "T x", "x"), ValueError, "the name 'i'"),
        (("T _x", "T x", "x"), ValueError, "the name '_x'"),
        (("float128x x", "T y", "y"), TypeError, "the type 'float128x'"),
        (("T x", "T y", "y", "a b"), ValueError, "name is 'a b'"),
        (("T x", 3, "y"), TypeError, "out_params is of type int"),
        ((", ".join(f"T x{k}" for k in range(40)), "T y", "y"), ValueError, "41 parameters"),
    ],
)
def test_bad_kernels(arguments, error, message):
    with pytest.raises(error, match=message):
        usm.ElementwiseKernel(*arguments)


def test_errors_of_the_compiler(queue):
    x = usm.ones(3, dtype="f4", sycl_queue=queue)
    kernel = usm.ElementwiseKernel("T x", "T y", "y = x;\ny = unknown;", "wrong")
    for _ in range(2):
        with pytest.raises(usm.CompileError, match=r"operation:2:5: error: .*unknown") as caught:
            kernel(x)
        assert "y = unknown;" in caught.value.source
    with pytest.raises(usm.CompileError, match="preamble:1:"):
        usm.ElementwiseKernel("T x", "T y", "y = x", "wrong", preamble="bad")(x)
    texts = ("T x", "T y", "x", "a + b", "y = a", "0", "wrong")
    with pytest.raises(usm.CompileError, match="preamble:2:"):
        usm.ReductionKernel(*texts, preamble="#define OTHER 1\nbad")(x)
    four = usm.ElementwiseKernel("T x", "T y", "y = NUMBER", options=["-DNUMBER=4"])
    assert host(four(x)).tolist() == [4, 4, 4]


def test_pickle():
    kernel = pickle.loads(pickle.dumps(affine))
    assert repr(kernel) == "<ElementwiseKernel 'affine'>"
    assert (kernel.nin, kernel.nout) == (3, 1)


PROCESS = """
import usmtensor as usm
from usmtensor._hooks import kernel_statistics
RAW = '''
#include <sycl/ext/oneapi/free_function_queries.hpp>
#include <sycl/ext/oneapi/free_function_kernel_properties.hpp>
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(
    (sycl::ext::oneapi::experimental::nd_range_kernel<1>)) void %s(int *x) {
  const int i = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0);
  x[i] = %d * i;
}'''
"""
COUNTS = """
counts = kernel_statistics()
print(counts["source"] + counts["jit"], counts["disk"], counts["bad"])
"""
ELEMENTWISE = """
kernel = usm.ElementwiseKernel("T x", "T y", "y = x + 41", "kept")
assert int(kernel(usm.ones(1))[0]) == 42
"""
SEVERAL = """
module = usm.RawModule(RAW % ("first", 3) + RAW % ("second", 5))
x = usm.empty(4, dtype="i4")
for name, factor in (("first", 3), ("second", 5)):
    module.kernel(name)(4, 2, (x,))
    assert usm.asnumpy(x).tolist() == [0, factor, 2 * factor, 3 * factor]
"""
VARIABLE = """
text = "sycl::ext::oneapi::experimental::device_global<int> variable;" + RAW % ("variables", 3)
header = "#include <sycl/ext/oneapi/device_global/device_global.hpp>"
x = usm.empty(4, dtype="i4")
usm.RawKernel(header + chr(10) + text.replace("3 *", "variable + 3 *"), "variables")(4, 2, (x,))
assert usm.asnumpy(x).tolist() == [0, 3, 6, 9]
"""
OWN_FILE = """
open("mine.hpp", "w").write("#define FACTOR 7")
x = usm.empty(4, dtype="i4")
usm.RawKernel('#include "mine.hpp"' + chr(10) + RAW % ("own", 3), "own")(4, 2, (x,))
"""


@pytest.mark.any_memory
@pytest.mark.parametrize("kernels", ["", "source"], ids=["of the driver", "of SYCL"])
@pytest.mark.parametrize(
    "code, again",
    [(ELEMENTWISE, "0 1 0"), (SEVERAL, "0 2 0"), (VARIABLE, "1 0 0"), (OWN_FILE, "1 0 0")],
    ids=["elementwise", "several kernels", "variable of the device", "file of the user"],
)
def test_kernels_stay_on_disk(code, again, kernels, tmp_path, monkeypatch, device):
    """Binaries of the driver, where it is OpenCL's, or of SYCL."""
    monkeypatch.setenv("USMTENSOR_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("USMTENSOR_KERNELS", kernels)
    monkeypatch.setenv("USMTENSOR_TIER", "device")
    monkeypatch.setenv("ONEAPI_DEVICE_SELECTOR", ":".join(device.filter_string.split(":")[:2]))
    command = [sys.executable, "-c", PROCESS + code + COUNTS]
    found = []
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        found.append([int(word) for word in done.stdout.split()])
    again = [int(word) for word in again.split()]
    others = found[0][0] - sum(again)  # kernels of the library
    assert found[0] == [sum(again) + others, 0, 0]
    assert found[1] == [again[0], again[1] + others, 0]


@pytest.mark.parametrize(
    "text, options, complete",
    [
        ('#include <complex>\n#include "kernels/user.hpp"', ("-DN=4", "-ffp-contract=off"), True),
        ("#include </tmp/x.hpp>", (), False),
        ('#include "x.hpp"', (), False),
        ('#define F "x.hpp"\n#include F', (), False),
        ('/* */ # include_next "x.hpp"', (), False),
        ('#inc\\\nlude "x.hpp"', (), False),
        ('#import "x.hpp"', (), False),
        ('#embed "x"', (), False),
        ("", ("-include", "x.hpp"), False),
        ("", ("-fplugin=./x.so",), False),
        ("", ("-I.",), False),
    ],
)
def test_what_may_be_on_disk(text, options, complete):
    assert is_complete(text, options) is complete


def source_of(inputs, outputs, operation, preamble="", traced=False):
    texts = (tuple(parameters("", "", text)) for text in (inputs, outputs))
    kernel = Elementwise(*texts, operation, "any", preamble)
    codes = {p.name: p.code for p in (*kernel.in_params, *kernel.out_params)}
    return elementwise_source(kernel, "contiguous", codes, (), False, (), traced)


@pytest.mark.any_memory
@pytest.mark.parametrize(
    "types, preamble, operation, headers",
    [
        ("f4 f8", "", "y = x", ""),
        ("f4 f4", "", "auto d = x - 1; y = d == 0 ? x : d; // sqrt(x)", ""),
        ("i4 i4", "using I = int;", "for (int k = 0; k < 1; ++k) y = I(x) / (k + 1)", ""),
        ("f4 f4", "", "y = sqrt(x)", "MATH"),
        ("i8 i8", "", "y = (max)(x, int64(1))", "MATH"),
        ("f4 ?", "", "y = x < INFINITY", "MATH"),
        ("f4 f4", "float f(float x) { return sycl::sqrt(x); }", "y = f(x)", "MATH"),
        ("f4 f4", "", "y = std::sqrt(x)", "CALLS"),
        ("f4 f4", "", "y = ::sqrt(x)", "CALLS"),
        ("f4 f4", "", "using std::sqrt; y = sqrt(x)", "CALLS"),
        ("f4 f4", "", "y = sqrt(float(usmtensor::int32(x)))", "MATH"),
        ("f4 f4", "", "{ float32 max = x; y = max; } y = max(y, float32(1))", "MATH"),
        ("i4 i4", "", "y = x &abs(x)", "MATH"),
        ("f4 f4", "float f(float max) { return max; }", "y = max(x, f(x))", "CALLS"),
        ("f4 f4", "using V = float; V max(V x, V y) { return x * y; }", "y = max(x, x)", ""),
        ("f4 f4", "", "y = sycl::native::sqrt(x)", "CALLS"),
        ("f4 f4", "float f(float x) { return sqrt(x); }", "y = f(x)", "CALLS"),
        ("c8 f4", "", "y = fabs(x.real())", "CALLS COMPLEX"),
        ("f2 f2", "", "y = sqrt(x)", "CALLS"),
        ("u4 u4", "", "uint k = x; y = k", "CALLS"),
        ("f4 f4", "#define F sqrt", "y = F/**/(x)", "CALLS"),
        ("f4 f4", "using namespace std;", "array<float, 1> k{x}; y = k[0]", "CALLS"),
        ("f4 f4", "", "y = sqrt \\\n(x)", "MATH"),
        ("f2 f2", "", "y = x", "CALLS"),
        ("f4 c8", "", "y = x", "COMPLEX"),
        ("c16 f8", "", "y = x.real()", "CALLS COMPLEX"),
        ("f4 f4", "", "y = std::complex<float>(x, 1).imag()", "CALLS COMPLEX"),
        ("f4 f4", "", "y = usmtensor::complex64(x, 1).imag()", "CALLS COMPLEX"),
    ],
)
def test_kernels_include_the_headers_that_they_use(types, preamble, operation, headers, device):
    skip_without(device, *types.split())
    inputs, outputs = (f"{t} {x}" for t, x in zip(types.split(), "xy", strict=True))
    if headers not in ("MATH", "CALLS"):
        kernel = usm.ElementwiseKernel(inputs, outputs, operation, "any", preamble)
        assert (usm.asnumpy(kernel(usm.ones(3, dtype=types.split()[0], device=device))) == 1).all()
    source = source_of(inputs, outputs, operation, preamble)
    found = [
        name
        for name in ("MATH", "CALLS", "CALLS_COMPLEX")
        if f"#define USMTENSOR_{name}\n" in source
    ]
    assert " ".join(found).replace("CALLS_", "") == headers
    assert "#define" not in source_of(inputs, outputs, "y = 1", traced=True)


@pytest.mark.skipif(not shutil.which("g++"), reason="g++ is not installed")
@pytest.mark.parametrize("headers", ["", "#define USMTENSOR_MATH\n"])
def test_no_header_of_the_machine(headers):
    """Fused functions and texts of common functions compile where there are none."""
    families = "arithmetic bitwise comparison exponential fused rounding trigonometric user"
    text = headers + "".join(f'#include "kernels/{name}.hpp"\n' for name in families.split())
    for command in ([], ["-D__NVPTX__"]):
        command = ["g++", "-E", "-nostdinc", "-std=c++20", "-x", "c++", *command, "-"]
        folder = Path(__file__).resolve().parents[1] / "libtensor"
        result = subprocess.run(command, input=text, cwd=folder, capture_output=True, text=True)
        assert (result.returncode, result.stderr) == (0, "")
        assert "namespace usmtensor::standard" in result.stdout


@pytest.mark.parametrize("char", "fd")
def test_functions_without_headers_are_those_of_sycl(char, queue, device):
    skip_without(device, char)
    values = numbered(200, char) / 7
    special = [0.0, -0.0, 1, -1, 2, -2, 0.5, np.inf, -np.inf, np.nan, np.finfo(char).tiny / 2]
    x = usm.asarray(np.concatenate([values, special]).astype(char), sycl_queue=queue)
    y = usm.roll(x, 3)
    binary = {
        "atan2",
        "copysign",
        "fmax",
        "fmin",
        "fmod",
        "hypot",
        "max",
        "min",
        "nextafter",
        "pow",
    }
    names = sorted(FUNCTIONS - {"abs"})
    calls = [
        f"{name}({'x, y, x' if name == 'fma' else 'x, y' if name in binary else 'x'})"
        for name in names
    ]
    text = "".join(f"z[{k} * n + i] = {call};" for k, call in enumerate(calls))
    ours, theirs = (
        host(usm.ElementwiseKernel("T x, T y", "raw T z", text, "all", options=options)(x, y, z))
        for options in ((), ("-DWITH_THE_HEADERS",))
        for z in [usm.empty((len(calls), x.size), dtype=char, sycl_queue=queue)]
    )
    for name, one, other in zip(names, ours, theirs, strict=True):
        np.testing.assert_array_equal(one, other, err_msg=name)


def test_functions_of_integers_and_mixed_numbers(queue):
    kernel = usm.ElementwiseKernel(
        "T x, U y", "T a, T b, U c", "a = max(abs(x), T(3)); b = min(x, T(3)); c = pow(y, 2) + M_PI"
    )
    x = usm.asarray([-7, 2, 9], dtype="i2", sycl_queue=queue)
    least = usm.asarray([-(2**63)], sycl_queue=queue)
    assert usm.ElementwiseKernel("T x", "bool y", "y = abs(x) < 0")(least)
    a, b, c = kernel(x, usm.astype(x, "f4"))
    assert host(a).tolist() == [7, 3, 9] and host(b).tolist() == [-7, 2, 3]
    np.testing.assert_allclose(host(c), np.asarray([49, 4, 81]) + np.pi, rtol=1e-6)
    for text, message in (
        ("y = sqrt(x)", "ambiguous"),
        ("y = max<T>(x, 0)", "no matching function"),
    ):
        wrong = usm.ElementwiseKernel("T x", "T y", text)
        with pytest.raises(usm.CompileError, match=rf"operation:1:.*{message}"):
            wrong(x)


def test_reductions_without_calls_need_no_headers(queue, monkeypatch):
    sources = []

    def kernel(inputs, outputs, operation, name, preamble, options=()):
        sources.append(source_of(inputs, outputs, operation, preamble))
        return usm.ElementwiseKernel(inputs, outputs, operation, name, preamble)

    total = usm.ReductionKernel("T x, T y", "T z", "x * y", "a + b", "z = a", "0")
    monkeypatch.setattr(reduction_kernel, "ElementwiseKernel", kernel)
    x = usm.arange(2000, dtype="f4", sycl_queue=queue)
    assert total(x, usm.ones_like(x)) == 1999000
    assert len(sources) == 2 and not any("#define" in source for source in sources)


def test_half_precision_is_one_type(queue):
    """As numbers of single precision, also where no function is called."""
    skip_without(queue.sycl_device, "f2")
    x = usm.asarray([float("inf"), 2048], dtype="f2", sycl_queue=queue)
    for call in ("", "&& sqrt(x) > 0"):
        above = usm.ElementwiseKernel("T x", "bool y", f"y = x > 70000 {call}", "above")
        assert above(x).tolist() == [True, False]


KERNEL_HEADERS = Path(__file__).resolve().parents[1] / "libtensor/kernels"
HEADERS = sorted(
    file.name for file in KERNEL_HEADERS.glob("*.hpp") if not file.name.startswith("host_")
)


def includes(*names):
    return "".join(f'#include "kernels/{name}"\n' for name in names)


@pytest.mark.any_memory
@pytest.mark.parametrize("headers", [HEADERS, HEADERS[::-1]], ids=["ascending", "descending"])
def test_a_kernel_may_include_all_headers_of_the_library(queue, headers):
    """No two headers define one name, and each includes what it needs: both orders compile."""
    x = usm.ones(3, dtype="f4", sycl_queue=queue)
    preamble = includes(*headers)
    add = usm.ElementwiseKernel("T x, raw T y", "T z", "z = x + y[i]", "k", preamble)
    assert add(x, x).tolist() == [2, 2, 2]
    total = usm.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "k", preamble=preamble)
    assert total(x) == 3


def test_headers_of_the_host_are_not_for_kernels():
    kernel = usm.ElementwiseKernel("T x", "T y", "y = x", "k", includes("host_math.hpp"))
    with pytest.raises(usm.CompileError, match="file not found"):
        kernel(usm.ones(3, dtype="f4"))


def test_raw_sources_with_headers_of_the_library(queue):
    source = """
    #include "kernels/kernel.hpp"
    extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(
        (sycl::ext::oneapi::experimental::nd_range_kernel<1>))
    void square(std::complex<float> *x, const std::complex<float> *y) {
      x[0] = usmtensor::complex64(y[0]) * y[0] + std::complex<float>(float(sycl::half(1)));
    }
    """
    x, y = usm.zeros(1, dtype="c8", sycl_queue=queue), usm.full(1, 2j, dtype="c8", sycl_queue=queue)
    usm.RawKernel(source, "square")(1, 1, (x, y))
    assert x[0] == -3


# Threads, processes, discrete mode


SCRIPT = """
import os, threading
import numpy as np
import usmtensor as usm
kernel = usm.ElementwiseKernel("T x, raw T y", "T z", "z = x + y[n - 1 - i]", "script")
total = usm.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total")
def work(n=1000):
    x = usm.arange(n, dtype="f4")
    return int(total(kernel(x, x))) == n * (n - 1)
"""
THREADS = """
found = []
threads = [threading.Thread(target=lambda: found.append(work())) for _ in range(16)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert found == [True] * 16
"""
FORKS = """
for before in (False, True):
    child = os.fork()
    if child == 0:
        os._exit(0 if work() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert work()
"""


@pytest.mark.any_memory
@pytest.mark.parametrize(
    "code", [THREADS, pytest.param(FORKS, marks=survives_forks)], ids=["threads", "forks"]
)
@pytest.mark.parametrize("discrete", ["0", "1"])
def test_threads_and_processes(code, discrete, tmp_path, monkeypatch, device):
    if discrete == "1" and not device.is_cpu:
        pytest.skip("the device is no CPU: its memory is out of reach anyway")
    monkeypatch.setenv("USMTENSOR_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("USMTENSOR_DISCRETE", discrete)
    # Python warns of forks beside threads since 3.12.
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", SCRIPT + code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")


def test_order_across_queues(device):
    queues = [usm.SyclQueue(device, property="in_order") for _ in range(2)]
    x = usm.zeros(1 << 16, dtype="i4", sycl_queue=queues[0])
    y = usm.usm_ndarray(x.shape, x.dtype, buffer=x.usm_data, buffer_ctor_kwargs={})
    grow = usm.ElementwiseKernel("", "int32 x", "x += 1", "grow")
    views = [x, x.to_device(queues[1])]
    assert views[1]._pointer == y._pointer
    for k in range(20):
        grow(views[k % 2])
    assert (host(x) == 20).all()


# Reductions

total = usm.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total")
spread = usm.ReductionKernel(
    "T x, T y", "T z, int64 m", "x > y ? x - y : y - x", "max(a, b)", "z = a; m = 7", "0", "spread"
)


@given(recipe=recipes(dtype="i8"), data=st.data())
@examples(30)
def test_reductions(recipe, data, queue):
    base = recipe.base()
    x, mine = recipe.of_numpy(base), recipe.of_usm(usm.asarray(base, sycl_queue=queue))
    axes = data.draw(st.none() | st.sets(st.integers(0, max(x.ndim - 1, 0))).map(tuple))
    axes = axes if x.ndim else None
    keepdims = data.draw(st.booleans())
    result = total(mine, axis=axes, keepdims=keepdims)
    np.testing.assert_array_equal(host(result), x.sum(axes, keepdims=keepdims))
    z, n = spread(mine, 3, axis=axes)
    np.testing.assert_array_equal(host(z), np.abs(x - 3).max(axes, initial=0))
    assert (host(n) == 7).all()


@pytest.mark.parametrize("n", [1, 511, 512, 513, 2**18 + 1, 2**20 + 3])
@pytest.mark.parametrize("team", [1, 64])  # as on a CPU, and as on other devices
def test_long_reductions_are_accurate(n, team, queue, loops, monkeypatch):
    monkeypatch.setattr(reduction_kernel, "_team", lambda queue: team)
    x = np.random.default_rng(n).random(n, dtype="f4")
    mine = usm.asarray(x, sycl_queue=queue)
    result = total(mine)
    np.testing.assert_allclose(host(result), x.sum(dtype="f8"), rtol=3e-7)
    assert host(total(mine)) == host(result)
    out = usm.empty((), dtype="f4", sycl_queue=queue)
    assert total(mine, out) is out and total(mine, out=out) is out
    assert host(out) == host(result)
    rows = usm.reshape(mine[: n // 3 * 3], (3, -1))
    np.testing.assert_allclose(
        host(total(rows, axis=1)), x[: n // 3 * 3].reshape(3, -1).sum(1, dtype="f8"), rtol=3e-7
    )


def test_types_of_reductions(queue):
    mean = usm.ReductionKernel(
        "int8 x", "float32 y", "x", "a + b", "y = float(a) / 4", "0", "mean", "int32"
    )
    x = usm.full(1000, 100, dtype="i1", sycl_queue=queue)
    assert host(mean(x)) == 25000
    with pytest.raises(ValueError, match="total: out has shape"):
        total(x, usm.empty(2, dtype="i1", sycl_queue=queue))
    with pytest.raises(TypeError, match="total: 3 arguments; expected 1, or 2"):
        total(x, x[:1], out=x[:1])
    with pytest.raises(np.exceptions.AxisError):
        total(x, axis=1)
    with pytest.raises(ValueError, match="a parameter is raw"):
        usm.ReductionKernel("raw T x", "T y", "x", "a + b", "y = a", "0")
    kernel = pickle.loads(pickle.dumps(total))
    assert host(kernel(usm.astype(x, "i4"))) == 100000


# Raw kernels

HEAD = """
#include <sycl/ext/oneapi/free_function_queries.hpp>
#include <sycl/ext/oneapi/free_function_kernel_properties.hpp>
#include <sycl/ext/oneapi/work_group_static.hpp>
#include <sycl/group_barrier.hpp>
namespace exp_ = sycl::ext::oneapi::experimental;
using sycl::ext::oneapi::this_work_item::get_nd_item;
#define KERNEL(n) extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::nd_range_kernel<n>))
"""


def one(dimensions):
    return (
        'extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(('
        f"sycl::ext::oneapi::experimental::nd_range_kernel<{dimensions}>))\n"
    )


MODULE = usm.RawModule(
    HEAD
    + one(1)
    + """void scale(const float *x, float *__restrict y, const float factor, int offset) {
  const auto i = get_nd_item<1>().get_global_id(0);
  y[i] = factor * x[i] + offset;
}
"""
    + one(2)
    + """void turn(const int *x, int *y) { // y[j, i] = x[i, j]
  const auto item = get_nd_item<2>();
  const auto i = item.get_global_id(0), j = item.get_global_id(1);
  y[j * item.get_global_range(0) + i] = x[i * item.get_global_range(1) + j];
}
"""
    + one(3)
    + """void places(long *y) {
  const auto item = get_nd_item<3>();
  y[item.get_global_linear_id()] = item.get_global_id(0) * 100 + item.get_global_id(1) * 10 +
                                   item.get_global_id(2);
}
"""
    + one(1)
    + """void mirror(float *x) { // within each work-group
  exp_::work_group_static<float[16]> held;
  const auto item = get_nd_item<1>();
  const auto k = item.get_local_id(0);
  held[k] = x[item.get_global_id(0)];
  sycl::group_barrier(item.get_group());
  x[item.get_global_id(0)] = held[15 - k];
}
"""
)


def test_raw_kernels(queue):
    x = usm.arange(8, dtype="f4", sycl_queue=queue)
    y = usm.zeros_like(x)
    scale = MODULE.kernel("scale")
    assert scale(8, 4, (x, y, 0.5, 1)) is None
    assert host(y).tolist() == [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5]
    scale(0, 4, (x, y, 7, 7))
    scale(4, 4, [x[4:], y, np.float32(2), np.int8(-1)])
    assert host(y).tolist() == [7, 9, 11, 13, 3, 3.5, 4, 4.5]
    m = usm.reshape(usm.arange(12, dtype="i4", sycl_queue=queue), (3, 4))
    t = usm.empty((4, 3), dtype="i4", sycl_queue=queue)
    MODULE.kernel("turn")((3, 4), (1, 2), (m, t))
    np.testing.assert_array_equal(host(t), host(m).T)
    p = usm.empty((2, 3, 4), dtype="i8", sycl_queue=queue)
    pickle.loads(pickle.dumps(MODULE.kernel("places")))((2, 3, 4), (1, 3, 2), (p,))
    assert host(p)[1, 2].tolist() == [120, 121, 122, 123]
    x = usm.arange(32, dtype="f4", sycl_queue=queue)
    MODULE.kernel("mirror")(32, 16, (x,))
    assert host(x)[[0, 15, 16, 31]].tolist() == [15, 0, 31, 16]


def test_spellings_of_types(queue):
    kernel = usm.RawKernel(
        HEAD
        + one(1)
        + """void add(float y[8], const long int n, unsigned long int const m,
            unsigned char c, short k, char signed b, long long unsigned u, size_t z,
            std::uint16_t w) {
          y[0] = n + m + c + k + b + u + z + w;
        }""",
        "add",
    )
    y = usm.zeros(8, dtype="f4", sycl_queue=queue)
    kernel(1, 1, (y, 1, 2, 4, 8, 16, 32, 64, 128))
    assert y[0] == 255
    with pytest.raises(OverflowError):
        kernel(1, 1, (y, 1, -2, 4, 8, 16, 32, 64, 128))


def test_bad_calls_of_raw_kernels(queue):
    x = usm.arange(8, dtype="f4", sycl_queue=queue)
    fixed = usm.broadcast_to(x[:1], (8,))
    scale = MODULE.kernel("scale")
    assert scale(8, 4, (fixed, x, 1, 0)) is None  # const: may be read-only
    for sizes, arguments, error, message in (
        ((8, 4), (x, x, 1), TypeError, "args has 3 arguments; expected 4"),
        ((8, 4), (x, fixed, 1, 0), ValueError, "scale: y is read-only"),
        ((8, 4), (x, usm.astype(x, "i4"), 1, 0), TypeError, "y is of type int32; expected float32"),
        ((8, 4), (x, x, "1", 0), TypeError, "factor is of type str; expected a number for"),
        ((8, 4), (x, x, x, 0), TypeError, "factor is of type usm_ndarray; expected a number for"),
        ((8, 4), (x, x, 1, 0.5), TypeError, "offset is 0.5"),
        ((8, 4), (x, x, 1, 2**40), OverflowError, "scale"),
        ((8, 4), (x, host(x), 1, 0), TypeError, "scale: y"),
        ((8, 4), x, TypeError, "scale: args"),
        ((8, 3), (x, x, 1, 0), ValueError, "expected a multiple"),
        ((8, 0), (x, x, 1, 0), ValueError, "local_size is 0"),
        (((8, 1), (4, 1)), (x, x, 1, 0), ValueError, "expected 1 integers"),
        ((2**30, 2**30), (x, x, 1, 0), ValueError, "the device has at most"),
    ):
        with pytest.raises(error, match=message):
            scale(*sizes, arguments)


@pytest.mark.parametrize(
    "declaration, error, message",
    [
        ("void other(int *x) {}", ValueError, "no kernel k"),
        ("void k(std::pair<int, int> p) {}", TypeError, "'std::pair<int, int> p'"),
        ("void k(int *x, sycl::half h) {}", TypeError, "'sycl::half h'"),
        ("void k(int **x) {}", TypeError, "expected a pointer"),
        ("void k(int &x) {}", TypeError, "expected a pointer"),
    ],
)
def test_bad_raw_kernels(declaration, error, message):
    with pytest.raises(error, match=message):
        usm.RawKernel(HEAD + one(1) + declaration, "k")


def test_errors_of_raw_kernels(queue):
    x = usm.zeros(1, dtype="i4", sycl_queue=queue)
    kernel = usm.RawKernel(HEAD + one(1) + "void k(int *x) {\n  *x = unknown;\n}", "k")
    with pytest.raises(usm.CompileError, match=r"source:11:\d+: error: .*unknown"):
        kernel(1, 1, (x,))
    lies = usm.RawKernel(
        HEAD + "struct S { int a; };\n#define int S\n" + one(1) + "void k(int p) {}\n#undef int",
        "k",
    )
    with pytest.raises(usm.CompileError, match="k: this is not its first declaration"):
        lies(1, 1, (1,))
