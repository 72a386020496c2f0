#pragma once
#include "elementwise.hpp"

namespace usmtensor {

// Signed and unsigned numbers compare by value. For vectors the result is a mask.
struct Equal {
  template <class T> auto operator()(T x, T y) const { return x == y; }
  template <class T> bool operator()(Complex<T> x, Complex<T> y) const {
    // Double precision compares vectors: otherwise a CPU compiler loads the parts one by one.
    const auto equal = pair_of(x) == pair_of(y);
    return sizeof(T) == 8 ? equal[0] & equal[1] : x == y;
  }
  bool operator()(int64 x, uint64 y) const { return x >= 0 && uint64(x) == y; }
  bool operator()(uint64 x, int64 y) const { return y >= 0 && x == uint64(y); }
};

struct NotEqual {
  template <class T, class U> auto operator()(T x, U y) const { return !Equal()(x, y); }
};

// Complex numbers compare by their real parts, then by their imaginary parts.
struct Less {
  template <class T> auto operator()(T x, T y) const { return x < y; }
  bool operator()(int64 x, uint64 y) const { return x < 0 || uint64(x) < y; }
  bool operator()(uint64 x, int64 y) const { return y >= 0 && x < uint64(y); }
  template <class T> bool operator()(Complex<T> x, Complex<T> y) const {
    const bool numbers = x.imag() == x.imag() && y.imag() == y.imag();
    return (x.real() < y.real() && numbers) || (x.real() == y.real() && x.imag() < y.imag());
  }
};

struct LessEqual {
  template <class T, class U> auto operator()(T x, U y) const -> decltype(Equal()(x, y)) {
    return Less()(x, y) | Equal()(x, y);
  }
};

// If either operand is NaN, the result is NaN.
struct Maximum {
  template <class T> T operator()(T x, T y) const {
    return is_nan(x) || (!is_nan(y) && !Less()(x, y)) ? x : y;
  }
};

struct Minimum {
  template <class T> T operator()(T x, T y) const {
    return is_nan(x) || (!is_nan(y) && !Less()(y, x)) ? x : y;
  }
};

struct Clip {
  template <class T> T operator()(T x, T low, T high) const {
    return Minimum()(Maximum()(x, low), high);
  }
};

struct Where {
  template <class T> T operator()(bool condition, T x, T y) const { return condition ? x : y; }
};

struct LogicalAnd {
  template <class T> bool operator()(T x, T y) const { return x != T(0) && y != T(0); }
};

struct LogicalOr {
  template <class T> bool operator()(T x, T y) const { return x != T(0) || y != T(0); }
};

struct LogicalXor {
  template <class T> bool operator()(T x, T y) const { return (x != T(0)) != (y != T(0)); }
};

struct LogicalNot {
  template <class T> bool operator()(T x) const { return x == T(0); }
};

struct Isnan {
  template <class T> bool operator()(T x) const { return is_nan(x); }
};

struct Isfinite {
  template <class T> bool operator()(T x) const { return x - x == 0; }
  template <class T> bool operator()(Complex<T> z) const {
    return operator()(z.real()) && operator()(z.imag());
  }
};

struct Isinf {
  template <class T> bool operator()(T x) const { return x - x != 0 && x == x; }
  template <class T> bool operator()(Complex<T> z) const {
    return operator()(z.real()) || operator()(z.imag());
  }
};

struct Signbit : HandlesFloat16 { // a GPU drops the sign of NaN when it widens float16
  bool operator()(float16 x) const { return reinterpret<int16>(x) < 0; }
  bool operator()(float x) const { return reinterpret<int32>(x) < 0; }
  bool operator()(double x) const { return reinterpret<int64>(x) < 0; }
};

} // namespace usmtensor
