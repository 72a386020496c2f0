// Makes an array in USM that this module allocates and frees, with pybind11.
//
// gather(x) puts the rows of a 2-d array, which may lie anywhere, next to each other in new memory,
// by copies on the queue of the array: they come after the work on it, and what Python does with
// the result comes after them. Nothing waits. The array that is returned owns the memory through a
// deleter of ours. flip(x) works on the host and waits, therefore.
//
//   cmake -B build -Dusmtensor_DIR=$(python -c "import usmtensor;
//   print(usmtensor.get_cmake_dir())")
//         -Dpybind11_DIR=$(python -m pybind11 --cmakedir)
//   cmake --build build && PYTHONPATH=build python check.py
#include <sycl/sycl.hpp>
#include <usmtensor/pybind11.hpp>

#include <algorithm>
#include <atomic>

namespace py = pybind11;
using usmtensor::array_ref, usmtensor::array_view;

namespace {

std::atomic<int> blocks{0}; // that live

struct Block {
  float *pointer;
  sycl::queue queue;
};

// Called after the work on the memory, without the GIL, on whatever thread drops the last array.
void free_block(void *context) {
  auto *const block = static_cast<Block *>(context);
  sycl::free(block->pointer, block->queue);
  delete block;
  --blocks;
}

py::object take(PyObject *made) { // what a function of capi.h returned
  if (!made)
    throw py::error_already_set();
  return py::reinterpret_steal<py::object>(made);
}

py::object gather(array_ref x) {
  const auto rows = x.view<const float, 2>();
  if (rows.stride(1) != 1 && rows.extent(1) > 1)
    throw py::value_error("gather: the elements of a row are not next to each other");
  sycl::queue &queue = x.queue();
  const std::size_t columns = rows.extent(1), count = rows.size(), nbytes = count * sizeof(float);
  auto *const pointer = sycl::malloc_device<float>(std::max<std::size_t>(count, 1), queue);
  if (!pointer)
    throw std::bad_alloc();
  if (columns)
    for (std::ptrdiff_t i = 0; i < rows.extent(0); ++i)
      queue.copy(&rows(i, 0), pointer + i * columns, columns);

  auto *const block = new Block{pointer, queue};
  ++blocks;
  PyObject *const memory =
      Memory_MakeWithDeleter(reinterpret_cast<DPCTLSyclUSMRef>(pointer), nbytes,
                             reinterpret_cast<DPCTLSyclQueueRef>(&queue), free_block, block);
  if (!memory) { // it is ours still
    free_block(block);
    throw py::error_already_set();
  }
  const py::object owner = take(memory);
  return take(UsmNDArray_MakeSimpleFromMemory(
      2, x.shape(), UAR_FLOAT, reinterpret_cast<struct Py_MemoryObject *>(memory), 0, 'C'));
}

// Overloads by the type of the elements.
template <class T> void flip(array_view<T, 1> x) {
  for (std::ptrdiff_t i = 0, j = x.extent(0) - 1; i < j; ++i, --j)
    std::swap(x[i], x[j]);
}

} // namespace

PYBIND11_MODULE(gather, module) {
  module.def("gather", gather, py::arg("x"), "The rows of x next to each other, in new memory.");
  module.def("flip", flip<float>, py::arg("x"), "Reverses x, which the host has to reach.");
  module.def("flip", flip<int>, py::arg("x"));
  module.def("blocks", [] { return blocks.load(); }, "How many results of gather live.");
}
