#include "libraries.hpp"

#include "runtime/discrete.hpp"
#include "runtime/queue.hpp"
#include "runtime/settings.hpp"

#include <string>

namespace usmtensor {
namespace {

// USMTENSOR_LIBRARIES restricts to one library, or to none; unknown values are ignored.
bool is_enabled(const char *library) {
  static const std::string only = variable("USMTENSOR_LIBRARIES");
  const bool named = only == "none" || only == "numpy" || only == "onemkl";
  return (!named || only == library) && !discrete_mode() &&
         settings.device_class.load(std::memory_order_relaxed) == 0;
}

} // namespace

bool onemkl_enabled() { return is_enabled("onemkl"); }

bool numpy_enabled(const Queue &queue) { return queue.description.is_cpu() && is_enabled("numpy"); }

bool no_tier_is_forced() { return tier() == Tier::automatic; }

} // namespace usmtensor
