// Freed USM blocks, kept per queue and kind for the next allocation, and what is known of their
// sum.
#pragma once
#include "place.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

namespace usmtensor {

// What a device's blocks of one kind come to, over all queues.
struct Account {
  std::atomic<std::size_t> held{0};    // bytes of all blocks
  std::atomic<std::size_t> live{0};    // bytes of those in use; the others were freed and kept
  std::atomic<std::size_t> peak{0};    // the most that was ever live
  std::atomic<std::size_t> hits{0};    // allocations that a kept block served, of pools that ended
  std::atomic<std::size_t> misses{0};  // allocations that the driver served
  std::atomic<std::size_t> escaped{0}; // blocks freed to the driver because their pointer was out

  std::size_t pooled() const {
    const std::size_t used = live.load(std::memory_order_relaxed), all = held;
    return all > used ? all - used : 0; // other threads may have changed one of them
  }
};

struct DeviceMemory; // pool.cpp: the accounts of a device

// The blocks that a queue has freed. Every block is a driver allocation of its own, so that a block
// whose pointer left the library can go to sycl::free by itself. Reuse does not wait: commands on
// the queue come in order, and host code that touches memory drains the queue first.
class Pool {
public:
  Pool(const Place &place, UsmKind kind);
  ~Pool();

  struct Block {
    char *pointer;
    std::size_t nbytes;
    bool reusable; // false: aligned as no other allocation is, freed to the driver
  };

  // A block of at least nbytes. Errors are of kind allocation, or value where the device lacks the
  // kind.
  Block take(std::size_t nbytes, std::size_t alignment);
  // A kept one, or a null pointer: without the driver.
  Block take_kept(std::size_t nbytes, std::size_t alignment);
  // Gives a block back; may run on any thread. Escaped blocks and those beyond the limit go to the
  // driver, which may wait for the commands that use them.
  void give(Block block, bool escaped) noexcept;
  // The same for a block that may be kept; says whether it was, without the driver.
  bool keep(Block block) noexcept;

private:
  friend struct Registry;
  struct Request; // what a block must be like
  static constexpr int classes = 4 + 4 * (62 - 8);
  using Blocks = std::array<std::vector<char *>, classes>; // by size

  // What was kept last of each size, without the lock: most blocks are taken again at once.
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

  const Place place_;
  const UsmKind kind_;
  const bool hidden_; // discrete mode: out of reach between commands
  DeviceMemory &memory_;
  Account &account_;
  std::atomic<char *> last_[classes] = {};
  std::mutex mutex_;
  Blocks free_;                      // the others
  std::atomic<std::size_t> hits_{0}; // a statistic: threads may lose some
};

// The pools of a queue, made when first asked for; they give their blocks to the driver when it
// dies.
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
// Frees what the pools of all devices hold, and says how many bytes that were.
std::size_t trim_pools() noexcept;

// Gives USM to the driver, which may wait for the commands that use it.
void free_usm(const Place &place, void *pointer) noexcept;

// Whether the exit of the process began: from now on nothing is freed, the runtime may be gone.
bool process_exits() noexcept;

// Around a fork, in this order, so that the child finds no lock taken.
void lock_pools_for_fork();
void unlock_pools_after_fork();

} // namespace usmtensor
