// Counts the bytes of each value in each row of an image, on the host, with nanobind.
//
// The arguments are views, so nanobind checks type, number of dimensions and write access. The
// caller must pass memory that the host reaches (USM kind "shared" or "host"), and wait for the
// work on it: x.sycl_queue.wait(). This module needs no SYCL headers.
//
//   dir=$(python -c "import usmtensor; print(usmtensor.get_cmake_dir())")
//   cmake -B build -Dusmtensor_DIR="$dir" -Dnanobind_DIR=$(python -m nanobind --cmake_dir)
//   cmake --build build && PYTHONPATH=build python check.py
#include <usmtensor/nanobind.hpp>

#include <cstdint>

namespace nb = nanobind;
using usmtensor::array_view;

namespace {

void count_bytes(array_view<const std::uint8_t, 2> image, array_view<std::int64_t, 2> counts) {
  if (counts.extent(0) != image.extent(0) || counts.extent(1) != 256)
    throw nb::value_error(
        "count_bytes: counts must have 256 columns and the number of rows of image");
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
             "Adds the number of bytes b in image[i] to counts[i, b].");
}
