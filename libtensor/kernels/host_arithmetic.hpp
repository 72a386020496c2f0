// Host loops for arithmetic that is faster on several elements together.
#pragma once

namespace usmtensor {

// Complex products in full vector registers. g++ does not vectorise the scalar products.
template <class T>
void compute(Elementwise<Multiply, Complex<T>, Complex<T>, Complex<T>> f, int64 n,
             Complex<T> *__restrict out, const Complex<T> *x, const Complex<T> *y) {
  using V = typename VectorOf<T, 32>::Type;
  constexpr int64 step = sizeof(V) / sizeof(Complex<T>);
  int64 i = 0;
  for (; i + step <= n; i += step) {
    const auto ab = load_as<V>(x + i), cd = load_as<V>(y + i);
    V by_c, by_d;
    if constexpr (step == 4) {
      by_c = ab * __builtin_shufflevector(cd, cd, 0, 0, 2, 2, 4, 4, 6, 6);
      by_d = __builtin_shufflevector(ab, ab, 1, 0, 3, 2, 5, 4, 7, 6) *
             __builtin_shufflevector(cd, -cd, 9, 1, 11, 3, 13, 5, 15, 7);
    } else {
      by_c = ab * __builtin_shufflevector(cd, cd, 0, 0, 2, 2);
      by_d = __builtin_shufflevector(ab, ab, 1, 0, 3, 2) *
             __builtin_shufflevector(cd, -cd, 5, 1, 7, 3);
    }
    by_c += by_d;
    __builtin_memcpy(static_cast<void *>(out + i), &by_c, sizeof by_c);
  }
  for (; i < n; ++i)
    out[i] = f(x[i], y[i]);
}
template <class T>
void compute(Elementwise<Square, Complex<T>, Complex<T>>, int64 n, Complex<T> *__restrict out,
             const Complex<T> *x) {
  compute(Elementwise<Multiply, Complex<T>, Complex<T>, Complex<T>>{}, n, out, x, x);
}

} // namespace usmtensor
