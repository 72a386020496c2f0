#include "view.hpp"

#include <cstdint>
#include <numeric>

namespace usmtensor {
namespace {

struct Bytes {
  std::intptr_t first, last; // last is one past the end; both are 0 if there are no elements
};

Bytes bytes_of(const View &view) {
  std::int64_t low = 0, high = 0;
  for (int axis = 0; axis < view.ndim; ++axis) {
    const std::int64_t span = (view.shape[axis] - 1) * view.strides[axis];
    (span < 0 ? low : high) += span;
    if (view.shape[axis] == 0)
      return {};
  }
  const auto size = static_cast<std::int64_t>(itemsize(view.dtype));
  const auto data = reinterpret_cast<std::intptr_t>(view.data);
  return {data + low * size, data + (high + 1) * size};
}

// The greatest common divisor of all strides, in bytes, and `step`.
std::int64_t common_step(const View &view, std::int64_t step) {
  for (int axis = 0; axis < view.ndim; ++axis)
    if (view.shape[axis] != 1)
      step = std::gcd(step, view.strides[axis] * static_cast<std::int64_t>(itemsize(view.dtype)));
  return step;
}

} // namespace

bool same_elements(const View &a, const View &b) {
  if (a.data != b.data || itemsize(a.dtype) != itemsize(b.dtype) || a.ndim != b.ndim)
    return false;
  for (int axis = 0; axis < a.ndim; ++axis)
    if (a.shape[axis] != b.shape[axis] || (a.shape[axis] > 1 && a.strides[axis] != b.strides[axis]))
      return false;
  return true;
}

bool may_overlap(const View &a, const View &b) {
  const Bytes x = bytes_of(a), y = bytes_of(b);
  if (x.last <= y.first || y.last <= x.first)
    return false;
  // All elements start at multiples of `step` from the first element of their view.
  const std::int64_t step = common_step(a, common_step(b, 0));
  if (step == 0)
    return true;
  std::int64_t distance = (y.first - x.first) % step;
  if (distance < 0)
    distance += step;
  const auto size_a = static_cast<std::int64_t>(itemsize(a.dtype));
  const auto size_b = static_cast<std::int64_t>(itemsize(b.dtype));
  return distance < size_a || distance + size_b > step;
}

} // namespace usmtensor
