// Counts of indices per bin, and sums of their weights.
#pragma once
#include "arithmetic.hpp"
#include "comparison.hpp"
#include "work_group_loops.hpp"

#ifndef USMTENSOR_HOST
#include <sycl/atomic_ref.hpp>
#endif

namespace usmtensor {

// Sums weights per bin. The elements are divided into blocks, independently of the number of
// work-items, and each block has its own sums. Indices out of range are ignored.
template <class D, class I, class... W> struct SumBins {
  void operator()(int64, int64 begin, int64 end, D *out, const I *indices,
                  const W *...weights) const {
    for (int64 block = begin; block < end; ++block) {
      D *const sums = out + block * bins;
      for (int64 i = 0; i < bins; ++i)
        sums[i] = 0;
      const int64 stop = share(n, block + 1, blocks);
      for (int64 i = share(n, block, blocks); i < stop; ++i) {
        const I index = indices[i];
        D weight = 1;
        ((weight = weights[i]), ...);
        if (uint64(index) < uint64(bins))
          sums[index] += weight;
      }
    }
  }
  int64 n, blocks, bins;
};
template <class D, class I> struct CountBins : SumBins<D, I> {
#ifndef USMTENSOR_HOST
  // Work-groups count in local memory, and add their counts to those of the only block, which start
  // at zero. Integer sums do not depend on the order.
  void run_group(int64, D *out, const I *indices) const {
    using Own =
        sycl::atomic_ref<uint32, sycl::memory_order::relaxed, sycl::memory_scope::work_group,
                         sycl::access::address_space::local_space>;
    using All = sycl::atomic_ref<D, sycl::memory_order::relaxed, sycl::memory_scope::device>;
    constexpr int local_bins = 4096;
    uint32 *const counts = local_memory<uint32, local_bins>();
    const bool fits = this->bins <= local_bins;
    const auto item = work_item();
    const int lane = item.get_local_id(0), width = item.get_local_range(0);
    for (int k = lane; k < local_bins && k < this->bins; k += width)
      counts[k] = 0;
    group_barrier();
    const int64 items = item.get_global_range(0);
    for (int64 i = item.get_global_id(0); i < this->n; i += items) {
      const I index = indices[i];
      if (uint64(index) >= uint64(this->bins))
        continue;
      if (fits)
        Own(counts[index]).fetch_add(1);
      else
        All(out[index]).fetch_add(1);
    }
    group_barrier();
    for (int k = lane; fits && k < this->bins; k += width)
      if (counts[k] != 0)
        All(out[k]).fetch_add(counts[k]);
  }
#endif
};

// out[indices[i]] = f(out[indices[i]], values[i]), for i in order. Each work-item owns a part of
// the output and reads all indices, so the result does not depend on the number of work-items.
template <class D, class I, class T> struct CombineAt {
  void operator()(int64, int64 begin, int64 end, D *out, const I *indices, const T *values) const {
    if (function == 0)
      combine(Add(), begin, end, out, indices, values);
    else if (function == 1)
      combine(Multiply(), begin, end, out, indices, values);
    else if (function == 2)
      combine(Maximum(), begin, end, out, indices, values);
    else
      combine(Minimum(), begin, end, out, indices, values);
  }
  template <class F>
  USMTENSOR_INLINE void combine(F f, int64 begin, int64 end, D *out, const I *indices,
                                const T *values) const {
    for (int64 i = 0; i < n; ++i) {
      const int64 index = indices[i];
      if (uint64(index - begin) < uint64(end - begin))
        out[index] = f(out[index], values[i]);
    }
  }
  int64 n;
  int32 function;
};

// The bins of values between equally spaced bounds; -1 for values outside and for NaN. The bounds
// are rounded, so the arithmetic guess is compared with them. It is wrong by one bin at most.
template <class D, class T, class B> struct UniformBins {
  void operator()(int64 i, D *out, const T *x, const B *bounds) const {
    (*this)(0, i, i + 1, out, x, bounds);
  }
  void operator()(int64, int64 begin, int64 end, D *out, const T *x, const B *bounds) const {
    const T first = bounds[0], last = bounds[bins], scale = T(bins) / (last - first);
    for (int64 i = begin; i < end; ++i) {
      const T value = x[i];
      const bool inside = value >= first && value <= last;
      int32 bin = inside ? int32((value - first) * scale) : 0;
      bin = smallest(bin, bins - 1);
      bin -= value < bounds[bin];
      bin += value >= bounds[bin + 1];
      out[i] = inside ? smallest(bin, bins - 1) : -1;
    }
  }
  int32 bins;
};

} // namespace usmtensor
