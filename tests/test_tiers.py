"""Both tiers of a CPU device, the calling thread and the device, give equal bits: every row of
operators.toml, every signature.

The device computes contiguous elements. The host computes these elements in all layouts, so that no
layout changes a bit either. Every test checks where its commands ran.
"""

import itertools
import tomllib
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from both_tiers import all_on_the_device, all_on_the_host, assert_same_bits, skip_without_tiers
from elementwise_oracle import BINARY, FUNCTIONS, SPECIAL, UNARY
from strategies import DTYPES, skip_without, supported_dtypes

import usmtensor as usm

SIZES = (0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 1000)
SOME = 2520  # elements that tests try in all layouts
FIVE = (3, 4, 5, 6, 7)  # a shape of SOME elements


@pytest.fixture(autouse=True)
def both_tiers(device):
    skip_without_tiers(device)


# Values


def generator(*seed):
    return np.random.default_rng([ord(letter) for text in seed for letter in text])


@cache
def special_reals(char):
    """Points at which functions change their formulas, limits of types, halves between integers."""
    info = np.finfo(char)
    reals = [0, 0.1, 0.25, 0.4, 0.5, 0.7, 1, 1.1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 10, 100]
    reals += [np.pi / 4, np.pi / 2, np.pi, 2 * np.pi, 355, 1e4, 1e5, 1e6, 1e10, 1e22, 1e300]
    reals += [88.7, 103.9, 104.1, 709.7, 709.8, 745.1, 745.2, 11.09, 17.3]
    reals += [127, 128, 149.5, 1023, 1024, 1074.5, 65504, 65520, 1e-8, 1e-20]
    reals += [2.0**k for k in (7, 8, 15, 16, 23, 24, 31, 32, 52, 53, 63, 64)]
    reals += [2.0**k - 0.5 for k in (8, 23, 31, 52)]
    small, tiny = info.smallest_subnormal, info.smallest_normal
    with np.errstate(over="ignore"):
        reals = np.array(reals, char)
        more = [info.max, info.max / 2, np.sqrt(info.max), np.inf, tiny, 3 * tiny, small, 3 * small]
        more += [
            k * (x * tiny) for k in (1, 2) for x in (reals.dtype.type(0.7), reals.dtype.type(1.3))
        ]
        reals = np.concatenate([reals, np.array(more, char)])
    reals = np.concatenate(
        [reals, *(np.nextafter(reals[:6], reals.dtype.type(x)) for x in (9, -9))]
    )
    reals = np.concatenate([reals, -reals, np.array([np.nan], char)])
    return np.unique(reals.view(f"u{reals.itemsize}")).view(char)


