"""No object is uninitialised: `__new__` alone makes a valid object, or raises.

Each class runs in its own process, because a failure ends the process: in a fork of one that has
imported usmtensor and not used it.
"""

import copy
import gc
import importlib
import pickle
import pkgutil
import re
import subprocess
import sys

import numpy as np
import pytest
from placement import survives_forks

import usmtensor as usm
from usmtensor import memory as usm_memory
from usmtensor._core import copy as core_copy
from usmtensor._core import dlpack, operands
from usmtensor._functions import indexing
from usmtensor._runtime import memory

pytestmark = pytest.mark.any_memory

MODULES = [
    importlib.import_module(module.name)
    for module in pkgutil.walk_packages(usm.__path__, "usmtensor.")
    if not re.search(r"\.(__main__|_build|libtensor\w*)\b", module.name)
    # dask loads the first one, and the others need oneMKL.
    and module.name.rpartition(".")[2] not in ("dask", "factorisations", "onemkl")
]
# By module. Helper classes that only usmtensor makes are not visible from outside.
CLASSES = sorted(
    {
        f"{module.__name__}:{cls.__name__}"
        for module in MODULES
        for cls in vars(module).values()
        if isinstance(cls, type) and cls.__module__ == module.__name__
    }
)

PROGRAM = """
import importlib, inspect
import usmtensor as usm
import usmtensor._exchange.capi

module, _, name = "{name}".partition(":")
cls = getattr(importlib.import_module(module), name)
try:
    x = cls.__new__(cls)
except (TypeError, ValueError) as error:
    print("refused")
    raise SystemExit
print("made")
slots = {{
    slot
    for base in cls.__mro__
    for slot, descriptor in vars(base).items()
    if inspect.ismemberdescriptor(descriptor)
}}
missing = [slot for slot in slots if not hasattr(x, slot)]
assert not missing, missing
repr(x)
FAILURES = (TypeError, ValueError, AttributeError, LookupError, BufferError, usm.SyclError)

def attempt(label, call, *args):
    print(label, flush=True)
    try:
        return call(*args)
    except FAILURES:
        pass

for name in dir(x):
    if name == "__class__":
        continue
    method = attempt("." + name, getattr, x, name)
    for count in range(4) if callable(method) and name != "__init_subclass__" else ():
        for other in (None, x, 8):
            attempt(f".{{name}}: {{count}} {{type(other)}}", method, *(other,) * count)
for function in (repr, str, hash, len, list, bool, float, memoryview):
    attempt(function.__name__, function, x)
for name in usm.__all__ + usm.memory.__all__ + usm.utils.__all__:
    function = getattr(usm, name, None) or getattr(usm.memory, name, None)
    if callable(function) and not inspect.ismodule(function):
        for args in ((x,), (x, x), (usm.ones(1), x), ([x],), (1, x), (x, x, x)):
            attempt(f"{{name}}{{len(args)}}", function, *args)
print("end")
"""


def test_all_classes_are_seen():
    assert {"usmtensor._core.array:usm_ndarray", "usmtensor._runtime.queue:SyclQueue"} <= set(
        CLASSES
    )
    assert len(CLASSES) > 20


FORKS = """
import os, sys
import usmtensor

folder, program, *names = sys.argv[1:]
for name in names:
    if os.fork() == 0:
        output = os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT)
        os.dup2(output, 1), os.dup2(output, 2)
        exec(program.format(name=name), {"__name__": "__main__"})
        sys.exit()
    print(os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
"""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """Of each class, the exit status and the output."""
    folder = tmp_path_factory.mktemp("outcomes")
    program = [sys.executable, "-c", FORKS, str(folder), PROGRAM, *CLASSES]
    child = subprocess.run(program, capture_output=True, text=True, check=True)
    return {
        name: (int(status), (folder / name).read_text())
        for name, status in zip(CLASSES, child.stdout.split(), strict=True)
    }


@survives_forks
@pytest.mark.parametrize("name", CLASSES)
def test_new_alone(name, outcomes):
    status, output = outcomes[name]
    assert status == 0, output
    assert output.splitlines()[-1] in ("refused", "end")


@pytest.mark.parametrize("name", ["usm_ndarray", "add", "sqrt"])
def test_refusals(name):
    cls = getattr(usm, name)
    cls = cls if isinstance(cls, type) else type(cls)

    class Sub(usm.usm_ndarray):
        def __init__(self):
            pass

    for one in (cls, Sub) if name == "usm_ndarray" else (cls,):
        for args in ((), (None,), (object(),)):
            with pytest.raises((TypeError, ValueError)):
                one.__new__(one, *args)
            with pytest.raises((TypeError, ValueError)):
                one(*args)


