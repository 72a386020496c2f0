"""Hostile objects in every public function: `python tests/stress/fuzz_hostile.py [CASES] [SEED]`.

The special methods of the objects raise, return objects of another type, change the arrays of the
call, call the function again, or release its arguments. So do finalizers, which the garbage
collector may call wherever an object is made. A function may raise any error but SystemError. No
call may end the process or leave memory in use. `--only CASE` runs one case of a seed, `--verbose`
names each before it runs.
"""

import argparse
import contextlib
import enum
import faulthandler
import gc
import inspect
import os
import random
import sys
import types

import numpy as np
from usmtensor._hooks import kernel_statistics

import usmtensor as usm

ALLOWED = 24 << 20  # bytes by which the process may grow
KERNEL = 640 << 10  # further bytes for each kernel of the driver
DTYPES = ["?", "i1", "u2", "i4", "u8", "i8", "f4", "c8"]
# Functions that only print or end threads, and state that other cases need unchanged.
LEFT_OUT = {"set_print_options", "__class__", "__init_subclass__", "__subclasshook__", "__new__"}
LEFT_OUT |= {"genfromtxt", "loadtxt", "savetxt"}  # of which NumPy imports modules


def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096


def kernels():
    """The number of kernels in memory."""
    return sum(kernel_statistics().values())


def live():
    gc.collect()
    rows = usm.memory.statistics().values()
    return sum(kind["live"] for kinds in rows for kind in kinds.values())


def functions():
    """The public functions and classes, by name."""
    for module in (usm, usm.memory, usm.utils, usm.linalg, usm.fft, usm.random):
        for name in module.__all__:
            found = getattr(module, name)
            is_class = isinstance(found, type)
            if (
                callable(found)
                and not isinstance(found, types.ModuleType)
                and not (is_class and issubclass(found, (BaseException, enum.Enum)))
                and name not in LEFT_OUT
            ):
                yield f"{module.__name__}.{name}", found


def methods(cls):
    """The public and the special methods and attributes of a class."""
    return [
        name
        for name in dir(cls)
        if name not in LEFT_OUT and (not name.startswith("_") or name.endswith("__"))
    ]


class Own(Exception):
    """Only the fuzz raises this."""


ERRORS = [Own, ValueError, TypeError, IndexError, KeyError, AttributeError, StopIteration]
ERRORS += [RecursionError, MemoryError, OverflowError, BufferError, RuntimeError, ImportError]


class World:
    """One case: its arrays, its hostile objects and the called functions."""

    def __init__(self, seed, queues):
        self.random = random.Random(seed)
        self.queues = queues
        self.depth = 0
        self.arrays = [self.array() for _ in range(3)]
        self.arguments = []
        self.call = None

    def array(self):
        random = self.random
        shape = random.choice([(), (0,), (1,), (3,), (2, 3), (3, 1), (2, 2, 2), (1,) * 6])
        queue = random.choice(self.queues)
        kind = random.choice(["device", "shared", "host"])
        x = usm.ones(shape, dtype=random.choice(DTYPES), usm_type=kind, sycl_queue=queue)
        return x[::-1] if x.ndim and random.random() < 0.3 else x

    def plain(self):
        random = self.random
        return random.choice(
            [
                *(None, True, 0, 1, -1, 2, 3, 2**31, -(2**63), 2**64, 10**400, 1.5, -0.0, 1j),
                *(float("nan"), "", "device", "i4", "C", b"K", ..., slice(None, None, -1)),
                *((), (1, 2), [0, 1], [[1], [2, 3]], {}, {"queue": 1}, {1}, object(), int, float),
                *(np.float32(2), np.arange(3), np.ones((2, 3), "f4"), np.array("text"), np.int8(1)),
                *(np.ma.masked_array([1, 2]), memoryview(b"12345678"), bytearray(8), range(3)),
                random.choice(self.queues),
                random.choice(self.queues).sycl_device,
                random.choice(self.queues).sycl_context,
            ]
        )

    def argument(self, level=0):
        random = self.random
        chance = random.random()
        if chance < 0.35 and self.arrays:
            return random.choice(self.arrays)
        if chance < 0.7:
            return hostile(self)
        if chance < 0.85 or level > 1:
            return self.plain()
        items = [self.argument(level + 1) for _ in range(random.randrange(4))]
        if chance < 0.87:
            items.append(items)
        return random.choice((list, tuple))(items) if chance > 0.87 else items

    # Actions of special methods

    def raises(self):
        raise self.random.choice(ERRORS)("of a hostile object")

    def changes(self):
        for x in self.arrays:
            with contextlib.suppress(Exception):
                match self.random.randrange(4):
                    case 0:
                        x.flags.writable = not x.flags.writable
                    case 1:
                        x[...] = 0
                    case 2:
                        x.usm_data.memset(0)
                    case 3:
                        x.__init__((100, 100))

    def recurses(self):
        self.depth += 1
        if self.depth < 40 and self.call is not None:
            return self.call()
        return None

    def lets_go(self):
        self.arrays.clear()
        self.arguments.clear()
        gc.collect(0)

    def act(self, expected):
        """Does the work of a special method, and returns an expected or another object."""
        random = self.random
        action = random.random()
        if action < 0.2:
            self.raises()
        elif action < 0.4:
            self.changes()
        elif action < 0.5:
            return self.recurses()
        elif action < 0.6:
            self.lets_go()
        if random.random() < 0.7:
            return random.choice(expected)(self)
        return random.choice([self.plain, lambda: hostile(self), self.argument])()


