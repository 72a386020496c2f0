"""Arguments beyond all types, and wrong arguments: errors name the function."""

import importlib
import inspect

import numpy as np
import pytest
from checks import assert_same, name_of
from library import skip_without_library

import usmtensor as usm

pytestmark = pytest.mark.any_memory

BEYOND = [2**64, 2**70, -(2**70), 10**400]
BEYOND_TEXT = 10**5000  # Python refuses to print it in digits


def bits(value):
    return f"{value.bit_length()} bits, {'above' if value > 0 else 'below'} zero"


@pytest.fixture
def x(queue):
    return usm.asarray(np.arange(3), sycl_queue=queue)


# Integers of many bits


@pytest.mark.parametrize("huge", [*BEYOND, BEYOND_TEXT], ids=bits)
@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x, n: usm.full(3, n), "full: .* fit int64"),
        (lambda x, n: usm.full_like(x, n), "full_like: .* fit int64"),
        (lambda x, n: x.__setitem__(0, n), "__setitem__: .* fit int64"),
        (lambda x, n: x.__setitem__([0], n), "__setitem__: .* fit int64"),
        (lambda x, n: x.__setitem__(slice(2), [n, 1]), "__setitem__: .*"),
        (lambda x, n: usm.put(x, 0, n), "put: .* fit int64"),
        (lambda x, n: usm.add(x, n), "add: .* fit int64"),
        (lambda x, n: n - x, "subtract: .* fit int64"),
        (lambda x, n: usm.where(x, n, x), "where: .* fit int64"),
        (lambda x, n: usm.maximum(x, n), "maximum: .* fit int64"),
        (lambda x, n: usm.asarray([n, 1], dtype="i8"), "asarray: .*"),
    ],
)
def test_values_beyond_64_bits(x, huge, call, words):
    with pytest.raises(OverflowError, match=words):
        call(x, huge)


@pytest.mark.parametrize("huge", [10**400, -(10**400), BEYOND_TEXT], ids=bits)
@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda n: usm.full(3, n, dtype="f4"), "full: .* fit float32"),
        (lambda n: usm.linspace(0, n, 3), "linspace: .* fit complex128"),
        (lambda n: usm.arange(n, n + 2, dtype="f4"), "arange: .* fit float32"),
        (lambda n: usm.arange(n, n + 2), "arange: .* fit int64"),
    ],
)
def test_values_beyond_all_floats(huge, call, words):
    with pytest.raises(OverflowError, match=words):
        call(huge)


@pytest.mark.parametrize("huge", [2**62, 2**63, *BEYOND], ids=bits)
@pytest.mark.parametrize(
    ("call", "words"),
    [
        (usm.zeros, "zeros: shape is .* fit in memory"),
        (lambda n: usm.empty((n, 0)), "empty: shape is .* fit in memory"),
        (lambda n: usm.eye(n, 3), "eye: shape is .* fit in memory"),
        (lambda n: usm.usm_ndarray((n, n)), "usm_ndarray: shape is .* fit in memory"),
        (lambda n: usm.broadcast_to(usm.ones(1), n), "broadcast_to: shape is .* fit in memory"),
        (lambda n: usm.reshape(usm.ones(0), (n, 0)), "reshape: shape is"),
        (lambda n: usm.reshape(usm.ones(3), n), "reshape: shape"),
        (lambda n: usm.repeat(usm.ones(3), n), "repeat: "),
        (lambda n: usm.repeat(usm.ones(3), [1, n, 1]), "repeat: repeats is"),
        (lambda n: usm.tile(usm.ones(3), n), "tile: "),
        (lambda n: usm.arange(0.5, n) if n > 0 else usm.arange(0.5, n, -1), "arange: "),
        (lambda n: usm.linspace(0, 1, n), "linspace: "),
    ],
)
def test_more_than_fits_in_memory(huge, call, words):
    with pytest.raises(ValueError, match=words):
        call(huge)


@pytest.mark.parametrize("huge", [2**63, *BEYOND, BEYOND_TEXT], ids=bits)
@pytest.mark.parametrize(
    "call",
    [
        lambda x, n: x[n],
        lambda x, n: x.__setitem__(n, 1),
        lambda x, n: x.item(n),
        lambda x, n: usm.take(x, n, mode="raise"),
    ],
)
def test_positions_beyond_the_array(x, huge, call):
    shown = huge if abs(huge) < 2**128 else f"about 2\\*\\*{huge.bit_length() - 1}"
    with pytest.raises(IndexError, match=f"index {shown} is"):
        call(x, huge)


