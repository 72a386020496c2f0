// Reductions on devices other than CPUs. Neighbouring work-items read neighbouring elements. A
// result depends only on the number and type of the elements, as on a CPU, but has another tree.
#pragma once
#include "grid.hpp"
#include "lanes.hpp"

#ifndef USMTENSOR_HOST
namespace usmtensor {

// The elements first, first + step, ... below n, in lanes. A lane of a chain holds the result of at
// most 32 elements.
template <class F, class S, class... M>
USMTENSOR_INLINE auto reduce_apart(F f, i8 first, i8 step, i8 n, Run<const S> x, const M *...m) {
  using V = Lanes<typename F::Chain>;
  using Wide = Lanes<typename F::Wide>;
  constexpr int chains = most_unrolled / 2, length = 8;
  constexpr i8 per = per_vector<F>;
  const std::tuple constant{load_one<F>(m)...};
  auto combine = [&](V &v, auto elements) USMTENSOR_INLINE_LAMBDA {
    v = combined(f, v, std::apply([&](auto... of) { return f.lift(elements, of...); }, constant));
  };
  Wide all = spread<Wide>(typename F::Wide(f.neutral()));
  for (i8 i = first; i < n;) {
    V v[chains];
    repeat<chains>([&](auto k) USMTENSOR_INLINE_LAMBDA { v[k] = spread<V>(f.neutral()); });
    for (int k = 0; k < length && i + (chains * per - 1) * step < n; ++k, i += chains * per * step)
      repeat<chains>([&](auto k) USMTENSOR_INLINE_LAMBDA {
        combine(v[k], load_apart<F>(&x[i + k * per * step], step * x.stride));
      });
    if (i + (chains * per - 1) * step >= n)
      for (; i < n; i += per * step) {
        RawLanes<F, S> last;
        repeat<per>([&](auto k) USMTENSOR_INLINE_LAMBDA {
          const S element = i + k * step < n ? x[i + k * step] : f.padding(m...);
          set_element<F>(last, k, &element);
        });
        combine(v[0], last);
      }
    all = combined(f, all, widened(f, combined_all(f, v)));
  }
  return folded(f, all);
}

inline constexpr int most_in_group = 256; // work-items

// Calls f(c1, part, start, count, index) for the units of the work-group: a unit is a part of the
// reduced axis, `count` elements from `start` on, at one position of the kept axes.
template <class F>
USMTENSOR_INLINE void each_unit_of_group(i8 block, i8 size, const Space &space, F f) {
  const auto item = work_item();
  const i8 n = space.n0, blocks = (n + block - 1) / block, units = size / n * blocks;
  for (i8 unit = item.get_group(0); unit < units; unit += item.get_group_range(0)) {
    i8 index = unit;
    const i8 c1 = take_axis(index, space.n1), part = take_axis(index, blocks);
    const i8 start = part * block;
    f(c1, part, start, n - start < block ? n - start : block, index);
  }
}

// Combines the results of the work-items, of any number, in a tree; the first one gets the result.
template <class T, class F> USMTENSOR_INLINE T combined_in_group(T result, T *held, F combine) {
  const auto item = work_item();
  const int lane = item.get_local_id(0);
  held[lane] = result;
  for (int left = item.get_local_range(0); left > 1;) {
    const int half = (left + 1) / 2;
    sycl::group_barrier(item.get_group());
    if (lane + half < left)
      held[lane] = result = combine(result, held[lane + half]);
    left = half;
  }
  sycl::group_barrier(item.get_group()); // before `held` is used again
  return result;
}

// A work-group reduces each unit.
template <class F, class D, class S, class... M>
USMTENSOR_INLINE void groups(F f, i8 block, i8 size, Space space, Operand<D> out, Operand<S> in,
                             Operand<M>... m) {
  struct Result {
    typename F::Wide of[F::results];
  };
  // As bytes: local memory takes no complex numbers.
  static sycl::ext::oneapi::experimental::work_group_static<
      u8[most_in_group * sizeof(Result) / sizeof(u8)]>
      bytes;
  Result *const held = reinterpret_cast<Result *>(*&bytes);
  each_unit_of_group(
      block, size, space,
      [&](i8 c1, i8 part, i8 start, i8 count, i8 index) USMTENSOR_INLINE_LAMBDA {
        const i8 lane = work_item().get_local_id(0), width = work_item().get_local_range(0);
        auto own = reduce_apart(f, lane, width, count,
                                move_kept(in, space, index).along1(c1).along0(start).run0(),
                                move_kept(m, space, index).along1(c1).data...);
        Result result;
        for (int k = 0; k < F::results; ++k)
          result.of[k] = own[k];
        result = combined_in_group(result, held, [&](Result a, Result b) USMTENSOR_INLINE_LAMBDA {
          for (int k = 0; k < F::results; ++k)
            a.of[k] = f.combine(a.of[k], b.of[k]);
          return a;
        });
        if (lane == 0)
          move_kept(out, space, index).along1(c1).data[part * out.s0] = finished<D>(f, result.of);
      });
}

// A work-item reduces the rows of a block of one column, as `across` has them.
template <class F, class D, class S, class... M>
USMTENSOR_INLINE void columns(F f, i8 block, i8 size, Space space, Operand<D> out, Operand<S> in,
                              Operand<M>... m) {
  const i8 n = space.n0, blocks = (n + block - 1) / block, units = size / n * blocks;
  each_part([=](i8 item, i8 items) {
    for (i8 unit = item; unit < units; unit += items) {
      i8 index = unit;
      const i8 c1 = take_axis(index, space.n1), part = take_axis(index, blocks);
      const i8 start = part * block, count = n - start < block ? n - start : block;
      const auto result =
          reduce_apart(f, 0, 1, count, move_kept(in, space, index).along1(c1).along0(start).run0(),
                       move_kept(m, space, index).along1(c1).data...);
      move_kept(out, space, index).along1(c1).along0(part).data[0] = finished<D>(f, result);
    }
  });
}

} // namespace usmtensor
#endif
