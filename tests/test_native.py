"""The functions for native code, called through `__pyx_capi__` as consumers of dpctl call them."""

import ctypes
import gc
import subprocess
import sys
import textwrap
import threading
import weakref
from ctypes import (
    CFUNCTYPE,
    POINTER,
    PYFUNCTYPE,
    c_char,
    c_int,
    c_size_t,
    c_ssize_t,
    c_void_p,
    py_object,
)

import numpy as np
import placement
import pytest
from hypothesis import given
from hypothesis import strategies as st

import usmtensor as usm
from usmtensor import memory

ARRAY, MEMORY = "struct PyUSMArrayObject *", "struct Py_MemoryObject *"
QUEUE, USM = "DPCTLSyclQueueRef", "DPCTLSyclUSMRef"

# Class, name, result, parameters: as C types in the name of the capsule, and as types of ctypes.
FUNCTIONS = [
    (usm.usm_ndarray, "UsmNDArray_GetData", "char *", c_void_p, [ARRAY], [py_object]),
    (usm.usm_ndarray, "UsmNDArray_GetNDim", "int", c_int, [ARRAY], [py_object]),
    (
        usm.usm_ndarray,
        "UsmNDArray_GetShape",
        "Py_ssize_t *",
        POINTER(c_ssize_t),
        [ARRAY],
        [py_object],
    ),
    (
        usm.usm_ndarray,
        "UsmNDArray_GetStrides",
        "Py_ssize_t *",
        POINTER(c_ssize_t),
        [ARRAY],
        [py_object],
    ),
    (usm.usm_ndarray, "UsmNDArray_GetTypenum", "int", c_int, [ARRAY], [py_object]),
    (usm.usm_ndarray, "UsmNDArray_GetElementSize", "int", c_int, [ARRAY], [py_object]),
    (usm.usm_ndarray, "UsmNDArray_GetFlags", "int", c_int, [ARRAY], [py_object]),
    (usm.usm_ndarray, "UsmNDArray_GetOffset", "Py_ssize_t", c_ssize_t, [ARRAY], [py_object]),
    (usm.usm_ndarray, "UsmNDArray_GetUSMData", "PyObject *", py_object, [ARRAY], [py_object]),
    (usm.usm_ndarray, "UsmNDArray_GetQueueRef", QUEUE, c_void_p, [ARRAY], [py_object]),
    (
        usm.usm_ndarray,
        "UsmNDArray_SetWritableFlag",
        "void",
        None,
        [ARRAY, "int"],
        [py_object, c_int],
    ),
    (
        usm.usm_ndarray,
        "UsmNDArray_MakeSimpleFromMemory",
        "PyObject *",
        py_object,
        ["int", "Py_ssize_t const *", "int", MEMORY, "Py_ssize_t", "char"],
        [c_int, c_void_p, c_int, py_object, c_ssize_t, c_char],
    ),
    (
        usm.usm_ndarray,
        "UsmNDArray_MakeSimpleFromPtr",
        "PyObject *",
        py_object,
        ["size_t", "int", USM, QUEUE, "PyObject *"],
        [c_size_t, c_int, c_void_p, c_void_p, py_object],
    ),
    (
        usm.usm_ndarray,
        "UsmNDArray_MakeFromPtr",
        "PyObject *",
        py_object,
        [
            "int",
            "Py_ssize_t const *",
            "int",
            "Py_ssize_t const *",
            USM,
            QUEUE,
            "Py_ssize_t",
            "PyObject *",
        ],
        [c_int, c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_ssize_t, py_object],
    ),
    (memory.MemoryUSMShared, "Memory_GetUsmPointer", USM, c_void_p, [MEMORY], [py_object]),
    (memory.MemoryUSMShared, "Memory_GetOpaquePointer", "void *", c_void_p, [MEMORY], [py_object]),
    (
        memory.MemoryUSMShared,
        "Memory_GetContextRef",
        "DPCTLSyclContextRef",
        c_void_p,
        [MEMORY],
        [py_object],
    ),
    (memory.MemoryUSMShared, "Memory_GetQueueRef", QUEUE, c_void_p, [MEMORY], [py_object]),
    (memory.MemoryUSMShared, "Memory_GetNumBytes", "size_t", c_size_t, [MEMORY], [py_object]),
    (
        memory.MemoryUSMShared,
        "Memory_Make",
        "PyObject *",
        py_object,
        [USM, "size_t", QUEUE, "PyObject *"],
        [c_void_p, c_size_t, c_void_p, py_object],
    ),
    (
        memory.MemoryUSMShared,
        "Memory_MakeWithDeleter",
        "PyObject *",
        py_object,
        [USM, "size_t", QUEUE, "void (*)(void *)", "void *"],
        [c_void_p, c_size_t, c_void_p, c_void_p, c_void_p],
    ),
]
for _cls, _what in [
    (usm.SyclQueue, "Queue"),
    (usm.SyclContext, "Context"),
    (usm.SyclDevice, "Device"),
    (usm.SyclEvent, "Event"),
]:
    _ref, _struct = f"DPCTLSycl{_what}Ref", f"struct PySycl{_what}Object *"
    FUNCTIONS += [
        (_cls, f"Sycl{_what}_Get{_what}Ref", _ref, c_void_p, [_struct], [py_object]),
        (_cls, f"Sycl{_what}_Make", _struct, py_object, [_ref], [c_void_p]),
    ]


