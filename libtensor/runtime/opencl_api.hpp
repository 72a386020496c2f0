// Features of OpenCL that SYCL lacks: native binaries of programs, bounds of allocations.
#pragma once
#include "handles.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

struct _cl_context;
struct _cl_device_id;
struct _cl_program;

namespace usmtensor {

struct AddressRange {
  const char *begin = nullptr;
  std::size_t nbytes = 0;
};

// The USM allocation that a pointer of an OpenCL context lies in; empty if the driver does not say.
AddressRange opencl_allocation(const sycl::context &context, const void *pointer);

// An executable program, which ends with its last handle.
using OpenClProgram = std::shared_ptr<_cl_program>;

// OpenCL's handles of one context and device.
class OpenClPlace {
public:
  // Null if the loaded OpenCL library lacks a necessary function: then SYCL has to compile.
  static std::unique_ptr<OpenClPlace> make(const sycl::context &context,
                                           const sycl::device &device);

  // The identity of native binaries: device, driver, CPU features and settings.
  const std::string &identity() const { return identity_; }

  // The OpenCL error and the compiler's log become an Error.
  OpenClProgram from_spirv(const std::vector<std::byte> &module) const;
  // Null if the driver refuses it.
  OpenClProgram from_binary(const std::vector<unsigned char> &binary) const;

  sycl::kernel kernel(const OpenClProgram &program, const char *name) const;
  OpenClProgram program_of(const sycl::kernel &kernel) const;
  std::vector<unsigned char> binary(const OpenClProgram &program) const; // empty: there is none

private:
  OpenClPlace() = default;
  int build(const OpenClProgram &program) const;

  const sycl::context *context_;
  _cl_context *native_context_;
  _cl_device_id *native_device_;
  std::string identity_;
};

} // namespace usmtensor
