// Elementwise functions: connects the loops with functors, which take scalars or vectors of at
// least single precision.
#pragma once
#include "blocks.hpp"
#include "grid.hpp"
#include "math.hpp"

namespace usmtensor {

// Conversions to and from the types that functors compute in. float16 is computed in single
// precision and rounded once.
template <class T> T widen(T value) { return value; }
inline bool widen(bool8 value) { return value; }
inline float widen(float16 value) { return float(value); }

template <class D, class R> D narrow(R value) {
  if constexpr (standard::is_same_v<D, bool8>)
    return bool(value);
  else
    return D(value);
}

// Base of functors that also take vectors. The device compiler does not vectorise loops that call
// library functions.
struct Vectorised {};
// True for float32 and for vectors of it.
template <class V> inline constexpr bool is_single = standard::is_same_v<V, float32>;
// Base of functors that call library functions. On the host they also take arrays of at most
// math::max_elements elements: f(n, to, x...).
struct LibraryFunction {};

// USMTENSOR_FUNCTION defines the functor of a function that the device runtime has for scalars and
// vectors. USMTENSOR_LIBRARY_FUNCTION is for functions that the host also has for arrays.
// name_of(z) is the complex function, if there is one.
#define USMTENSOR_FUNCTION(Functor, name) USMTENSOR_FUNCTOR(Functor, name, Vectorised)
#define USMTENSOR_LIBRARY_FUNCTION(Functor, name)                                                  \
  USMTENSOR_FUNCTOR(Functor, name, Vectorised, LibraryFunction)
#define USMTENSOR_FUNCTOR(Functor, name, ...)                                                      \
  struct Functor : __VA_ARGS__ {                                                                   \
    template <class... V> auto operator()(V... x) const { return math::name(x...); }               \
    template <class T> auto operator()(Complex<T> z) const { return name##_of(z); }                \
  };

// Base of functors that take float16 without conversion.
struct HandlesFloat16 {};

template <class F, class D, class... S> struct Elementwise {
  D operator()(S... in) const {
    if constexpr (standard::is_base_of_v<HandlesFloat16, F>)
      return F()(in...);
    else
      return narrow<D>(F()(widen(in)...));
  }
};

// An input of the loop `contiguous`: an array, or one value for all elements.
template <class T> struct ArrayOrValue {
  T operator[](int64 i) const { return data ? get(data + i) : value; }
  const T *data;
  T value;
};
#ifndef __NVPTX__
template <class F, class D, class... S>
void contiguous(F f, int64 size, D *out, ArrayOrValue<S>... in) {
  each_item(size, [=](int64 i) {
    if constexpr ((is_complex<S> || ...))
      if ((in.data && ...)) // without a select, which vectorises best
        return void(out[i] = f(in.data[i]...));
    out[i] = f(in[i]...);
  });
}
#endif

// The same for the other loops.
template <class T> struct OperandOrValue {
  using Element = T;
  Operand<const T> operand() const {
    Operand<const T> operand = array;
    operand.data = array.data ? array.data : &value;
    return operand;
  }
  Operand<const T> array;
  T value;
};
// The loop `strided_choice` for functions whose inputs may be values.
template <class... F, class D, class... S>
void strided_choice(OneOf<F...>, int32 function, int64 size, Space space, Operand<D> out,
                    OperandOrValue<S>... in) {
  strided(OneOf<F...>{function}, size, space, out, in.operand()...);
}

#ifndef USMTENSOR_HOST
template <int Count, class T, class Offset>
USMTENSOR_INLINE auto load_pack(const OperandOrValue<T> &from, Offset offset) {
  if (from.array.data)
    return load_pack<Count>(from.array, offset);
  Pack<T, Count> pack;
  repeat<Count>([&](auto k) USMTENSOR_INLINE_LAMBDA { pack.of[k] = from.value; });
  return pack;
}

#ifdef __NVPTX__
template <class F, class D, class... S>
inline constexpr int max_elements_per_step<Elementwise<F, D, S...>> =
    !standard::is_base_of_v<Vectorised, F> ? grid_elements
    : (is_complex<S> || ...)               ? 1
                                           : 16 / sizeof(D);
template <class F, class D, class... S>
void contiguous(F f, int64 size, D *out, ArrayOrValue<S>... in) {
  contiguous_packs(f, size, Operand<D>{out}, OperandOrValue<S>{{in.data}, in.value}...);
}
#endif
#endif

#ifndef USMTENSOR_HOST
// A vector of one register.
template <class T> using Vector = T __attribute__((ext_vector_type(lanes<T>)));
template <> inline constexpr bool is_single<Vector<float32>> = true;
#endif

template <class F, class D, class... S>
inline constexpr bool in_blocks<Elementwise<F, D, S...>> = true;

// The compute loop of blocks.hpp, over vectors or arrays if F takes them.
template <class F, class D, class... S>
[[gnu::noinline]] void compute(Elementwise<F, D, S...> f, int64 n, D *__restrict out,
                               const S *...in) {
  int64 i = 0;
  constexpr bool floating = standard::is_floating_point_v<D>; // false for float16
#ifdef USMTENSOR_HOST
  if constexpr (!standard::is_base_of_v<HandlesFloat16, F> &&
                (is_float16<D> || ... || is_float16<S>)) {
    compute_single(Elementwise<F, Single<D>, Single<S>...>(), n, out, in...);
    i = n;
  } else if constexpr (floating && standard::is_base_of_v<LibraryFunction, F>) {
    for (; i < n; i += math::max_elements)
      F()(n - i < math::max_elements ? n - i : math::max_elements, out + i, in + i...);
  }
#else
  if constexpr (floating && standard::is_base_of_v<Vectorised, F>)
    for (; i + lanes<D> <= n; i += lanes<D>) {
      const auto values = F()(load_as<Vector<S>>(in + i)...);
      __builtin_memcpy(out + i, &values, sizeof values);
    }
#endif
  for (; i < n; ++i)
    out[i] = f(get(in + i)...);
}

// Returns the common value of n elements if they are all equal and positive, as in a buffer filled
// with a scalar; otherwise 0. It is read once, because other threads may change it.
template <class T> T common_value(int64 n, const T *y) {
  if (n < 16)
    return 0;
  const T first = *static_cast<const volatile T *>(y);
  if (first <= 0 || y[n - 1] != first)
    return 0;
  T other = 0;
  for (int64 i = 0; i < n; ++i)
    other |= y[i] ^ first;
  return other == 0 ? first : 0;
}

} // namespace usmtensor
