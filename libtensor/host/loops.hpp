// Host-only loops, in addition to the loops in kernels/.
#pragma once
#include "kernels/cast.hpp"
#include "kernels/elementwise.hpp"
#include "kernels/fill.hpp"

#include <immintrin.h>

namespace usmtensor {

// Contiguous operands are a single row, so the functions for rows are used.
template <class D, class S> void contiguous(Cast<D, S> f, int64 size, D *out, const S *in) {
  compute(f, size, out, in);
}

template <class T> void contiguous(Fill<T> f, int64 size, T *out) { run_disjoint(f, size, out); }

template <class F, class D, class S>
void contiguous(Elementwise<F, D, S> f, int64 size, D *out, const S *in) {
  compute(f, size, out, in);
}

// A value is repeated in a buffer; the operation is computed in pieces of the buffer's length.
template <class F, class D, class... S>
void contiguous(Elementwise<F, D, S...> f, int64 size, D *out, ArrayOrValue<S>... in) {
  if ((in.data && ...))
    return compute(f, size, out, in.data...);
  constexpr int64 bytes = 4096, max_piece = bytes / largest(sizeof(S)...);
  alignas(Line) unsigned char buffers[sizeof...(S)][bytes];
  const int64 piece = size < max_piece ? size : max_piece;
  auto repeat_value = [piece](const auto &x, auto *to) {
    for (int64 i = 0; i < piece; ++i)
      to[i] = x.value;
  };
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    ((in.data ? void() : repeat_value(in, reinterpret_cast<S *>(buffers[K]))), ...);
    for (int64 i = 0; i < size; i += max_piece)
      compute(f, size - i < max_piece ? size - i : max_piece, out + i,
              (in.data ? in.data + i : reinterpret_cast<const S *>(buffers[K]))...);
  }(std::index_sequence_for<S...>());
}

// Comparisons of numbers of four or eight bytes. The masks of 32 elements are packed into bytes by
// saturation. The compiler's loop would need twice as many instructions.
template <class T> using Register = typename VectorOf<T, 32>::Type;
template <class F, class T>
  requires std::is_arithmetic_v<T> && (sizeof(T) >= 4) &&
           (sizeof(F{}(Register<T>{}, Register<T>{})) == sizeof(Register<T>))
void compute(Elementwise<F, bool8, T, T> f, int64 n, bool8 *__restrict out, const T *x,
             const T *y) {
  auto mask = [&](int64 i) {
    return __m256i(F()(load_as<Register<T>>(x + i), load_as<Register<T>>(y + i)));
  };
  auto words = [&](int64 i) {
    if constexpr (sizeof(T) == 4)
      return mask(i);
    else
      return _mm256_permute4x64_epi64(
          __m256i(_mm256_shuffle_ps(__m256(mask(i)), __m256(mask(i + 4)), 0x88)), 0xd8);
  };
  int64 i = 0;
  for (; i + 32 <= n; i += 32) {
    const __m256i bytes = _mm256_packs_epi16(_mm256_packs_epi32(words(i), words(i + 8)),
                                             _mm256_packs_epi32(words(i + 16), words(i + 24)));
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    _mm256_storeu_si256(
        reinterpret_cast<__m256i *>(out + i),
        _mm256_and_si256(_mm256_permutevar8x32_epi32(bytes, order), _mm256_set1_epi8(1)));
  }
  for (; i < n; ++i)
    out[i] = f(x[i], y[i]);
}

// A functor as a function pointer, whose type depends only on the operand types. So all functors of
// these types share one instance of the loop, which saves compile time.
template <class D, class... S> struct Computation {
  void (*function)(int64, D *, const S *...);
};
template <class D, class... S> inline constexpr bool in_blocks<Computation<D, S...>> = true;
template <class D, class... S>
void compute(Computation<D, S...> f, int64 n, D *out, const S *...in) {
  f.function(n, out, in...);
}
template <class... F, class D, class... S>
void strided(OneOf<F...> f, int64 size, const Space &space, const Operand<D> &out,
             const Operand<const S> &...in) {
  static constexpr Computation<D, S...> functions[] = {
      {[](int64 n, D *to, const S *...from) { compute_as(&F::operator(), n, to, from...); }}...};
  strided(functions[f.function], size, space, out, in...);
}

} // namespace usmtensor
