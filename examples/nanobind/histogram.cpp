// Counts how often each byte stands in each row of an image, on the host, with nanobind.
//
// The views as arguments let nanobind check type, number of dimensions and whether elements may be
// written. That the host can reach them (USM kind "shared" or "host") and that the work on them is
// done is for the caller: x.sycl_queue.wait(). No SYCL is compiled here.
//
//   cmake -B build -Dusmtensor_DIR=$(python -c "import usmtensor;
//   print(usmtensor.get_cmake_dir())")
//         -Dnanobind_DIR=$(python -m nanobind --cmake_dir)
//   cmake --build build && PYTHONPATH=build python check.py
#include <usmtensor/nanobind.hpp>

#include <cstdint>

namespace nb = nanobind;
using usmtensor::array_view;

namespace {

void count_bytes(array_view<const std::uint8_t, 2> image, array_view<std::int64_t, 2> counts) {
  if (counts.extent(0) != image.extent(0) || counts.extent(1) != 256)
    throw nb::value_error("count_bytes: counts has to have a row of 256 for each of image");
  const nb::gil_scoped_release unlocked;
  for (std::ptrdiff_t i = 0; i < image.extent(0); ++i) {
    const auto row = image[i];
    const auto found = counts[i];
    for (std::ptrdiff_t j = 0; j < row.extent(0); ++j)
      ++found[row[j]];
  }
}

} // namespace

NB_MODULE(histogram, module) {
  module.def("count_bytes", count_bytes, nb::arg("image"), nb::arg("counts"),
             "Adds to counts[i, b] how often b stands in image[i].");
}
