"""Results and signatures equal those of array-api-strict.

It refuses all calls that the standard leaves open, so no test here depends on NumPy's own rules.
"""

import inspect
import operator

import array_api_strict as strict
import numpy as np
import pytest
from elementwise_oracle import EXACT, held, values
from hypothesis import assume, given, reject
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from strategies import examples, numbered, shapes, supported_dtypes

import usmtensor as usm

STANDARD = "?bBhHiIlLfdFD"


def chars():
    """The types of the standard that the device has."""
    there = {dtype.char for dtype in supported_dtypes()}
    return st.deferred(lambda: st.sampled_from([char for char in STANDARD if char in there]))


def pair(host, queue):
    """An array of array-api-strict, and a usmtensor array with its elements."""
    return strict.asarray(host), usm.asarray(host, sycl_queue=queue)


def assert_equal(x, expected, exact=True):
    expected = np.asarray(expected)
    assert isinstance(x, usm.usm_ndarray)
    assert x.shape == expected.shape
    assert x.dtype == held(expected.dtype)
    if exact:
        np.testing.assert_array_equal(usm.asnumpy(x), expected.astype(x.dtype))
    else:
        tolerance = 8 * np.finfo(x.dtype).eps
        np.testing.assert_allclose(usm.asnumpy(x), expected, rtol=tolerance, atol=0)


def agrees(call, ours, theirs, exact=True):
    """Both give equal results; a call that array-api-strict refuses tests nothing."""
    with np.errstate(all="ignore"):
        try:
            expected = call(strict, *theirs)
        except (TypeError, ValueError, IndexError):
            return False
        found = call(usm, *ours)
    if not isinstance(expected, tuple | list):
        found, expected = (found,), (expected,)
    for x, y in zip(found, expected, strict=True):
        assert_equal(x, y, exact)
    return True


# Names


def test_names():
    own = {"set", "get", "reset", "ArrayAPIStrictFlags"}
    names = {name for name in strict.__all__ if name.partition("_")[0] not in own}
    assert sorted(names - set(dir(usm))) == []


@pytest.mark.parametrize("name", ["fft", "linalg"])
def test_names_of_extensions(name):
    theirs, ours = getattr(strict, name), getattr(usm, name)
    assert sorted(set(theirs.__all__) - set(ours.__all__) - {"annotations"}) == []


def test_members_of_arrays():
    names = {name for name in vars(type(strict.asarray(1))) if name[0] != "_" or name[:2] == "__"}
    own = {"__annotations__", "__buffer__", "__module__", "__slots__", "__weakref__"}
    own |= {"__firstlineno__", "__static_attributes__"}  # of classes in Python, since 3.13
    assert sorted(names - own - set(dir(usm.usm_ndarray))) == []


def callables():
    """The common functions, and the methods of arrays."""
    for xp, own in ((strict, usm), (strict.linalg, usm.linalg), (strict.fft, usm.fft)):
        for name in xp.__all__:
            theirs, ours = getattr(xp, name), getattr(own, name, None)
            if callable(theirs) and not isinstance(theirs, type) and ours is not None:
                yield pytest.param(theirs, ours, id=name)
    array = type(strict.asarray(1))
    # Not to_device: array-api-strict takes its stream by position too.
    for name in ("__array_namespace__", "__dlpack__", "__dlpack_device__"):
        yield pytest.param(getattr(array, name), getattr(usm.usm_ndarray, name), id=f"array.{name}")


def parameters(function):
    found = inspect.signature(function).parameters.values()
    return [parameter for parameter in found if parameter.name != "self"]


def test_parameters_are_of_all_functions():
    assert len(list(callables())) > 100


