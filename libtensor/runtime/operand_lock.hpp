// Operations of several threads on one memory run one after the other. Commands in a queue are
// ordered there. These locks order what no queue knows: computations of the host, and the moments
// between the decision how to run an operation and its submission.
#pragma once
#include "handles.hpp"
#include "layout/span.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace usmtensor {

// The memories that an operation uses; a null pointer stands for memory that is not USM.
using Operands = Span<const Allocation *>;

// The bytes of operands.
class OperandRanges {
public:
  OperandRanges(Operands written, Operands read);
  bool empty() const { return ranges_.empty(); }
  // Whether some bytes belong to both, and one of both writes them.
  bool conflicts(const OperandRanges &other) const;

private:
  struct Range {
    std::uintptr_t begin, end;
    bool written;
  };
  void add(Operands operands, bool written);

  std::vector<Range> ranges_;
};

// Held by a thread for one operation. The constructor waits while another thread holds a lock of
// the same bytes, unless both only read them. Construct it without the GIL: the other thread may
// need the GIL. A lock within a lock of the same thread does not wait, so that finalizers and
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
  bool spin(); // whether it could be taken in a short time

  std::atomic<bool> taken_{false};
};

struct OperandLocks {
  SpinLock mutex;
  std::atomic<bool> empty{true}; // no thread has a lock
};
extern OperandLocks operand_locks;

// For an operation that runs at once, in a time for which other threads can wait: all operations of
// other threads begin after it. It never waits long, so that a thread may hold the GIL.
class BriefLock {
public:
  BriefLock() : held_(operand_locks.mutex.try_lock()) {}
  ~BriefLock() {
    if (held_)
      operand_locks.mutex.unlock();
  }
  BriefLock(const BriefLock &) = delete;
  BriefLock &operator=(const BriefLock &) = delete;

  // Whether the thread may use the operands now, whose ranges `collect` returns.
  template <class Collect> bool covers(Collect &&collect) const {
    return held_ && (operand_locks.empty.load(std::memory_order_relaxed) || are_free(collect()));
  }

private:
  static bool are_free(const OperandRanges &ranges);

  const bool held_;
};

// Around a fork, so that the child finds no lock taken.
void lock_operands_for_fork();
void unlock_operands_after_fork_parent();
void unlock_operands_after_fork_child();

} // namespace usmtensor
