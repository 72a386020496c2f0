// Bytes between host memory and USM, and copies between contexts.
#pragma once
#include "layout/view.hpp"
#include "runtime/handles.hpp"

#include <cstddef>

namespace usmtensor {

// nbytes at pointer, which lies in memory; returns when the host buffer may be used again.
void copy_from_host(const QueueRef &queue, const Allocation &memory, char *pointer,
                    const void *host, std::size_t nbytes);
void copy_to_host(const QueueRef &queue, const Allocation &memory, const char *pointer, void *host,
                  std::size_t nbytes);

// nbytes of one memory to another, in any context; the ranges may overlap.
void copy_bytes(const Allocation &source, const char *from, const Allocation &destination, char *to,
                std::size_t nbytes);

void set_bytes(const Allocation &memory, char *pointer, int value, std::size_t nbytes);

// destination[...] = source[...] where the two queues are of different contexts: through the host.
void copy_across(const QueueRef &source_queue, const View &source,
                 const QueueRef &destination_queue, const View &destination);

} // namespace usmtensor
