#include "copy.hpp"

#include "layout/move_bytes.hpp"
#include "runtime/byte_commands.hpp"
#include "runtime/device.hpp"
#include "runtime/queue.hpp"
#include "runtime/submit.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

namespace usmtensor {

namespace {

// The number of bytes up to which the host copies faster than a queue's memcpy: 30 us on a CPU, 8
// us on other devices.
std::size_t small_copy(const Queue &queue) {
  return std::size_t(1) << (queue.description.is_cpu() ? 19 : 16);
}
// The size of the bounce buffer between contexts, and between devices without peer access.
constexpr std::size_t bounce_bytes = std::size_t(1) << 24;

// True if one command of the destination's queue can copy.
bool reachable(const Allocation &source, const Allocation &destination) {
  const Queue &from = *source.queue, &to = *destination.queue;
  if (*from.context != *to.context)
    return false;
  if (source.kind == UsmKind::host || equal(from.device, to.device))
    return true;
  const DeviceRef peer = root(from.device), device = root(to.device);
  return equal(device, peer) || has_peer_access(device, peer);
}

bool is_compact(const View &view) {
  return contiguity(view.ndim, view.shape, view.strides) & c_contiguous;
}

} // namespace

void copy_with_host(const QueueRef &queue, const Allocation &memory, void *to, const void *from,
                    std::size_t nbytes) {
  if (nbytes == 0)
    return;
  if (nbytes <= small_copy(*queue) && host_accessible(memory))
    host_access(*queue, {&memory}, [&] { move_bytes(to, from, nbytes); });
  else
    submit_and_wait(*queue, {&memory},
                    [&](sycl::queue &q) { submit_memcpy(*queue, q, to, from, nbytes); });
}

void copy_element(const QueueRef &queue, const Allocation &memory, void *to, const void *from,
                  std::size_t nbytes, Caller &caller) {
  if (nothing_pending(*queue, {&memory})) {
    std::memcpy(to, from, nbytes);
  } else {
    caller.release();
    copy_with_host(queue, memory, to, from, nbytes);
  }
}

bool copy_element_here(const Queue &queue, const Allocation &source, const char *from,
                       const Allocation &destination, char *to, std::size_t nbytes) {
  if (!nothing_pending(queue, {&source, &destination}))
    return false;
  std::memmove(to, from, nbytes);
  return true;
}

void copy_bytes(const Allocation &source, const char *from, const Allocation &destination, char *to,
                std::size_t nbytes) {
  if (nbytes == 0 || from == to)
    return;
  const Queue &queue = *destination.queue;
  if (reachable(source, destination)) {
    if (from < to + nbytes && to < from + nbytes) { // a queue's memcpy refuses overlapping ranges
      const Memory copy = allocate(destination.queue, UsmKind::device, nbytes);
      copy_bytes(source, from, *copy, copy->pointer, nbytes);
      copy_bytes(*copy, copy->pointer, destination, to, nbytes);
      return;
    }
    submit(queue, {&source, &destination},
           [&](sycl::queue &q) { submit_memcpy(queue, q, to, from, nbytes); });
    return;
  }
  const std::unique_ptr<char[]> bounce(new char[std::min(nbytes, bounce_bytes)]);
  for (std::size_t done = 0; done < nbytes; done += bounce_bytes) {
    const std::size_t part = std::min(nbytes - done, bounce_bytes);
    copy_with_host(source.queue, source, bounce.get(), from + done, part);
    copy_with_host(destination.queue, destination, to + done, bounce.get(), part);
  }
}

void set_bytes(const Allocation &memory, char *pointer, int value, std::size_t nbytes) {
  if (nbytes == 0)
    return;
  const Queue &queue = *memory.queue;
  submit(queue, {&memory},
         [&](sycl::queue &q) { submit_memset(queue, q, pointer, value, nbytes); });
}

void copy_across(const QueueRef &source_queue, const View &source,
                 const QueueRef &destination_queue, const View &destination) {
  if (source.size() == 0)
    return;
  // The source is transferred is_compact and in its own type; the destination's device converts.
  std::optional<Temporary> packed, arrived;
  const View *from = &source, *to = &destination;
  if (!is_compact(source)) {
    from = &packed.emplace(source_queue, source).view;
    copy(source_queue, source, *from);
  }
  if (source.dtype != destination.dtype || !is_compact(destination))
    to = &arrived.emplace(destination_queue, source).view;
  copy_bytes(*from->memory, from->data, *to->memory, to->data,
             static_cast<std::size_t>(source.size()) * itemsize(source.dtype));
  if (arrived)
    copy(destination_queue, *to, destination);
}

} // namespace usmtensor
