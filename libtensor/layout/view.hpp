// An N-dimensional strided view of a memory, the operand of operations.
#pragma once
#include "dtype.hpp"

#include <cstdint>
#include <functional>
#include <numeric>

namespace usmtensor {

struct Allocation;

struct View {
  char *data; // the element whose indices are all zero
  DType dtype;
  int ndim;
  const std::int64_t *shape;
  const std::int64_t *strides; // in elements; negative and zero ones too
  const Allocation *memory;    // that contains data

  std::int64_t size() const {
    return std::accumulate(shape, shape + ndim, std::int64_t(1), std::multiplies<>());
  }
};

// Every index addresses equal bytes in both.
bool same_elements(const View &a, const View &b);

// False only if surely no byte belongs to both: the ranges are disjoint, or the elements
// interleave.
bool may_overlap(const View &a, const View &b);

} // namespace usmtensor
