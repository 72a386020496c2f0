// Bytes between host memory and USM, and copies between contexts.
#pragma once
#include "layout/view.hpp"
#include "runtime/handles.hpp"

#include <cstddef>

namespace usmtensor {

// Copies bytes; one of the addresses lies in the memory, the other in a host buffer. Complete on
// return.
void copy_with_host(const QueueRef &queue, const Allocation &memory, void *to, const void *from,
                    std::size_t nbytes);

// nbytes of one memory to another, in any context; the ranges may overlap.
void copy_bytes(const Allocation &source, const char *from, const Allocation &destination, char *to,
                std::size_t nbytes);

void set_bytes(const Allocation &memory, char *pointer, int value, std::size_t nbytes);

// destination[...] = source[...] where the two queues are of different contexts: through the host.
void copy_across(const QueueRef &source_queue, const View &source,
                 const QueueRef &destination_queue, const View &destination);

} // namespace usmtensor
