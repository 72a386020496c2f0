#include "context.hpp"

#include "gate.hpp"
#include "native_queue.hpp"
#include "test_hooks.hpp"
#include "translate.hpp"

#include <sycl/context.hpp>
#include <sycl/device.hpp>
#include <sycl/platform.hpp>
#include <sycl/properties/queue_properties.hpp>

#include <mutex>
#include <utility>

namespace usmtensor {

namespace {

// Whether the context still runs commands. Its own error codes do not tell a fault of the device
// from an error of the caller.
bool works(const sycl::context &context, const sycl::device &device) {
  try {
    NativeQueue({context, device, sycl::property::queue::in_order()}).barrier().wait();
    return !fails(Fault::context);
  } catch (const sycl::exception &) {
    return false;
  }
}

} // namespace

ContextRef make_context(const std::vector<DeviceRef> &devices) {
  return translated(ErrorKind::context_creation,
                    [&] { return std::make_shared<sycl::context>(objects(devices)); });
}

ContextRef default_context(const PlatformRef &platform) {
  return std::make_shared<sycl::context>(platform->khr_get_default_context());
}

std::vector<DeviceRef> context_devices(const ContextRef &context) {
  return handles(context->get_devices());
}

Error context_error(const sycl::context &context, const sycl::device &device, ErrorKind kind,
                    const std::string &message, int code) {
  static std::mutex &mutex = *new std::mutex;
  static auto &ended = *new std::vector<std::pair<sycl::context, std::string>>; // first errors
  const Passage passage;
  const bool alive = works(context, device);
  std::lock_guard<std::mutex> lock(mutex);
  for (const auto &[one, first] : ended)
    if (one == context)
      return {kind, message + "; the context ended with an earlier error: " + first, code};
  if (!alive)
    ended.emplace_back(context, message);
  return {kind, message, code};
}

bool equal(const ContextRef &a, const ContextRef &b) { return *a == *b; }

std::size_t hash(const ContextRef &context) { return std::hash<sycl::context>()(*context); }

void *release_copy(const ContextRef &context) { return new sycl::context(*context); }

ContextRef adopt_context(const void *context) {
  return std::make_shared<sycl::context>(*static_cast<const sycl::context *>(context));
}

void delete_context(void *context) { delete static_cast<sycl::context *>(context); }

} // namespace usmtensor
