"""Saving and loading: against NumPy's files, both ways, in pieces of any size."""

import io
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from strategies import examples, supported_dtypes

import usmtensor as usm
from usmtensor._composed import files


@pytest.fixture
def small_pieces(monkeypatch):
    monkeypatch.setattr(files, "_CHUNK", 48)


def arrays():
    return st.deferred(
        lambda: hnp.arrays(
            st.sampled_from([x for x in supported_dtypes() if x.itemsize <= 48]),
            hnp.array_shapes(min_dims=0, min_side=0, max_side=7),
        )
    )


ORDERS = {"C": lambda x: x, "F": lambda x: x.T, "strided": lambda x: x[::-2] if x.ndim else x}


def equal(x, host):
    return (
        x.dtype == host.dtype
        and x.shape == host.shape
        and usm.asnumpy(x).tobytes() == host.tobytes()
    )


@examples(100)
@given(host=arrays(), order=st.sampled_from(list(ORDERS)))
@pytest.mark.usefixtures("small_pieces")
def test_npy_files(queue, host, order):
    x = ORDERS[order](usm.asarray(host, sycl_queue=queue))
    host = ORDERS[order](host)
    ours, theirs = io.BytesIO(), io.BytesIO()
    usm.save(ours, x), np.save(theirs, host)
    if order != "strided":  # NumPy decides otherwise on the order of some strided arrays
        assert ours.getvalue() == theirs.getvalue()
    for file in (ours, theirs):
        file.seek(0)
        assert equal(usm.load(file, sycl_queue=queue), host)
        assert file.read() == b""
    ours.seek(0)
    assert np.load(ours).tobytes() == host.tobytes()


@examples(40)
@given(host=arrays(), other=arrays(), compressed=st.booleans())
@pytest.mark.usefixtures("small_pieces")
def test_npz_files(queue, host, other, compressed):
    x, y = (usm.asarray(one, sycl_queue=queue) for one in (host, other))
    save = usm.savez_compressed if compressed else usm.savez
    file = io.BytesIO()
    save(file, x, named=y)
    file.seek(0)
    with np.load(file) as theirs:
        assert theirs.files == ["arr_0", "named"]
        assert theirs["arr_0"].tobytes() == host.tobytes()
        assert theirs["named"].tobytes() == other.tobytes()
    file.seek(0)
    with usm.load(file, sycl_queue=queue) as ours:
        assert ours.files == list(ours) == ["arr_0", "named"] and len(ours) == 2
        assert equal(ours["arr_0"], host) and equal(ours["named.npy"], other)
        assert "named" in ours and "x" not in ours
        with pytest.raises(KeyError, match="load: file has no array 'x'; expected one of"):
            ours["x"]
    assert (zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED) == next(
        one.compress_type for one in zipfile.ZipFile(file).infolist()
    )


def test_paths(tmp_path, queue):
    x = usm.arange(5, sycl_queue=queue)
    for path in (str(tmp_path / "a"), tmp_path / "b", bytes(tmp_path / "c")):
        usm.save(path, x)
        usm.savez(path, x=x)
    assert sorted(file.suffix for file in tmp_path.iterdir()) == [".npy"] * 3 + [".npz"] * 3
    for file in tmp_path.iterdir():
        loaded = usm.load(file, sycl_queue=queue)
        if file.suffix == ".npz":
            with loaded as members:
                loaded = members["x"]
        assert loaded.tolist() == [0, 1, 2, 3, 4]
    usm.save(tmp_path / "a.npy", [[1.0]])
    assert np.load(tmp_path / "a.npy").tolist() == [[1]]
    with pytest.raises(FileNotFoundError):
        usm.load(tmp_path / "none.npy")


@pytest.mark.parametrize("char", [">i4", ">f4", ">c8", "<u2"])
def test_other_byte_orders(queue, char):
    host = np.arange(60).reshape(3, 20).astype(char)
    file = io.BytesIO()
    np.save(file, host)
    file.seek(0)
    x = usm.load(file, sycl_queue=queue)
    assert x.dtype == host.dtype.newbyteorder("=") and usm.asnumpy(x).tolist() == host.tolist()
    file.seek(file.tell() - host.nbytes)
    assert usm.fromfile(file, char, sycl_queue=queue).tolist() == host.ravel().tolist()


