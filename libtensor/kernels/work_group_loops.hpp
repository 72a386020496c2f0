// Loops of whole work-groups, for GPUs.
#pragma once
#include "local.hpp"

#ifndef USMTENSOR_HOST
#include <sycl/group_algorithm.hpp>

namespace usmtensor {

USMTENSOR_INLINE int lane_of_group() { return work_item().get_local_id(0); }

// Grid-stride loop: neighbouring work-items access neighbouring elements.
template <class F, class D, class... S> void grid_stride(F f, int64 size, D *out, S *...in) {
  each_part([=](int64 part, int64 parts) {
    for (int64 i = part; i < size; i += parts)
      f(i, out, in...);
  });
}

// Calls f(k) for each k < count that belongs to the calling work-group.
template <class F> USMTENSOR_INLINE void each_of_group(int64 count, F f) {
  for (int64 k = work_item().get_group(0); k < count; k += work_item().get_group_range(0))
    f(k);
}

// A functor divides the elements itself, or takes the even share of a work-group (see `share`), or
// takes one element at a time. Shares begin at multiples of `item_elements`, the number of elements
// that a work-item reads together.
inline constexpr int item_elements = 16;
template <class F, class D, class... S>
USMTENSOR_INLINE void work_groups(F f, int64 size, D *out, S *...in) {
  const int64 part = work_item().get_group(0), parts = work_item().get_group_range(0);
  const int64 steps = (size + item_elements - 1) / item_elements;
  const int64 begin = share(steps, part, parts) * item_elements;
  const int64 end = share(steps, part + 1, parts) * item_elements;
  if constexpr (requires { f.run_group(size, out, in...); })
    f.run_group(size, out, in...);
  else if constexpr (requires { f.run_group(part, begin, end, out, in...); })
    f.run_group(part, begin, end < size ? end : size, out, in...);
  else
    each_part([&](int64 own, int64 all) USMTENSOR_INLINE_LAMBDA {
      for (int64 i = own; i < size; i += all)
        f(own, i, i + 1, out, in...);
    });
}

} // namespace usmtensor
#endif
