// Searching in sorted arrays, and finding changes in them.
#pragma once
#include "order.hpp"
#include "shared.hpp"
#include "teams.hpp"

namespace usmtensor {

// Binary search for several values together, without branches, so that many reads run at once.
// Calls f(i, place) for each value. `before` says whether an element comes before a value.
template <class T, class B, class F>
USMTENSOR_INLINE void search_all(Order<T> order, i8 n, i8 begin, i8 end, const T *values,
                                 const T *sorted, B before, F f) {
  constexpr int most = 16;
  for (i8 i = begin; i < end; i += most) {
    typename Order<T>::Key keys[most];
    i8 places[most];
    const int count = end - i < most ? end - i : most;
    for (int k = 0; k < most; ++k)
      keys[k] = order(values[i + (k < count ? k : 0)]), places[k] = 0;
    for (i8 left = n; left > 1;) {
      const i8 half = left / 2;
      for (int k = 0; k < most; ++k)
        places[k] += before(order(sorted[places[k] + half - 1]), keys[k]) ? half : 0;
      left -= half;
    }
    for (int k = 0; k < count; ++k)
      f(i + k, places[k] + (n > 0 && before(order(sorted[places[k]]), keys[k])), keys[k]);
  }
}

// The places of values in n sorted elements: before equal elements, or after them.
template <class D, class S, class T> struct SearchSorted {
  void operator()(i8, i8 begin, i8 end, D *out, const S *values, const T *sorted) const {
    auto store = [=](i8 i, i8 place, auto) { out[i] = place; };
    if (right)
      search_all(
          order, n, begin, end, values, sorted, [](auto x, auto y) { return !(y < x); }, store);
    else
      search_all(order, n, begin, end, values, sorted, [](auto x, auto y) { return x < y; }, store);
  }
  Order<T> order;
  i8 n;
  i4 right;
};

// Whether values are among n sorted elements.
template <class D, class S, class T> struct Contains {
  void operator()(i8, i8 begin, i8 end, D *out, const S *values, const T *sorted) const {
    search_all(
        order, n, begin, end, values, sorted, [](auto x, auto y) { return x < y; },
        [=, this](i8 i, i8 place, auto key) {
          const bool found = place < n && order(sorted[place < n ? place : 0]) == key;
          out[i] = (found && !order.is_nan(values[i])) != bool(invert);
        });
  }
  Order<T> order;
  i8 n;
  i4 invert;
};

// Whether sorted elements differ from their predecessors.
template <class D, class S> struct Changes {
  void operator()(i8, i8 begin, i8 end, D *out, const S *in) const {
    if (begin == 0 && end > 0)
      out[begin++] = true;
    for (i8 i = begin; i < end; ++i) // without a branch, so that it vectorises
      out[i] = (order(in[i]) != order(in[i - 1])) | order.is_nan(in[i]);
  }
  Order<S> order;
};

// The number of changes before each element of a sorted array, written to the original place of the
// element. `starts` has the number of changes before each share of the mask.
template <class D, class M, class I, class P> struct ChangesBefore {
  void operator()(i8 part, i8 begin, i8 end, D *out, const M *mask, const I *starts,
                  const P *places) const {
    i8 count = starts[part];
    for (i8 i = begin; i < end; ++i) {
      count += mask[i].byte != 0;
      out[places[i]] = count - 1;
    }
  }
#ifndef USMTENSOR_HOST
  void together(i8 part, i8 begin, i8 end, D *out, const M *mask, const I *starts,
                const P *places) const {
    const auto group = work_item().get_group();
    const i8 width = work_item().get_local_range(0);
    i8 count = starts[part];
    for (i8 i = begin + lane_of_group(), first = begin; first < end; i += width, first += width) {
      const i8 one = i < end && mask[i].byte != 0;
      const i8 here = sycl::inclusive_scan_over_group(group, one, sycl::plus<i8>());
      if (i < end)
        out[places[i]] = count + here - 1;
      count += sycl::group_broadcast(group, here, width - 1);
    }
  }
#endif
};

} // namespace usmtensor
