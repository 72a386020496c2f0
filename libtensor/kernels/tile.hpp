// The loop for transposes and very short rows: tiles over the two innermost axes.
#pragma once
#include "loops.hpp"
#include "transpose.hpp"

namespace usmtensor {

// Bytes in the buffer of a tile. Two buffers fit in the first-level cache.
inline constexpr int tile_bytes = 20480;

// Split n tuples of K elements into K rows, and the inverse. Not inlined: see run_disjoint.
template <int K, class T>
[[gnu::noinline]] void deinterleave(int64 n, T *__restrict to, int64 pitch,
                                    const T *__restrict from) {
  for (int64 i = 0; i < n; ++i)
    USMTENSOR_UNROLL
  for (int k = 0; k < K; ++k)
    to[k * pitch + i] = from[i * K + k];
}
template <int K, class T>
[[gnu::noinline]] void interleave(int64 n, T *__restrict to, const T *__restrict from,
                                  int64 pitch) {
  for (int64 i = 0; i < n; ++i)
    USMTENSOR_UNROLL
  for (int k = 0; k < K; ++k)
    to[i * K + k] = from[k * pitch + i];
}

// Transposes a matrix of K contiguous rows or columns. Returns false for other shapes.
template <int K, class T>
bool transpose_narrow(int64 e0, int64 e1, T *to, int64 to_pitch, const T *from, int64 from_pitch) {
  if (e1 == K && from_pitch == K)
    deinterleave<K>(e0, to, to_pitch, from);
  else if (e0 == K && to_pitch == K)
    interleave<K>(e1, to, from, from_pitch);
  else
    return false;
  return true;
}

// Transposes between buffers, as transpose_blocks does.
template <class T>
void transpose(int64 e0, int64 e1, T *to, int64 to_pitch, const T *from, int64 from_pitch) {
  if (!transpose_narrow<2>(e0, e1, to, to_pitch, from, from_pitch) &&
      !transpose_narrow<3>(e0, e1, to, to_pitch, from, from_pitch) &&
      !transpose_narrow<4>(e0, e1, to, to_pitch, from, from_pitch))
    transpose_blocks<sizeof(T) <= 8 ? 8 : 4>(e0, e1, to, to_pitch, from, from_pitch);
}

// e0 x e1 elements: reads rows of the source, transposes them in the first-level cache, and writes
// rows of the output. Accessing columns would cause cache-set conflicts.
template <class F, class D, class S>
void transpose_tile(bool stream, F f, int64 e0, int64 e1, Operand<D> out, Operand<const S> in) {
  constexpr int64 pad = 64 / sizeof(S);
  Buffer<S, tile_bytes> read, transposed;
  const S *from = in.data;
  int64 pitch = in.s0;
  if (in.s1 != 1 || (e0 >= short_axis && in.s0 != e1)) {
    from = read.data();
    pitch = e0 < short_axis ? e1 : e1 + pad;
    for (int64 i = 0; i < e0; ++i) {
      S *const to = read.data() + i * pitch;
      const S *const row = in.data + i * in.s0;
      if (in.s1 == 1)
        for (int64 j = 0; j < e1; ++j)
          to[j] = row[j];
      else
        for (int64 j = 0; j < e1; ++j)
          to[j] = row[j * in.s1];
    }
  }
  const int64 out_pitch = e0 < short_axis || e1 < short_axis ? e0 : e0 + pad;
  transpose(e0, e1, transposed.data(), out_pitch, from, pitch);
  const FixedRun<const S, 1> whole{transposed.data()};
  if (out.s1 == e0 * out.s0 && out_pitch == e0)
    return write_row(stream, f, e0 * e1, out.run0(), whole);
  for (int64 j = 0; j < e1; ++j)
    write_row(stream, f, e0, out.along1(j).run0(), whole.from(j * out_pitch));
}

// For CPUs: a work-item copies an even share of the tiles of t0 x t1 elements.
template <class F, class D, class S>
void transpose_tiles(F f, int64 t0, int64 t1, int64 size, Space space, Operand<D> out,
                     Operand<S> in) {
  const int64 tiles0 = (space.n0 + t0 - 1) / t0, tiles1 = (space.n1 + t1 - 1) / t1;
  const int64 tiles = size / (space.n0 * space.n1) * tiles0 * tiles1;
  each_part([=](int64 part, int64 parts) {
    for (int64 k = share(tiles, part, parts), last = share(tiles, part + 1, parts); k < last; ++k) {
      int64 index = k;
      const int64 i0 = take_axis(index, tiles0) * t0, i1 = take_axis(index, tiles1) * t1;
      const auto to = move_kept(out, space, index).along0(i0).along1(i1);
      const auto from = move_kept(in, space, index).along0(i0).along1(i1);
      const int64 e0 = space.n0 - i0 < t0 ? space.n0 - i0 : t0;
      const int64 e1 = space.n1 - i1 < t1 ? space.n1 - i1 : t1;
      if (t1 >= short_axis || (in.s1 == 1 && in.s0 == t1))
        transpose_tile(space.stream, f, e0, e1, to, from);
      else
        for (int64 j = 0; j < e1; ++j)
          write_row(space.stream, f, e0, to.along1(j).run0(), from.along1(j).run0());
    }
  });
}

} // namespace usmtensor
