"""Arguments whose special methods run code of the caller during a call.

Such code may change the array of the call. Even then no view leaves its memory, and no call writes
wrong elements.
"""

import gc
import operator

import numpy as np
import pytest

import usmtensor as usm

MANY = (2, 3, *[1] * 8)  # the extents of so many axes lie outside the array object
FEW = (6,)


class Changing:
    """An integer that gives the array another shape when its value is read."""

    def __init__(self, x, shape, value=0):
        self.x, self.shape, self.value = x, shape, value

    def __index__(self):
        self.x.shape = self.shape
        return self.value

    def __len__(self):
        self.x.shape = self.shape
        return 1

    def __float__(self):
        self.x.shape = self.shape
        return 1.0


class ChangingInt(int):
    def __float__(self):
        self.x.shape = self.shape
        return 1.0

    __index__ = __int__ = __float__


class ChangingData(Changing):
    """Data that gives the array another shape when NumPy or usmtensor reads it."""

    data = np.ones(1)

    def __array__(self, dtype=None, copy=None):
        self.x.shape = self.shape
        return np.array(self.data, dtype)

    @property
    def __sycl_usm_array_interface__(self):
        self.x.shape = self.shape
        return usm.asarray(self.data, sycl_queue=self.x.sycl_queue).__sycl_usm_array_interface__


class Positions(ChangingData):
    data = np.zeros(1, np.int64)


class Mask(ChangingData):
    data = np.ones(6, bool)


def last_axis(x):
    return x.ndim - 1