def address_of(cls, name, signature):
    capsule = sys.modules[cls.__module__].__pyx_capi__[name]
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = c_void_p, [py_object, ctypes.c_char_p]
    return pointer(capsule, signature.encode())


def load(row):
    cls, name, result, restype, parameters, argtypes = row
    space = "" if result.endswith("*") else " "
    address = address_of(cls, name, f"{result}{space}({', '.join(parameters)})")
    return PYFUNCTYPE(restype, *argtypes)(address)


# ctypes raises the Python exception of a call.
native = {row[1]: load(row) for row in FUNCTIONS}


def extents(values):
    """An array of Py_ssize_t."""
    return (c_ssize_t * max(len(values), 1))(*values)


@pytest.fixture
def shared(device):
    if not device.has_aspect_usm_shared_allocations:
        pytest.skip("the device lacks the aspect usm_shared_allocations")


@pytest.fixture(scope="session")
def sycl_interface(dpctl):
    """dpctl's C library, for foreign allocations."""
    import pathlib

    library = ctypes.CDLL(str(pathlib.Path(dpctl.__file__).parent / "libDPCTLSyclInterface.so"))
    for name, restype, argtypes in [
        ("DPCTLmalloc_device", c_void_p, [c_size_t, c_void_p]),
        ("DPCTLfree_with_queue", None, [c_void_p, c_void_p]),
        ("DPCTLUSM_GetPointerType", c_int, [c_void_p, c_void_p]),
    ]:
        function = getattr(library, name)
        function.restype, function.argtypes = restype, argtypes
    return library


# --- arrays --------------------------------------------------------------------------------------

ARRAYS = [
    lambda q: usm.zeros((2, 3), dtype="f4", sycl_queue=q),
    lambda q: usm.zeros((4, 6), dtype="i2", sycl_queue=q)[::2, ::-1],
    lambda q: usm.zeros((4, 6), dtype="u8", order="F", sycl_queue=q).T[1:, None],
    lambda q: usm.zeros((), dtype="c8", sycl_queue=q),
    lambda q: usm.zeros((0, 3), dtype="?", sycl_queue=q),
    lambda q: usm.broadcast_to(usm.zeros(3, dtype="i8", sycl_queue=q), (2, 2, 2, 2, 2, 3)),
]