def test_devices_without_double_precision(device, queue):
    """Get single precision, as from asarray."""
    file = io.BytesIO()
    np.save(file, np.array([1.5, 2]))
    file.seek(0)
    expected = usm.asarray(np.array([1.5, 2]), sycl_queue=queue)
    x = usm.load(file, sycl_queue=queue)
    assert x.dtype == expected.dtype and x.tolist() == [1.5, 2]
    file.seek(-16, io.SEEK_END)
    assert usm.fromfile(file, sycl_queue=queue).dtype == expected.dtype


def test_placement(tmp_path, queue, usm_kind):
    file = tmp_path / "x.npy"
    usm.save(file, usm.arange(3, dtype="f4", sycl_queue=queue))
    place = {"usm_type": usm_kind, "sycl_queue": queue}
    found = [
        usm.load(file, **place),
        usm.fromfile(file, "u1", **place),
        usm.frombuffer(b"abc", "u1", **place),
        usm.fromiter([1, 2], "f4", **place),
        usm.fromstring("1 2", "f4", sep=" ", **place),
        usm.loadtxt(["1 2"], "f4", **place),
        usm.genfromtxt(["1 2"], "f4", **place),
    ]
    for x in found:
        assert x.usm_type == usm_kind and x.sycl_queue == queue and x.flags.writable


class Slow(io.BytesIO):
    """A file that returns a few bytes at a time, as sockets do."""

    def readinto(self, to):
        return super().readinto(to[:7])


class Old:
    """A file with a few methods, which returns a few bytes at a time."""

    def __init__(self):
        self.file = io.BytesIO()
        self.write, self.seek, self.tell = self.file.write, self.file.seek, self.file.tell

    def read(self, count):
        return self.file.read(min(count, 7))


@pytest.mark.parametrize("kind", [Slow, Old])
def test_files_that_return_parts(queue, kind):
    file = kind()
    usm.save(file, usm.arange(100, dtype="i4", sycl_queue=queue))
    file.seek(0)
    assert usm.load(file, sycl_queue=queue).tolist() == list(range(100))
    file.seek(file.tell() - 400)
    assert usm.fromfile(file, "i4", sycl_queue=queue).tolist() == list(range(100))


def truncated(file, count):
    return io.BytesIO(file.getvalue()[:-count])


def objects():
    file = io.BytesIO()
    np.save(file, np.array([None, 1]), allow_pickle=True)
    return io.BytesIO(file.getvalue())


def saved(host):
    file = io.BytesIO()
    np.save(file, host)
    return io.BytesIO(file.getvalue())


class Trap:
    def __reduce__(self):
        return pytest.fail, ("a pickle was read",)


def with_header(header):
    return io.BytesIO(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)


