#include "dlpack_device.hpp"

#include "context.hpp"
#include "device.hpp"
#include "opencl_api.hpp"
#include "platform.hpp"
#include "queue.hpp"
#include "translate.hpp"

#include <sycl/context.hpp>
#include <sycl/device.hpp>
#include <sycl/usm.hpp>

#include <limits>
#include <mutex>
#include <string>
#include <vector>

namespace usmtensor {

namespace {

struct Place {
  DeviceRef device;   // a root device, or a part of one
  ContextRef context; // the default one of its platform
  std::int32_t id;
};

Place place_of(const DeviceRef &device, std::size_t id) {
  if (id > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw Error(ErrorKind::buffer,
                "device number " + std::to_string(id) + " is too large for DLPack");
  return {device, default_context(platform_of(device)), static_cast<std::int32_t>(id)};
}

// The devices that were asked for. Never destroyed: capsules may be read at the very end.
class Places {
public:
  Place of(const sycl::device &device) {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const Place &place : parts_)
      if (*place.device == device)
        return place;
    const DeviceRef ref = std::make_shared<sycl::device>(device);
    return parts_.emplace_back(place_of(ref, device_id(ref)));
  }
  Place at(std::int32_t id) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (roots_.empty())
      for (const DeviceRef &device : devices())
        roots_.push_back(place_of(device, roots_.size()));
    if (id < 0 || static_cast<std::size_t>(id) >= roots_.size())
      throw Error(ErrorKind::buffer, "device_id is " + std::to_string(id) + ", but there are " +
                                         std::to_string(roots_.size()) + " devices");
    return roots_[id];
  }

private:
  std::mutex mutex_;
  std::vector<Place> parts_, roots_;
};

Places &places() {
  static Places &places = *new Places;
  return places;
}

} // namespace

std::int32_t dlpack_device_id(const Allocation &memory) {
  std::int32_t id = memory.dlpack_id.load(std::memory_order_relaxed);
  if (id >= 0)
    return id;
  translated(ErrorKind::buffer, [&] {
    const Place place =
        places().of(sycl::get_pointer_device(memory.pointer, *memory.queue->context));
    if (*place.context != *memory.queue->context)
      throw Error(ErrorKind::buffer,
                  "the memory is not bound to the default context of its platform, so that a "
                  "consumer could not find its context");
    id = place.id;
  });
  memory.dlpack_id.store(id, std::memory_order_relaxed);
  return id;
}

DeviceRef dlpack_device(std::int32_t id) { return places().at(id).device; }

UsmPlace locate(const void *pointer, std::int32_t id) {
  return translated(ErrorKind::buffer, [&] {
    const Place root = places().at(id);
    if (backend(root.device) == Backend::unknown)
      throw Error(ErrorKind::buffer,
                  "device_id is " + std::to_string(id) + ", a device of an unknown backend");
    UsmPlace found{root.context, root.device, pointer_kind(pointer, root.context)};
    if (found.kind != UsmKind::unknown)
      found.device = pointer_device(pointer, root.context);
    return found;
  });
}

bool within_allocation(const char *pointer, UsmKind kind, const char *begin, const char *end,
                       const ContextRef &context) {
  if (begin >= end)
    return true;
  return translated(ErrorKind::buffer, [&] {
    if (context->get_backend() == sycl::backend::opencl)
      if (const AddressRange range = opencl_allocation(*context, pointer); range.begin)
        return range.begin <= begin && end <= range.begin + range.nbytes;
    return pointer_kind(begin, context) == kind && pointer_kind(end - 1, context) == kind;
  });
}

} // namespace usmtensor
