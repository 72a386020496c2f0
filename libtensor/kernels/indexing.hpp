#pragma once
#include "cast.hpp"
#include "local.hpp"
#include "math.hpp"
#include "work_group_loops.hpp"

#ifndef USMTENSOR_HOST
#include <sycl/atomic_ref.hpp>
#endif

namespace usmtensor {

inline constexpr int64 no_index = int64(uint64(1) << 63); // not a valid position or offset

// Maps indices to positions: adds `shift` to negative indices and clamps the result to [low, high].
struct Axis {
  bool has(int64 index) const { return low - shift <= index && index <= high; }
  // Sets the flag, unless it is null, if the index is out of range.
  void check(int64 index, uint8 *flag) const {
    if (flag && !has(index))
      *flag = 1;
  }
  int64 position(int64 index) const {
    index = index < 0 ? index + shift : index;
    return index < low ? low : index < high ? index : high;
  }
  int64 shift, low, high, stride;
};

// Reads the element at an index. `base` is the start of its axis. The last input is a flag that the
// loops set if an index is out of range.
template <class D, class S, class I, class Flag> struct Gather {
  const S &operator()(const S &base, int64 index) const {
    return (&base)[axis.position(index) * axis.stride];
  }
  Axis axis;
};

// The sign bit of the result is set if the position is outside [low, low + span]. There is no
// branch, so that loops vectorise. If the span is 2^63 or more, the bit may also be set for
// positions inside.
inline uint64 out_of_range(int64 position, uint64 low, uint64 span) {
  const uint64 from_low = uint64(position) - low;
  return from_low | (span - from_low);
}

// A buffer of indices. Each index is read only once, because other threads may change it.
struct IndexBuffer {
  // Loads `count` indices. Returns true if all of them are positions within bounds, the usual case.
  template <class I>
  USMTENSOR_INLINE bool take(const Axis &axis, I index, int64 begin, int64 count) {
    const uint64 low = axis.low < 0 ? 0 : axis.low, span = uint64(axis.high) - low;
    uint64 outside = 0; // in the sign bit
    for (int64 i = 0; i < count; ++i) {
      const int64 position = positions.data()[i] = index[begin + i];
      outside |= out_of_range(position, low, span);
    }
    return int64(outside) >= 0;
  }
  static constexpr int64 room = 64;
  Buffer<int64, room * sizeof(int64)> positions;
};

// Computes all addresses before it reads the elements, so that many reads overlap. Positions within
// bounds are used unchanged.
template <class T, class At, class B, class I>
[[gnu::noinline]] void gather_run(Gather<T, T, At, uint8> f, int64 n, Run<T> out, B base, I index,
                                  uint8 *flag) {
  constexpr int64 room = IndexBuffer::room;
  IndexBuffer indices;
  auto &positions = indices.positions;
  Buffer<const T *, room * sizeof(T *)> addresses;
  for (int64 begin = 0; begin < n; begin += room) {
    const int64 count = n - begin < room ? n - begin : room;
    if (indices.take(f.axis, index, begin, count) && f.axis.stride == 1) {
      auto copy = [&](int64 i) USMTENSOR_INLINE_LAMBDA {
        out[begin + i] = (&base[begin + i])[positions.data()[i]];
      };
      int64 i = 0;
      for (; i + 8 <= count; i += 8)
        for (int64 k = i; k < i + 8; ++k)
          copy(k);
      for (; i < count; ++i)
        copy(i);
      continue;
    }
    for (int64 i = 0; i < count; ++i) {
      addresses.data()[i] = &f(base[begin + i], positions.data()[i]);
      f.axis.check(positions.data()[i], flag);
    }
    for (int64 i = 0; i < count; ++i)
      out[begin + i] = *addresses.data()[i];
  }
}

// A row with only one index is a row of the source.
template <class T, class At>
USMTENSOR_INLINE void row(bool stream, Gather<T, T, At, uint8> f, int64 n, Run<T> out,
                          Run<const T> base, Run<const At> index, Run<uint8> flag) {
  if (index.stride == 0) {
    const int64 at = *index.data; // read once, because other threads may change it
    const T *const from = &f(*base.data, at);
    f.axis.check(at, flag.data);
    return row(stream, Cast<T, T>{}, n, out, Run<const T>{from, base.stride});
  }
  if (base.stride == 0 && index.stride == 1)
    return gather_run(f, n, out, FixedRun<const T, 0>{base.data}, FixedRun<const At, 1>{index.data},
                      flag.data);
  gather_run(f, n, out, base, index, flag.data);
}

// Short rows with one index each.
template <class T, class At>
void short_rows(Gather<T, T, At, uint8> f, int64 n, int64 rows, Operand<T> out,
                Operand<const T> base, Operand<const At> index, Operand<uint8> flag) {
  for (int64 i = 0; i < rows;
       ++i, out.data += out.s1, base.data += base.s1, index.data += index.s1) {
    const int64 at = *index.data;
    const T *const from = &f(*base.data, at);
    f.axis.check(at, flag.data);
    for (int64 k = 0; k < n; ++k)
      out.data[k * out.s0] = from[k * base.s0];
  }
}

// Short rows that share their indices, as in a permutation of columns, are processed column by
// column. Rows with one index each are processed together.
template <class T, class At>
int64 process_rows(bool stream, Gather<T, T, At, uint8> f, int64 n, int64 left, int64 rows,
                   const Operand<T> &out, const Operand<const T> &base,
                   const Operand<const At> &index, const Operand<uint8> &flag) {
  rows = rows < 2 || left < 2 * n ? 1 : rows < left / n ? rows : left / n;
  if (rows == 1 || n >= short_axis || index.s1 != 0) {
    rows = index.s0 == 0 ? rows : 1;
    if (rows > 1 && n < 8)
      short_rows(f, n, rows, out, base, index, flag);
    else
      for (int64 i = 0; i < rows; ++i)
        row(stream, f, n, out.along1(i).run0(), base.along1(i).run0(), index.along1(i).run0(),
            flag.run0());
    return rows;
  }
  constexpr int64 max_rows = 128; // rows that stay in the caches
  rows = rows < max_rows ? rows : max_rows;
  for (int64 i = 0; i < n; ++i) {
    const int64 at = index.run0()[i];
    const Run<const T> from{&f(base.run0()[i], at), base.s1};
    f.axis.check(at, flag.data);
    run(Cast<T, T>{}, rows, Run<T>{out.data + i * out.s0, out.s1}, from);
  }
  return rows;
}

#ifndef USMTENSOR_HOST
// For the loop `grid`: the starts of the axis, as addresses.
template <class T> struct Starts {
  using Element = T;
  Operand<const T> base;
};
template <int Count, class T, class Offset>
USMTENSOR_INLINE auto load_pack(const Starts<T> &starts, Offset offset) {
  Pack<const T *, Count> pack;
  repeat<Count>([&](auto k) USMTENSOR_INLINE_LAMBDA {
    pack.of[k] = starts.base.data + offset(starts.base, k);
  });
  return pack;
}
template <class T, class At>
USMTENSOR_INLINE void grid(Gather<T, T, At, uint8> f, uint32 m0, uint32 m1, uint32 m2, int64 size,
                           Space space, Operand<T> out, Operand<const T> base,
                           Operand<const At> index, Operand<uint8> flag) {
  bool inside = true;
  const auto gather = [f, &inside](const T *start, At at) USMTENSOR_INLINE_LAMBDA {
    inside &= f.axis.has(at);
    return f(*start, at);
  };
  grid(gather, m0, m1, m2, size, space, out, Starts<T>{base}, index);
  if (flag.data && !inside)
    *flag.data = 1;
}
#endif

// Writes to the element at an index. If indices may repeat, a work-item writes only to its own part
// of the axis, so that it writes all values of an index in order.
template <class D, class S, class I> struct Scatter {
  bool owns(int64 position) const { return uint64(position - first) <= uint64(reach); }
  Axis axis;
  int64 first = 0, reach = -1; // owns [first, first + reach]; by default the whole axis
};

// Writes all values, in order.
template <class T, class B, class V, class I>
USMTENSOR_INLINE void scatter_all(const Scatter<T, T, int64> f, int64 n, B base, V values,
                                  I index) {
  IndexBuffer indices;
  for (int64 begin = 0; begin < n; begin += indices.room) {
    const int64 count = n - begin < indices.room ? n - begin : indices.room;
    if (indices.take(f.axis, index, begin, count))
      for (int64 i = 0; i < count; ++i)
        (&base[begin + i])[indices.positions.data()[i] * f.axis.stride] = values[begin + i];
    else
      for (int64 i = 0; i < count; ++i)
        (&base[begin + i])[f.axis.position(indices.positions.data()[i]) * f.axis.stride] =
            values[begin + i];
  }
}

// First collects the addresses that the work-item owns, without an unpredictable branch. Then
// writes, with prefetches for later addresses.
template <class T, class B, class I>
[[gnu::noinline]] void scatter_run(const Scatter<T, T, int64> f, int64 n, B base,
                                   Run<const T> values, I index) {
  if (f.reach < 0)
    return values.stride == 1 ? scatter_all(f, n, base, FixedRun<const T, 1>{values.data}, index)
                              : scatter_all(f, n, base, values, index);
  constexpr int64 room = 512, under_way = 16;
  Buffer<int32, room * sizeof(int32)> own;
  Buffer<T *, room * sizeof(T *)> addresses;
  for (int64 begin = 0; begin < n; begin += room) {
    const int64 end = n - begin < room ? n - begin : room;
    int32 count = 0;
    for (int32 i = 0; i < end; ++i) {
      const int64 position = f.axis.position(index[begin + i]);
      own.data()[count] = i;
      addresses.data()[count] = &base[begin + i] + position * f.axis.stride;
      count += f.owns(position);
    }
    for (int32 k = 0; k < count; ++k) {
      prefetch(addresses.data()[k + under_way < count ? k + under_way : k]);
      *addresses.data()[k] = values[begin + own.data()[k]];
    }
  }
}

template <class T>
int64 process_rows(bool, const Scatter<T, T, int64> f, int64 n, int64 left, int64 rows,
                   const Operand<T> &base, const Operand<const T> &values,
                   const Operand<const int64> &index) {
  if (index.s0 != 0) {
    if (base.s0 == 0 && index.s0 == 1)
      scatter_run(f, n, FixedRun<T, 0>{base.data}, values.run0(),
                  FixedRun<const int64, 1>{index.data});
    else
      scatter_run(f, n, base.run0(), values.run0(), index.run0());
    return 1;
  }
  rows = rows < 2 || left < 2 * n ? 1 : rows < left / n ? rows : left / n;
  for (int64 i = 0; i < rows; ++i) { // a row with only one index is a row of the array
    const int64 position = f.axis.position(*index.along1(i).data);
    if (f.owns(position))
      row(false, Cast<T, T>{}, n, Run<T>{base.along1(i).data + position * f.axis.stride, base.s0},
          values.along1(i).run0());
  }
  return rows;
}

// For indices that may repeat: each work-item reads the whole index array.
template <class F, class D, class... S>
void scatter(F f, int64 size, Space space, Operand<D> out, Operand<S>... in) {
  each_part([=](int64 part, int64 parts) mutable {
    const int64 extent = f.axis.high - f.axis.low + 1;
    const int64 begin = share(extent, part, parts), end = share(extent, part + 1, parts);
    if (begin == end)
      return;
    if (parts > 1)
      f.first = f.axis.low + begin, f.reach = end - begin - 1;
    int64 index = 0;
    for (int64 left = size; left > 0; ++index)
      left = walk(f, left, space, {}, out.at(space, index), in.at(space, index)...);
  });
}

#ifndef USMTENSOR_HOST
// For indices that may repeat: a hash table finds the last occurrence of each index. An entry has
// two 32-bit halves: the key (position - low + 1) and the number of the last occurrence plus 1.
// Zero means empty. The table size is a power of two above the number of indices.
using Half = sycl::atomic_ref<uint32, sycl::memory_order::relaxed, sycl::memory_scope::device>;
struct IndexTable {
  // Calls f(half, key) for the first half of each entry from the hash on, until f returns true.
  template <class T, class F> USMTENSOR_INLINE uint32 *find(T *table, int64 index, F f) const {
    const uint32 key = uint32(axis.position(index) - axis.low) + 1;
    for (uint32 entry = key * 0x9E3779B1u >> shift;; entry = (entry + 1) & (~uint32(0) >> shift))
      if (uint32 *const half = (uint32 *)(table + entry); f(Half(*half), key))
        return half + 1;
  }
  Axis axis;
  int32 shift;
};
template <class D, class I> struct InsertIndices : IndexTable {
  void operator()(int64 i, D *table, const I *index) const {
    uint32 *const last = find(table, index[i], [](Half half, uint32 key) {
      uint32 found = half.load();
      return found == key || (found == 0 && half.compare_exchange_strong(found, key)) ||
             found == key;
    });
    if (Half(*last).load() <= uint32(i))
      Half(*last).fetch_max(uint32(i) + 1);
  }
};
// The positions of indices. Occurrences that are not the last one become `no_index`.
template <class D, class I, class T> struct LastIndices : IndexTable {
  void operator()(int64 i, D *out, const I *index, const T *table) const {
    const I own = index[i]; // read once, because other threads may change it
    const uint32 *const last = find(table, own, [](Half half, uint32 key) {
      const uint32 found = half.load();
      return found == key || found == 0;
    });
    out[i] = *last == uint32(i) + 1 ? axis.position(own) : no_index;
  }
};

template <class T>
USMTENSOR_INLINE void grid(Scatter<T, T, int64> f, uint32, uint32, uint32, int64 size, Space space,
                           Operand<T> base, Operand<const T> values, Operand<const int64> index) {
  const uint32 width = work_item().get_local_range(0), end = uint32(size);
  uint32 i = uint32(work_item().get_group(0)) * width * grid_elements +
             uint32(work_item().get_local_id(0));
  for (int k = 0; k < grid_elements && i < end; ++k, i += width)
    if (const int64 at = *address(index, space, i); at != no_index)
      address(base, space, i)[f.axis.position(at) * f.axis.stride] = *address(values, space, i);
}
#endif

// The number of the first index out of range, or -1.
template <class D, class I> struct OutsideRange {
  void operator()(int64 part, int64 begin, int64 end, D *out, const I *index) const {
    constexpr int64 room = 64;
    int64 i = begin;
    for (; end - i >= room; i += room) { // most positions are within the range
      uint64 outside = 0;
      for (int64 k = 0; k < room; ++k)
        outside |= out_of_range(index[i + k], uint64(low), uint64(high) - uint64(low));
      if (int64(outside) < 0)
        break;
    }
    while (i < end && !is_outside(index[i]))
      ++i;
    out[part] = i < end ? i : -1;
  }
#ifndef USMTENSOR_HOST
  void run_group(int64 part, int64 begin, int64 end, D *out, const I *index) const {
    const auto item = work_item();
    int64 i = begin + int64(item.get_local_id(0));
    while (i < end && !is_outside(index[i]))
      i += item.get_local_range(0);
    i = sycl::reduce_over_group(work_group(), i < end ? i : end, sycl::minimum<int64>());
    out[part] = i < end ? i : -1;
  }
#endif
  bool is_outside(int64 position) const { return position < low || position > high; }

  int64 low, high;
};

// Adds the offset of an index to the sum. The first index sets the sum. An index out of range makes
// the sum `no_index`.
template <class D, class O, class I> struct AddOffset {
  D operator()(O offset, I index) const {
    const int64 before = is_first ? 0 : offset;
    const bool has = before != no_index && axis.has(index);
    return has ? before + axis.position(index) * axis.stride : no_index;
  }
  Axis axis;
  int32 is_first;
};

// Adds the offset along one axis of positions that are given in C order.
template <class D, class O, class I> struct AddDigit {
  D operator()(O offset, I position) const {
    return (is_first ? 0 : offset) + position / inner % extent * stride;
  }
  int64 inner, extent, stride;
  int32 is_first;
};

template <class D, class M> struct CountTrue {
  void operator()(int64 part, int64 begin, int64 end, D *out, const M *mask) const {
    int64 count = 0;
    while (begin < end) {
      const int64 stop = end - begin < 4096 ? end : begin + 4096;
      uint32 some = 0;
      if (end - begin >= 4096 + ahead)
        prefetch_ahead(mask + begin, 4096);
      for (; begin < stop; ++begin)
        some += mask[begin].byte != 0;
      count += some;
    }
    out[part] = count;
  }
#ifndef USMTENSOR_HOST
  void run_group(int64 part, int64 begin, int64 end, D *out, const M *mask) const;
#endif
};

// Packs eight bools into bits: one bit for each nonzero byte.
inline uint32 bits_of(uint64 bytes) {
  bytes |= bytes >> 4, bytes |= bytes >> 2, bytes |= bytes >> 1;
  return (bytes & 0x0101010101010101) * 0x0102040810204080 >> 56;
}

// A mask is processed in pieces, whose bools are packed into a word.
inline constexpr int64 mask_piece = 64;
USMTENSOR_INLINE uint64 bits_of_piece(const bool8 *mask, int64 count) {
  uint64 bits = 0;
  if (count == mask_piece) {
    uint64 any = 0;
    for (int64 i = 0; i < mask_piece; i += 8)
      any |= load_as<uint64>(mask + i);
    for (int64 i = 0; any != 0 && i < mask_piece; i += 8)
      bits |= uint64(bits_of(load_as<uint64>(mask + i))) << i;
  } else {
    for (int64 i = 0; i < count; ++i)
      bits |= uint64(mask[i].byte != 0) << i;
  }
  return bits;
}

// Writes value(i) for each true element i of a share to the output. The mask may have changed since
// it was counted, so this writes exactly `room` values, and fills missing ones with the first
// element of the share.
template <class D, class Value, class... S>
USMTENSOR_INLINE void select(bool stream, int64 begin, int64 end, D *out, int64 room, Value value,
                             const bool8 *mask, const S *...in) {
  constexpr int64 step = mask_piece;
  const int64 first = begin;
  Buffer<D, 4096> buffer;
  int64 count = 0;
  auto write = [&](bool stream) {
    count = count < room ? count : room;
    emit(stream, count, out, buffer.data());
    out += count, room -= count, count = 0;
  };
  for (; begin < end; begin += step) {
    if (end - begin >= step + ahead)
      prefetch_ahead(mask + begin, step), (prefetch_ahead(in + begin, step), ...);
    // Writes directly to the output while it has room for a whole piece.
    const bool direct = !stream && count == 0 && room >= step;
    D *const to = direct ? out : buffer.data();
    uint64 bits = bits_of_piece(mask + begin, end - begin < step ? end - begin : step);
    if (bits == ~uint64(0)) {
      for (int64 i = 0; i < step; ++i)
        to[count + i] = value(begin + i);
      count += step;
    } else {
      for (; bits != 0; bits &= bits - 1)
        to[count++] = value(begin + __builtin_ctzll(bits));
    }
    if (direct)
      out += count, room -= count, count = 0;
    else if (count > buffer.size - step)
      write(stream);
  }
  for (write(false); room > 0; write(false))
    buffer.data()[0] = value(first), count = 1;
}

#ifndef USMTENSOR_HOST
// One bit for each of the next `item_elements` elements of a mask.
inline uint32 bits_from(const bool8 *mask, int64 i, int64 end) {
  uint64 low = 0, high = 0;
  if (i + item_elements <= end &&
      reinterpret_cast<standard::uintptr_t>(mask + i) % sizeof(uint64) == 0) {
    const uint64 *const words = reinterpret_cast<const uint64 *>(mask + i);
    low = __builtin_nontemporal_load(words), high = __builtin_nontemporal_load(words + 1);
  } else {
    for (int k = 0; k < item_elements && i + k < end; ++k)
      (k < 8 ? low : high) |= uint64(mask[i + k].byte) << 8 * (k % 8);
  }
  return bits_of(low) | bits_of(high) << 8;
}

// Calls set(n, i) for each true element of a share: n is its rank and i its index. Each work-item
// finds its own true elements; then the work-group processes them in order, so that neighbouring
// work-items write neighbouring elements. Returns the number of true elements.
template <class Set>
USMTENSOR_INLINE int64 each_true(const bool8 *mask, int64 begin, int64 end, Set set) {
  uint16 *const indices = local_memory<uint16, item_elements * work_group_items>();
  const auto item = work_item();
  const int32 lane = item.get_local_id(0), width = item.get_local_range(0);
  int64 done = 0;
  for (int64 first = begin; first < end; first += width * item_elements) {
    const int64 own = first + lane * item_elements;
    uint32 bits = own < end ? bits_from(mask, own, end) : 0;
    const uint32 count = math::popcount(bits);
    uint32 at = sycl::exclusive_scan_over_group(work_group(), count, sycl::plus<uint32>());
    const int32 all = sycl::group_broadcast(work_group(), at + count, width - 1);
    for (; bits != 0; bits &= bits - 1)
      indices[at++] = uint16(lane * item_elements + __builtin_ctz(bits));
    group_barrier();
    for (int32 k = lane; k < all; k += width)
      set(done + k, first + indices[k]);
    group_barrier();
    done += all;
  }
  return done;
}

template <class D, class M>
void CountTrue<D, M>::run_group(int64 part, int64 begin, int64 end, D *out, const M *mask) const {
  const auto item = work_item();
  uint32 count = 0;
  for (int64 i = begin + int64(item.get_local_id(0)) * item_elements; i < end;
       i += int64(item.get_local_range(0)) * item_elements)
    count += math::popcount(bits_from(mask, i, end));
  out[part] = sycl::reduce_over_group(work_group(), count, sycl::plus<uint32>());
}

// As in select(), the mask may have changed, so this writes exactly `room` values.
template <class D, class Value>
USMTENSOR_INLINE void select_in_group(const bool8 *mask, int64 begin, int64 end, D *out, int64 room,
                                      Value value) {
  const int64 found = each_true(mask, begin, end, [&](int64 n, int64 i) USMTENSOR_INLINE_LAMBDA {
    if (n < room)
      out[n] = value(i);
  });
  for (int64 n = found + int64(work_item().get_local_id(0)); n < room;
       n += work_item().get_local_range(0))
    out[n] = value(begin);
}
#endif

// The positions of the true elements of a mask. `starts` has the number of true elements before
// each share, and the total.
template <class D, class M, class I> struct Positions {
  void operator()(int64 part, int64 begin, int64 end, D *out, const M *mask,
                  const I *starts) const {
    select(
        stream, begin, end, out + starts[part], starts[part + 1] - starts[part],
        [](int64 i) { return D(i); }, mask);
  }
#ifndef USMTENSOR_HOST
  void run_group(int64 part, int64 begin, int64 end, D *out, const M *mask, const I *starts) const {
    select_in_group(mask, begin, end, out + starts[part], starts[part + 1] - starts[part],
                    [](int64 i) { return D(i); });
  }
#endif
  int32 stream; // use non-temporal stores
};

// Selects the elements for which a mask is true.
template <class D, class S, class M, class I> struct Compress {
  void operator()(int64 part, int64 begin, int64 end, D *out, const S *in, const M *mask,
                  const I *starts) const {
    D *const to = out + starts[part];
    const int64 room = starts[part + 1] - starts[part];
    if (stride == 1)
      select(stream, begin, end, to, room, [=](int64 i) { return in[i]; }, mask, in);
    else
      select(stream, begin, end, to, room, [=, this](int64 i) { return in[i * stride]; }, mask);
  }
#ifndef USMTENSOR_HOST
  void run_group(int64 part, int64 begin, int64 end, D *out, const S *in, const M *mask,
                 const I *starts) const {
    select_in_group(mask, begin, end, out + starts[part], starts[part + 1] - starts[part],
                    [=, this](int64 i) { return in[i * stride]; });
  }
#endif
  int64 stride;
  int32 stream;
};

// Sets the elements for which a mask is true to `count` values, repeated cyclically.
template <class D, class S, class M, class I> struct Place {
  void operator()(int64 part, int64 begin, int64 end, D *out, const S *values, const M *mask,
                  const I *starts) const {
    constexpr bool masked_stores = sizeof(D) == 4 || sizeof(D) == 8; // the processor has them
    const S first = *values;
    for (int64 k = count == 1 ? 0 : starts[part] % count; begin < end; begin += mask_piece) {
      const int64 length = smallest(mask_piece, end - begin);
      uint64 bits = bits_of_piece(mask + begin, length);
      if (masked_stores && count == 1 && stride == 1 && bits != 0) {
        for (int64 i = begin; i < begin + length; ++i)
          if (mask[i].byte)
            out[i] = first;
        continue;
      }
      for (; bits != 0; bits &= bits - 1) {
        out[(begin + __builtin_ctzll(bits)) * stride] =
            count == 1 ? first : values[k * value_stride];
        k = k + 1 == count ? 0 : k + 1;
      }
    }
  }
#ifndef USMTENSOR_HOST
  void run_group(int64 part, int64 begin, int64 end, D *out, const S *values, const M *mask,
                 const I *starts) const {
    if (count == 1) {
      constexpr int several = 8;
      const S value = *values;
      const int64 width = work_item().get_local_range(0);
      for (int64 i = begin + int64(work_item().get_local_id(0)); i < end; i += several * width) {
        Pack<bool, several> is_set;
        repeat<several>([&](auto k) USMTENSOR_INLINE_LAMBDA {
          is_set.of[k] = i + k * width < end && mask[i + k * width].byte;
        });
        repeat<several>([&](auto k) USMTENSOR_INLINE_LAMBDA {
          if (is_set.of[k])
            out[(i + k * width) * stride] = value;
        });
      }
      return;
    }
    each_true(mask, begin, end, [=, this](int64 n, int64 i) USMTENSOR_INLINE_LAMBDA {
      const int64 k = starts[part] + n;
      out[i * stride] = values[(k < count ? k : k % count) * value_stride];
    });
  }
#endif
  int64 stride, count, value_stride;
};

// Repeats elements: elements starts[k] to starts[k + 1] - 1 of the output are copies of element k.
// Even if the starts are invalid, it stays within its share and the input.
template <class D, class S, class I> struct RepeatRuns {
  // The run that contains an index of the output.
  int64 run_at(int64 index, const I *starts) const {
    return partition_point(starts + 1, runs - 1, [=](I start) { return start <= index; });
  }
  void operator()(int64, int64 begin, int64 end, D *out, const S *in, const I *starts) const {
    constexpr int64 several = 4; // elements written without a branch
    int64 k = begin < end ? run_at(begin, starts) : 0;
    for (int64 i = begin; i < end && k < runs; ++k) {
      const S element = in[k * stride];
      const int64 next = starts[k + 1], stop = next < i ? i : next < end ? next : end;
      int64 j = i;
      if (i + several <= end)
        for (; j < i + several; ++j)
          out[j] = element;
      for (; j < stop; ++j)
        out[j] = element;
      i = stop;
    }
  }
#ifndef USMTENSOR_HOST
  void run_group(int64, int64 begin, int64 end, D *out, const S *in, const I *starts) const {
    const auto item = work_item();
    for (int64 i = begin + int64(item.get_local_id(0)); i < end; i += item.get_local_range(0))
      out[i] = in[run_at(i, starts) * stride];
  }
#endif
  int64 runs, stride;
};

} // namespace usmtensor
