// Copies, casts and fills within one context and between contexts, and bytes from and to the host.
#pragma once
#include "layout/strides.hpp"
#include "layout/view.hpp"
#include "runtime/caller.hpp"
#include "runtime/handles.hpp"
#include "runtime/memory.hpp"

#include <cstddef>
#include <vector>

namespace usmtensor {

// destination[...] = source[...], converted to the destination's type. Equal shapes (a broadcast
// source has zero strides). Overlapping views behave as if the source had been copied first.
void copy(const QueueRef &queue, const View &source, const View &destination,
          Caller &caller = unlocked);

// destination[...] = *scalar, one element of the destination's type in host memory.
void fill(const QueueRef &queue, const View &destination, const void *scalar,
          Caller &caller = unlocked);

// Copies bytes; one of the addresses lies in the memory, the other in a host buffer. Complete on
// return.
void copy_with_host(const QueueRef &queue, const Allocation &memory, void *to, const void *from,
                    std::size_t nbytes);
// The same for one element.
void copy_element(const QueueRef &queue, const Allocation &memory, void *to, const void *from,
                  std::size_t nbytes, Caller &caller = unlocked);

// nbytes of one memory to another, in any context; the ranges may overlap.
void copy_bytes(const Allocation &source, const char *from, const Allocation &destination, char *to,
                std::size_t nbytes);

void set_bytes(const Allocation &memory, char *pointer, int value, std::size_t nbytes);

// destination[...] = source[...] where the two queues are of different contexts: through the host.
void copy_across(const QueueRef &source_queue, const View &source,
                 const QueueRef &destination_queue, const View &destination);

// Compact device memory for an array of another array's shape and type. The caller keeps its lock
// if the pool has a block, and takes it back.
struct Temporary {
  // In C order, or with the order of the axes in memory that other strides have.
  Temporary(const QueueRef &queue, const View &model, const std::int64_t *like = nullptr,
            Caller &caller = unlocked)
      : caller(caller), strides(model.ndim) {
    const std::size_t nbytes = model.size() * itemsize(model.dtype);
    memory = allocate_pooled(queue, UsmKind::device, nbytes);
    if (!memory) {
      caller.release();
      memory = allocate(queue, UsmKind::device, nbytes);
    }
    if (like)
      compact_strides_like(model.ndim, model.shape, like, strides.data());
    else
      compact_strides(model.ndim, model.shape, 'C', strides.data());
    view = {memory->pointer, model.dtype, model.ndim, model.shape, strides.data(), memory.get()};
  }
  ~Temporary() {
    if (!return_to_pool(memory))
      caller.release(); // the driver frees the block
  }
  Temporary(const Temporary &) = delete;
  Temporary &operator=(const Temporary &) = delete;

  Caller &caller;
  Memory memory;
  std::vector<std::int64_t> strides;
  View view;
};

} // namespace usmtensor
