// Loops of the host for arithmetic that is faster on several elements together.
#pragma once

namespace usmtensor {

// Products of complex numbers in full registers, which g++ does not make of single products.
template <class T>
void compute(Elementwise<Multiply, Complex<T>, Complex<T>, Complex<T>> f, i8 n,
             Complex<T> *__restrict out, const Complex<T> *x, const Complex<T> *y) {
  using V = typename VectorOf<T, 32>::Type;
  constexpr i8 step = sizeof(V) / sizeof(Complex<T>);
  i8 i = 0;
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
    __builtin_memcpy(out + i, &by_c, sizeof by_c);
  }
  for (; i < n; ++i)
    out[i] = f(x[i], y[i]);
}
template <class T>
void compute(Elementwise<Square, Complex<T>, Complex<T>>, i8 n, Complex<T> *__restrict out,
             const Complex<T> *x) {
  compute(Elementwise<Multiply, Complex<T>, Complex<T>, Complex<T>>{}, n, out, x, x);
}

// Divides many integers by one positive divisor and rounds down: a product and a shift.
template <class T> class Divisor {
public:
  explicit Divisor(T y) : divisor_(y), shift_(digits) {
    while ((Wide(1) << (shift_ - digits)) < Wide(y))
      ++shift_;
    factor_ = U((Wide(1) << shift_) / Wide(y) + 1);
  }
  T quotient(T x) const {
    const T sign = x >> digits;
    return T(Wide(factor_) * U(x ^ sign) >> shift_) ^ sign;
  }
  T remainder(T x) const { return T(U(x) - U(quotient(x)) * U(divisor_)); }

private:
  using U = std::make_unsigned_t<T>;
  using Wide = std::conditional_t<sizeof(T) == 8, unsigned __int128, u8>;
  static constexpr int digits = 8 * sizeof(T) - 1;
  T divisor_;
  U factor_;
  int shift_;
};

// The divisor if all are one positive number, as those of a scalar are, which fills a buffer;
// otherwise 0. It is read once, because other threads may change it.
template <class T> T only_divisor(i8 n, const T *y) {
  if (n < 16)
    return 0;
  const T first = *static_cast<const volatile T *>(y);
  if (first <= 0 || y[n - 1] != first)
    return 0;
  T other = 0;
  for (i8 i = 0; i < n; ++i)
    other |= y[i] ^ first;
  return other == 0 ? first : 0;
}

template <class F>
inline constexpr bool divides_integers =
    std::is_same_v<F, FloorDivide> || std::is_same_v<F, Remainder>;

template <class F, class T>
  requires(divides_integers<F> && std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) >= 4)
void compute(Elementwise<F, T, T, T> f, i8 n, T *__restrict out, const T *x, const T *y) {
  const T divisor = only_divisor(n, y);
  if (divisor == 0) {
    for (i8 i = 0; i < n; ++i)
      out[i] = f(x[i], y[i]);
    return;
  }
  const Divisor<T> by(divisor);
  for (i8 i = 0; i < n; ++i)
    out[i] = std::is_same_v<F, Remainder> ? by.remainder(x[i]) : by.quotient(x[i]);
}

} // namespace usmtensor
