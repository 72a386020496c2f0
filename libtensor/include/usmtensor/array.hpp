// A usm_ndarray in C++17: its metadata, its queue, and views of its elements. Call with the GIL.
#ifndef USMTENSOR_ARRAY_HPP
#define USMTENSOR_ARRAY_HPP

#include <usmtensor/array_view.hpp>
#include <usmtensor/capi.h>

#include <complex>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
class queue;
namespace detail::half_impl {
class half;
}
} // namespace _V1
} // namespace sycl

namespace usmtensor {

// Throws the Python exception that a function of capi.h has set.
[[noreturn]] inline void throw_python_error() {
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyObject *const text = value ? PyObject_Str(value) : nullptr;
  const char *const message = text ? PyUnicode_AsUTF8(text) : nullptr;
  const std::string error = message ? message : "usmtensor: an unknown error";
  Py_XDECREF(text);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
  PyErr_Clear();
  throw std::runtime_error(error);
}

// True if T is a half-precision type. Specialise it for your own type with the same bits.
template <class T> struct is_half : std::is_same<T, sycl::detail::half_impl::half> {};
#ifdef __STDCPP_FLOAT16_T__
template <> struct is_half<_Float16> : std::true_type {};
#endif

// The type number of an array with elements of type T.
template <class T> constexpr int type_number() {
  using Element = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<Element, bool>)
    return UAR_BOOL;
  else if constexpr (std::is_integral_v<Element> && sizeof(Element) <= 4)
    return (sizeof(Element) == 4   ? UAR_INT
            : sizeof(Element) == 2 ? UAR_SHORT
                                   : UAR_BYTE) +
           std::is_unsigned_v<Element>;
  else if constexpr (std::is_integral_v<Element>)
    return UAR_LONG + std::is_unsigned_v<Element>;
  else if constexpr (std::is_same_v<Element, float>)
    return UAR_FLOAT;
  else if constexpr (std::is_same_v<Element, double>)
    return UAR_DOUBLE;
  else if constexpr (std::is_same_v<Element, std::complex<float>>)
    return UAR_CFLOAT;
  else if constexpr (std::is_same_v<Element, std::complex<double>>)
    return UAR_CDOUBLE;
  else {
    static_assert(is_half<Element>::value, "no array has elements of this type");
    return UAR_HALF;
  }
}

// A reference to an array. The caller keeps the array alive.
class array_ref {
public:
  array_ref() = default;
  explicit array_ref(PyObject *object) : object_(object) {
    if (!is_array(object))
      throw std::invalid_argument(std::string("expected a usm_ndarray, not ") +
                                  (object ? Py_TYPE(object)->tp_name : "NULL"));
  }

  static bool is_array(PyObject *object) {
    if (!PyUSMArrayType && import_usmtensor() < 0)
      throw_python_error();
    return object && PyUSMArray_Check(object);
  }

  PyObject *ptr() const { return object_; }
  int ndim() const { return UsmNDArray_GetNDim(array()); }
  const Py_ssize_t *shape() const { return UsmNDArray_GetShape(array()); }
  const Py_ssize_t *strides() const { return UsmNDArray_GetStrides(array()); } // in elements
  int typenum() const { return UsmNDArray_GetTypenum(array()); }
  bool writable() const { return UsmNDArray_GetFlags(array()) & USM_ARRAY_WRITABLE; }
  // The address of the element with all-zero indices, for commands on queue(). They are ordered
  // after earlier work on the array and before later work.
  char *data() const {
    char *const result = UsmNDArray_GetData(array());
    return result ? result : (throw_python_error(), nullptr);
  }
  sycl::queue &queue() const {
    return *reinterpret_cast<sycl::queue *>(UsmNDArray_GetQueueRef(array()));
  }

  template <class T, int N> bool holds() const {
    return typenum() == type_number<T>() && ndim() == N && (std::is_const_v<T> || writable());
  }
  // Throws std::invalid_argument if the type or number of dimensions differs, or if T is not const
  // and the array is read-only.
  template <class T, int N> array_view<T, N> view() const {
    if (typenum() != type_number<T>())
      throw std::invalid_argument("the array has elements of type number " +
                                  std::to_string(typenum()) + "; expected " +
                                  std::to_string(type_number<T>()));
    if (ndim() != N)
      throw std::invalid_argument("the array has " + std::to_string(ndim()) +
                                  " dimensions; expected " + std::to_string(N));
    if (!holds<T, N>())
      throw std::invalid_argument("the array is read-only");
    return {reinterpret_cast<T *>(data()), shape(), strides()};
  }

  // For bindings: returns true and sets `out` if the object is such an array.
  static bool convert(PyObject *object, array_ref &out) {
    if (!is_array(object))
      return false;
    out = array_ref(object);
    return true;
  }
  template <class T, int N> static bool convert(PyObject *object, array_view<T, N> &out) {
    array_ref array;
    if (!convert(object, array) || !array.holds<T, N>())
      return false;
    out = array.view<T, N>();
    return true;
  }

private:
  struct PyUSMArrayObject *array() const {
    return reinterpret_cast<struct PyUSMArrayObject *>(object_);
  }

  PyObject *object_ = nullptr;
};

} // namespace usmtensor

#endif
