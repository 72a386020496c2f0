#include "creation.hpp"

#include "launch.hpp"

#include <algorithm>
#include <cstring>

namespace usmtensor {
namespace {

// A floating point number of a type as the bits of an element.
std::uint64_t bits_of(DType dtype, double value) {
  const float single = static_cast<float>(value);
  const bool wide = dtype == DType::f8;
  std::uint64_t bits = 0;
  std::memcpy(&bits, wide ? static_cast<const void *>(&value) : &single, itemsize(dtype));
  return bits;
}

} // namespace

void fill_linear(const QueueRef &queue, const View &destination, const Linear &line) {
  auto bits = [&](double value) { return bits_of(destination.dtype, value); };
  IterationSpace space(destination.size(), 1);
  run(*queue, kernels::linear, destination.dtype == DType::f8, space, {destination},
      {.start = bits(line.start),
       .step = bits(line.step),
       .given = bits(line.given),
       .place = line.place,
       .floored = line.floored});
}

void fill_steps(const QueueRef &queue, const View &destination, std::uint64_t start,
                std::uint64_t step) {
  IterationSpace space(destination.size(), 1);
  run(*queue, kernels::steps, width_index(itemsize(destination.dtype)), space, {destination},
      {.start = start, .step = step});
}

void clear_outside(const QueueRef &queue, const View &destination, std::int64_t k, bool before) {
  const std::int64_t size = destination.size();
  if (size == 0)
    return;
  const std::int64_t rows = destination.shape[destination.ndim - 2];
  const std::int64_t columns = destination.shape[destination.ndim - 1];
  const std::int64_t all_rows = size / columns;
  IterationSpace space(1, &all_rows, {&columns});
  // Beyond the corners nothing changes, and nothing overflows.
  run(*queue, kernels::outside, width_index(itemsize(destination.dtype)), space, {destination},
      {.rows = rows, .columns = columns, .k = std::clamp(k, -rows, columns), .before = before});
}

} // namespace usmtensor
