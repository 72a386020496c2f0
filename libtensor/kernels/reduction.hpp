// Reductions: the elements along one axis become one. It is axis 0 of the space; the other axes
// stay. The order of combination depends only on the number and type of the elements. Elements are
// combined in the lanes of vectors and in trees, so that sums of many numbers are accurate.
#pragma once
#include "complex_math.hpp"
#include "groups.hpp"

#include <limits>
#include <tuple>

namespace usmtensor {

// Pending vectors of a tree: each combines twice as many elements as the next one.
template <class F> struct Cascade {
  using V = Lanes<typename F::Wide>;
  USMTENSOR_INLINE void add(F f, V v) {
    for (u4 bits = count++; bits & 1; bits >>= 1)
      v = combined(f, levels[--top], v);
    levels[top++] = v;
  }
  USMTENSOR_INLINE V all(F f) {
    V v = levels[--top];
    while (top > 0)
      v = combined(f, levels[--top], v);
    return v;
  }
  V levels[10];
  u4 count = 0;
  i4 top = 0;
};

// Along: the elements of a result lie closer to each other than to the elements of other results
//
// The number of parallel chains, and the number of vectors in each.
inline constexpr int chains = 8;
inline constexpr i8 chain_length = 8;

// n elements, at least one.
template <class D, class F, class S, class... M>
USMTENSOR_INLINE D reduce_run(F f, i8 n, Run<const S> x, const M *...m) {
  using V = Lanes<typename F::Chain>;
  constexpr i8 per = per_vector<F>, step = chains * per;
  const std::tuple constant{load_one<F>(m)...};
  auto lift = [&](const S *from) USMTENSOR_INLINE_LAMBDA {
    return std::apply([&](auto... of) { return f.lift(load_vector<F>(from), of...); }, constant);
  };
  Cascade<F> cascade;
  for (i8 i = 0; i < n;) {
    const i8 stop = n - i < chain_length * step ? n : i + chain_length * step;
    V v[chains];
    USMTENSOR_UNROLL
    for (int k = 0; k < chains; ++k)
      v[k] = spread<V>(f.neutral());
    if (x.stride == 1)
      for (; i + step <= stop; i += step)
        USMTENSOR_UNROLL
    for (int k = 0; k < chains; ++k)
      v[k] = combined(f, v[k], lift(x.data + i + k * per));
    // Remaining and strided elements go through a buffer, with padding.
    for (; i < stop; i += step) {
      Buffer<S, step * sizeof(S)> held;
      const i8 count = stop - i < step ? stop - i : step;
      for (i8 k = 0; k < count; ++k)
        held.data()[k] = x[i + k];
      for (i8 k = count; k % per != 0; ++k)
        held.data()[k] = f.padding(m...);
      USMTENSOR_UNROLL
      for (int k = 0; k < chains; ++k)
        if (count > k * per)
          v[k] = combined(f, v[k], lift(held.data() + k * per));
    }
    i = i < n ? i : n;
    const V all = combined_all(f, v);
    cascade.add(f, widened(f, all));
    if (f.is_final(all))
      break;
  }
  return finished<D>(f, folded(f, cascade.all(f)));
}

// A unit of work is a block of the reduced axis, at one position of the kept axes. A work-item owns
// an even range of units. Blocks do not depend on the number of work-items, so results do not
// either.
template <class F, class D, class S, class... M>
void along(F f, i8 block, i8 size, Space space, Operand<D> out, Operand<S> in, Operand<M>... m) {
  const i8 n = space.n0, blocks = (n + block - 1) / block, units = size / n * blocks;
  each_part([=](i8 part, i8 parts) {
    const i8 last = share(units, part + 1, parts);
    for (i8 k = share(units, part, parts); k < last;) {
      i8 index = k;
      i8 c1 = take_axis(index, space.n1);
      const i8 first = take_axis(index, blocks), start = first * block;
      const i8 count = n - start < block ? n - start : block;
      const auto to = move_kept(out, space, index);
      const auto from = move_kept(in, space, index);
      const std::tuple constant{move_kept(m, space, index)...};
      for (; c1 < space.n1 && k < last; ++c1, ++k)
        std::apply(
            [&](auto... of) {
              to.data[first * to.s0 + c1 * to.s1] = reduce_run<D>(
                  f, count, from.along0(start).along1(c1).run0(), (of.data + c1 * of.s1)...);
            },
            constant);
    }
  });
}

// Across: the elements of a result lie closer to the elements of other results
//
// The columns that are reduced together: their sums stay in the first-level cache.
inline constexpr int strip_bytes = 8192;
template <class F>
inline constexpr i8 strip_columns = strip_bytes / sizeof(typename F::Wide) / F::parts;

template <class F, class V> USMTENSOR_INLINE void add_to(F f, typename F::Wide *sums, V v) {
  using Wide = typename F::Wide;
  if constexpr (std::is_same_v<Wide, typename F::Chain>) {
    v = combined(f, load_as<V>(sums), v);
    __builtin_memcpy(sums, &v, sizeof v);
  } else {
    USMTENSOR_UNROLL
    for (int k = 0; k < chain_lanes<F>; ++k)
      sums[k] = f.combine(sums[k], Wide(v[k]));
  }
}

// One or eight rows of columns, side by side or not.
template <int Rows, class F, class S, class... M>
USMTENSOR_INLINE void add_rows(F f, typename F::Wide *sums, i8 columns, Operand<S> x,
                               Operand<M>... m) {
  constexpr i8 per = per_vector<F>;
  auto lift_and_add = [&](i8 j, auto load) USMTENSOR_INLINE_LAMBDA {
    const std::tuple constant{load(m.along1(j))...};
    auto row = [&](i8 i) USMTENSOR_INLINE_LAMBDA {
      return std::apply([&](auto... of) { return f.lift(load(x.along0(i).along1(j)), of...); },
                        constant);
    };
    Lanes<typename F::Chain> rows[Rows];
    USMTENSOR_UNROLL
    for (int k = 0; k < Rows; ++k)
      rows[k] = row(k);
    add_to(f, sums + j * F::parts, combined_all(f, rows));
  };
  i8 j = 0;
  if (x.s1 == 1 && ((m.s1 == 1) && ...))
    for (; j + per <= columns; j += per)
      lift_and_add(j, [](auto operand)
                          USMTENSOR_INLINE_LAMBDA { return load_vector<F>(operand.data); });
  for (; j < columns; j += per)
    lift_and_add(j, [&](auto operand) USMTENSOR_INLINE_LAMBDA {
      return load_apart<F>(operand.data, operand.s1, columns - j);
    });
}

template <class F, class D, class S, class... M>
void across(F f, i8 block, i8 size, Space space, Operand<D> out, Operand<S> in, Operand<M>... m) {
  using Wide = typename F::Wide;
  constexpr i8 strip = strip_columns<F>;
  const i8 n = space.n0, blocks = (n + block - 1) / block;
  const i8 strips = (space.n1 + strip - 1) / strip, units = size / n / space.n1 * strips * blocks;
  each_part([=](i8 part, i8 parts) {
    Buffer<Wide, strip_bytes> sums;
    const i8 last = share(units, part + 1, parts);
    for (i8 k = share(units, part, parts); k < last; ++k) {
      i8 index = k;
      const i8 c1 = take_axis(index, strips) * strip, first = take_axis(index, blocks);
      const i8 stop = n - first * block < block ? n : (first + 1) * block;
      const i8 columns = space.n1 - c1 < strip ? space.n1 - c1 : strip;
      const auto to = move_kept(out, space, index).along1(c1);
      const auto from = move_kept(in, space, index).along1(c1);
      const std::tuple constant{move_kept(m, space, index).along1(c1)...};
      const Wide neutral = f.neutral();
      for (i8 j = 0; j < (columns + per_vector<F> - 1) / per_vector<F> * chain_lanes<F>; ++j)
        sums.data()[j] = neutral;
      std::apply(
          [&](auto... of) {
            i8 i = first * block;
            for (; i + 8 <= stop; i += 8)
              add_rows<8>(f, sums.data(), columns, from.along0(i), of...);
            for (; i < stop; ++i)
              add_rows<1>(f, sums.data(), columns, from.along0(i), of...);
          },
          constant);
      D *const result = to.data + first * to.s0;
      for (i8 j = 0; j < columns; ++j) {
        const Wide *const sum = sums.data() + j * F::parts;
        if constexpr (F::results == 2)
          result[j * to.s1] = f.finish(D(sum[0], sum[1]));
        else if constexpr (F::parts == 2)
          result[j * to.s1] = f.finish(f.combine(sum[0], sum[1]));
        else
          result[j * to.s1] = f.finish(sum[0]);
      }
    }
  });
}

// Functors
//
// A functor lifts elements into lanes. Lanes of type Chain hold the result of chain_length vectors,
// lanes of type Wide any result. An element fills `parts` lanes, a result `results` lanes. The lane
// `neutral` and the element `padding` change no result.

// From the host: a mask of the important bits of an element, the bits to flip, and the divisor of
// the result, as the bits of a real number.
struct Settings {
  u8 mask, flip, divisor;
  // Whether later elements cannot change the result.
  template <class V> static bool is_final(V) { return false; }
};

template <class T> struct ChainOf {
  using Type = T;
};
template <> struct ChainOf<i1> {
  using Type = i2;
};
template <> struct ChainOf<u1> {
  using Type = u2;
};
template <> struct ChainOf<i2> {
  using Type = i4;
};
template <> struct ChainOf<u2> {
  using Type = u4;
};
template <> struct ChainOf<i4> {
  using Type = i8;
};
template <> struct ChainOf<u4> {
  using Type = u8;
};
template <> struct ChainOf<i8> {
  using Type = u8; // wraps
};
template <> struct ChainOf<f2> {
  using Type = f4;
};
template <class T> struct ChainOf<std::complex<T>> {
  using Type = T;
};

template <class D, class S> struct Sum : Settings {
  using Chain = typename ChainOf<S>::Type;
  static constexpr bool whole = std::is_integral_v<Chain>;
  using Wide = std::conditional_t<whole, u8, Chain>;
  static constexpr int parts = is_complex<S> ? 2 : 1, results = parts;
  static Chain neutral() { return whole ? Chain(0) : Chain(-0.0); }
  static S padding() {
    if constexpr (is_complex<S>)
      return {neutral(), neutral()};
    else
      return S(neutral());
  }
  template <class V> static auto lift(V v) { return __builtin_convertvector(v, Lanes<Chain>); }
  template <class V> static V combine(V a, V b) { return a + b; }
  D finish(D sum) const {
    if constexpr (is_complex<S>) {
      const Chain by = from_bits<Chain>(divisor);
      return D(sum.real() / by, sum.imag() / by);
    } else if constexpr (whole) {
      return sum;
    } else {
      return sum / from_bits<Chain>(divisor);
    }
  }
};

template <class D, class S> struct Prod : Settings {
  using Chain = std::conditional_t<std::is_same_v<S, i8>, u8, S>;
  using Wide = Chain;
  static constexpr int parts = 1, results = 1;
  static Chain neutral() { return Chain(1); }
  static S padding() { return S(1); }
  template <class V> static auto lift(V v) {
    if constexpr (is_complex<S>)
      return v;
    else
      return __builtin_convertvector(v, Lanes<Chain>);
  }
  template <class V> static V combine(V a, V b) { return a * b; }
  // A factor of one gives the other factor: a product would make NaN of an infinite part.
  template <class T> static std::complex<T> combine(std::complex<T> a, std::complex<T> b) {
    auto is_one = [](std::complex<T> z) { return z.real() == 1 && z.imag() == 0; };
    return is_one(a) ? b : is_one(b) ? a : product(a, b);
  }
  static D finish(Chain result) { return D(result); }
};

// The largest element, or NaN. `flip` makes it the smallest element, and handles unsigned integers.
template <class D, class S> struct Extreme : Settings {
  using Chain = std::conditional_t<std::is_same_v<S, f2>, f4, S>;
  using Wide = Chain;
  static constexpr int parts = 1, results = 1;
  static constexpr bool whole = std::is_integral_v<S>;
  static Chain neutral() {
    if constexpr (is_complex<S>)
      return {-infinity<typename S::value_type>, -infinity<typename S::value_type>};
    else
      return whole ? std::numeric_limits<Chain>::lowest() : -infinity<Chain>;
  }
  S padding() const { return S(turned(neutral())); }
  template <class T> T turned(T v) const {
    if constexpr (is_complex<S>)
      return flip ? -v : v;
    else if constexpr (whole)
      return v ^ Chain(flip);
    else
      return v * Chain(flip ? -1 : 1);
  }
  template <class V> V lift(V v) const {
    if constexpr (is_complex<S>)
      for (int k = 0; k < chain_lanes<Extreme>; ++k)
        v[k] = turned(v[k]);
    else
      v = turned(v);
    return v;
  }
  template <class V> static V combine(V a, V b) {
    if constexpr (whole)
      return a > b ? a : b;
    else if constexpr (std::is_arithmetic_v<V>)
      return a > b || a != a ? a : b;
    else
      return (a > b) | (a != a) ? a : b;
  }
  // By the real parts, then by the imaginary ones.
  template <class T> static std::complex<T> combine(std::complex<T> a, std::complex<T> b) {
    const bool nan = a.real() != a.real() || a.imag() != a.imag();
    const bool other = b.real() != b.real() || b.imag() != b.imag();
    const bool more = a.real() > b.real() || (a.real() == b.real() && a.imag() > b.imag());
    return nan || (more && !other) ? a : b;
  }
  D finish(Chain result) const { return D(turned(result)); }
};

template <class S> using Word = Bits<sizeof(S) == 16 ? 8 : sizeof(S)>;

// Whether any element is not zero; with `flip`, whether all are.
template <class D, class S> struct Any : Settings {
  using Chain = Word<S>;
  using Wide = Chain;
  static constexpr int parts = 1, results = 1;
  static Chain neutral() { return 0; }
  S padding() const {
    if constexpr (sizeof(S) == 16)
      return S{flip ? ~u8(0) : 0, 0};
    else
      return S(flip ? ~u8(0) : 0);
  }
  template <class V> V lift(V v) const {
    const V zero = reinterpret<V>((v & Chain(mask)) == Chain(0));
    return zero ^ spread<V>(Chain(flip ? 0 : ~u8(0)));
  }
  template <class V> static V combine(V a, V b) { return a | b; }
  template <class V> static bool is_final(V v) {
    Chain found = 0;
    USMTENSOR_UNROLL
    for (int k = 0; k < chain_lanes<Any>; ++k)
      found |= v[k];
    return found != 0;
  }
  D finish(Chain found) const { return D((found != 0) != (flip != 0)); }
};

template <class D, class S> struct CountNonzero : Settings {
  using Chain = std::make_signed_t<Word<S>>; // counts downwards
  using Wide = i8;
  static constexpr int parts = 1, results = 1;
  static Chain neutral() { return 0; }
  static S padding() { return S{}; }
  template <class V> auto lift(V v) const {
    return reinterpret<Lanes<Chain>>((v & Word<S>(mask)) != Word<S>(0));
  }
  template <class V> static V combine(V a, V b) { return a + b; }
  static D finish(Wide count) { return -count; }
};

// Sums of the squared distances of elements from means.
template <class D, class S, class M> struct SquaredDeviations : Settings {
  using Chain = D;
  using Wide = D;
  static constexpr int parts = is_complex<S> ? 2 : 1, results = 1;
  static Chain neutral() { return 0; }
  static S padding(const M *mean) { return *mean; }
  template <class V> static V lift(V v, V mean) { return (v - mean) * (v - mean); }
  template <class V> static V combine(V a, V b) { return a + b; }
  D finish(D sum) const { return sum / from_bits<D>(divisor); }
};

} // namespace usmtensor
