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

} // namespace

bool may_release() { return thread_has_entered(); }

void postpone(std::function<void()> release) noexcept {
  auto *const one = new (std::nothrow) Postponed{std::move(release), newest.load()};
  while (one && !newest.compare_exchange_weak(one->next, one))
    ;
}

bool releases_are_postponed() { return newest.load(std::memory_order_relaxed); }

void make_postponed_releases() noexcept {
  if (!releases_are_postponed())
    return;
  const Passage passage; // from now on this thread may release
  for (Postponed *one = newest.exchange(nullptr); one;) {
    one->release();
    one = std::unique_ptr<Postponed>(one)->next;
  }
}

void forget_postponed_releases() { newest = nullptr; }

} // namespace usmtensor
