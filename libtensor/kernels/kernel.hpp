// The start of every kernel source: element types, and the rules for kernel parameters.
#pragma once
#include "standard.hpp"

#ifdef USMTENSOR_HOST // kernels are functions of the host compiler
#include <layout/argument.hpp>
#endif
// Kernels that call SYCL or C++ library functions include their headers. The other kernels omit
// them, because the headers take most of a compilation.
#ifdef USMTENSOR_CALLS
#include <cmath>
#include <sycl/builtins.hpp>
#if __has_include(<sycl/ext/oneapi/free_function_kernel_properties.hpp>)
#include <sycl/ext/oneapi/free_function_kernel_properties.hpp>
#else // before 2026.2
#include <sycl/ext/oneapi/kernel_properties/properties.hpp>
#endif
#include <sycl/ext/oneapi/free_function_queries.hpp>
#include <sycl/half_type.hpp>
#endif
#ifdef USMTENSOR_CALLS_COMPLEX
#include <complex>
#endif

#if !defined(USMTENSOR_HOST) && !defined(__NVPTX__)
// The compiler's built-in functions. The SYCL headers declare them identically.
#define USMTENSOR_DECLARE(name)                                                                    \
  __attribute__((sycl_device, const)) decltype(sizeof(0)) __spirv_BuiltIn##name(int);
USMTENSOR_DECLARE(GlobalInvocationId)
USMTENSOR_DECLARE(GlobalSize)
USMTENSOR_DECLARE(LocalInvocationId)
USMTENSOR_DECLARE(NumWorkgroups)
USMTENSOR_DECLARE(WorkgroupId)
USMTENSOR_DECLARE(WorkgroupSize)
#undef USMTENSOR_DECLARE
#endif

