"""Operators write to the memory of large temporary operands, and of no other operands."""

import functools
import itertools
import operator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from checks import assert_same
from hypothesis import given
from hypothesis import strategies as st
from placement import in_order_queue, out_of_order_queue
from strategies import examples, skip_without

import usmtensor as usm
from usmtensor import _hooks

ROWS, COLUMNS = 512, 260  # 1 MiB of float64: operators reuse temporaries of this size


@pytest.fixture
def fresh(queue):
    """Returns a function that returns a new array, to which nothing else refers."""
    skip_without(queue.sycl_device, "f8")

    def make():
        return usm.full((ROWS, COLUMNS), 2.0, sycl_queue=queue)

    return make


def expect_reuse(queue):
    if not queue.sycl_device.is_cpu:
        pytest.skip("the device is not a CPU: operators write new arrays")


# Operators on temporaries


CASES = {
    "x + y": lambda fresh, y: fresh() + y,
    "y - x": lambda fresh, y: y - fresh(),
    "x * number": lambda fresh, y: fresh() * 3,
    "number / x": lambda fresh, y: 1 / fresh(),
    "-x": lambda fresh, y: -fresh(),
    "x ** 2": lambda fresh, y: fresh() ** 2,
    "x ** 0.3": lambda fresh, y: fresh() ** 0.3,
    "x + view": lambda fresh, y: fresh() + y[::-1],
    "x + row": lambda fresh, y: fresh() + y[0],
    "number + x": lambda fresh, y: next(iter([1.0])) + fresh(),
}


@pytest.mark.quirk("interpreter-loop")
@pytest.mark.parametrize("case", CASES)
def test_the_result_is_the_temporary(queue, fresh, case):
    expect_reuse(queue)
    identities = []

    def noted():
        x = fresh()
        identities.append(id(x))
        return x

    y = usm.ones((ROWS, COLUMNS), sycl_queue=queue)
    result = CASES[case](noted, y)
    assert id(result) in identities
    assert_same(
        result, CASES[case](lambda: np.full((ROWS, COLUMNS), 2.0), np.ones((ROWS, COLUMNS)))
    )


def leaf(draw, dtype):
    """The text of an operand: a name of an array, with views of several layouts, or a number."""
    name = draw(st.sampled_from("ab")) + dtype
    return draw(
        st.sampled_from([name, f"{name}[::-1]", f"{name}.T.copy().T", f"{name}[:1]", "3", "0.5"])
    )


@st.composite
def expressions(draw):
    """The text of an expression of many temporaries."""
    dtype = draw(st.sampled_from(["f8", "f4", "i8"]))
    text = leaf(draw, dtype)
    for _ in range(draw(st.integers(1, 5))):
        sign = draw(st.sampled_from("+-*"))
        other = leaf(draw, draw(st.sampled_from(["f8", "f4", "i8"])))
        if draw(st.booleans()):
            other = f"(-{other} * a{dtype})"
        text = f"({text} {sign} {other})" if draw(st.booleans()) else f"({other} {sign} {text})"
    return text


