#include "context_error.hpp"

#include "gate.hpp"
#include "native_queue.hpp"
#include "settings.hpp"

#include <sycl/context.hpp>
#include <sycl/device.hpp>
#include <sycl/ext/oneapi/weak_object.hpp>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace usmtensor {

namespace {

// The device; if it is null, the devices of the context.
std::vector<sycl::device> devices_of(const sycl::context *context, const sycl::device *device) {
  return device    ? std::vector{*device}
         : context ? context->get_devices()
                   : std::vector<sycl::device>();
}

// True if the context still runs commands, on the device or (if null) on all its devices. Error
// codes do not distinguish a device fault from an error of the caller.
bool is_usable(const sycl::context &context, const sycl::device *device) {
  const DriverScope scope(DriverScope::if_open); // the caller may hold the GIL
  if (!scope)
    return true;
  try {
    for (const auto &one : devices_of(&context, device)) // in-order queues with a barrier leak 7 KB
      NativeQueue({context, one}).barrier().wait();
    return !fails(Fault::context);
  } catch (const sycl::exception &) {
    return false;
  }
}

// True if the process is the child of a fork whose parent used the driver of this device or
// context. Only CPU drivers survive a fork.
bool lost_in_fork(const sycl::context *context, const sycl::device *device) {
  try {
    const std::vector<sycl::device> devices = devices_of(context, device);
    return driver_was_lost() && std::any_of(devices.begin(), devices.end(),
                                            [](const auto &one) { return !one.is_cpu(); });
  } catch (const sycl::exception &) {
    return false;
  }
}

using WeakContext = sycl::ext::oneapi::weak_object<sycl::context>;

// Never destroyed: errors may occur until the process ends.
struct Contexts {
  std::mutex mutex;
  // The newest first, because it is the likeliest to have failed.
  std::vector<WeakContext> used;                             // contexts of queues
  std::vector<std::pair<sycl::context, std::string>> failed; // with their first errors
};

Contexts &contexts() {
  static Contexts &contexts = *new Contexts;
  return contexts;
}

} // namespace

void note_context(const sycl::context &context) {
  auto &[mutex, used, failed] = contexts();
  std::lock_guard<std::mutex> lock(mutex);
  const auto is_stale = [&](const WeakContext &one) {
    const auto alive = one.try_lock();
    return !alive || *alive == context;
  };
  used.erase(std::remove_if(used.begin(), used.end(), is_stale), used.end());
  used.emplace(used.begin(), context);
}

Error context_error(const sycl::context *context, const sycl::device *device, ErrorKind kind,
                    const std::string &message, int code) {
  if (lost_in_fork(context, device))
    return {kind,
            "after os.fork the child process can use CPUs only; start processes by the methods "
            "'spawn' or 'forkserver' of multiprocessing (" +
                message + ")",
            code};
  auto &[mutex, used, failed] = contexts();
  std::unique_lock<std::mutex> lock(mutex);
  const auto first_error = [&, &failed = failed](const sycl::context *of) -> const std::string * {
    for (const auto &[one, first] : failed)
      if (!of || one == *of)
        return &first;
    return nullptr;
  };
  std::vector<sycl::context> suspects;
  if (context)
    suspects = {*context};
  else
    for (const WeakContext &one : used)
      if (const auto alive = one.try_lock())
        suspects.push_back(*alive);
  for (const sycl::context &one : suspects) {
    if (first_error(&one))
      continue;
    lock.unlock();
    const bool alive = is_usable(one, device);
    lock.lock();
    if (!alive && !first_error(&one)) {
      failed.emplace(failed.begin(), one, message);
      return {kind, message, code};
    }
  }
  const std::string *const first = first_error(context);
  const char *const which = context ? "; the" : "; a";
  return {kind,
          first ? message + which + " context ended with an earlier error: " + *first : message,
          code};
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