namespace usmtensor {

// A bool in memory. Foreign memory may hold any byte; every byte except 0 is true.
struct bool8 {
  bool8() = default;
  bool8(bool value) : byte(value) {}
  operator bool() const { return byte != 0; }
  standard::uint8_t byte;
};

using int8 = standard::int8_t;
using uint8 = standard::uint8_t;
using int16 = standard::int16_t;
using uint16 = standard::uint16_t;
using int32 = standard::int32_t;
using uint32 = standard::uint32_t;
using int64 = standard::int64_t;
using uint64 = standard::uint64_t;
#ifdef USMTENSOR_CALLS
using float16 = sycl::half;
#else
using float16 = _Float16; // on the host sycl::half rounds differently
#endif
using float32 = float;
using float64 = double;
#ifdef USMTENSOR_CALLS_COMPLEX
template <class T> using Complex = std::complex<T>;
#else
template <class T> class Complex {
public:
  using value_type = T;
  Complex() = default;
  Complex(T real, T imag = 0) { __real__ parts_ = real, __imag__ parts_ = imag; }
  T real() const { return __real__ parts_; }
  T imag() const { return __imag__ parts_; }
  bool operator==(Complex z) const { return parts_ == z.parts_; }
  Complex operator+(Complex z) const { return of(parts_ + z.parts_); }
  Complex operator-(Complex z) const { return of(parts_ - z.parts_); }
  Complex operator-() const { return of(-parts_); }
  Complex operator*(T x) const { return of(parts_ * x); }

private:
  // As in std::complex: compilers copy a structure of two numbers as an integer, which costs
  // bandwidth.
  using Parts = standard::conditional_t<sizeof(T) == 8, _Complex double, _Complex float>;
  static Complex of(Parts parts) {
    Complex z;
    z.parts_ = parts;
    return z;
  }
  Parts parts_;
};
#endif
using complex64 = Complex<float>;
using complex128 = Complex<double>;

// Elements by size, for operations that only move bits.
using bits8 = uint8;
using bits16 = uint16;
using bits32 = uint32;
using bits64 = uint64;
struct bits128 {
  uint64 low, high;
};

template <class T> inline constexpr bool is_float16 = standard::is_same_v<T, float16>;
// float16 is computed in single precision.
template <class T> using Single = standard::conditional_t<is_float16<T>, float32, T>;
template <class T> inline constexpr bool is_complex = false;
template <class T> inline constexpr bool is_complex<Complex<T>> = true;
template <class T> bool is_nan(T x) { return x != x; }
// A vector of `Bytes` bytes. g++ accepts the attribute in a template only on a typedef.
template <class T, int Bytes> struct VectorOf {
  typedef T Type __attribute__((vector_size(Bytes)));
};
template <class T> using Pair = typename VectorOf<T, 2 * sizeof(T)>::Type;

// Parameters of other types are copied for each work-item, which is slow, or do not compile on
// every backend.
template <class F> inline constexpr bool plain_parameters = false;
template <class... P>
inline constexpr bool plain_parameters<void(P...)> =
    ((standard::is_pointer_v<P> || standard::is_arithmetic_v<P>) && ...);

// Loads the bytes at an address as a value of another type, without its alignment.
template <class V, class T> V load_as(const T *from) {
  V value;
  __builtin_memcpy(static_cast<void *>(&value), from, sizeof value);
  return value;
}

// A complex number as a vector, in the form that vectorises.
template <class T> Pair<T> pair_of(Complex<T> z) {
#ifdef USMTENSOR_HOST
  return Pair<T>{z.real(), z.imag()};
#else
  return load_as<Pair<T>>(&z);
#endif
}

// std::min and std::max: including <algorithm> would cost a tenth of the compile time.
template <class T, class... Rest> constexpr T smallest(T x, Rest... rest) {
  ((x = rest < x ? T(rest) : x), ...);
  return x;
}
template <class T, class... Rest> constexpr T largest(T x, Rest... rest) {
  ((x = x < rest ? T(rest) : x), ...);
  return x;
}

// The bits of a value as a value of another type.
template <class V, class T> V reinterpret(T value) { return __builtin_bit_cast(V, value); }

// A value from the host, passed as the bits of an element.
template <class T> T from_bits(uint64 low, uint64 high = 0) {
  if constexpr (standard::is_same_v<T, bits128>)
    return {low, high}; // so that a fill stores both words together
  const uint64 words[] = {low, high};
  return load_as<T>(words);
}

// True if outputs may be larger than the caches. The host computes only small outputs.
#ifdef USMTENSOR_HOST
inline constexpr bool may_stream = false;
#else
inline constexpr bool may_stream = true;
#endif

// Compilers rarely vectorise loops with calls, so functors are always inlined.
#define USMTENSOR_INLINE [[gnu::always_inline]] inline
#define USMTENSOR_INLINE_LAMBDA __attribute__((always_inline))

// Force or forbid unrolling of the next loop. A rolled loop compiles faster.
#ifndef USMTENSOR_HOST
#define USMTENSOR_UNROLL _Pragma("unroll")
#define USMTENSOR_LOOP _Pragma("nounroll")
#else
#define USMTENSOR_UNROLL _Pragma("GCC unroll 16")
#define USMTENSOR_LOOP _Pragma("GCC unroll 1")
#endif

// Calls f(k) for each k < Count. Each k is a constant, so arrays of `Count` elements stay in
// registers.
template <int Count, class F> USMTENSOR_INLINE void repeat(F f) {
  [&]<int... K>(standard::integer_sequence<int, K...>) USMTENSOR_INLINE_LAMBDA {
    (f(standard::integral_constant<int, K>{}), ...);
  }(standard::make_integer_sequence<int, Count>{});
}

// Combines lanes in a tree: first lanes at a distance of half a vector, then a quarter, and so on.
// The first `Results` lanes hold the result.
template <int Count, int Results, int Distance = Count / 2, class V, class F>
USMTENSOR_INLINE V fold_lanes(V v, F combine) {
  if constexpr (Distance < Results) {
    return v;
  } else {
    const V others = [&]<int... K>(standard::integer_sequence<int, K...>) USMTENSOR_INLINE_LAMBDA {
      return V(__builtin_shufflevector(v, v, (K + Distance) % Count...));
    }(standard::make_integer_sequence<int, Count>{});
    return fold_lanes<Count, Results, Distance / 2>(combine(v, others), combine);
  }
}

// Copies an element. 16-byte elements are copied as vectors, so that compilers do not emit gathers.
template <class T> USMTENSOR_INLINE void copy_element(T *to, const T *from) {
  if constexpr (sizeof(T) == 16) {
    const auto pair = load_as<Pair<uint64>>(from);
    __builtin_memcpy(to, &pair, sizeof pair);
  } else {
    *to = *from;
  }
}

// The plan divides work into parts. On a device each part is a work-item; the host runs the parts
// one after another.
#ifdef USMTENSOR_HOST
inline thread_local int64 parts = 1;
template <class F> USMTENSOR_INLINE void each_part(F f) {
  for (int64 part = 0, count = parts; part < count; ++part)
    f(part, count);
}
template <class F> USMTENSOR_INLINE void each_item(int64 count, F f) {
  for (int64 i = 0; i < count; ++i)
    f(i);
}
#else
// The indices of a work-item, with the names of sycl::nd_item. The header of sycl::nd_item takes a
// quarter of a short compilation, and the NVPTX compiler does not inline its functions.
struct WorkItem {
#ifdef __NVPTX__
  uint64 get_local_id(int) const { return uint32(__nvvm_read_ptx_sreg_tid_x()); }
  uint64 get_local_range(int) const { return uint32(__nvvm_read_ptx_sreg_ntid_x()); }
  uint64 get_group(int) const { return uint32(__nvvm_read_ptx_sreg_ctaid_x()); }
  uint64 get_group_range(int) const { return uint32(__nvvm_read_ptx_sreg_nctaid_x()); }
  uint64 get_global_id(int) const { return get_group(0) * get_local_range(0) + get_local_id(0); }
  uint64 get_global_range(int) const { return get_group_range(0) * get_local_range(0); }
#else
  static uint64 of(standard::size_t id) {
    __builtin_assume(id <= 0x7fffffff); // as sycl::nd_item
    return id;
  }
  uint64 get_local_id(int) const { return of(__spirv_BuiltInLocalInvocationId(0)); }
  uint64 get_local_range(int) const { return of(__spirv_BuiltInWorkgroupSize(0)); }
  uint64 get_group(int) const { return of(__spirv_BuiltInWorkgroupId(0)); }
  uint64 get_group_range(int) const { return of(__spirv_BuiltInNumWorkgroups(0)); }
  uint64 get_global_id(int) const { return of(__spirv_BuiltInGlobalInvocationId(0)); }
  uint64 get_global_range(int) const { return of(__spirv_BuiltInGlobalSize(0)); }
#endif
};
inline WorkItem work_item() { return {}; }
template <class F> USMTENSOR_INLINE void each_part(F f) {
  f(int64(work_item().get_global_id(0)), int64(work_item().get_global_range(0)));
}
// One work-item per element. There may be more work-items than elements.
template <class F> USMTENSOR_INLINE void each_item(int64 count, F f) {
  const int64 i = work_item().get_global_id(0);
  if (i < count)
    f(i);
}
#endif

} // namespace usmtensor

