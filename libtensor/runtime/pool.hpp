// Freed USM blocks, kept per queue and kind for the next allocation, and their statistics.
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

// Sums over a device's blocks of one kind, on all queues.
struct Account {
  std::atomic<std::size_t> held{0}; // bytes of all blocks
  std::atomic<std::size_t> live{0}; // bytes of blocks in use; the others were freed and kept
  std::atomic<std::size_t> peak{0}; // the largest value of live
  std::atomic<std::size_t> hits{0}; // allocations served by a kept block, in pools that have ended
  std::atomic<std::size_t> misses{0};  // allocations served by the driver
  std::atomic<std::size_t> escaped{0}; // blocks freed to the driver because their pointer was out

  std::size_t pooled() const {
    const std::size_t used = live.load(std::memory_order_relaxed), all = held;
    return all > used ? all - used : 0; // other threads may have changed one of them
  }
};

struct DeviceMemory; // pool.cpp: the accounts of a device

// The freed blocks of a queue. Every block is a driver allocation of its own, so that a block whose
// pointer left the library can go to sycl::free alone. Reuse does not wait: commands on the queue
// come in order, and host code that touches memory drains the queue first.
//
// A block departs to the driver when all commands that were submitted to the queue before are
// complete. sycl::free of OpenCL waits for some commands that use a block, but neither for copies
// from or to its middle nor for commands of oneMKL, and it does not know the commands that the
// runtime holds back behind a host task. The end of a memory must not wait either: other libraries
// drop the last reference in a host task, where a wait for the queue would never end.
class Pool {
public:
  Pool(const Place &place, UsmKind kind);
  ~Pool();

  struct Block {
    char *pointer;
    std::size_t nbytes;
    bool reusable; // false: of unusual alignment, freed to the driver
  };

  // A block of at least nbytes. Errors are of kind allocation, or of kind value if the device lacks
  // the USM kind.
  Block take(std::size_t nbytes, std::size_t alignment);
  // A kept block or a null pointer, without a call of the driver.
  Block take_kept(std::size_t nbytes, std::size_t alignment);
  // Gives a block back; may run on any thread, and waits for no command. Escaped blocks, and blocks
  // beyond the limit, depart to the driver. `submitted` counts the commands of the queue.
  void give(Block block, bool escaped, std::uint64_t submitted) noexcept;
  // Calls a release of foreign memory in the same way.
  void give(std::function<void()> release, std::size_t nbytes, std::uint64_t submitted) noexcept;
  // Bytes of departing memory, and whether they are so many that the caller should wait.
  std::size_t departing_bytes() const { return departing_bytes_.load(std::memory_order_relaxed); }
  bool departs_too_slowly() const;
  // Frees the departing memory for which so many complete commands suffice.
  void free_departing(std::uint64_t complete) noexcept;
  // Gives back a block without a call of the driver; returns whether the pool keeps it.
  bool keep(Block block) noexcept;

private:
  friend struct Registry;
  struct Request; // size and alignment of a block
  static constexpr int classes = 4 + 4 * (62 - 8);
  using Blocks = std::array<std::vector<char *>, classes>; // by size

  // The last block of each size, without the lock: most blocks are taken again at once.
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

  struct Departing {
    std::function<void()> release;
    std::size_t nbytes;
    std::uint64_t submitted; // the commands that have to be complete
  };
  void depart(Departing memory) noexcept;

  const Place place_;
  const UsmKind kind_;
  const bool hidden_; // discrete mode: out of reach between commands
  DeviceMemory &memory_;
  Account &account_;
  std::atomic<char *> last_[classes] = {};
  std::mutex mutex_;
  Blocks free_;                     // the others
  std::deque<Departing> departing_; // the oldest first
  std::atomic<std::size_t> departing_bytes_{0};
  std::atomic<std::size_t> hits_{0}; // a statistic: threads may lose some
};

// The pools of a queue, made at first use. When the queue dies, they give their blocks to the
// driver.
class Pools {
public:
  ~Pools();
  Pool &of(const Place &place, UsmKind kind);

private:
  std::atomic<Pool *> by_kind_[4] = {};
};

struct PoolStatistics {
  DeviceRef device;
  UsmKind kind;
  std::size_t live, pooled, peak, hits, misses, escaped;
};

std::vector<PoolStatistics> pool_statistics();
// Frees the blocks in the pools of all devices; returns the number of bytes.
std::size_t trim_pools() noexcept;

// Gives USM to the driver, which may wait for the commands that use it.
void free_usm(const Place &place, void *pointer) noexcept;

// Whether the exit of the process has begun. From then on no memory is freed: the runtime may be
// gone.
bool process_exits() noexcept;

// Around a fork, in this order, so that the child finds no lock taken.
void lock_pools_for_fork();
void unlock_pools_after_fork();

} // namespace usmtensor
