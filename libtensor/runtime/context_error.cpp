#include "context_error.hpp"

#include "gate.hpp"
#include "native_queue.hpp"
#include "test_hooks.hpp"

#include <sycl/context.hpp>
#include <sycl/device.hpp>
#include <sycl/properties/queue_properties.hpp>

#include <mutex>
#include <utility>
#include <vector>

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

} // namespace usmtensor