#ifdef USMTENSOR_HOST
namespace usmtensor {
template <auto Kernel, class... P, standard::size_t... K>
USMTENSOR_INLINE void unpack(void (*)(P...), const Argument *arguments,
                             standard::index_sequence<K...>) {
  Kernel(load_as<P>(&arguments[K].bits)...);
}
template <class... P> constexpr standard::size_t arity(void (*)(P...)) { return sizeof...(P); }
// Calls a kernel on the host.
template <auto Kernel> void call(const Argument *arguments, int64 count) {
  parts = count;
  unpack<Kernel>(Kernel, arguments, standard::make_index_sequence<arity(Kernel)>());
}
} // namespace usmtensor
#define USMTENSOR_KERNEL(name, ...) static void name(__VA_ARGS__)
#else
// Declares the kernel `name`; its definition follows. It is inlined in its entry point, where the
// NVPTX compiler knows that the parameters point to global memory.
#define USMTENSOR_KERNEL(name, ...)                                                                \
  extern "C" [[gnu::always_inline, __sycl_detail__::add_ir_attributes_function(                    \
                                       "sycl-nd-range-kernel", 1)]] void name(__VA_ARGS__);        \
  static_assert(usmtensor::plain_parameters<decltype(name)>,                                       \
                "kernel " #name ": every parameter must be a pointer or an arithmetic scalar");    \
  void name(__VA_ARGS__)
#endif
