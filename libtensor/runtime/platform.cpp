#include "platform.hpp"

#include "gate.hpp"
#include "translate.hpp"

#include <sycl/device.hpp>
#include <sycl/platform.hpp>

#include <cstdlib>
#include <mutex>
#include <optional>

namespace usmtensor {

namespace {

// Sets an environment variable during its life; an empty name sets none.
class ScopedVariable {
public:
  ScopedVariable(const std::string &name, const std::string &value) : name_(name) {
    if (const char *found = std::getenv(name_.c_str()))
      found_ = found;
    setenv(name_.c_str(), value.c_str(), 1);
  }
  ~ScopedVariable() {
    if (found_)
      setenv(name_.c_str(), found_->c_str(), 1);
    else
      unsetenv(name_.c_str());
  }
  ScopedVariable(const ScopedVariable &) = delete;
  ScopedVariable &operator=(const ScopedVariable &) = delete;

private:
  std::string name_;
  std::optional<std::string> found_;
};

// Never destroyed: threads may still query platforms while the process exits.
struct DriverVariable {
  std::string name, value;
};
DriverVariable &driver_variable() {
  static DriverVariable &variable = *new DriverVariable;
  return variable;
}

} // namespace

void set_driver_variable(const std::string &name, const std::string &value) {
  driver_variable() = {name, value};
}

void query_platforms() {
  static std::once_flag first;
  const Passage passage;
  std::call_once(first, [] {
    const ScopedVariable variable(driver_variable().name, driver_variable().value);
    sycl::platform::get_platforms();
  });
}

Backend backend(const PlatformRef &platform) { return translated(platform->get_backend()); }

std::vector<PlatformRef> platforms() {
  query_platforms();
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
