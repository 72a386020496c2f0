// The commands of a queue on bytes, in the order of its barriers; for the .cpp files.
#pragma once
#include <sycl/handler.hpp>
#include <sycl/queue.hpp>

#include <cstddef>
#include <vector>

namespace usmtensor {

// On an out-of-order queue, memcpy and memset of sycl::queue overtake a barrier that waits for a
// host task. The commands of a handler do not, but take longer to submit.
inline sycl::event submit_memcpy(sycl::queue &queue, void *to, const void *from, std::size_t nbytes,
                                 const std::vector<sycl::event> &after = {}) {
  if (queue.is_in_order())
    return queue.memcpy(to, from, nbytes, after);
  return queue.submit([&](sycl::handler &handler) {
    handler.depends_on(after);
    handler.memcpy(to, from, nbytes);
  });
}

inline sycl::event submit_memset(sycl::queue &queue, void *pointer, int value, std::size_t nbytes) {
  if (queue.is_in_order())
    return queue.memset(pointer, value, nbytes);
  return queue.submit([&](sycl::handler &handler) { handler.memset(pointer, value, nbytes); });
}

} // namespace usmtensor