@pytest.mark.parametrize("make", ARRAYS)
def test_native_functions_agree_with_python_about_arrays(queue, make):
    x = make(queue)
    assert native["UsmNDArray_GetData"](x) == x._pointer
    assert native["UsmNDArray_GetNDim"](x) == x.ndim
    assert tuple(native["UsmNDArray_GetShape"](x)[: x.ndim]) == x.shape
    assert tuple(native["UsmNDArray_GetStrides"](x)[: x.ndim]) == x.strides
    assert native["UsmNDArray_GetTypenum"](x) == x.dtype.num
    assert native["UsmNDArray_GetElementSize"](x) == x.itemsize
    flags = native["UsmNDArray_GetFlags"](x)
    assert flags == x.flags.c_contiguous + 2 * x.flags.f_contiguous + 4 * x.flags.writable
    assert native["UsmNDArray_GetOffset"](x) == x._element_offset
    assert native["UsmNDArray_GetUSMData"](x) is x.usm_data
    assert native["UsmNDArray_GetQueueRef"](x) == x.sycl_queue.addressof_ref()


def test_the_writable_flag(queue):
    x = usm.zeros(3, sycl_queue=queue)
    native["UsmNDArray_SetWritableFlag"](x, 0)
    assert not x.flags.writable
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1
    native["UsmNDArray_SetWritableFlag"](x, 7)
    assert x.flags.writable


def test_the_numbers():
    flags = {"C_CONTIGUOUS": 1, "F_CONTIGUOUS": 2, "WRITABLE": 4}
    expected = {f"USM_ARRAY_{name}": value for name, value in flags.items()}
    words = "bool byte ubyte short ushort int uint long ulong longlong ulonglong half"
    types = {
        word.upper(): np.dtype("intc" if word == "int" else word).num for word in words.split()
    }
    types["UINT"] = np.dtype("uintc").num
    types.update(
        FLOAT=np.dtype("f4").num,
        DOUBLE=np.dtype("f8").num,
        CFLOAT=np.dtype("c8").num,
        CDOUBLE=np.dtype("c16").num,
        TYPE_SENTINEL=17,
    )
    expected |= {f"UAR_{name}": value for name, value in types.items()}
    table = sys.modules[usm.usm_ndarray.__module__].__pyx_capi__
    assert {name for name in table if name.startswith(("UAR_", "USM_"))} == set(expected)
    found = {
        name: c_int.from_address(address_of(usm.usm_ndarray, name, "int")) for name in expected
    }
    assert {name: number.value for name, number in found.items()} == expected


def test_a_block_whose_pointer_is_out_is_not_reused(queue):
    device, kind = queue.sycl_device, "device"
    for get in (
        lambda x: native["UsmNDArray_GetData"](x),
        lambda x: native["Memory_GetUsmPointer"](x.usm_data),
        lambda x: native["Memory_GetOpaquePointer"](x.usm_data),
    ):
        x = usm.empty(1000, dtype="f4", sycl_queue=queue)
        before = memory.statistics()[device][kind]["escaped"]
        get(x)
        del x
        assert memory.statistics()[device][kind]["escaped"] == before + 1


# --- making arrays -------------------------------------------------------------------------------


@given(
    shape=st.lists(st.integers(0, 4), max_size=4),
    offset=st.integers(0, 3),
    order=st.sampled_from("CF"),
    dtype=st.sampled_from(["?", "i1", "u2", "i4", "u8", "f4", "c8"]),
)
def test_make_simple_from_memory(queue, shape, offset, order, dtype):
    dtype = np.dtype(dtype)
    count = int(np.prod(shape))
    block = memory.MemoryUSMDevice((count + offset) * dtype.itemsize, queue=queue)
    content = np.arange(count + offset).astype(dtype)
    block.copy_from_host(content.tobytes())
    x = native["UsmNDArray_MakeSimpleFromMemory"](
        len(shape), extents(shape), dtype.num, block, offset, order.encode()
    )
    assert x.usm_data is block
    assert x.flags.writable
    np.testing.assert_array_equal(
        usm.asnumpy(x), content[offset:].reshape(shape, order=order), strict=True
    )


