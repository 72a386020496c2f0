#include "settings.hpp"

#include "error.hpp"

#include <cstdlib>
#include <string>

namespace usmtensor {

Settings settings;
Counts counts;

Tier tier() {
  Tier chosen = settings.tier.load(std::memory_order_relaxed);
  if (chosen == Tier::unset) {
    const char *const text = std::getenv("USMTENSOR_TIER");
    const std::string name = text && *text ? text : "auto";
    if (name != "auto" && name != "device" && name != "host")
      throw Error(ErrorKind::value,
                  "USMTENSOR_TIER is \"" + name + "\"; expected \"auto\", \"device\" or \"host\"");
    chosen = name == "auto" ? Tier::automatic : name == "device" ? Tier::device : Tier::host;
    settings.tier = chosen;
  }
  return chosen;
}

} // namespace usmtensor
