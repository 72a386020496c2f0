// Errors of a device, and the contexts that they end.
#pragma once
#include "error.hpp"
#include "handles.hpp"

#include <string>

namespace usmtensor {

// Notes that a queue uses a context.
void note_context(const sycl::context &context);

// An error that users shall see. A fault of the device ends the context on a GPU: later commands
// fail for no reason of their own, and their errors name the first one. Null for a context that is
// not known, as of an event from another library: then any context of a queue may have ended. Null
// for a device: any of the context may have the fault.
Error context_error(const sycl::context *context, const sycl::device *device, ErrorKind kind,
                    const std::string &message, int code = 0);

// The exception in flight as an Error, for a catch clause: SYCL's exceptions are of kind sycl.
Error current_error();

} // namespace usmtensor