@given(data=st.data(), dtype=st.sampled_from(["?", "i1", "u2", "i4", "i8", "f4", "c8"]))
def test_make_from_pointer(queue, data, dtype):
    dtype = np.dtype(dtype)
    content = np.arange(60).astype(dtype)
    block = memory.MemoryUSMDevice(content.nbytes, queue=queue)
    block.copy_from_host(content.tobytes())
    shape = data.draw(st.lists(st.integers(0, 3), max_size=3))
    strides = data.draw(st.tuples(*[st.integers(-7, 7)] * len(shape)))
    steps = [s * (n - 1) for n, s in zip(shape, strides, strict=True)]
    low, high = sum(min(k, 0) for k in steps), sum(max(k, 0) for k in steps)
    offset = data.draw(st.integers(-low, 59 - high)) if 0 not in shape else 0
    x = native["UsmNDArray_MakeFromPtr"](
        len(shape),
        extents(shape),
        dtype.num,
        extents(strides),
        native["Memory_GetUsmPointer"](block),
        queue.addressof_ref(),
        offset,
        block,
    )
    assert x.strides == strides
    assert x.usm_data.reference_obj is block
    assert x.sycl_queue == queue
    expected = np.lib.stride_tricks.as_strided(
        content[offset:], shape, [s * dtype.itemsize for s in strides], writeable=False
    )
    np.testing.assert_array_equal(usm.asnumpy(x), expected, strict=True)


def test_make_simple_from_pointer(queue):
    x = usm.arange(12, dtype="i4", sycl_queue=queue)
    y = native["UsmNDArray_MakeSimpleFromPtr"](
        10, 5, native["UsmNDArray_GetData"](x[2:]), queue.addressof_ref(), x
    )
    assert y.usm_data.reference_obj is x
    assert usm.asnumpy(y).tolist() == list(range(2, 12))
    y[0] = 100
    assert int(x[2]) == 100


def test_an_owner_lives_as_long_as_the_array(queue):
    class Owner:
        pass

    block = memory.MemoryUSMDevice(64, queue=queue)
    owner = Owner()
    gone = weakref.ref(owner)
    x = native["UsmNDArray_MakeSimpleFromPtr"](
        16, 11, native["Memory_GetUsmPointer"](block), queue.addressof_ref(), owner
    )
    view = x[::2]
    del owner, x
    gc.collect()
    assert gone() is not None
    del view
    gc.collect()
    assert gone() is None


def test_without_an_owner_the_memory_is_freed(queue, sycl_interface):
    context = queue.sycl_context.addressof_ref()
    for make in (
        lambda p: native["UsmNDArray_MakeSimpleFromPtr"](16, 11, p, queue.addressof_ref(), None),
        lambda p: native["Memory_Make"](p, 64, queue.addressof_ref(), None),
    ):
        pointer = sycl_interface.DPCTLmalloc_device(64, queue.addressof_ref())
        owner = make(pointer)
        assert sycl_interface.DPCTLUSM_GetPointerType(pointer, context) != 0
        del owner
        gc.collect()
        assert sycl_interface.DPCTLUSM_GetPointerType(pointer, context) == 0


def test_memory_that_was_refused_is_the_callers(queue, sycl_interface):
    context = queue.sycl_context.addressof_ref()
    pointer = sycl_interface.DPCTLmalloc_device(64, queue.addressof_ref())
    try:
        with pytest.raises(ValueError, match="leave the allocation"):
            native["Memory_Make"](pointer, 1 << 40, queue.addressof_ref(), None)
        with pytest.raises(ValueError, match="typenum is 13"):
            native["UsmNDArray_MakeSimpleFromPtr"](1, 13, pointer, queue.addressof_ref(), None)
        gc.collect()
        assert sycl_interface.DPCTLUSM_GetPointerType(pointer, context) != 0
    finally:
        sycl_interface.DPCTLfree_with_queue(pointer, queue.addressof_ref())


# --- memory --------------------------------------------------------------------------------------


