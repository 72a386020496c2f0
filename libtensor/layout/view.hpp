// A strided N-D view of memory: an operand of operations.
#pragma once
#include "dtype.hpp"

#include <cstdint>
#include <functional>
#include <numeric>

namespace usmtensor {

struct Allocation;

struct View {
  char *data; // the element with all-zero indices
  DType dtype;
  int ndim;
  const std::int64_t *shape;
  const std::int64_t *strides; // in elements; may be negative or zero
  const Allocation *memory;    // contains data

  std::int64_t size() const {
    return std::accumulate(shape, shape + ndim, std::int64_t(1), std::multiplies<>());
  }
};

// True if every index addresses the same bytes in both.
bool same_elements(const View &a, const View &b);

// Conservative: false means provably disjoint. Detects disjoint ranges and interleaved elements.
bool may_overlap(const View &a, const View &b);

} // namespace usmtensor
