// Conversion of SYCL's errors, objects and enumerations to the library's; for the .cpp files.
#pragma once
#include "context_error.hpp"
#include "error.hpp"
#include "place.hpp"

#include <sycl/backend_types.hpp>
#include <sycl/exception.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace usmtensor {

// Calls, and throws SYCL's exceptions as an Error of a kind.
template <class Call> decltype(auto) translated(ErrorKind kind, Call &&call) {
  try {
    return std::forward<Call>(call)();
  } catch (const sycl::exception &error) {
    throw Error(kind, error.what(), error.code().value());
  }
}

template <class Call> decltype(auto) translated(Call &&call) {
  return translated(ErrorKind::sycl, std::forward<Call>(call));
}

// For calls of a queue: if the context has ended, the error names the first error.
template <class Call> decltype(auto) translated(const Place &place, Call &&call) {
  try {
    return std::forward<Call>(call)();
  } catch (const sycl::exception &error) {
    throw context_error(*place.context, *place.device, ErrorKind::sycl, error.what(),
                        error.code().value());
  }
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
