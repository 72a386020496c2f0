// Special functions, with SciPy's names and arguments.
#pragma once
#include "elementwise.hpp"
#include "special_math.hpp"

namespace usmtensor {

// Base of functors that use only arithmetic. Some have a shorter function `core` for an interval,
// where in_core(x) is true. Both functions give equal bits.
struct Special {};
#ifdef USMTENSOR_HOST
// Loops that inline the functor; in the general loop the compiler would call it.
template <class F, class T>
  requires(standard::is_base_of_v<Special, F> && standard::is_floating_point_v<T>)
[[gnu::noinline]] void compute(Elementwise<F, T, T>, int64 n, T *__restrict out, const T *x) {
  for (int64 i = 0; i < n; ++i)
    out[i] = F()(x[i]);
}
template <class F, class T>
  requires(standard::is_base_of_v<Special, F> && standard::is_floating_point_v<T>)
[[gnu::noinline]] void compute(Elementwise<F, T, T, T>, int64 n, T *__restrict out, const T *x,
                               const T *y) {
  for (int64 i = 0; i < n; ++i)
    out[i] = F()(x[i], y[i]);
}
#endif

#if !defined(USMTENSOR_HOST) && !defined(__NVPTX__)
// Computes the short function if all work-items of a sub-group can. A branch that work-items take
// separately saves no time on a CPU, because its compiler computes both sides for each vector.
template <class F, class D, class S>
  requires requires(float64 x) { F::core(x); }
void contiguous(Elementwise<F, D, S>, int64 size, D *out, const S *in) {
  constexpr int sub_group = 3; // as a scope of SPIR-V
  const int64 i = work_item().get_global_id(0);
  const Single<S> x = i < size ? widen(in[i]) : Single<S>(0.5); // which is in the core
  Single<S> value;
  if (__spirv_GroupAny(sub_group, !F::in_core(x)))
    value = F()(x);
  else
    value = F::core(x);
  if (i < size)
    out[i] = narrow<D>(value);
}
#endif

// min(x, most); NaN stays NaN.
template <class T> USMTENSOR_INLINE T at_most(T x, T most) { return x > most ? most : x; }

// The error function and the normal distribution -------------------------------------------------

// exp(x²) erfc(x) for x >= 0.
template <class T> USMTENSOR_INLINE T erfcx_of(T x) {
  return polynomial<erfcx_fit<T>>((x - T(3)) / (x + T(3))) / (T(1) + T(2) * x);
}
// erfc(x) for x >= 0.
template <class T> USMTENSOR_INLINE T erfc_of(T x) {
  x = at_most(x, T(40));
  const DoubleWord<T> square = two_square(x);
  return exp_times(-square.high, -square.low, erfcx_of(x));
}

struct Erf : Special {
  template <class T> USMTENSOR_INLINE static bool in_core(T x) { return math::fabs(x) < 1; }
  template <class T> USMTENSOR_INLINE static T core(T x) {
    return x * polynomial<erf_fit<T>>(x * x);
  }
  template <class T> USMTENSOR_INLINE T operator()(T x) const {
    const T large = T(1) - erfc_of(math::fabs(x));
    return in_core(x) ? core(x) : math::copysign(large, x);
  }
};

struct Erfc : Special {
  template <class T> USMTENSOR_INLINE T operator()(T x) const {
    const T upper = erfc_of(math::fabs(x));
    return x < 0 ? T(2) - upper : upper;
  }
};

// exp(-x²/2), and erfc(x / √2) / 2 divided by it, for x >= 0.
template <class T> struct NormalTail {
  USMTENSOR_INLINE explicit NormalTail(T x) {
    const DoubleWord<T> square = two_square(x);
    exponent = {T(-0.5) * square.high, T(-0.5) * square.low};
    factor = T(0.5) * erfcx_of(x * T(0.707106781186547524400844362104849039));
  }
  USMTENSOR_INLINE T probability() const { return exp_times(exponent.high, exponent.low, factor); }
  DoubleWord<T> exponent;
  T factor;
};

struct Ndtr : Special {
  // Farther below 0 the difference of 1/2 and the error function loses digits.
  template <class T> USMTENSOR_INLINE static bool in_core(T x) { return x > T(-0.5) && x < 1; }
  template <class T> USMTENSOR_INLINE static T core(T x) {
    return T(0.5) + T(0.5) * Erf::core(x * T(0.707106781186547524400844362104849039));
  }
  template <class T> USMTENSOR_INLINE T operator()(T x) const {
    const T upper = NormalTail<T>(at_most(math::fabs(x), T(50))).probability();
    return in_core(x) ? core(x) : x > 0 ? T(1) - upper : upper;
  }
};

struct LogNdtr : Special {
  template <class T> USMTENSOR_INLINE T operator()(T x) const {
    const NormalTail<T> tail(at_most(math::fabs(x), standard::numeric_limits<T>::max()));
    const bool above = x > 0;
    const DoubleWord<T> rest = fast_two_sum(T(1), -tail.probability());
    const T log = real_log(above ? rest.high : tail.factor, above ? rest.low / rest.high : T(0));
    // The logarithm of a probability that rounds to 1 is -0.
    return above ? -math::fabs(log) : tail.exponent.high + (tail.exponent.low + log);
  }
};

// erfinv(x) / x with w = -log(1 - x²). For large w, erfinv(x) is close to sqrt(w). The branches pay
// off on devices, where the lanes of most vectors take the same branch.
template <class T> USMTENSOR_INLINE T inverse_erf_ratio(T w) {
  if (w < 5)
    return polynomial<inverse_erf_fit<T>>(w - inverse_erf_centre<T>);
  const T size = math::sqrt(w), inverse = T(1) / size;
  if constexpr (sizeof(T) == 8) {
    if (size >= T(7.5))
      return size * polynomial<inverse_erf_tail3_fit<T>>(inverse - inverse_erf_tail3_centre<T>);
    if (size >= 4)
      return size * polynomial<inverse_erf_tail2_fit<T>>(inverse - inverse_erf_tail2_centre<T>);
  }
  return size * polynomial<inverse_erf_tail1_fit<T>>(inverse - inverse_erf_tail1_centre<T>);
}
template <class T> USMTENSOR_INLINE T inverse_erf(T x, T w) { return x * inverse_erf_ratio(w); }

struct Erfinv : Special {
  template <class T> USMTENSOR_INLINE T operator()(T x) const {
    const T inner = inverse_erf(x, -log_of_positive((T(1) - x) * (T(1) + x)));
    const T size = math::fabs(x);
    return size < 1 ? inner : size == 1 ? math::copysign(infinity<T>, x) : not_a_number<T>;
  }
};

struct Erfcinv : Special {
  template <class T> USMTENSOR_INLINE T operator()(T x) const {
    const T inner = inverse_erf(T(1) - x, -log_of_positive(x * (T(2) - x)));
    return x > 0 && x < 2 ? inner : x == 0 ? infinity<T> : x == 2 ? -infinity<T> : not_a_number<T>;
  }
};

struct Ndtri : Special {
  template <class T> USMTENSOR_INLINE T operator()(T x) const {
    constexpr T root = T(1.41421356237309504880168872420969808);
    const T w = -log_of_positive(T(4) * x * (T(1) - x)),
            inner = inverse_erf(T(2) * (x - T(0.5)), w);
    return x > 0 && x < 1 ? root * inner
           : x == 0       ? -infinity<T>
           : x == 1       ? infinity<T>
                          : not_a_number<T>;
  }
};

// Logistic functions and entropies ---------------------------------------------------------------

struct Expit : Special {
  template <class T> USMTENSOR_INLINE T operator()(T x) const {
    const T decay = exp_times(-math::fabs(x), T(0), T(1));
    return (x < 0 ? decay : T(1)) / (T(1) + decay);
  }
};

struct LogExpit : Special {
  template <class T> USMTENSOR_INLINE T operator()(T x) const {
    const T decay = exp_times(-math::fabs(x), T(0), T(1));
    return -(real_log1p(decay) - at_most(x, T(0))); // -0 for large x
  }
};

struct Softplus : Special {
  template <class T> USMTENSOR_INLINE T operator()(T x) const {
    const T decay = exp_times(-math::fabs(x), T(0), T(1));
    return (x < 0 ? T(0) : x) + real_log1p(decay);
  }
};

struct Logit : Special {
  template <class T> USMTENSOR_INLINE T operator()(T x) const {
    const DoubleWord<T> rest = fast_two_sum(T(1), -x), log = log_of_ratio(x, rest.high).value;
    const T inner = log.high + (log.low - rest.low / rest.high);
    return x > 0 && x < 1 ? inner : x == 0 ? -infinity<T> : x == 1 ? infinity<T> : not_a_number<T>;
  }
};

// max(x, y) + log2(1 + 2^-|x - y|).
struct Logaddexp2 : Special {
  template <class T> USMTENSOR_INLINE T operator()(T x, T y) const {
    constexpr T one_over_ln2 = T(1.44269504088896340735992468100189214);
    const T distance = x == y ? T(0) : at_most(math::fabs(x - y), T(2000));
    const T decay = exp_times(-distance * ln2_high<T>, -distance * ln2_low<T>, T(1));
    return (x > y || x != x ? x : y) + real_log1p(decay) * one_over_ln2;
  }
};

struct Xlogy : Special {
  template <class T> USMTENSOR_INLINE T operator()(T x, T y) const {
    return x == 0 && y == y ? T(0) : x * real_log(y);
  }
};

struct Xlog1py : Special {
  template <class T> USMTENSOR_INLINE T operator()(T x, T y) const {
    return x == 0 && y == y ? T(0) : x * real_log1p(y);
  }
};

struct Entr : Special {
  template <class T> USMTENSOR_INLINE T operator()(T x) const {
    return x > 0 ? -x * real_log(x) : x == 0 ? T(0) : x < 0 ? -infinity<T> : x;
  }
};

struct RelEntr : Special {
  template <class T> USMTENSOR_INLINE T operator()(T x, T y) const {
    const T inner = x * log_of_ratio(x, y).value.high, sum = x + y;
    const T at_infinity = y < infinity<T> ? x : x < infinity<T> ? -infinity<T> : not_a_number<T>;
    const T outside = x == 0 && y >= 0 ? T(0) : infinity<T>;
    const T value =
        x > 0 && y > 0 ? x < infinity<T> && y < infinity<T> ? inner : at_infinity : outside;
    return x == x && y == y ? value : sum;
  }
};

struct KlDiv : Special {
  template <class T> USMTENSOR_INLINE T operator()(T x, T y) const {
    // Scaled, so that no product is out of range.
    constexpr T large = sizeof(T) == 8 ? T(0x1p500) : T(0x1p60), larger = large * T(0x1p10);
    const T most = x > y ? x : y;
    const bool is_large = most > large, is_small = most < T(1) / large;
    const T down = is_large ? T(1) / larger : is_small ? large : T(1);
    const T up = is_large ? larger : is_small ? T(1) / large : T(1), a = x * down, b = y * down;
    const LogOfRatio<T> log = log_of_ratio(x, y);
    // x log(x / y) - (x - y). Both terms nearly cancel. If x is close to y, the first terms of the
    // series cancel exactly.
    const DoubleWord<T> product = two_product(a, log.value.high);
    const T difference = a - b, far = (product.high - difference) + product.low;
    const T near = difference * log.f + T(2) * a * log.cubic;
    const T inner = (log.exponent == 0 ? near : far) * up, both = x + y;
    const T outside = x == 0 && y >= 0 ? y : infinity<T>;
    const T value =
        x > 0 && y > 0 ? x < infinity<T> && y < infinity<T> ? inner : not_a_number<T> : outside;
    return x == x && y == y ? value : both;
  }
};

// The gamma function -----------------------------------------------------------------------------

// For 0 <= x < 8: gamma(x) is gamma(2 + offset) / product if x < 1.5, otherwise gamma(2 + offset) *
// product. At zero, `without_x` is the product without its factor x.
template <class T> struct GammaReduction {
  USMTENSOR_INLINE explicit GammaReduction(T x) : offset(x < T(0.5) ? x : x - T(1)) {
    without_x = x < T(0.5) ? x + T(1) : T(1);
    product = x * without_x;
    T down = x, factors = 1;
    repeat<6>([&](auto) USMTENSOR_INLINE_LAMBDA {
      const bool above = down >= T(2.5);
      down = above ? down - T(1) : down;
      factors = above ? factors * down : factors;
    });
    divides = x < T(1.5);
    offset = divides ? offset : down - T(2);
    product = divides ? product : factors;
  }
  T offset, product, without_x;
  bool divides;
};
template <class T> inline constexpr T stirling_start = 8;

// The logarithm of gamma(x) for x >= 8 from the logarithm of x, by Stirling's formula:
// (x - 1/2) (log x - 1) + log(2 pi) / 2 - 1/2 + 1 / 12x - ...
template <class T> USMTENSOR_INLINE DoubleWord<T> log_gamma_of_large(T x, DoubleWord<T> log) {
  const T inverse = T(1) / x, rest = polynomial<stirling_fit<T>>(inverse * inverse) * inverse;
  const T before = x - T(0.5);
  const DoubleWord<T> less = fast_two_sum(log.high, T(-1));
  const DoubleWord<T> product = two_product(before, less.high);
  const DoubleWord<T> sum = fast_two_sum(product.high, T(0.418938533204672741780329736405617640));
  const T low = sum.low + (product.low + before * (less.low + log.low) + rest);
  return {sum.high, sum.high < infinity<T> ? low : T(0)};
}

struct Gamma : Special {
  template <class T> USMTENSOR_INLINE static bool in_core(T x) {
    return x >= 0 && x < stirling_start<T>;
  }
  template <class T> USMTENSOR_INLINE static T core(T x) {
    const GammaReduction<T> reduced(x);
    const T at_two = polynomial<gamma_fit<T>>(reduced.offset);
    return reduced.divides ? at_two / reduced.product : at_two * reduced.product;
  }
  template <class T> USMTENSOR_INLINE T operator()(T x) const {
    constexpr T pi = T(3.14159265358979323846264338327950288);
    const T size = math::fabs(x), nearest = math::rint(size), even = math::rint(size * T(0.5));
    const bool negative = x < 0, large = size >= stirling_start<T>;
    const T sine = sinpi(size - nearest), sign = nearest == even * T(2) ? T(-1) : T(1);
    // By the reflection gamma(-x) = -pi / (x gamma(x) sin(pi x)).
    const T within = at_most(size, T(200));
    const DoubleWord<T> log = log_gamma_of_large(within, log_double_word(within));
    const T far = exp_times(negative ? -log.high : log.high, negative ? -log.low : log.low,
                            negative ? sign * pi / (size * sine) : T(1));
    const GammaReduction<T> reduced(at_most(size, stirling_start<T>));
    const T at_two = polynomial<gamma_fit<T>>(reduced.offset);
    const T near = reduced.divides ? at_two / reduced.product : at_two * reduced.product;
    const T times_x = reduced.divides ? at_two / reduced.without_x : near * size;
    const T value = large ? far : negative ? sign * pi / (times_x * sine) : near;
    return x == 0                  ? math::copysign(infinity<T>, x)
           : negative && sine == 0 ? not_a_number<T>
                                   : value;
  }
};

// Below this size gamma(x) is 1 / x to working precision.
template <class T> inline constexpr T tiny_argument = sizeof(T) == 8 ? T(1e-17) : T(1e-9);

struct Gammaln : Special {
  template <class T> USMTENSOR_INLINE static bool in_core(T x) {
    return x > 0 && x < stirling_start<T>;
  }
  template <class T> USMTENSOR_INLINE static T core(T x) {
    const GammaReduction<T> reduced(x);
    return from_two(reduced, log_double_word(reduced.product).high);
  }
  template <class T> USMTENSOR_INLINE static T from_two(const GammaReduction<T> &reduced, T log) {
    const T at_two = reduced.offset * polynomial<log_gamma_fit<T>>(reduced.offset);
    return at_two + (reduced.divides ? -log : log);
  }
  template <class T> USMTENSOR_INLINE T operator()(T x) const {
    constexpr T one_over_pi = T(0.318309886183790671537767526745028724);
    const T size = math::fabs(x);
    const bool large = size >= stirling_start<T>;
    const GammaReduction<T> reduced(at_most(size, stirling_start<T>));
    const DoubleWord<T> log = log_double_word(large ? size : reduced.product);
    const DoubleWord<T> far = log_gamma_of_large(size, log);
    const T inner = large ? far.high + far.low : from_two(reduced, log.high);
    const T value = size == 0 || size == infinity<T> ? infinity<T> : inner;
    // By the reflection |gamma(-x)| = pi / (x gamma(x) |sin(pi x)|).
    const T sine = math::fabs(sinpi(size - math::rint(size)));
    const T reflected = -(real_log(size * one_over_pi * sine) + value);
    const bool reflects = x < 0 && size >= tiny_argument<T>; // otherwise size * sine may underflow
    return reflects ? size < infinity<T> ? reflected : x : value;
  }
};

struct Digamma : Special {
  template <class T> USMTENSOR_INLINE static bool in_core(T x) {
    return x > 0 && x < stirling_start<T>;
  }
  // The recurrence reduces the argument to [1, 2) in steps of one. The steps add numerator /
  // denominator.
  template <class T> USMTENSOR_INLINE static T core(T x) {
    const bool small = x < 1;
    T numerator = small ? T(-1) : T(0), denominator = small ? x : T(1);
    x = small ? x + T(1) : x;
    repeat<6>([&](auto) USMTENSOR_INLINE_LAMBDA {
      const bool above = x >= T(2);
      x = above ? x - T(1) : x;
      numerator = above ? numerator * x + denominator : numerator;
      denominator = above ? denominator * x : denominator;
    });
    const T from_root = (x - digamma_root<T>[0]) - digamma_root<T>[1];
    const T at_one = from_root * polynomial<digamma_fit<T>>(x - digamma_centre<T>);
    return at_one + numerator / denominator;
  }
  template <class T> USMTENSOR_INLINE T operator()(T x) const {
    constexpr T pi = T(3.14159265358979323846264338327950288);
    const T size = math::fabs(x), inverse = T(1) / size, square = inverse * inverse;
    const T far =
        real_log(size) - (T(0.5) * inverse + square * polynomial<digamma_tail_fit<T>>(square));
    const T value = size >= stirling_start<T> ? far : core(at_most(size, stirling_start<T>));
    // By the reflection digamma(-x) = digamma(x) + 1 / x + pi cot(pi x).
    const T remainder = size - math::rint(size);
    const T cosine = sinpi(T(0.5) - math::fabs(remainder)), sine = sinpi(remainder);
    const T reflected = (value + inverse) + pi * cosine / sine;
    return x > 0                     ? value
           : x == 0                  ? -math::copysign(infinity<T>, x)
           : size < tiny_argument<T> ? inverse
           : sine == 0               ? not_a_number<T>
                                     : reflected;
  }
};

// sin(pi x) / (pi x).
struct Sinc : Special {
  template <class T> USMTENSOR_INLINE T operator()(T x) const {
    constexpr T pi = T(3.14159265358979323846264338327950288);
    const T size = math::fabs(x), whole = math::rint(size), half = T(0.5) * whole;
    const T sine = sinpi(size - whole), value = sine / (pi * size);
    return size == 0 ? T(1) : half == math::rint(half) ? value : -value;
  }
};

// Modified Bessel functions ----------------------------------------------------------------------

// Up to 8 the power series is used; above, the asymptotic series of exp(-x) I(x).
template <class T> inline constexpr T bessel_start = 8;

struct I0 : Special {
  template <class T> USMTENSOR_INLINE T operator()(T x) const {
    const T size = at_most(math::fabs(x), T(1000)), inverse = T(1) / size;
    const T tail = polynomial<bessel0_tail_fit<T>>(inverse - bessel0_tail_centre<T>);
    const T far = exp_times(size, T(0), tail * math::sqrt(inverse));
    return size > bessel_start<T> ? far : polynomial<bessel0_fit<T>>(size * size);
  }
};

struct I0e : Special {
  template <class T> USMTENSOR_INLINE T operator()(T x) const {
    const T size = math::fabs(x), inverse = T(1) / size;
    const T tail = polynomial<bessel0_tail_fit<T>>(inverse - bessel0_tail_centre<T>);
    const T near = exp_times(-size, T(0), polynomial<bessel0_fit<T>>(size * size));
    return size > bessel_start<T> ? tail * math::sqrt(inverse) : near;
  }
};

struct I1 : Special {
  template <class T> USMTENSOR_INLINE T operator()(T x) const {
    const T size = at_most(math::fabs(x), T(1000)), inverse = T(1) / size;
    const T tail = polynomial<bessel1_tail_fit<T>>(inverse - bessel1_tail_centre<T>);
    const T far = exp_times(size, T(0), tail * math::sqrt(inverse));
    return size > bessel_start<T> ? math::copysign(far, x)
                                  : x * polynomial<bessel1_fit<T>>(size * size);
  }
};

struct I1e : Special {
  template <class T> USMTENSOR_INLINE T operator()(T x) const {
    const T size = math::fabs(x), inverse = T(1) / size;
    const T tail = polynomial<bessel1_tail_fit<T>>(inverse - bessel1_tail_centre<T>);
    const T near = exp_times(-size, T(0), x * polynomial<bessel1_fit<T>>(size * size));
    return size > bessel_start<T> ? math::copysign(tail * math::sqrt(inverse), x) : near;
  }
};

} // namespace usmtensor