@pytest.mark.parametrize(
    "name",
    [
        "_libraries.dispatch:Routine",
        "_libraries.dispatch:Transform",
        "_functions.data_types:finfo",
        "_functions.data_types:iinfo",
        "utils:_QueueOrder",
    ],
)
def test_new_takes_the_arguments(name):
    module, _, name = name.partition(":")
    cls = getattr(importlib.import_module(f"usmtensor.{module}"), name)
    with pytest.raises(TypeError):
        cls.__new__(cls)


@pytest.mark.parametrize("limits", [usm.finfo("f4"), usm.finfo("c16"), usm.iinfo("u2")])
def test_limits_are_copied_whole(limits):
    for other in (copy.copy(limits), copy.deepcopy(limits), pickle.loads(pickle.dumps(limits))):
        assert type(other) is type(limits)
        assert repr(other) == repr(limits)
        for name in limits.__slots__:
            assert getattr(other, name) == getattr(limits, name)


def test_subclass_of_arrays(queue):
    class Named(usm.usm_ndarray):
        def __new__(cls, *args, name="", **kwargs):
            return super().__new__(cls, *args, **kwargs)

        def __init__(self, *args, name="", **kwargs):
            self.name = name

    x = Named((2, 3), "i4", name="mine", buffer_ctor_kwargs={"queue": queue})
    assert (x.name, x.shape, x.dtype, x.sycl_queue) == ("mine", (2, 3), np.int32, queue)


@pytest.mark.parametrize(
    "call",
    [
        lambda: usm.memory.MemoryUSMDevice(8)._copy_from(None, 8),
        lambda: memory.memcpy(None, bytearray(8), bytes(8), 8),
        lambda: memory.memcpy_async(None, bytearray(8), bytes(8), 8, None),
        lambda: memory.prefetch(None, usm.memory.MemoryUSMDevice(8), 8),
        lambda: memory.mem_advise(None, usm.memory.MemoryUSMDevice(8), 8, 0),
        lambda: operands.assign(None, 1),
        lambda: core_copy.to_device(None, None, None),
        lambda: indexing.get(None, 0),
        lambda: indexing.set(None, 0, 1),
        lambda: dlpack.to_dlpack(None, None, None, None, None),
        lambda: dlpack.device_of(None),
    ],
)
def test_none_is_no_object_of_a_class(call):
    with pytest.raises(TypeError):
        call()


@pytest.mark.parametrize("kind", ["shared", "host"])
def test_buffers_in_a_garbage_cycle(kind, queue):
    """The release of a buffer finds the array unchanged."""

    class Holder(usm.usm_ndarray):
        pass

    class Bytes(type(usm.empty(0, usm_type=kind, sycl_queue=queue).usm_data)):
        pass

    for _ in range(20):
        x = Holder(3, buffer=kind, buffer_ctor_kwargs={"queue": queue})
        y = Bytes(8, queue=queue)
        x.cycle, y.cycle = [memoryview(x), x], [memoryview(y), np.frombuffer(y, "u1"), y]
        del x, y
        gc.collect()
    before = gc.collect()
    assert before == 0


def test_an_event_may_come_before_everything():
    program = "import usmtensor as usm; print(usm.SyclEvent().backend is usm.SyclDevice().backend)"
    child = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert child.stdout == "True\n", child


def test_nobody_finds_objects_without_memory():
    found = []

    class Array(usm.usm_ndarray):
        def __del__(self):
            found.append(self.usm_data)

    class Memory(usm_memory.MemoryUSMDevice):
        def __del__(self):
            found.append(self._pointer)

    class Looking:
        def __index__(self):
            for x in gc.get_objects():
                if isinstance(x, usm.usm_ndarray):
                    found.append(x.usm_data)
                elif isinstance(x, usm_memory.MemoryUSMDevice):
                    found.append(x._pointer)
            return 0

    with pytest.raises(ValueError, match="buffer"):
        Array(3, buffer=5)
    with pytest.raises(TypeError, match="queue"):
        Memory(8, queue=5)
    assert not found
    for kind in (usm.usm_ndarray, Array):
        kind((3,), offset=Looking())
    for kind in (usm_memory.MemoryUSMDevice, Memory):
        kind(8, alignment=Looking())
    assert len(found) >= 2
    with pytest.raises(TypeError, match="abstract"):
        usm_memory.MemoryUSMDevice.__mro__[1](8)
    assert all(found)
