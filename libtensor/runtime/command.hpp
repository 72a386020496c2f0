// The commands a queue offers on raw pointers: copies, hints, barriers.
#pragma once
#include "handles.hpp"

#include <cstddef>
#include <vector>

namespace usmtensor {

// Pointers are USM memory of the queue's context or host memory, either side.
void copy_bytes(const Queue &queue, void *destination, const void *source, std::size_t nbytes);
// Returns before the copy is done: both sides have to live until the event is complete. The events
// waited for must be of the queue's context (others crash in the runtime), here and in barrier().
EventRef copy_bytes_async(const Queue &queue, void *destination, const void *source,
                          std::size_t nbytes, const std::vector<EventRef> &after);
// Complete when these events are; without events, when all that was submitted before is.
EventRef barrier(const Queue &queue, const std::vector<EventRef> &events);

void prefetch(const Queue &queue, const void *usm, std::size_t nbytes);
void advise(const Queue &queue, const void *usm, std::size_t nbytes, int advice);

} // namespace usmtensor
