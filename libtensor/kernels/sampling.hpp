// Samples from distributions by rejection. Each sample has its own random word and derives all
// further words from it, so it depends neither on the other samples nor on their number.
#pragma once
#include "random.hpp"

namespace usmtensor {

struct Sampler {};
#ifdef USMTENSOR_HOST
template <class F, class D, class... S>
  requires standard::is_base_of_v<Sampler, F>
void contiguous(F f, int64 size, D *out, const S *...in) {
  for (int64 i = 0; i < size; ++i)
    out[i] = f(in[i]...);
}
#endif

// A trial succeeds with a probability above 1/2. This bound ends the loop if parameters are
// infinite or NaN.
inline constexpr int max_trials = 100;

// The words that follow from a first word: SplitMix64.
class WordStream {
public:
  USMTENSOR_INLINE explicit WordStream(uint64 first) : state_(first) {}
  USMTENSOR_INLINE uint64 next() {
    uint64 word = state_ += 0x9E3779B97F4A7C15;
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
    word = (word ^ word >> 27) * 0x94D049BB133111EB;
    return word ^ word >> 31;
  }
  // A uniform sample from the open interval (0, 1).
  template <class T> USMTENSOR_INLINE T uniform() {
    constexpr int bits = standard::numeric_limits<T>::digits - 1;
    return (T(int64(next() >> (64 - bits))) + T(0.5)) * (T(1) / T(int64(1) << bits));
  }
  // A normal sample with mean 0 and variance 1, by the Box-Muller method.
  template <class T> USMTENSOR_INLINE T normal() {
    const T radius = math::sqrt(T(-2) * math::log(uniform<T>()));
    return radius * math::cos(uniform<T>() * T(6.283185307179586));
  }

private:
  uint64 state_;
};

// Gamma samples by the method of Marsaglia and Tsang: d v, where v is the cube of a nearly normal
// sample. For a shape below 1, a sample of shape + 1 is multiplied by a power of a uniform sample.
template <class T> struct GammaNumber {
  USMTENSOR_INLINE GammaNumber(uint64 word, T shape) {
    WordStream words(word);
    const bool small = shape < 1;
    const T d = (small ? shape + T(1) : shape) - T(1) / T(3), c = T(1) / math::sqrt(T(9) * d);
    log_factor = small ? math::log(words.uniform<T>()) / shape : T(0);
    value = d;
    for (int k = 0; k < max_trials; ++k) {
      const T x = words.normal<T>(), root = T(1) + c * x, v = root * root * root;
      const T log_u = math::log(words.uniform<T>());
      if (root > 0 && log_u < T(0.5) * x * x + d * (T(1) - v + math::log(v))) {
        value = d * v;
        break;
      }
    }
  }
  T value, log_factor; // the sample is value * exp(log_factor)
};
template <class D, class, class T> struct SampleGamma : Sampler {
  USMTENSOR_INLINE D operator()(uint64 word, T shape) const {
    const GammaNumber<T> number(word, shape);
    return number.value * math::exp(number.log_factor);
  }
};
// The logarithm of a gamma sample, which does not underflow.
template <class D, class, class T> struct SampleLogGamma : Sampler {
  USMTENSOR_INLINE D operator()(uint64 word, T shape) const {
    const GammaNumber<T> number(word, shape);
    return math::log(number.value) + number.log_factor;
  }
};

// An angle in [-pi, pi] whose density is proportional to exp(kappa cos x), from normal proposals,
// or from uniform proposals if kappa is small.
template <class D, class, class T> struct SampleVonMises : Sampler {
  USMTENSOR_INLINE D operator()(uint64 word, T kappa) const {
    constexpr T pi = T(3.141592653589793), wide = T(0.35);
    WordStream words(word);
    const T deviation = T(0.5) * pi / math::sqrt(kappa), slope = T(2) / (pi * pi);
    for (int k = 0; k < max_trials; ++k) {
      const T log_u = math::log(words.uniform<T>());
      const T x =
          kappa < wide ? pi * (T(2) * words.uniform<T>() - T(1)) : deviation * words.normal<T>();
      const T sine = math::sin(T(0.5) * x), envelope = kappa < wide ? T(0) : slope * x * x;
      if (math::fabs(x) <= pi && log_u <= kappa * (envelope - T(2) * sine * sine))
        return x;
    }
    return 0;
  }
};

// Integers ---------------------------------------------------------------------------------------

// log(k!) - k log k + k.
template <class T> USMTENSOR_INLINE T log_factorial_rest(T k) {
  constexpr T small[] = {T(0),
                         T(1),
                         T(1.3068528194400546),
                         T(1.4959226032237258),
                         T(1.6328763858683832),
                         T(1.7403021806115442),
                         T(1.828694396641771),
                         T(1.9037903176782212)};
  const T inverse = T(1) / k, square = inverse * inverse;
  const T series =
      inverse * (T(1) / 12 - square * (T(1) / 360 - square * (T(1) / 1260 - square / 1680)));
  return k < 8 ? small[int(k)] : T(0.91893853320467274) + T(0.5) * math::log(k) + series;
}
// k log(k / mean) - k + mean.
template <class T> USMTENSOR_INLINE T deviance(T k, T mean) {
  const T difference = k - mean;
  return k == 0 ? mean : k * math::log1p(difference / mean) - difference;
}
// The logarithm of the binomial probability of k successes in n trials, without the terms that
// depend only on n.
template <class T> USMTENSOR_INLINE T log_binomial(T k, T n, T p) {
  return -(log_factorial_rest(k) + log_factorial_rest(n - k) + deviance(k, n * p) +
           deviance(n - k, n * (T(1) - p)));
}

// An integer from 0 to `upper`, by inversion, for a small mean. `probability` is that of 0, and
// ratio(k) the quotient of the probabilities of k + 1 and k.
inline constexpr int small_mean = 10;
template <class T, class Ratio>
USMTENSOR_INLINE T by_inversion(WordStream words, T probability, T upper, Ratio ratio) {
  T rest = words.uniform<T>(), k = 0;
  for (int steps = 0; steps < 200 && rest > probability && k < upper; ++steps) {
    rest -= probability;
    probability *= ratio(k);
    k += T(1);
  }
  return k;
}
// The same by the ratio of uniforms (Stadlober), from logarithms of probabilities.
template <class T, class LogProbability>
USMTENSOR_INLINE T ratio_of_uniforms(WordStream words, T mean, T variance, T mode, T upper,
                                     LogProbability log_probability) {
  const T width = T(1.7155277699214135) * math::sqrt(variance + T(0.5)) + T(0.8989161620588988);
  const T log_most = log_probability(mode);
  for (int k = 0; k < max_trials; ++k) {
    const T u = words.uniform<T>(), v = words.uniform<T>();
    const T x = math::floor(mean + T(0.5) + width * (v - T(0.5)) / u);
    if (x >= 0 && x <= upper && T(2) * math::log(u) <= log_probability(x) - log_most)
      return x;
  }
  return mode;
}

template <class T> USMTENSOR_INLINE int64 whole(T x) {
  constexpr T above = 0x1p63;
  return x < above ? int64(x) : int64(uint64(-1) >> 1);
}

template <class D, class, class T> struct SamplePoisson : Sampler {
  USMTENSOR_INLINE D operator()(uint64 word, T mean) const {
    if (mean < small_mean)
      return whole(by_inversion(WordStream(word), math::exp(-mean),
                                standard::numeric_limits<T>::max(),
                                [=](T k) USMTENSOR_INLINE_LAMBDA { return mean / (k + T(1)); }));
    return whole(ratio_of_uniforms(
        WordStream(word), mean, mean, math::floor(mean), standard::numeric_limits<T>::max(),
        [=](T k) USMTENSOR_INLINE_LAMBDA { return -(log_factorial_rest(k) + deviance(k, mean)); }));
  }
};

template <class D, class, class, class T> struct SampleBinomial : Sampler {
  USMTENSOR_INLINE D operator()(uint64 word, T n, T chance) const {
    const bool likely = chance > T(0.5);
    const T p = likely ? T(1) - chance : chance, q = T(1) - p, mean = n * p, odds = p / q;
    T k;
    if (mean < small_mean)
      k = by_inversion(WordStream(word), math::exp(n * math::log1p(-p)), n,
                       [=](T k) USMTENSOR_INLINE_LAMBDA { return (n - k) / (k + T(1)) * odds; });
    else
      k = ratio_of_uniforms(WordStream(word), mean, mean * q, math::floor((n + T(1)) * p), n,
                            [=](T k) USMTENSOR_INLINE_LAMBDA { return log_binomial(k, n, p); });
    return whole(likely ? n - k : k);
  }
};

// The number of good elements in a sample drawn from `good` good and `bad` bad elements.
template <class D, class, class, class, class T> struct SampleHypergeometric : Sampler {
  USMTENSOR_INLINE D operator()(uint64 word, T good, T bad, T sample) const {
    // Works with the smaller of the sample and the rest, and the smaller of the good and the bad
    // elements.
    const T all = good + bad, few = good < bad ? good : bad;
    const T taken = T(2) * sample > all ? all - sample : sample;
    const T p = taken / all, mean = few * p, upper = few < taken ? few : taken;
    auto log_probability = [=](T k) USMTENSOR_INLINE_LAMBDA {
      return log_binomial(k, few, p) + log_binomial(taken - k, all - few, p);
    };
    T k;
    if (mean < small_mean) {
      const T none = math::exp(log_probability(T(0)) + log_factorial_rest(few) +
                               log_factorial_rest(all - few) - log_factorial_rest(all) +
                               log_factorial_rest(taken) + log_factorial_rest(all - taken));
      k = by_inversion(WordStream(word), none, upper, [=](T k) USMTENSOR_INLINE_LAMBDA {
        return (few - k) * (taken - k) / ((k + T(1)) * (all - few - taken + k + T(1)));
      });
    } else {
      const T variance = mean * (T(1) - few / all) * (all - taken) / (all - T(1));
      const T mode = math::floor((taken + T(1)) * ((few + T(1)) / (all + T(2))));
      k = ratio_of_uniforms(WordStream(word), mean, variance, mode, upper, log_probability);
    }
    k = good < bad ? k : taken - k;
    return whole(all > 0 ? T(2) * sample > all ? good - k : k : T(0));
  }
};

// An integer k >= 1 with the probability k^-a / zeta(a), by the method of Devroye.
template <class D, class, class T> struct SampleZipf : Sampler {
  USMTENSOR_INLINE D operator()(uint64 word, T a) const {
    constexpr T ln2 = T(0.6931471805599453), log_most = 63 * ln2;
    const T power = a - T(1), b = math::exp(power * ln2),
            smallest_power = math::exp(-power * log_most);
    WordStream words(word);
    for (int k = 0; k < max_trials; ++k) {
      const T u = smallest_power + (T(1) - smallest_power) * words.uniform<T>(),
              v = words.uniform<T>();
      const T x = math::floor(math::exp(-math::log(u) / power));
      const T rise = math::expm1(power * math::log1p(T(1) / x));
      if (v * x * rise * b <= (rise + T(1)) * math::expm1(power * ln2))
        return whole(x);
    }
    return 1;
  }
};

// A uniform integer from [low, low + span); a span of zero means 2^64. Two words form the fraction.
template <class D, class, class, class> struct SampleInteger : Sampler {
  USMTENSOR_INLINE D operator()(uint64 word, int64 low, uint64 span) const {
    const uint64 below = WordStream(word).next();
    const auto upper = multiply(word, span);
    const uint64 rest = multiply(below, span).high, sum = upper.low + rest;
    return int64(uint64(low) + (span == 0 ? word : upper.high + (sum < rest)));
  }
};

} // namespace usmtensor
