// DLPack's numbers of SYCL devices (kDLOneAPI), and the memory behind a pointer with such a number.
// Errors are of kind buffer.
#pragma once
#include "memory.hpp"

#include <cstdint>

namespace usmtensor {

// The number of a memory's device: the position of its root device in devices(). An Error if the
// memory is not bound to the default context of the platform, because a consumer could not find
// another context.
std::int32_t dlpack_device_id(const Allocation &memory);

// A root device by its number.
DeviceRef dlpack_device(std::int32_t id);

struct UsmPlace {
  ContextRef context; // the default one of the device's platform
  DeviceRef device;   // where the memory was allocated, which may be a part of the numbered device;
                      // for kind host the numbered device: such memory belongs to the context
  UsmKind kind;       // unknown: no USM pointer of the context
};
UsmPlace locate(const void *pointer, std::int32_t id);

// Whether a range of addresses lies in the allocation of a USM pointer of a kind. OpenCL tells the
// bounds; other backends tell only the kind of the first and the last byte.
bool within_allocation(const char *pointer, UsmKind kind, const char *begin, const char *end,
                       const ContextRef &context);

} // namespace usmtensor
