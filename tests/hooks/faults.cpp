#include "hooks.hpp"

#include "runtime/error.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

namespace usmtensor {

namespace {

struct Plan {
  long after = 0, count = 0, every = 1;
  std::chrono::duration<double> delay{0};
};

std::mutex mutex;
Plan plans[static_cast<int>(Fault::pointer) + 1];

bool fails_by_plan(Fault fault);

void set(Plan &plan, Plan changed) {
  plan = changed;
  const bool any = std::any_of(std::begin(plans), std::end(plans), [](const Plan &one) {
    return one.count > 0 || one.delay.count() > 0;
  });
  settings.fails = any ? fails_by_plan : nullptr;
}

bool fails_by_plan(Fault fault) {
  std::unique_lock<std::mutex> lock(mutex);
  Plan &plan = plans[static_cast<int>(fault)];
  if (plan.delay.count() > 0) {
    const auto delay = plan.delay;
    lock.unlock();
    std::this_thread::sleep_for(delay);
    lock.lock();
  }
  if (plan.count == 0 || plan.after-- > 0)
    return false;
  set(plan, {plan.every - 1, plan.count - 1, plan.every, plan.delay});
  return true;
}

} // namespace

void plan_faults(Fault fault, long after, long count, long every) {
  std::lock_guard<std::mutex> lock(mutex);
  Plan &plan = plans[static_cast<int>(fault)];
  set(plan, {after, count, every, plan.delay});
}

void delay(Fault fault, double seconds) {
  std::lock_guard<std::mutex> lock(mutex);
  Plan &plan = plans[static_cast<int>(fault)];
  Plan changed = plan;
  changed.delay = std::chrono::duration<double>(seconds);
  set(plan, changed);
}

long planned_faults(Fault fault) {
  std::lock_guard<std::mutex> lock(mutex);
  return plans[static_cast<int>(fault)].count;
}

void throw_error(const std::string &message) { throw Error(ErrorKind::sycl, message); }

} // namespace usmtensor
