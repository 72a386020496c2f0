#include "libraries.hpp"

#include "runtime/discrete.hpp"
#include "runtime/queue.hpp"
#include "runtime/settings.hpp"

#include <string>

namespace usmtensor {
namespace {

// Values of the variable that are no names count for none.
bool may(const char *library) {
  static const std::string only = variable("USMTENSOR_LIBRARIES");
  const bool named = only == "none" || only == "numpy" || only == "onemkl";
  return (!named || only == library) && !discrete_mode() &&
         settings.device_class.load(std::memory_order_relaxed) == 0;
}

} // namespace

bool onemkl_may() { return may("onemkl"); }

bool numpy_may(const Queue &queue) { return queue.description.is_cpu() && may("numpy"); }

bool no_tier_is_forced() { return tier() == Tier::automatic; }

} // namespace usmtensor