LONG_CALLS = {
    "full": lambda x, n: usm.full(3, n, dtype="i4"),
    "shape": lambda x, n: usm.zeros((n, 2)),
    "strides": lambda x, n: usm.usm_ndarray(3, strides=n),
    "offset": lambda x, n: usm.usm_ndarray(3, buffer=x, offset=n),
    "reshape": lambda x, n: usm.reshape(x, (n, 2)),
    "reshape to several": lambda x, n: usm.reshape(x, (n, -1)),
    "shape of None": lambda x, n: usm.zeros((n, None)),
    "index": lambda x, n: x[n],
    "item": lambda x, n: x[None].item(n),
    "axis": lambda x, n: usm.expand_dims(x, axis=n),
    "axes": lambda x, n: usm.flip(x, axis=(n, -n)),
    "repeats": lambda x, n: usm.repeat(x, [n, "a", 1]),
    "arange": lambda x, n: usm.arange(0.5, n),
    "arange of bools": lambda x, n: usm.arange(n, dtype=bool),
    "dtype": lambda x, n: usm.zeros(3, dtype=n),
    "type": lambda x, n: usm.can_cast(n, "i4"),
    "kind": lambda x, n: usm.isdtype(x.dtype, n),
    "order": lambda x, n: usm.zeros(3, order=n),
    "bool": lambda x, n: usm.asarray(x, copy=n) and usm.isdtype(n, "bool"),
    "memory": lambda x, n: usm.memory.MemoryUSMDevice(n),
    "alignment": lambda x, n: usm.memory.MemoryUSMDevice(1, alignment=n + 1),
    "memset": lambda x, n: x.usm_data.memset(n),
    "memcpy": lambda x, n: x.sycl_queue.memcpy(x, x, n),
    "partition": lambda x, n: x.sycl_device.create_sub_devices(-n),
    "device": lambda x, n: usm.zeros(3, device=(n, n)),
    "print": lambda x, n: usm.set_print_options(precision=-n),
    "verbosity": lambda x, n: usm.lsplatform(n),
    "clip": lambda x, n: usm.clip(usm.astype(x, "u1"), n, usm.ones(1, dtype="u1")),
    "stream": lambda x, n: x.__dlpack__(stream=n),
    "max_version": lambda x, n: x.__dlpack__(max_version=(n,)),
    "version": lambda x, n: usm.asarray(Interface(version=n)),
    "data": lambda x, n: usm.asarray(Interface(data=(n, False))),
    "extents": lambda x, n: usm.asarray(Interface(shape=(n,))),
    "interface's offset": lambda x, n: usm.asarray(Interface(offset=n)),
}


class Interface:
    def __init__(self, **fields):
        self.__sycl_usm_array_interface__ = {
            "data": (64, False),
            "shape": (1,),
            "typestr": "|u1",
            "version": 1,
            "syclobj": usm.empty(0).sycl_queue,
            **fields,
        }


@pytest.mark.parametrize("huge", [10**400, 10**5000], ids=bits)
@pytest.mark.parametrize("call", LONG_CALLS.values(), ids=LONG_CALLS)
def test_messages_are_short(x, huge, call):
    with pytest.raises((ValueError, TypeError, LookupError, OverflowError, MemoryError)) as caught:
        call(x, huge)
    message = str(caught.value)
    assert len(message) < 300 and "0" * 40 not in message and "digits" not in message


@pytest.mark.parametrize("huge", BEYOND)
def test_huge_integers_with_a_result(x, huge):
    nearest = 2 if huge > 0 else 0
    for mode in ("clip", "wrap"):
        assert usm.take(x, huge, mode=mode).item() == nearest
    assert_same(usm.roll(x, huge), np.roll(np.arange(3), huge % 3))
    assert_same(x[huge:], np.arange(3)[huge:])
    assert_same(usm.arange(0, huge, huge, sycl_queue=x.sycl_queue), np.zeros(1, "i8"))


