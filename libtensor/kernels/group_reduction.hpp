// Reductions on GPUs. Neighbouring work-items read neighbouring elements. As on a CPU, a result
// depends only on the number and the type of the elements, but the tree of additions differs.
#pragma once
#include "lanes.hpp"
#include "local.hpp"
#include "work_units.hpp"

#ifndef USMTENSOR_HOST
namespace usmtensor {

// Reduces the elements first, first + step, ... < n in lanes, and combines the results with `all`.
// A lane of a chain holds the result of at most 32 elements.
template <int chains, class F, class S, class W, class... M>
USMTENSOR_INLINE void reduce_strided(F f, int64 first, int64 step, int64 n, Run<const S> x, W &all,
                                     const M *...m) {
  using V = Lanes<typename F::Chain>;
  constexpr int length = 8;
  constexpr int64 per = per_vector<F>;
  auto combine = [f, ... of = load_strided<F>(m, 0)](V &v, auto elements) USMTENSOR_INLINE_LAMBDA {
    v = combine_vectors(f, v, f.lift(elements, of...));
  };
  for (int64 i = first; i < n;) {
    V v[chains];
    repeat<chains>([&](auto k) USMTENSOR_INLINE_LAMBDA { v[k] = broadcast<V>(f.neutral()); });
    for (int k = 0; k < length && i + (chains * per - 1) * step < n; ++k, i += chains * per * step)
      repeat<chains>([&](auto k) USMTENSOR_INLINE_LAMBDA {
        combine(v[k], load_strided<F>(&x[i + k * per * step], step * x.stride));
      });
    if (i + (chains * per - 1) * step >= n)
      for (; i < n; i += per * step) {
        ElementLanes<F, S> last;
        repeat<per>([&](auto k) USMTENSOR_INLINE_LAMBDA {
          const S element = i + k * step < n ? x[i + k * step] : f.padding(m...);
          set_element<F>(last, k, &element);
        });
        combine(v[0], last);
      }
    all = combine_vectors(f, all, widen_lanes(f, combine_tree(f, v)));
  }
}
// The lanes of no elements.
template <class F> USMTENSOR_INLINE auto neutral_lanes(F f) {
  return broadcast<Lanes<typename F::Wide>>(typename F::Wide(f.neutral()));
}

// Reduces contiguous bytes in whole vectors, from each work-item's first vector on. Returns the
// number of bytes that the team has reduced. Results of bytes do not depend on the order.
template <int chains, class F, class S, class V>
USMTENSOR_INLINE int64 reduce_bytes(F f, int64 lane, int64 width, int64 n, const S *x, V &all) {
  using Chain = Lanes<typename F::Chain>;
  using Vector = ElementLanes<F, S>;
  const int64 step = width * per_vector<F>;
  int64 i = 0;
  while (i + chains * step <= n) {
    Chain v[chains];
    repeat<chains>([&](auto k) USMTENSOR_INLINE_LAMBDA { v[k] = broadcast<Chain>(f.neutral()); });
    for (int k = 0; k < F::chain_length && i + chains * step <= n; ++k, i += chains * step)
      repeat<chains>([&](auto k) USMTENSOR_INLINE_LAMBDA {
        const auto *const vectors = reinterpret_cast<const Vector *>(x + i + k * step);
#ifdef __NVPTX__
        const Vector loaded = vectors[lane];
#else // tests check alignments, except those of such loads
        const Vector loaded = __builtin_nontemporal_load(vectors + lane);
#endif
        v[k] = combine_vectors(f, v[k], f.lift(loaded));
      });
    all = combine_vectors(f, all, widen_lanes(f, combine_tree(f, v)));
  }
  return i;
}

// Reduces the elements first, first + step, ... < n of a short row into lanes. More chains would
// only take registers.
template <class F, class S, class... M>
USMTENSOR_INLINE auto reduce_few(F f, int64 first, int64 step, int64 n, Run<const S> x,
                                 const M *...m) {
  constexpr int64 per = per_vector<F>;
  auto v = broadcast<Lanes<typename F::Chain>>(f.neutral());
  auto combine = [&, ... of = load_strided<F>(m, 0)](auto elements) USMTENSOR_INLINE_LAMBDA {
    v = combine_vectors(f, v, f.lift(elements, of...));
  };
  int64 i = first;
  for (; i + (per - 1) * step < n; i += per * step)
    combine(load_strided<F>(&x[i], step * x.stride));
  if (i < n) {
    ElementLanes<F, S> last;
    repeat<per>([&](auto k) USMTENSOR_INLINE_LAMBDA {
      const S element = i + k * step < n ? x[i + k * step] : f.padding(m...);
      set_element<F>(last, k, &element);
    });
    combine(last);
  }
  return widen_lanes(f, v);
}

// Combines the lanes of each work-item of a team, and stores the result.
template <class F, class D, class V>
USMTENSOR_INLINE void store_result_of_team(F f, int team, bool stores, V lanes, D *out) {
  struct Result {
    typename F::Wide of[F::results];
  };
  Result *const buffer = local_memory<Result, max_reduction_group>();
  lanes = fold(f, lanes);
  Result result;
  for (int k = 0; k < F::results; ++k)
    result.of[k] = lanes[k];
  result = combined_in_team(team, result, buffer, [&](Result a, Result b) USMTENSOR_INLINE_LAMBDA {
    for (int k = 0; k < F::results; ++k)
      a.of[k] = f.combine(a.of[k], b.of[k]);
    return a;
  });
  if (stores)
    *out = finish_result<D>(f, result.of);
}

// A work-group reduces each unit.
template <class F, class D, class S, class... M>
USMTENSOR_INLINE void inner_axis_groups(F f, int64 block, int64 size, Space space, Operand<D> out,
                                        Operand<S> in, Operand<M>... m) {
  each_unit_of_group({space, size, block}, [&](const Unit &unit) USMTENSOR_INLINE_LAMBDA {
    const int64 lane = work_item().get_local_id(0), width = work_item().get_local_range(0);
    constexpr int chains = max_unrolled / 2;
    const auto x = unit.elements_of(in).run0();
    auto own = neutral_lanes(f);
    int64 begin = 0;
    if constexpr (sizeof(S) == 1)
      if (x.stride == 1 && reinterpret_cast<uint64>(x.data) % sizeof(ElementLanes<F, S>) == 0)
        begin = reduce_bytes<chains>(f, lane, width, unit.count, x.data, own);
    reduce_strided<chains>(f, begin + lane, width, unit.count, x, own, unit.columns_of(m).data...);
    store_result_of_team(f, width, lane == 0, own, unit.result_of(out).data);
  });
}

// A team of work-items reduces each short row.
template <class F, class D, class S, class... M>
USMTENSOR_INLINE void inner_axis_teams(F f, int64 block, int64 size, Space space, Operand<D> out,
                                       Operand<S> in, Operand<M>... m) {
  const int team = row_team(space.n0);
  each_unit_of_team(
      {space, size, block}, team,
      [&](const Unit &unit, int64 lane, bool stores) USMTENSOR_INLINE_LAMBDA {
        const auto x = unit.elements_of(in).run0();
        auto own = neutral_lanes(f);
        int64 begin = 0;
        if constexpr (sizeof(S) == 1)
          if (x.stride == 1 && reinterpret_cast<uint64>(x.data) % sizeof(ElementLanes<F, S>) == 0)
            begin = reduce_bytes<1>(f, lane, team, unit.count, x.data, own);
        own = combine_vectors(
            f, own, reduce_few(f, begin + lane, team, unit.count, x, unit.columns_of(m).data...));
        store_result_of_team(f, team, lane == 0 && stores, own, unit.result_of(out).data);
      });
}

// A work-item reduces one column of a block, with the same blocks as `outer_axis`. With more
// chains, the NVPTX compiler would load one element at a time.
template <class F, class D, class S, class... M>
USMTENSOR_INLINE void outer_axis_groups(F f, int64 block, int64 size, Space space, Operand<D> out,
                                        Operand<S> in, Operand<M>... m) {
  each_unit_interleaved({space, size, block}, [&](const Unit &unit) USMTENSOR_INLINE_LAMBDA {
    auto all = neutral_lanes(f);
    reduce_strided<1>(f, 0, 1, unit.count, unit.elements_of(in).run0(), all,
                      unit.columns_of(m).data...);
    *unit.result_of(out).data = finish_result<D>(f, fold(f, all));
  });
}

} // namespace usmtensor
#endif
