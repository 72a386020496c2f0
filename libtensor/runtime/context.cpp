#include "context.hpp"

#include "translate.hpp"

#include <sycl/context.hpp>
#include <sycl/device.hpp>
#include <sycl/platform.hpp>

namespace usmtensor {

ContextRef make_context(const std::vector<DeviceRef> &devices) {
  return translated(nullptr, devices.empty() ? nullptr : devices[0].get(),
                    ErrorKind::context_creation,
                    [&] { return std::make_shared<sycl::context>(objects(devices)); });
}

ContextRef default_context(const PlatformRef &platform) {
  return std::make_shared<sycl::context>(platform->khr_get_default_context());
}

std::vector<DeviceRef> context_devices(const ContextRef &context) {
  return handles(context->get_devices());
}

bool equal(const ContextRef &a, const ContextRef &b) { return *a == *b; }

std::size_t hash(const ContextRef &context) { return std::hash<sycl::context>()(*context); }

ContextRef adopt_context(const void *context) {
  return std::make_shared<sycl::context>(*static_cast<const sycl::context *>(context));
}

} // namespace usmtensor
