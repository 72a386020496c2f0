#include "command.hpp"

#include "memory.hpp"
#include "queue.hpp"
#include "submit.hpp"
#include "translate.hpp"

#include <sycl/queue.hpp>

namespace usmtensor {

namespace {

std::vector<sycl::event> values(const std::vector<EventRef> &events) {
  std::vector<sycl::event> result;
  for (const EventRef &event : events)
    result.push_back(*event);
  return result;
}

} // namespace

bool is_usm(const Queue &queue, const void *pointer, std::size_t nbytes) {
  return translated([&] {
    const char *first = static_cast<const char *>(pointer);
    const auto known = [&](const char *byte) {
      return pointer_kind(byte, queue.context) != UsmKind::unknown;
    };
    return known(first) && (nbytes == 0 || known(first + nbytes - 1));
  });
}

void copy_bytes(const Queue &queue, void *destination, const void *source, std::size_t nbytes) {
  if (nbytes == 0 || destination == source)
    return;
  submit(queue, {}, {}, [&](sycl::queue &q) { q.memcpy(destination, source, nbytes); });
}

EventRef copy_bytes_async(const Queue &queue, void *destination, const void *source,
                          std::size_t nbytes, const std::vector<EventRef> &after) {
  return translated([&] {
    if (nbytes == 0 || destination == source)
      return barrier(queue, after);
    return std::make_shared<sycl::event>(
        queue.sycl->memcpy(destination, source, nbytes, values(after)));
  });
}

EventRef barrier(const Queue &queue, const std::vector<EventRef> &events) {
  return translated([&] {
    return std::make_shared<sycl::event>(
        events.empty() ? queue.sycl->ext_oneapi_submit_barrier()
                       : queue.sycl->ext_oneapi_submit_barrier(values(events)));
  });
}

void prefetch(const Queue &queue, const void *usm, std::size_t nbytes) {
  submit(queue, {}, {}, [&](sycl::queue &q) { q.prefetch(usm, nbytes); });
}

void advise(const Queue &queue, const void *usm, std::size_t nbytes, int advice) {
  submit(queue, {}, {}, [&](sycl::queue &q) { q.mem_advise(usm, nbytes, advice); });
}

} // namespace usmtensor
