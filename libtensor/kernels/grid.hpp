// Loops for GPUs: neighbouring work-items access neighbouring elements.
#pragma once
#include "limits.hpp"
#include "loops.hpp"

#ifndef USMTENSOR_HOST
namespace usmtensor {

// How many steps of a loop are unrolled. SPIR-V unrolls fewer, because the package contains a
// module for each kernel; the other compilers compile from source.
#ifdef __NVPTX__
inline constexpr int max_unrolled = grid_elements;
#else
inline constexpr int max_unrolled = 2;
#endif

template <class T, int Count> struct Pack {
  T of[Count];
};
template <int Count, class T, class Offset>
USMTENSOR_INLINE auto load_pack(const Operand<T> &from, Offset offset) {
  Pack<typename Operand<T>::Element, Count> pack;
  repeat<Count>([&](auto k) USMTENSOR_INLINE_LAMBDA { pack.of[k] = from.data[offset(from, k)]; });
  return pack;
}

// Computes `Count` elements and stores the first `stored` of them. All loads precede the first
// store, so that they overlap. offset(operand, k) is the offset of element k in an operand.
template <int Count, class F, class D, class Offset, class... S>
USMTENSOR_INLINE void compute_pack(F f, uint32 stored, Offset offset, Operand<D> out, S... in) {
  Pack<D, Count> result;
  [&](const auto &...x) USMTENSOR_INLINE_LAMBDA {
    repeat<Count>([&](auto k) USMTENSOR_INLINE_LAMBDA { result.of[k] = f(x.of[k]...); });
  }(load_pack<Count>(in, offset)...);
  repeat<Count>([&](auto k) USMTENSOR_INLINE_LAMBDA {
    if (k < stored)
      out.data[offset(out, k)] = result.of[k];
  });
}

// x / n for x < 2^31. The multiplier is 2^(31 + bits) / n, rounded up, where n - 1 has `bits` bits.
USMTENSOR_INLINE uint32 divide(uint32 x, int64 n, uint32 multiplier) {
  const int bits = n > 1 ? 32 - __builtin_clz(uint32(n) - 1) : 0;
  return uint32(uint64(2 * x) * multiplier >> 32) >> bits;
}

// True if a space has more than two axes.
USMTENSOR_INLINE bool has_more_axes(const Space &space) {
  return space.n2 * space.n3 != 1 || space.outer_count > 0;
}
// The position of an element, given its index in C order. c3 counts all axes from the fourth on. If
// `more` is false, there are two axes.
USMTENSOR_INLINE Position<uint32> position(uint32 index, const Space &space, bool more, uint32 m0,
                                           uint32 m1, uint32 m2) {
  const uint32 rows = divide(index, space.n0, m0), c0 = index - rows * uint32(space.n0);
  if (!more)
    return {c0, rows, 0, 0};
  const uint32 layers = divide(rows, space.n1, m1), c1 = rows - layers * uint32(space.n1);
  const uint32 c3 = divide(layers, space.n2, m2);
  return {c0, c1, layers - c3 * uint32(space.n2), c3};
}
template <class T>
USMTENSOR_INLINE int64 offset_of(const Operand<T> &x, const Space &space, bool more,
                                 Position<uint32> at) {
  const int64 offset = at.c0 * x.s0 + at.c1 * x.s1;
  if (!more)
    return offset;
  if (space.outer_count == 0)
    return offset + at.c2 * x.s2 + at.c3 * x.s3;
  int64 outer = at.c3;
  const int64 c3 = take_axis(outer, space.n3);
  return offset + at.c2 * x.s2 + c3 * x.s3 + (x.at(space, outer).data - x.data);
}

#ifdef __NVPTX__
// The most elements that a work-item loads before it stores. Fewer for large functors.
template <class F> inline constexpr int max_elements_per_step = max_unrolled;
// Enough elements to saturate the memory bandwidth.
template <class F, class D, class... S> constexpr int elements_per_step() {
  constexpr int bytes = (sizeof(D) + ... + sizeof(S));
  return smallest(bytes <= 16 ? 8 : bytes <= 32 ? 4 : 2, max_elements_per_step<F>);
}

// The loop `contiguous`, with as many elements per work-item as the loop `grid`.
template <class F, class D, class... S>
USMTENSOR_INLINE void contiguous_packs(F f, int64 size, Operand<D> out, S... in) {
  constexpr int count = elements_per_step<F, D, typename S::Element...>();
  const auto item = work_item();
  const uint32 width = item.get_local_range(0), end = uint32(size);
  const uint32 start = uint32(item.get_group(0)) * width * grid_elements;
  for (int batch = 0; batch < grid_elements; batch += count) {
    const uint32 first = start + batch * width + uint32(item.get_local_id(0));
    const auto compute = [&](auto elements, uint32 index) USMTENSOR_INLINE_LAMBDA {
      const auto offset = [=](const auto &, uint32 k)
                              USMTENSOR_INLINE_LAMBDA { return index + k * width; };
      compute_pack<elements>(f, elements, offset, out, in...);
    };
    if (start + width * grid_elements <= end)
      compute(standard::integral_constant<int, count>(), first);
    else
      for (uint32 index = first; index < end && index - first < count * width; index += width)
        compute(standard::integral_constant<int, 1>(), index);
  }
}
template <class F, class D, class... S> void contiguous(F f, int64 size, D *out, S *...in) {
  contiguous_packs(f, size, Operand<D>{out}, Operand<S>{in}...);
}

// At most 2^31 elements.
template <class F, class D, class... S>
USMTENSOR_INLINE void grid(F f, uint32 m0, uint32 m1, uint32 m2, int64 size, Space space,
                           Operand<D> out, S... in) {
  constexpr int count = elements_per_step<F, D, typename S::Element...>();
  const auto item = work_item();
  const uint32 width = item.get_local_range(0), end = uint32(size);
  const uint32 start = uint32(item.get_group(0)) * width * grid_elements;
  const bool more = has_more_axes(space);
  for (int batch = 0; batch < grid_elements; batch += count) {
    const uint32 first = start + batch * width + uint32(item.get_local_id(0));
    const uint32 stored = first < end ? (end - first + width - 1) / width : 0;
    Pack<Position<uint32>, count> c;
    repeat<count>([&](auto k) USMTENSOR_INLINE_LAMBDA {
      uint32 index = first + k * width;
      index = index < end ? index : end - 1; // loads, but stores nothing
      auto take = [&](int64 n, uint32 multiplier) USMTENSOR_INLINE_LAMBDA {
        const uint32 rest = divide(index, n, multiplier), coordinate = index - rest * uint32(n);
        index = rest;
        return coordinate;
      };
      c.of[k].c0 = take(space.n0, m0);
      c.of[k].c1 = more ? take(space.n1, m1) : index;
      c.of[k].c2 = more ? take(space.n2, m2) : 0;
      c.of[k].c3 = more ? index : 0;
    });
    if (!more) {
      compute_pack<count>(
          f, stored,
          [&](const auto &x, auto k)
              USMTENSOR_INLINE_LAMBDA { return c.of[k].c0 * x.s0 + c.of[k].c1 * x.s1; },
          out, in...);
      continue;
    }
    if (space.outer_count == 0) {
      compute_pack<count>(
          f, stored,
          [&](const auto &x, auto k) USMTENSOR_INLINE_LAMBDA {
            return c.of[k].c0 * x.s0 + c.of[k].c1 * x.s1 + c.of[k].c2 * x.s2 + c.of[k].c3 * x.s3;
          },
          out, in...);
      continue;
    }
    for (uint32 index = first; index < end && index - first < count * width; index += width) {
      int64 rest = index;
      const int64 c0 = take_axis(rest, space.n0), c1 = take_axis(rest, space.n1);
      const int64 c2 = take_axis(rest, space.n2), c3 = take_axis(rest, space.n3);
      compute_pack<1>(
          f, 1,
          [&](const auto &x, auto) USMTENSOR_INLINE_LAMBDA {
            return c0 * x.s0 + c1 * x.s1 + c2 * x.s2 + c3 * x.s3 +
                   (x.at(space, rest).data - x.data);
          },
          out, in...);
    }
  }
}
#else
// In SPIR-V a work-item computes one element at a time: there are so many of these kernels that a
// longer loop would take too long to compile.
//
// At most 2^31 elements.
template <class F, class D, class... S>
USMTENSOR_INLINE void grid(F f, uint32 m0, uint32 m1, uint32 m2, int64 size, Space space,
                           Operand<D> out, S... in) {
  const auto item = work_item();
  const uint32 width = item.get_local_range(0), end = uint32(size);
  const bool more = has_more_axes(space);
  uint32 index = uint32(item.get_group(0)) * width * grid_elements + uint32(item.get_local_id(0));
  for (int k = 0; k < grid_elements && index < end; ++k, index += width) {
    const Position<uint32> at = position(index, space, more, m0, m1, m2);
    compute_pack<1>(
        f, 1,
        [&](const auto &x, int) USMTENSOR_INLINE_LAMBDA { return offset_of(x, space, more, at); },
        out, in...);
  }
}
#endif

} // namespace usmtensor
#endif
