#include "context_error.hpp"

#include "gate.hpp"
#include "native_queue.hpp"
#include "settings.hpp"

#include <sycl/context.hpp>
#include <sycl/device.hpp>
#include <sycl/properties/queue_properties.hpp>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace usmtensor {

namespace {

// Whether the context still runs commands, on a device or for null on all. Its own error codes do
// not tell a fault of the device from an error of the caller.
bool works(const sycl::context &context, const sycl::device *device) {
  const Passage passage;
  try {
    for (const auto &one : device ? std::vector{*device} : context.get_devices())
      NativeQueue({context, one, sycl::property::queue::in_order()}).barrier().wait();
    return !fails(Fault::context);
  } catch (const sycl::exception &) {
    return false;
  }
}

// Whether the process is the child of a fork whose parent used this device or context, and so its
// driver, which only those of CPUs survive.
bool lost_in_fork(const sycl::context *context, const sycl::device *device) {
  try {
    const std::vector<sycl::device> devices = device    ? std::vector{*device}
                                              : context ? context->get_devices()
                                                        : std::vector<sycl::device>();
    return driver_was_lost() && std::any_of(devices.begin(), devices.end(),
                                            [](const auto &one) { return !one.is_cpu(); });
  } catch (const sycl::exception &) {
    return false;
  }
}

} // namespace

Error context_error(const sycl::context *context, const sycl::device *device, ErrorKind kind,
                    const std::string &message, int code) {
  if (lost_in_fork(context, device))
    return {kind,
            "after os.fork the child process can use CPUs only; start processes by the methods "
            "'spawn' or 'forkserver' of multiprocessing (" +
                message + ")",
            code};
  static std::mutex &mutex = *new std::mutex;
  static auto &ended = *new std::vector<std::pair<sycl::context, std::string>>; // first errors
  const char *const which = context ? "; the" : "; a";
  std::unique_lock<std::mutex> lock(mutex);
  const auto known = [&]() -> const std::string * {
    for (const auto &[one, first] : ended)
      if (!context || one == *context)
        return &first;
    return nullptr;
  };
  if (context && !known()) {
    lock.unlock();
    const bool alive = works(*context, device);
    lock.lock();
    if (!alive && !known()) {
      ended.emplace(ended.begin(), *context, message); // the newest is the likeliest
      return {kind, message, code};
    }
  }
  if (const std::string *const first = known())
    return {kind, message + which + " context ended with an earlier error: " + *first, code};
  return {kind, message, code};
}

Error current_error() {
  try {
    throw;
  } catch (const Error &error) {
    return error;
  } catch (const sycl::exception &error) {
    return context_error(nullptr, nullptr, ErrorKind::sycl, error.what(), error.code().value());
  } catch (const std::exception &error) {
    return {ErrorKind::sycl, error.what()};
  } catch (...) {
    return {ErrorKind::sycl, "unknown native error"};
  }
}

} // namespace usmtensor
