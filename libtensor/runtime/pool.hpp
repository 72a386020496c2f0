// Pools of freed USM blocks, per queue and kind, and their statistics.
#pragma once
#include "handles.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

namespace usmtensor {

// Statistics of a device's blocks of one kind, summed over all queues.
struct Account {
  std::atomic<std::size_t> total{0};   // bytes of all blocks
  std::atomic<std::size_t> live{0};    // bytes of blocks in use; the others are pooled
  std::atomic<std::size_t> peak{0};    // the largest value of live
  std::atomic<std::size_t> hits{0};    // allocations served by destroyed pools
  std::atomic<std::size_t> misses{0};  // allocations served by the driver
  std::atomic<std::size_t> escaped{0}; // blocks freed to the driver because they had escaped

  std::size_t pooled() const {
    const std::size_t used = live.load(std::memory_order_relaxed), all = total;
    return all > used ? all - used : 0; // other threads may change one between the loads
  }
};

struct DeviceMemory; // pool.cpp: the accounts of a device

// The freed blocks of a queue. Every block is a separate driver allocation, so that an escaped
// block can be passed to sycl::free. Reuse does not wait, because the queue's commands are ordered,
// and host code drains the queue before it touches memory.
//
// Freeing to the driver is deferred until all commands that were submitted to the queue before are
// complete. OpenCL's sycl::free waits for some commands that use a block. It does not wait for
// copies from or to its middle, for oneMKL commands, or for commands that the runtime holds back
// until a host task is done. The destructor of an allocation must not wait either: other libraries
// drop the last reference in a host task, where a wait for the queue would never return.
class Pool {
public:
  Pool(const QueueInfo &queue, UsmKind kind);
  ~Pool();

  struct Block {
    char *pointer;
    std::size_t nbytes;
    bool reusable; // false for unusual alignments: freed to the driver
  };

  // A block of at least nbytes. Errors are of kind allocation, or of kind value if the device lacks
  // the USM kind.
  Block take(std::size_t nbytes, std::size_t alignment);
  // A pooled block or a null pointer, without calling the driver.
  Block take_pooled(std::size_t nbytes, std::size_t alignment);
  // Returns a block, on any thread, without waiting for commands. Escaped blocks, and blocks beyond
  // the limit, are freed to the driver after the first `submitted` commands of the queue.
  void give(Block block, bool escaped, std::uint64_t submitted) noexcept;
  // Defers a release of foreign memory in the same way.
  void give(std::function<void()> release, std::size_t nbytes, std::uint64_t submitted) noexcept;
  // Bytes of deferred memory. defers_too_much() is true if the caller should wait for the queue.
  std::size_t deferred_bytes() const { return deferred_bytes_.load(std::memory_order_relaxed); }
  bool defers_too_much() const;
  // Frees the deferred memory that only needed the first `complete` commands.
  void free_completed(std::uint64_t complete) noexcept;
  // Returns a block without calling the driver. Returns true if the pool keeps it.
  bool keep(Block block) noexcept;

private:
  friend struct Registry;
  struct Request; // size and alignment of a block
  static constexpr int classes = 4 + 4 * (62 - 8);
  using Blocks = std::array<std::vector<char *>, classes>; // by size

  // The most recent block of each size, without the lock: most blocks are reused immediately.
  char *take_last(int size_class) {
    std::atomic<char *> &last = last_[size_class];
    return last.load(std::memory_order_relaxed) ? last.exchange(nullptr) : nullptr;
  }
  bool keep_last(int size_class, char *pointer) {
    char *none = nullptr;
    return last_[size_class].compare_exchange_strong(none, pointer);
  }
  char *from_driver(std::size_t nbytes, std::size_t alignment, std::size_t asked);
  [[noreturn]] void fail(std::size_t asked) const;
  Request request(std::size_t nbytes, std::size_t alignment) const;
  char *reuse(const Request &request);
  Block hand_out(const Request &request, char *pointer);

  struct Deferred {
    std::function<void()> release;
    std::size_t nbytes;
    std::uint64_t submitted; // the number of commands that must be complete
  };
  void defer(Deferred memory) noexcept;

  const QueueInfo queue_;
  const UsmKind kind_;
  const bool hidden_; // discrete mode: inaccessible between commands
  DeviceMemory &memory_;
  Account &account_;
  std::atomic<char *> last_[classes] = {};
  std::mutex mutex_;
  Blocks free_;                   // the other blocks
  std::deque<Deferred> deferred_; // the oldest first
  std::atomic<std::size_t> deferred_bytes_{0};
  std::atomic<std::size_t> hits_{0}; // a statistic: threads may lose some
};

// The pools of a queue, created at first use. They free their blocks when the queue is destroyed.
class Pools {
public:
  ~Pools();
  Pool &of(const QueueInfo &queue, UsmKind kind);

private:
  std::atomic<Pool *> by_kind_[4] = {};
};

struct PoolStatistics {
  DeviceRef device;
  UsmKind kind;
  std::size_t live, pooled, peak, hits, misses, escaped;
};

std::vector<PoolStatistics> pool_statistics();
// Frees the pooled blocks of all devices; returns the number of bytes.
std::size_t trim_pools() noexcept;

// Frees USM. The driver may wait for the commands that use it.
void free_usm(const QueueInfo &queue, void *pointer) noexcept;

// True if the exit of the process has begun. From then on no memory is freed, because the runtime
// may already be destroyed.
bool process_is_exiting() noexcept;

// Call these before and after a fork, so that no lock is held in the child.
void lock_pools_for_fork();
void unlock_pools_after_fork();

} // namespace usmtensor
