#pragma once
#include "blocks.hpp"
#include "convert.hpp"
#include "local.hpp"
#include "tile.hpp"

namespace usmtensor {

template <class D, class S> struct Cast {
  D operator()(S value) const { return convert<D>(value); }
};

template <class T> inline constexpr bool moves_only<Cast<T, T>> = true;
template <class D, class S>
inline constexpr bool in_blocks<Cast<D, S>> = !standard::is_same_v<D, S>;

#ifdef USMTENSOR_HOST
struct ToOddFloat {
  float32 operator()(float64 value) const { return to_odd_float(value); }
};
template <class D, class S>
  requires(is_float16<D> != is_float16<S>)
void compute(Cast<D, S>, int64 n, D *out, const S *in) {
  if constexpr (is_float16<D> && standard::is_same_v<S, float64>)
    compute_single(ToOddFloat(), n, out, in);
  else
    compute_single(Cast<Single<D>, Single<S>>(), n, out, in);
}
// float32 and float16 need only the conversion.
inline void compute(Cast<float32, float16>, int64 n, float32 *out, const float16 *in) {
  convert_float16(n, out, in);
}
inline void compute(Cast<float16, float32>, int64 n, float16 *out, const float32 *in) {
  convert_float16(n, out, in);
}
#endif

} // namespace usmtensor
