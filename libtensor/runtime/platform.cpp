#include "platform.hpp"

#include "gate.hpp"
#include "translate.hpp"

#include <sycl/device.hpp>
#include <sycl/platform.hpp>

#include <cstdlib>
#include <mutex>
#include <optional>

namespace usmtensor {

void query_platforms(const std::string &name, const std::string &value) {
  static std::once_flag first;
  const Passage passage;
  std::call_once(first, [&] {
    std::optional<std::string> found;
    if (const char *text = std::getenv(name.c_str()))
      found = text;
    const std::shared_ptr<void> at_end(nullptr, [&](void *) {
      if (found)
        setenv(name.c_str(), found->c_str(), 1);
      else
        unsetenv(name.c_str());
    });
    setenv(name.c_str(), value.c_str(), 1);
    sycl::platform::get_platforms();
  });
}

Backend backend(const PlatformRef &platform) { return translated(platform->get_backend()); }

std::vector<PlatformRef> platforms() {
  std::vector<PlatformRef> result;
  for (const sycl::platform &platform : sycl::platform::get_platforms())
    if (!platform.get_devices().empty())
      result.push_back(std::make_shared<sycl::platform>(platform));
  return result;
}

PlatformRef platform_of(const DeviceRef &device) {
  return std::make_shared<sycl::platform>(device->get_platform());
}

std::vector<DeviceRef> platform_devices(const PlatformRef &platform) {
  return handles(platform->get_devices());
}

PlatformText describe(const PlatformRef &platform) {
  namespace query = sycl::info::platform;
  return {platform->get_info<query::name>(), platform->get_info<query::vendor>(),
          platform->get_info<query::version>()};
}

bool equal(const PlatformRef &a, const PlatformRef &b) { return *a == *b; }

std::size_t hash(const PlatformRef &platform) { return std::hash<sycl::platform>()(*platform); }

} // namespace usmtensor
