"""The measured cases and their targets: one row a case, in `CASES`.

A case names its reference and its target. The ratio is speed over the reference's speed where more
is better (`at_least`), and time or size over the reference's where less is better (`at_most`).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import metadata
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from . import libraries
from .libraries import NUMPY, Library
from .measure import (
    Subject,
    constant,
    first_call,
    first_result,
    import_time,
    statement,
    submission,
    together,
)


class Setting:
    """The libraries and the queue of one run."""

    def __init__(self, wheel: Path | None = None):
        self.wheel = wheel
        self.usmtensor, self.queue = libraries.usmtensor()
        self.dpnp = libraries.dpnp()
        self.arrays = [library for library in (self.usmtensor, NUMPY, self.dpnp) if library]


@dataclass(frozen=True)
class Target:
    limit: float
    more_is_better: bool

    def ratio(self, measured: float, reference: float) -> float:
        return reference / measured if self.more_is_better else measured / reference

    def met(self, ratio: float) -> bool:
        return ratio >= self.limit if self.more_is_better else ratio <= self.limit

    def __str__(self):
        return f"{'≥' if self.more_is_better else '≤'} {self.limit:g}"


def at_least(limit: float) -> Target:
    return Target(limit, True)


def at_most(limit: float) -> Target:
    return Target(limit, False)


@dataclass(frozen=True)
class Prepared:
    """A case with its data in place: subjects by name, and bytes read and written per call."""

    subjects: dict[str, Subject]
    moved: int | None = None


@dataclass(frozen=True)
class Case:
    group: str
    name: str
    against: str  # the subject that is the reference
    target: Target
    prepare: Callable[[Setting], Prepared | None] = field(repr=False)  # None: does not apply
    unit: str = "s"
    rest: float = 0  # seconds between samples

    @property
    def title(self) -> str:
        return f"{self.group}: {self.name}"


# Functions that prepare cases -------------------------------------------------------------------


def pattern(shape, dtype) -> np.ndarray:
    """Values that every dtype holds, cheap to make."""
    return np.resize(np.arange(101).astype(dtype), shape)


def assignment(source: Callable[[Library], Any], dtype) -> Callable[[Setting], Prepared]:
    """`y[...] = x` into an existing C-contiguous array of `dtype`."""

    def prepare(setting: Setting) -> Prepared:
        subjects = {}
        for library in setting.arrays:
            x = source(library)
            y = library.empty(x.shape, dtype)
            y[...] = x
            namespace = {"x": x, "y": y, "wait": library.wait}
            subjects[library.name] = statement(library.timed("y[...] = x"), namespace)
        moved = x.size * (x.dtype.itemsize + y.dtype.itemsize)
        subjects["memcpy"] = _memcpy(setting, moved // 2)
        return Prepared(subjects, moved)

    return prepare


def _memcpy(setting: Setting, nbytes: int) -> Subject:
    """The queue's own copy, which reads and writes `nbytes` and waits."""
    source, target = (setting.usmtensor.array(pattern(nbytes, "u1")) for _ in range(2))
    namespace = {
        "memcpy": setting.queue.memcpy,
        "source": source.usm_data,
        "target": target.usm_data,
        "nbytes": nbytes,
    }
    return statement("memcpy(target, source, nbytes)", namespace)


def call(code: str, x: np.ndarray, numpy: str | None = None, waited: bool = False, arrays: int = 1):
    """`code` over an array `x` and its namespace `xp`, or `numpy` for NumPy. The kernel takes so
    many arrays."""

    def prepare(setting: Setting) -> Prepared:
        subjects = {}
        for library in setting.arrays:
            namespace = {"xp": library.xp, "x": library.array(x), "wait": library.wait}
            namespace["float64"] = library.xp.float64
            text = numpy if numpy and library is NUMPY else code
            subjects[library.name] = statement(library.timed(text) if waited else text, namespace)
        subjects["floor"] = _floor(setting, arrays)
        return Prepared(subjects)

    return prepare


def _floor(setting: Setting, arrays: int, waited: bool = True) -> Subject:
    """The least time of an operation: the launch of an empty kernel with as many arrays as the
    operation has, inputs and output, and the wait for it. Each array costs the driver about 0.2
    µs."""
    from usmtensor._hooks import launch_floor

    return lambda number: launch_floor(setting.queue, number, arrays)[waited]


