"""Integers of thousands of digits as arguments of all public functions: errors, short messages."""

import contextlib
import enum
import inspect
import io
import types

import numpy as np
import pytest
from library import skip_without_library

import usmtensor as usm

pytestmark = pytest.mark.any_memory

HUGE = 10**5000  # Python refuses to write its digits
ERRORS = (ValueError, TypeError, LookupError, OverflowError, MemoryError, BufferError)
ERRORS += (usm.ExecutionPlacementError, usm.SyclError, NotImplementedError)  # no library
LONGEST = 500
# Settings that other tests would meet.
LEFT_OUT = {"set_print_options", "set_printoptions"}
# NumPy reads their arguments.
LEFT_OUT |= {"genfromtxt", "loadtxt", "savetxt"}
SPECIAL = ["__getitem__", "__setitem__", "__dlpack__"]
CLASSES = [usm.usm_ndarray, usm.memory.MemoryUSMShared, usm.SyclQueue, usm.SyclDevice]
CLASSES += [usm.random.Generator, type(usm.ones(1).flags)]
KINDS = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.KEYWORD_ONLY,
    inspect.Parameter.VAR_POSITIONAL,
)


def public():
    """The public functions and classes, and the methods of arrays, memory and queues, by name."""
    for module in (usm, usm.memory, usm.utils, usm.linalg, usm.fft, usm.random, usm.special):
        for name in module.__all__:
            found = getattr(module, name)
            is_class = isinstance(found, type)
            is_other = is_class and issubclass(found, (BaseException, enum.Enum))
            is_other |= isinstance(found, types.ModuleType) or found is getattr(np, name, None)
            if callable(found) and not is_other:
                yield f"{module.__name__}.{name}"
    for cls in CLASSES:
        for name in dir(cls):
            if (name[0] != "_" or name in SPECIAL) and callable(getattr(cls, name)):
                yield f"{cls.__name__}.{name}"


NAMES = sorted(set(public()) - {f"usmtensor.{name}" for name in LEFT_OUT})


def found(name):
    classes = {cls.__name__: cls for cls in CLASSES}
    first, *parts = name.removeprefix("usmtensor.").split(".")
    place = classes.get(first) or getattr(usm, first)
    for part in parts:
        place = getattr(place, part)
    return place


def parameters(function):
    try:
        return [one for one in inspect.signature(function).parameters.values() if one.kind in KINDS]
    except ValueError:  # a method of object's
        return []


# The values of parameters that functions need; those that are not named here are arrays.
PLAIN = {
    "M": lambda x: 3,
    "N": lambda x: 3,
    "arrays": lambda x: [x, x],
    "axes": lambda x: (0,),
    "axis": lambda x: 0,
    "axis1": lambda x: 0,
    "axis2": lambda x: 0,
    "bins": lambda x: 3,
    "buffer": lambda x: b"12345678",
    "choicelist": lambda x: [x],
    "condlist": lambda x: [x > 1],
    "count": lambda x: 1,
    "deg": lambda x: 1,
    "destination": lambda x: 0,
    "device": lambda x: None,
    "dimensions": lambda x: (2, 3),
    "dims": lambda x: (5,),
    "dst": lambda x: x,
    "dtype": lambda x: "f4",
    "equation": lambda x: "i->i",
    "file": lambda x: io.BytesIO(),
    "fname": lambda x: io.StringIO(),
    "from_": lambda x: "i4",
    "from_dtype": lambda x: "i4",
    "func1d": lambda x: usm.sum,
    "function": lambda x: abs,
    "identity": lambda x: "0",
    "in_params": lambda x: "T x",
    "index": lambda x: 0,
    "indices": lambda x: usm.asarray([0]),
    "indices_or_sections": lambda x: 1,
    "iter": lambda x: [1, 2],
    "k": lambda x: 1,
    "key": lambda x: 0,
    "kind": lambda x: "integral",
    "kth": lambda x: 1,
    "length": lambda x: 3,
    "low": lambda x: 2,
    "map_expr": lambda x: "x",
    "mem": lambda x: x.usm_data,
    "multi_index": lambda x: ([0, 1],),
    "n": lambda x: 2,
    "n_children": lambda x: 1,
    "n_rows": lambda x: 2,
    "nbytes": lambda x: 4,
    "new_shape": lambda x: (2,),
    "nsample": lambda x: 2,
    "num": lambda x: 3,
    "obj": lambda x: 0,
    "operation": lambda x: "y = x",
    "ord": lambda x: 2,
    "out_params": lambda x: "T y",
    "p": lambda x: 0.5,
    "pad_width": lambda x: 1,
    "post_map_expr": lambda x: "y = a",
    "pvals": lambda x: [0.5, 0.5],
    "q": lambda x: 0.5,
    "reduce_expr": lambda x: "a + b",
    "repeats": lambda x: 2,
    "repetitions": lambda x: 2,
    "sep": lambda x: " ",
    "shape": lambda x: x.shape,
    "shift": lambda x: 1,
    "source": lambda x: 0,
    "src": lambda x: x,
    "start": lambda x: 0,
    "stop": lambda x: 3,
    "string": lambda x: "1 2",
    "to": lambda x: "f4",
    "tup": lambda x: [x, x],
    "type": lambda x: "f4",
    "usm_type": lambda x: "device",
    "window_shape": lambda x: 1,
}


