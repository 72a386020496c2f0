#pragma once
#include "arithmetic.hpp"
#include "complex_math.hpp"

namespace usmtensor {

struct Exp : Vectorised {
  template <class V> V operator()(V x) const { return sycl::exp(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return exp_of(z); }
};

struct Exp2 : Vectorised {
  template <class V> V operator()(V x) const { return sycl::exp2(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const {
    return exp_of(std::complex<T>(z.real() * ln2<T>, z.imag() * ln2<T>));
  }
};

struct Expm1 : Vectorised {
  template <class V> V operator()(V x) const { return sycl::expm1(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return expm1_of(z); }
};

struct Log : Vectorised {
  template <class V> V operator()(V x) const { return sycl::log(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return log_of(z); }
};

struct Log1p : Vectorised {
  template <class V> V operator()(V x) const { return sycl::log1p(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return log1p_of(z); }
};

struct Log2 : Vectorised {
  template <class V> V operator()(V x) const { return sycl::log2(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const {
    const T by_ln2 = T(1.442695040888963407359924681001892137);
    const auto log = log_of(z);
    return {log.real() * by_ln2, log.imag() * by_ln2};
  }
};

struct Log10 : Vectorised {
  template <class V> V operator()(V x) const { return sycl::log10(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const {
    const T by_ln10 = T(0.434294481903251827651128918916605082);
    const auto log = log_of(z);
    return {log.real() * by_ln10, log.imag() * by_ln10};
  }
};

struct LogAddExp {
  template <class T> T operator()(T x, T y) const {
    if (x == y) // equal infinities, too
      return x + ln2<T>;
    return (x > y ? x : y != y || x < y ? y : x) + sycl::log1p(sycl::exp(-sycl::fabs(x - y)));
  }
};

struct Sqrt : Vectorised {
  template <class V> V operator()(V x) const { return sycl::sqrt(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return sqrt_of(z); }
};

struct Rsqrt : Vectorised {
  template <class V> V operator()(V x) const { return V(1) / sycl::sqrt(x); }
};

struct Cbrt : Vectorised {
  template <class V> V operator()(V x) const { return sycl::cbrt(x); }
};

struct Hypot : Vectorised {
  template <class V> V operator()(V x, V y) const { return sycl::hypot(x, y); }
};

// Integers wrap. To a negative power they give what truncation leaves: 0, and 1 or -1 of these.
struct Pow : Vectorised {
  template <class V> V operator()(V x, V y) const {
    if constexpr (std::is_integral_v<V>) {
      if (y < 0)
        return x == 1 || (x == V(-1) && y % 2 == 0) ? V(1) : x == V(-1) ? x : V(0);
      Wrapping<V> power = 1, base = x;
      for (; y != 0; y = V(y >> 1), base *= base)
        if (y & 1)
          power *= base;
      return V(power);
    } else {
      return sycl::pow(x, y);
    }
  }
  template <class T> std::complex<T> operator()(std::complex<T> x, std::complex<T> y) const {
    return pow_of(x, y);
  }
};

} // namespace usmtensor
