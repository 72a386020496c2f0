#include "faults.hpp"

#include <array>
#include <atomic>
#include <mutex>

namespace usmtensor {

namespace {

struct Plan {
  std::mutex mutex;
  std::atomic<long> count{0}; // not zero: the others are worth a look
  long after = 0, every = 1;
};

Plan &plan(Fault fault) {
  static auto &plans = *new std::array<Plan, 7>;
  return plans[static_cast<int>(fault)];
}

} // namespace

void plan_faults(Fault fault, long after, long count, long every) {
  Plan &replaced = plan(fault);
  std::lock_guard<std::mutex> lock(replaced.mutex);
  replaced.after = after;
  replaced.every = every;
  replaced.count = count;
}

long planned_faults(Fault fault) { return plan(fault).count; }

bool fails(Fault fault) {
  Plan &asked = plan(fault);
  if (asked.count.load(std::memory_order_relaxed) == 0)
    return false;
  std::lock_guard<std::mutex> lock(asked.mutex);
  if (asked.count == 0 || asked.after-- > 0)
    return false;
  asked.after = asked.every - 1;
  --asked.count;
  return true;
}

} // namespace usmtensor
