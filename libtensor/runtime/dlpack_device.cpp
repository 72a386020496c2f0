#include "dlpack_device.hpp"

#include "device.hpp"
#include "gate.hpp"
#include "opencl_api.hpp"
#include "queue.hpp"
#include "translate.hpp"

#include <sycl/context.hpp>
#include <sycl/device.hpp>

#include <string>
#include <vector>

namespace usmtensor {

namespace {

struct DlpackDevice {
  DeviceRef device;   // a root device
  ContextRef context; // the default context of its platform
};

// Indexed by id. Never destroyed: a process may read capsules at its very end.
const std::vector<DlpackDevice> &dlpack_devices() {
  static const auto &dlpack_devices = *new std::vector<DlpackDevice>([] {
    std::vector<DlpackDevice> found;
    for (const DeviceRef &device : devices())
      found.push_back({device, default_context(platform_of(device))});
    return found;
  }());
  return dlpack_devices;
}

const DlpackDevice &device_by_id(std::int32_t id) {
  const DriverScope scope;
  if (id < 0 || static_cast<std::size_t>(id) >= dlpack_devices().size())
    throw Error(ErrorKind::buffer, "device_id is " + std::to_string(id) + ", but there are " +
                                       std::to_string(dlpack_devices().size()) + " devices");
  return dlpack_devices()[id];
}

} // namespace

std::int32_t dlpack_device_id(const Allocation &memory) {
  std::int32_t id = memory.dlpack_id.load(std::memory_order_relaxed);
  if (id >= 0)
    return id;
  translated(ErrorKind::buffer, [&] {
    const ContextRef &context = memory.queue->context;
    const DeviceRef device =
        root(memory.kind == UsmKind::host ? memory.queue->device
                                          : pointer_device(memory.pointer, context));
    for (id = 0; !equal(device_by_id(id).device, device);)
      ++id;
    if (!equal(device_by_id(id).context, context))
      throw Error(ErrorKind::buffer,
                  "the memory is not bound to the default context of its platform, so that a "
                  "consumer could not find its context");
  });
  memory.dlpack_id.store(id, std::memory_order_relaxed);
  return id;
}

DeviceRef dlpack_device(std::int32_t id) { return device_by_id(id).device; }

UsmLocation locate(const void *pointer, std::int32_t id) {
  return translated(ErrorKind::buffer, [&] {
    const DlpackDevice &root = device_by_id(id);
    if (backend(root.device) == Backend::unknown)
      throw Error(ErrorKind::buffer,
                  "device_id is " + std::to_string(id) + ", a device of an unknown backend");
    UsmLocation found{root.context, root.device, pointer_kind(pointer, root.context)};
    if (found.kind == UsmKind::device || found.kind == UsmKind::shared)
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
