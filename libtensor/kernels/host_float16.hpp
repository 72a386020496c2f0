// float16 arrays on the host. The compiler converts float16 numbers one by one, so kernels convert
// pieces of arrays and compute in single precision. The conversions are calls, which compile
// faster.
#pragma once
#include <immintrin.h>

namespace usmtensor {

[[gnu::noinline]] inline void convert_float16(int64 n, float32 *to, const float16 *from) {
  int64 i = 0;
  for (; i + 8 <= n; i += 8)
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(load_as<__m128i>(from + i)));
  for (; i < n; ++i)
    to[i] = from[i];
}
[[gnu::noinline]] inline void convert_float16(int64 n, float16 *to, const float32 *from) {
  int64 i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m128i halves = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT);
    __builtin_memcpy(to + i, &halves, sizeof halves);
  }
  for (; i < n; ++i)
    to[i] = float16(from[i]);
}

template <class T> const T *as_float32(int64, const T *from, float32 *) { return from; }
inline const float32 *as_float32(int64 n, const float16 *from, float32 *buffer) {
  convert_float16(n, buffer, from);
  return buffer;
}

// Calls compute(f, ...) piece by piece, where f computes in single precision instead of float16.
template <class F, class D, class... S> void compute_single(F f, int64 n, D *out, const S *...in) {
  constexpr int64 piece = 256;
  float32 result[piece], buffer[sizeof...(S)][piece];
  for (int64 i = 0; i < n; i += piece) {
    const int64 count = n - i < piece ? n - i : piece;
    [&]<standard::size_t... K>(standard::index_sequence<K...>) {
      if constexpr (is_float16<D>) {
        compute(f, count, result, as_float32(count, in + i, buffer[K])...);
        convert_float16(count, out + i, result);
      } else {
        compute(f, count, out + i, as_float32(count, in + i, buffer[K])...);
      }
    }(standard::index_sequence_for<S...>());
  }
}

} // namespace usmtensor
