"""Fused functions whose results are reductions."""

import numpy as np
import pytest
from both_tiers import assert_same_bits
from strategies import numbered, skip_without
from test_fuse import bits_agree

import usmtensor as usm
from usmtensor._kernels import fused_reductions, joined_steps, steps

pytestmark = pytest.mark.any_memory

REDUCTIONS = ["sum", "prod", "max", "min", "mean", "any", "all", "count_nonzero"]


def reductions_agree(function, *arguments):
    """As bits_agree; on devices other than CPUs the bits of sums depend on the kernel."""
    if arguments[0].sycl_device.is_cpu:
        return bits_agree(function, *arguments)
    fused, wanted = usm.fuse(function)(*arguments), function(*arguments)
    assert (fused.shape, fused.dtype) == (wanted.shape, wanted.dtype)
    fused, wanted = usm.asnumpy(fused), usm.asnumpy(wanted)
    np.testing.assert_allclose(fused, wanted, rtol=1e-2 if wanted.dtype == "e" else 1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("char", "name"),
    [(char, name) for char in "?bBiqQefdFD" for name in ("sum", "max", "mean")]
    + [(char, name) for char in "?iefD" for name in ("prod", "min", "any", "all", "count_nonzero")],
)
def test_reductions(name, char, queue, device):
    skip_without(device, char)
    if char == "?":

        def mapped(x):
            return usm.logical_not(x)

    else:

        def mapped(x):
            return x * 3 - 2

    host = numbered((6, 50), char)
    x = usm.asarray(host, sycl_queue=queue)
    for axis, keepdims in ((None, False), (0, False), (-1, True), ((0, 1), True)):

        def function(x, axis=axis, keepdims=keepdims):
            return getattr(usm, name)(mapped(x), axis=axis, keepdims=keepdims)

        reductions_agree(function, x)


@pytest.mark.parametrize("axis", [None, 0, -1])
def test_positions_in_large_arrays(axis, queue):
    x = usm.asarray(numbered((1024, 1024), "f4") % 97, sycl_queue=queue)
    bits_agree(lambda x: usm.argmax(x * x - 2, axis=axis), x)


def test_reductions_of_special_values(queue):
    x = usm.asarray([1, np.nan, -np.inf], dtype="f4", sycl_queue=queue)
    for name in ("max", "min", "sum", "any"):
        found = usm.fuse(lambda x, name=name: getattr(usm, name)(x + 0))(x)
        assert found.dtype == getattr(usm, name)(x).dtype
        assert np.isnan(usm.asnumpy(found)) if name != "any" else bool(found)


def test_reductions_of_nothing(queue):
    x = usm.empty((0, 3), dtype="f4", sycl_queue=queue)
    for name in ("sum", "prod", "any", "all", "mean"):
        bits_agree(lambda x, name=name: getattr(usm, name)(x + 1, axis=0), x)
    for name in ("max", "min"):
        with pytest.raises(ValueError):
            usm.fuse(lambda x, name=name: getattr(usm, name)(x + 1))(x)


def test_sums_into_out(queue):
    x = usm.asarray(np.random.default_rng(3).random((999, 33), dtype="f4"), sycl_queue=queue)
    out = usm.empty(33, dtype="f4", sycl_queue=queue)
    assert usm.fuse(lambda x: usm.sum(x * 3, axis=0))(x, out=out) is out
    assert_same_bits(usm.asnumpy(out), usm.asnumpy(usm.sum(x * 3, axis=0)))


def test_reductions_beside_other_results(queue):
    x = usm.asarray(numbered((4, 5), "i4"), sycl_queue=queue)
    bits_agree(lambda x: (x * 2, usm.sum(x * 2), usm.max(x, axis=1)), x)


@pytest.fixture
def one_kernel(monkeypatch):
    """The kernels that compute and reduce elements, as they are made, for small arrays too."""
    made = []

    def reduction_kernel(*arguments):
        made.append(fused_reductions.reduction_kernel(*arguments))
        return made[-1]

    monkeypatch.setattr(steps, "reduction_kernel", reduction_kernel)
    monkeypatch.setattr(
        joined_steps, "can_reduce", lambda *arguments: False
    )  # see test_fused_rows.py
    monkeypatch.setattr(steps, "MIN_ELEMENTS", 1)
    monkeypatch.setattr(steps, "MIN_ROW", 1)
    return made


