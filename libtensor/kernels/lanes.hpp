// Elements in the lanes of vectors, for the functors of reductions.
#pragma once
#include "loops.hpp"

namespace usmtensor {

// A vector, or an array of complex numbers if a functor takes them whole. A vector has 32 bytes,
// one register of the host compiler. SPIR-V limits it to 16 elements.
#ifdef USMTENSOR_HOST
inline constexpr int max_lanes = 32;
#else
inline constexpr int max_lanes = 16;
#endif
template <class T>
inline constexpr int lane_count = is_complex<T>    ? 4
                                  : sizeof(T) == 1 ? max_lanes
                                                   : 32 / sizeof(T);
template <class T, int Count> struct LanesOf {
  using Type = typename VectorOf<T, Count * sizeof(T)>::Type;
};
template <class T, int Count> struct LanesOf<Complex<T>, Count> {
  struct Type {
    Complex<T> &operator[](int k) { return lane[k]; }
    Complex<T> lane[Count];
  };
};
template <class T, int Count = lane_count<T>> using Lanes = typename LanesOf<T, Count>::Type;

// The type of an element in a lane. float16 becomes single precision. A complex number fills two
// lanes if the functor treats both parts alike. A 16-byte element becomes a word, because only its
// truth matters.
template <class F, class S>
using LaneElement =
    standard::conditional_t<standard::is_same_v<S, bits128>, uint64,
                            standard::conditional_t<F::parts == 2, typename F::Chain, Single<S>>>;

template <class F> inline constexpr int chain_lanes = lane_count<typename F::Chain>;
// The number of elements in a vector.
template <class F> inline constexpr int64 per_vector = chain_lanes<F> / F::parts;
template <class F, class S> using ElementLanes = Lanes<LaneElement<F, S>, chain_lanes<F>>;

template <class V, class T> USMTENSOR_INLINE V broadcast(T value) {
  V v;
  USMTENSOR_UNROLL
  for (int k = 0; k < int(sizeof(V) / sizeof(T)); ++k)
    v[k] = value;
  return v;
}

// True if any bit of a vector is set.
template <class V> USMTENSOR_INLINE bool any_bit(V v) {
  const auto words = reinterpret<typename VectorOf<uint64, sizeof(V)>::Type>(v);
  uint64 found = 0;
  USMTENSOR_UNROLL
  for (int k = 0; k < int(sizeof(V) / sizeof(uint64)); ++k)
    found |= words[k];
  return found != 0;
}

// Sets element k of a vector.
template <class F, class V, class S> USMTENSOR_INLINE void set_element(V &v, int k, const S *from) {
  if constexpr (F::parts == 2) {
    const auto pair = load_as<Pair<typename F::Chain>>(from);
    v[2 * k] = pair[0], v[2 * k + 1] = pair[1];
  } else if constexpr (standard::is_same_v<S, bits128>) {
    v[k] = from->low | from->high;
  } else {
    v[k] = Single<S>(*from);
  }
}
// Loads `count` strided elements into a vector. The first element fills the remaining lanes. A
// stride of 0 broadcasts it.
template <class F, class S>
USMTENSOR_INLINE auto load_strided(const S *from, int64 stride, int64 count = per_vector<F>) {
  ElementLanes<F, S> v;
  USMTENSOR_UNROLL
  for (int k = 0; k < per_vector<F>; ++k)
    set_element<F>(v, k, from + (k < count ? k * stride : 0));
  return v;
}
// Loads a vector of contiguous elements.
template <class F, class S> USMTENSOR_INLINE auto load_vector(const S *from) {
  if constexpr (standard::is_same_v<S, bits128> || is_float16<S>)
    return load_strided<F>(from, 1);
  else
    return load_as<ElementLanes<F, S>>(from);
}
#ifdef USMTENSOR_HOST
// Converts float16 by one instruction; the compiler would convert one element at a time.
template <class F>
  requires(sizeof(ElementLanes<F, float16>) == sizeof(__m256))
USMTENSOR_INLINE auto load_vector(const float16 *from) {
  return ElementLanes<F, float16>(_mm256_cvtph_ps(load_as<__m128i>(from)));
}
#endif
// The shuffle index of lane k when vector `part` is joined to the lanes found so far. The vectors
// begin `width` elements after each other, and lane k needs element `at` of them.
constexpr int stepped_lane(int part, int k, int at, int width, int stride) {
  const int own = at / width < stride ? at / width : stride - 1;
  return own == part ? width + 1 + at - own * width : part > 1 ? k : own == 0 ? at : 0;
}
template <int Stride, int Part, class V, class Load, int... K>
USMTENSOR_INLINE V join_stepped(V v, Load load, standard::integer_sequence<int, K...> lanes) {
  if constexpr (Part == Stride) {
    return v;
  } else {
    constexpr int width = sizeof...(K) - 1;
    v = __builtin_shufflevector(v, load(Part * width),
                                stepped_lane(Part, K, K * Stride, width, Stride)...);
    return join_stepped<Stride, Part + 1>(v, load, lanes);
  }
}
// Loads every second, third or fourth element into a vector, by shuffles. load(i) gives a vector of
// the elements from i on. Reads no element after the last one that is needed.
template <class F, int Stride, class Load> USMTENSOR_INLINE auto load_stepped(Load load) {
  return join_stepped<Stride, 1>(load(0), load,
                                 standard::make_integer_sequence<int, per_vector<F>>());
}

template <class F, class V> USMTENSOR_INLINE V combine_vectors(F f, V a, V b) {
  if constexpr (is_complex<typename F::Chain>) {
    USMTENSOR_UNROLL
    for (int k = 0; k < chain_lanes<F>; ++k)
      a[k] = f.combine(a[k], b[k]);
    return a;
  } else {
    return f.combine(a, b);
  }
}

// The lanes of a vector from lane `First` on.
template <int First, class V, int... K>
USMTENSOR_INLINE auto part_of(V v, standard::integer_sequence<int, K...>) {
  return __builtin_shufflevector(v, v, First + K...);
}

// Converts the lanes of a chain to lanes of the type Wide. Integers double their width in each
// step, and the upper half of the lanes is combined with the lower half, so that the size of the
// vector stays the same.
template <class F, class T = typename F::Chain, class V>
USMTENSOR_INLINE auto widen_lanes(F f, V v) {
  using Wide = typename F::Wide;
  constexpr int half = sizeof(V) / sizeof(T) / 2;
  if constexpr (standard::is_same_v<Wide, typename F::Chain>) {
    return v;
  } else if constexpr (2 * half == lane_count<Wide>) {
    return __builtin_convertvector(v, Lanes<Wide>);
  } else {
    using Unsigned = Bits<2 * sizeof(T)>;
    using Next = standard::conditional_t<standard::is_signed_v<T>,
                                         standard::make_signed_t<Unsigned>, Unsigned>;
    constexpr standard::make_integer_sequence<int, half> lanes;
    const auto low = __builtin_convertvector(part_of<0>(v, lanes), Lanes<Next, half>);
    const auto high = __builtin_convertvector(part_of<half>(v, lanes), Lanes<Next, half>);
    return widen_lanes<F, Next>(f, f.combine(low, high));
  }
}

// Combines vectors in a tree.
template <int Count, class F, class V> USMTENSOR_INLINE V combine_tree(F f, V (&v)[Count]) {
  USMTENSOR_UNROLL
  for (int half = Count / 2; half > 0; half /= 2)
    USMTENSOR_UNROLL
  for (int k = 0; k < half; ++k)
    v[k] = combine_vectors(f, v[2 * k], v[2 * k + 1]);
  return v[0];
}

// Combines all lanes. The result is in the first lane, or in the first two.
template <class F, class V> USMTENSOR_INLINE V fold(F f, V v) {
  constexpr int count = lane_count<typename F::Wide>;
  if constexpr (is_complex<typename F::Wide>) {
    USMTENSOR_UNROLL
    for (int half = count / 2; half > 0; half /= 2)
      USMTENSOR_UNROLL
    for (int k = 0; k < half; ++k)
      v[k] = f.combine(v[k], v[k + half]);
    return v;
  } else {
    return fold_lanes<count, F::results>(
        v, [f](V a, V b) USMTENSOR_INLINE_LAMBDA { return V(f.combine(a, b)); });
  }
}
template <class D, class F, class V> USMTENSOR_INLINE D finish_result(F f, V v) {
  if constexpr (F::results == 2)
    return f.finish(D(v[0], v[1]));
  else
    return f.finish(v[0]);
}

} // namespace usmtensor
