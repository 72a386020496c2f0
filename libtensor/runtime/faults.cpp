#include "faults.hpp"

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
  static Plan *const plans = new Plan[2];
  return plans[static_cast<int>(fault)];
}

bool fails(Plan &plan) {
  if (plan.count.load(std::memory_order_relaxed) == 0)
    return false;
  std::lock_guard<std::mutex> lock(plan.mutex);
  if (plan.count == 0 || plan.after-- > 0)
    return false;
  plan.after = plan.every - 1;
  --plan.count;
  return true;
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

bool allocation_fails() { return fails(plan(Fault::allocation)); }

bool driver_allocation_fails() { return fails(plan(Fault::driver)); }

} // namespace usmtensor
