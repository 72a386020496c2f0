"""dpctl: memory, queues and contexts both ways, without copies."""

import ctypes
import gc

import numpy as np
import pytest
from checks import assert_same

import usmtensor as usm
from usmtensor import _hooks

dpctl = pytest.importorskip("dpctl")
dpmem = pytest.importorskip("dpctl.memory")

VALUES = np.arange(24, dtype="i4").reshape(4, 6)
CLASSES = {
    "device": dpmem.MemoryUSMDevice,
    "shared": dpmem.MemoryUSMShared,
    "host": dpmem.MemoryUSMHost,
}


@pytest.fixture
def theirs(device):
    """A queue of dpctl on the device under test."""
    return dpctl.SyclQueue(device.filter_string, property="in_order")


@pytest.fixture
def x(queue, usm_kind):
    return usm.asarray(VALUES, usm_type=usm_kind, sycl_queue=queue)


def bytes_of(memory):
    return bytes(memory.copy_to_host())


@pytest.mark.shows("dpctl", "from us", "`dpctl.memory.as_usm_memory(x)`", "none")
@pytest.mark.parametrize("of", ["array", "memory"])
def test_as_usm_memory(x, usm_kind, of):
    memory = dpmem.as_usm_memory(x if of == "array" else x.usm_data)
    assert type(memory) is CLASSES[usm_kind]
    assert memory._pointer == x._pointer
    assert memory.nbytes == x.nbytes
    assert bytes_of(memory) == VALUES.tobytes()
    memory.copy_from_host(bytes(96))
    assert_same(x, np.zeros_like(VALUES))


@pytest.mark.shows("dpctl", "from us", "`MemoryUSMDevice(x)` and its sister classes", "none")
def test_constructors(x, usm_kind):
    memory = CLASSES[usm_kind](x)
    assert memory._pointer == x._pointer
    assert bytes_of(memory) == VALUES.tobytes()


def test_views_with_negative_strides(x):
    memory = dpmem.as_usm_memory(x[::-1, ::-2])
    assert memory._pointer == x._pointer + 4
    assert memory.nbytes == x.nbytes - 4


def test_their_memory_keeps_our_array(queue, usm_kind):
    x = usm.asarray(VALUES, usm_type=usm_kind, sycl_queue=queue)
    memory = dpmem.as_usm_memory(x)
    del x
    gc.collect()
    usm.full((4, 6), -1, dtype="i4", usm_type=usm_kind, sycl_queue=queue)
    assert bytes_of(memory) == VALUES.tobytes()


@pytest.mark.shows(
    "dpctl",
    "to us",
    "memory: `usm_ndarray(shape, dtype, buffer=m)`, `asarray(m)`",
    "none",
)
def test_arrays_over_their_memory(theirs, usm_kind):
    memory = CLASSES[usm_kind](96, queue=theirs)
    memory.copy_from_host(VALUES.tobytes())
    x = usm.usm_ndarray((4, 6), "i4", buffer=memory)
    assert x._pointer == memory._pointer
    assert x.usm_type == usm_kind
    assert x.flags.writable  # the flag of dpctl's memory means "writable"
    assert x.sycl_queue == usm.SyclQueue(theirs)
    assert_same(x, VALUES)
    raw = usm.asarray(memory)
    assert raw.flags.writable
    assert_same(raw, np.frombuffer(VALUES.tobytes(), "u1"))
    pointer = memory._pointer
    del memory, raw
    gc.collect()
    CLASSES[usm_kind](96, queue=theirs).memset(255)
    assert x._pointer == pointer
    assert_same(x, VALUES)


def test_their_memory_lives_as_long_as_a_sort(theirs):
    """The host sorts, of which dpctl knows nothing when it frees the memory."""
    numbers = np.random.default_rng(0).permutation(1 << 20).astype("f4")
    for _ in range(5):
        memory = dpmem.MemoryUSMDevice(numbers.nbytes, queue=theirs)
        memory.copy_from_host(numbers.view("u1"))
        x = usm.usm_ndarray(numbers.size, "f4", buffer=memory)
        y = usm.sort(x)
        del memory, x
        assert_same(y, np.sort(numbers))


@pytest.mark.shows("dpctl", "to us", "memory: `usmtensor.memory.as_usm_memory(m)`", "none")
def test_our_memory_of_theirs(theirs, usm_kind):
    memory = CLASSES[usm_kind](16, queue=theirs)
    ours = usm.memory.as_usm_memory(memory)
    assert ours._pointer == memory._pointer
    assert ours.get_usm_type() == usm_kind
    assert ours.reference_obj is memory
    ours.memset(7)
    assert bytes_of(memory) == bytes([7]) * 16


@pytest.mark.shows(
    "dpctl", "both", "queues: `dpctl.SyclQueue(q._get_capsule())`, `SyclQueue(q)`, `device=q`", ""
)
def test_queues(theirs, device):
    queue = usm.SyclQueue(theirs)
    assert queue == usm.SyclQueue(theirs._get_capsule())
    assert queue.is_in_order
    assert queue.addressof_ref() != 0
    assert queue.sycl_device == device
    back = dpctl.SyclQueue(queue._get_capsule())
    assert back == theirs
    x = usm.ones(4, dtype="i4", device=theirs)
    assert x.sycl_queue == queue
    assert_same(x, np.ones(4, "i4"))


