// Device errors, and the contexts that they make unusable.
#pragma once
#include "error.hpp"
#include "handles.hpp"

#include <string>

namespace usmtensor {

// Records that a queue uses a context.
void note_context(const sycl::context &context);

// The error to report to users. On a GPU, a device fault makes the context unusable: all later
// commands fail, so their errors also name the first error. A null context is unknown, as for an
// event of another library: then the contexts of all queues are tested. If the device is null, all
// devices of the context are tested.
Error context_error(const sycl::context *context, const sycl::device *device, ErrorKind kind,
                    const std::string &message, int code = 0);

// The exception in flight as an Error, for a catch clause. SYCL exceptions become Errors of kind
// sycl.
Error current_error();

} // namespace usmtensor
