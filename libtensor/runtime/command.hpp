// The commands of a queue on bytes: copies, hints, barriers.
#pragma once
#include "handles.hpp"

#include <cstddef>
#include <vector>

namespace usmtensor {

// The start of some bytes: in an allocation of the queue's context, or in host memory (null).
struct Bytes {
  void *pointer;
  const Allocation *memory;
};

void transfer(const Queue &queue, const Bytes &destination, const Bytes &source,
              std::size_t nbytes);
// Returns before the copy is complete: both sides must live until the event is complete. `after`
// must be events of the queue's context, here and in barrier(): others crash in the runtime.
EventRef transfer_async(const Queue &queue, const Bytes &destination, const Bytes &source,
                        std::size_t nbytes, const std::vector<EventRef> &after);
// Complete when these events are; without events, when all earlier commands are.
EventRef barrier(const Queue &queue, const std::vector<EventRef> &events);

void prefetch(const Queue &queue, const Bytes &bytes, std::size_t nbytes);
void advise(const Queue &queue, const Bytes &bytes, std::size_t nbytes, int advice);

} // namespace usmtensor
