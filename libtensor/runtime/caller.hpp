// The caller of an operation, who may hold a lock that other threads wait for, such as Python's
// GIL.
#pragma once

namespace usmtensor {

// An operation keeps the lock while it takes a short time and waits for nothing. Otherwise it calls
// release() first.
class Caller {
public:
  Caller() = default;
  Caller(const Caller &) = delete;
  Caller &operator=(const Caller &) = delete;

  // Gives up the lock until the operation ends. Further calls do nothing.
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
