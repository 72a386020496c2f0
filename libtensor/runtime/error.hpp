// The exception type of libtensor. The Python layer maps its kind to a Python exception type.
#pragma once
#include <stdexcept>
#include <string>

namespace usmtensor {

enum class ErrorKind {
  sycl,
  device_creation,
  queue_creation,
  context_creation,
  sub_device_creation,
  allocation,
  value,
  type,
  kernel,
  buffer,
  compile,
};

class Error : public std::runtime_error {
public:
  Error(ErrorKind kind, const std::string &message, int code = 0)
      : std::runtime_error(message), kind(kind), code(code) {}

  const ErrorKind kind;
  const int code; // the SYCL error code, or 0
};

} // namespace usmtensor
