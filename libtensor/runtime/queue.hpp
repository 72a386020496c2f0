// Queues: places with counts of their commands, and with their memory.
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

struct Queue : Place {
  Queue();
  ~Queue();

  // The commands of the library, and how many of them are known to be done. A queue cannot be asked
  // whether it is empty while other threads submit to it. The user's own commands are not counted.
  mutable std::atomic<std::uint64_t> submitted{0}, finished{0};
  mutable std::atomic<std::int64_t> pending_time{
      0}; // nanoseconds, since all were done; an estimate
  mutable std::atomic<std::uint64_t> library_commands{0}; // the count after the last of a library
  mutable std::atomic<bool> exposed{false};               // others have it
  // A marker that `is_idle` looks at until it is complete, and how many commands of ours lie before
  // it. A new marker per look would keep the queue busy.
  mutable std::mutex mark_mutex;
  mutable EventRef mark;
  mutable std::uint64_t marked = 0;
  std::unique_ptr<ScratchBlocks> scratch;
  Pools pools; // of freed memory; last, so that it goes first
};

struct QueueProperties {
  bool in_order = false;
  bool enable_profiling = false;
};

// A new queue; a null context means the one that the runtime chooses for the device. Errors are of
// kind queue_creation.
QueueRef make_queue(const ContextRef &context, const DeviceRef &device, QueueProperties properties);
// Takes a copy of a foreign sycl::queue (the content of a "SyclQueueRef" capsule). Equal ones have
// one Queue.
QueueRef adopt_queue(const void *sycl_queue);

bool equal(const Queue &a, const Queue &b);
bool same_place(const Queue &a, const Queue &b); // equal device and equal context
// Whether commands of one may wait for events of the other. In the child of a fork the host waits:
// the driver has no threads there, and a wait for a queue does the work of that queue alone.
bool knows_events(const Queue &a, const Queue &b);
std::size_t hash(const Queue &queue);
const void *address(const Queue &queue); // of the sycl::queue
bool has_profiling(const Queue &queue);
Backend backend(const Queue &queue);

// The commands that matter: the user's own commands can touch only memory that is known outside of
// the library.
enum class Commands { ours, all };
// Waits for them until the deadline, at no cost if none is pending as far as is known. Returns
// whether they are done.
bool wait(const Queue &queue, Commands which = Commands::all, Clock::time_point deadline = never);
// Whether they are known to be done, without asking the driver.
bool known_idle(const Queue &queue, Commands which = Commands::all);
// Whether they are done; may ask how far an in-order queue has come. Never waits: an out-of-order
// queue is known to be idle only after a wait.
bool is_idle(const Queue &queue, Commands which = Commands::all);
// Waits if too many commands of ours are pending, or too long ones. So memory stays bounded, and so
// do the waits of other threads: the driver lets a waiting thread work until the queue is empty.
void bound_pending(const Queue &queue);

// Every queue that is alive.
std::vector<QueueRef> all_queues();

} // namespace usmtensor
