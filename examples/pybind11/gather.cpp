// Makes an array over USM that this module allocates and frees, with pybind11.
//
// gather(x) copies the rows of a 2-d array, with any distance between them, next to each other into
// new memory. The copies run on the queue of the array: after earlier work on the array, and before
// later operations on the result. No call waits. The result owns the memory through the deleter of
// this module. flip(x) works on the host, so its caller has to wait.
//
//   dir=$(python -c "import usmtensor; print(usmtensor.get_cmake_dir())")
//   cmake -B build -Dusmtensor_DIR="$dir" -Dpybind11_DIR=$(python -m pybind11 --cmakedir)
//   cmake --build build && PYTHONPATH=build python check.py
#include <sycl/sycl.hpp>
#include <usmtensor/pybind11.hpp>

#include <algorithm>
#include <atomic>

namespace py = pybind11;
using usmtensor::array_ref, usmtensor::array_view;

namespace {

std::atomic<int> blocks{0}; // the number of live blocks

struct Block {
  float *pointer;
  sycl::queue queue;
};

// Called after the work on the memory, without the GIL, on the thread that drops the last array.
void free_block(void *context) {
  auto *const block = static_cast<Block *>(context);
  sycl::free(block->pointer, block->queue);
  delete block;
  --blocks;
}

py::object take(PyObject *made) { // the result of a function of capi.h
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
  if (!memory) { // this module still owns the block
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
  module.def("flip", flip<float>, py::arg("x"), "Reverses x, in memory that the host reaches.");
  module.def("flip", flip<int>, py::arg("x"));
  module.def("blocks", [] { return blocks.load(); }, "The number of live results of gather.");
}
