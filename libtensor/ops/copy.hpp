// Copies, casts and fills within a context, copies between contexts, and copies from and to the
// host.
#pragma once
#include "layout/strides.hpp"
#include "layout/view.hpp"
#include "runtime/caller.hpp"
#include "runtime/handles.hpp"
#include "runtime/memory.hpp"

#include <cstddef>
#include <vector>

namespace usmtensor {

// destination[...] = source[...], converted to the destination's type. The shapes are equal; a
// broadcast source has zero strides. If the views overlap, the source is copied first.
void copy(const QueueRef &queue, const View &source, const View &destination,
          Caller &caller = unlocked);

// destination[...] = *scalar. The scalar has the destination's type and is in host memory.
void fill(const QueueRef &queue, const View &destination, const void *scalar,
          Caller &caller = unlocked);

// Copies bytes between the memory and a host buffer, in either direction. Complete on return.
void copy_with_host(const QueueRef &queue, const Allocation &memory, void *to, const void *from,
                    std::size_t nbytes);
// The same for one element.
void copy_element(const QueueRef &queue, const Allocation &memory, void *to, const void *from,
                  std::size_t nbytes, Caller &caller = unlocked);
// Copies an element between two memories of a queue on this thread. Returns false if commands on
// them are pending, or if the host may not access them.
bool copy_element_here(const Queue &queue, const Allocation &source, const char *from,
                       const Allocation &destination, char *to, std::size_t nbytes);

// Copies bytes between allocations of any contexts. The ranges may overlap.
void copy_bytes(const Allocation &source, const char *from, const Allocation &destination, char *to,
                std::size_t nbytes);

void set_bytes(const Allocation &memory, char *pointer, int value, std::size_t nbytes);

// destination[...] = source[...] for queues of different contexts, through the host.
void copy_across(const QueueRef &source_queue, const View &source,
                 const QueueRef &destination_queue, const View &destination);

// A compact array in device memory with the shape and type of another array. The caller's lock is
// kept if the pool has a block and takes it back.
struct Temporary {
  // In C order, or with the axis order of the strides `like`.
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
