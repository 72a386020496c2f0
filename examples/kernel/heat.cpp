// Your own kernel: a step of the heat equation, compiled at its first use and launched on the queue
// of usmtensor arrays. You need no SYCL compiler: to g++ the kernel is text, and the SYCL runtime
// compiles it. This module uses only Python's C API.
//
// The kernel takes pointers and numbers, because structures do not work on every backend, and makes
// array_view objects of them. The queue of the arrays orders the kernel after earlier work on them
// and before later work.
//
//   dir=$(python -c "import usmtensor; print(usmtensor.get_cmake_dir())")
//   cmake -B build -Dusmtensor_DIR="$dir" && cmake --build build
//   PYTHONPATH=build python check.py
#include <sycl/sycl.hpp>
#include <usmtensor/array.hpp>

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace {

namespace syclexp = sycl::ext::oneapi::experimental;
using usmtensor::array_ref, usmtensor::array_view;

constexpr const char *source = R"(
#include <sycl/sycl.hpp>
#include <usmtensor/array_view.hpp>

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(
    (sycl::ext::oneapi::experimental::nd_range_kernel<2>))
void heat(const float *from, long from_rows, long from_columns, float *to, long to_rows,
          long to_columns, long rows, long columns, float rate) {
  const std::ptrdiff_t shape[] = {rows, columns};
  const std::ptrdiff_t strides[2][2] = {{from_rows, from_columns}, {to_rows, to_columns}};
  const usmtensor::array_view<const float, 2> before(from, shape, strides[0]);
  const usmtensor::array_view<float, 2> after(to, shape, strides[1]);
  const auto item = sycl::ext::oneapi::this_work_item::get_nd_item<2>();
  const auto i = item.get_global_id(0), j = item.get_global_id(1);
  if (j >= before.extent(1)) // the last work-group reaches beyond the end of a row
    return;
  const bool inside = i > 0 && i + 1 < before.extent(0) && j > 0 && j + 1 < before.extent(1);
  const float here = before(i, j);
  after(i, j) = !inside ? here
                        : here + rate * (before(i - 1, j) + before(i + 1, j) + before(i, j - 1) +
                                         before(i, j + 1) - 4 * here);
}
)";

// The kernel, compiled once for each context and device.
sycl::kernel heat_kernel(const sycl::queue &queue) {
  static std::mutex mutex;
  // Never destroyed: at exit the driver may be gone.
  static auto &compiled = *new std::vector<std::pair<sycl::queue, sycl::kernel>>;
  const std::lock_guard<std::mutex> lock(mutex);
  for (const auto &[known, kernel] : compiled)
    if (known.get_context() == queue.get_context() && known.get_device() == queue.get_device())
      return kernel;
  const std::vector<std::string> options = {"-I" USMTENSOR_INCLUDE_DIR};
  auto text = syclexp::create_kernel_bundle_from_source(queue.get_context(),
                                                        syclexp::source_language::sycl, source);
  auto built = syclexp::build(text, {queue.get_device()},
                              syclexp::properties{syclexp::build_options{options}});
  return compiled.emplace_back(queue, built.ext_oneapi_get_kernel("heat")).second;
}

void launch(sycl::queue &queue, array_view<const float, 2> before, array_view<float, 2> after,
            float rate) {
  const sycl::kernel kernel = heat_kernel(queue);
  constexpr std::size_t group = 64;
  const long rows = before.extent(0), columns = before.extent(1);
  const sycl::range<2> range(rows, (columns + group - 1) / group * group);
  queue.submit([&](sycl::handler &handler) {
    handler.set_args(before.data(), long(before.stride(0)), long(before.stride(1)), after.data(),
                     long(after.stride(0)), long(after.stride(1)), rows, columns, rate);
    handler.parallel_for(sycl::nd_range<2>(range, {1, group}), kernel);
  });
}

PyObject *step(PyObject *, PyObject *arguments) try {
  PyObject *x, *y;
  float rate;
  if (!PyArg_ParseTuple(arguments, "OOf", &x, &y, &rate))
    return nullptr;
  const array_ref source(x), target(y);
  const auto before = source.view<const float, 2>();
  const auto after = target.view<float, 2>();
  if (before.extent(0) != after.extent(0) || before.extent(1) != after.extent(1))
    throw std::invalid_argument("step: the arrays have different shapes");
  // One queue orders the launch after the work on both arrays.
  if (source.queue() != target.queue())
    throw std::invalid_argument("step: the arrays are on different queues");
  if (before.data() == after.data())
    throw std::invalid_argument("step: before and after are one array");
  sycl::queue &queue = target.queue();
  PyThreadState *const state = PyEval_SaveThread(); // without the GIL: the first use compiles
  try {
    if (before.size())
      launch(queue, before, after, rate);
  } catch (...) {
    PyEval_RestoreThread(state);
    throw;
  }
  PyEval_RestoreThread(state);
  Py_RETURN_NONE;
} catch (const std::invalid_argument &error) {
  PyErr_SetString(PyExc_ValueError, error.what());
  return nullptr;
} catch (const std::exception &error) {
  PyErr_SetString(PyExc_RuntimeError, error.what());
  return nullptr;
}

PyMethodDef methods[] = {
    {"step", step, METH_VARARGS, "step(before, after, rate): a time step; 2-d arrays of float32."},
    {}};
PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "heat", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr};

} // namespace

PyMODINIT_FUNC PyInit_heat() {
  if (import_usmtensor() < 0)
    return nullptr;
  return PyModule_Create(&definition);
}
