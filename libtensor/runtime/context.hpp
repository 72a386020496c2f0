// Contexts, to which USM memory belongs.
#pragma once
#include "handles.hpp"

#include <cstddef>
#include <vector>

namespace usmtensor {

// A new context of these devices; an Error of kind context_creation when they do not go together.
ContextRef make_context(const std::vector<DeviceRef> &devices);
// The context that the runtime keeps for a platform.
ContextRef default_context(const PlatformRef &platform);
std::vector<DeviceRef> context_devices(const ContextRef &context);

bool equal(const ContextRef &a, const ContextRef &b);
std::size_t hash(const ContextRef &context);

// A handle on a copy of a sycl::context.
ContextRef adopt_context(const void *context);

} // namespace usmtensor
