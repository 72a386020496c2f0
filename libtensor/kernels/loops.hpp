// Loops over elements. A loop handles the layout and applies a functor, which handles scalars.
#pragma once
#include "kernel.hpp"
#include "limits.hpp"
#include "stream.hpp"

namespace usmtensor {

// The elements of one operand along one axis. Addresses are computed as integers, because the CPU
// compiler then emits fewer gathers and scatters, which are slower than scalar accesses.
template <class T> struct Run {
  T &operator[](int64 i) const {
    return *reinterpret_cast<T *>(reinterpret_cast<standard::uintptr_t>(data) +
                                  i * stride * sizeof(T));
  }
  static constexpr bool unit = false;
  Run from(int64 i) const { return {data + i * stride, stride}; }
  T *data;
  int64 stride;
};
template <class T, int Stride> struct FixedRun {
  T &operator[](int64 i) const { return data[i * Stride]; }
  static constexpr bool unit = Stride == 1;
  FixedRun from(int64 i) const { return {data + i * Stride}; }
  T *data;
};

// The iteration space of one launch, innermost axis first. Axes from the fifth on are stored in
// device-readable memory: for each axis its extent, then one stride per operand, the output's
// first.
struct Space {
  int64 n0, n1, n2, n3;
  const int64 *outer;
  int32 outer_count;
  int32 operands;
  int32 stream = 0; // the output exceeds the caches: see stream.hpp
};

// One operand over that space. `column` is the index of its strides in each entry of `outer`.
template <class T> struct Operand {
  using Element = standard::remove_const_t<T>;
  // The operand at a position on the axes from the fifth on.
  Operand at(const Space &space, int64 position) const {
    Operand moved = *this;
    const int64 *axis = space.outer;
    for (int32 k = 0; k < space.outer_count; ++k, axis += 1 + space.operands) {
      moved.data += position % axis[0] * axis[column];
      position /= axis[0];
    }
    return moved;
  }
  // The operand, moved `count` elements along an axis.
  Operand along0(int64 count) const { return {data + count * s0, s0, s1, s2, s3, column}; }
  Operand along1(int64 count) const { return {data + count * s1, s0, s1, s2, s3, column}; }
  Run<T> run0() const { return {data, s0}; }

  T *data;
  int64 s0, s1, s2, s3;
  int32 column;
};

// True for functors that only move elements.
template <class F> inline constexpr bool moves_only = false;
// True for functors whose rows blocks.hpp computes.
template <class F> inline constexpr bool in_blocks = false;

template <class F, class D, class... S> USMTENSOR_INLINE void set(F f, D &out, const S &...in) {
  if constexpr (moves_only<F>)
    copy_element(&out, &in...);
  else
    out = f(in...);
}

template <class F, class D, class... S> USMTENSOR_INLINE void run(F f, int64 n, D out, S... in) {
  for (int64 i = 0; i < n; ++i)
    set(f, out[i], in[i]...);
}

// Not inlined: an inlined loop loses `__restrict`, and the compiler often fails to vectorise it.
template <class F, class D, class... S>
[[gnu::noinline]] void run_disjoint(F f, int64 n, D *__restrict out, S... in) {
  for (int64 i = 0; i < n; ++i)
    set(f, out[i], in[i]...);
}

template <class F, class T>
  requires moves_only<F>
[[gnu::noinline]] void run_disjoint(F, int64 n, T *__restrict out, Run<const T> in) {
  read_strided(n, out, [=](int64 i) { return &in[i]; });
}

template <class F, class T>
  requires moves_only<F>
[[gnu::noinline]] void run(F, int64 n, Run<T> out, Run<const T> in) {
  Buffer<T, staged_bytes> buffer;
  for (int64 i = 0, count; i < n; i += count) {
    count = n - i < buffer.size ? n - i : buffer.size;
    const T *from = in.data + i;
    if (in.stride != 1) {
      read_strided(count, buffer.data(), [=](int64 k) { return &in[i + k]; });
      from = buffer.data();
    }
    write_strided(count, [=](int64 k) { return &out[i + k]; }, from);
  }
}

// A fill.
template <class F, class T> [[gnu::noinline]] void run(F f, int64 n, Run<T> out) {
  Buffer<T, staged_bytes> buffer;
  const int64 room = n < buffer.size ? n : buffer.size;
  for (int64 i = 0; i < room; ++i)
    buffer.data()[i] = f();
  for (int64 i = 0, count; i < n; i += count) {
    count = n - i < room ? n - i : room;
    write_strided(count, [=](int64 k) { return &out[i + k]; }, buffer.data());
  }
}

// Copies a row by cache lines of the output. A plain loop would become a call of memcpy, which is
// ten times slower on AMD processors if the output starts 1 to 31 bytes after the input modulo 4
// KB, as in a shift by one element.
template <class T> [[gnu::noinline]] void move_row(int64 n, T *out, const T *in) {
  using Half =
      VectorOf<uint64, sizeof(Line) / 2>::Type; // the host compiler uses no larger registers
  constexpr int64 line = sizeof(Line) / sizeof(T), half = line / 2;
  auto move_line = [=](int64 i) USMTENSOR_INLINE_LAMBDA {
    const Half first = load_as<Half>(in + i), second = load_as<Half>(in + i + half);
    __builtin_memcpy(out + i, &first, sizeof first);
    __builtin_memcpy(out + i + half, &second, sizeof second);
  };
  int64 i = 0;
  if (n >= 4 * line) {
    move_line(0);
    i = elements_to_line(out);
  }
  for (; i + line <= n; i += line)
    move_line(i);
  for (; i < n; ++i)
    out[i] = in[i];
}

// Contiguous output with non-temporal stores. The results go to a buffer first, which stays in the
// caches, so that the loop vectorises for any alignment.
template <class F, class D, class... S>
[[gnu::noinline]] void run_streamed(F f, int64 n, D *out, S... in) {
  constexpr bool moves = moves_only<F> && (S::unit && ...);
  if constexpr (moves)
    if (n * sizeof(D) < 16384) // prefetching pays only for long rows
      return emit(true, n, out, in.data...);
  Buffer<D, staged_bytes> buffer;
  int64 i = elements_to_line(out);
  i = i < n ? i : n;
  run_disjoint(f, i, out, in...);
  for (constexpr int64 room = buffer.size; i < n; i += room) {
    const int64 count = n - i < room ? n - i : room;
    if constexpr (moves) {
      (prefetch_ahead(in.data + i, count), ...);
      emit(true, count, out + i, in.data + i...);
    } else {
      run_disjoint(f, count, buffer.data(), in.from(i)...);
      emit(true, count, out + i, buffer.data());
    }
  }
}

// Contiguous output, with or without non-temporal stores.
template <class F, class D, class... S>
USMTENSOR_INLINE void write_contiguous(bool stream, F f, int64 n, D *out, S... in) {
  if constexpr (may_stream)
    if (stream)
      return run_streamed(f, n, out, in...);
  if constexpr (moves_only<F> && (S::unit && ...))
    move_row(n, out, in.data...);
  else
    run_disjoint(f, n, out, in...);
}

// One row. The operand types carry the common strides.
template <class F, class D, class... S>
USMTENSOR_INLINE void write_row(bool stream, F f, int64 n, Run<D> out, S... in) {
  if (out.stride != 1)
    run(f, n, out, in...);
  else
    write_contiguous(stream, f, n, out.data, in...);
}

// One row. Turns the common strides into constants, so that the compiler can vectorise.
template <class F, class D, class... S>
void row(bool stream, F f, int64 n, Run<D> out, Run<S>... in) {
  if (out.stride != 1)
    return run(f, n, out, in...);
  if (((in.stride == 1) && ...))
    return write_row(stream, f, n, out, FixedRun<S, 1>{in.data}...);
  if constexpr (sizeof...(S) == 1) {
    const int64 stride = (in.stride + ...);
    if (stride == 0)
      return write_row(stream, f, n, out, FixedRun<S, 0>{in.data}...);
    if (stride == -1)
      return write_row(stream, f, n, out, FixedRun<S, -1>{in.data}...);
  }
  write_row(stream, f, n, out, in...);
}

// True if rows are long enough to stream. Moves need no buffer, so any row is.
template <class F, class D> bool worth_streaming(int64 n) {
  return moves_only<F> || n * sizeof(D) >= 4096;
}

#ifndef __NVPTX__
// Contiguous operands: one element per work-item. On NVIDIA GPUs a work-item computes several
// elements (grid.hpp).
template <class F, class D, class... S> void contiguous(F f, int64 size, D *out, S *...in) {
  each_item(size, [=](int64 i) { out[i] = f(in[i]...); });
}
#endif

// The index of the first element of a part, if n elements are divided evenly among `parts` parts.
inline int64 share(int64 n, int64 part, int64 parts) {
  const int64 rest = n % parts;
  return n / parts * part + (part < rest ? part : rest);
}

// Contiguous elements in even shares: calls f(part, first, last, operands) for each share.
template <class F, class D, class... S> void partition(F f, int64 size, D *out, S *...in) {
  each_part([=](int64 part, int64 parts) {
    f(part, share(size, part, parts), share(size, part + 1, parts), out, in...);
  });
}

// The index of the first of n elements for which `before` is false.
template <class T, class B> int64 partition_point(const T *sorted, int64 n, B before) {
  int64 index = 0;
  for (; n > 0;) {
    const int64 half = n / 2;
    if (before(sorted[index + half]))
      index += half + 1, n -= half + 1;
    else
      n = half;
  }
  return index;
}

// A position on the four inner axes.
template <class I> struct Position {
  I c0, c1, c2, c3;
};

template <class I> I take_axis(I &index, int64 n) {
  const I rest = index / I(n), c = index - rest * I(n);
  index = rest;
  return c;
}

// The operand at a position on the axes from the third on.
template <class I, class T> Operand<T> move_kept(Operand<T> operand, const Space &space, I index) {
  const I c2 = take_axis(index, space.n2), c3 = take_axis(index, space.n3);
  operand = operand.at(space, index);
  operand.data += c2 * operand.s2 + c3 * operand.s3;
  return operand;
}

// The address of an element, given its index in C order.
template <class I, class T> T *address(Operand<T> operand, const Space &space, I index) {
  if (index < space.n0)
    return operand.data + index * operand.s0;
  const I c0 = take_axis(index, space.n0), c1 = take_axis(index, space.n1);
  return move_kept(operand, space, index).along0(c0).along1(c1).data;
}

// Computes the next row, of n elements, or several rows: at most `rows` rows and `left` elements.
// Returns the number of rows.
template <class F, class D, class... S>
int64 process_rows(bool stream, F f, int64 n, int64, int64, const Operand<D> &out,
                   const Operand<S> &...in) {
  row(stream, f, n, out.run0(), in.run0()...);
  return 1;
}

// Processes rows on the four inner axes, from a position on. Returns the number of elements left.
template <class F, class D, class... S>
int64 walk(F f, int64 left, const Space &space, Position<int64> c, Operand<D> out,
           Operand<S>... in) {
  auto move = [&](auto &operand) {
    operand.data += c.c0 * operand.s0 + c.c1 * operand.s1 + c.c2 * operand.s2 + c.c3 * operand.s3;
  };
  move(out);
  (move(in), ...);
  const bool stream = may_stream && space.stream && worth_streaming<F, D>(space.n0);
  for (;;) {
    const int64 n = left < space.n0 - c.c0 ? left : space.n0 - c.c0;
    const int64 rows =
        process_rows(stream, f, n, left, c.c0 == 0 ? space.n1 - c.c1 : 1, out, in...);
    left -= rows * n;
    if (left == 0)
      return 0;
    out.data += rows * out.s1 - c.c0 * out.s0;
    ((in.data += rows * in.s1 - c.c0 * in.s0), ...);
    c.c0 = 0;
    if ((c.c1 += rows) < space.n1)
      continue;
    c.c1 = 0;
    out.data += out.s2 - space.n1 * out.s1, ((in.data += in.s2 - space.n1 * in.s1), ...);
    if (++c.c2 < space.n2)
      continue;
    c.c2 = 0;
    out.data += out.s3 - space.n2 * out.s2, ((in.data += in.s3 - space.n2 * in.s2), ...);
    if (++c.c3 == space.n3)
      return left;
  }
}

// For CPUs: a work-item computes an even share of the elements and counts its position like an
// odometer.
template <class F, class D, class... S>
void strided(F f, int64 size, const Space &space, const Operand<D> &out, const Operand<S> &...in) {
  each_part([&](int64 part, int64 parts) USMTENSOR_INLINE_LAMBDA {
    int64 index = share(size, part, parts);
    int64 left = share(size, part + 1, parts) - index;
    Position<int64> c{};
    if (index != 0) {
      c.c0 = take_axis(index, space.n0), c.c1 = take_axis(index, space.n1);
      c.c2 = take_axis(index, space.n2), c.c3 = take_axis(index, space.n3);
    }
    for (; left > 0; ++index, c = {})
      left = walk(f, left, space, c, out.at(space, index), in.at(space, index)...);
  });
}

} // namespace usmtensor

#ifdef USMTENSOR_HOST
#include <host_float16.hpp> // in angle brackets, so that the device source does not include it
#endif
