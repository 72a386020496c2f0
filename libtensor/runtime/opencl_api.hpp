// OpenCL features that SYCL lacks: native program binaries, bounds of allocations, and references
// to queues.
#pragma once
#include "handles.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

struct _cl_command_queue;
struct _cl_context;
struct _cl_device_id;
struct _cl_program;

namespace usmtensor {

struct AddressRange {
  const char *begin = nullptr;
  std::size_t nbytes = 0;
};

// The USM allocation that contains a pointer of an OpenCL context; empty if the query fails.
AddressRange opencl_allocation(const sycl::context &context, const void *pointer);

// One more reference to the OpenCL queue; null if the loaded OpenCL library lacks a function.
using OpenClQueue = std::shared_ptr<_cl_command_queue>;
OpenClQueue opencl_queue(const sycl::queue &queue);

// An executable program, which is released with its last handle.
using OpenClProgram = std::shared_ptr<_cl_program>;

// The OpenCL handles of a context and device.
class OpenClDevice {
public:
  // Null if the loaded OpenCL library lacks a required function: then SYCL must compile.
  static std::unique_ptr<OpenClDevice> make(const sycl::context &context,
                                            const sycl::device &device);

  // The identity of native binaries: device, driver, CPU features and settings.
  const std::string &identity() const { return identity_; }

  // Throws an Error with the OpenCL error and the compiler's log.
  OpenClProgram from_spirv(const std::vector<std::byte> &module) const;
  // Null if the driver refuses the binary.
  OpenClProgram from_binary(const std::vector<unsigned char> &binary) const;

  sycl::kernel kernel(const OpenClProgram &program, const char *name) const;
  OpenClProgram program_of(const sycl::kernel &kernel) const;
  std::vector<unsigned char> binary(const OpenClProgram &program) const; // empty if there is none

private:
  OpenClDevice() = default;
  int build(const OpenClProgram &program) const;

  const sycl::context *context_;
  _cl_context *native_context_;
  _cl_device_id *native_device_;
  std::string identity_;
};

} // namespace usmtensor
