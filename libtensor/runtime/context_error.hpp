// Errors of a device, and the contexts that they end.
#pragma once
#include "error.hpp"
#include "handles.hpp"

#include <string>

namespace usmtensor {

// An error of a command or an allocation as users shall see it. A fault of the device ends the
// context on a GPU: what comes later fails for no reason of its own, and its error names the first.
Error context_error(const sycl::context &context, const sycl::device &device, ErrorKind kind,
                    const std::string &message, int code = 0);

} // namespace usmtensor