@pytest.mark.parametrize("dtype", ["i1", "u1", "i8", "u8"])
@pytest.mark.parametrize("low", [None, 1, 0, -1, -128, -129, -(2**70)])
@pytest.mark.parametrize("high", [None, 2, 127, 128, 255, 256, 2**70])
def test_clip_to_more_than_the_type_holds(queue, dtype, low, high):
    values = np.array([0, 1, 2, 3, 100], dtype)
    wanted = values if low is None and high is None else np.clip(values, low, high)
    assert_same(usm.clip(usm.asarray(values, sycl_queue=queue), low, high), wanted)


# Calls


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x: usm.add(), r"^add\(\) takes at least 2 positional arguments \(0 given\)"),
        (lambda x: usm.add(x), r"^add\(\) takes at least 2 positional arguments \(1 given\)"),
        (lambda x: usm.sin(*[x] * 4), r"^sin\(\) takes at most 3 positional arguments \(4 given\)"),
        (lambda x: usm.sin(x, axis=0), r"^sin\(\) got an unexpected keyword argument 'axis'"),
        (lambda x: usm.add(x1=x, x2=x), r"^add\(\) "),
        (lambda x: usm.add(x, x, None, out=x), r"^add\(\) got multiple values .*'out'"),
        (lambda x: usm.where(), r"^where\(\) "),
        (lambda x: usm.unstack(x, axis=None), "^unstack: axis is of type NoneType"),
    ],
)
def test_calls_with_wrong_arguments(x, call, words):
    with pytest.raises(TypeError, match=words):
        call(x)


def test_errors_of_operands_stay_as_they_are(x):
    class Odd:
        @property
        def __sycl_usm_array_interface__(self):
            raise TypeError("__call__ is mine")

    with pytest.raises(TypeError, match=r"^__call__ is mine"):
        usm.sin(Odd())


@pytest.mark.parametrize(
    "call",
    [
        lambda x, value: usm.full_like(x, value),
        lambda x, value: x.__setitem__(0, value),
        lambda x, value: usm.put(x, 0, value),
        lambda x, value: usm.asarray(value, dtype="i4"),
    ],
)
@pytest.mark.parametrize("value", [None, object(), [[1], [2, 3]], [1j, None], {1: 2}], ids=name_of)
def test_values_other_than_numbers(x, call, value):
    with pytest.raises((TypeError, ValueError), match=r"^(full_like|__setitem__|put|asarray): "):
        call(x, value)
    assert x.tolist() == [0, 1, 2]


def test_errors_of_objects_stay_as_they_are(x):
    class Own(ValueError):
        def __init__(self, one, two):
            super().__init__(one, two)

    class Odd:
        def __array__(self, dtype=None, copy=None):
            raise Own(1, 2)

    with pytest.raises(Own):
        usm.asarray(Odd())


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x, other: usm.where([1], x, x), "where: condition is of type list"),
        (lambda x, other: usm.concat([x, 1]), "concat: one of arrays is of type int"),
        (lambda x, other: usm.concat([[1], [2]]), "concat: one of arrays is of type list"),
        (lambda x, other: usm.meshgrid(other), "meshgrid: one of arrays is of type ndarray"),
        (lambda x, other: usm.extract([1], x), "extract: condition is of type list"),
        (lambda x, other: usm.extract(x, [1]), "extract: arr is of type list"),
        (lambda x, other: usm.place(x, [1], x), "place: mask is of type list"),
        (lambda x, other: usm.nonzero(other), "nonzero: a is of type ndarray"),
        (lambda x, other: usm.sin(other), "sin: x is of type ndarray; expected usm_ndarray"),
        (lambda x, other: usm.sin([1]), "sin: x is of type list; expected usm_ndarray"),
        (lambda x, other: usm.round(None, 1), "round: a is of type NoneType"),
        (lambda x, other: x.item(1.5), "item: an index is of type float"),
        (lambda x, other: x[None].item(1.5), "item: the index is of type float"),
    ],
)
def test_errors_name_the_argument(x, call, words):
    with pytest.raises(TypeError, match=words):
        call(x, np.arange(3))


