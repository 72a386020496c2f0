// memcpy and memset commands that respect the barriers of their queue; for the .cpp files.
#pragma once
#include "queue.hpp"

#include <sycl/handler.hpp>
#include <sycl/queue.hpp>

#include <cstddef>
#include <vector>

namespace usmtensor {

// The CPU driver divides a memcpy or memset among work-groups of equal size. If the number of bytes
// has a large prime factor, each work-group gets a few bytes, and the command takes up to 150 times
// as long. So the bytes after the last multiple of 1024 are a separate command. It is submitted
// first, so that a wait for the main command is a wait for both.
inline std::size_t main_bytes(const Queue &queue, std::size_t nbytes) {
  constexpr std::size_t unit = 1024;
  return queue.description.is_cpu() && nbytes > unit ? nbytes / unit * unit : nbytes;
}

// On an out-of-order queue, sycl::queue::memcpy and memset overtake a barrier that waits for a host
// task. Commands of a handler do not, but take longer to submit.
inline sycl::event submit_memcpy(const Queue &queue, sycl::queue &q, void *to, const void *from,
                                 std::size_t nbytes, std::vector<sycl::event> after = {}) {
  auto *const target = static_cast<char *>(to);
  const auto *const source = static_cast<const char *>(from);
  // The driver refuses a memcpy between overlapping ranges, and writes nothing.
  const bool overlap = source < target + nbytes && target < source + nbytes;
  const std::size_t first = overlap ? nbytes : main_bytes(queue, nbytes);
  if (first < nbytes)
    after = {submit_memcpy(queue, q, target + first, source + first, nbytes - first, after)};
  if (q.is_in_order())
    return q.memcpy(to, from, first, after);
  return q.submit([&](sycl::handler &handler) {
    handler.depends_on(after);
    handler.memcpy(to, from, first);
  });
}

inline sycl::event submit_memset(const Queue &queue, sycl::queue &q, void *pointer, int value,
                                 std::size_t nbytes) {
  const std::size_t first = main_bytes(queue, nbytes);
  std::vector<sycl::event> after;
  if (first < nbytes)
    after = {submit_memset(queue, q, static_cast<char *>(pointer) + first, value, nbytes - first)};
  if (q.is_in_order())
    return q.memset(pointer, value, first, after);
  return q.submit([&](sycl::handler &handler) {
    handler.depends_on(after);
    handler.memset(pointer, value, first);
  });
}

} // namespace usmtensor
