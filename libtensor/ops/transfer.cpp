#include "transfer.hpp"

#include "copy.hpp"
#include "layout/strides.hpp"
#include "runtime/memory.hpp"
#include "runtime/queue.hpp"
#include "runtime/submit.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace usmtensor {

namespace {

// Below this a memcpy on the host beats a queue's (8 us).
constexpr std::size_t small_copy = std::size_t(1) << 16;
// The bounce buffer between contexts.
constexpr std::size_t bounce_bytes = std::size_t(1) << 24;

bool overlap(const char *a, const char *b, std::size_t nbytes) {
  return a < b + nbytes && b < a + nbytes;
}

} // namespace

void copy_from_host(const QueueRef &queue, const Allocation &memory, char *pointer,
                    const void *host, std::size_t nbytes) {
  if (nbytes == 0)
    return;
  if (nbytes <= small_copy && host_accessible(memory))
    host_access(*queue, {}, {&memory}, [&] { std::memcpy(pointer, host, nbytes); });
  else
    submit_and_wait(*queue, {}, {&memory},
                    [&](sycl::queue &q) { q.memcpy(pointer, host, nbytes); });
}

void copy_to_host(const QueueRef &queue, const Allocation &memory, const char *pointer, void *host,
                  std::size_t nbytes) {
  if (nbytes == 0)
    return;
  if (nbytes <= small_copy && host_accessible(memory))
    host_access(*queue, {&memory}, {}, [&] { std::memcpy(host, pointer, nbytes); });
  else
    submit_and_wait(*queue, {&memory}, {},
                    [&](sycl::queue &q) { q.memcpy(host, pointer, nbytes); });
}

void copy_bytes(const Allocation &source, const char *from, const Allocation &destination, char *to,
                std::size_t nbytes) {
  if (nbytes == 0 || from == to)
    return;
  const Queue &queue = *destination.queue;
  if (*source.queue->context == *queue.context) {
    if (overlap(from, to, nbytes)) { // a queue's memcpy refuses overlapping ranges
      const Memory copy = allocate(destination.queue, UsmKind::device, nbytes);
      copy_bytes(source, from, *copy, copy->pointer, nbytes);
      copy_bytes(*copy, copy->pointer, destination, to, nbytes);
      return;
    }
    submit(queue, {&source}, {&destination}, [&](sycl::queue &q) { q.memcpy(to, from, nbytes); });
    return;
  }
  const std::unique_ptr<char[]> bounce(new char[std::min(nbytes, bounce_bytes)]);
  for (std::size_t done = 0; done < nbytes; done += bounce_bytes) {
    const std::size_t part = std::min(nbytes - done, bounce_bytes);
    copy_to_host(source.queue, source, from + done, bounce.get(), part);
    copy_from_host(destination.queue, destination, to + done, bounce.get(), part);
  }
}

void set_bytes(const Allocation &memory, char *pointer, int value, std::size_t nbytes) {
  if (nbytes != 0)
    submit(*memory.queue, {}, {&memory}, [&](sycl::queue &q) { q.memset(pointer, value, nbytes); });
}

void copy_across(const QueueRef &source_queue, const View &source,
                 const QueueRef &destination_queue, const View &destination) {
  std::int64_t count;
  element_count(source.ndim, source.shape, count);
  if (count == 0)
    return;
  // The source, compact and in its own type, travels; the destination's device converts.
  const std::size_t nbytes = static_cast<std::size_t>(count) * itemsize(source.dtype);
  std::vector<std::int64_t> strides(source.ndim);
  compact_strides(source.ndim, source.shape, 'C', strides.data());

  Memory packed;
  const Allocation *from_memory = source.memory;
  const char *from = source.data;
  if (!(contiguity(source.ndim, source.shape, source.strides) & c_contiguous)) {
    packed = allocate(source_queue, UsmKind::device, nbytes);
    View compact{packed->pointer, source.dtype,   source.ndim,
                 source.shape,    strides.data(), packed.get()};
    copy(source_queue, source, compact);
    from_memory = packed.get();
    from = packed->pointer;
  }
  const bool direct =
      source.dtype == destination.dtype &&
      (contiguity(destination.ndim, destination.shape, destination.strides) & c_contiguous);
  if (direct) {
    copy_bytes(*from_memory, from, *destination.memory, destination.data, nbytes);
    return;
  }
  const Memory arrived = allocate(destination_queue, UsmKind::device, nbytes);
  copy_bytes(*from_memory, from, *arrived, arrived->pointer, nbytes);
  View compact{arrived->pointer, source.dtype,   source.ndim,
               source.shape,     strides.data(), arrived.get()};
  copy(destination_queue, compact, destination);
}

} // namespace usmtensor