@pytest.mark.parametrize("name", ["mean", "var", "std", "nanmean", "nanvar", "nanstd"])
def test_errors_of_masked_reductions_name_the_function(x, name):
    with pytest.raises(usm.exceptions.AxisError, match=f"^{name}: "):
        getattr(usm, name)(x, axis=1, where=x > 0)


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min"])
def test_initial_values(x, name):
    function, of_numpy = getattr(usm, name), getattr(np, name)
    for initial in (5, 1.5, np.int8(7), True, x[2]):
        number = initial.item() if initial is x[2] else initial
        assert_same(function(x, initial=initial), of_numpy(np.arange(3), initial=number))
    where = [True, False, True]
    assert_same(
        function(x, initial=x[1], where=where), of_numpy(np.arange(3), initial=1, where=where)
    )
    for initial, error, words in (
        ("a", TypeError, "initial is of type str; expected a number"),
        (x, ValueError, r"initial.shape is \(3,\); expected \(\)"),
        (1j, TypeError, "initial is 1j; expected a number that int64 holds"),
        (2**70, OverflowError, "initial is .*; expected a number that int64 holds"),
        (np.inf, OverflowError, "initial is inf; expected a number that int64 holds"),
        (np.nan, ValueError, "initial is nan; expected a number that int64 holds"),
    ):
        with pytest.raises(error, match=f"^{name}: {words}"):
            function(x, initial=initial)
    with pytest.raises(TypeError, match=f"^{name}: where is of type Wrong"):
        function(x, initial=1, where=Wrong())


WRONG = np.ones((7, 7), bool)


@pytest.mark.parametrize(
    "call, name",
    [
        *[(getattr(usm, name), name) for name in ("sum", "prod", "any", "all", "mean", "var")],
        *[(getattr(usm, name), name) for name in ("nansum", "nanmean", "nanstd", "sqrt")],
        (lambda x, where: usm.max(x, where=where, initial=0), "max"),
        (lambda x, where: usm.add(x, x, where=where), "add"),
        (lambda x, where: usm.std(x, mean=where), "std"),
        (lambda x, where: usm.add.at(x, [1, 2], where), "add.at"),
        (lambda x, where: usm.copyto(x, 1, where=where), "copyto"),
        (lambda x, where: usm.select([where], [x]), "select"),
        (lambda x, where: usm.select([x > 1], [where]), "select"),
        (lambda x, where: usm.average(x, weights=where), "average"),
    ],
)
def test_errors_of_shapes_name_the_function(x, call, name):
    with pytest.raises(ValueError, match=f"^{name}: "):
        call(x, where=WRONG)


def test_integer_arrays_are_shapes_but_not_indices(x):
    assert usm.empty(x[1:]).shape == (1, 2)
    assert usm.reshape(usm.ones(6), usm.asarray([2, 3])).shape == (2, 3)
    assert [5, 6, 7][x[1]] == 6
    with pytest.raises(TypeError, match=r"int64 and shape \(3,\) is not an integer"):
        [5, 6, 7][x]


def test_classes_of_another_package_are_named_with_it():
    theirs = type("SyclQueue", (), {"__module__": "dpctl._sycl_queue"})()
    with pytest.raises(
        TypeError,
        match=r"^zeros: sycl_queue is of type dpctl\._sycl_queue\.SyclQueue; expected SyclQueue of "
        r"usmtensor: usmtensor\.SyclQueue\(\.\.\.\) takes the object$",
    ):
        usm.zeros(3, sycl_queue=theirs)


# The function that an error names


def functions():
    """The public functions with parameters, by name."""
    for module in ("", ".linalg", ".fft", ".random", ".memory", ".utils"):
        owner = importlib.import_module(f"usmtensor{module}")
        for name in owner.__all__:
            value = getattr(owner, name)
            if (getattr(value, "__module__", None) or "").startswith("numpy"):
                continue
            if callable(value) and not isinstance(value, type) and parameters(value):
                yield pytest.param(value, id=f"{module}.{name}".lstrip("."))


def parameters(function):
    return list(inspect.signature(function).parameters.values())


class Wrong:
    pass


@pytest.mark.parametrize("function", list(functions()))
def test_errors_begin_with_the_name_of_the_function(queue, function):
    arrays = [1.5, True, [1j], [[1, 2], [3, 4]], [[True, False]], np.ones((0, 2)), [1.0, 2, 3]]
    wrong = [Wrong(), [Wrong()], *(usm.asarray(one, sycl_queue=queue) for one in arrays)]
    matrix = usm.ones((2, 2), dtype="f4", sycl_queue=queue)
    by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    others = [one for one in parameters(function)[1:] if one.kind in by_position]
    count = len([one for one in others if one.default is one.empty])
    refused = 0
    for first in wrong:
        for other in (matrix, Wrong()):
            try:
                function(first, *[other] * count)
            except Exception as error:
                if function is usm.from_numpy and isinstance(first, usm.usm_ndarray):
                    continue  # the error of the array's own __array__
                refused += 1
                assert str(error).startswith((f"{function.__name__}:", f"{function.__name__}(")), (
                    "check the argument, or put @named_in_errors of _functions/arguments.py above "
                    "a function in Python"
                )
    takes_all = {usm.iscomplexobj, usm.isrealobj, usm.ndim, usm.shape, usm.size}
    takes_all.add(usm.utils.is_usmtensor_array)
    takes_all.add(usm.print_options)  # it checks when its context begins
    assert refused or function in takes_all


