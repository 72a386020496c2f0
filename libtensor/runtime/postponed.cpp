#include "postponed.hpp"

#include "gate.hpp"

#include <atomic>
#include <memory>
#include <new>
#include <utility>

namespace usmtensor {
namespace {

struct Postponed {
  std::function<void()> release;
  Postponed *next;
};

std::atomic<Postponed *> newest{nullptr};
std::atomic<bool (*)()> thread_check{nullptr};

} // namespace

std::atomic<bool> releases_are_postponed{false};

bool may_release() {
  const auto is_known = thread_check.load(std::memory_order_relaxed);
  return thread_has_entered() || (is_known && is_known());
}

void set_thread_check(bool (*is_known)()) { thread_check = is_known; }

void postpone(std::function<void()> release) noexcept {
  auto *const one = new (std::nothrow) Postponed{std::move(release), newest.load()};
  while (one && !newest.compare_exchange_weak(one->next, one))
    ;
  releases_are_postponed = true;
}

void run_postponed_releases() noexcept {
  if (!releases_are_postponed.load(std::memory_order_relaxed))
    return;
  const DriverScope scope; // marks the thread: it may release from now on
  releases_are_postponed = false;
  for (Postponed *one = newest.exchange(nullptr); one;) {
    one->release();
    one = std::unique_ptr<Postponed>(one)->next;
  }
}

void forget_postponed_releases() {
  releases_are_postponed = false;
  newest = nullptr;
}

} // namespace usmtensor
