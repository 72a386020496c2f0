#include "command.hpp"

#include "byte_commands.hpp"
#include "gate.hpp"
#include "memory.hpp"
#include "submission.hpp"
#include "submit.hpp"
#include "translate.hpp"

#include <sycl/queue.hpp>

namespace usmtensor {

void transfer(const Queue &queue, const Bytes &destination, const Bytes &source,
              std::size_t nbytes) {
  if (nbytes == 0 || destination.pointer == source.pointer)
    return;
  submit_and_wait(queue, {source.memory, destination.memory}, [&](sycl::queue &q) {
    submit_memcpy(queue, q, destination.pointer, source.pointer, nbytes);
  });
}

EventRef transfer_async(const Queue &queue, const Bytes &destination, const Bytes &source,
                        std::size_t nbytes, const std::vector<EventRef> &after) {
  if (nbytes == 0 || destination.pointer == source.pointer)
    return barrier(queue, after);
  for (const Bytes *bytes : {&destination, &source})
    if (bytes->memory)
      bytes->memory->note_copy(bytes->pointer);
  EventRef event;
  submit(queue, {source.memory, destination.memory}, [&](sycl::queue &q) {
    event = std::make_shared<sycl::event>(
        submit_memcpy(queue, q, destination.pointer, source.pointer, nbytes, objects(after)));
  });
  return event;
}

EventRef barrier(const Queue &queue, const std::vector<EventRef> &events) {
  const Passage passage;
  return translated(&queue, [&] {
    const Submission submission(queue);
    if (!events.empty()) {
      sycl::event last = submission.barrier(objects(events));
      if (!queue.in_order) // the runtime calls that of an in-order queue complete
        return std::make_shared<sycl::event>(std::move(last));
    }
    return std::make_shared<sycl::event>(submission.barrier());
  });
}

void prefetch(const Queue &queue, const Bytes &bytes, std::size_t nbytes) {
  submit(queue, {bytes.memory}, [&](sycl::queue &q) { q.prefetch(bytes.pointer, nbytes); });
}

void advise(const Queue &queue, const Bytes &bytes, std::size_t nbytes, int advice) {
  submit(queue, {bytes.memory},
         [&](sycl::queue &q) { q.mem_advise(bytes.pointer, nbytes, advice); });
}

} // namespace usmtensor
