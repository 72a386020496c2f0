"""DLPack by ctypes: hand-made tensors, and the content of capsules."""

import ctypes
import os

import numpy as np

K_CPU, K_CUDA, K_ONE_API = 1, 2, 14
READ_ONLY, IS_COPIED = 1, 2
CPU = (K_CPU, 0)
DISCRETE = os.environ.get("USMTENSOR_DISCRETE") == "1"
KIND_CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}


class Device(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int32), ("id", ctypes.c_int32))


class DataType(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))

    @classmethod
    def of(cls, dtype):
        dtype = np.dtype(dtype)
        return cls(KIND_CODES[dtype.kind], 8 * dtype.itemsize, 1)


class Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", Device),
        ("ndim", ctypes.c_int32),
        ("dtype", DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class Unversioned(ctypes.Structure):
    _fields_ = (("tensor", Tensor), ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


class Versioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    )


STRUCTURES = {b"dltensor": Unversioned, b"dltensor_versioned": Versioned}
DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


_python = ctypes.pythonapi
_python.PyCapsule_New.restype = ctypes.py_object
_python.PyCapsule_New.argtypes = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
_python.PyCapsule_GetName.restype = ctypes.c_char_p
_python.PyCapsule_GetName.argtypes = (ctypes.py_object,)
_python.PyCapsule_GetPointer.restype = ctypes.c_void_p
_python.PyCapsule_GetPointer.argtypes = ctypes.py_object, ctypes.c_char_p
_python.PyCapsule_SetName.argtypes = ctypes.py_object, ctypes.c_char_p

_USED = {name: ctypes.create_string_buffer(b"used_" + name) for name in STRUCTURES}


def name_of(capsule):
    return _python.PyCapsule_GetName(capsule)


def look(capsule):
    """The structure in an unused capsule; it keeps the capsule alive."""
    name = name_of(capsule)
    structure = STRUCTURES[name].from_address(_python.PyCapsule_GetPointer(capsule, name))
    structure.capsule = capsule
    return structure


def consume(capsule):
    """Takes the structure out of a capsule. The caller must call `delete` on it."""
    structure = look(capsule)
    _python.PyCapsule_SetName(capsule, _USED[name_of(capsule)])
    return structure


def delete(structure):
    DELETER(structure.deleter)(ctypes.addressof(structure))


def integers(pointer, n):
    return tuple(pointer[:n]) if pointer else None


def as_host_array(tensor):
    """A NumPy array over a kDLCPU tensor."""
    kind = next(kind for kind, code in KIND_CODES.items() if code == tensor.dtype.code)
    dtype = np.dtype(f"{kind}{tensor.dtype.bits // 8}")
    shape = integers(tensor.shape, tensor.ndim) or ()
    strides = integers(tensor.strides, tensor.ndim) or ()
    low = sum((n - 1) * s for n, s in zip(shape, strides, strict=True) if s < 0 and n)
    high = sum((n - 1) * s for n, s in zip(shape, strides, strict=True) if s > 0 and n)
    start = tensor.data + tensor.byte_offset + low * dtype.itemsize
    raw = (ctypes.c_char * ((high - low + 1) * dtype.itemsize)).from_address(start)
    return np.ndarray(
        shape, dtype, raw, -low * dtype.itemsize, [s * dtype.itemsize for s in strides]
    )


class Producer:
    """An object with a hand-made tensor, whose deleter counts its calls.

    None for `shape` or `strides` gives a null pointer.
    """

    # Structures that a consumer may still hold; keyed by address, dropped by the deleter.
    alive: dict = {}  # noqa: RUF012

    def __init__(
        self,
        data,
        shape,
        dtype,
        *,
        strides=None,
        device=(K_ONE_API, 0),
        byte_offset=0,
        version=(1, 3),
        flags=0,
        ndim=None,
        deleter=True,
        owner=None,
    ):
        self.deleted = []
        self.where = device
        self.name = b"dltensor" if version is None else b"dltensor_versioned"
        self.structure = structure = STRUCTURES[self.name]()
        tensor = structure.tensor
        tensor.data = data
        tensor.device = Device(*device)
        tensor.ndim = len(shape or ()) if ndim is None else ndim
        tensor.dtype = dtype if isinstance(dtype, DataType) else DataType.of(dtype)
        self.arrays = [
            None if values is None else (ctypes.c_int64 * max(len(values), 1))(*values)
            for values in (shape, strides)
        ]
        for field, array in zip(("shape", "strides"), self.arrays, strict=True):
            if array is not None:
                setattr(tensor, field, ctypes.cast(array, ctypes.POINTER(ctypes.c_int64)))
        tensor.byte_offset = byte_offset
        if version is not None:
            structure.major, structure.minor = version
            structure.flags = flags
        address = ctypes.addressof(structure)
        deleted, alive = self.deleted, self.alive

        def delete_(pointer):
            deleted.append(pointer)
            alive.pop(pointer, None)

        callback = DELETER(delete_)
        alive[address] = structure, self.arrays, callback, owner
        if deleter:
            structure.deleter = ctypes.cast(callback, ctypes.c_void_p)

    def capsule(self):
        return _python.PyCapsule_New(ctypes.addressof(self.structure), self.name, None)

    def __dlpack__(self, **keywords):
        self.asked = keywords
        return self.capsule()

    def __dlpack_device__(self):
        return self.where


class Holder:
    """A producer that gives an existing capsule."""

    def __init__(self, capsule, where=CPU):
        self.capsule = capsule
        self.where = where

    def __dlpack__(self, **keywords):
        return self.capsule

    def __dlpack_device__(self):
        return self.where


def made(x, **changes):
    """A hand-made tensor over the memory of `x`: six integers from the seventh on."""
    fields = {
        "data": x.usm_data._pointer,
        "shape": (2, 3),
        "dtype": "i4",
        "strides": (3, 1),
        "device": x.__dlpack_device__(),
        "byte_offset": 24,
        "owner": x,
    }
    return Producer(**(fields | changes))