CALLS = {
    "x[i]": lambda x, i: x[i],
    "x[..., i]": lambda x, i: x[..., i],
    "x[i, 0]": lambda x, i: x[i, 0],
    "x[i:]": lambda x, i: x[i:],
    "x[:i, None]": lambda x, i: x[:i, None],
    "x[::i]": lambda x, i: x[:: Changing(i.x, i.shape, 1)],
    "x[i, [0]]": lambda x, i: x[i, [0]],
    "x[[0], i]": lambda x, i: x[[0], i],
    "x[[0], i:]": lambda x, i: x[[0], i:],
    "x[positions]": lambda x, i: x[Positions(x, i.shape)],
    "x[..., positions]": lambda x, i: x[..., Positions(x, i.shape)],
    "x[mask]": lambda x, i: x[Mask(x, i.shape)],
    "x[i] = 1": lambda x, i: x.__setitem__(i, 1),
    "x[i:] = value": lambda x, i: x.__setitem__(slice(i, None), ChangingData(x, i.shape)),
    "x[[0], i] = 1": lambda x, i: x.__setitem__(([0], i), 1),
    "x[[0]] = value": lambda x, i: x.__setitem__(([0],), ChangingData(x, i.shape)),
    "x[[i]] = 1": lambda x, i: x.__setitem__([i], 1),
    "x[...] = value": lambda x, i: x.__setitem__(..., ChangingData(x, i.shape)),
    "x[...] = float": lambda x, i: x.__setitem__(..., i),
    "item": lambda x, i: x.item(i),
    "item of many": lambda x, i: x.item(*[i] * x.ndim),
    "shape": lambda x, i: setattr(x, "shape", (Changing(x, i.shape, 3), 2)),
    "reshape": lambda x, i: usm.reshape(x, (Changing(x, i.shape, 3), 2)),
    "reshape A": lambda x, i: usm.reshape(x, (Changing(x, i.shape, 3), 2), order="A"),
    "broadcast_to": lambda x, i: usm.broadcast_to(x, (Changing(x, i.shape, 6), *x.shape)),
    "expand_dims": lambda x, i: usm.expand_dims(x, (last_axis(x), i)),
    "squeeze": lambda x, i: usm.squeeze(x, (last_axis(x), i)),
    "flip": lambda x, i: usm.flip(x, axis=(last_axis(x), i)),
    "permute_dims": lambda x, i: usm.permute_dims(x, (*range(x.ndim - 1, 0, -1), i)),
    "moveaxis": lambda x, i: usm.moveaxis(x, last_axis(x), i),
    "moveaxis from": lambda x, i: usm.moveaxis(x, i, last_axis(x)),
    "swapaxes": lambda x, i: usm.swapaxes(x, last_axis(x), i),
    "swapaxes back": lambda x, i: usm.swapaxes(x, i, last_axis(x)),
    "unstack": lambda x, i: usm.unstack(x, axis=Changing(x, i.shape, last_axis(x))),
    "concat": lambda x, i: usm.concat([x, x], axis=Changing(x, i.shape, last_axis(x))),
    "stack": lambda x, i: usm.stack([x, x], axis=Changing(x, i.shape, last_axis(x))),
    "repeat": lambda x, i: usm.repeat(x, Changing(x, i.shape, 2), axis=last_axis(x)),
    "repeat along": lambda x, i: usm.repeat(x, 2, axis=Changing(x, i.shape, last_axis(x))),
    "tile": lambda x, i: usm.tile(x, (2, Changing(x, i.shape, 2))),
    "roll": lambda x, i: usm.roll(x, Changing(x, i.shape, 1), axis=last_axis(x)),
    "roll along": lambda x, i: usm.roll(x, 1, axis=Changing(x, i.shape, last_axis(x))),
    "take": lambda x, i: usm.take(x, Positions(x, i.shape), axis=last_axis(x)),
    "take along": lambda x, i: usm.take(x, [0], axis=Changing(x, i.shape, last_axis(x))),
    "put": lambda x, i: usm.put(x, [0], ChangingData(x, i.shape), axis=last_axis(x)),
    "put at": lambda x, i: usm.put(x, Positions(x, i.shape), 1, axis=last_axis(x)),
    "take_along_axis": lambda x, i: usm.take_along_axis(
        x, Positions(x, i.shape), axis=last_axis(x)
    ),
    "put_along_axis": lambda x, i: usm.put_along_axis(
        x, usm.zeros_like(x, dtype="i8"), ChangingData(x, i.shape), axis=last_axis(x)
    ),
    "x + i": lambda x, i: x + number(i),
    "i + x": lambda x, i: number(i) + x,
    "x += i": lambda x, i: x.__iadd__(number(i)),
    "add": lambda x, i: usm.add(x, number(i)),
    "add an array": lambda x, i: usm.add(x, ChangingData(x, i.shape)),
    "add to": lambda x, i: usm.add(usm.ones_like(x), number(i), out=x),
    "where": lambda x, i: usm.where(x, number(i), x),
    "clip": lambda x, i: usm.clip(x, number(i), 2.0),
    "full_like": lambda x, i: usm.full_like(x, number(i)),
    "asarray": lambda x, i: usm.asarray([x, ChangingData(x, i.shape)]),
    "matmul": lambda x, i: usm.matmul(x, x[(0,) * last_axis(x)], dtype=Dtype(x, i.shape)),
    "astype": lambda x, i: usm.astype(x, Dtype(x, i.shape)),
    "zeros_like": lambda x, i: usm.zeros_like(x, dtype=Dtype(x, i.shape)),
    "usm_ndarray": lambda x, i: usm.usm_ndarray(
        x.shape, x.dtype, strides=[*x.strides[:-1], Changing(x, i.shape, 1)], buffer=x
    ),
}


def number(i):
    result = ChangingInt(1)
    result.x, result.shape = i.x, i.shape
    return result


class Dtype(Changing):
    @property
    def dtype(self):
        self.x.shape = self.shape
        return np.dtype("f4")


