// The parts of the C++ standard library that functors and loops use, under their standard names. A
// device compiler has no such headers: it would use those of the machine, which may have none, and
// would take longer.
#pragma once

#ifdef USMTENSOR_HOST
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace usmtensor {
namespace standard = std;
}
#else
namespace usmtensor::standard {

using size_t = decltype(sizeof(0));
using uintptr_t = size_t;
using int8_t = signed char;
using int16_t = short;
using int32_t = int;
using int64_t = long;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned;
using uint64_t = unsigned long;

template <class A, class B> inline constexpr bool is_same_v = __is_same(A, B);
template <class A, class B> inline constexpr bool is_base_of_v = __is_base_of(A, B);
template <class T> inline constexpr bool is_const_v = __is_const(T);
template <class T> inline constexpr bool is_pointer_v = __is_pointer(T);
template <class T> inline constexpr bool is_integral_v = __is_integral(T);
// float16 is not a standard type.
template <class T> inline constexpr bool is_float16 = __is_same(__remove_cv(T), _Float16);
template <class T>
inline constexpr bool is_floating_point_v = __is_floating_point(T) && !is_float16<T>;
template <class T> inline constexpr bool is_arithmetic_v = __is_arithmetic(T) && !is_float16<T>;
template <class T> inline constexpr bool is_signed_v = __is_signed(T) && !is_float16<T>;
template <class T> using remove_const_t = __remove_const(T);
template <class T> using make_signed_t = __make_signed(T);
template <class T> using make_unsigned_t = __make_unsigned(T);

template <bool> struct Choice {
  template <class A, class> using Type = A;
};
template <> struct Choice<false> {
  template <class, class B> using Type = B;
};
template <bool first, class A, class B>
using conditional_t = typename Choice<first>::template Type<A, B>;

template <class T, T Value> struct integral_constant {
  static constexpr T value = Value;
  constexpr operator T() const { return Value; }
};
template <class T, T... K> struct integer_sequence {};
template <class T, T Count>
using make_integer_sequence = __make_integer_seq<integer_sequence, T, Count>;
template <size_t... K> using index_sequence = integer_sequence<size_t, K...>;
template <size_t Count> using make_index_sequence = make_integer_sequence<size_t, Count>;

template <class T> struct numeric_limits { // of integers
  static constexpr int digits = 8 * sizeof(T) - is_signed_v<T>;
  static constexpr T min() { return is_signed_v<T> ? T(T(1) << digits) : T(0); }
  static constexpr T max() { return T(~min()); }
  static constexpr T lowest() { return min(); }
  static constexpr T infinity() { return 0; }
};
#define USMTENSOR_LIMITS(Float, NAME, suffix)                                                      \
  template <> struct numeric_limits<Float> {                                                       \
    static constexpr int digits = __##NAME##_MANT_DIG__, max_exponent = __##NAME##_MAX_EXP__;      \
    static constexpr Float min() { return __##NAME##_MIN__; }                                      \
    static constexpr Float max() { return __##NAME##_MAX__; }                                      \
    static constexpr Float lowest() { return -__##NAME##_MAX__; }                                  \
    static constexpr Float epsilon() { return __##NAME##_EPSILON__; }                              \
    static constexpr Float infinity() { return __builtin_inf##suffix(); }                          \
  };
USMTENSOR_LIMITS(float, FLT, f)
USMTENSOR_LIMITS(double, DBL, )
#undef USMTENSOR_LIMITS

template <size_t, class T> struct Part {
  T part;
};
template <class, class...> struct Parts;
template <size_t... K, class... T> struct Parts<index_sequence<K...>, T...> : Part<K, T>... {};
template <class... T> using tuple = Parts<make_index_sequence<sizeof...(T)>, T...>;
template <size_t K, class T> constexpr T &get(Part<K, T> &part) { return part.part; }
template <size_t K, class T> constexpr const T &get(const Part<K, T> &part) { return part.part; }
template <class F, size_t... K, class... T>
constexpr void apply(F f, Parts<index_sequence<K...>, T...> &parts) {
  f(get<K>(parts)...);
}

} // namespace usmtensor::standard
#endif