@cache
def special(char):
    dtype = np.dtype(char)
    if dtype.kind == "b":
        return np.array([0, 1, 1, 0, 1, 2, 128, 255], "u1").view("?")  # any byte but 0 is true
    if dtype.kind == "f":
        return special_reals(char)
    if dtype.kind == "c":
        reals = special_reals(dtype.type(0).real.dtype.char)
        few = reals[::3]
        always = np.array([0.0, -0.0, 1, -1, np.inf, -np.inf, np.nan], reals.dtype)
        return in_parts(dtype, *crossed(*[np.concatenate([few, always])] * 2))
    info = np.iinfo(dtype)
    limits = [info.min, info.min + 1, info.max // 2, info.max // 2 + 1, info.max - 1, info.max]
    small = range(-9 if dtype.kind == "i" else 0, 10)
    return np.array([*limits, *small, 15, 16, 31, 32, 33, 63, 64, 65, 100, 127], dtype)


def in_parts(dtype, real, imag):
    result = np.empty(real.shape, dtype)
    result.real, result.imag = real, imag
    return result


def crossed(x, y):
    return np.repeat(x, y.size), np.tile(y, x.size)


def random_values(char, count, seed=""):
    """Half have random bits; half have magnitudes in the usual range of functions. A quarter of the
    complex numbers lie on the unit circle, where logarithms have a formula of their own."""
    dtype, random = np.dtype(char), generator(char, seed)
    with np.errstate(over="ignore"):
        if dtype.kind == "c":
            part = dtype.type(0).real.dtype.char
            values = in_parts(dtype, *(random_values(part, count, seed + x) for x in "ri"))
            values[::4] = np.exp(1j * random.uniform(0, 2 * np.pi, values[::4].size))
            return values
        any_bits = np.frombuffer(random.bytes(count * dtype.itemsize), f"u{dtype.itemsize}")
        if dtype.kind == "b":
            return (any_bits & any_bits >> 4 & 5).view("?")
        if dtype.kind == "f":
            usual = random.normal(size=count) * np.exp(random.normal(size=count) * 3)
        else:
            usual = random.integers(-20 if dtype.kind == "i" else 0, 40, count)
        return np.where(random.random(count) < 0.5, any_bits.view(dtype), usual.astype(dtype))


@cache
def operands(inputs):
    """Arrays of one size for the inputs of a signature: special values, then random ones."""
    random = [random_values(char, 1 << 14, str(k)) for k, char in enumerate(inputs)]
    if len(inputs) == 1:
        values = [np.arange(1 << 16, dtype="u2").view("e") if inputs == "e" else special(inputs)]
    elif len(inputs) == 2 and not set(inputs) & set("FD"):
        values = crossed(*map(special, inputs))
    else:
        pick = generator(inputs).integers
        values = [special(char)[pick(0, special(char).size, 1 << 15)] for char in inputs]
    both = [np.concatenate([a, b]) for a, b in zip(values, random, strict=True)]
    order = generator(inputs, "order").permutation(both[0].size)  # so that any part has all kinds
    return tuple(x[order] for x in both)


# Layouts: arrays of the given elements, in the order of their indices


def padded(x, shape, view, base):
    """`x` in a part of a larger array."""
    base[view] = x.reshape(shape)
    return usm.asarray(base)[view]


def every_other(x):
    return padded(x, x.shape, np.s_[1::2], np.zeros(2 * x.size + 1, x.dtype))


def backwards(x):
    return usm.asarray(x[::-1].copy())[::-1]


def unaligned(x):
    return padded(x, x.shape, np.s_[3:], np.zeros(x.size + 3, x.dtype))


def short_rows(x):
    return padded(x, (SOME // 3, 3), np.s_[:, 1:4], np.zeros((SOME // 3, 5), x.dtype))


def transposed(x):
    return usm.asarray(x.reshape(60, 42).T.copy()).T


def five_axes(x):
    view, base = np.s_[::2, :, ::-1, ::3, 1:], np.zeros((10, 3, 7, 12, 7), x.dtype)
    moved = x.reshape(FIVE).transpose(2, 0, 4, 1, 3)
    return usm.permute_dims(padded(moved, moved.shape, view, base), (1, 3, 0, 4, 2))


LAYOUTS = (every_other, backwards, unaligned, short_rows, transposed, five_axes)


def as_given(x, shape):
    return usm.asarray(x.reshape(shape))


def in_layouts(values):
    """The first elements of some arrays: all in a layout, and then each alone in a layout."""
    few = [x[:SOME] for x in values]
    for layout in LAYOUTS:
        strided = [layout(x) for x in few]
        plain = [as_given(x, strided[0].shape) for x in few]
        yield layout.__name__, strided
        if len(few) > 1:
            for k in range(len(few)):
                yield layout.__name__, [*plain[:k], strided[k], *plain[k + 1 :]]


# Elementwise functions


def signatures(function):
    supported = {dtype.char for dtype in supported_dtypes()}
    for text in function.types:
        inputs, _, output = text.partition("->")
        if {*inputs, output} <= supported:
            yield inputs, output


def compare(queue, name, function, inputs):
    """Every layout of the operands on the host, with the device's result for contiguous ones."""
    values = operands(inputs)
    whole = [usm.asarray(x, sycl_queue=queue) for x in values]
    with all_on_the_device(queue):
        result = function(*whole)
    wanted = usm.asnumpy(result)
    outs = usm.empty(2 * SOME, dtype=result.dtype, sycl_queue=queue)
    parts = list(in_layouts(values))
    results = []

    def note(variant, result, first=0):
        results.append((variant, result, first))

    with all_on_the_host(queue):
        note("all", function(*whole))
        for layout, arrays in parts:
            note(layout, function(*arrays))
        note("out", function(*(x[:SOME] for x in whole), out=outs[::-2]))
        for size, first in itertools.product(SIZES, (0, 1)):
            note(f"{size} elements", function(*(x[first : first + size] for x in whole)), first)
        for place in range(0, 200, 5):
            note("one element", function(*(x[place : place + 1] for x in whole)), place)
            if len(whole) > 1:  # one operand is a single element and broadcasts
                for k in range(len(whole)):
                    arrays = [x[place : place + 17] for x in whole]
                    arrays[k] = arrays[k][:1]
                    note("broadcast", function(*arrays)[:1], place)
    for variant, result, first in results:
        host = usm.asnumpy(result).reshape(-1)
        place = slice(first, first + host.size)
        assert_same_bits(
            host, wanted[place], *(x[place] for x in values), case=f"{name} of {inputs}, {variant}"
        )


@pytest.mark.parametrize("name", [*UNARY, *BINARY, *SPECIAL])
@pytest.mark.quirk("fmod", "svml")
def test_elementwise_functions(name, queue):
    function = (FUNCTIONS | SPECIAL)[name]
    for inputs, _ in signatures(function):
        compare(queue, name, function, inputs)


@pytest.mark.parametrize("char", "FD")
def test_third_powers_of_complex_numbers(char, queue):
    skip_without(queue.sycl_device, char)

    def cube(z, out=None):
        return usm.pow(z, 3, out=out)

    compare(queue, "cube", cube, char)
    z = usm.asarray(operands(char)[0], sycl_queue=queue)
    powers = usm.asnumpy(usm.pow(z, usm.full_like(z, 3)))
    np.testing.assert_array_equal(exact(usm.asnumpy(z**3)), exact(powers))


@pytest.mark.parametrize("name", ["frexp", "modf"])
@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("char", "efd")
def test_functions_of_two_results(char, place, name, queue):
    if np.dtype(char) not in supported_dtypes():
        pytest.skip("the device lacks the aspect fp64 or fp16")

    def part(x, out=None):
        result = getattr(usm, name)(x)[place]
        if out is None:
            return result
        out[...] = result
        return out

    compare(queue, name, part, char)


@pytest.mark.parametrize("char", [dtype.char for dtype in DTYPES])
def test_functions_of_three_operands(char, queue):
    if np.dtype(char) not in supported_dtypes():
        pytest.skip("the device lacks the aspect fp64 or fp16")
    compare(queue, "where", usm.where, "?" + char + char)
    compare(queue, "clip", usm.clip, char * 3)


# Conversions


@pytest.mark.parametrize("char", [dtype.char for dtype in DTYPES])
def test_conversions(char, queue):
    """To all types; complex numbers become real by their real parts."""
    source, supported = np.dtype(char), supported_dtypes()
    if source not in supported:
        pytest.skip("the device lacks the aspect fp64 or fp16")
    for target in supported:

        def convert(x, out=None, target=target):
            if out is None:
                return usm.astype(x, target)
            out[...] = x
            return out

        compare(queue, f"astype({target})", convert, char)


# Moves, compared byte by byte


def any_bytes(char):
    """Elements with any bits: signalling NaN, bools of any byte."""
    dtype = np.dtype(char)
    return np.frombuffer(generator(char, "bytes").bytes(SOME * dtype.itemsize), dtype)


def exact(array):
    return np.ascontiguousarray(array).reshape(-1).view("u1")


def compare_moves(queue, name, call, *arrays):
    """`call` makes or changes arrays; it gets its own copies of `arrays`."""
    results = []
    for tier in (all_on_the_device, all_on_the_host):
        own = [usm.asarray(x, sycl_queue=queue) for x in arrays]
        with tier(queue):
            found = call(*own)
            found = found if isinstance(found, tuple | list) else [found]
        results.append([usm.asnumpy(x) for x in found if x is not None])
    for device, host in zip(*results, strict=True):
        assert (device.dtype, device.shape) == (host.dtype, host.shape), name
        np.testing.assert_array_equal(exact(host), exact(device), err_msg=name)


def changed(x, key, value):
    x[key] = value
    return x


VIEWS = {
    "all": lambda x: x,
    "every other": lambda x: x[1::2],
    "backwards": lambda x: x[::-1],
    "unaligned": lambda x: x[3:],
    "transposed": lambda x: usm.reshape(x, (60, 42)).T,
    "short rows": lambda x: usm.reshape(x, (SOME // 3, 3))[:, :2],
    "five axes": lambda x: usm.permute_dims(usm.reshape(x, FIVE), (2, 0, 4, 1, 3))[:, ::-1, 1:],
    "spread": lambda x: usm.broadcast_to(usm.reshape(x[:60], (60, 1)), (60, 42)),
}


@pytest.mark.parametrize("char", "?HfdFD")
def test_copies_and_fills(char, queue):
    if np.dtype(char) not in supported_dtypes():
        pytest.skip("the device lacks the aspect fp64")
    x = any_bytes(char)
    for name, view in VIEWS.items():
        compare_moves(
            queue, f"copy of {name}", lambda x, view=view: usm.copy(view(x), order="C"), x
        )
        if name == "spread":
            continue

        def assign(x, y, view=view):
            target = view(x)
            target[...] = usm.reshape(y[: target.size], target.shape)
            return x

        compare_moves(queue, f"assignment to {name}", assign, x, x[::-1].copy())
        for value in special(char)[::9]:
            compare_moves(
                queue,
                f"{value!r} in {name}",
                lambda x, view=view, value=value: (changed(view(x), ..., value), x),
                x,
            )


def grid(x):
    return usm.reshape(x, (60, 42))


# Moves of elements x and y, by a mask m, repeated places i and unique places u.
MOVES = {
    "x[i]": lambda x, y, m, i, u: x[i],
    "x[::-2][i]": lambda x, y, m, i, u: x[::-2][i // 2],
    "x[i] of unsigned": lambda x, y, m, i, u: x[usm.astype(u, "u8")],
    "x[i] of rows": lambda x, y, m, i, u: grid(x)[i % 60],
    "x[:, i]": lambda x, y, m, i, u: grid(x)[:, i[:50] % 42],
    "x[i, j]": lambda x, y, m, i, u: grid(x)[i % 60, i % 42 - 42],
    "x.T[i, :2]": lambda x, y, m, i, u: grid(x).T[i % 42, :2],
    "x[i] of short rows": lambda x, y, m, i, u: usm.reshape(x, (840, 3))[:, ::-1][i % 840],
    "x[i] = y": lambda x, y, m, i, u: changed(x, i, y),
    "x[i] = y, each once": lambda x, y, m, i, u: changed(x, u, y[::-1]),
    "x[i] = number": lambda x, y, m, i, u: changed(x, i[:100], 1),
    "x[i, j] = y": lambda x, y, m, i, u: (changed(grid(x), (i % 60, i % 42), y), x),
    "x[:, i] = y": lambda x, y, m, i, u: (changed(grid(x), np.s_[:, i[:9] % 42], y[:9]), x),
    "take": lambda x, y, m, i, u: usm.take(x, i),
    "take of rows, wrapped": lambda x, y, m, i, u: usm.take(grid(x), i * 3, axis=1, mode="wrap"),
    "take, clipped": lambda x, y, m, i, u: usm.take(x, i * 3, mode="clip"),
    "put": lambda x, y, m, i, u: (usm.put(x, i, y), x),
    "put, wrapped": lambda x, y, m, i, u: (usm.put(x, i * 3, y, mode="wrap"), x),
    "take_along_axis": lambda x, y, m, i, u: usm.take_along_axis(grid(x), grid(i) % 60, axis=0),
    "put_along_axis": lambda x, y, m, i, u: (
        usm.put_along_axis(grid(x), grid(i) % 42, grid(y), axis=1),
        x,
    ),
    "x[mask]": lambda x, y, m, i, u: x[m],
    "x[::-1][mask]": lambda x, y, m, i, u: x[::-1][m],
    "x[1::2][mask]": lambda x, y, m, i, u: x[1::2][m[: SOME // 2]],
    "x[mask of two axes]": lambda x, y, m, i, u: grid(x).T[grid(m).T],
    "x[mask, j]": lambda x, y, m, i, u: grid(x)[m[:60], 5],
    "x[mask] = y": lambda x, y, m, i, u: changed(x, m, y[: x[m].size]),
    "x[::-1][mask] = y": lambda x, y, m, i, u: (changed(x[::-1], m, y[: x[m].size]), x),
    "x[mask] = number": lambda x, y, m, i, u: changed(x, m, 1),
    "nonzero": lambda x, y, m, i, u: usm.nonzero(x),
    "nonzero of two axes": lambda x, y, m, i, u: usm.nonzero(grid(m)),
    "nonzero of five axes": lambda x, y, m, i, u: usm.nonzero(usm.reshape(m, FIVE)),
    "extract": lambda x, y, m, i, u: usm.extract(m, x),
    "place": lambda x, y, m, i, u: (usm.place(x, m, y[:7]), x),
    "place in a view": lambda x, y, m, i, u: (usm.place(grid(x).T, grid(m).T, y[5:6]), x),
    "tril": lambda x, y, m, i, u: [usm.tril(grid(x), k=k) for k in (-60, -7, 0, 5, 41)],
    "triu": lambda x, y, m, i, u: [usm.triu(usm.reshape(x, FIVE), k=k) for k in (-6, -1, 0, 3)],
    "concat": lambda x, y, m, i, u: usm.concat([x, y[::3], x[:1]]),
    "stack": lambda x, y, m, i, u: usm.stack([x, y], axis=1),
    "roll": lambda x, y, m, i, u: usm.roll(grid(x), (5, 7), axis=(0, 1)),
    "repeat": lambda x, y, m, i, u: usm.repeat(x[:60], abs(i[:60]) % 9),
    "tile": lambda x, y, m, i, u: usm.tile(grid(x), (2, 3)),
}


@pytest.mark.parametrize("char", "?HfdFD")
def test_indexing(char, queue):
    if np.dtype(char) not in supported_dtypes():
        pytest.skip("the device lacks the aspect fp64")
    random = generator(char, "places")
    x, mask = any_bytes(char), (random.integers(0, 256, SOME) & random.integers(0, 2, SOME) * 255)
    mask, places = mask.astype("u1").view("?"), random.integers(-SOME, SOME, SOME)
    for name, call in MOVES.items():
        compare_moves(queue, name, call, x, x[::-1].copy(), mask, places, random.permutation(SOME))


@pytest.mark.parametrize("size", [1, 63, 64, 65, 1000, 70_000])
def test_masks_and_places_of_all_sizes(size, queue):
    """Sizes for which the device divides the work among several threads."""
    random = np.random.default_rng(size)
    x, places = random.integers(0, 99, size), random.integers(-size, size, 2 * size)
    for some in (0, 0.01, 0.5, 1):
        mask = random.random(size) < some
        compare_moves(queue, "x[mask]", lambda x, m: [x[m], *usm.nonzero(m)], x, mask)
        for array in (x, x[::2].astype("u1"), x.astype("f2"), x.astype("c8"), x[::-1]):
            own = mask[: array.size]
            compare_moves(queue, "x[mask] = 1", lambda x, m: changed(x, m, 1), array, own)
    compare_moves(queue, "x[i]", lambda x, i: x[i], x, places)
    compare_moves(queue, "x[i] = i", lambda x, i: changed(x, i, i), x, places)


# Ranges


@pytest.mark.parametrize("char", [dtype.char for dtype in DTYPES[1:]])
def test_ranges(char, queue):
    dtype = np.dtype(char)
    if dtype not in supported_dtypes():
        pytest.skip("the device lacks the aspect fp64 or fp16")
    whole = dtype.kind in "iu"
    pairs = [(0, 1), (100, -1), (5, 3)] if whole else [(0, 1), (9, -0.1), (-0.0, 0.1), (7.5, 1e-3)]

    def ranges():
        for start, step in pairs:
            for count in (1, 2, 3, 17, 100) if whole else (1, 2, 17, 33, 1000):
                stop = start + step * count
                if dtype.itemsize == 1 and not -128 * (char == "b") <= stop < 128:
                    continue
                if char in "BHIL" and stop < 0:
                    continue
                yield usm.arange(start, stop, step, dtype=dtype, sycl_queue=queue)
                for closed in (True, False):
                    yield usm.linspace(
                        start, stop, count, dtype=dtype, endpoint=closed, sycl_queue=queue
                    )
        yield usm.full((3, 5), 7, dtype=dtype, sycl_queue=queue)
        yield usm.eye(9, 13, k=2, dtype=dtype, sycl_queue=queue)

    compare_moves(queue, f"ranges of {dtype}", lambda: list(ranges()))


# All rows

# Other rows, which the tests above compare.
ROWS = {
    *("cube", "frexp_fraction", "frexp_exponent", "modf_fraction", "modf_whole"),
    *("cast", "copy", "fill", "linear", "steps", "outside", "gather", "scatter"),
    *(
        "scatter_last",
        "insert_indices",  # of other devices alone, as the next one
        "last_indices",
        "add_offset",
        "add_digit",
        "outside_range",
        "count_true",
        "positions",
        "compress",
        "place",
        "repeat_runs",
        "where",
        "clip",
    ),
}
# Families whose own tests compare the tiers; tests measure launches with "zero".
ELSEWHERE = {"counting", "reduction", "position", "scan", "product", "random", "sorting"}
ELSEWHERE |= {"ranges", "sampling", "searching"}


def test_every_row_is_compared():
    table = Path(__file__).parent.parent / "libtensor" / "operators.toml"
    families = tomllib.loads(table.read_text(encoding="utf-8"))
    for name in ("loops", "groups", "kinds", "notes"):
        del families[name]
    assert families.keys() >= ELSEWHERE
    rows = {
        name
        for family, entries in families.items()
        if family not in ELSEWHERE
        for name, row in entries.items()
        if type(row) is dict
    }
    assert rows == {*UNARY, *BINARY, *SPECIAL} | ROWS | {"zero"}