@pytest.mark.parametrize("shapes", [(MANY, FEW), (FEW, MANY), (MANY, (6, *[1] * 40))], ids=str)
@pytest.mark.parametrize("name", CALLS)
def test_an_array_that_changes_shape(queue, name, shapes):
    call, writes = CALLS[name], "=" in name or "put" in name or name == "add to"
    before, after = shapes
    x = usm.asarray(np.arange(1.0, 7.0).reshape(before), sycl_queue=queue)
    memory = x.usm_data
    try:
        result = call(x, Changing(x, after))
    except (TypeError, ValueError, IndexError, AttributeError):
        result = None
    for y in result if isinstance(result, tuple) else (result,):
        if isinstance(y, usm.usm_ndarray) and y.usm_data is memory:
            low, high = y._byte_bounds
            assert memory._pointer <= low <= high <= memory._pointer + memory.nbytes
    assert x.size == 6
    if not writes:
        np.testing.assert_array_equal(usm.asnumpy(x).ravel(), np.arange(1.0, 7.0))


def test_the_key_is_read_before_the_shape(queue):
    x = usm.asarray(np.arange(6), sycl_queue=queue)
    assert int(x[Changing(x, (2, 3), 1), 2]) == 5
    x.shape = (6,)
    assert x[Changing(x, (2, 3), 1) :].shape == (1, 3)


# False answers


class LyingScalar(np.float32):
    dtype = np.dtype(object)


def test_scalars_that_lie_about_their_dtype(queue):
    x = usm.ones(3, dtype="f4", sycl_queue=queue)
    for call in (usm.add, usm.isclose, usm.searchsorted, usm.outer, operator.iadd, usm.full_like):
        with pytest.raises(TypeError, match="object"):
            call(x, LyingScalar(2))


class Lying(int):
    def __lt__(self, other):
        return False

    __gt__ = __le__ = __lt__

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 1

    def __mul__(self, other):
        return 1

    __mod__ = __rmul__ = __add__ = __radd__ = __floordiv__ = __mul__

    def __float__(self):
        return 1.0


@pytest.mark.parametrize(
    "call",
    [
        lambda x: usm.empty((Lying(-2), Lying(-3))),
        lambda x: usm.zeros(Lying(2**62)),
        lambda x: usm.reshape(x, (Lying(-2), Lying(-3))),
        lambda x: usm.reshape(x, (Lying(100), Lying(100))),
        lambda x: usm.broadcast_to(x, (Lying(-1), 6)),
        lambda x: setattr(x, "shape", (Lying(100),)),
        lambda x: x[Lying(100)],
        lambda x: usm.take(x, Lying(100), mode="raise"),
        lambda x: usm.squeeze(x, Lying(100)),
        lambda x: usm.concat([x, x], axis=Lying(100)),
        lambda x: usm.tile(x, Lying(-3)),
        lambda x: usm.usm_ndarray((6,), "f8", strides=(Lying(100),), buffer=x),
        lambda x: usm.usm_ndarray((6,), "f8", offset=Lying(100), buffer=x),
        lambda x: x.item(Lying(100)),
    ],
)
def test_integers_that_lie(queue, call):
    with pytest.raises((ValueError, IndexError)):
        call(usm.ones(6, sycl_queue=queue))


@pytest.mark.parametrize("claimed", [np.ndarray, np.float64, np.bool_, int, list], ids=str)
def test_objects_that_claim_a_class(queue, claimed):
    class Claiming:
        __class__ = claimed
        shape, ndim, dtype = (6,), 0, np.dtype("f8")
        flags = np.ones(6).flags

    x = usm.ones(6, sycl_queue=queue)
    for call in (
        lambda: x + Claiming(),
        lambda: usm.add(x, Claiming()),
        lambda: x.__setitem__(..., Claiming()),
        lambda: x.__setitem__([0], Claiming()),
        lambda: x[Claiming()],
        lambda: usm.take(x, Claiming()),
        lambda: usm.asarray(Claiming()),
        lambda: usm.full(3, Claiming()),
    ):
        with pytest.raises((TypeError, IndexError, ValueError)):
            call()


class LyingArray(np.ndarray):
    shape = (10**6,)
    size = 10**6
    flags = np.ones(1).flags

    def astype(self, *args, **keywords):
        return self


