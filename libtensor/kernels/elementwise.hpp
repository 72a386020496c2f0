// Elementwise functions: what stands between a functor, which knows wide scalars or vectors of
// them, and the loops.
#pragma once
#include "loops.hpp"
#include "math.hpp"

#include <algorithm>
#include <tuple>
#ifndef USMTENSOR_HOST
#include <sycl/vector.hpp>
#endif

namespace usmtensor {

// The element types as a functor sees them. What half precision computes is rounded once, from
// single precision.
template <class T> T widen(T value) { return value; }
inline bool widen(b1 value) { return value; }
inline float widen(f2 value) { return float(value); }

template <class D, class R> D narrow(R value) {
  if constexpr (std::is_same_v<D, b1>)
    return bool(value);
  else
    return D(value);
}

// Functors that take vectors too, because the device's compiler does not vectorise loops that call
// the functions in them.
struct Vectorised {};
// Numbers of single precision, or vectors of them.
template <class V> inline constexpr bool is_single = std::is_same_v<V, f4>;
// Functors that on the host take arrays too, of at most math::most elements: f(n, to, x...). The
// functions in them are a library's.
struct OfLibrary {};

// The functor of a function that the runtime has of numbers and vectors, and of one that the host
// has of arrays; name_of(z) is that of complex numbers, where there is one.
#define USMTENSOR_FUNCTION(Functor, name) USMTENSOR_FUNCTOR(Functor, name, Vectorised)
#define USMTENSOR_LIBRARY_FUNCTION(Functor, name)                                                  \
  USMTENSOR_FUNCTOR(Functor, name, Vectorised, OfLibrary)
#define USMTENSOR_FUNCTOR(Functor, name, ...)                                                      \
  struct Functor : __VA_ARGS__ {                                                                   \
    template <class... V> auto operator()(V... x) const { return math::name(x...); }               \
    template <class T> auto operator()(std::complex<T> z) const { return name##_of(z); }           \
  };

// Functors that take halves as they are.
struct SeesHalves {};

template <class F, class D, class... S> struct Elementwise {
  D operator()(S... in) const {
    if constexpr (std::is_base_of_v<SeesHalves, F>)
      return F()(in...);
    else
      return narrow<D>(F()(widen(in)...));
  }
};

// An element of memory. Read as a vector, a complex number is a value to the compiler, which
// otherwise chooses between its address and that of another.
template <class T> T get(const T *from) { return *from; }
template <class T> std::complex<T> get(const std::complex<T> *from) {
  const auto pair = load_as<Pair<T>>(from);
  return {pair[0], pair[1]};
}

// An input of the flat loop: the same element everywhere, where there is no array.
template <class T> struct ArrayOrValue {
  T operator[](i8 i) const { return data ? get(data + i) : value; }
  const T *data;
  T value;
};
template <class F, class D, class... S> void flat(F f, i8 size, D *out, ArrayOrValue<S>... in) {
  each_item(size, [=](i8 i) {
    if constexpr ((is_complex<S> || ...))
      if ((in.data && ...)) // without any choice, which vectorises best
        return void(out[i] = f(in.data[i]...));
    out[i] = f(in[i]...);
  });
}

#ifdef USMTENSOR_HOST
// A piece of an array as F takes it: in single precision where the elements are halves.
template <class T> const T *widened(i8, const T *from, float *) { return from; }
inline const float *widened(i8 n, const f2 *from, float *held) {
  for (i8 i = 0; i < n; ++i)
    held[i] = float(from[i]);
  return held;
}
template <class F, class D, class... S> void compute_piece(i8 n, D *out, const S *...in) {
  if constexpr (std::is_same_v<D, f2>) {
    float result[math::most], held[sizeof...(S)][math::most];
    int k = 0;
    const std::tuple<decltype(widened(n, in, held[0]))...> wide{widened(n, in, held[k++])...};
    std::apply([&](auto... x) { F()(n, result, x...); }, wide);
    for (i8 i = 0; i < n; ++i)
      out[i] = f2(result[i]);
  } else {
    F()(n, out, in...);
  }
}
#else
// Vectors of one register, in single precision where the elements are halves.
template <class T> inline constexpr int lanes_of = sizeof(T) == 8 ? 8 : 16;
template <> inline constexpr bool is_single<sycl::vec<f4, lanes_of<f4>>> = true;
template <class T> auto load_lanes(const T *from) {
  if constexpr (std::is_same_v<T, f2>) {
    float wide[lanes_of<T>];
    for (int k = 0; k < lanes_of<T>; ++k)
      wide[k] = float(from[k]);
    return load_lanes(wide);
  } else {
    return load_as<sycl::vec<T, lanes_of<T>>>(from);
  }
}
template <class D, class V> void store_lanes(D *to, V value) {
  if constexpr (std::is_same_v<D, f2>) {
    float wide[lanes_of<D>];
    store_lanes(wide, value);
    for (int k = 0; k < lanes_of<D>; ++k)
      to[k] = f2(wide[k]);
  } else {
    __builtin_memcpy(to, &value, sizeof value);
  }
}
#endif

// The one loop that computes, on CPUs. A function of its own, where the compiler sees that the
// output is apart: inlined, it loses that, and often does not vectorise.
template <class F, class D, class... S>
[[gnu::noinline]] void compute(Elementwise<F, D, S...> f, i8 n, D *__restrict out, const S *...in) {
  i8 i = 0;
  constexpr bool floating = std::is_floating_point_v<decltype(widen(D()))>;
#ifdef USMTENSOR_HOST
  if constexpr (floating && std::is_base_of_v<OfLibrary, F>) {
    for (; i < n; i += math::most)
      compute_piece<F>(n - i < math::most ? n - i : math::most, out + i, in + i...);
    return;
  }
#else
  if constexpr (floating && std::is_base_of_v<Vectorised, F>)
    for (; i + lanes_of<D> <= n; i += lanes_of<D>) {
      (ask_ahead(in + i, lanes_of<D>), ...);
      store_lanes(out + i, F()(load_lanes(in + i)...));
    }
#endif
  for (; i < n; ++i)
    out[i] = f(get(in + i)...);
}

// `rows` rows of n elements of an input, from element `first` of each on, as elements side by side:
// themselves, or a copy. No piece has more than `longest` elements.
template <class S>
const S *side_by_side(Operand<const S> in, i8 first, i8 n, i8 rows, i8 longest, S *held) {
  const S *const data = in.data + first * in.s0;
  if (in.s0 == 1 && (rows == 1 || in.s1 == n))
    return data;
  if (rows > 1) { // walked along the source
    const bool across = in.s1 == 1;
    const i8 outer = across ? n : rows, inner = across ? rows : n;
    const i8 far = across ? in.s0 : in.s1, near = across ? 1 : in.s0;
    const i8 to_far = across ? 1 : n, to_near = across ? n : 1;
    for (i8 j = 0; j < outer; ++j) {
      const Run<const S> from{data + j * far, near};
      const Run<S> to{held + j * to_far, to_near};
      for (i8 i = 0; i < inner; ++i)
        to[i] = from[i];
    }
    return held;
  }
  if constexpr (sizeof(S) == 4 || sizeof(S) == 8)
    if (in.s0 == 2)
      return take_evens<false>(n, held, data), held;
  if (in.s0 != 0)
    for (i8 i = 0; i < n; ++i)
      held[i] = Run<const S>{data, in.s0}[i];
  else if (first == 0) // once for all pieces
    for (i8 i = 0; i < longest; ++i)
      held[i] = *data;
  return held;
}

// A row; or several together, where rows are short, or lie across those of an input. What is not
// side by side goes through buffers that stay in the caches: so one loop serves all strides, and is
// called in one place, as it is what takes long to compile.
template <class F, class D, class... S>
i8 some_rows(bool stream, Elementwise<F, D, S...> f, i8 n, i8 left, i8 rows, Operand<D> out,
             Operand<const S>... in) {
  // Buffers of a kilobyte: the time that a kernel takes to compile grows with their size.
  constexpr i8 largest = std::max({sizeof(D), sizeof(S)...}), room = 1024 / largest;
  constexpr i8 most = std::min<i8>(staged_bytes / sizeof(D), room), side = largest > 4 ? 8 : 16;
  const bool together = !stream && rows > 1 && left >= 2 * n &&
                        (n < short_axis || ((in.s1 == 1 && in.s0 > 1) || ...));
  const bool whole = !stream && out.s0 == 1 && ((in.s0 == 1) && ...);
  i8 width = whole ? n : most;
  if (together) {
    width = n < side ? n : side;
    rows = rows < left / n ? rows : left / n;
    rows = rows < room / width ? rows : room / width;
  } else {
    rows = 1;
  }
  Buffer<D, room * sizeof(D)> result;
  std::tuple<Buffer<S, room * sizeof(S)>...> held;
  const i8 head = elements_to_line(out.data), longest = width < n ? width : n;
  for (i8 i = 0, count = stream && head ? head : width; i < n; i += count, count = width) {
    count = count < n - i ? count : n - i;
    const Operand<D> to = out.along0(i);
    const bool direct = !stream && to.s0 == 1 && (rows == 1 || to.s1 == count);
    std::apply(
        [&](auto &...buffer) {
          compute(f, count * rows, direct ? to.data : result.data(),
                  side_by_side(in, i, count, rows, longest, buffer.data())...);
        },
        held);
    if (stream)
      emit(true, count, to.data, result.data());
    else if (!direct)
      for (i8 j = 0; j < rows; ++j)
        for (i8 k = 0; k < count; ++k)
          to.along1(j).run0()[k] = result.data()[j * count + k];
  }
  return rows;
}

} // namespace usmtensor
