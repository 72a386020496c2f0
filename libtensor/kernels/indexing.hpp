#pragma once
#include "cast.hpp"
#include "math.hpp"
#include "shared.hpp"

namespace usmtensor {

// The position of an index: adds `shift` to a negative index, and limits the result to the bounds.
struct Axis {
  i8 position(i8 index) const {
    index = index < 0 ? index + shift : index;
    return index < low ? low : index < high ? index : high;
  }
  i8 shift, low, high, stride;
};

// Reads the element of an index. `base` is the start of its axis.
template <class D, class S, class I> struct Gather {
  const S &operator()(const S &base, i8 index) const {
    return (&base)[axis.position(index) * axis.stride];
  }
  Axis axis;
};

// Computes the addresses first, then reads the elements, so that many reads run at once. If all
// positions of a piece lie within bounds, which is usual, uses them unchanged. Reads each index
// once, because other threads may change it.
template <class T, class B, class I>
[[gnu::noinline]] void gather_run(Gather<T, T, i8> f, i8 n, Run<T> out, B base, I index) {
  constexpr i8 room = 64;
  const u8 low = f.axis.low < 0 ? 0 : f.axis.low, span = u8(f.axis.high) - low;
  Buffer<i8, room * sizeof(i8)> held;
  Buffer<const T *, room * sizeof(T *)> places;
  for (i8 begin = 0; begin < n; begin += room) {
    const i8 count = n - begin < room ? n - begin : room;
    u8 outside = 0; // in its sign
    for (i8 i = 0; i < count; ++i) {
      const i8 position = held.data()[i] = index[begin + i];
      outside |= (u8(position) - low) | (span - (u8(position) - low));
    }
    if (i8(outside) >= 0 && f.axis.stride == 1) {
      for (i8 i = 0; i < count; ++i)
        out[begin + i] = (&base[begin + i])[held.data()[i]];
      continue;
    }
    for (i8 i = 0; i < count; ++i)
      places.data()[i] = &f(base[begin + i], held.data()[i]);
    for (i8 i = 0; i < count; ++i)
      out[begin + i] = *places.data()[i];
  }
}

// A row with one index is a row of the source.
template <class T>
void row(bool stream, Gather<T, T, i8> f, i8 n, Run<T> out, Run<const T> base,
         Run<const i8> index) {
  if (index.stride == 0) {
    const T *const from = &f(*base.data, *index.data);
    return row(stream, Cast<T, T>{}, n, out, Run<const T>{from, base.stride});
  }
  if (base.stride == 0 && index.stride == 1)
    return gather_run(f, n, out, FixedRun<const T, 0>{base.data},
                      FixedRun<const i8, 1>{index.data});
  gather_run(f, n, out, base, index);
}

// Writes to the element of an index. If places may repeat, writes only in its own part of the axis,
// so that one work-item writes all values of a place, in order.
template <class D, class S, class I> struct Scatter {
  bool owns(i8 position) const { return u8(position - first) <= u8(reach); }
  Axis axis;
  i8 first = 0, reach = -1; // up to first + reach; all of the axis
};

// Collects the places that the work-item owns first, without an unpredictable branch. Then
// prefetches several places at once.
template <class T, class B, class I>
[[gnu::noinline]] void scatter_run(const Scatter<T, T, i8> f, i8 n, B base, Run<const T> values,
                                   I index) {
  constexpr i8 room = 512, under_way = 16;
  Buffer<i4, room * sizeof(i4)> own;
  Buffer<T *, room * sizeof(T *)> places;
  for (i8 begin = 0; begin < n; begin += room) {
    const i8 end = n - begin < room ? n - begin : room;
    i4 count = 0;
    for (i4 i = 0; i < end; ++i) {
      const i8 position = f.axis.position(index[begin + i]);
      own.data()[count] = i;
      places.data()[count] = &base[begin + i] + position * f.axis.stride;
      count += f.owns(position);
    }
    for (i4 k = 0; k < count; ++k) {
      prefetch(places.data()[k + under_way < count ? k + under_way : k]);
      *places.data()[k] = values[begin + own.data()[k]];
    }
  }
}

template <class T>
void row(bool, const Scatter<T, T, i8> f, i8 n, Run<T> base, Run<const T> values,
         Run<const i8> index) {
  if (index.stride == 0) {
    const i8 position = f.axis.position(*index.data);
    if (f.owns(position))
      run(Cast<T, T>{}, n, Run<T>{base.data + position * f.axis.stride, base.stride}, values);
    return;
  }
  if (base.stride == 0 && index.stride == 1)
    return scatter_run(f, n, FixedRun<T, 0>{base.data}, values, FixedRun<const i8, 1>{index.data});
  scatter_run(f, n, base, values, index);
}

// For places that may repeat: each work-item reads the whole index.
template <class F, class D, class... S>
void owned(F f, i8 size, Space space, Operand<D> out, Operand<S>... in) {
  each_part([=](i8 part, i8 parts) mutable {
    const i8 extent = f.axis.high - f.axis.low + 1;
    const i8 begin = share(extent, part, parts), end = share(extent, part + 1, parts);
    if (begin == end)
      return;
    f.first = f.axis.low + begin, f.reach = end - begin - 1;
    i8 index = 0;
    for (i8 left = size; left > 0; ++index)
      left = walk(f, left, space, {}, out.at(space, index), in.at(space, index)...);
  });
}

// The first index out of range, or -1.
template <class D, class I> struct OutsideRange {
  void operator()(i8 part, i8 begin, i8 end, D *out, const I *index) const {
    i8 i = begin;
    while (i < end && (low <= index[i] && index[i] < extent))
      ++i;
    out[part] = i < end ? i : -1;
  }
  i8 low, extent;
};

// Adds the offset of an index to the sum; the first index sets the sum. Unsigned ones come as bits.
template <class D, class O, class I> struct AddOffset {
  D operator()(O offset, I index) const {
    const i8 position = is_unsigned && index < 0 ? axis.high : axis.position(index);
    return (is_first ? 0 : offset) + position * axis.stride;
  }
  Axis axis;
  i4 is_unsigned, is_first;
};

// Adds the offset on one axis of positions in C order.
template <class D, class O, class I> struct AddDigit {
  D operator()(O offset, I position) const {
    return (is_first ? 0 : offset) + position / inner % extent * stride;
  }
  i8 inner, extent, stride;
  i4 is_first;
};

template <class D, class M> struct CountTrue {
  void operator()(i8 part, i8 begin, i8 end, D *out, const M *mask) const {
    i8 count = 0;
    while (begin < end) {
      const i8 stop = end - begin < 4096 ? end : begin + 4096;
      u4 some = 0;
      if (end - begin >= 4096 + ahead)
        prefetch_ahead(mask + begin, 4096);
      for (; begin < stop; ++begin)
        some += mask[begin].byte != 0;
      count += some;
    }
    out[part] = count;
  }
};

// The numbers of the true lanes of eight, in order, by a mask of bits.
struct TrueLanes {
  constexpr TrueLanes() {
    for (int bits = 0; bits < 256; ++bits)
      for (int lane = 0, count = 0; lane < 8; ++lane)
        if (bits >> lane & 1)
          of[bits][count++] = lane;
  }
  u1 of[256][8] = {};
};
inline constexpr TrueLanes true_lanes;

// Eight elements of memory as a vector of a type, and back.
template <class T> using Eight = typename VectorOf<T, 8 * sizeof(T)>::Type;
template <class T, class S> Eight<T> load_eight(const S *from) {
  return __builtin_convertvector(load_as<Eight<S>>(from), Eight<T>);
}
template <class D, class V> void store_eight(D *to, V value) {
  const auto bits = __builtin_convertvector(value, Eight<Bits<sizeof(D)>>);
  __builtin_memcpy(to, &bits, sizeof bits);
}

template <class V> V permute(V value, V lanes) {
#ifdef USMTENSOR_HOST
  return __builtin_shuffle(value, lanes);
#else
  return __builtin_shufflevector(value, lanes);
#endif
}

// One bit for each of eight bytes that is not zero.
inline u4 bits_of(u8 bytes) {
  bytes |= bytes >> 4, bytes |= bytes >> 2, bytes |= bytes >> 1;
  return (bytes & 0x0101010101010101) * 0x0102040810204080 >> 56;
}

// Writes the values of take(i, lanes, to) for the true ones of the eight elements from i on to the
// output, through a buffer, without a branch. `in` is its contiguous input, or null. The mask may
// have changed since its true elements were counted. So this writes exactly `room` values, and the
// first element of the share for missing ones.
template <class D, class F, class... S>
USMTENSOR_INLINE void select(bool stream, i8 begin, i8 end, D *out, i8 room, F take, const b1 *mask,
                             const S *...in) {
  constexpr i8 step = 64;
  const i8 first = begin;
  Buffer<D, 4096> held;
  i8 count = 0;
  auto write = [&](bool stream) {
    count = count < room ? count : room;
    emit(stream, count, out, held.data());
    out += count, room -= count, count = 0;
  };
  auto take_eight = [&](i8 i, u8 word, D *to) {
    const u4 bits = bits_of(word);
    take(i, true_lanes.of[bits], to + count);
    count += math::popcount(bits);
  };
  for (; begin + step <= end; begin += step) {
    if (end - begin >= step + ahead)
      prefetch_ahead(mask + begin, step), ((in ? prefetch_ahead(in + begin, step) : void()), ...);
    // Directly into the output while it has room for all.
    const bool direct = !stream && count == 0 && room >= step;
    D *const to = direct ? out : held.data();
#pragma unroll
    for (i8 i = 0; i < step; i += 8)
      take_eight(begin + i, load_as<u8>(mask + begin + i), to);
    if (direct)
      out += count, room -= count, count = 0;
    else if (count > held.size - step)
      write(stream);
  }
  for (; begin < end; begin += 8) {
    u8 word = 0;
    for (i8 i = 0; i < 8 && begin + i < end; ++i)
      word |= u8(mask[begin + i].byte) << 8 * i;
    take_eight(begin, word, held.data());
  }
  for (write(false); room > 0; write(false))
    take(first, true_lanes.of[0], held.data()), count = 8;
}

// The positions of a mask's true elements. `starts` has their number before each share, and in all.
template <class D, class M, class I> struct Positions {
  void operator()(i8 part, i8 begin, i8 end, D *out, const M *mask, const I *starts) const {
    auto take = [](i8 i, const u1 *lanes, D *to) {
      // By shifts of one word: the host's compiler converts vectors one lane at a time.
      constexpr Eight<u8> shifts{0, 8, 16, 24, 32, 40, 48, 56};
      store_eight(to, ((Eight<u8>{} + load_as<u8>(lanes)) >> shifts & u8(255)) + u8(i));
    };
    select(stream, begin, end, out + starts[part], starts[part + 1] - starts[part], take, mask);
  }
  i4 stream; // as of loops
};

// The elements for which a mask is true.
template <class D, class S, class M, class I> struct Compress {
  void operator()(i8 part, i8 begin, i8 end, D *out, const S *in, const M *mask,
                  const I *starts) const {
    auto take = [=, this](i8 i, const u1 *lanes, D *to) {
      if constexpr (sizeof(D) <= 8) {
        using Lane = std::conditional_t<sizeof(D) == 1, u2, D>; // CPUs permute no vectors of bytes
        if (stride == 1 && end - i >= 8)
          return store_eight(to, permute(load_eight<Lane>(in + i), load_eight<Lane>(lanes)));
      }
#pragma unroll
      for (int k = 0; k < 8; ++k)
        to[k] = in[(i + lanes[k]) * stride];
    };
    select(stream, begin, end, out + starts[part], starts[part + 1] - starts[part], take, mask,
           stride == 1 ? in : nullptr);
  }
  i8 stride;
  i4 stream;
};

// Sets the elements for which a mask is true to `count` values, which repeat.
template <class D, class S, class M, class I> struct Place {
  void operator()(i8 part, i8 begin, i8 end, D *out, const S *values, const M *mask,
                  const I *starts) const {
    if (count == 1) {
      const S value = *values;
      for (i8 i = begin; i < end; ++i)
        if (mask[i].byte)
          out[i * stride] = value;
      return;
    }
    i8 k = starts[part] % count;
    for (i8 i = begin; i < end; ++i)
      if (mask[i].byte) {
        out[i * stride] = values[k * value_stride];
        k = k + 1 == count ? 0 : k + 1;
      }
  }
  i8 stride, count, value_stride;
};

} // namespace usmtensor
