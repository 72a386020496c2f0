"""Arguments that give false answers, and sequences without an end.

No view leaves its memory, and no call writes wrong elements.
"""

import operator

import numpy as np
import pytest

import usmtensor as usm


class LyingScalar(np.float32):
    dtype = np.dtype(object)


def test_scalars_that_lie_about_their_dtype(queue):
    """They count as what they are."""
    x = usm.ones(3, dtype="f4", sycl_queue=queue)
    for call in (usm.add, usm.isclose, usm.searchsorted, usm.outer, operator.iadd, usm.full_like):
        found, wanted = (
            usm.asnumpy(call(usm.copy(x), scalar)) for scalar in (LyingScalar(2), np.float32(2))
        )
        np.testing.assert_array_equal(found, wanted)


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
