// Queues, with counts of their commands, and with their pools of memory.
#pragma once
#include "event.hpp"
#include "handles.hpp"
#include "pool.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace usmtensor {

class ScratchBlocks; // scratch.hpp

struct Queue : QueueInfo {
  Queue();
  ~Queue();

  // The number of submitted commands of this library, and how many of them are known to be
  // complete. Counted here, because a queue must not be queried while other threads submit to it.
  // User commands are not counted.
  mutable std::atomic<std::uint64_t> submitted{0}, finished{0};
  // Estimated nanoseconds of the commands since the queue was last idle.
  mutable std::atomic<std::int64_t> pending_time{0};
  mutable std::atomic<bool> exposed{false}; // the user has the sycl::queue
  // The last event that is_idle() polls until it is complete, and the value of `submitted` at that
  // event. A new barrier for each poll would keep the queue busy. Submissions to an in-order queue
  // hold the lock, too: meanwhile the runtime has locked the queue, and does not return the event.
  mutable std::mutex marker_mutex;
  mutable EventRef marker;
  mutable std::uint64_t commands_at_marker = 0;
  std::unique_ptr<ScratchBlocks> scratch;
  Pools pools; // last, so that they are destroyed first
};

struct QueueProperties {
  bool in_order = false;
  bool enable_profiling = false;
};

// A new queue; a null context means the one that the runtime chooses for the device. Errors are of
// kind queue_creation.
QueueRef make_queue(const ContextRef &context, const DeviceRef &device, QueueProperties properties);
// Copies a foreign sycl::queue (the content of a "SyclQueueRef" capsule). Equal sycl::queues get
// the same Queue.
QueueRef adopt_queue(const void *sycl_queue);

bool equal(const Queue &a, const Queue &b);
bool same_device_and_context(const Queue &a, const Queue &b); // equal device and equal context
// True if the queue's device gets the loops for CPUs.
bool is_like_cpu(const Queue &queue);
// True if commands of one queue can wait for events of the other. False in the child of a fork: the
// driver has no threads there, and a thread that waits for a queue executes only that queue.
bool can_wait_for(const Queue &a, const Queue &b);
std::size_t hash(const Queue &queue);
const void *address(const Queue &queue); // of the sycl::queue
bool has_profiling(const Queue &queue);
Backend backend(const Queue &queue);

// Which commands matter: only those of this library, or also user commands, which can use only
// exported memory.
enum class Commands { ours, all };
// Waits for the commands until the deadline; costs nothing if the queue is known to be idle.
// Returns true if they are complete.
bool wait(const Queue &queue, Commands which = Commands::all, Clock::time_point deadline = never);
// True if the commands are known to be complete. Does not query the driver.
bool known_idle(const Queue &queue, Commands which = Commands::all);
// True if the commands are complete; may query the last event of an in-order queue. Never waits, so
// an out-of-order queue is idle only after a wait.
bool is_idle(const Queue &queue, Commands which = Commands::all);
// Waits if too many commands of this library, or too long ones, are pending. This bounds the memory
// of commands, and the waits of other threads: the driver makes a waiting thread execute commands
// until the queue is empty.
void bound_pending(const Queue &queue);

// All live queues.
std::vector<QueueRef> all_queues();

} // namespace usmtensor
