"""Users' own kernels, against NumPy."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, numbered, recipes, supported_dtypes
from usmtensor._hooks import force_device_class

import usmtensor as usm

LOOPS = {"as the device is": 0, "for CPUs": 1, "for other devices": 2}


@pytest.fixture(params=LOOPS.values(), ids=LOOPS.keys())
def loops(request):
    force_device_class(request.param)
    yield
    force_device_class(0)


def host(x):
    return usm.asnumpy(x)


affine = usm.ElementwiseKernel("T x, T y, T z", "T w", "w = x * y + z", "affine")
both = usm.ElementwiseKernel("T x, T y", "T low, bool less", "low = x < y ? x : y; less = x < y")
place = usm.ElementwiseKernel("T x", "int64 k, int64 last", "k = i; last = n - 1 + 0 * x", "place")


# Values


@pytest.mark.parametrize("dtype", [x for x in supported_dtypes() if x.kind != "b"], ids=str)
def test_every_type(dtype, queue, loops):
    x, y, z = (numbered(7, dtype)[::step] for step in (1, -1, 1))
    result = affine(*(usm.asarray(a, sycl_queue=queue) for a in (x, y, z)))
    assert result.dtype == dtype
    with np.errstate(over="ignore"):
        np.testing.assert_allclose(host(result), x * y + z, rtol=1e-2 if dtype == "e" else 1e-6)


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


def test_broadcasting(queue, loops):
    x, y, z = np.arange(3.0)[:, None], np.arange(4.0), np.arange(24.0).reshape(2, 3, 4)
    arrays = [usm.asarray(a, dtype="f4", sycl_queue=queue) for a in (x, y, z)]
    np.testing.assert_array_equal(host(affine(*arrays)), x * y + z)
    with pytest.raises(ValueError, match="affine: cannot broadcast"):
        affine(arrays[0], arrays[1], arrays[1][:3])


def test_large_outputs_bypass_the_caches(queue, loops):
    x = usm.arange(1 << 23, dtype="f4", sycl_queue=queue)
    for part in (np.s_[:], np.s_[3:], np.s_[::-1]):
        a = host(x)[part]
        np.testing.assert_array_equal(host(affine(x[part], x[part], 1)), a * a + np.float32(1))


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
    with pytest.raises(usm.ExecutionPlacementError, match=r"affine: .*expected an array"):
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
    four = usm.ElementwiseKernel("T x", "T y", "y = NUMBER", options=["-DNUMBER=4"])
    assert host(four(x)).tolist() == [4, 4, 4]


def test_pickle():
    kernel = pickle.loads(pickle.dumps(affine))
    assert repr(kernel) == "<ElementwiseKernel 'affine'>"
    assert (kernel.nin, kernel.nout) == (3, 1)


PROCESS = """
import usmtensor as usm
from usmtensor._hooks import kernel_statistics
kernel = usm.ElementwiseKernel("T x", "T y", "y = x + 41", "kept")
assert int(kernel(usm.ones(1))[0]) == 42
counts = kernel_statistics()
print(counts["source"], counts["disk"])
"""


def test_kernels_stay_on_disk(tmp_path, monkeypatch, queue):
    if queue.backend != usm.backend_type.opencl:
        pytest.skip("other backends have their driver's cache")
    monkeypatch.setenv("USMTENSOR_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("USMTENSOR_TIER", "device")
    found = [
        subprocess.run([sys.executable, "-c", PROCESS], capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert [each.stdout for each in found] == ["1 0\n", "0 1\n"]
