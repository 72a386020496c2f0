// What SYCL says in our words; for the .cpp files. Error is the only exception that leaves
// libtensor.
#pragma once
#include "error.hpp"
#include "platform.hpp"

#include <sycl/backend_types.hpp>
#include <sycl/exception.hpp>

#include <utility>

namespace usmtensor {

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

inline Backend translated(sycl::backend backend) {
  switch (backend) {
  case sycl::backend::opencl:
    return Backend::opencl;
  case sycl::backend::ext_oneapi_level_zero:
    return Backend::level_zero;
  case sycl::backend::ext_oneapi_cuda:
    return Backend::cuda;
  case sycl::backend::ext_oneapi_hip:
    return Backend::hip;
  default:
    return Backend::unknown;
  }
}

} // namespace usmtensor