@examples(60)
@given(text=expressions())
def test_expressions_are_as_in_numpy(queue, text):
    skip_without(queue.sycl_device, "f8")
    count = ROWS * COLUMNS
    host = {
        f"{name}{dtype}": (np.arange(count) % prime - prime // 2).astype(dtype).reshape(ROWS, -1)
        for name, prime in [("a", 7), ("b", 11)]
        for dtype in ("f8", "f4", "i8")
    }
    ours = {name: usm.asarray(x, sycl_queue=queue) for name, x in host.items()}
    result, expected = eval(text, {}, ours), eval(text, {}, host)
    if isinstance(expected, np.ndarray):
        assert_same(result, expected)
    for name, x in host.items():
        assert_same(ours[name], x)


@pytest.mark.parametrize("other", ["y", "y.T.copy().T", "y[::-1]", "y[:, ::-1]", "y[0]"])
def test_the_layout_is_that_of_small_arrays(queue, fresh, other):
    y = usm.ones((ROWS, COLUMNS), sycl_queue=queue)
    y = eval(other, {"y": y})
    for x in fresh(), fresh().T.copy().T:
        wanted = [(x - y).strides, (y - x).strides]
        assert [((x + 0) - y).strides, (y - (x + 0)).strides] == wanted


# Operands that something else refers to


def unchanged(x):
    return bool((x == 2).all())


@pytest.mark.quirk("interpreter-loop")
def test_operands_with_a_reference_stay(fresh):
    x = fresh()
    results = [x + 1, x - 1, -x, x**2, 1 / x]
    assert unchanged(x)
    assert [float(y[0, 0]) for y in results] == [3, 1, -2, 4, 0.5]

    def add(argument, *arguments, **keywords):
        argument + 1, arguments[0] + 1, keywords["k"] + 1
        return unchanged(argument) and unchanged(arguments[0]) and unchanged(keywords["k"])

    assert add(fresh(), fresh(), k=fresh())
    held = [fresh()], {"k": fresh()}
    assert float((held[0][0] + 1)[0, 0]) == float((held[1]["k"] + 1)[0, 0]) == 3
    assert unchanged(held[0][0]) and unchanged(held[1]["k"])
    assert unchanged((y := fresh()) + 0) and float((y + 1)[0, 0]) == 3 and unchanged(y)


HOLDERS = {
    "view": lambda x: x[::2],
    "memory object": lambda x: usm.usm_ndarray(x.shape, x.dtype, buffer=x.usm_data),
    "transpose": lambda x: x.T,
    "DLPack": usm.from_dlpack,
    "interface": lambda x: usm.asarray(x.usm_data).view("f8"),
}


@pytest.mark.parametrize("holder", HOLDERS)
def test_memory_with_a_reference_stays(fresh, holder):
    """Nothing refers to the operand, but something else has its memory."""
    held = []

    def shared():
        x = fresh()
        held.append(HOLDERS[holder](x))
        return x

    assert float((shared() + 1)[0, 0]) == 3
    assert float((shared()[...] + 1)[0, 0]) == 3  # the operand is a view
    assert all(map(unchanged, held))


def test_results_of_read_only_temporaries_are_writable(fresh):
    def read_only():
        x = fresh()
        x.flags.writable = False
        return x

    result = read_only() + 1
    result[0, 0] = 5
    assert float(result[0, 0]) == 5 and float(result[1, 1]) == 3


def test_operands_of_c_code_stay(fresh):
    add = fresh().__add__
    first, second = add(1), add(1)
    assert float(first[0, 0]) == float(second[0, 0]) == 3
    boxes = np.empty(2, object)
    boxes[0], boxes[1] = fresh(), fresh()
    assert float((boxes + 1)[0][0, 0]) == float((boxes * 1.5)[1][0, 0]) == 3
    assert float((-boxes)[0][0, 0]) == -2
    assert unchanged(boxes[0]) and unchanged(boxes[1])
    owner = _hooks.Owner(fresh())
    assert float((owner + 1)[0, 0]) == 3 and float((-owner)[0, 0]) == -2
    assert float((owner**2)[0, 0]) == 4
    assert unchanged(owner.array)


def test_operators_of_functions(fresh):
    assert float(operator.add(fresh(), 1)[0, 0]) == 3
    assert float(sum([fresh(), fresh(), fresh()])[0, 0]) == 6
    assert float(functools.reduce(operator.mul, [fresh(), fresh(), fresh()])[0, 0]) == 8
    totals = list(itertools.accumulate([fresh(), fresh(), fresh()], operator.add))
    assert [float(x[0, 0]) for x in totals] == [2, 4, 6]
    quotient, rest = divmod(fresh() + 3, fresh())
    assert (float(quotient[0, 0]), float(rest[0, 0])) == (2, 1)
    quotient, rest = divmod(5, fresh())
    assert (float(quotient[0, 0]), float(rest[0, 0])) == (2, 1)


def test_an_error_leaves_no_harm(fresh):
    x = fresh()
    with pytest.raises(ValueError, match="broadcast"):
        (x + 1) + x[1:]
    with pytest.raises(TypeError):
        (x + 1) + "text"
    assert unchanged(x)


def test_operands_of_generators(fresh):
    def numbers():
        x = fresh()
        yield x + 1
        yield x + 2

    assert [float(y[0, 0]) for y in numbers()] == [3, 4]
    assert [float((y * 2)[0, 0]) for y in (fresh() for _ in range(3))] == [4, 4, 4]


@pytest.mark.parametrize("place", ["in order", "out of order"])
def test_threads(device, place):
    """Threads compute expressions of shared operands on one queue."""
    skip_without(device, "f8")
    queue = {"in order": in_order_queue, "out of order": out_of_order_queue}[place](device)
    x, y = (usm.full((ROWS, COLUMNS), value, sycl_queue=queue) for value in (2.0, 3.0))

    def compute(k):
        return [bool(((x + y) * k - x + y / 3 == 5 * k - 1).all()) for _ in range(20)]

    with ThreadPoolExecutor(4) as pool:
        assert all(map(all, pool.map(compute, range(4))))
    assert unchanged(x) and bool((y == 3).all())