def shapes_of_a_huge_integer(x):
    """The ways in which a huge integer comes as an argument."""
    for number in (HUGE, -HUGE):
        yield number
        yield (number,)
        yield [0, number]
        yield (number, number)
        yield [[number], [1]]
        yield slice(number, None, number)
        yield {0: number}
        yield (x, number)


@pytest.fixture(scope="module")
def operands(queue):
    return [
        usm.asarray(np.arange(1, 4, dtype="i8"), sycl_queue=queue),
        usm.asarray(np.eye(2, dtype="f4") + 1, sycl_queue=queue),
    ]


def owner_of(name, x):
    """The object whose method a name is; None for a function."""
    owners = {
        "usm_ndarray": x,
        "MemoryUSMShared": usm.memory.MemoryUSMShared(8, queue=x.sycl_queue),
        "SyclQueue": x.sycl_queue,
        "SyclDevice": x.sycl_device,
        "Generator": usm.random.default_rng(1),
        "Flags": x.flags,
    }
    return owners.get(name.partition(".")[0])


def call(function, values, own):
    """Calls by place where that is possible, and returns the error's message."""
    places, keywords = [], {}
    for one in own:
        if one.name in values:
            if one.kind is one.KEYWORD_ONLY:
                keywords[one.name] = values[one.name]
            elif one.kind is one.VAR_POSITIONAL:
                places.extend(values[one.name] if isinstance(values[one.name], list) else [])
            elif len(places) == own.index(one):
                places.append(values[one.name])
            else:
                keywords[one.name] = values[one.name]
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            function(*places, **keywords)
        except ERRORS as error:
            return str(error)
    return None


def required(own, x, present=()):
    """Values of the parameters that have no default, and of those that stand before one."""
    return {
        one.name: PLAIN.get(one.name, lambda x: x)(x)
        for one in own
        if one.default is one.empty or one.name in present
    }


@pytest.mark.parametrize("name", NAMES)
def test_messages_are_short(name, operands):
    """An error of another type than ERRORS fails, too."""
    long, function = [], found(name)
    for x in operands:
        owner = owner_of(name, x)
        target = function if owner is None else getattr(owner, name.rpartition(".")[2])
        own = parameters(target)
        for parameter in own:
            before = [
                one.name for one in own[: own.index(parameter)] if one.kind is one.POSITIONAL_ONLY
            ]
            for value in shapes_of_a_huge_integer(x):
                values = required(own, x, before) | {parameter.name: value}
                message = call(target, values, own) or ""
                if len(message) >= LONGEST or "digits" in message or "0" * 40 in message:
                    long.append((parameter.name, message[:200]))
    assert not long


def test_the_calls_are_valid_without_huge_integers(operands):
    """So the checks of most arguments are reached."""
    skip_without_library(operands[0].sycl_queue)
    valid = set()
    for name in NAMES:
        for x in operands:
            owner = owner_of(name, x)
            target = found(name) if owner is None else getattr(owner, name.rpartition(".")[2])
            own = parameters(target)
            if call(target, required(own, x), own) is None:
                valid.add(name)
    assert len(valid) > 0.9 * len(NAMES), sorted(set(NAMES) - valid)