def test_arrays_of_numpy_that_lie(queue):
    x = usm.ones(10**6, sycl_queue=queue)
    few = np.full(2, 3.0).view(LyingArray)
    with pytest.raises(ValueError, match="broadcast"):
        x[...] = few
    assert float(x[2]) == 1
    with pytest.raises(ValueError, match="broadcast"):
        x[[0, 1, 2]] = few
    y = usm.ones((3, 3), sycl_queue=queue)
    with pytest.raises(IndexError, match="mask"):
        y[np.ones(2, bool).view(LyingArray)]
    assert usm.asarray(few).shape == (2,)


class LyingUsmArray(usm.usm_ndarray):
    shape = (100, 100)
    strides = (100, 1)
    size = 10**4
    dtype = np.dtype("i8")


def test_subclasses_that_lie(queue):
    x = LyingUsmArray((2, 2), "f8", buffer_ctor_kwargs={"queue": queue})
    x[...] = 1
    y = usm.ones((2, 2), sycl_queue=queue)
    for call in (
        lambda: usm.concat([x, y]),
        lambda: usm.concat([y, x]),
        lambda: usm.stack([x, x]),
        lambda: usm.tile(x, 2),
        lambda: usm.roll(x, 1),
        lambda: usm.repeat(x, 2, axis=0),
        lambda: usm.extract(x, usm.ones((100, 100))),
        lambda: usm.extract(usm.ones((100, 100)), x),
        lambda: usm.asarray([x, x]),
        lambda: usm.take_along_axis(x, usm.zeros((100, 100), dtype="i8")),
        lambda: usm.where(x, x, y),
        lambda: y[x > 0],
        lambda: usm.unstack(x),
    ):
        try:
            result = call()
        except (ValueError, IndexError, TypeError, AttributeError):
            continue
        usm.asnumpy(result[0] if isinstance(result, tuple) else result)


# Endless sequences


def nested(depth, leaf):
    for _ in range(depth):
        leaf = [leaf]
    return leaf


def with_itself(*leaves):
    sequence = [*leaves]
    sequence.append(sequence)
    return sequence


class Endless(list):
    def __iter__(self):
        return iter([self])


@pytest.mark.parametrize("kind", ["device", "shared"])
@pytest.mark.parametrize(
    "deep",
    [with_itself, lambda x: nested(65, x), lambda x: nested(10**5, x), lambda x: [x, Endless([1])]],
)
def test_sequences_that_are_nested_too_deeply(queue, deep, kind):
    x = usm.ones(3, usm_type=kind, sycl_queue=queue)
    sequence = deep(usm.ones(1, usm_type=kind, sycl_queue=queue))
    for call in (
        usm.asarray,
        lambda c: x.__setitem__(..., c),
        lambda c: x[c],
        lambda c: usm.take(x, c),
        lambda c: x.__setitem__([0], c),
    ):
        with pytest.raises(ValueError, match="nested too deeply"):
            call(sequence)


def test_sequences_as_deep_as_in_numpy(queue):
    assert usm.asarray(nested(64, usm.asarray(1.0, sycl_queue=queue))).shape == (1,) * 64
    assert usm.asarray(nested(64, 1.0)).shape == np.asarray(nested(64, 1.0)).shape
    for leaf in (1, None, "a"):
        with pytest.raises((ValueError, TypeError)):
            usm.asarray(with_itself(leaf))


class Cycle:
    """Garbage that calls a function when the collector finds it: during an allocation."""

    def __init__(self, call):
        self.itself, self.call = self, call

    def __del__(self):
        self.call()


