// Compact device memory for an array of another array's shape and type.
#pragma once
#include "layout/strides.hpp"
#include "layout/view.hpp"
#include "runtime/memory.hpp"

#include <vector>

namespace usmtensor {

struct Temporary {
  // In C order, or with the order of the axes in memory that other strides have.
  Temporary(const QueueRef &queue, const View &model, const std::int64_t *like = nullptr)
      : memory(allocate(queue, UsmKind::device, model.size() * itemsize(model.dtype))),
        strides(model.ndim) {
    if (like)
      compact_strides_like(model.ndim, model.shape, like, strides.data());
    else
      compact_strides(model.ndim, model.shape, 'C', strides.data());
    view = {memory->pointer, model.dtype, model.ndim, model.shape, strides.data(), memory.get()};
  }
  Memory memory;
  std::vector<std::int64_t> strides;
  View view;
};

} // namespace usmtensor