# All reductions of float32, and some of the other types: each case compiles kernels of its own.
REDUCTIONS_OF = {
    "f": REDUCTIONS,
    "?": ["sum", "min", "all"],
    "i": ["sum", "max", "mean"],
    "e": ["prod", "min", "any"],
    "F": ["sum", "prod", "max", "count_nonzero"],
}


@pytest.mark.parametrize(
    ("char", "name"), [(char, name) for char, names in REDUCTIONS_OF.items() for name in names]
)
def test_reductions_in_one_kernel(name, char, queue, device, one_kernel):
    skip_without(device, char)
    random = np.random.default_rng(0)
    host = random.integers(0, 3, (2, 7, 600)).astype(char)
    if char in "efF" and name != "prod":
        host = (host + random.random(host.shape)).astype(char)
    x = usm.asarray(host, sycl_queue=queue)
    exact = host.dtype.kind in "biu" and name != "mean"
    limit = {"e": 3e-3, "f": 3e-6, "F": 3e-6}.get(char, 1e-13)
    for axis, keepdims in ((None, False), (-1, True), ((1, 2), False), ((0, 2), False)):

        def function(x, limit, axis=axis, keepdims=keepdims):
            mapped = usm.logical_not(x) if x.dtype == bool else x * limit - 1
            return getattr(usm, name)(mapped, axis=axis, keepdims=keepdims)

        result, wanted = usm.fuse(function)(x, 2), function(x, 2)
        assert (result.shape, result.dtype) == (wanted.shape, wanted.dtype)
        result, wanted = usm.asnumpy(result), usm.asnumpy(wanted)
        if exact or name in ("max", "min", "any", "all", "count_nonzero"):
            np.testing.assert_array_equal(result, wanted)
        else:
            np.testing.assert_allclose(result, wanted, rtol=limit, atol=limit)
    without = (char == "F" and name in ("prod", "max", "min")) or (char != "f" and name == "mean")
    assert [kernel is None for kernel in one_kernel] == [without] * 3


@pytest.mark.parametrize("name", ["sum", "prod"])
@pytest.mark.parametrize(("char", "dtype"), [("F", "f4"), ("f", "e"), ("f", "i8"), ("i", "?")])
def test_narrower_results_need_two_kernels(name, char, dtype, queue, device, one_kernel):
    skip_without(device, char)
    skip_without(device, np.dtype(dtype).char)
    x = usm.asarray(np.full(2000, 1e-9 if char == "f" else 1, char), sycl_queue=queue)
    bits_agree(lambda x: getattr(usm, name)(x * 2, dtype=dtype), x)
    assert one_kernel == [None]


@pytest.mark.parametrize("numbers", [16, 17])
def test_many_arguments_and_one_kernel(numbers, queue, one_kernel):
    """A kernel has at most 32 arguments, of which a reduction needs three. Another kernel computes
    a part of the elements."""
    arrays = [usm.ones(2000, dtype="f4", sycl_queue=queue) for _ in range(13)]

    def function(*x):
        total = x[0] * x[13]
        for k in range(1, numbers):
            total = total + x[k % 13] * x[13 + k]
        return usm.count_nonzero(total)

    bits_agree(function, *arrays, *[2.0] * numbers)
    assert [kernel is None for kernel in one_kernel] == [False]


def test_special_values_in_one_kernel(queue, one_kernel):
    x = usm.asarray([1, np.nan, -np.inf] * 700, dtype="f4", sycl_queue=queue)
    for name in ("max", "min", "sum", "mean"):
        assert np.isnan(usm.asnumpy(usm.fuse(lambda x, name=name: getattr(usm, name)(x + 0))(x)))
    x = usm.asarray([-np.inf, -5], dtype="f4", sycl_queue=queue)
    assert float(usm.fuse(lambda x: usm.max(x + 0))(x)) == -5
    assert float(usm.fuse(lambda x: usm.min(x + 0))(x)) == -np.inf
    assert len(one_kernel) == 6 and None not in one_kernel


