#include "submit.hpp"

#include "discrete.hpp"
#include "faults.hpp"
#include "gate.hpp"
#include "memory.hpp"
#include "order.hpp"
#include "submission.hpp"
#include "translate.hpp"

#include <sycl/queue.hpp>

#include <algorithm>
#include <vector>

namespace usmtensor {

namespace {

// What the operands of a command ask of it.
struct Demands {
  Demands(const Queue &queue, Operands reads, Operands writes) {
    for (const Operands &operands : {reads, writes})
      for (const Allocation *memory : operands)
        if (memory)
          add(queue, *memory);
  }
  void add(const Queue &queue, const Allocation &memory) {
    if (Order *order = memory.order.load(std::memory_order_acquire)) {
      looked_at |= order->host_views.load(std::memory_order_relaxed) > 0;
      order->others(queue, others);
    } else if (memory.queue.get() != &queue && !equal(*memory.queue, queue) &&
               std::none_of(others.begin(), others.end(), [&](const QueueRef &one) {
                 return one == memory.queue || equal(*one, *memory.queue);
               })) {
      others.push_back(memory.queue);
    }
  }
  std::vector<QueueRef> others; // queues other than the command's that work on the operands
  bool looked_at = false;       // through a host view
};

void fail_if_planned(Fault fault) {
  if (fails(fault))
    throw sycl::exception(sycl::make_error_code(sycl::errc::runtime),
                          "a test asked for this failure");
}

// What a command submitted before it failed is complete when the error leaves: nobody orders it.
void run_command(const Queue &queue, const Command &command) {
  try {
    fail_if_planned(Fault::command);
    command(*queue.sycl);
    fail_if_planned(Fault::command_part);
  } catch (...) {
    queue.sycl->wait();
    throw;
  }
}

// On a queue, as one: what comes later waits for command, which waits for what came before.
sycl::event run_between_barriers(const Queue &queue, std::vector<sycl::event> &before,
                                 const Command &command) {
  const Submission submission(queue);
  if (!queue.in_order) { // the user's own commands are not ordered by the queue
    sycl::event own = submission.barrier();
    if (!before.empty())
      before.push_back(std::move(own));
  }
  if (!before.empty())
    submission.barrier(before);
  run_command(queue, command);
  return submission.barrier();
}

// The same on the other queues as well.
void run_among(const Queue &queue, const std::vector<QueueRef> &others, const Command &command) {
  std::vector<sycl::event> before;
  bool foreign = false;
  for (const QueueRef &other : others)
    if (!knows_events(queue, *other)) { // they must not reach our barriers
      wait(*other);
      foreign = true;
    } else { // not asked whether it is empty: that is not safe while other threads submit
      before.push_back(Submission(*other).barrier());
    }
  const sycl::event after = run_between_barriers(queue, before, command);
  for (const QueueRef &other : others)
    if (knows_events(queue, *other))
      Submission(*other).barrier({after});
  if (foreign)
    wait(queue);
}

void run(const Queue &queue, Operands reads, Operands writes, const Command &command,
         bool complete) {
  const Passage passage;
  translated([&] {
    const DeviceAccess access(reads, writes);
    const Demands demands(queue, reads, writes);
    if ((queue.in_order && demands.others.empty()) || !ordering_enabled()) {
      const Submission submission(queue);
      run_command(queue, command);
    } else {
      run_among(queue, demands.others, command);
    }
    if (complete || demands.looked_at || discrete_mode())
      wait(queue, Commands::ours);
  });
}

} // namespace

void submit(const Queue &queue, Operands reads, Operands writes, Command command) {
  run(queue, reads, writes, command, false);
}

void submit_and_wait(const Queue &queue, Operands reads, Operands writes, Command command) {
  run(queue, reads, writes, command, true);
}

void share_with(const QueueRef &queue, Allocation &memory) {
  share(memory, queue);
  submit(*queue, {&memory}, {}, [](sycl::queue &) {});
}

void host_access(const Queue &queue, Operands reads, Operands writes, HostCommand command) {
  const Passage passage;
  if (ordering_enabled())
    wait(queue, Commands::ours);
  for (const Operands &operands : {reads, writes})
    for (const Allocation *memory : operands)
      if (memory)
        drain(*memory);
  command();
}

} // namespace usmtensor
