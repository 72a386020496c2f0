// DLPack ids of SYCL devices (kDLOneAPI), and the memory of a pointer with such an id. Errors are
// of kind buffer.
#pragma once
#include "memory.hpp"

#include <cstdint>

namespace usmtensor {

// The id of a memory's device: the index of its root device in devices(). An Error if the memory is
// not bound to the default context of the platform, because a consumer could not find another
// context.
std::int32_t dlpack_device_id(const Allocation &memory);

// The root device with an id.
DeviceRef dlpack_device(std::int32_t id);

struct UsmLocation {
  ContextRef context; // the default context of the device's platform
  DeviceRef device;   // the device with the id, or the sub-device that owns the memory
  UsmKind kind;       // unknown: not a USM pointer of the context
};
UsmLocation locate(const void *pointer, std::int32_t id);

// True if an address range is within the allocation of a USM pointer of a kind. OpenCL provides the
// bounds; other backends provide only the kinds of the first and the last byte.
bool within_allocation(const char *pointer, UsmKind kind, const char *begin, const char *end,
                       const ContextRef &context);

} // namespace usmtensor
