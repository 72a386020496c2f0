#include "submit.hpp"

#include "byte_commands.hpp"
#include "discrete.hpp"
#include "error.hpp"
#include "gate.hpp"
#include "host/modes.hpp"
#include "memory.hpp"
#include "order.hpp"
#include "settings.hpp"
#include "submission.hpp"
#include "translate.hpp"

#include <sycl/queue.hpp>

#include <algorithm>
#include <atomic>

namespace usmtensor {
namespace {

template <class Visit> void for_each(Operands operands, Visit &&visit) {
  for (const Allocation *memory : operands)
    if (memory)
      visit(*memory);
}

// Makes the operands accessible to commands in discrete mode, during its life. The commands must be
// complete before it is destroyed.
class DeviceAccess {
public:
  explicit DeviceAccess(Operands operands) : operands_(operands) {
    if (discrete_mode())
      for_each(operands_, [](const Allocation &memory) { open_block(memory.pointer); });
  }
  ~DeviceAccess() {
    if (discrete_mode())
      for_each(operands_, [](const Allocation &memory) { close_block(memory.pointer); });
  }
  DeviceAccess(const DeviceAccess &) = delete;
  DeviceAccess &operator=(const DeviceAccess &) = delete;

private:
  const Operands operands_;
};

// The queues with commands on the operands, except the command's own queue.
std::vector<QueueRef> other_queues_of(const Queue &queue, Operands operands) {
  std::vector<QueueRef> result;
  for_each(operands, [&](const Allocation &memory) {
    if (memory.is_shared() || memory.queue.get() != &queue)
      other_queues(memory, queue, result);
  });
  return result;
}

// True if an operand has a host view. Check after the submission: views that are opened later wait
// for the command.
bool any_host_view(Operands operands) {
  bool result = false;
  for_each(operands, [&](const Allocation &memory) {
    result |= memory.is_shared() && has_host_view(memory);
  });
  return result;
}

// Runs a command after `before` and all earlier commands of the queue. Returns an event for which
// later commands of this queue wait.
sycl::event run_between_barriers(const Queue &queue, std::vector<sycl::event> &before,
                                 const Command &command) {
  const Submission submission(queue);
  if (!queue.in_order) { // user commands are not ordered by the queue
    sycl::event own = submission.barrier();
    if (!before.empty())
      before.push_back(std::move(own));
  }
  if (!before.empty())
    submission.barrier(before);
  submission.run(command);
  return submission.barrier();
}

// Runs a command that is also ordered with the commands of other queues, by barriers.
void run_ordered_with(const Queue &queue, const std::vector<QueueRef> &others,
                      const Command &command) {
  std::vector<sycl::event> before = barriers_of(others, queue);
  const bool foreign = before.size() != others.size();
  try {
    const sycl::event after = run_between_barriers(queue, before, command);
    for (const QueueRef &other : others)
      if (can_wait_for(queue, *other))
        Submission(*other).barrier({after});
  } catch (...) { // the command may have been submitted without a barrier after it
    wait(queue, Commands::ours);
    throw;
  }
  if (foreign)
    wait(queue);
}

void run(const Queue &queue, Operands operands, const Command &command, bool complete) {
  const DriverScope scope;
  translated(&queue, [&] {
    const DeviceAccess access(operands);
    const std::vector<QueueRef> others = other_queues_of(queue, operands);
    if ((queue.in_order && others.empty()) || !settings.ordering) {
      Submission(queue).run(command);
    } else {
      run_ordered_with(queue, others, command);
    }
    if (complete || discrete_mode() || any_host_view(operands))
      wait(queue, Commands::ours);
  });
}

} // namespace

void submit(const Queue &queue, Operands operands, Command command, std::int64_t nanoseconds) {
  queue.pending_time.fetch_add(nanoseconds, std::memory_order_relaxed);
  run(queue, operands, command, false);
}

void submit_library(const Queue &queue, Operands operands, Command command,
                    std::int64_t nanoseconds) {
  submit(
      queue, operands,
      [&](sycl::queue &native) {
        command(native);
        native.ext_oneapi_submit_barrier(); // makes a command of the driver the last one
      },
      nanoseconds);
}

void submit_and_wait(const Queue &queue, Operands operands, Command command) {
  run(queue, operands, command, true);
}

bool nothing_pending(const Queue &queue, Operands operands) {
  auto commands = Commands::ours;
  bool is_only_queue = true; // no other queue has commands on the operands
  for (const Allocation *memory : operands) {
    if (!memory)
      continue;
    if (!host_accessible(*memory))
      return false;
    is_only_queue &= memory->queue.get() == &queue && !memory->is_shared();
    if (memory->is_exported())
      commands = Commands::all;
  }
  if (!is_idle(queue, commands))
    return false;
  if (is_only_queue)
    return true;
  const DriverScope scope(DriverScope::if_open); // other_queues_of() takes locks
  if (!scope)
    return false;
  const std::vector<QueueRef> others = other_queues_of(queue, operands);
  return std::all_of(others.begin(), others.end(),
                     [&](const QueueRef &other) { return is_idle(*other, commands); });
}

void run_here(HostCommand command) {
  if (fails(Fault::command))
    throw Error(ErrorKind::sycl, "a test asked for this failure");
  counts.host_commands.store(counts.host_commands.load(std::memory_order_relaxed) + 1,
                             std::memory_order_relaxed);
  const DefaultModes modes;
  command();
}

void share_with(const QueueRef &queue, Allocation &memory) {
  share(memory, queue);
  submit(*queue, {&memory}, [](sycl::queue &) {});
}

void host_access(const Queue &queue, Operands operands, HostCommand command) {
  const DriverScope scope;
  if (settings.ordering)
    wait(queue, Commands::ours);
  for_each(operands, [](const Allocation &memory) { drain(memory); });
  command();
}

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
  EventRef event;
  submit(queue, {source.memory, destination.memory}, [&](sycl::queue &q) {
    event = std::make_shared<sycl::event>(
        submit_memcpy(queue, q, destination.pointer, source.pointer, nbytes, objects(after)));
  });
  return event;
}

EventRef barrier(const Queue &queue, const std::vector<EventRef> &events) {
  const DriverScope scope;
  return translated(&queue, [&] {
    const Submission submission(queue);
    if (!events.empty()) {
      sycl::event last = submission.barrier(objects(events));
      if (!queue.in_order) // on an in-order queue the runtime reports this event as complete
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