@pytest.mark.parametrize("n", [2, 6], ids=["few axes", "many axes"])
@pytest.mark.parametrize(
    "operation",
    [
        lambda x: x + x,
        lambda x: usm.add(x, 1, order="F"),
        lambda x: usm.add(x, usm.astype(x, "i2"), out=usm.empty_like(x)),
        lambda x: usm.asarray(x, sycl_queue=usm.SyclQueue(x.sycl_context, x.sycl_device)),
        lambda x: x.mT,
        lambda x: usm.astype(x, "c8").real,
        lambda x: usm.moveaxis(x, 0, -1),
        lambda x: usm.matmul(x, x.mT),
        lambda x: usm.cumulative_sum(x, axis=0, out=usm.empty_like(x)),
        lambda x: usm.sum(x, axis=-1, keepdims=True),
        lambda x: x[x > 1],
        lambda x: x.__setitem__(x > 1, 1.0),
    ],
)
def test_finalizers_of_garbage_cannot_set_a_shape(queue, operation, n):
    shape = (1,) * (n - 2) + (2, 3)
    x = usm.reshape(usm.asarray(np.arange(6, dtype="f4"), sycl_queue=queue), shape)
    refused = []

    def change():
        try:
            x.shape = (6,)
        except RuntimeError as error:
            refused.append(str(error))

    threshold = gc.get_threshold()
    gc.set_threshold(1)
    try:
        for _ in range(20):
            Cycle(change)
            operation(x)
            assert x.shape == shape
    finally:
        gc.set_threshold(*threshold)
    Cycle(change)
    gc.collect()
    assert refused and all("garbage collector" in message for message in refused)
    x.shape = (6,)
    assert x.shape == (6,)


def test_a_callback_of_the_collector_may_set_a_shape(queue):
    """It runs after a collection, while an allocation waits, and so may another thread."""
    x = usm.reshape(usm.arange(8, dtype="i4", sycl_queue=queue), (2, 2, 2))

    def change(phase, info):
        if phase == "stop":
            x.shape = (1, 8, 1)

    threshold = gc.get_threshold()
    gc.callbacks.append(change)
    gc.set_threshold(1)
    try:
        for operation in (lambda: x[1], lambda: x[1, 1], lambda: usm.copy(x), lambda: x.mT):
            for _ in range(20):
                x.shape = (2, 2, 2)
                try:
                    y = operation()
                except (IndexError, ValueError):
                    continue
                assert usm.asnumpy(y).max() <= 7
        small = usm.ones((2, 64), dtype="i4", sycl_queue=queue)
        out = usm.empty((2, 2, 64), dtype="i4", sycl_queue=queue)
        reals = usm.ones((1, 2, 2), sycl_queue=queue)
        for operation in (
            lambda: usm.matmul(x, small),
            lambda: usm.matmul(x, small, out=out),
            lambda: usm.matmul(reals, x),
            lambda: usm.tensordot(x, small, axes=1),
            lambda: usm.vecdot(x, small[:, 0]),
        ):
            for _ in range(20):
                x.shape = (2, 2, 2)
                try:
                    y = operation()
                except ValueError:
                    continue
                assert y.shape[:1] in ((2,), ()) and usm.asnumpy(y).max() <= 13
    finally:
        gc.callbacks.remove(change)
        gc.set_threshold(*threshold)


def test_masks_while_a_callback_of_the_collector_sets_shapes(queue):
    x = usm.reshape(usm.arange(8, dtype="i4", sycl_queue=queue), (2, 2, 2))
    mask = usm.ones((2, 2, 2), dtype=bool, sycl_queue=queue)

    def change(phase, info):
        if phase == "stop":
            x.shape = mask.shape = (8,)

    threshold = gc.get_threshold()
    gc.callbacks.append(change)
    try:
        for operation in (
            lambda: usm.nonzero(mask),
            lambda: x[mask],
            lambda: x.__setitem__(mask, usm.arange(8, dtype="i4", sycl_queue=queue)),
        ):
            for count in range(1, 12):
                x.shape = mask.shape = (2, 2, 2)
                gc.set_threshold(count)  # the shapes change after so many new objects
                try:
                    found = operation()
                except (IndexError, ValueError):
                    found = None
                gc.set_threshold(0)
                if isinstance(found, tuple):
                    assert [int(usm.max(index)) for index in found] in ([7], [1, 1, 1])
                assert x.reshape(-1).tolist() == list(range(8))
    finally:
        gc.callbacks.remove(change)
        gc.set_threshold(*threshold)
