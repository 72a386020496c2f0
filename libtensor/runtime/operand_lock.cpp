#include "operand_lock.hpp"

#include "gate.hpp"
#include "memory.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

namespace usmtensor {
namespace {

// A lock held by a thread.
struct Entry {
  const OperandRanges *ranges;
  std::thread::id thread;
};

// Never destroyed: threads may use it until the process ends.
std::vector<Entry> &locks = *new std::vector<Entry>;
thread_local int depth = 0; // locks of this thread

// True if no lock in the list conflicts with these bytes. An operation nested in another one of its
// thread never waits.
bool is_free(const OperandRanges &ranges) {
  return depth > 0 || std::none_of(locks.begin(), locks.end(), [&](const Entry &entry) {
           return ranges.conflicts(*entry.ranges);
         });
}

} // namespace

OperandLocks operand_locks;

bool SpinLock::spin() {
  for (int tries = 0; tries < 100; ++tries)
    if (!taken_.load(std::memory_order_relaxed) &&
        !taken_.exchange(true, std::memory_order_acquire))
      return true;
  return false;
}

void SpinLock::lock() {
  while (!try_lock())
    std::this_thread::yield();
}

OperandRanges::OperandRanges(Operands written, Operands read) {
  ranges_.reserve(written.size() + read.size());
  add(written, true);
  add(read, false);
}

void OperandRanges::add(Operands operands, bool written) {
  for (const Allocation *memory : operands)
    if (memory && memory->nbytes > 0) {
      const auto begin = reinterpret_cast<std::uintptr_t>(memory->pointer);
      ranges_.push_back({begin, begin + memory->nbytes, written});
    }
}

bool OperandRanges::conflicts(const OperandRanges &other) const {
  return std::any_of(ranges_.begin(), ranges_.end(), [&](const Range &own) {
    return std::any_of(other.ranges_.begin(), other.ranges_.end(), [&](const Range &range) {
      return own.begin < range.end && range.begin < own.end && (own.written || range.written);
    });
  });
}

OperandLock::OperandLock(Operands written, Operands read) : ranges_(written, read) {
  constexpr int quick_tries = 100;
  constexpr std::chrono::microseconds retry_interval{50};
  if (ranges_.empty())
    return;
  const Entry entry{&ranges_, std::this_thread::get_id()};
  for (int tries = 0;; ++tries) {
    {
      const std::lock_guard<SpinLock> lock(operand_locks.mutex);
      // The exiting thread must not wait for other threads, because the gate stops them.
      if (is_free(ranges_) || closed_at_exit_by_this_thread()) {
        locks.push_back(entry);
        operand_locks.empty = false;
        break;
      }
    }
    if (tries < quick_tries)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(retry_interval);
  }
  ++depth;
  begin_memory_use();
}

OperandLock::~OperandLock() {
  if (ranges_.empty())
    return;
  end_memory_use();
  --depth;
  const std::lock_guard<SpinLock> lock(operand_locks.mutex);
  const auto own = std::find_if(locks.begin(), locks.end(),
                                [&](const Entry &entry) { return entry.ranges == &ranges_; });
  *own = locks.back();
  locks.pop_back();
  operand_locks.empty = locks.empty();
}

bool BriefLock::are_free(const OperandRanges &ranges) { return is_free(ranges); }

void lock_operands_for_fork() { operand_locks.mutex.lock(); }

void unlock_operands_after_fork_parent() { operand_locks.mutex.unlock(); }

void unlock_operands_after_fork_child() {
  const std::thread::id self = std::this_thread::get_id();
  locks.erase(std::remove_if(locks.begin(), locks.end(),
                             [&](const Entry &entry) { return entry.thread != self; }),
              locks.end());
  operand_locks.empty = locks.empty();
  operand_locks.mutex.unlock();
}

} // namespace usmtensor
