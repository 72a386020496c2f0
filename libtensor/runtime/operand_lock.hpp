// Locks that serialise operations of several threads on the same memory. Commands in a queue are
// ordered by the queue. The locks order everything else: computations of the host, and the time
// between planning an operation and submitting it.
#pragma once
#include "handles.hpp"
#include "layout/span.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace usmtensor {

// The memories that an operation uses. A null pointer is memory that is not USM.
using Operands = Span<const Allocation *>;

// The bytes of operands.
class OperandRanges {
public:
  OperandRanges(Operands written, Operands read);
  bool empty() const { return ranges_.empty(); }
  // True if some bytes belong to both, and at least one of them writes these bytes.
  bool conflicts(const OperandRanges &other) const;

private:
  struct Range {
    std::uintptr_t begin, end;
    bool written;
  };
  void add(Operands operands, bool written);

  std::vector<Range> ranges_;
};

// Held by a thread during an operation. The constructor waits while another thread holds a lock on
// the same bytes, unless both only read them. Construct it without the GIL, because the other
// thread may need the GIL. A nested lock of the same thread does not wait, so that finalizers and
// signal handlers cannot deadlock.
class OperandLock {
public:
  explicit OperandLock(Operands written, Operands read = {});
  ~OperandLock();
  OperandLock(const OperandLock &) = delete;
  OperandLock &operator=(const OperandLock &) = delete;

private:
  const OperandRanges ranges_;
};

// Protects the list of all locks.
class SpinLock {
public:
  bool try_lock() { return !taken_.exchange(true, std::memory_order_acquire) || spin(); }
  void lock();
  void unlock() { taken_.store(false, std::memory_order_release); }

private:
  bool spin(); // tries for a short time; returns true if it took the lock

  std::atomic<bool> taken_{false};
};

struct OperandLocks {
  SpinLock mutex;
  std::atomic<bool> empty{true}; // no thread holds a lock
};
extern OperandLocks operand_locks;

// For short operations that run immediately: operations of other threads begin after it. It never
// waits long, so the thread may hold the GIL.
class BriefLock {
public:
  BriefLock() : held_(operand_locks.mutex.try_lock()) {}
  ~BriefLock() {
    if (held_)
      operand_locks.mutex.unlock();
  }
  BriefLock(const BriefLock &) = delete;
  BriefLock &operator=(const BriefLock &) = delete;

  // True if the thread may use the operands now. `collect` returns their ranges.
  template <class Collect> bool covers(Collect &&collect) const {
    return held_ && (operand_locks.empty.load(std::memory_order_relaxed) || are_free(collect()));
  }

private:
  static bool are_free(const OperandRanges &ranges);

  const bool held_;
};

// Call these before and after a fork, so that no lock is held in the child.
void lock_operands_for_fork();
void unlock_operands_after_fork_parent();
void unlock_operands_after_fork_child();

} // namespace usmtensor