@pytest.mark.parametrize("function", list(functions()))
def test_errors_of_later_arguments_begin_with_the_name(queue, function):
    by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    given = [one for one in parameters(function) if one.kind in by_position]
    matrix = usm.asarray([[2, 1], [1, 3]], dtype="f4", sycl_queue=queue)
    wrong = [Wrong(), [Wrong()], "a b", 1.5, -7, 2**70, (0, 0), matrix, usm.ones((2, 0))]
    of_numbers = {usm.clip, usm.divmod, usm.isclose, usm.allclose}  # by NumPy
    elsewhere = {  # numbers and files go to NumPy, and other functions compute the result
        usm.can_cast,
        usm.fuse,
        usm.fromfile,
        usm.genfromtxt,
        usm.loadtxt,
        usm.savetxt,
        usm.outer,
        usm.pow,
        usm.set_print_options,
        usm.set_printoptions,
        usm.usm_ndarray_str,
        usm.usm_ndarray_repr,
    }
    numbers = () if hasattr(function, "nin") or function in of_numbers else (2,)
    for place in range(1, len(given) if function not in elsewhere else 0):
        for first in (matrix, matrix[0], *numbers):
            for one in wrong:
                before = [
                    (first, matrix)[k > 0] if one.default is one.empty else one.default
                    for k, one in enumerate(given[:place])
                ]
                missing = [one for one in given[place + 1 :] if one.default is one.empty]
                try:
                    function(*before, one, *[matrix] * len(missing))
                except (MemoryError, usm.SyclError):
                    pass
                except Exception as error:
                    assert str(error).startswith((f"{function.__name__}:", f"{function.__name__}("))


def test_errors_of_matrices_name_the_function(queue):
    skip_without_library(queue.sycl_device)
    matrix = usm.asarray([[np.nan] * 2] * 2, dtype="f4", sycl_queue=queue)
    singular = usm.zeros((2, 2), dtype="f4", sycl_queue=queue)
    for name, call in {
        "pinv": lambda: usm.linalg.pinv(matrix),
        "matrix_rank": lambda: usm.linalg.matrix_rank(matrix),
        "matrix_norm": lambda: usm.linalg.matrix_norm(matrix, ord=2),
        "matrix_power": lambda: usm.linalg.matrix_power(singular, -1),
    }.items():
        with pytest.raises(usm.linalg.LinAlgError, match=f"^{name}: "):
            call()


def test_kinds_of_memory_name_the_function(queue):
    memory = usm.memory.MemoryUSMDevice(8, queue=queue)
    for name in ("get_usm_type", "get_usm_type_enum"):
        with pytest.raises(TypeError, match=f"^{name}: syclobj is of type int"):
            getattr(memory, name)(5)


@pytest.mark.parametrize(
    ("size", "shape", "words"),
    [
        (5, (2, -1), r"shape \(2, -1\) does not hold the 5 elements"),
        (5, (2, 3), r"shape \(2, 3\) does not hold the 5 elements"),
        (0, (0, -1), r"shape is \(0, -1\); expected no -1"),
        (5, (0, -1), r"shape is \(0, -1\); expected no -1"),
        (5, (-1, -1), r"shape is \(-1, -1\); expected .* at most one -1"),
    ],
)
def test_shapes_that_do_not_fit(size, shape, words):
    with pytest.raises(ValueError, match=f"^reshape: {words}"):
        usm.reshape(usm.arange(size), shape)


def test_errors_of_data_types_name_those_that_exist():
    for dtype in ("float1", "M8[s]", object()):
        with pytest.raises(TypeError, match=r"^zeros: dtype .*expected bool, .*complex128$"):
            usm.zeros(3, dtype=dtype)