def interface(world):
    x = world.array()
    fields = dict(x.__sycl_usm_array_interface__)
    if world.random.random() < 0.5:
        fields[world.random.choice(list(fields))] = world.argument()
    world.arrays.append(x)
    return fields


def numpy_array(world):
    return world.random.choice([np.arange(3), np.ones((2, 2), "c8"), np.array(1), np.array("a")])


NUMBER = [lambda world: world.random.choice([0, 1, 2, -1, 5, 2**70])]
REAL = [lambda world: world.random.choice([0.5, 1.0, float("inf"), float("nan")])]
FLAG = [lambda world: world.random.random() < 0.5]
TEXT = [lambda world: world.random.choice(["i4", "device", "C", "x", ""])]
ITEM = [World.argument, World.plain]
EXPECTED = {
    "__index__": NUMBER,
    "__int__": NUMBER,
    "__len__": [lambda world: world.random.choice([0, 1, 2, 3])],
    "__float__": REAL,
    "__complex__": [lambda world: 1j],
    "__bool__": FLAG,
    "__eq__": FLAG,
    "__lt__": FLAG,
    "__hash__": NUMBER,
    "__contains__": FLAG,
    "__str__": TEXT,
    "__repr__": TEXT,
    "__getitem__": ITEM,
    "__iter__": [lambda world: iter([world.argument() for _ in range(3)])],
    "__next__": ITEM,
    "__call__": ITEM,
    "__add__": ITEM,
    "__radd__": ITEM,
    "__array__": [numpy_array],
    "__array_ufunc__": ITEM,
    "__dlpack__": [lambda world: world.array().__dlpack__(max_version=(1, 0))],
    "__dlpack_device__": [lambda world: world.array().__dlpack_device__()],
    "_get_capsule": [lambda world: world.random.choice(world.queues)._get_capsule()],
    "keys": [lambda world: ["queue", "alignment"]],
}
# Attributes that code reads; __class__ makes an object lie to isinstance().
ATTRIBUTES = {
    "__sycl_usm_array_interface__": [interface],
    "__array_interface__": [lambda world: np.arange(3).__array_interface__],
    "filter_string": [lambda world: world.queues[0].sycl_device.filter_string],
    "dtype": [lambda world: np.dtype("i4")],
    "shape": [lambda world: (3,)],
    "ndim": NUMBER,
    "nbytes": NUMBER,
    "flags": [lambda world: np.arange(3).flags],
    "__class__": [lambda world: world.random.choice(CLASSES)],
}
CLASSES = [np.ndarray, np.generic, np.dtype, usm.usm_ndarray, usm.SyclQueue, usm.SyclDevice]
CLASSES += [usm.memory.MemoryUSMDevice, usm.Device, int, float, str, list, tuple, slice, dict]
BASES = [object, object, object, int, float, str, tuple, list, dict, bytes]


def special(expected):
    return lambda self, *args, **keywords: self.world.act(expected)


def hash_of(self):
    # Python itself leaks a result that is not an integer.
    result = self.world.act(NUMBER)
    return result if isinstance(result, int) else 0


def shown(self):
    return "<hostile>"


def hostile(world):
    """An object with some special methods that misbehave."""
    random = world.random
    names = random.sample(list(EXPECTED), random.randrange(1, 6))
    body = {name: special(EXPECTED[name]) for name in names}
    if "__hash__" in body:
        body["__hash__"] = hash_of
    for name in random.sample(list(ATTRIBUTES), random.choice([0, 0, 1, 4])):
        body[name] = property(special(ATTRIBUTES[name]))
    base = random.choice(BASES)
    cls = type("Hostile", (base,), {"world": world, **body})
    try:
        return base.__new__(cls)
    except TypeError:
        return world.plain()


class Garbage:
    """Objects that the garbage collector finds during the call."""

    def __init__(self, world):
        self.itself, self.world = self, world

    def __del__(self):
        if self.world.call is not None:
            self.world.changes()