@pytest.mark.shows(
    "dpctl", "both", "contexts: `dpctl.SyclContext(c._get_capsule())`, `SyclContext(c)`", ""
)
def test_contexts(theirs, device):
    context = usm.SyclContext(theirs.sycl_context)
    assert context == usm.SyclQueue(theirs).sycl_context
    assert dpctl.SyclContext(context._get_capsule()) == theirs.sycl_context
    own = usm.SyclContext(device)
    assert usm.SyclContext(dpctl.SyclContext(own._get_capsule())) == own


def test_their_objects_in_an_interface(x):
    """`syclobj` is a queue of dpctl by default; a context of dpctl is one too."""
    theirs = dpctl.SyclQueue(x.sycl_queue._get_capsule())

    class Theirs:
        __sycl_usm_array_interface__ = x.__sycl_usm_array_interface__

    for syclobj in (theirs, theirs.sycl_context):
        Theirs.__sycl_usm_array_interface__["syclobj"] = syclobj
        y = usm.asarray(Theirs())
        assert y._pointer == x._pointer
        assert y.sycl_context == x.sycl_context
        assert_same(y, VALUES)


@pytest.mark.shows("dpctl", "from us", "`queue.memcpy` between arrays as memory", "none")
def test_their_copies_on_our_memory(theirs, queue, usm_kind):
    source = usm.asarray(VALUES, usm_type=usm_kind, sycl_queue=queue)
    target = usm.zeros((4, 6), dtype="i4", usm_type=usm_kind, sycl_queue=queue)
    theirs.memcpy(dpmem.as_usm_memory(target), dpmem.as_usm_memory(source), source.nbytes)
    assert_same(target, VALUES)


SOURCE = "__kernel void add(__global int *x, int n) { x[get_global_id(0)] += n; }"


@pytest.mark.shows("dpctl", "from us", "kernels of `queue.submit` on arrays as memory", "none")
@pytest.mark.parametrize("own", [False, True], ids=["their queue", "our queue"])
def test_their_kernels_on_our_memory(theirs, queue, usm_kind, own):
    if queue.sycl_device.backend != usm.backend_type.opencl:
        pytest.skip("dpctl compiles source for OpenCL only")
    x = usm.asarray(VALUES, usm_type=usm_kind, sycl_queue=queue)
    if own:
        theirs = dpctl.SyclQueue(queue._get_capsule())
    program = pytest.importorskip("dpctl.program").create_program_from_source(theirs, SOURCE)
    kernel = program.get_sycl_kernel("add")
    for _ in range(3):
        x += 1
        event = theirs.submit(kernel, [dpmem.as_usm_memory(x), ctypes.c_int(7)], [x.size])
        if not own:
            event.wait()
    assert_same(x, VALUES + 24)


def test_pending_work_is_done_when_they_look(device):
    queue = usm.SyclQueue(device, property="in_order")
    for _ in range(4):
        x = usm.full(1 << 14, 1, dtype="i4", sycl_queue=queue)
        source = usm.full(1 << 14, 2, dtype="i4", sycl_queue=queue)
        queue.wait()
        assert x._pointer != source._pointer
        _hooks.late_copy(queue, x, source)
        memory = dpmem.as_usm_memory(x)
        assert np.frombuffer(memory.copy_to_host(), "i4").min() == 2


def test_work_on_memory_that_came_back_is_in_order(theirs, device):
    """Our queue, their queue, one memory: each sees the work of the other."""
    queue = usm.SyclQueue(device, property="in_order")
    for value in range(1, 5):
        x = usm.full(1 << 14, 0, dtype="i4", sycl_queue=queue)
        again = usm.asarray(dpmem.as_usm_memory(x), sycl_queue=usm.SyclQueue(theirs))
        alias = usm.usm_ndarray(1 << 14, "i4", buffer=again)
        source = usm.full(1 << 14, value, dtype="i4", sycl_queue=queue)
        queue.wait()
        assert x._pointer != source._pointer
        _hooks.late_copy(queue, x, source)
        assert (usm.asnumpy(usm.copy(alias)) == value).all()


@pytest.mark.shows("dpctl", "to us", "your own kernels on objects with the interface", "none")
def test_kernels_of_users_on_memory_of_dpctl(theirs, usm_kind):
    given, result = (CLASSES[usm_kind](24, queue=theirs) for _ in range(2))
    given.copy_from_host(bytearray(range(24)))
    flip = usm.ElementwiseKernel("uint8 x", "uint8 y", "y = 100 - x", "flip")
    assert flip(given, result) is result
    assert bytes_of(result) == bytes(range(100, 76, -1))
    total = usm.ReductionKernel("T x", "int64 y", "x", "a + b", "y = a", "0", "total")
    assert int(total(given)) == sum(range(24))
    source = """
#include <sycl/ext/oneapi/free_function_queries.hpp>
#include <sycl/ext/oneapi/kernel_properties/properties.hpp>
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(
    (sycl::ext::oneapi::experimental::nd_range_kernel<1>))
void twice(const unsigned char *x, unsigned char *y) {
  const auto i = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0);
  y[i] = 2 * x[i];
}
"""
    usm.RawKernel(source, "twice")(24, 8, (given, result))
    assert bytes_of(result) == bytes(range(0, 48, 2))


def test_host_tasks_free_arrays(queue):
    """The last reference goes in a host task of the queue: the free must not wait for the queue."""
    foreign = dpctl.SyclQueue(queue._get_capsule())
    for _ in range(50):
        x = usm.ones(2000, dtype="f4", sycl_queue=queue)
        assert x.__sycl_usm_array_interface__
        y = usm.ones(10**6, dtype="f4", sycl_queue=queue) + 1
        done = foreign._submit_keep_args_alive([x, y], [foreign.submit_barrier()])
        del x, y
    done.wait()