@pytest.mark.parametrize(("theirs", "ours"), list(callables()))
def test_parameters(theirs, ours):
    """Names, order, kinds and defaults; usmtensor may have more defaults."""
    own = parameters(ours)
    by_name = {parameter.name: parameter for parameter in own}
    for place, parameter in enumerate(parameters(theirs)):
        if parameter.kind is parameter.KEYWORD_ONLY:
            found = by_name[parameter.name]
            assert found.kind in (parameter.KEYWORD_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        else:
            found = own[place]
            assert found.kind in (parameter.kind, parameter.POSITIONAL_OR_KEYWORD)
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            assert found.name == parameter.name
        if parameter.default is not parameter.empty:
            assert found.default is not found.empty


# Elementwise functions

FUNCTIONS = [
    name
    for name in strict.__all__
    if isinstance(getattr(usm, name, None), usm.UnaryElementwiseFunc | usm.BinaryElementwiseFunc)
]
# Other tests compare their values with results of wider types.
ROUNDED = set(FUNCTIONS) - EXACT


def plain(char):
    """Finite values, small enough for every function."""
    array = values(char)
    if array.dtype.kind in "fc":
        array = array[np.isfinite(array) & (np.abs(array) < 50) & (np.abs(array) > 1e-3)]
    return array


@pytest.mark.parametrize("name", FUNCTIONS)
def test_elementwise_functions(name, queue):
    count = getattr(usm, name).nin
    there = [char for char in STANDARD if char in {dtype.char for dtype in supported_dtypes()}]
    agreed = 0
    for char in there:
        for other in there if count == 2 else [char]:
            operands = [plain(one) for one in (char, other)[:count]]
            if count == 2:
                if np.dtype(other).kind in "iu" and name in ("floor_divide", "remainder"):
                    operands[1] = operands[1][operands[1] != 0]
                if np.dtype(other).kind in "iu" and "shift" in name:
                    operands[1] = operands[1][(operands[1] >= 0) & (operands[1] < 8)]
                if np.dtype(other).kind == "i" and name == "pow":
                    operands[1] = operands[1][operands[1] >= 0]
                operands = [operands[0][:, None], operands[1][None, :]]
            theirs, ours = zip(*(pair(operand, queue) for operand in operands), strict=True)
            kinds = np.dtype(char).kind + np.dtype(other).kind
            if "c" in kinds or ("f" in kinds and name in ROUNDED):
                agreed += agrees_in_type(name, ours, theirs)
            else:
                agreed += agrees(lambda xp, *x: getattr(xp, name)(*x), ours, theirs)
    assert agreed


def agrees_in_type(name, ours, theirs):
    with np.errstate(all="ignore"):
        try:
            expected = np.asarray(getattr(strict, name)(*theirs))
        except (TypeError, ValueError):
            return False
    found = getattr(usm, name)(*ours)
    assert found.shape == expected.shape and found.dtype == held(expected.dtype)
    return True


OPERATORS = [
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv),
    *(operator.mod, operator.and_, operator.or_, operator.xor),
    *(operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge),
]
SCALARS = st.one_of(
    st.booleans(),
    st.integers(-3, 300),
    st.sampled_from([2**31, -(2**31), 2**63, -(2**63), 2**64]),
    st.floats(0.5, 4, width=16),
    st.just(1.5 - 2j),
)


@examples(300)
@given(char=chars(), scalar=SCALARS, apply=st.sampled_from(OPERATORS), reflected=st.booleans())
def test_operators_with_python_scalars(queue, char, scalar, apply, reflected):
    host = plain(char)
    if apply in (operator.floordiv, operator.mod):
        host = host[host != 0]
        assume(scalar != 0)
    theirs, ours = pair(host, queue)

    def call(xp, x):
        return apply(scalar, x) if reflected else apply(x, scalar)

    try:
        exact = np.asarray(call(strict, theirs)).dtype.kind not in "c"
    except (TypeError, ValueError, OverflowError):
        reject()  # so that it does not count as an example
    if exact:
        agrees(call, [ours], [theirs])
    else:
        assert call(usm, ours).dtype == held(np.asarray(call(strict, theirs)).dtype)


# Types


@examples(300)
@given(
    operands=st.lists(
        chars() | chars().map(np.dtype) | st.sampled_from([True, 2, 0.5, 1j]),
        min_size=1,
        max_size=4,
    )
)
def test_result_type(queue, operands):
    """Arrays (by their letters), types and numbers mixed."""

    def of(xp, operand):
        if isinstance(operand, str):
            host = np.ones(2, operand)
            return strict.asarray(host) if xp is strict else usm.asarray(host, sycl_queue=queue)
        if isinstance(operand, np.dtype):
            return strict.asarray(np.ones(1, operand)).dtype if xp is strict else operand
        return operand

    try:
        expected = strict.result_type(*(of(strict, operand) for operand in operands))
    except (TypeError, ValueError):
        reject()  # so that it does not count as an example
    found = usm.result_type(*(of(usm, operand) for operand in operands))
    arrays = any(isinstance(operand, str) for operand in operands)
    wanted = np.dtype(str(expected).removeprefix("array_api_strict."))
    assert found == (held(wanted) if arrays else wanted)


# Creation

NUMBERS = st.integers(-20, 20) | st.floats(-9, 9, width=16)


@examples(200)
@given(start=NUMBERS, stop=NUMBERS, step=NUMBERS.filter(lambda x: abs(x) > 0.05))
def test_arange(queue, start, stop, step):
    wanted = np.asarray(strict.arange(start, stop, step))
    found = usm.arange(start, stop, step, sycl_queue=queue)
    assert found.shape == wanted.shape and found.dtype == held(wanted.dtype)
    np.testing.assert_allclose(usm.asnumpy(found), wanted, rtol=1e-5, atol=1e-5)


@examples(200)
@given(start=NUMBERS, stop=NUMBERS, num=st.integers(0, 40), endpoint=st.booleans())
def test_linspace(queue, start, stop, num, endpoint):
    wanted = np.asarray(strict.linspace(start, stop, num, endpoint=endpoint))
    found = usm.linspace(start, stop, num, endpoint=endpoint, sycl_queue=queue)
    assert found.shape == wanted.shape and found.dtype == held(wanted.dtype)
    np.testing.assert_allclose(usm.asnumpy(found), wanted, rtol=1e-5, atol=1e-5)
    if num > 1 and endpoint:
        assert usm.asnumpy(found)[-1] == found.dtype.type(stop)