def test_native_functions_agree_with_python_about_memory(queue, usm_kind):
    cls = {"device": "Device", "shared": "Shared", "host": "Host"}[usm_kind]
    block = getattr(memory, f"MemoryUSM{cls}")(100, queue=queue)
    assert native["Memory_GetUsmPointer"](block) == block._pointer
    assert native["Memory_GetNumBytes"](block) == 100
    assert native["Memory_GetQueueRef"](block) == queue.addressof_ref()
    context = native["SyclContext_Make"](native["Memory_GetContextRef"](block))
    assert context == block.sycl_context


def test_the_opaque_pointer_is_a_shared_pointer_to_the_bytes(queue):
    block = memory.MemoryUSMDevice(100, queue=queue)
    owner = native["Memory_GetOpaquePointer"](block)
    assert c_void_p.from_address(owner).value == block._pointer  # as get() gives
    assert native["Memory_GetOpaquePointer"](block) == owner


def test_make_memory(queue, usm_kind):
    cls = {"device": "Device", "shared": "Shared", "host": "Host"}[usm_kind]
    block = getattr(memory, f"MemoryUSM{cls}")(100, queue=queue)
    same = native["Memory_Make"](block._pointer + 10, 50, queue.addressof_ref(), block)
    assert type(same) is type(block)
    assert same._pointer == block._pointer + 10
    assert same.nbytes == 50
    assert same.sycl_queue == queue
    assert same.reference_obj is block
    block.memset(7)
    assert same.tobytes() == b"\7" * 50


Deleter = CFUNCTYPE(None, c_void_p)


class Deletions:
    """A native deleter that records its arguments."""

    def __init__(self):
        self.contexts = []
        self.threads = []
        self.function = Deleter(self._call)
        self.address = ctypes.cast(self.function, c_void_p)

    def _call(self, context):
        self.contexts.append(context)
        self.threads.append(threading.get_ident())


def with_deleter(queue, block, deletions, context=4711):
    return native["Memory_MakeWithDeleter"](
        block._pointer, block.nbytes, queue.addressof_ref(), deletions.address, context
    )


def test_a_deleter_is_called_once_when_the_last_view_is_gone(queue):
    deletions = Deletions()
    block = memory.MemoryUSMDevice(64, queue=queue)
    owned = with_deleter(queue, block, deletions)
    x = usm.usm_ndarray(16, "f4", buffer=owned)
    x[...] = 1
    view = x[3:]
    del owned, x
    gc.collect()
    assert deletions.contexts == []
    queue.wait()  # pending work would defer the release
    del view
    gc.collect()
    assert deletions.contexts == [4711]


def test_a_deleter_is_called_on_the_thread_that_ends_the_memory(queue):
    deletions = Deletions()
    block = memory.MemoryUSMDevice(64, queue=queue)
    kept = [with_deleter(queue, block, deletions)]
    thread = threading.Thread(target=kept.clear)
    thread.start()
    thread.join()
    assert deletions.contexts == [4711]
    assert deletions.threads == [thread.ident]


@pytest.mark.parametrize("place", ["in-order", "out-of-order"])
def test_a_deleter_comes_after_the_work_on_the_memory(device, place):
    queue, other = placement.PLACES[place](device), placement.in_order_queue(device)
    block = memory.MemoryUSMDevice(1 << 26, queue=queue)
    for worker in (queue, other):
        found = []
        events = []
        function = Deleter(lambda _, f=found, e=events: f.append(e[0].execution_status))
        owned = native["Memory_MakeWithDeleter"](
            block._pointer,
            block.nbytes,
            queue.addressof_ref(),
            ctypes.cast(function, c_void_p),
            None,
        )
        x = usm.usm_ndarray(1 << 26, "u1", buffer=owned).to_device(worker)
        for value in range(8):
            x[...] = value
        events.append(worker.submit_barrier())
        del x, owned
        gc.collect()
        queue.wait()
        usm.empty(1, sycl_queue=queue)
        assert found == [usm.event_status_type.complete]


