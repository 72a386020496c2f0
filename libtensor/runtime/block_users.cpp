#include "block_users.hpp"

#include "event.hpp"
#include "gate.hpp"
#include "translate.hpp"

#include <algorithm>

namespace usmtensor {

void BlockUsers::add(const void *block, const EventRef &command) {
  const std::lock_guard<std::mutex> lock(mutex_);
  last_[block] = command;
  if (last_.size() > limit_) {
    forget_complete();
    limit_ = std::max<std::size_t>(64, 2 * last_.size());
  }
}

void BlockUsers::wait(const void *block) noexcept {
  const Passage passage;
  EventRef last;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = last_.find(block);
    if (found == last_.end())
      return;
    last = std::move(found->second);
    last_.erase(found);
  }
  try {
    usmtensor::wait(last);
  } catch (const std::exception &) { // the end of memory reports no error
  }
}

void BlockUsers::forget_complete() {
  for (auto entry = last_.begin(); entry != last_.end();)
    if (is_complete(entry->second))
      entry = last_.erase(entry);
    else
      ++entry;
}

} // namespace usmtensor