@examples(100)
@given(
    shape=shapes(3, 4),
    char=chars(),
    number=st.booleans() | st.integers(0, 100) | st.floats(-9, 9, width=16) | st.just(1j),
)
def test_filled_arrays(queue, shape, char, number):
    place = {"sycl_queue": queue}
    for ours, theirs in (
        (usm.zeros(shape, dtype=char, **place), np.zeros(shape, char)),
        (usm.ones(shape, dtype=char, **place), np.ones(shape, char)),
        (usm.full(shape, number, **place), strict.full(shape, number)),
        (usm.asarray(number, **place), strict.asarray(number)),
    ):
        assert_equal(ours, theirs)


@examples(100)
@given(rows=st.integers(0, 5), columns=st.none() | st.integers(0, 5), k=st.integers(-7, 7))
def test_eye_and_triangles(queue, rows, columns, k):
    assert_equal(usm.eye(rows, columns, k=k, sycl_queue=queue), strict.eye(rows, columns, k=k))
    theirs, ours = pair(numbered((2, rows, columns or 1), "i4"), queue)
    agrees(lambda xp, x: xp.tril(x, k=k), [ours], [theirs])
    agrees(lambda xp, x: xp.triu(x, k=k), [ours], [theirs])


# Manipulation


@st.composite
def manipulations(draw, ndim):
    """A call of (namespace, array), valid or not."""
    axes = st.integers(-ndim - 1, ndim)
    axis, other = draw(axes), draw(axes)
    several = tuple(draw(st.lists(axes, max_size=3)))
    numbers = tuple(
        draw(st.lists(st.integers(-9, 9), min_size=len(several), max_size=len(several)))
    )
    counts = draw(st.integers(0, 3))
    shape = draw(st.lists(st.sampled_from([-1, 0, 1, 2, 3, 4, 6]), max_size=3).map(tuple))
    return draw(
        st.sampled_from(
            [
                lambda xp, x: xp.concat([x, x], axis=axis),
                lambda xp, x: xp.concat([x, x[..., :1]], axis=None),
                lambda xp, x: xp.stack([x, x], axis=axis),
                lambda xp, x: xp.unstack(x, axis=axis),
                lambda xp, x: xp.expand_dims(x, axis=axis),
                lambda xp, x: xp.squeeze(x[None, ...], axis=axis),
                lambda xp, x: xp.flip(x, axis=several),
                lambda xp, x: xp.flip(x, axis=None),
                lambda xp, x: xp.moveaxis(x, axis, other),
                lambda xp, x: xp.permute_dims(x, several),
                lambda xp, x: xp.matrix_transpose(x),
                lambda xp, x: xp.repeat(x[None, ...], counts, axis=axis),
                lambda xp, x: xp.repeat(x, counts),
                lambda xp, x: xp.tile(x, tuple(abs(n) % 3 for n in numbers)),
                lambda xp, x: xp.roll(x, numbers, axis=several),
                lambda xp, x: xp.roll(x, axis),
                lambda xp, x: xp.reshape(x, shape),
                lambda xp, x: xp.broadcast_to(x, (2, *x.shape)),
                lambda xp, x: xp.broadcast_arrays(x, x[..., :1]),
                lambda xp, x: xp.nonzero(x),
                lambda xp, x: xp.take(x, xp.nonzero(x)[0], axis=axis),
                lambda xp, x: xp.where(xp.astype(x, xp.bool), x, x[..., :1]),
            ]
        )
    )


@examples(500)
@given(shape=shapes(3, 3), char=chars(), data=st.data())
def test_manipulation(queue, shape, char, data):
    theirs, ours = pair(numbered(shape, char), queue)
    assume(agrees(data.draw(manipulations(len(shape))), [ours], [theirs]))


# Indexing


@examples(300)
@given(shape=shapes(3, 4), char=chars(), data=st.data())
def test_indexing(queue, shape, char, data):
    theirs, ours = pair(numbered(shape, char), queue)
    kind = data.draw(st.sampled_from(["basic", "mask", "arrays"]))
    if kind == "basic":
        key = data.draw(hnp.basic_indices(shape, allow_newaxis=True))
        keys = key, key
    elif kind == "mask":
        bits = data.draw(hnp.arrays(bool, shape))
        keys = pair(bits, queue)
    else:
        own = [
            data.draw(st.integers(-n, n - 1) | hnp.arrays("i8", 2, elements=st.integers(-n, n - 1)))
            for n in shape
            if n
        ]
        parts = [
            pair(part, queue) if isinstance(part, np.ndarray) else (part, part) for part in own
        ]
        keys = tuple(part[0] for part in parts), tuple(part[1] for part in parts)
    try:
        expected = theirs[keys[0]]
    except IndexError:
        reject()  # so that it does not count as an example
    assert_equal(ours[keys[1]], expected)
    new = np.ones(np.asarray(expected).shape, char)
    values, ours_new = pair(new, queue)
    try:
        theirs[keys[0]] = values
    except IndexError:
        reject()  # so that it does not count as an example
    ours[keys[1]] = ours_new
    assert_equal(ours, theirs)
