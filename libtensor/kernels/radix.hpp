// Radix sort on GPUs. A work-group loads a tile of elements into local memory and sorts words that
// contain the indices of the elements in the tile.
#pragma once
#include "lanes.hpp"
#include "local.hpp"
#include "order.hpp"
#include "work_group_loops.hpp"

#ifndef USMTENSOR_HOST
#include <sycl/atomic_ref.hpp>

namespace usmtensor {

inline constexpr int tile_items = work_group_items; // one work-item for each value of a digit
static_assert(tile_items == digit_values);
template <class W> inline constexpr int tile_elements = tile_item_elements(sizeof(W)) * tile_items;

// Calls f(i, load(i)) for the elements of a share that belong to the work-item. Several loads
// precede the calls of f, so that they overlap.
template <class Load, class F>
USMTENSOR_INLINE void each_strided(int64 begin, int64 end, Load load, F f) {
  constexpr int count = max_unrolled;
  using T = decltype(load(begin));
  int64 i = begin + lane_of_group();
  for (; i + (count - 1) * tile_items < end; i += count * tile_items) {
    Pack<T, count> loaded;
    repeat<count>([&](auto k) USMTENSOR_INLINE_LAMBDA { loaded.of[k] = load(i + k * tile_items); });
    repeat<count>([&](auto k) USMTENSOR_INLINE_LAMBDA { f(i + k * tile_items, loaded.of[k]); });
  }
  for (; i < end; i += tile_items)
    f(i, load(i));
}

// The words of a tile: the upper 16 bits are bits of a key, the lower 16 bits are the element's
// index. Padding avoids bank conflicts between work-items.
struct Words {
  USMTENSOR_INLINE uint32 &operator[](int i) const { return data[i + i / 32]; }
  uint32 *data;
};
template <class W> USMTENSOR_INLINE Words local_words() {
  return {local_memory<uint32, tile_elements<W> + tile_elements<W> / 32>()};
}

// Sorts words by the bits of a mask, four bits in each pass. Each work-item has consecutive words
// and a column of counters; a uint32 holds two 16-bit counters.
template <class W> USMTENSOR_INLINE void sort_words(Words words, uint32 bits) {
  constexpr int count_own = tile_item_elements(sizeof(W));
  constexpr int pairs = 8;
  static sycl::ext::oneapi::experimental::work_group_static<
      uint32[pairs * (tile_items + tile_items / 32)]>
      memory; // local_memory() might return the memory of the words
  const Words counters{*&memory};
  const auto group = work_group();
  const int lane = lane_of_group(), first = lane * count_own;
  while (bits != 0) {
    const int low = __builtin_ctz(bits);
    bits &= ~(15u << low);
    USMTENSOR_UNROLL
    for (int k = 0; k < pairs; ++k)
      counters[k * tile_items + lane] = 0;
    uint32 own[count_own], ranks[count_own];
    USMTENSOR_UNROLL
    for (int k = 0; k < count_own; ++k)
      own[k] = words[first + k];
    USMTENSOR_UNROLL
    for (int k = 0; k < count_own; ++k) {
      const uint32 digit = own[k] >> low, half = digit & 8 ? 16 : 0;
      uint32 &counter = counters[digit % pairs * tile_items + lane];
      const uint32 count = counter;
      counter = count + (1u << half);
      ranks[k] = count >> half & 0xffff;
    }
    group_barrier();
    uint32 sums[pairs], sum = 0;
    USMTENSOR_UNROLL
    for (int k = 0; k < pairs; ++k) {
      sums[k] = sum;
      sum += counters[lane * pairs + k];
    }
    const uint32 before = sycl::exclusive_scan_over_group(group, sum, sycl::plus<uint32>());
    const uint32 all = sycl::group_broadcast(group, before + sum, tile_items - 1);
    USMTENSOR_UNROLL
    for (int k = 0; k < pairs; ++k)
      counters[lane * pairs + k] = sums[k] + before + (all << 16);
    group_barrier();
    USMTENSOR_UNROLL
    for (int k = 0; k < count_own; ++k) {
      const uint32 digit = own[k] >> low, half = digit & 8 ? 16 : 0;
      const uint32 counter = counters[digit % pairs * tile_items + lane];
      words[(counter >> half & 0xffff) + ranks[k]] = own[k];
    }
    group_barrier();
  }
}

// Sorts several rows in each tile: by their keys, then by their rows.
template <class W>
USMTENSOR_INLINE void sort_in_tiles(Order<W> order, uint64 relevant, int64 n, int64 size, W *out,
                                    const W *in) {
  W *const buffer = local_memory<W, tile_elements<W>>();
  const Words words = local_words<W>();
  const auto group = work_group();
  const int lane = lane_of_group(), rows = tile_elements<W> / int(n), tile_size = rows * int(n);
  each_of_group((size + tile_size - 1) / tile_size, [&](int64 tile) USMTENSOR_INLINE_LAMBDA {
    const int64 start = tile * tile_size;
    const int count = size - start < tile_size ? int(size - start) : tile_size;
    const uint64 first = order(in[start]);
    uint64 varying = 0;
    for (int i = lane; i < tile_elements<W>; i += tile_items) {
      words[i] = i;
      if (i < count) {
        const W element = buffer[i] = in[start + i];
        varying |= order(element) ^ first;
      }
    }
    varying = sycl::reduce_over_group(group, varying, sycl::bit_or<uint64>()) & relevant;
    group_barrier();
    // Indices after the last element get the largest digit, and stay at the end.
    auto sort_by = [&](uint32 bits, auto digit) USMTENSOR_INLINE_LAMBDA {
      for (int i = lane * tile_item_elements(sizeof(W));
           i < (lane + 1) * tile_item_elements(sizeof(W)); ++i) {
        const uint32 index = words[i] & 0xffff;
        words[i] = index | (int32(index) < count ? uint32(digit(index)) : 0xffff) << 16;
      }
      sort_words<W>(words, bits << 16);
    };
    for (int shift = 0; shift < int(sizeof varying) * 8; shift += 16)
      if (const uint32 bits = varying >> shift & 0xffff)
        sort_by(bits, [&](uint32 index) USMTENSOR_INLINE_LAMBDA {
          return order(buffer[index]) >> shift & 0xffff;
        });
    if (rows > 1)
      sort_by((1u << (32 - __builtin_clz(rows - 1))) - 1,
              [&](uint32 index) USMTENSOR_INLINE_LAMBDA { return index / uint32(n); });
    for (int i = lane; i < count; i += tile_items)
      out[start + i] = buffer[words[i] & 0xffff];
    group_barrier();
  });
}

// Longer rows: in each pass all work-groups count the digits of their parts of rows, compute the
// offsets where the elements of each part begin, and move the elements.
//
// The table starts with one word per work-group that searches for varying bits. The digit counts of
// each part follow, then those of each row.
struct RowParts {
  USMTENSOR_INLINE int64 rows() const { return size / n; }
  USMTENSOR_INLINE int64 count() const { return rows() * parts; }
  template <class T> USMTENSOR_INLINE T *counts(T *table, int64 part) const {
    return table + (1 + part) * tile_items;
  }
  template <class T> USMTENSOR_INLINE T *totals(T *table, int64 row) const {
    return counts(table, count() + row);
  }
  // Calls f(k, begin, end) for each part.
  template <class F> USMTENSOR_INLINE void each(F f) const {
    each_of_group(count(), [&](int64 k) USMTENSOR_INLINE_LAMBDA {
      const int64 row = k / parts, part = k - row * parts;
      f(k, row * n + share(n, part, parts), row * n + share(n, part + 1, parts));
    });
  }
  int64 size, n, parts;
};

USMTENSOR_INLINE uint64 varying_in_table(const uint64 *table) {
  return sycl::reduce_over_group(work_group(), table[lane_of_group()], sycl::bit_or<uint64>());
}

template <class W>
USMTENSOR_INLINE void count_in_group(Order<W> order, int shift, int64 begin, int64 end, const W *in,
                                     uint64 *counts) {
  constexpr int copies = 8; // to reduce contention between equal digits
  uint32 *const buffer = local_memory<uint32, tile_items * copies>();
  const int lane = lane_of_group();
  for (int k = 0; k < copies; ++k)
    buffer[k * tile_items + lane] = 0;
  group_barrier();
  each_strided(
      begin, end, [=](int64 i) USMTENSOR_INLINE_LAMBDA { return in[i]; },
      [&](int64, W element) USMTENSOR_INLINE_LAMBDA {
        const int digit = uint8(order(element) >> shift);
        sycl::atomic_ref<uint32, sycl::memory_order::relaxed, sycl::memory_scope::work_group,
                         sycl::access::address_space::local_space>(
            buffer[digit * copies + lane % copies])
            .fetch_add(1);
      });
  group_barrier();
  uint64 count = 0;
  for (int k = 0; k < copies; ++k)
    count += buffer[lane * copies + k];
  counts[lane] = count;
  group_barrier();
}

// Exclusive prefix sums of the counts over the parts of a row. A work-group processes some digits
// of a row, and divides the parts among its work-items.
USMTENSOR_INLINE void add_counts(RowParts rows, uint64 *table) {
  constexpr int digits = 16, shares = tile_items / digits;
  uint64 *const buffer = local_memory<uint64, tile_items>();
  const int lane = lane_of_group(), digit = lane % digits, own = lane / digits;
  each_of_group(rows.rows() * shares, [&](int64 k) USMTENSOR_INLINE_LAMBDA {
    const int64 row = k / shares, column = k % shares * digits + digit;
    uint64 *const counts = rows.counts(table, row * rows.parts) + column;
    const int64 begin = share(rows.parts, own, shares), end = share(rows.parts, own + 1, shares);
    uint64 sum = 0;
    _Pragma("unroll 8") for (int64 part = begin; part < end; ++part) sum +=
        counts[part * tile_items];
    buffer[lane] = sum;
    group_barrier();
    sum = 0;
    for (int other = digit; other < lane; other += digits)
      sum += buffer[other];
    for (int64 part = begin; part < end; ++part) {
      const uint64 count = counts[part * tile_items];
      counts[part * tile_items] = sum;
      sum += count;
    }
    if (own == shares - 1)
      rows.totals(table, row)[column] = sum;
    group_barrier();
  });
}

// Moves the elements of a part, tile by tile. A tile is first sorted by digit, so that neighbouring
// elements are stored together. As on CPUs, elements may have changed since they were counted.
template <class W>
USMTENSOR_INLINE void move_in_group(Order<W> order, int shift, int64 begin, int64 end, const W *in,
                                    W *to, uint64 destination, uint64 stop) {
  W *const buffer = local_memory<W, tile_elements<W>>();
  const Words words = local_words<W>();
  struct Digit {
    uint64 next, stop;  // destinations: of the next element, and the end
    int32 first, count; // in the tile
  };
  Digit *const digits = local_memory<Digit, tile_items>();
  const int lane = lane_of_group();
  digits[lane] = {destination, stop, 0, 0};
  for (int64 start = begin; start < end; start += tile_elements<W>) {
    const int count = end - start < tile_elements<W> ? int(end - start) : tile_elements<W>;
    W own[tile_item_elements(sizeof(W))]; // all loads precede the first store
    USMTENSOR_UNROLL
    for (int k = 0; k < tile_item_elements(sizeof(W)); ++k)
      own[k] = in[start + (lane + k * tile_items < count ? lane + k * tile_items : 0)];
    USMTENSOR_UNROLL
    for (int k = 0; k < tile_item_elements(sizeof(W)); ++k) {
      const int i = lane + k * tile_items;
      buffer[i] = own[k];
      words[i] = i | (i < count ? uint32(uint8(order(own[k]) >> shift)) : 0xff) << 16;
    }
    group_barrier();
    sort_words<W>(words, 0xff0000);
    digits[lane].next += digits[lane].count;
    digits[lane].count = 0;
    group_barrier();
    for (int i = lane; i < count; i += tile_items) {
      const uint32 digit = words[i] >> 16;
      if (i == 0 || words[i - 1] >> 16 != digit)
        digits[digit].first = i;
    }
    group_barrier();
    for (int i = lane; i < count; i += tile_items) {
      const uint32 word = words[i], digit = word >> 16;
      Digit &d = digits[digit];
      const uint64 destination = d.next + (i - d.first);
      if (destination < d.stop)
        to[destination] = buffer[word & 0xffff];
      if (i == count - 1 || words[i + 1] >> 16 != digit)
        d.count = i + 1 - d.first;
    }
    group_barrier();
  }
  group_barrier();
}

} // namespace usmtensor
#endif
