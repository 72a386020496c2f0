// GPU work-groups: local memory, barriers, and the loops that need both.
#pragma once
#include "grid.hpp"

#ifndef USMTENSOR_HOST
#include <sycl/ext/oneapi/free_function_queries.hpp>
#include <sycl/ext/oneapi/work_group_static.hpp>
#include <sycl/group_barrier.hpp>

namespace usmtensor {

// The work-group of the calling work-item, for SYCL group functions.
inline auto work_group() { return sycl::ext::oneapi::this_work_item::get_work_group<1>(); }

// Work-group barrier.
USMTENSOR_INLINE void group_barrier() {
#ifdef __NVPTX__
  __syncthreads();
#else
  sycl::group_barrier(work_group());
#endif
}

// Local memory of the work-group. Equal types and sizes share one allocation. It is declared as
// words, because SYCL accepts no complex numbers here.
template <class T, int Count> USMTENSOR_INLINE T *local_memory() {
  static sycl::ext::oneapi::experimental::work_group_static<uint64[(Count * sizeof(T) + 7) / 8]>
      words;
  return reinterpret_cast<T *>(*&words);
}

// Combines the results of the work-items of each team in a tree. The first work-item of a team gets
// the result. The size of a team is a power of two that divides the size of the work-group.
template <class T, class F>
USMTENSOR_INLINE T combined_in_team(int team, T result, T *buffer, F combine) {
  const int lane = work_item().get_local_id(0);
  buffer[lane] = result;
  for (int half = team / 2; half > 0; half /= 2) {
    group_barrier();
    if (lane % team < half)
      buffer[lane] = result = combine(result, buffer[lane + half]);
  }
  group_barrier(); // before the buffer is used again
  return result;
}

#ifdef __NVPTX__
// The value of the work-item of the warp whose number differs by the bits of the mask.
template <class T> USMTENSOR_INLINE T shuffled(T value, int mask) {
  constexpr int words = (sizeof(T) + 3) / 4;
  int word[words] = {};
  __builtin_memcpy(word, &value, sizeof value);
  for (int k = 0; k < words; ++k)
    word[k] = __nvvm_shfl_sync_bfly_i32(0xffffffffu, word[k], mask, 31);
  __builtin_memcpy(&value, word, sizeof value);
  return value;
}
#endif

// Returns the combined results of the work-items of each team, to all of them.
template <class T, class F> USMTENSOR_INLINE T all_in_team(int team, T own, T *buffer, F combine) {
  const int lane = work_item().get_local_id(0);
#ifdef __NVPTX__ // by shuffles, which need no barrier
  constexpr int warp = 32;
  for (int mask = (team < warp ? team : warp) / 2; mask > 0; mask /= 2)
    own = combine(own, shuffled(own, mask));
  if (team <= warp)
    return own;
  if (lane % warp == 0)
    buffer[lane / warp] = own;
  group_barrier();
  const T *const parts = buffer + lane / team * (team / warp);
  own = parts[0];
  for (int k = 1; k < team / warp; ++k)
    own = combine(own, parts[k]);
#else
  own = combined_in_team(team, own, buffer, combine);
  if (lane % team == 0)
    buffer[lane] = own;
  group_barrier();
  own = buffer[lane - lane % team];
#endif
  group_barrier(); // before the buffer is used again
  return own;
}

// Copies a transposed input: work-groups of four rows of work-items transpose tiles in local
// memory. The number of tiles is below 2^31.
template <class F, class D, class S>
USMTENSOR_INLINE void transpose_groups(F f, int64 size, Space space, Operand<D> out,
                                       Operand<const S> in) {
  constexpr int side = transpose_side, rows = transpose_rows, count = side / rows;
  static sycl::ext::oneapi::experimental::work_group_static<S[side][side + 1]> tile;
  const auto item = work_item();
  const uint32 n0 = space.n0, n1 = space.n1;
  const uint32 tiles0 = (n0 + side - 1) / side, tiles1 = (n1 + side - 1) / side;
  const uint32 tiles = uint32(size / (space.n0 * space.n1)) * tiles0 * tiles1;
  const uint32 column = item.get_local_id(0) % side, row = item.get_local_id(0) / side;
  for (uint32 k = item.get_group(0); k < tiles; k += item.get_group_range(0)) {
    const uint32 index = k / tiles0, i0 = (k - index * tiles0) * side;
    const uint32 kept = index / tiles1, i1 = (index - kept * tiles1) * side;
    auto at_tile = [&](auto operand) USMTENSOR_INLINE_LAMBDA {
      if (kept != 0)
        operand = move_kept(operand, space, int64(kept));
      return operand.along0(i0).along1(i1);
    };
    const auto from = at_tile(in);
    const auto to = at_tile(out);
    Pack<S, count> read;
    repeat<count>([&](auto j) USMTENSOR_INLINE_LAMBDA {
      const uint32 i = row + j * rows;
      if (i0 + i < n0 && i1 + column < n1)
        read.of[j] = from.data[i * from.s0 + column * from.s1];
    });
    repeat<count>([&](auto j)
                      USMTENSOR_INLINE_LAMBDA { (*&tile)[row + j * rows][column] = read.of[j]; });
    group_barrier();
    repeat<count>([&](auto j) USMTENSOR_INLINE_LAMBDA {
      const uint32 i = row + j * rows;
      if (i1 + i < n1 && i0 + column < n0)
        to.data[column * to.s0 + i * to.s1] = f((*&tile)[column][i]);
    });
    group_barrier();
  }
}

} // namespace usmtensor
#endif