def test_a_refused_memory_does_not_call_its_deleter(queue):
    deletions = Deletions()
    block = memory.MemoryUSMDevice(64, queue=queue)
    make = native["Memory_MakeWithDeleter"]
    with pytest.raises(ValueError, match="leave the allocation"):
        make(block._pointer, 1 << 40, queue.addressof_ref(), deletions.address, None)
    with pytest.raises(ValueError, match="not a USM pointer"):
        make(ctypes.addressof(c_int()), 4, queue.addressof_ref(), deletions.address, None)
    with pytest.raises(ValueError, match="deleter is NULL"):
        make(block._pointer, 64, queue.addressof_ref(), None, None)
    gc.collect()
    assert deletions.contexts == []


def test_memory_of_native_code_at_the_end_of_the_process():
    """With pending work, in a global variable and in a cycle: the process ends silently."""
    script = """
        import ctypes, sys
        import usmtensor as usm
        from usmtensor import memory
        sys.path.insert(0, {tests!r})
        import test_native as t

        q = usm.SyclQueue()
        block = memory.MemoryUSMDevice(1 << 20, queue=q)
        free = ctypes.CDLL(None).free
        malloc = ctypes.CDLL(None).malloc
        malloc.restype = ctypes.c_void_p
        owned = t.native["Memory_MakeWithDeleter"](
            block._pointer, 1 << 20, q.addressof_ref(), ctypes.cast(free, ctypes.c_void_p),
            malloc(16))
        x = usm.usm_ndarray(1 << 20, "u1", buffer=owned)
        handle = t.native["Memory_GetOpaquePointer"](owned)
        cycle = [x]
        cycle.append(cycle)
        for i in range(20):
            x[...] = i
        print("done")
    """
    script = textwrap.dedent(script).format(tests=__file__.rpartition("/")[0])
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


# --- queues, contexts, devices, events -----------------------------------------------------------


@pytest.mark.parametrize("place", ["in-order", "out-of-order", "other context"])
def test_queues_go_out_and_come_back(device, place):
    queue = placement.PLACES[place](device)
    ref = native["SyclQueue_GetQueueRef"](queue)
    assert ref == queue.addressof_ref()
    same = native["SyclQueue_Make"](ref)
    assert same == queue
    assert hash(same) == hash(queue)
    assert same.is_in_order == queue.is_in_order
    x = usm.ones(5, sycl_queue=same)
    assert x.sycl_queue == queue
    context = native["SyclContext_Make"](native["SyclContext_GetContextRef"](queue.sycl_context))
    assert context == queue.sycl_context
    same_device = native["SyclDevice_Make"](native["SyclDevice_GetDeviceRef"](device))
    assert same_device == device
    assert type(same_device) is usm.SyclDevice


def test_a_queue_outlives_the_one_it_was_made_from(device):
    queue = usm.SyclQueue(device)
    same = native["SyclQueue_Make"](native["SyclQueue_GetQueueRef"](queue))
    del queue
    gc.collect()
    assert usm.asnumpy(usm.full(3, 7, dtype="i4", sycl_queue=same)).tolist() == [7, 7, 7]


def test_events_go_out_and_come_back(queue):
    event = queue.submit_barrier()
    same = native["SyclEvent_Make"](native["SyclEvent_GetEventRef"](event))
    same.wait()
    assert event.execution_status is usm.event_status_type.complete


def test_dpctl_takes_our_references(queue, dpctl):
    """dpctl's functions take references of usmtensor, and usmtensor's take dpctl's."""
    module = sys.modules["dpctl._sycl_queue"]
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = c_void_p, [py_object, ctypes.c_char_p]
    address = pointer(
        module.__pyx_capi__["SyclQueue_Make"], b"struct PySyclQueueObject *(DPCTLSyclQueueRef)"
    )
    theirs = PYFUNCTYPE(py_object, c_void_p)(address)(native["SyclQueue_GetQueueRef"](queue))
    assert isinstance(theirs, dpctl.SyclQueue)
    assert native["SyclQueue_Make"](theirs.addressof_ref()) == queue
    table = sys.modules["dpctl.memory._memory"].__pyx_capi__
    ours = sys.modules["usmtensor._runtime.memory"].__pyx_capi__
    name = ctypes.pythonapi.PyCapsule_GetName
    name.restype, name.argtypes = ctypes.c_char_p, [py_object]
    for function in table:
        if function.startswith("Memory_"):
            assert name(ours[function]) == name(table[function])


