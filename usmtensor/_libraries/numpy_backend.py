"""NumPy's and usmtensor's host code for `linalg` and `fft`, on several threads."""

import os
from contextvars import copy_context
from functools import cache, partial

import numpy

from usmtensor._libraries.host import all_finite, assign, call, compute_small, serves

# The number of elements from which more threads pay. Up to _ROWS rows OpenBLAS uses one thread.
_WORTH_THREADS = 1 << 15
_ROWS = 32
_PARTS = 4  # per thread, so that no thread waits long for the last part


def compute(routine, inputs, outputs):
    """Compute a routine into outputs, which have the right shapes and types."""
    x = inputs[0]
    fill = partial(compute_small, routine) if serves(routine.name, x) else _routine(routine)
    if routine.finite:
        fill = partial(_fill_from_finite, routine, fill)
    if x.ndim > 2 and x.size >= _WORTH_THREADS and max(x.shape[-2:]) <= _ROWS:
        cores = [len(axes) for axes in routine.inputs + routine.outputs]
        fill = partial(_over_stacks, fill, cores)
    call(fill, inputs, outputs)


def transform(name, x, out, n, axis, norm):
    """Compute a transform of n points of x along a non-negative axis into `out`."""
    function = getattr(numpy.fft, name)

    def fill(source, result):
        function(source, n, axis, norm, result)

    if out.ndim > 1 and out.size >= _WORTH_THREADS:
        fill = partial(_over_rows, fill, axis)
    call(fill, (x,), (out,))


def _fill_from_finite(routine, fill, x, *results):
    routine.require(all_finite(x, routine.finite != "a matrix"))
    fill(x, *results)


@cache
def _routine(routine):
    """Return a routine as a function of NumPy arrays, with the outputs last."""
    function = getattr(numpy.linalg, routine.name)
    if routine.keywords:
        function = partial(function, **routine.keywords)
    count = len(routine.inputs)

    def fill_one(*views):
        assign(views[-1], function, *views[:-1])

    def fill(*views):
        for view, result in zip(views[count:], function(*views[:count]), strict=True):
            view[...] = result

    return fill_one if len(routine.outputs) == 1 else fill


# Threads -----------------------------------------------------------------------------------------


def _over_stacks(function, cores, *views):
    """Call function(*views) for parts of a stack. The last axes of each view are matrices."""
    stack = views[-1].shape[: views[-1].ndim - cores[-1]]
    longest = stack.index(max(stack)) - len(stack)
    axes = [view.ndim - core + longest for view, core in zip(views, cores, strict=True)]
    axes = [
        axis if axis >= 0 and view.shape[axis] > 1 else None
        for view, axis in zip(views, axes, strict=True)
    ]
    _in_parts(function, views, axes, stack[longest])


def _over_rows(function, axis, *views):
    """Call function(*views) for parts along another axis."""
    shape = [0 if k == axis else extent for k, extent in enumerate(views[0].shape)]
    longest = shape.index(max(shape))
    _in_parts(function, views, [longest] * len(views), shape[longest])


def _in_parts(function, views, axes, extent):
    """Call function(*views) for parts on several threads. A view with axis None is not split."""
    threads = min(_thread_count(), 1 + views[0].size // _WORTH_THREADS)
    count = min(extent, _PARTS * threads)
    if count < 2 or threads < 2:
        return function(*views)
    parts = []
    for k in reversed(range(count)):
        cut = slice(extent * k // count, extent * (k + 1) // count)
        parts.append(
            [
                view if axis is None else view[(slice(None),) * axis + (cut,)]
                for view, axis in zip(views, axes, strict=True)
            ]
        )

    def work():
        while parts:
            try:
                part = parts.pop()
            except IndexError:
                return
            function(*part)

    others = []
    try:
        for _ in range(threads - 1):
            others.append(_threads().submit(copy_context().run, work))
    except RuntimeError:  # the interpreter is shutting down
        pass
    try:
        work()
    finally:
        parts.clear()
        for other in others:
            other.result()


@cache
def _thread_count():
    """Return the number of processors of this process, or OMP_NUM_THREADS if it is smaller."""
    text = os.environ.get("OMP_NUM_THREADS", "")
    count = len(os.sched_getaffinity(0))
    return min(count, int(text)) if text.isdecimal() and int(text) else count


@cache
def _threads():
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(_thread_count() - 1, "usmtensor")


os.register_at_fork(after_in_child=_threads.cache_clear)  # a forked child does not have the threads