def test_one_kernel_needs_contiguous_arrays(queue, device, one_kernel):
    x = usm.asarray(numbered((40, 50), "f4"), sycl_queue=queue)
    rows = usm.sum(x, axis=1)[:, None]
    for left, right in ((x, x[:, ::-1]), (x.T, x.T), (x, rows), (x, 2)):
        bits_agree(lambda x, y: usm.sum(x * y, axis=0), left, right)
    bits_agree(lambda x, y: usm.sum(x * y), x, rows)
    assert not one_kernel
    bits_agree(lambda x: usm.max(x + 1, axis=1), x)
    out = usm.empty(40, dtype="f4", sycl_queue=queue)
    assert usm.fuse(lambda x: usm.max(x + 1, axis=1))(x, out=out) is out
    assert_same_bits(usm.asnumpy(out), usm.asnumpy(usm.max(x + 1, axis=1)))
    with pytest.raises(ValueError, match="shape"):
        usm.fuse(lambda x: usm.max(x + 1, axis=1))(x, out=out[:3])
    assert len(one_kernel) == 3 and None not in one_kernel
    bits_agree(lambda x: usm.max(x + 1, axis=np.int64(1)), x)
    with pytest.raises(TypeError, match="axis"):
        usm.fuse(lambda x: usm.max(x + 1, axis=True))(x)
    # A CPU's compiler vectorises no calls there.
    usm.fuse(lambda x: usm.sum(usm.exp(x)))(x)
    assert (one_kernel[-1] is None) == device.is_cpu


def test_a_scalar_of_numpy_beside_a_reduction(queue):
    for size in (5, 3 << 20):
        x = usm.ones(size, dtype="f4", sycl_queue=queue)
        assert float(usm.fuse(lambda x, c: usm.sum(x * c))(x, np.float32(2))) == 2 * size


@pytest.mark.parametrize(
    ("char", "name"), [(char, name) for char, names in REDUCTIONS_OF.items() for name in names]
)
def test_few_elements_per_result(name, char, queue, device, by_rows):
    skip_without(device, char)
    random = np.random.default_rng(0)
    x, y = (random.integers(0, 3, shape).astype(char) for shape in ((300, 3), (4, 3)))
    x, y = (usm.asarray(one, sycl_queue=queue) for one in (x, y))
    for left, right, axis in ((x[:, None], y, -1), (y[:2, :0:-1, None], x[:, 1], (0, 1))):
        for keepdims in (False, True):

            def function(x, y, axis=axis, keepdims=keepdims):
                mapped = usm.logical_xor(x, y) if x.dtype == bool else (x - y) * 2 + 1
                return getattr(usm, name)(mapped, axis=axis, keepdims=keepdims)

            reductions_agree(function, left, right)
    without = (char == "F" and name in ("prod", "max", "min")) or (char != "f" and name == "mean")
    assert len(by_rows) == (0 if without else 4)
    assert all(one is not None for one in by_rows)


def test_a_few_elements_are_added_as_in_a_plain_sum(queue):
    random = np.random.default_rng(1)
    for n in (1, 2, 5, 7, 8):
        x = usm.asarray(random.standard_normal((n, 40, n), dtype="f4"), sycl_queue=queue)
        for axis in (0, -1):
            reductions_agree(lambda x, c, axis=axis: usm.sum(x * c, axis=axis), x, 1.7)
            reductions_agree(lambda x, c, axis=axis: usm.mean(x[:, 1:] + c, axis=axis), x, x[:, :1])
    x = usm.asarray(random.standard_normal((9, 2, 30), dtype="f4"), sycl_queue=queue)
    arrays = [x[:, k : k + 1] for k in (0, 1)] * 5  # more operands than a kernel may have
    reductions_agree(
        lambda *arrays: usm.sum(sum(arrays[1:], arrays[0]), axis=1), *arrays, x[:, ::-1]
    )


@pytest.fixture
def by_rows(monkeypatch):
    """The results of kernels whose work-items reduce rows, for small arrays too."""
    made = []

    class RowReduction(fused_reductions.RowReduction):
        def __call__(self, *arguments):
            made.append(super().__call__(*arguments))
            return made[-1]

    monkeypatch.setattr(steps, "RowReduction", RowReduction)
    monkeypatch.setattr(
        joined_steps, "can_reduce", lambda *arguments: False
    )  # see test_fused_rows.py
    monkeypatch.setattr(steps, "MIN_ELEMENTS", 1)
    monkeypatch.setattr(fused_reductions, "MIN_ELEMENTS", 1)
    monkeypatch.setattr(steps, "MIN_ROW", 1 << 40)
    monkeypatch.setattr(fused_reductions, "MIN_ROWS", 1)
    return made