# --- bad input -----------------------------------------------------------------------------------

GETTERS = [row for row in FUNCTIONS if row[5] == [py_object] or "SetWritable" in row[1]]


@pytest.mark.parametrize("row", GETTERS, ids=lambda row: row[1])
def test_an_object_of_another_type_is_refused(row):
    more = [1] * (len(row[5]) - 1)
    with pytest.raises(TypeError, match=rf"{row[1]}: the object is of type dict; expected"):
        native[row[1]]({}, *more)
    wrong = usm.SyclQueue() if "Queue_" not in row[1] else usm.SyclEvent()
    with pytest.raises(TypeError, match=row[1]):
        native[row[1]](wrong, *more)
    unsafe = PYFUNCTYPE(row[3], c_void_p, *row[5][1:])(ctypes.cast(native[row[1]], c_void_p).value)
    with pytest.raises(TypeError, match=rf"{row[1]}: the object is NULL"):
        unsafe(None, *more)


@pytest.mark.parametrize("name", ["SyclQueue", "SyclContext", "SyclDevice", "SyclEvent"])
def test_a_null_reference_is_refused(name):
    with pytest.raises(ValueError, match=f"{name}_Make: .* is NULL"):
        native[f"{name}_Make"](None)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"nd": -1}, "nd is -1"),
        ({"shape": None}, "shape is NULL"),
        ({"shape": extents([-2])}, r"shape\[0\] is -2"),
        ({"shape": extents([1 << 62])}, "more than fits"),
        ({"typenum": 13}, "typenum is 13"),
        ({"typenum": -5}, "typenum is -5"),
        ({"typenum": 1000}, "typenum is 1000"),
        ({"strides": None}, "strides is NULL"),
        ({"strides": extents([1 << 62])}, "more than fits"),
        ({"strides": extents([-1])}, "offset is 0; expected 3 or more"),
        ({"strides": extents([1000])}, "leave the allocation"),
        ({"pointer": None}, "the pointer is NULL"),
        ({"pointer": 4096}, "not a USM pointer"),
        ({"queue": None}, "the queue is NULL"),
        ({"offset": -1}, "offset is -1"),
        ({"offset": 1 << 62}, "offset is"),
        ({"offset": 1 << 50}, "leave the allocation"),
    ],
)
def test_bad_arguments_of_make_from_pointer(queue, change, message):
    if message == "leave the allocation" and queue.backend != usm.backend_type.opencl:
        pytest.skip("only OpenCL tells the bounds of allocations")
    block = memory.MemoryUSMDevice(64, queue=queue)
    arguments = {
        "nd": 1,
        "shape": extents([4]),
        "typenum": 11,
        "strides": extents([1]),
        "pointer": block._pointer,
        "queue": queue.addressof_ref(),
        "offset": 0,
        "owner": block,
    }
    make = native["UsmNDArray_MakeFromPtr"]
    assert make(*arguments.values()).shape == (4,)
    with pytest.raises(ValueError, match=f"UsmNDArray_MakeFromPtr: .*{message}"):
        make(*(arguments | change).values())


def test_a_misaligned_pointer_is_refused(queue):
    block = memory.MemoryUSMDevice(64, queue=queue)
    with pytest.raises(ValueError, match="expected a multiple of 4"):
        native["UsmNDArray_MakeSimpleFromPtr"](
            4, 11, block._pointer + 1, queue.addressof_ref(), block
        )


