"""Fused functions that reduce rows and use the results in the same rows, on devices like GPUs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, skip_without

import usmtensor as usm
from usmtensor import _hooks
from usmtensor._kernels import row_kernel

pytestmark = pytest.mark.any_memory


@pytest.fixture(autouse=True)
def like_gpus():
    """The kernels for other devices than CPUs."""
    _hooks.force_device_class(2)
    yield
    _hooks.force_device_class(0)


@pytest.fixture
def kernels(monkeypatch):
    """The kernels of rows, once for each run."""
    runs = []

    class RowKernel(row_kernel.RowKernel):
        def __call__(self, *arguments):
            runs.append(self)
            super().__call__(*arguments)

    monkeypatch.setattr("usmtensor._kernels.joined_steps.RowKernel", RowKernel)
    return runs


def agree(function, *arguments, rtol=1e-5):
    """The plain and the fused function return equal arrays, and leave equal arguments."""
    outcomes, fused = [], usm.fuse(function)
    for called in (function, fused, fused):
        arrays = [isinstance(x, usm.usm_ndarray) for x in arguments]
        given = [  # no function changes an argument of another layout
            usm.copy(x) if is_array and x.flags.c_contiguous else x
            for x, is_array in zip(arguments, arrays, strict=True)
        ]
        found = called(*given)
        found = list(found) if isinstance(found, tuple) else [] if found is None else [found]
        outcomes.append([*found, *(x for x, one in zip(given, arrays, strict=True) if one)])
    for outcome in outcomes[1:]:
        for one, other in zip(outcome, outcomes[0], strict=True):
            assert (one.shape, one.dtype) == (other.shape, other.dtype)
            one, other = usm.asnumpy(one), usm.asnumpy(other)
            largest = np.abs(other[np.isfinite(other)].astype("D")).max(initial=0)
            np.testing.assert_allclose(one, other, rtol, rtol * largest)


def softmax(x):
    e = usm.exp(x - usm.max(x, axis=-1, keepdims=True))
    return e / usm.sum(e, axis=-1, keepdims=True)


def normalised(x, weight, bias):
    mean, var = usm.mean(x, axis=-1)[..., None], usm.var(x, axis=-1, keepdims=True)
    return (x - mean) / usm.sqrt(var + 1e-5) * weight + bias


def distances(x, y):
    return usm.sum(usm.square(x[:, None] - y[None]), axis=-1)


def in_place(x):
    x[...] = x - usm.min(x, axis=-1, keepdims=True)


def with_rows(x, y):
    total = usm.sum(x * y, axis=-1)
    share = usm.empty_like(x)
    share[...] = x / usm.sqrt(total[..., None])
    return total, share, total * 2


def random_array(queue, *shape, dtype="f4"):
    x = np.random.default_rng(sum(shape)).random(shape) * 8 + 1
    return usm.asarray(x.astype(dtype), sycl_queue=queue)


@given(
    rows=st.lists(st.integers(1, 5), max_size=2),
    n=st.sampled_from([1, 2, 7, 8, 9, 31, 64, 100, 255, 256, 257, 320, 1000, 2048, 3000]),
    layout=st.sampled_from(["C", "part", "step", "turned"]),
    dtype=st.sampled_from(["f4", "f8"]),
)
@examples(30)
def test_rows_of_any_length_and_layout(rows, n, layout, dtype, queue, device):
    skip_without(device, dtype)
    x = random_array(queue, *rows, n, dtype=dtype)
    if layout != "C":
        wide = random_array(queue, *rows, 2 * n, dtype=dtype)
        x = wide[..., 1 : n + 1] if layout == "part" else wide[..., ::-2]
    if layout == "turned":
        x = random_array(queue, n, *rows, dtype=dtype)
        x = usm.moveaxis(x, 0, -1)
    w = random_array(queue, n, dtype=dtype)
    agree(softmax, x)
    agree(normalised, x, w, 2.5, rtol=2e-4)
    agree(with_rows, x, w)
    if layout == "C":
        agree(in_place, x)
        agree(lambda x: in_place(x[..., ::-1][..., n // 2 :]), x)


@pytest.mark.parametrize(
    ("function", "shapes", "count"),
    [
        (softmax, [(6, 40)], 1),
        (normalised, [(6, 40), (40,), (6, 1)], 1),
        (distances, [(50, 9), (4, 9)], 1),
        (in_place, [(2, 3, 40)], 1),
        (with_rows, [(6, 40), (40,)], 1),
        (lambda x: (softmax(x), softmax(x * 2)), [(6, 40)], 1),
        (lambda x: softmax(x[None])[0], [(40,)], 1),
        (lambda x: usm.max(x - 1, axis=0), [(6, 40)], 0),  # columns
        (lambda x: usm.sum(x, axis=1), [(6, 40)], 0),  # the package's own reduction
        (softmax, [(2, row_kernel.MAX_GROUP * row_kernel.MAX_EACH + 1)], 0),
        (softmax, [(0, 40)], 0),
        (lambda x, y: softmax(x) + usm.sum(y, axis=-1, keepdims=True), [(6, 40), (6, 9)], 1),
    ],
)
def test_one_kernel(function, shapes, count, queue, kernels):
    agree(function, *(random_array(queue, *shape) for shape in shapes), rtol=2e-4)
    assert len(kernels) == 2 * count


@pytest.mark.parametrize("char", "?bQiefdFD")
@pytest.mark.parametrize(
    "names",
    [("sum", "mean", "std"), ("max", "min", "prod"), ("any", "all", "count_nonzero")],
    ids=" ".join,
)
def test_types(char, names, queue, device):
    skip_without(device, char)
    host = np.random.default_rng(0).integers(0, 4, (5, 30)).astype(char)
    without = {"e": {"prod"}, "F": {"max", "min"}, "D": {"max", "min"}}.get(char, set())

    def function(x):
        found = [
            getattr(usm, name)(x, axis=-1, keepdims=True) for name in names if name not in without
        ]
        return *found, *(usm.equal(x, reduced) for reduced in found)

    x = usm.asarray(host, sycl_queue=queue)
    agree(function, x, rtol=1e-2 if char == "e" else 1e-5)


def test_special_values(queue):
    nan = float("nan")
    x = usm.asarray([[1, nan, 3.0], [-nan, -0.0, 0.0], [-float("inf")] * 3], sycl_queue=queue)
    for name in ("max", "min", "sum", "mean", "any"):
        agree(lambda x, name=name: x - getattr(usm, name)(x, axis=1, keepdims=True), x)


def test_numbers(queue):
    x = random_array(queue, 4, 30)
    for a, b in ((2, 0.5), (np.float32(3), 7), (True, 2**60), (1, np.int8(5))):
        agree(lambda x, a, b: (x + a) / usm.sum(x * b, axis=1, keepdims=True), x, a, b)

    def of_integers(x, a):
        y = usm.zeros_like(x)
        y[...] = x * a - usm.max(x, axis=-1, keepdims=True)
        return y

    agree(of_integers, usm.astype(x, "i8"), 3)


def test_writes_to_views_of_the_operand_are_not_seen_by_its_rows(queue):
    def shifted(x):
        x[:, 1:] = x[:, :-1] - usm.max(x[:, :-1], axis=1, keepdims=True)

    def transposed(x):
        x[...] = x.T - usm.sum(x.T, axis=1, keepdims=True)

    def twice(x):
        x -= usm.mean(x, axis=1, keepdims=True)
        x /= usm.std(x, axis=1, keepdims=True)

    for function in (shifted, transposed, twice):
        agree(function, random_array(queue, 20, 20), rtol=1e-3)


def test_values_of_rows_in_columns_of_an_argument(queue):
    def columns(x, table):
        table[:, 0] = usm.sum(x, axis=1)
        table[:, 2] = usm.max(x - table[:, 1:2], axis=1)
        return x * table[:, 1:2], table[:, 0] * 2

    agree(columns, random_array(queue, 6, 20), random_array(queue, 6, 3))


def increased(x):
    total = usm.sum(x, axis=-1, keepdims=True)
    double = usm.where(x > 4, total, x)
    total += 1
    total *= total
    return x / total, double


def increased_result(x):
    total = usm.sum(x * x, axis=-1)
    total[...] = total[:, None][:, 0] * 2
    return x - total[:, None], total


def increased_in_part(x):
    total = usm.sum(x, axis=-1, keepdims=True)
    total[1:] += 1
    total[:, -1] += usm.max(x, axis=-1)
    x[...] = x / total


@pytest.mark.parametrize(
    ("function", "count"), [(increased, 1), (increased_result, 1), (increased_in_part, None)]
)
def test_values_of_rows_that_change(function, count, queue, kernels):
    agree(function, random_array(queue, 6, 40), rtol=1e-4)
    assert count is None or len(kernels) == 2 * count


def test_reductions_that_nothing_uses(queue):
    def function(x):
        usm.prod(usm.zeros((3, 20)), axis=-1)
        usm.max(x - 1, axis=-1)
        return x * 2

    agree(function, random_array(queue, 6, 40))


def test_rows_of_one_element(queue):
    x = random_array(queue, 1)
    agree(lambda x: (usm.sum(x + x), (x + x)[0], x * usm.max(x)), x)


def test_argument_of_several_shapes(queue, kernels):
    fused = usm.fuse(softmax)
    for shape in ((3, 5), (5, 3), (3, 5), (2, 3, 5)):
        x = random_array(queue, *shape)
        np.testing.assert_allclose(usm.asnumpy(fused(x)), usm.asnumpy(softmax(x)), 1e-5)
    assert len(kernels) == 4
