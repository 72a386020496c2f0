// Reductions along axis 0 of the space; the other axes remain. The order of combination depends
// only on the number and the type of the elements. Elements are combined in vector lanes and in
// trees, so that sums of many numbers are accurate.
#pragma once
#include "complex_math.hpp"
#include "group_reduction.hpp"

namespace usmtensor {

// The pending vectors of a reduction tree. Each combines twice as many elements as the next one.
template <class F> struct Cascade {
  using V = Lanes<typename F::Wide>;
  USMTENSOR_INLINE void add(F f, V v) {
    for (uint32 bits = count++; bits & 1; bits >>= 1)
      v = combine_vectors(f, levels[--top], v);
    levels[top++] = v;
  }
  USMTENSOR_INLINE V all(F f) {
    V v = levels[--top];
    while (top > 0)
      v = combine_vectors(f, levels[--top], v);
    return v;
  }
  V levels[10];
  uint32 count = 0;
  int32 top = 0;
};

// Inner axis: the elements of one result are closer together than those of different results
//
// The number of parallel chains, and of rows combined in one step. Complex numbers have fewer,
// because the code that combines two of them is long.
template <class F> inline constexpr int chains = is_complex<typename F::Chain> ? 2 : 8;
template <class F> inline constexpr int rows_per_step = is_complex<typename F::Chain> ? 4 : 8;

// Copies a few elements by words. The last word may overlap the one before it.
template <class S> USMTENSOR_INLINE void copy_by_words(S *to, const S *from, int64 n) {
  constexpr int64 word = sizeof(uint64) / sizeof(S);
  if constexpr (word >= 2)
    if (n >= word) {
      for (int64 k = 0; k < n; k += word) {
        const int64 offset = smallest(k, n - word);
        __builtin_memcpy(to + offset, from + offset, sizeof(uint64));
      }
      return;
    }
  for (int64 k = 0; k < n; ++k)
    to[k] = from[k];
}

// Reduces n elements; n is at least 1.
template <class D, class F, class S, class... M>
USMTENSOR_INLINE D reduce_run(bool far, F f, int64 n, Run<const S> x, const M *...m) {
  using V = Lanes<typename F::Chain>;
  constexpr int64 per = per_vector<F>, step = chains<F> * per;
  auto lift = [f, ... of = load_strided<F>(m, 0)](ElementLanes<F, S> raw)
                  USMTENSOR_INLINE_LAMBDA { return f.lift(raw, of...); };
  Cascade<F> cascade;
  for (int64 i = 0; i < n;) {
    const int64 stop = n - i < F::chain_length * step ? n : i + F::chain_length * step;
    V v[chains<F>];
    USMTENSOR_UNROLL
    for (int k = 0; k < chains<F>; ++k)
      v[k] = broadcast<V>(f.neutral());
    if (x.stride == 1)
      for (; i + step <= stop; i += step) {
        if (far)
          prefetch_steps_ahead(x.data + i, step);
        USMTENSOR_UNROLL
        for (int k = 0; k < chains<F>; ++k)
          v[k] = combine_vectors(f, v[k], lift(load_vector<F>(x.data + i + k * per)));
      }
    else
      for (; i + step <= stop; i += step) {
        ElementLanes<F, S> loaded[chains<F>]; // first, to avoid store-forwarding stalls
        USMTENSOR_LOOP
        for (int k = 0; k < chains<F>; ++k)
          loaded[k] = load_strided<F>(x.data + (i + k * per) * x.stride, x.stride);
        USMTENSOR_UNROLL
        for (int k = 0; k < chains<F>; ++k)
          v[k] = combine_vectors(f, v[k], lift(loaded[k]));
      }
    // The remaining elements pass through a buffer, with padding.
    for (; i < stop; i += step) {
      Buffer<S, step * sizeof(S)> buffer;
      const int64 count = stop - i < step ? stop - i : step;
      const int64 in_place = x.stride == 1 ? count / per * per : 0;
      if (x.stride == 1)
        copy_by_words(buffer.data() + in_place, x.data + i + in_place, count - in_place);
      else
        for (int64 k = in_place; k < count; ++k)
          buffer.data()[k] = x[i + k];
      for (int64 k = count; k % per != 0; ++k)
        buffer.data()[k] = f.padding(m...);
      USMTENSOR_UNROLL
      for (int k = 0; k < chains<F>; ++k)
        if (count > k * per)
          v[k] = combine_vectors(
              f, v[k],
              lift(load_vector<F>((k * per < in_place ? x.data + i : buffer.data()) + k * per)));
    }
    i = i < n ? i : n;
    const V all = combine_tree(f, v);
    cascade.add(f, widen_lanes(f, all));
    if (f.is_final(all))
      break;
  }
  return finish_result<D>(f, fold(f, cascade.all(f)));
}

template <class F, class D, class S, class... M>
void inner_axis(F f, int64 block, int64 size, Space space, Operand<D> out, Operand<S> in,
                Operand<M>... m) {
  const bool far = exceeds_caches(size * sizeof(S));
  each_unit_row({space, size, block}, [=](const Unit &unit, int64 rows) {
    [&](auto to, auto from, auto... of) {
      for (int64 i = 0; i < rows; ++i)
        to.data[i * to.s1] =
            reduce_run<D>(far, f, unit.count, from.along1(i).run0(), of.along1(i).data...);
    }(unit.result_of(out), unit.elements_of(in), unit.columns_of(m)...);
  });
}

// Outer axis: the elements of different results are closer together than those of one result
//
// Bytes of the sums of the columns that are reduced together. They stay in the first-level cache.
inline constexpr int strip_bytes = 4096;
template <class F>
inline constexpr int64 strip_columns = strip_bytes / sizeof(typename F::Wide) / F::parts;

template <class F, class V> USMTENSOR_INLINE void add_to(F f, typename F::Wide *sums, V v) {
  using Wide = typename F::Wide;
  if constexpr (standard::is_same_v<Wide, typename F::Chain>) {
    v = combine_vectors(f, load_as<V>(sums), v);
    __builtin_memcpy(static_cast<void *>(sums), &v, sizeof v);
  } else {
    USMTENSOR_UNROLL
    for (int k = 0; k < chain_lanes<F>; ++k)
      sums[k] = f.combine(sums[k], Wide(v[k]));
  }
}

// For fewer than eight rows with a column stride of 2, 3 or 4: combines the rows as whole vectors
// and selects the lanes that are results. Returns the number of processed columns.
template <class F, class S>
USMTENSOR_INLINE int64 add_few_rows(F f, typename F::Wide *sums, int64 columns, int64 rows,
                                    Operand<S> x) {
  using T = standard::remove_const_t<S>;
  int64 j = 0;
  auto add = [&](auto stride) USMTENSOR_INLINE_LAMBDA {
    if (x.s1 == stride && rows < 8)
      for (; j + per_vector<F> <= columns; j += per_vector<F>)
        add_to(f, sums + j, load_stepped<F, stride>([&](int i) USMTENSOR_INLINE_LAMBDA {
                 const S *const from = x.data + j * stride + i;
                 auto v = f.lift(load_vector<F>(from));
                 for (int64 k = 1; k < rows; ++k)
                   v = combine_vectors(f, v, f.lift(load_vector<F>(from + k * x.s0)));
                 return v;
               }));
  };
  if constexpr (standard::is_same_v<LaneElement<F, T>, T> && !is_complex<T>) {
    add(standard::integral_constant<int, 2>());
    add(standard::integral_constant<int, 3>());
    add(standard::integral_constant<int, 4>());
  }
  return j;
}

// Adds `Rows` rows of columns, contiguous or strided.
template <int Rows, class F, class S, class... M>
USMTENSOR_INLINE void add_rows(F f, typename F::Wide *sums, int64 columns, Operand<S> x,
                               Operand<M>... m) {
  constexpr int64 per = per_vector<F>;
  auto lift_and_add = [&](int64 j, auto load) USMTENSOR_INLINE_LAMBDA {
    auto row = [&, ... of = load(m.along1(j))](int64 i)
                   USMTENSOR_INLINE_LAMBDA { return f.lift(load(x.along0(i).along1(j)), of...); };
    Lanes<typename F::Chain> rows[Rows];
    USMTENSOR_UNROLL
    for (int k = 0; k < Rows; ++k)
      rows[k] = row(k);
    add_to(f, sums + j * F::parts, combine_tree(f, rows));
  };
  int64 j = 0;
  if (x.s1 == 1 && ((m.s1 == 1) && ...))
    for (; j + per <= columns; j += per)
      lift_and_add(j, [](auto operand)
                          USMTENSOR_INLINE_LAMBDA { return load_vector<F>(operand.data); });
  for (; j < columns; j += per)
    lift_and_add(j, [&](auto operand) USMTENSOR_INLINE_LAMBDA {
      return load_strided<F>(operand.data, operand.s1, columns - j);
    });
}

template <class F, class D, class S, class... M>
void outer_axis(F f, int64 block, int64 size, Space space, Operand<D> out, Operand<S> in,
                Operand<M>... m) {
  using Wide = typename F::Wide;
  each_unit({space, size, block, strip_columns<F>}, [&](const Unit &unit) {
    Buffer<Wide, strip_bytes> sums;
    const int64 columns = unit.columns;
    const Wide neutral = f.neutral();
    for (int64 j = 0; j < (columns + per_vector<F> - 1) / per_vector<F> * chain_lanes<F>; ++j)
      sums.data()[j] = neutral;
    [&](auto from, auto... of) {
      int64 i = 0, j = 0;
      constexpr int rows = rows_per_step<F>;
      // add_few_rows does nothing for eight rows or more. For fewer, add_rows<1> adds the columns
      // from j on.
      if constexpr (sizeof...(M) == 0)
        j = add_few_rows(f, sums.data(), columns, unit.count, from);
      for (; i + rows <= unit.count; i += rows)
        add_rows<rows>(f, sums.data(), columns, from.along0(i), of...);
      for (; i < unit.count; ++i)
        add_rows<1>(f, sums.data() + j * F::parts, columns - j, from.along0(i).along1(j),
                    of.along1(j)...);
    }(unit.elements_of(in), unit.columns_of(m)...);
    const auto to = unit.result_of(out);
    int64 j = 0;
    if constexpr (F::parts == 1 && standard::is_same_v<D, Wide> && standard::is_floating_point_v<D>)
      if (constexpr int lanes = lane_count<D>; to.s1 == 1)
        for (; j + lanes <= columns; j += lanes) {
          const auto results = f.finish(load_as<Lanes<D>>(sums.data() + j));
          __builtin_memcpy(to.data + j, &results, sizeof results);
        }
    for (; j < columns; ++j) {
      const Wide *const sum = sums.data() + j * F::parts;
      if constexpr (F::parts > F::results)
        to.data[j * to.s1] = f.finish(f.combine(sum[0], sum[1]));
      else
        to.data[j * to.s1] = finish_result<D>(f, sum);
    }
  });
}

// Functors
//
// A functor lifts elements into lanes. Lanes of type Chain hold the result of chain_length vectors;
// lanes of type Wide hold any result. An element fills `parts` lanes, a result `results` lanes. The
// lane `neutral` and the element `padding` leave every result unchanged.

// Parameters from the host: a mask of the significant bits of an element, the bits to flip, and the
// divisor of the result as the bits of a real number.
struct Settings {
  uint64 mask, flip, divisor;
  static constexpr int parts = 1, results = 1;
  // The number of vectors in a chain.
  static constexpr int64 chain_length = 8;
  // True if later elements cannot change the result.
  template <class V> static bool is_final(V) { return false; }
};

// Integers of twice the size; for the largest size unsigned integers, which wrap.
template <class T> struct ChainOf {
  using Wider = Bits<2 * sizeof(T)>;
  using Type = standard::conditional_t<standard::is_signed_v<T> && sizeof(T) < sizeof(Wider),
                                       standard::make_signed_t<Wider>, Wider>;
};
template <class T>
  requires standard::is_floating_point_v<Single<T>>
struct ChainOf<T> {
  using Type = Single<T>;
};
template <class T> struct ChainOf<Complex<T>> {
  using Type = T;
};

template <class D, class S> struct Sum : Settings {
  using Chain = typename ChainOf<S>::Type;
  static constexpr bool whole = standard::is_integral_v<Chain>;
  using Wide = standard::conditional_t<whole, uint64, Chain>;
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
  template <class V> V finish(V sum) const {
    if constexpr (is_complex<S>) {
      const Chain by = from_bits<Chain>(divisor);
      return V(sum.real() / by, sum.imag() / by);
    } else if constexpr (whole) {
      return sum;
    } else {
      return sum / from_bits<Chain>(divisor);
    }
  }
};

template <class D, class S> struct Prod : Settings {
  using Chain = standard::conditional_t<standard::is_same_v<S, int64>, uint64, S>;
  using Wide = Chain;
  static Chain neutral() { return Chain(1); }
  static S padding() { return S(1); }
  template <class V> static auto lift(V v) {
    if constexpr (is_complex<S>)
      return v;
    else
      return __builtin_convertvector(v, Lanes<Chain>);
  }
  template <class V> static V combine(V a, V b) { return a * b; }
  // A factor of one returns the other factor: a complex product would turn an infinite part into
  // NaN.
  template <class T> static Complex<T> combine(Complex<T> a, Complex<T> b) {
    auto is_one = [](Complex<T> z) { return z.real() == 1 && z.imag() == 0; };
    return is_one(a) ? b : is_one(b) ? a : product(a, b);
  }
  template <class V> static V finish(V result) { return result; }
};

// The largest element, or NaN. `flip` makes it the smallest element, and handles unsigned integers.
template <class D, class S> struct Extreme : Settings {
  using Chain = Single<S>;
  using Wide = Chain;
  static constexpr int64 chain_length = 64; // exact in any order
  static constexpr bool whole = standard::is_integral_v<S>;
  static Chain neutral() {
    if constexpr (is_complex<S>)
      return {-infinity<typename S::value_type>, -infinity<typename S::value_type>};
    else
      return whole ? standard::numeric_limits<Chain>::lowest() : -infinity<Chain>;
  }
  S padding() const { return S(orient(neutral())); }
  template <class T> T orient(T v) const {
    if constexpr (is_complex<S>)
      return flip ? -v : v;
    else if constexpr (whole)
      return v ^ Chain(flip);
    else if constexpr (standard::is_arithmetic_v<T>)
      return v * Chain(flip ? -1 : 1);
    else
      return reinterpret<T>(bits(v) ^ bits(broadcast<T>(Chain(flip ? -0.0 : 0.0))));
  }
  template <class V> V lift(V v) const {
    if constexpr (is_complex<S>)
      for (int k = 0; k < chain_lanes<Extreme>; ++k)
        v[k] = orient(v[k]);
    else
      v = orient(v);
    return v;
  }
  template <class V> static V combine(V a, V b) {
    if constexpr (whole)
      return a > b ? a : b;
    else if constexpr (standard::is_arithmetic_v<V>)
      return a > b || a != a ? a : b;
    else // NaN in a sets all bits: fewer instructions than a select
      return reinterpret<V>(bits(a > b ? a : b) | (a != a));
  }
  // Ordered by real part, then by imaginary part.
  template <class T> static Complex<T> combine(Complex<T> a, Complex<T> b) {
    const bool nan = a.real() != a.real() || a.imag() != a.imag();
    const bool other = b.real() != b.real() || b.imag() != b.imag();
    const bool more = a.real() > b.real() || (a.real() == b.real() && a.imag() > b.imag());
    return nan || (more && !other) ? a : b;
  }
  template <class V> static auto bits(V v) { return reinterpret<decltype(v != v)>(v); }
  template <class V> V finish(V result) const { return orient(result); }
};

template <class S> using Word = Bits<sizeof(S) == 16 ? 8 : sizeof(S)>;

// True if any element is nonzero; with `flip`, true if all elements are nonzero.
template <class D, class S> struct Any : Settings {
  using Chain = Word<S>;
  using Wide = Chain;
  static Chain neutral() { return 0; }
  S padding() const { return from_bits<S>(flip ? ~uint64(0) : 0); }
  template <class V> V lift(V v) const {
    const V zero = reinterpret<V>((v & Chain(mask)) == Chain(0));
    return zero ^ broadcast<V>(Chain(flip ? 0 : ~uint64(0)));
  }
  template <class V> static V combine(V a, V b) { return a | b; }
  template <class V> static bool is_final(V v) { return any_bit(v); }
  D finish(Chain found) const { return D((found != 0) != (flip != 0)); }
};

template <class D, class S> struct CountNonzero : Settings {
  using Chain = standard::make_signed_t<Word<S>>; // counts downwards
  using Wide = int64;
  static Chain neutral() { return 0; }
  static S padding() { return S{}; }
  template <class V> auto lift(V v) const {
    return reinterpret<Lanes<Chain>>((v & Word<S>(mask)) != Word<S>(0));
  }
  template <class V> static V combine(V a, V b) { return a + b; }
  static D finish(Wide count) { return -count; }
};

// Sums of the squared differences between elements and their means.
template <class D, class S, class M> struct SquaredDeviations : Sum<D, D> {
  static constexpr int parts = is_complex<S> ? 2 : 1;
  static S padding(const M *mean) { return *mean; }
  template <class V> static V lift(V v, V mean) { return (v - mean) * (v - mean); }
};

} // namespace usmtensor
