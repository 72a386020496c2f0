// Conversion of SYCL's errors, objects and enumerations to the library's; for the .cpp files.
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

// Calls, and throws SYCL's exceptions as an Error of a kind and a context, which context_error()
// describes.
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

// For calls in a place, which is null where it is not known.
template <class Call> decltype(auto) translated(const Place *place, Call &&call) {
  return translated(place ? place->context.get() : nullptr, place ? place->device.get() : nullptr,
                    ErrorKind::sycl, std::forward<Call>(call));
}

inline void fail_if_planned(Fault fault) {
  if (fails(fault))
    throw sycl::exception(sycl::make_error_code(sycl::errc::runtime),
                          "a test asked for this failure");
}

// New handles of SYCL objects.
template <class Sycl> std::vector<std::shared_ptr<Sycl>> handles(const std::vector<Sycl> &found) {
  std::vector<std::shared_ptr<Sycl>> result;
  for (const Sycl &object : found)
    result.push_back(std::make_shared<Sycl>(object));
  return result;
}

// And the objects of handles.
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
