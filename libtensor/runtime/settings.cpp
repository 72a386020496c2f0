#include "settings.hpp"

#include "error.hpp"

namespace usmtensor {

Settings settings;
Counts counts;

bool is_hidden(const std::string &feature) {
  static const std::string hidden = "," + variable("USMTENSOR_TEST_HIDE") + ",";
  return hidden.find("," + feature + ",") != hidden.npos;
}

Tier tier() {
  Tier chosen = settings.tier.load(std::memory_order_relaxed);
  if (chosen == Tier::unset) {
    const std::string name = variable("USMTENSOR_TIER");
    if (!name.empty() && name != "auto" && name != "device" && name != "host")
      throw Error(ErrorKind::value,
                  "USMTENSOR_TIER is \"" + name + "\"; expected \"auto\", \"device\" or \"host\"");
    chosen = name == "device" ? Tier::device : name == "host" ? Tier::host : Tier::automatic;
    settings.tier = chosen;
  }
  return chosen;
}

} // namespace usmtensor