def test_no_pickle_is_read():
    file = io.BytesIO()
    np.save(file, np.array([Trap()]), allow_pickle=True)
    file.seek(0)
    with pytest.raises(ValueError, match="load: file has an array of objects"):
        usm.load(file, allow_pickle=True)


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: usm.load(3), TypeError, "load: file is of type int; expected a path or an open"),
        (lambda: usm.load(io.BytesIO(b"abc")), ValueError, "load: file begins with b'abc'"),
        (lambda: usm.load(io.BytesIO()), ValueError, "load: file begins with b''"),
        (lambda: usm.load(objects()), ValueError, "load: file has an array of objects"),
        (lambda: usm.load(saved(["a"])), TypeError, "load: "),
        (
            lambda: usm.load(truncated(saved([1, 2]), 3)),
            ValueError,
            "load: file has 13 bytes of elements; expected 16",
        ),
        (lambda: usm.load(truncated(saved([1, 2]), 100)), ValueError, "load: EOF"),
        (lambda: usm.load(io.BytesIO(b"\x93NUMPY\x07\x00ab")), ValueError, r"load: .*\(7, 0\)"),
        (lambda: usm.load(with_header(b"{(")), ValueError, "load: cannot parse the header"),
        (lambda: usm.load(with_header(b"f()")), ValueError, "load: "),
        (lambda: usm.load(saved([1]), max_header_size=5), ValueError, "load: "),
        (lambda: usm.load(saved([1]), "r+"), ValueError, r"load: mmap_mode is 'r\+'"),
        (lambda: usm.load(saved([1]), usm_type="x"), ValueError, "load: .*usm_type is 'x'"),
        (lambda: usm.load(io.BytesIO(b"PK\x03\x04")), Exception, "not a zip file"),
        (lambda: usm.save(3, [1]), TypeError, "save: file is of type int"),
        (lambda: usm.save(io.BytesIO(), ["a"]), TypeError, "save: "),
        (lambda: usm.savez(io.BytesIO(), [1], arr_0=[2]), ValueError, "savez: .*'arr_0'"),
        (lambda: usm.savez_compressed(None, [1]), TypeError, "savez_compressed: file"),
        (lambda: usm.fromfile(3), TypeError, "fromfile: file is of type int"),
        (lambda: usm.fromfile(io.BytesIO(), offset=-1), ValueError, "fromfile: offset is -1"),
        (lambda: usm.fromfile(io.BytesIO(), sep=1), TypeError, "fromfile: sep"),
        (lambda: usm.fromfile(io.BytesIO(), "O"), ValueError, "fromfile: dtype is 'O'; expected"),
        (lambda: usm.fromfile("x", sep=" ", offset=1), ValueError, "fromfile: offset is 1"),
        (lambda: usm.frombuffer(3), TypeError, "frombuffer: "),
        (lambda: usm.frombuffer(b"abc", "u2"), ValueError, "frombuffer: "),
        (lambda: usm.fromiter([1], "i4", 2), ValueError, "fromiter: "),
        (lambda: usm.fromiter(["a"], "i4"), ValueError, "fromiter: "),
        (lambda: usm.fromstring(3, sep=","), TypeError, "fromstring: "),
        (lambda: usm.loadtxt(["a"]), ValueError, "loadtxt: "),
        (lambda: usm.loadtxt(["1 a"], dtype="U3"), TypeError, "loadtxt: "),
        (lambda: usm.genfromtxt(["1 2", "1"]), ValueError, "genfromtxt: "),
        (lambda: usm.savetxt(io.StringIO(), usm.ones((1, 1, 1))), ValueError, "savetxt: "),
    ],
)
def test_bad_arguments(call, error, words):
    with pytest.raises(error, match=words if words[0] == "n" else f"^{words}"):
        call()


@examples(60)
@given(host=arrays(), order=st.sampled_from(list(ORDERS)), count=st.integers(-1, 9), data=st.data())
@pytest.mark.usefixtures("small_pieces")
def test_bytes_of_files(queue, host, order, count, data):
    x = ORDERS[order](usm.asarray(host, sycl_queue=queue))
    host = ORDERS[order](host)
    offset = host.itemsize * data.draw(st.integers(0, min(3, host.size)))
    with tempfile.TemporaryFile() as file:
        x.tofile(file)
        file.seek(0)
        assert file.read() == host.tobytes()
        file.seek(0)
        ours = usm.fromfile(file, host.dtype, count, offset=offset, sycl_queue=queue)
        place = file.tell()
        file.seek(0)
        theirs = np.fromfile(file, host.dtype, count, offset=offset)
        assert equal(ours, theirs)
        assert count < 0 or place == offset + theirs.nbytes or not theirs.size


def test_a_part_of_an_element_is_left(queue):
    file = io.BytesIO(b"abcde")
    assert usm.fromfile(file, "u2", sycl_queue=queue).shape == (2,)
    assert file.read() == b"e"
    assert usm.fromfile(io.BytesIO(b"ab"), "u2", offset=9, sycl_queue=queue).shape == (0,)