@pytest.mark.parametrize(
    "arguments, error",
    [
        ((1, extents([100]), 11, 0, b"C"), ValueError),
        ((1, extents([4]), 11, -1, b"C"), ValueError),
        ((1, extents([4]), 11, 0, b"X"), ValueError),
        ((1, extents([4]), 13, 0, b"C"), ValueError),
        ((-1, extents([4]), 11, 0, b"C"), ValueError),
        ((1, None, 11, 0, b"C"), ValueError),
    ],
)
def test_bad_arguments_of_make_from_memory(queue, arguments, error):
    nd, shape, typenum, offset, order = arguments
    block = memory.MemoryUSMDevice(64, queue=queue)
    make = native["UsmNDArray_MakeSimpleFromMemory"]
    with pytest.raises(error):
        make(nd, shape, typenum, block, offset, order)
    with pytest.raises(TypeError, match="expected _Memory"):
        make(1, extents([1]), 11, usm.zeros(3, sycl_queue=queue), 0, b"C")


def test_a_pointer_of_another_context_is_refused(device):
    block = memory.MemoryUSMDevice(64, queue=placement.other_context_queue(device))
    queue = usm.get_device_cached_queue(device)
    if queue.backend == usm.backend_type.cuda:
        pytest.skip("the contexts of CUDA share their memory")
    with pytest.raises(ValueError, match="not a USM pointer of the queue's context"):
        native["Memory_Make"](block._pointer, 64, queue.addressof_ref(), block)


# --- order ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["in-order", "out-of-order"])
def test_work_of_native_code_on_the_queue_of_the_array_is_ordered(device, sycl_interface, place):
    """Copies by dpctl's library on the array's queue, between usmtensor's on another queue."""
    queue, other = placement.PLACES[place](device), placement.in_order_queue(device)
    copy = sycl_interface.DPCTLQueue_Memcpy
    copy.restype, copy.argtypes = c_void_p, [c_void_p, c_void_p, c_void_p, c_size_t]
    delete = sycl_interface.DPCTLEvent_Delete
    delete.restype, delete.argtypes = None, [c_void_p]
    count = 1 << 20
    for _ in range(10):
        x = usm.zeros(count, dtype="i4", sycl_queue=queue)
        y = usm.zeros(count, dtype="i4", sycl_queue=queue)
        x_other, y_other = x.to_device(other), y.to_device(other)
        x_other[...] = 5
        event = copy(
            native["UsmNDArray_GetQueueRef"](x),
            native["UsmNDArray_GetData"](y),
            native["UsmNDArray_GetData"](x),
            4 * count,
        )
        x_other[...] = 9
        delete(event)
        assert np.all(usm.asnumpy(y_other) == 5)
        assert np.all(usm.asnumpy(x) == 9)


# Classes in C


class Slot(ctypes.Structure):
    _fields_ = (("slot", c_int), ("function", c_void_p))


class Specification(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("basicsize", c_int),
        ("itemsize", c_int),
        ("flags", ctypes.c_uint),
        ("slots", POINTER(Slot)),
    )


@pytest.mark.quirk("reused-objects")
def test_objects_of_larger_classes_are_not_those_of_ended_arrays(queue):
    default, may_be_a_base = 1 << 18, 1 << 10
    size = usm.usm_ndarray.__basicsize__ + 64
    specification = Specification(b"test.Large", size, 0, default | may_be_a_base, (Slot * 1)())
    make = ctypes.pythonapi.PyType_FromSpecWithBases
    make.restype, make.argtypes = py_object, [POINTER(Specification), py_object]
    large = make(specification, (usm.usm_ndarray,))
    assert large.__basicsize__ == size
    arrays = [usm.ones(3, sycl_queue=queue) for _ in range(100)]
    ended = {id(x) for x in arrays}
    del arrays
    x = [large(3, buffer_ctor_kwargs={"queue": queue}) for _ in range(10)]
    assert ended.isdisjoint(map(id, x))
    x[0][...] = 2
    assert usm.asnumpy(x[0]).tolist() == [2, 2, 2]
    del x
    y = [usm.ones(3, sycl_queue=queue) for _ in range(100)]
    assert all(usm.asnumpy(x).tolist() == [1, 1, 1] for x in y)