class Targets:
    """The functions, and the members of objects, that cases call."""

    def __init__(self):
        self.functions = list(functions())
        self.kinds = [usm.usm_ndarray, usm.memory.MemoryUSMShared, usm.SyclQueue, usm.Device]
        self.kinds += [usm.SyclDevice, usm.SyclContext, usm.SyclEvent, type(usm.ones(1).flags)]
        self.kinds += [usm.random.Generator]
        self.members = {kind: methods(kind) for kind in self.kinds}
        self.keywords = {name: self.names(function) for name, function in self.functions}

    @staticmethod
    def names(function):
        kinds = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        parameters = inspect.signature(function).parameters.values()
        return [parameter.name for parameter in parameters if parameter.kind in kinds]

    def draw(self, world):
        """The name of a target, and the call."""
        random = world.random
        arguments = [world.argument() for _ in range(random.randrange(5))]
        world.arguments += arguments
        del arguments
        if random.random() < 0.6:
            name, function = random.choice(self.functions)
            keywords = {}
            for word in random.sample(self.keywords[name], min(len(self.keywords[name]), 2)):
                if random.random() < 0.4:
                    keywords[word] = world.argument()
            return name, lambda: function(*world.arguments, **keywords)
        x = world.array()
        objects = [x, usm.memory.MemoryUSMShared(16), x.sycl_queue, x.device, x.sycl_device]
        objects += [x.sycl_context, usm.SyclEvent(), x.flags, usm.random.default_rng(0)]
        kind, owner = random.choice([(usm.usm_ndarray, x), *zip(self.kinds, objects, strict=True)])
        name = random.choice(self.members[kind])

        def call():
            member = getattr(owner, name)
            return member(*world.arguments) if callable(member) else member

        return f"{kind.__name__}.{name}", call


def run(targets, queues, seed, case, verbose):
    """One case; returns its exception."""
    world = World(f"{seed}:{case}", queues)
    name, world.call = targets.draw(world)
    if verbose:
        print(case, name, len(world.arguments), flush=True)
    threshold = gc.get_threshold()
    if world.random.random() < 0.3:
        gc.set_threshold(1)
        for _ in range(10):
            Garbage(world)
    try:
        result = world.call()
        if isinstance(result, types.GeneratorType):
            result = list(result)
        if world.random.random() < 0.1:
            repr(result)
    except SystemError as error:
        raise AssertionError(f"case {case} of seed {seed}, {name}: {error}") from error
    except Exception as error:
        return type(error)
    finally:
        gc.set_threshold(*threshold)
        world.call = None
        world.arguments.clear()
        world.arrays.clear()
    return None


def count_of(cls):
    return sum(type(one).__name__ == cls for one in gc.get_objects())


def state(queues):
    """Counts that must not grow."""
    return {
        "live bytes": live(),
        "objects": len(gc.get_objects()),
        "hostile objects": count_of("Hostile"),
        "references to a queue": sys.getrefcount(queues[0]),
        "references to a type": sys.getrefcount(np.dtype("i4")),
    }


def main(cases=100_000, seed=0, only=None, verbose=False):
    """The number of successful cases; AssertionError if a case leaves objects or memory."""
    queues = [usm.empty(0).sycl_queue, usm.SyclQueue(property="in_order"), usm.SyclQueue()]
    np.sum(usm.ones(1))  # makes the table of NumPy's functions, which stays
    targets = Targets()
    answers = 0
    before, size, loaded = None, 0, 0
    todo = range(cases) if only is None else [only]
    with (
        open(os.devnull, "w") as nowhere,
        contextlib.redirect_stdout(sys.stdout if verbose else nowhere),
    ):
        for case in todo:
            if case == cases // 3:  # caches are warm
                before, size, loaded = state(queues), resident(), kernels()
            answers += run(targets, queues, seed, case, verbose) is None
        for queue in queues:
            queue.wait()
    if before is not None:
        after = state(queues)
        # A leak of one case would show thousands of times.
        allowed = {"live bytes": 0, "objects": 500, "hostile objects": 0}
        grown = {
            name: (before[name], after[name])
            for name in after
            if after[name] > before[name] + allowed.get(name, 100)
        }
        assert not grown, grown
        most = size + ALLOWED + (kernels() - loaded) * KERNEL
        assert cases < 30_000 or resident() < most, (size, resident(), most)
    return answers


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("cases", type=int, nargs="?", default=100_000)
    parser.add_argument("seed", type=int, nargs="?", default=0)
    parser.add_argument("--only", type=int)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    faulthandler.enable()
    print(main(options.cases, options.seed, options.only, options.verbose), "answers")
