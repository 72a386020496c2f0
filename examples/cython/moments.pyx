"""Mean and variance of an array in one pass, in Cython.

Cython code reads an array: `usm_ndarray` is the type of an argument, and functions of `usmtensor`
give its pointer, extents and type. The host reads the elements, so the array must be of USM kind
"shared" or "host", and `moments` waits for the work on it. `view` makes an array over part of
another array's memory.

    cmake -B build -Dusmtensor_DIR=$(python -c "import usmtensor; print(usmtensor.get_cmake_dir())")
    cmake --build build && PYTHONPATH=build python check.py
"""

from usmtensor cimport (
    UAR_DOUBLE, UsmNDArray_GetData, UsmNDArray_GetNDim, UsmNDArray_GetShape, UsmNDArray_GetStrides,
    UsmNDArray_GetTypenum, UsmNDArray_GetUSMData, UsmNDArray_MakeSimpleFromMemory, _Memory,
    import_usmtensor, usm_ndarray,
)

import_usmtensor()


def moments(usm_ndarray x not None):
    """Mean and variance of a 1-d array of float64."""
    cdef Py_ssize_t i, count, stride
    cdef const double *data
    cdef double delta, mean = 0, squares = 0
    if UsmNDArray_GetTypenum(x) != UAR_DOUBLE or UsmNDArray_GetNDim(x) != 1:
        raise ValueError("moments: expected a 1-d array of float64")
    if x.usm_type == "device":
        raise ValueError("moments: expected an array that the host can read")
    count = UsmNDArray_GetShape(x)[0]
    stride = UsmNDArray_GetStrides(x)[0]
    data = <const double *>UsmNDArray_GetData(x)
    x.sycl_queue.wait()
    with nogil:
        for i in range(count):
            delta = data[i * stride] - mean
            mean += delta / (i + 1)
            squares += delta * (data[i * stride] - mean)
    return mean, squares / count if count else 0.0


def view(usm_ndarray x not None, Py_ssize_t first, Py_ssize_t count):
    """An array of `count` float64 elements of another array's memory, from element `first` on."""
    cdef _Memory memory = UsmNDArray_GetUSMData(x)
    return UsmNDArray_MakeSimpleFromMemory(1, &count, UAR_DOUBLE, memory, first, b"C")
