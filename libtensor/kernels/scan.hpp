// Scans along axis 0 of the space: each element is combined with all elements before it. A block
// starts with the result of the blocks before it; `before` has the result up to the end of each
// block.
#pragma once
#include "reduction.hpp"

namespace usmtensor {

// Combines elements as the reduction does; integers wrap, because its lanes are unsigned.
template <class Reduction, class T, class S, class P> struct Scan {
  using Chain = typename Reduction::Chain;
  using Lane = standard::conditional_t<is_complex<T>, T, Chain>;
  static constexpr bool in_vectors = standard::is_floating_point_v<Chain>;
  // Products of integers and of complex numbers use several chains. Integer sums take one cycle, so
  // a single chain is fastest for them.
  static constexpr bool in_chains = !in_vectors && !standard::is_same_v<Reduction, Sum<T, T>>;
  static T neutral() { return Reduction::padding(); }
  T operator()(T a, T b) const { return T(Reduction::combine(Lane(a), Lane(b))); }
};
template <class D, class S, class P> using CumulativeSum = Scan<Sum<D, D>, D, S, P>;
template <class D, class S, class P> using CumulativeProd = Scan<Prod<D, D>, D, S, P>;

// The maximum length of a chain, and the number of chains. Chains run in parallel, so that none
// waits for its previous result.
template <class T> inline constexpr int64 chain_room = sizeof(T) > 8 ? 32 : 64;
inline constexpr int chain_count = 8;

// Combines each element of a vector with those before it. Each step combines the last element of a
// lower half with every element of its upper half, so that sums of nonnegative numbers never
// decrease.
template <class F, int Step, class V, int... K>
USMTENSOR_INLINE V scan_lanes(V neutral, V v, standard::integer_sequence<int, K...> lanes) {
  constexpr int count = sizeof...(K);
  if constexpr (Step >= count) {
    return v;
  } else {
    const V earlier = __builtin_shufflevector(
        neutral, v, (K / Step % 2 == 0 ? K : count + K / Step * Step - F::parts + K % F::parts)...);
    return scan_lanes<F, 2 * Step>(neutral, V(F::combine(earlier, v)), lanes);
  }
}
// Broadcasts the last element of a vector to all lanes.
template <class F, class V, int... K>
USMTENSOR_INLINE V broadcast_last(V v, standard::integer_sequence<int, K...>) {
  return __builtin_shufflevector(v, v, (int(sizeof...(K)) - F::parts + K % F::parts)...);
}

// Loads a vector of elements from i on.
template <class F, class In> USMTENSOR_INLINE auto load_from(In in, int64 i) {
  if constexpr (In::unit)
    return load_vector<F>(in.data + i);
  else
    return load_strided<F>(in.data + i * in.stride, in.stride);
}
template <class F, class T, class V, class Out>
USMTENSOR_INLINE void store_to(Out out, int64 i, V v) {
  if constexpr (Out::unit) {
    __builtin_memcpy(static_cast<void *>(out.data + i), &v, sizeof v);
  } else {
    USMTENSOR_UNROLL
    for (int k = 0; k < per_vector<F>; ++k)
      out[i + k] = load_as<T>(reinterpret_cast<const T *>(&v) + k);
  }
}

// Scans whole vectors of n elements that follow `sum`. Returns the number of scanned elements.
template <class F, class T, class S, class P, class Out, class In>
USMTENSOR_INLINE int64 scan_vectors(Scan<F, T, S, P> f, T &sum, int64 n, Out out, In in) {
  constexpr int64 per = per_vector<F>, tile = 8 * per; // `sum` is a dependency only once per tile
  constexpr standard::make_integer_sequence<int, chain_lanes<F>> lanes;
  const T first = f.neutral();
  const auto neutral = load_strided<F>(&first, 0);
  int64 i = 0;
  while (n - i >= per) {
    const auto base = load_strided<F>(&sum, 0);
    auto before = neutral;
    for (const int64 end = i + smallest(n - i, tile) / per * per; i < end; i += per) {
      const auto v = scan_lanes<F, F::parts>(neutral, load_from<F>(in, i), lanes);
      store_to<F, T>(out, i, F::combine(base, F::combine(before, v)));
      before = F::combine(before, broadcast_last<F>(v, lanes));
    }
    sum = f(sum, load_as<T>(&before));
  }
  return i;
}

// Scans n elements that follow `sum`. Returns the combination of all.
template <class F, class T, class Out, class In>
USMTENSOR_INLINE T scan_run(F f, T sum, int64 n, Out out, In in) {
  int64 i = 0;
#ifndef __NVPTX__ // its compiler miscompiles these vectors: docs/runtime_quirks.md
  if constexpr (F::in_vectors)
    i = scan_vectors(f, sum, n, out, in);
#endif
  while (F::in_chains && i < n) {
    Buffer<T, chain_count * chain_room<T> * sizeof(T)> buffer;
    int64 length = (n - i) / chain_count;
    length = length < chain_room<T> ? length : chain_room<T>;
    if (length < 4)
      break;
    T ends[chain_count];
    USMTENSOR_UNROLL
    for (int k = 0; k < chain_count; ++k)
      buffer.data()[k * length] = ends[k] = in[i + k * length];
    for (int64 j = 1; j < length; ++j)
      USMTENSOR_UNROLL
    for (int k = 0; k < chain_count; ++k)
      buffer.data()[k * length + j] = ends[k] = f(ends[k], T(in[i + k * length + j]));
    for (int k = 0; k < chain_count; ++k, i += length) {
      const T *const from = buffer.data() + k * length;
      for (int64 j = 0; j < length; ++j)
        out[i + j] = f(sum, from[j]);
      sum = f(sum, ends[k]);
    }
  }
  for (; i < n; ++i)
    out[i] = sum = f(sum, T(in[i]));
  return sum;
}

// The combination of the blocks before a unit, in one of its columns.
template <class Reduction, class T>
USMTENSOR_INLINE T sum_before(Scan<Reduction, T, T, T> f, const Unit &unit, Operand<const T> before,
                              int64 column = 0) {
  if (unit.block == 0)
    return f.neutral();
  return *unit.columns_of(before).along0(unit.block - 1).along1(column).data;
}

template <class Reduction, class T>
void inner_axis(Scan<Reduction, T, T, T> f, int64 block, int64 size, Space space, Operand<T> out,
                Operand<const T> in, Operand<const T> before) {
  // No forced inlining: copies of the buffer's blocks would expect its alignment of the output.
  each_unit({space, size, block}, [=](Unit unit) {
    const auto to = unit.elements_of(out).run0();
    const auto from = unit.elements_of(in).run0();
    const T sum = sum_before(f, unit, before);
    if (to.stride == 1 && from.stride == 1)
      scan_run(f, sum, unit.count, FixedRun<T, 1>{to.data}, FixedRun<const T, 1>{from.data});
    else
      scan_run(f, sum, unit.count, to, from);
  });
}

// Not inlined, so that `__restrict` tells the compiler that the operands are disjoint, and that the
// output need not have the alignment of the sums.
template <class F, class T>
[[gnu::noinline]] void scan_row(bool stream, F f, int64 n, T *__restrict sums, T *__restrict out,
                                const T *__restrict in) {
  for (int64 j = 0; j < n; ++j)
    sums[j] = f(sums[j], in[j]);
  emit(stream, n, out, sums);
}

template <class Reduction, class T>
void outer_axis(Scan<Reduction, T, T, T> f, int64 block, int64 size, Space space, Operand<T> out,
                Operand<const T> in, Operand<const T> before) {
  constexpr int64 sums_bytes = 8192; // they stay in the first-level cache
  const bool far = exceeds_caches(size * sizeof(T));
  each_strip({space, size, block, sums_bytes / sizeof(T)}, [&](const Unit &unit) {
    Buffer<T, sums_bytes> sums;
    for (int64 j = 0; j < unit.columns; ++j)
      sums.data()[j] = f.neutral();
    for (int64 j = 0; j < unit.columns && unit.block > 0; ++j)
      sums.data()[j] = sum_before(f, unit, before, j);
    const auto to = unit.elements_of(out);
    const auto from = unit.elements_of(in);
    for (int64 i = 0; i < unit.count; ++i) {
      const auto row = to.along0(i);
      const auto x = from.along0(i);
      if (row.s1 == 1 && x.s1 == 1) {
        if (far) // hardware prefetchers do not cross from row to row
          prefetch_ahead(from.along0(i + 2).data, unit.columns, 0);
        scan_row(far, f, unit.columns, sums.data(), row.data, x.data);
      } else
        for (int64 j = 0; j < unit.columns; ++j)
          row.data[j * row.s1] = sums.data()[j] = f(sums.data()[j], T(x.data[j * x.s1]));
    }
  });
}

#ifndef USMTENSOR_HOST
// On GPUs a work-group scans a block piece by piece. A piece passes through local memory, so that
// neighbouring work-items access neighbouring elements. There each work-item's elements are
// followed by one unused element, to avoid bank conflicts.
template <class Reduction, class T>
USMTENSOR_INLINE void inner_axis_groups(Scan<Reduction, T, T, T> f, int64 block, int64 size,
                                        Space space, Operand<T> out, Operand<const T> in,
                                        Operand<const T> before) {
  constexpr int own = 64 / sizeof(T), room = max_reduction_group * (own + 1);
  T *const buffer = local_memory<T, room + 2 * max_reduction_group>(), *const ends = buffer + room;
  const auto item = work_item();
  const int lane = item.get_local_id(0), width = item.get_local_range(0), piece = width * own;
  each_unit_of_group({space, size, block}, [&](const Unit &unit) USMTENSOR_INLINE_LAMBDA {
    const auto to = unit.elements_of(out).run0();
    const auto from = unit.elements_of(in).run0();
    T sum = sum_before(f, unit, before);
    for (int64 first = 0; first < unit.count; first += piece) {
      const int count = unit.count - first < piece ? int(unit.count - first) : piece;
      T values[own]; // all loads precede the first store
      repeat<own>([&](auto j) USMTENSOR_INLINE_LAMBDA {
        const int k = j * width + lane;
        values[j] = k < count ? T(from[first + k]) : f.neutral();
      });
      repeat<own>([&](auto j) USMTENSOR_INLINE_LAMBDA {
        const int k = j * width + lane;
        buffer[k + k / own] = values[j];
      });
      group_barrier();
      T *const slots = buffer + lane * (own + 1);
      values[0] = slots[0];
      repeat<own - 1>([&](auto k)
                          USMTENSOR_INLINE_LAMBDA { values[k + 1] = f(values[k], slots[k + 1]); });
      T end = values[own - 1];
      // Each round doubles the number of work-items whose elements an end combines.
      for (int step = 1, half = 0; step < width; step *= 2, half ^= width) {
        ends[half + lane] = end;
        group_barrier();
        if (lane >= step)
          end = f(ends[half + lane - step], end);
      }
      group_barrier();
      ends[lane] = end;
      group_barrier();
      const T base = lane == 0 ? sum : f(sum, ends[lane - 1]);
      repeat<own>([&](auto k) USMTENSOR_INLINE_LAMBDA { slots[k] = f(base, values[k]); });
      sum = f(sum, ends[width - 1]);
      group_barrier();
      for (int k = lane; k < count; k += width)
        to[first + k] = buffer[k + k / own];
      group_barrier();
    }
  });
}

// A work-item scans a column of a block.
template <class Reduction, class T>
void outer_axis_groups(Scan<Reduction, T, T, T> f, int64 block, int64 size, Space space,
                       Operand<T> out, Operand<const T> in, Operand<const T> before) {
  each_unit_interleaved({space, size, block}, [&](const Unit &unit) USMTENSOR_INLINE_LAMBDA {
    const auto to = unit.elements_of(out).run0();
    const auto from = unit.elements_of(in).run0();
    T sum = sum_before(f, unit, before);
    for (int64 i = 0; i < unit.count; ++i)
      to[i] = sum = f(sum, T(from[i]));
  });
}
#endif

} // namespace usmtensor
