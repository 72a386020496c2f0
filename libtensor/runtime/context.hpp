// Contexts: what USM memory belongs to.
#pragma once
#include "error.hpp"
#include "handles.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace usmtensor {

// A new context of these devices; an Error of kind context_creation when they do not go together.
ContextRef make_context(const std::vector<DeviceRef> &devices);
// The context that the runtime keeps for a platform.
ContextRef default_context(const PlatformRef &platform);
std::vector<DeviceRef> context_devices(const ContextRef &context);

// An error of a command or an allocation as users shall see it. A fault of the device ends the
// context on a GPU: what comes later fails for no reason of its own, and its error names the first.
Error context_error(const sycl::context &context, const sycl::device &device, ErrorKind kind,
                    const std::string &message, int code = 0);

bool equal(const ContextRef &a, const ContextRef &b);
std::size_t hash(const ContextRef &context);

// The SYCL object behind a capsule: a copy on the heap that the capsule owns, and the way back.
void *release_copy(const ContextRef &context);
ContextRef adopt_context(const void *context);
void delete_context(void *context);

} // namespace usmtensor
