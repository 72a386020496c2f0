// Arrays as arguments of functions bound by pybind11. array_ref accepts any usm_ndarray.
// array_view<T, N> accepts only arrays with its type and number of dimensions, so functions can be
// overloaded by them.
#ifndef USMTENSOR_PYBIND11_HPP
#define USMTENSOR_PYBIND11_HPP

#include <pybind11/pybind11.h>
#include <usmtensor/array.hpp>

namespace pybind11::detail {

template <> struct type_caster<usmtensor::array_ref> {
  PYBIND11_TYPE_CASTER(usmtensor::array_ref, const_name("usmtensor.usm_ndarray"));
  bool load(handle source, bool) { return usmtensor::array_ref::convert(source.ptr(), value); }
  static handle cast(usmtensor::array_ref array, return_value_policy, handle) {
    return handle(array.ptr()).inc_ref();
  }
};

template <class T, int N> struct type_caster<usmtensor::array_view<T, N>> {
  using View = usmtensor::array_view<T, N>;
  PYBIND11_TYPE_CASTER(View, const_name("usmtensor.usm_ndarray"));
  bool load(handle source, bool) { return usmtensor::array_ref::convert(source.ptr(), value); }
};

} // namespace pybind11::detail

#endif
