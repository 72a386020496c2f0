// Reductions on GPUs. Neighbouring work-items read neighbouring elements. As on a CPU, a result
// depends only on the number and the type of the elements, but the tree of additions differs.
#pragma once
#include "lanes.hpp"
#include "local.hpp"
#include "work_units.hpp"

#ifndef USMTENSOR_HOST
namespace usmtensor {

// Reduces the elements first, first + step, ... < n in lanes. A lane of a chain holds the result of
// at most 32 elements.
template <int chains, class F, class S, class... M>
USMTENSOR_INLINE auto reduce_strided(F f, int64 first, int64 step, int64 n, Run<const S> x,
                                     const M *...m) {
  using V = Lanes<typename F::Chain>;
  using Wide = Lanes<typename F::Wide>;
  constexpr int length = 8;
  constexpr int64 per = per_vector<F>;
  auto combine = [f, ... of = load_strided<F>(m, 0)](V &v, auto elements) USMTENSOR_INLINE_LAMBDA {
    v = combine_vectors(f, v, f.lift(elements, of...));
  };
  Wide all = broadcast<Wide>(typename F::Wide(f.neutral()));
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
  return fold(f, all);
}

// A work-group reduces each unit.
template <class F, class D, class S, class... M>
USMTENSOR_INLINE void inner_axis_groups(F f, int64 block, int64 size, Space space, Operand<D> out,
                                        Operand<S> in, Operand<M>... m) {
  struct Result {
    typename F::Wide of[F::results];
  };
  Result *const buffer = local_memory<Result, most_in_group>();
  each_unit_of_group({space, size, block}, [&](const Unit &unit) USMTENSOR_INLINE_LAMBDA {
    const int64 lane = work_item().get_local_id(0), width = work_item().get_local_range(0);
    auto own = reduce_strided<max_unrolled / 2>(
        f, lane, width, unit.count, unit.elements_of(in).run0(), unit.columns_of(m).data...);
    Result result;
    for (int k = 0; k < F::results; ++k)
      result.of[k] = own[k];
    result = combined_in_group(result, buffer, [&](Result a, Result b) USMTENSOR_INLINE_LAMBDA {
      for (int k = 0; k < F::results; ++k)
        a.of[k] = f.combine(a.of[k], b.of[k]);
      return a;
    });
    if (lane == 0)
      *unit.result_of(out).data = finish_result<D>(f, result.of);
  });
}

// A work-item reduces one column of a block, with the same blocks as `outer_axis`. With more
// chains, the NVPTX compiler would load one element at a time.
template <class F, class D, class S, class... M>
USMTENSOR_INLINE void outer_axis_groups(F f, int64 block, int64 size, Space space, Operand<D> out,
                                        Operand<S> in, Operand<M>... m) {
  each_unit_interleaved({space, size, block}, [&](const Unit &unit) USMTENSOR_INLINE_LAMBDA {
    const auto result = reduce_strided<1>(f, 0, 1, unit.count, unit.elements_of(in).run0(),
                                          unit.columns_of(m).data...);
    *unit.result_of(out).data = finish_result<D>(f, result);
  });
}

} // namespace usmtensor
#endif
