// Arrays as arguments of functions bound by nanobind. array_ref accepts any usm_ndarray.
// array_view<T, N> accepts only arrays with its type and number of dimensions, so functions can be
// overloaded by them.
#ifndef USMTENSOR_NANOBIND_HPP
#define USMTENSOR_NANOBIND_HPP

#include <nanobind/nanobind.h>
#include <usmtensor/array.hpp>

namespace nanobind::detail {

template <> struct type_caster<usmtensor::array_ref> {
  NB_TYPE_CASTER(usmtensor::array_ref, const_name("usmtensor.usm_ndarray"))
  bool from_python(handle source, uint8_t, cleanup_list *) {
    return usmtensor::array_ref::convert(source.ptr(), value);
  }
  static handle from_cpp(usmtensor::array_ref array, rv_policy, cleanup_list *) {
    return handle(array.ptr()).inc_ref();
  }
};

template <class T, int N> struct type_caster<usmtensor::array_view<T, N>> {
  using View = usmtensor::array_view<T, N>;
  NB_TYPE_CASTER(View, const_name("usmtensor.usm_ndarray"))
  bool from_python(handle source, uint8_t, cleanup_list *) {
    return usmtensor::array_ref::convert(source.ptr(), value);
  }
};

} // namespace nanobind::detail

#endif
