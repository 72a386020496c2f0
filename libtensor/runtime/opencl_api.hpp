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

// OpenCL's handles of one context and device.
class OpenClPlace {
public:
  // Null if the loaded OpenCL library lacks a necessary function: then SYCL has to compile.
  static std::unique_ptr<OpenClPlace> make(const sycl::context &context,
                                           const sycl::device &device);

  // The identity of native binaries: device, driver, CPU features and settings.
  const std::string &identity() const { return identity_; }

  // An executable program; the OpenCL error and the compiler's log become an Error.
  class Program;
  std::unique_ptr<Program> from_spirv(const std::vector<std::byte> &module) const;
  // Null if the driver refuses it.
  std::unique_ptr<Program> from_binary(const std::vector<unsigned char> &binary) const;
  // The program of a kernel.
  std::unique_ptr<Program> program(const sycl::kernel &kernel) const;

private:
  OpenClPlace() = default;

  const sycl::context *context_;
  _cl_context *native_context_;
  _cl_device_id *native_device_;
  std::string identity_;
};

class OpenClPlace::Program {
public:
  ~Program();
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  sycl::kernel kernel(const char *name) const;
  std::vector<unsigned char> binary() const; // empty if there is none

private:
  friend OpenClPlace;
  Program(const OpenClPlace &place, _cl_program *native) : place_(place), native_(native) {}
  int build() const;

  const OpenClPlace &place_;
  _cl_program *native_;
};

} // namespace usmtensor
