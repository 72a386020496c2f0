// Rows of computing functors on CPUs. Strided elements pass through buffers that stay in the
// caches, so one compute loop serves all strides. The loop takes long to compile, so it is called
// in one place only.
#pragma once
#include "loops.hpp"
#include "transpose.hpp"

namespace usmtensor {

// Loads an element. A complex number is loaded as a vector, so that the compiler selects between
// values rather than between addresses.
template <class T> T get(const T *from) { return *from; }
#ifndef USMTENSOR_HOST
template <class T> Complex<T> get(const Complex<T> *from) {
  const auto pair = load_as<Pair<T>>(from);
  return {pair[0], pair[1]};
}
#endif

// The only compute loop. Not inlined: an inlined loop loses `__restrict`, and the compiler often
// fails to vectorise it.
template <class F, class D, class... S>
[[gnu::noinline]] void compute(F f, int64 n, D *__restrict out, const S *...in) {
  for (int64 i = 0; i < n; ++i)
    out[i] = f(get(in + i)...);
}

// Copies a short row. A plain loop would become a call of memcpy.
template <class T> USMTENSOR_INLINE void copy_short(int64 n, T *to, const T *from) {
  for (; n >= 4; n -= 4, to += 4, from += 4)
    __builtin_memcpy(to, from, 4 * sizeof(T));
  if (n & 2) {
    __builtin_memcpy(to, from, 2 * sizeof(T));
    to += 2, from += 2;
  }
  if (n & 1)
    *to = *from;
}

// Packs rows of n equal elements. Whole vectors are stored if later rows overwrite what exceeds n.
template <class S>
USMTENSOR_INLINE void pack_splats(S *to, int64 n, int64 rows, const S *data, int64 s1) {
  constexpr int64 width = strided_lanes<S>;
  const int64 stored = (n + width - 1) / width * width;
  int64 j = 0;
  for (; (rows - j) * n >= stored; ++j) {
    const Strided<S> elements = Strided<S>{} + load_as<Bits<sizeof(S)>>(data + j * s1);
    __builtin_memcpy(to + j * n, &elements, sizeof elements);
    for (int64 i = width; i < stored; i += width)
      __builtin_memcpy(to + j * n + i, &elements, sizeof elements);
  }
  for (; j < rows; ++j)
    for (int64 i = 0; i < n; ++i)
      copy_scalar(to + j * n + i, data + j * s1);
}

// Packs `rows` rows of n elements into a contiguous buffer. In the source the strides of elements
// and rows are s0 and s1. It is read in the order of its memory.
template <class S>
[[gnu::noinline]] void pack_rows(S *__restrict to, int64 n, int64 rows, const S *data, int64 s0,
                                 int64 s1) {
  if (s0 == 0 && s1 == 0) {
    for (int64 i = 0; i < n * rows; ++i)
      to[i] = *data;
    return;
  }
  if (s1 == 0 && rows > 1) { // each row is a copy of the first one
    read_strided(n, to, [=](int64 i) { return data + i * s0; });
    for (int64 packed = n; packed < n * rows; packed *= 2)
      __builtin_memcpy(to + packed, to, smallest(packed, n * rows - packed) * sizeof(S));
    return;
  }
  if constexpr (sizeof(S) <= 8)
    if (s0 == 0)
      return pack_splats(to, n, rows, data, s1);
  if (s1 == 1 && rows > 1) {
    if (n >= 4)
      return transpose_blocks<4>(n, rows, to, n, data, s0);
    for (int64 i = 0; i < n; ++i)
      write_strided(rows, [=](int64 j) { return to + j * n + i; }, data + i * s0);
    return;
  }
  if (s0 == -1 && rows == 1)
    for (int64 i = 0; i < n; ++i)
      copy_element(to + i, data - i);
  else if (s0 == 1)
    for (int64 j = 0; j < rows; ++j, to += n, data += s1)
      copy_short(n, to, data);
  else
    for (int64 j = 0; j < rows; ++j, to += n, data += s1)
      read_strided(n, to, [=](int64 i) { return data + i * s0; });
}

// Scatters a contiguous buffer back to strided rows.
template <class D>
[[gnu::noinline]] void unpack_rows(D *data, int64 s0, int64 s1, int64 n, int64 rows,
                                   const D *__restrict from) {
  for (int64 j = 0; j < rows; ++j, from += n, data += s1)
    if (s0 == 1)
      copy_short(n, data, from);
    else
      write_strided(n, [=](int64 i) { return data + i * s0; }, from);
}

// Returns `rows` rows of n elements of an input, from `data` on, as contiguous elements: in place,
// or packed into the buffer. A block has at most `longest` elements. A broadcast value (s0 = 0) is
// packed only if `fresh`, because later blocks read the same buffer. The host inlines this, because
// a call for each row costs time; not inlining it saves compile time of device code.
template <class S>
#ifndef USMTENSOR_HOST
[[gnu::noinline]]
#endif
const S *as_contiguous(const Operand<const S> &in, const S *data, int64 n, int64 rows,
                       int64 longest, S *buffer, bool fresh, bool stream) {
  if (in.s0 == 1 && (rows == 1 || in.s1 == n)) {
    if (stream)
      prefetch_ahead(data, n);
    return data;
  }
  if (in.s0 != 0 || rows > 1)
    pack_rows(buffer, n, rows, data, in.s0, in.s1);
  else if (fresh)
    pack_rows(buffer, longest, 1, data, 0, 0);
  return buffer;
}

// Several rows: packed into one block if they are short, or if an input is contiguous across rows;
// otherwise one after another.
template <class F, class D, class... S>
  requires in_blocks<F>
int64 process_rows(bool stream, F f, int64 n, int64 left, int64 rows, const Operand<D> &out,
                   const Operand<const S> &...in) {
  // 1 KB buffers: the compile time of a kernel grows with their size.
  constexpr int64 bytes = largest(sizeof(D), sizeof(S)...), room = 1024 / bytes;
  constexpr int64 piece = smallest<int64>(staged_bytes / sizeof(D), room),
                  side = bytes > 8 ? 8 : 16;
  const bool packed =
      rows > 1 && left >= 2 * n && (n <= side || ((in.s1 == 1 && in.s0 > 1) || ...));
  stream = stream && !packed && out.s0 == 1;
  const bool whole = !stream && out.s0 == 1 && ((in.s0 == 1) && ...);
  const int64 width = packed ? smallest(n, side) : whole ? n : piece;
  rows = smallest(rows, left / n);
  rows = packed ? smallest(rows, room / width) : rows;
  const int64 block_rows = packed ? rows : 1;
  Buffer<D, room * sizeof(D)> result;
  standard::tuple<Buffer<S, room * sizeof(S)>...> buffers;
  const int64 longest = smallest(width, n);
  for (int64 row = 0; row < rows; row += block_rows) {
    const int64 head = stream ? elements_to_line(out.data + row * out.s1) : 0;
    for (int64 i = 0, count = head ? head : width; i < n; i += count, count = width) {
      count = smallest(count, n - i);
      D *const to = out.data + row * out.s1 + i * out.s0;
      const bool direct = !stream && out.s0 == 1 && (block_rows == 1 || out.s1 == count);
      standard::apply(
          [&](auto &...buffer) {
            compute(f, count * block_rows, direct ? to : result.data(),
                    as_contiguous(in, in.data + row * in.s1 + i * in.s0, count, block_rows, longest,
                                  buffer.data(), i == 0 && (row == 0 || in.s1 != 0), stream)...);
          },
          buffers);
      if (stream)
        emit(true, count, to, result.data());
      else if (!direct)
        unpack_rows(to, out.s0, out.s1, count, block_rows, result.data());
    }
  }
  return rows;
}

// One of several functors, whose element types have the sizes of the operands' types.
template <class... F> struct OneOf {
  int32 function;
};
template <class... F> inline constexpr bool in_blocks<OneOf<F...>> = true;
// Placeholder for a functor whose strided operands are copied first on a device.
struct NeverStrided {
  void operator()() const;
};
template <class D, class... S>
void compute_as(void (NeverStrided::*)() const, int64, D *, const S *...) {}
template <class F, class E, class... T, class D, class... S>
USMTENSOR_INLINE void compute_as(E (F::*)(T...) const, int64 n, D *out, const S *...in) {
  static_assert(sizeof(E) == sizeof(D) && ((sizeof(T) == sizeof(S)) && ...));
  compute(F{}, n, reinterpret_cast<E *>(out), reinterpret_cast<const T *>(in)...);
}
template <class... F, class D, class... S>
USMTENSOR_INLINE void compute(OneOf<F...> f, int64 n, D *out, const S *...in) {
  int32 k = 0;
  (void)((f.function == k++ && (compute_as(&F::operator(), n, out, in...), true)) || ...);
}
template <class... F, class D, class S>
void strided_choice(OneOf<F...>, int32 function, int64 size, Space space, Operand<D> out,
                    Operand<S> in) {
  strided(OneOf<F...>{function}, size, space, out, in);
}

} // namespace usmtensor