def test_devices_as_files(queue):
    """They have no size."""
    assert usm.fromfile("/dev/zero", "u2", 5, sycl_queue=queue).tolist() == [0] * 5
    assert usm.fromfile("/dev/zero", "u2", sycl_queue=queue).shape == (0,)
    assert usm.fromfile("/dev/null", "u2", 5, sycl_queue=queue).shape == (0,)


def test_texts(tmp_path, queue):
    x = usm.asarray([[1, 2.5], [3, 4]], dtype="f4", sycl_queue=queue)
    file = tmp_path / "x.txt"
    usm.savetxt(file, x, fmt="%g", delimiter=",", header="a,b")
    assert file.read_text() == "# a,b\n1,2.5\n3,4\n"
    assert usm.loadtxt(file, "f4", delimiter=",", sycl_queue=queue).tolist() == x.tolist()
    first, second = usm.loadtxt(file, "f4", delimiter=",", unpack=True, sycl_queue=queue)
    assert first.tolist() == [1, 3] and second.tolist() == [2.5, 4]
    lines = ["1,,3", "4,5,6"]
    found = usm.genfromtxt(lines, "f4", delimiter=",", filling_values=7, sycl_queue=queue)
    assert found.tolist() == [[1, 7, 3], [4, 5, 6]]
    file.write_text("1 2 3")
    assert usm.fromfile(file, "i4", sep=" ", sycl_queue=queue).tolist() == [1, 2, 3]
    assert usm.fromstring("1;2", "i4", sep=";", sycl_queue=queue).tolist() == [1, 2]
    assert usm.fromiter(iter([1, 2, 3]), "i4", 2, sycl_queue=queue).tolist() == [1, 2]
    usm.savetxt(file, [[5]])
    assert np.loadtxt(file) == 5


def test_buffers_are_copied(queue):
    held = bytearray(b"\x01\x02\x03\x04")
    x = usm.frombuffer(held, "u1", 2, 1, sycl_queue=queue)
    held[1] = 9
    x += 1
    assert x.tolist() == [3, 4] and held[2] == 3


def test_numpy_saves_arrays(tmp_path, queue):
    """NumPy's functions call these, so they write shared and device memory."""
    x = usm.arange(3, sycl_queue=queue)
    np.save(tmp_path / "x.npy", x)
    np.savez(tmp_path / "x.npz", x, y=x)
    np.savetxt(tmp_path / "x.txt", x)
    assert usm.load(tmp_path / "x.npy", sycl_queue=queue).tolist() == [0, 1, 2]
    with usm.load(tmp_path / "x.npz", sycl_queue=queue) as members:
        assert members["y"].tolist() == [0, 1, 2]
    assert np.loadtxt(tmp_path / "x.txt").tolist() == [0, 1, 2]


def test_the_host_never_has_a_whole_copy(tmp_path, queue, monkeypatch):
    pieces = []
    read, to_host = files._read, files.asnumpy

    def reading(file, to):
        pieces.append(to.nbytes)
        return read(file, to)

    def copying(x):
        pieces.append(x.nbytes)
        return to_host(x)

    monkeypatch.setattr(files, "_CHUNK", 1000)
    monkeypatch.setattr(files, "_read", reading)
    monkeypatch.setattr(files, "asnumpy", copying)
    x = usm.arange(10_000, dtype="f4", sycl_queue=queue)
    usm.save(tmp_path / "x.npy", x)
    assert usm.all(usm.load(tmp_path / "x.npy", sycl_queue=queue) == x)
    assert len(pieces) == 80 and max(pieces) == 1000
    assert Path(tmp_path / "x.npy").stat().st_size == 128 + x.nbytes


def test_texts_of_traced_arrays_are_refused(queue):
    @usm.fuse
    def write(x):
        usm.savetxt(io.StringIO(), x)

    with pytest.raises(TypeError, match=r"savetxt: the values of an array .* not known"):
        write(usm.ones(3, dtype="f4", sycl_queue=queue))
