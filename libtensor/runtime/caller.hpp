// The caller of an operation, which may hold a lock such as Python's GIL.
#pragma once

namespace usmtensor {

// An operation calls release() before it waits or computes for long. Otherwise it keeps the lock.
class Caller {
public:
  Caller() = default;
  Caller(const Caller &) = delete;
  Caller &operator=(const Caller &) = delete;

  // Releases the lock until the operation ends. Further calls do nothing.
  void release() {
    if (holds_lock_) {
      holds_lock_ = false;
      unlock();
    }
  }

protected:
  explicit Caller(bool holds_lock) : holds_lock_(holds_lock) {}
  virtual void unlock() {}

private:
  bool holds_lock_ = false;
};

// A caller without a lock.
inline Caller unlocked;

} // namespace usmtensor