def submitted(code: str, x: np.ndarray, arrays: int) -> Callable[[Setting], Prepared]:
    """`code` until it returns. The wait for its work is not in the time."""

    def prepare(setting: Setting) -> Prepared:
        subjects = {}
        for library in setting.arrays:
            if library.wait:
                namespace = {"xp": library.xp, "x": library.array(x)}
                namespace["float64"] = library.xp.float64
                subjects[library.name] = submission(code, namespace, library.wait)
        subjects["floor"] = _floor(setting, arrays, waited=False)
        return Prepared(subjects)

    return prepare


def empty(shape: int) -> Callable[[Setting], Prepared]:
    """`empty` from a warm pool, against NumPy's of 8 elements."""

    def prepare(setting: Setting) -> Prepared:
        subjects = {}
        for library in setting.arrays:
            namespace = {"xp": library.xp, "shape": 8 if library is NUMPY else shape}
            subjects[library.name] = statement("xp.empty(shape)", namespace)
        return Prepared(subjects)

    return prepare


def result(code: str, dtype: str, numpy: str) -> Callable[[Setting], Prepared]:
    """`code` into new arrays of `dtype`, repeatedly."""

    def prepare(setting: Setting) -> Prepared:
        subjects = {}
        for library in setting.arrays:
            x = library.array(pattern(COUNT, "f4"))
            namespace = {"xp": library.xp, "x": x, "wait": library.wait}
            text = numpy if library is NUMPY else library.timed(code)
            subjects[library.name] = statement(text, namespace)
        moved = COUNT * (4 + np.dtype(dtype).itemsize)
        subjects["memcpy"] = _memcpy(setting, moved // 2)
        return Prepared(subjects, moved)

    return prepare


def very_first(setting: Setting) -> Prepared:
    return Prepared({name: first_result(name, COUNT) for name in ("usmtensor", "numpy")})


def scalar(usm_type: str) -> Callable[[Setting], Prepared]:
    def prepare(setting: Setting) -> Prepared:
        x = setting.usmtensor.xp.ones(8, usm_type=usm_type, sycl_queue=setting.queue)
        return Prepared(
            {"usmtensor": statement("float(x[0])", {"x": x}), "floor": _floor(setting, 1)}
        )

    return prepare


def threads(count: int) -> Callable[[Setting], Prepared]:
    """Small operations of several threads on one queue, against that number on one thread."""

    def prepare(setting: Setting) -> Prepared:
        library = setting.usmtensor
        spaces = [{"xp": library.xp, "x": library.array(VECTOR)} for _ in range(count)]
        return Prepared(
            {
                "usmtensor": together("xp.copy(x)", spaces, library.wait),
                "one thread": together("xp.copy(x)", spaces[:1], library.wait),
            }
        )

    return prepare


def transfer(code: str, make: Callable[[Library], Any]) -> Callable[[Setting], Prepared]:
    """Between NumPy and the device, against a memcpy of the host."""

    def prepare(setting: Setting) -> Prepared:
        library = setting.usmtensor
        namespace = {"xp": library.xp, "x": make(library)}
        host = {"to": pattern(COUNT, "f4"), "from_": pattern(COUNT, "f4"), "np": np}
        return Prepared(
            {
                "usmtensor": statement(code, namespace),
                "host memcpy": statement("np.copyto(to, from_)", host),
            },
            2 * 4 * COUNT,
        )

    return prepare


def selection(code: str) -> Callable[[Setting], Prepared]:
    """`code` over `x` and `m`, a random mask of COUNT elements, `i`, 2²² random positions among
    them, and as many values `v`."""

    def prepare(setting: Setting) -> Prepared:
        random = np.random.default_rng(0)
        data = {
            "x": random.random(COUNT, dtype="f4"),
            "m": random.random(COUNT, dtype="f4") < 0.5,
            "i": random.integers(0, COUNT, 2**22),
            "v": random.random(2**22, dtype="f4"),
        }
        subjects = {}
        for library in setting.arrays:
            namespace = {name: library.array(value) for name, value in data.items()}
            subjects[library.name] = statement(
                library.timed(code), {**namespace, "xp": library.xp, "wait": library.wait}
            )
        return Prepared(subjects)

    return prepare


def ordering(code: str, dtype: str, count: int = 2**22, numpy: str | None = None):
    """`code` over `x` and `y`, `count` random elements each, and `s`, the sorted `y`."""

    def prepare(setting: Setting) -> Prepared:
        random = np.random.default_rng(0)
        limits = np.iinfo(dtype) if dtype[0] == "i" else None
        data = {
            name: random.integers(limits.min, limits.max, count, dtype, endpoint=True)
            if limits
            else random.random(count, dtype)
            for name in "xy"
        }
        data["s"] = np.sort(data["y"])
        subjects = {}
        for library in setting.arrays:
            text = numpy if numpy and library is NUMPY else code
            namespace = {name: library.array(value) for name, value in data.items()}
            subjects[library.name] = statement(
                library.timed(text), {**namespace, "xp": library.xp, "wait": library.wait}
            )
        return Prepared(subjects)

    return prepare


class Shown:
    """An object that gives an array by one interface only."""

    def __init__(self, x, interface: str):
        setattr(self, interface, getattr(x, interface))


def exchange(code: str, numpy: str | None = None, usm_type: str = "device"):
    """`code` over 8 elements: `x`, `shown` (a `Shown` of it) and `buffer` (a memoryview)."""

    def prepare(setting: Setting) -> Prepared:
        subjects = {}
        for library in setting.arrays:
            interface, text, x = "__sycl_usm_array_interface__", code, library.array(VECTOR)
            if library is NUMPY:
                interface, text = "__array_interface__", numpy or code
            elif usm_type != "device":
                if library is not setting.usmtensor:  # arrays of the others have no buffers
                    continue
                x = library.xp.asarray(x, usm_type=usm_type)
            namespace = {"xp": library.xp, "np": np, "x": x, "shown": Shown(x, interface)}
            namespace["buffer"] = memoryview(VECTOR)
            subjects[library.name] = statement(text, namespace)
        return Prepared(subjects)

    return prepare


def exchanges() -> Iterator[Case]:
    for name, prepare, times_numpy, times_dpnp in (
        (
            "reading __sycl_usm_array_interface__",
            exchange("x.__sycl_usm_array_interface__", "x.__array_interface__"),
            1.5,
            2,
        ),
        ("asarray of such an object", exchange("xp.asarray(shown)"), 8, 2),
        ("x.__dlpack__()", exchange("x.__dlpack__()"), 6, 5),
        ("from_dlpack(x)", exchange("xp.from_dlpack(x)"), 12, 5),
    ):
        yield Case("exchange", name, "numpy", at_most(times_numpy), prepare)
        beside = if_dpnp(prepare)
        yield Case("exchange", f"{name}, beside dpnp", "dpnp", at_least(times_dpnp), beside)
    shared = exchange("np.asarray(x)", "np.asarray(buffer)", "shared")
    yield Case("exchange", "np.asarray of a shared array", "numpy", at_most(3), shared)


def if_dpnp(prepare: Callable[[Setting], Prepared]) -> Callable[[Setting], Prepared | None]:
    return lambda setting: prepare(setting) if setting.dpnp else None


def imports(setting: Setting) -> Prepared:
    subjects = {
        "usmtensor": import_time("usmtensor", after="numpy"),
        "numpy": import_time("numpy"),
    }
    if setting.dpnp:
        subjects["dpnp"] = import_time("dpnp.tensor", after="numpy")
    return Prepared(subjects)


def first_use(name: str, limit: float, **how) -> Case:
    """The first operation of a process against a limit in seconds."""

    def prepare(setting: Setting) -> Prepared:
        return Prepared({"usmtensor": first_call(**how), "limit": constant(limit)})

    return Case("first call", name, "limit", at_most(1), prepare)


def size(measure: Callable[[Setting], int | None], limit: float):
    """Megabytes against a limit."""

    def prepare(setting: Setting) -> Prepared | None:
        nbytes = measure(setting)
        if nbytes is None:
            return None
        return Prepared({"usmtensor": constant(nbytes / 1e6), "limit": constant(limit)})

    return prepare


def wheel_size(setting: Setting) -> int | None:
    return setting.wheel.stat().st_size if setting.wheel else None


def package_size(setting: Setting) -> int:
    files = (Path(file.locate()) for file in metadata.files("usmtensor"))
    return sum(file.stat().st_size for file in files if file.is_file())


# The cases --------------------------------------------------------------------------------------

COUNT = 2**25
WIDE = ("f4", "f8", "i4", "i8", "c16")
BYTES = ("b1", "i1", "u1")
DISTRIBUTIONS = ["normal(0, 1)", "exponential(1)", "gumbel(0, 1)", "laplace(0, 1)"]
DISTRIBUTIONS += ["standard_gamma(2)", "beta(2, 3)", "standard_t(5)", "vonmises(0, 4)"]
DISTRIBUTIONS += ["poisson(3)", "poisson(100)", "binomial(10, 0.3)", "binomial(1000, 0.3)"]
DISTRIBUTIONS += [
    "geometric(0.3)",
    "hypergeometric(15, 15, 15)",
    "multinomial(10, [0.2, 0.3, 0.5])",
]


def contiguous(source: str, target: str, limit: float) -> Case:
    name = f"copy {source}" if source == target else f"astype {source} → {target}"
    prepare = assignment(lambda library: library.array(pattern(COUNT, source)), target)
    return Case("contiguous", name, "memcpy", at_least(limit), prepare)


def permuted(shape: tuple, axes: tuple):
    return lambda library: library.xp.permute_dims(library.array(pattern(shape, "f4")), axes)


def indexed(shape, key):
    return lambda library: library.array(pattern(shape, "f4"))[key]


def repeated(count: int, length: int):
    return lambda library: library.repeat_row(library.array(pattern(length, "f4")), count)


# Layout of the source, the source, NumPy's speed times this at least.
LAYOUTS = [
    ("transpose 8192²", permuted((8192, 8192), (1, 0)), 8),
    ("(2²², 3) → (3, 2²²)", permuted((2**22, 3), (1, 0)), 1.5),
    ("(3, 2²²) → (2²², 3)", permuted((3, 2**22), (1, 0)), 1.5),
    ("5-d permuted", permuted((16, 32, 16, 64, 32), (3, 1, 4, 0, 2)), 1.5),
    ("[::2]", indexed(COUNT, np.s_[::2]), 1.5),
    ("reversed", indexed(COUNT, np.s_[::-1]), 1),
    ("padded rows", indexed((8192, 4112), np.s_[:, :4096]), 1),
    ("rows of 256, stride 512", indexed((2**16, 512), np.s_[:, :256]), 1),
    ("broadcast row", repeated(8192, 4096), 1),
]


def layouts() -> Iterator[Case]:
    for name, source, limit in LAYOUTS:
        yield Case("strided copy f4", name, "numpy", at_least(limit), assignment(source, "f4"))
    for name, source, _ in LAYOUTS:
        yield Case("strided f4 → f8", name, "numpy", at_least(1), assignment(source, "f8"))


def computed(
    code: str, operands: Callable[[Library], dict], result: str, out: bool = False
) -> Callable[[Setting], Prepared]:
    """`code` over named operands, with a result of a data type, in `out` or in a new array."""

    def prepare(setting: Setting) -> Prepared:
        subjects, moved = {}, 0
        for library in setting.arrays:
            given = operands(library)
            namespace = {"xp": library.xp, "wait": library.wait, **given}
            arrays = list(given.values())
            shape = np.broadcast_shapes(*(x.shape for x in arrays))
            if out:
                namespace["out"] = library.empty(shape, result)
                namespace["out"][...] = 0
            moved = int(np.prod(shape)) * np.dtype(result).itemsize
            moved += sum(x.size * x.dtype.itemsize for x in arrays)
            subjects[library.name] = statement(library.timed(code), namespace)
        subjects["memcpy"] = _memcpy(setting, moved // 2)
        return Prepared(subjects, moved)

    return prepare


def user_kernel(setting: Setting) -> Prepared:
    """x * y + z into `out`, by a kernel of the user."""
    library = setting.usmtensor
    names = ("x", "y", "z", "out")
    namespace = {name: library.array(pattern(COUNT, "f4")) for name in names}
    namespace["kernel"] = library.xp.ElementwiseKernel("T x, T y, T z", "T w", "w = x * y + z")
    code = library.timed("kernel(x, y, z, out)")
    moved = 4 * namespace["x"].nbytes
    subjects = {library.name: statement(code, {"wait": library.wait, **namespace})}
    subjects["memcpy"] = _memcpy(setting, moved // 2)
    return Prepared(subjects, moved)


def black_scholes(xp, spot, strike, years):
    """The prices of options: 25 operations."""

    def below(d):
        a = xp.abs(d)
        u = 1 / (1 + 0.2316419 * a)
        p = u * (0.31938153 + u * (-0.356563782 + u * (1.781477937 + u * (-1.821255978 + u))))
        tail = 0.3989422804 * xp.exp(-0.5 * a * a) * p
        return xp.where(d > 0, 1 - tail, tail)

    spread = 0.2 * xp.sqrt(years)
    d = (xp.log(spot / strike) + 0.05 * years) / spread
    return spot * below(d) - strike * xp.exp(-0.03 * years) * below(d - spread)


def fused(function: Callable, count: int) -> Callable[[Setting], Prepared]:
    """`function` of three arrays as one kernel, into an array, and unfused; and NumPy's."""

    def prepare(setting: Setting) -> Prepared:
        subjects, values = {}, np.random.default_rng(0).random((3, count), dtype="f4") + 1
        for library in setting.arrays[:2]:
            x, y, z = (library.array(one) for one in values)
            names = {"f": lambda *x, xp=library.xp: function(xp, *x), "x": x, "y": y, "z": z}
            names |= {"wait": library.wait, "out": library.empty(count, "f4")}
            if library is setting.usmtensor:
                subjects["unfused"] = statement(library.timed("f(x, y, z)"), names)
                names = names | {"f": library.xp.fuse(names["f"])}
                subjects["usmtensor"] = statement(library.timed("f(x, y, z, out=out)"), names)
            else:
                subjects[library.name] = statement(library.timed("f(x, y, z)"), names)
        moved = 4 * values[0].nbytes
        subjects["memcpy"] = _memcpy(setting, moved // 2)
        return Prepared(subjects, moved)

    return prepare


def drawn(name: str, dtype: str) -> Callable[[Setting], Prepared]:
    """Random numbers of a distribution, into an array."""

    def prepare(setting: Setting) -> Prepared:
        subjects = {}
        for library in setting.arrays[:2]:
            ours = library is setting.usmtensor
            philox = np.random.Generator(np.random.Philox(0))
            rng = library.xp.random.default_rng(0) if ours else philox
            names = {"rng": rng, "out": library.empty(COUNT, dtype), "wait": library.wait}
            code = library.timed(f"rng.{name}({COUNT}, {dtype!r}, out)")
            subjects[library.name] = statement(code, names)
        return Prepared(subjects, COUNT * np.dtype(dtype).itemsize)

    return prepare


def sampled(call: str) -> Callable[[Setting], Prepared]:
    """A million samples of a distribution, as a new array; NumPy's generator is its default."""

    def prepare(setting: Setting) -> Prepared:
        subjects = {}
        for library in setting.arrays[:2]:
            names = {"rng": library.xp.random.default_rng(0), "wait": library.wait}
            code = library.timed(f"rng.{call.removesuffix(')')}, size=10**6)")
            subjects[library.name] = statement(code, names)
        return Prepared(subjects)

    return prepare


def pair(shape, dtype, other=None):
    """x of a shape, y of this or another shape."""
    return lambda library: {
        "x": library.array(pattern(shape, dtype)),
        "y": library.array(pattern(other or shape, dtype)),
    }


def spread(dtype, low=-5):
    """x, random in an interval of length 10, so that no branch on a value can be predicted."""
    return lambda library: {
        "x": library.array(
            np.random.default_rng(0).random(COUNT, dtype) * np.array(10, dtype) + low
        )
    }


def chosen(library: Library) -> dict:
    """x, y, and a random condition c."""
    condition = np.random.default_rng(0).random(COUNT, dtype="f4") < 0.5
    return {**pair(COUNT, "f4")(library), "c": library.array(condition)}


def elementwise() -> Iterator[Case]:
    for dtype in ("f4", "f8"):
        for name, code, operands, result in [
            ("x + y into out", "xp.add(x, y, out=out)", pair(COUNT, dtype), dtype),
            ("x * 2.0 into out", "xp.multiply(x, 2.0, out=out)", spread(dtype), dtype),
            ("x += y", "x.__iadd__(y)", pair(COUNT, dtype), dtype),
            ("x < y into out", "xp.less(x, y, out=out)", pair(COUNT, dtype), "?"),
        ]:
            prepare = computed(code, operands, result, out="out" in code)
            yield Case("elementwise", f"{dtype} {name}", "memcpy", at_least(0.85), prepare)
        for code, operands, result in [
            ("x + y", pair(COUNT, dtype), dtype),
            ("x < y", pair(COUNT, dtype), "?"),
            ("x ** 2", spread(dtype), dtype),
        ]:
            prepare = computed(code, operands, result)
            yield Case("elementwise", f"{dtype} {code}", "numpy", at_least(1.5), prepare)
        for name, code, low in [
            ("exp", "xp.exp(x, out=out)", -5),
            ("log", "xp.log(x, out=out)", 0),
            ("sin", "xp.sin(x, out=out)", -5),
            ("tanh", "xp.tanh(x, out=out)", -5),
            ("sqrt", "xp.sqrt(x, out=out)", 0),
            ("pow", "xp.pow(x, 1.7, out=out)", 0),
        ]:
            prepare = computed(code, spread(dtype, low), dtype, out=True)
            yield Case("elementwise", f"{dtype} {name}", "numpy", at_least(1.6), prepare)
    for name, other in [("row", (1, 8192)), ("column", (4096, 1))]:
        prepare = computed("x + y", pair((4096, 8192), "f4", other), "f4")
        yield Case("elementwise", f"x + y, broadcast {name}", "numpy", at_least(1.2), prepare)
    permuted = computed(
        "x + y",
        lambda library: {
            "x": library.xp.permute_dims(library.array(pattern((256, 512, 256), "f4")), (2, 0, 1)),
            "y": library.array(pattern((256, 256, 512), "f4")),
        },
        "f4",
    )
    yield Case("elementwise", "x + y, 3-d permuted", "numpy", at_least(1.2), permuted)
    prepare = computed("xp.where(c, x, y)", chosen, "f4")
    yield Case("elementwise", "where f4", "numpy", at_least(4), prepare)


VECTOR = pattern(8, "f4")
MATRIX = pattern((4, 8), "f4")


def overhead(name: str, prepare) -> Case:
    return Case("8 elements, waited", name, "floor", at_most(2.5), prepare)


def unwaited(name: str, prepare) -> Case:
    return Case("8 elements, not waited", name, "floor", at_most(1.5), prepare)


def view(code: str, x: np.ndarray) -> Case:
    return Case("view, attribute", code.replace("xp.", ""), "numpy", at_most(5), call(code, x))


def selections() -> Iterator[Case]:
    for name, code, limit in (
        ("x[mask]", "y = x[m]", 4),
        ("x[mask] = 0", "x[m] = 0", 4),
        ("nonzero(x)", "y = xp.nonzero(x)", 4),
        ("nonzero(mask)", "y = xp.nonzero(m)", 4),
        ("take 2²² of 2²⁵", "y = xp.take(x, i)", 1.5),
        ("x[i], 2²² of 2²⁵", "y = x[i]", 1.5),
        ("put 2²² of 2²⁵", "xp.put(x, i, v)", 1.5),
        ("x[i] = v, 2²² of 2²⁵", "x[i] = v", 0.8),
    ):
        yield Case("indexing", name, "numpy", at_least(limit), selection(code))


def sorting() -> Iterator[Case]:
    for dtype in ("f4", "f8", "i4", "i8"):
        for name, count, limit in (("2²²", 2**22, 0.8), ("10³", 1000, 1)):
            prepare = ordering("xp.sort(x)", dtype, count)
            yield Case("sorting", f"sort {dtype}, {name}", "numpy", at_least(limit), prepare)
        prepare = ordering("xp.argsort(x)", dtype)
        yield Case("sorting", f"argsort {dtype}, 2²²", "numpy", at_least(2.5), prepare)
    for dtype in ("i4", "f4"):
        prepare = ordering("xp.unique_values(x)", dtype, numpy="xp.unique(x)")
        yield Case("sorting", f"unique_values {dtype}", "numpy", at_least(4), prepare)
    for name, code, numpy in (
        ("searchsorted 2²² in 2²²", "xp.searchsorted(s, x)", None),
        ("isin 2²² in 2²²", "xp.isin(x, y)", None),
        ("top_k, 100 of 2²²", "xp.top_k(x, 100)", "xp.argpartition(x, -100)"),
    ):
        yield Case("sorting", name, "numpy", at_least(2), ordering(code, "f4", numpy=numpy))


# The threads of OpenBLAS keep the cores busy for 0.1 s after a call: the next library waits.
REST = 0.15


def products() -> Iterator[Case]:
    for dtype in ("f4", "f8"):
        for n, target in (
            (8, at_most(1.2)),
            (64, at_most(1.3)),
            (1024, at_least(0.97)),
            (2048, at_least(0.97)),
        ):
            prepare = call("xp.matmul(x, x)", pattern((n, n), dtype), waited=True)
            yield Case("products", f"matmul {dtype}, {n}", "numpy", target, prepare, rest=REST)
    for dtype, n, count, limit in (
        ("i4", 512, 1, 10),
        ("i8", 512, 1, 10),
        ("f4", 4, 10_000, 2),
        ("f4", 16, 10_000, 2),
    ):
        prepare = call("xp.matmul(x, x)", pattern((count, n, n), dtype), waited=True)
        yield Case("products", f"matmul {dtype}, {count} of {n}", "numpy", at_least(limit), prepare)
    for shape in ((1 << 22,), (1000, 1000), (100_000, 8)):
        prepare = call("xp.vecdot(x, x)", pattern(shape, "f4"), waited=True)
        name = " x ".join(map(str, shape))
        yield Case("products", f"vecdot f4, {name}", "numpy", at_least(2), prepare)


def positive(*shape: int) -> np.ndarray:
    """Positive definite matrices."""
    x = np.random.default_rng(0).normal(size=shape)
    return x @ np.swapaxes(x, -1, -2) + np.eye(shape[-1])


def by_library() -> Iterator[Case]:
    """Functions of `linalg` and `fft`. The library is oneMKL, NumPy's or our own."""

    def late(code: str, make: Callable[..., np.ndarray], *arguments: Any):
        return lambda setting: call(code, make(*arguments), waited=True)(setting)

    for shape, names, target in (
        ((512, 512), ("cholesky", "eigh", "qr", "svd", "solve"), at_least(0.95)),
        ((10_000, 8, 8), ("eigh", "inv", "svd", "solve"), at_least(1.5)),
        ((4, 4), ("det", "inv", "solve"), at_most(1.5)),
    ):
        for name in names:
            code = f"xp.linalg.{name}(x{', x' if name == 'solve' else ''})"
            title = f"{name} f8, {' x '.join(map(str, shape))}"
            yield Case("linalg", title, "numpy", target, late(code, positive, *shape), rest=REST)
    for name, shape, dtype, target in (
        ("fft", (1 << 22,), "c16", at_least(0.95)),
        ("fftn", (4096, 4096), "c8", at_least(1.6)),
        ("fft", (1 << 12, 1 << 10), "c8", at_least(1.6)),
        ("fft", (8,), "f8", at_most(1.5)),
    ):
        title = f"{name} {dtype}, {' x '.join(map(str, shape))}"
        prepare = late(f"xp.fft.{name}(x)", pattern, shape, dtype)
        yield Case("fft", title, "numpy", target, prepare)


def reduction(name: str, shape: tuple, axis: int | None) -> Callable[[Setting], Prepared]:
    """A reduction of random numbers other than zero. For `any` all are zero: it must read them
    all."""

    def prepare(setting: Setting) -> Prepared:
        x = np.random.default_rng(0).random(shape, dtype="f4") + np.float32(0.5)
        x *= name != "any"
        code, subjects = f"xp.{name}(x, axis={axis})", {}
        for library in setting.arrays:
            namespace = {"xp": library.xp, "x": library.array(x), "wait": library.wait}
            subjects[library.name] = statement(library.timed(code), namespace)
        if x.nbytes > 1 << 24:  # beyond most caches: the speed of memory
            subjects["memcpy"] = _memcpy(setting, x.nbytes // 2)
        return Prepared(subjects, x.nbytes)

    return prepare


WHOLE, ROWS, COLUMNS = ((COUNT,), None), ((4096, 8192), 1), ((4096, 8192), 0)
MIDDLE, THREES, EIGHTS = ((64, 512, 1024), 1), ((COUNT // 3, 3), 1), ((COUNT // 8, 8), 1)
# The function, the shape and the axis, NumPy's speed times this at least.
REDUCTIONS = [
    *((name, place, 2) for name in ("sum", "mean") for place in (WHOLE, ROWS)),
    *((name, place, 1.5) for name in ("max", "min") for place in (WHOLE, ROWS)),
    *((name, place, 1.2) for name in ("sum", "max") for place in (COLUMNS, MIDDLE, THREES, EIGHTS)),
    *(("std", place, 4) for place in (WHOLE, ROWS, COLUMNS)),
    *(("argmax", place, 1.2) for place in (WHOLE, ROWS, COLUMNS)),
    *((name, WHOLE, 1.5) for name in ("any", "all", "count_nonzero")),
    *(("cumulative_sum", place, 4) for place in (((COUNT,), 0), ROWS, COLUMNS)),
    *(
        (name, ((size,), None), 1.25 if size == 8 else 1)
        for name in ("sum", "max", "any")
        for size in (8, 1000, 10_000, 100_000)
    ),
]


def reductions() -> Iterator[Case]:
    for name, (shape, axis), limit in REDUCTIONS:
        title = f"{name} of {' × '.join(map(str, shape))}" + (
            "" if axis is None else f", axis {axis}"
        )
        yield Case("reductions", title, "numpy", at_least(limit), reduction(name, shape, axis))


multiply_add = fused(lambda xp, x, y, z: x * y + z, COUNT)
length = fused(lambda xp, x, y, z: xp.sqrt(x * x + y * y + z * z), COUNT)
options = fused(black_scholes, COUNT // 2)

CASES: list[Case] = [
    *(contiguous(a, b, 0.85) for a, b in product(WIDE, WIDE)),
    *(contiguous(a, b, 0.6) for a, b in product(WIDE + BYTES, BYTES)),
    *(contiguous(a, b, 0.6) for a, b in product(BYTES, WIDE)),
    *layouts(),
    *elementwise(),
    Case("user", "f4 x * y + z into out", "memcpy", at_least(0.85), user_kernel),
    *(
        Case("fused", f"x * y + z, against {name}", name, at_least(limit), multiply_add)
        for name, limit in (("memcpy", 0.85), ("unfused", 1.8))
    ),
    *(
        Case("fused", f"sqrt(x * x + y * y + z * z), against {name}", name, at_least(limit), length)
        for name, limit in (("memcpy", 0.7), ("unfused", 1.8))
    ),
    *(
        Case("fused", f"Black-Scholes, against {name}", name, at_least(limit), options)
        for name, limit in (("unfused", 4), ("numpy", 8))
    ),
    *(
        Case("random", f"{name} {dtype}", "numpy", at_least(4), drawn(name, dtype))
        for name, dtype in product(("random", "standard_normal"), ("f8", "f4"))
    ),
    *(Case("distribution", call, "numpy", at_least(1), sampled(call)) for call in DISTRIBUTIONS),
    overhead("x + x", call("x + x", VECTOR, waited=True, arrays=3)),
    overhead("x + 1.0", call("x + 1.0", VECTOR, waited=True, arrays=2)),
    unwaited("x + x", submitted("x + x", VECTOR, 3)),
    unwaited("x + 1.0", submitted("x + 1.0", VECTOR, 2)),
    *selections(),
    *sorting(),
    *products(),
    *by_library(),
    *reductions(),
    overhead("copy", call("xp.copy(x)", VECTOR, waited=True, arrays=2)),
    overhead(
        "astype", call("xp.astype(x, float64)", VECTOR, "x.astype(float64)", waited=True, arrays=2)
    ),
    unwaited("copy", submitted("xp.copy(x)", VECTOR, 2)),
    unwaited("astype", submitted("xp.astype(x, float64)", VECTOR, 2)),
    Case("memory", "empty(8)", "numpy", at_most(8), empty(8)),
    Case("memory", "empty(2²⁵)", "numpy", at_most(16), empty(COUNT)),
    Case(
        "new arrays",
        "copy f4",
        "memcpy",
        at_least(0.8),
        result("y = xp.copy(x)", "f4", "y = x.copy()"),
    ),
    Case(
        "new arrays",
        "astype f4 → f8",
        "numpy",
        at_least(1.5),
        result("y = xp.astype(x, 'f8')", "f8", "y = x.astype('f8')"),
    ),
    Case("new arrays", "astype f4 → f8, first of a process", "numpy", at_least(1), very_first),
    Case("scalar", "float(x[0]), shared", "floor", at_most(0.7), scalar("shared")),
    Case("scalar", "float(x[0]), host", "floor", at_most(0.7), scalar("host")),
    Case("scalar", "float(x[0]), device", "floor", at_most(2.5), scalar("device")),
    Case("threads", "8 on one queue, copy of 8 elements", "one thread", at_least(1), threads(8)),
    Case(
        "transfer",
        "from_numpy",
        "host memcpy",
        at_least(0.8),
        transfer("y = xp.from_numpy(x)", lambda library: pattern(COUNT, "f4")),
    ),
    Case(
        "transfer",
        "asnumpy",
        "host memcpy",
        at_least(0.8),
        transfer("y = xp.asnumpy(x)", lambda library: library.array(pattern(COUNT, "f4"))),
    ),
    Case(
        "transfer",
        "asnumpy of a prime number of bytes",
        "host memcpy",
        at_least(0.8),
        transfer("y = xp.asnumpy(x)", lambda library: library.array(pattern(8388593, "u1"))),
    ),
    view("x[1:-1]", VECTOR),
    view("x[3]", MATRIX),
    view("x.T", MATRIX),
    view("x.shape", MATRIX),
    view("x.dtype", MATRIX),
    view("xp.reshape(x, (8, 4))", MATRIX),
    *exchanges(),
    Case("import", "import usmtensor beyond numpy", "numpy", at_most(1), imports),
    first_use("kernel on disk", 5e-3, cached=True),
    first_use("compiled, 150 ms after the queue", 40e-3, delay=0.15),
    first_use("compiled at once", 160e-3),
    Case("size", "wheel", "limit", at_most(1), size(wheel_size, 9), unit="MB"),
    Case("size", "installed package", "limit", at_most(1), size(package_size, 20), unit="MB"),
]
