#include "platform.hpp"

#include "gate.hpp"
#include "translate.hpp"

#include <sycl/device.hpp>
#include <sycl/platform.hpp>

#include <atomic>
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

struct FirstQuery {
  std::mutex mutex;
  std::atomic<bool> done{false};
  std::string name, value;
};

// Never destroyed: threads may still query platforms while the process exits.
FirstQuery &first_query() {
  static FirstQuery &state = *new FirstQuery;
  return state;
}

} // namespace

void set_driver_variable(const std::string &name, const std::string &value) {
  FirstQuery &state = first_query();
  std::lock_guard<std::mutex> lock(state.mutex);
  state.name = name;
  state.value = value;
}

void query_platforms() {
  FirstQuery &state = first_query();
  if (state.done.load(std::memory_order_acquire))
    return;
  const Passage passage;
  std::lock_guard<std::mutex> lock(state.mutex);
  if (state.done)
    return;
  const ScopedVariable variable(state.name, state.value);
  sycl::platform::get_platforms();
  state.done.store(true, std::memory_order_release);
}

Backend backend(const PlatformRef &platform) { return translated(platform->get_backend()); }

const char *name(Backend backend) {
  static constexpr const char *names[] = {"unknown", "all", "cuda", "hip", "level_zero", "opencl"};
  return names[static_cast<int>(backend)];
}

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