@pytest.mark.parametrize(
    ("char", "name"), [(char, name) for char, names in REDUCTIONS_OF.items() for name in names]
)
def test_rows_of_operands_that_broadcast(name, char, queue, device, by_rows):
    skip_without(device, char)
    random = np.random.default_rng(0)
    x, y = (random.integers(0, 3, (*rows, 70)).astype(char) for rows in ((7, 1), (5,)))
    x, y = (usm.asarray(one, sycl_queue=queue) for one in (x, y))
    exact = char in "?i" and name != "mean"
    pairs = [(x, y), (x[::-1, :, 1:], y[:, 1:]), (x, y[..., :1])]
    pairs = pairs if char == "f" else pairs[:1]  # each is a kernel to compile
    for axis, keepdims in ((-1, False), (-1, True), ((1, 2), False)):

        def function(x, y, axis=axis, keepdims=keepdims):
            mapped = usm.logical_xor(x, y) if x.dtype == bool else (x - y) * 2 + 1
            return getattr(usm, name)(mapped, axis=axis, keepdims=keepdims)

        for left, right in pairs:
            result, wanted = usm.fuse(function)(left, right), function(left, right)
            assert (result.shape, result.dtype) == (wanted.shape, wanted.dtype)
            result, wanted = usm.asnumpy(result), usm.asnumpy(wanted)
            if exact or name in ("max", "min", "any", "all", "count_nonzero"):
                np.testing.assert_array_equal(result, wanted)
            else:
                np.testing.assert_allclose(result, wanted, rtol=3e-3 if char == "e" else 3e-5)
    without = (char == "F" and name in ("prod", "max", "min")) or (char != "f" and name == "mean")
    assert len(by_rows) == (0 if without else 3 * len(pairs))
    assert all(one is not None for one in by_rows[: len(pairs)])


@pytest.mark.parametrize("dimensions", [2, 60])
def test_distances_need_no_memory_for_differences(dimensions, queue, by_rows):
    points, centres = (
        usm.asarray(numbered((n, dimensions), "f4") % 5, sycl_queue=queue) for n in (90, 4)
    )

    def distances(x, y, scale):
        return usm.sum(usm.square(x[:, None] - y[None]) * scale, axis=-1)

    fused = usm.fuse(distances)
    for scale in (1, 0.5):
        found = fused(points, centres, scale)
        np.testing.assert_array_equal(
            usm.asnumpy(found), usm.asnumpy(distances(points, centres, scale))
        )
        assert by_rows.pop() is found
    out = usm.empty((90, 4), dtype="f4", sycl_queue=queue)
    assert fused(points, centres, 1, out=out) is out


def test_reductions_that_are_not_by_rows(queue, device, by_rows):
    x = usm.asarray(numbered((8, 20), "f4"), sycl_queue=queue)
    bits_agree(lambda x: usm.sum(x[:, ::2] * x[0, 1::2][0], axis=1), x)  # a step of two
    bits_agree(lambda x, y: usm.sum(x * y, axis=0), x, x[0])
    bits_agree(lambda x: usm.sum(x[:, :-1] * 2), x)  # two axes that do not merge
    assert by_rows == [None] * 3
    usm.fuse(lambda x, y: usm.sum(usm.exp(x - y), axis=1))(x, x[:, :1])
    assert (by_rows[-1] is None) == device.is_cpu


def test_long_rows(queue, by_rows):
    x = usm.asarray(np.random.default_rng(1).random((3, 5000), dtype="f4"), sycl_queue=queue)
    found = usm.fuse(lambda x, y: usm.sum(x * y + 1, axis=-1))(x[:, None], x)
    wanted = (usm.asnumpy(x)[:, None].astype("f8") * usm.asnumpy(x) + 1).sum(-1)
    np.testing.assert_allclose(usm.asnumpy(found), wanted, rtol=1e-6)
    assert found is by_rows[-1]
