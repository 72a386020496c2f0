// Conversion of SYCL errors, objects and enumerations to the library's; for the .cpp files.
#pragma once
#include "context_error.hpp"
#include "error.hpp"
#include "handles.hpp"
#include "settings.hpp"

#include <sycl/backend_types.hpp>
#include <sycl/exception.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace usmtensor {

// Calls `call`, and rethrows SYCL exceptions as Errors, which context_error() describes.
template <class Call>
decltype(auto) translated(const sycl::context *context, const sycl::device *device, ErrorKind kind,
                          Call &&call) {
  try {
    return std::forward<Call>(call)();
  } catch (const sycl::exception &error) {
    throw context_error(context, device, kind, error.what(), error.code().value());
  }
}

template <class Call> decltype(auto) translated(ErrorKind kind, Call &&call) {
  return translated(nullptr, nullptr, kind, std::forward<Call>(call));
}

// For calls with a queue, or null if it is unknown.
template <class Call> decltype(auto) translated(const QueueInfo *queue, Call &&call) {
  return translated(queue ? queue->context.get() : nullptr, queue ? queue->device.get() : nullptr,
                    ErrorKind::sycl, std::forward<Call>(call));
}

inline void fail_if_planned(Fault fault) {
  if (fails(fault))
    throw sycl::exception(sycl::make_error_code(sycl::errc::runtime),
                          "a test asked for this failure");
}

// New handles to SYCL objects.
template <class Sycl> std::vector<std::shared_ptr<Sycl>> handles(const std::vector<Sycl> &found) {
  std::vector<std::shared_ptr<Sycl>> result;
  for (const Sycl &object : found)
    result.push_back(std::make_shared<Sycl>(object));
  return result;
}

// Copies of the SYCL objects of handles.
template <class Sycl> std::vector<Sycl> objects(const std::vector<std::shared_ptr<Sycl>> &handles) {
  std::vector<Sycl> result;
  for (const std::shared_ptr<Sycl> &handle : handles)
    result.push_back(*handle);
  return result;
}

inline Backend translated(sycl::backend backend) {
  return backend == sycl::backend::opencl                  ? Backend::opencl
         : backend == sycl::backend::ext_oneapi_level_zero ? Backend::level_zero
         : backend == sycl::backend::ext_oneapi_cuda       ? Backend::cuda
         : backend == sycl::backend::ext_oneapi_hip        ? Backend::hip
                                                           : Backend::unknown;
}

} // namespace usmtensor
