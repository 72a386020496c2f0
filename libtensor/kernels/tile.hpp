// The loop for transposes and for very short rows: tiles over the two innermost axes.
#pragma once
#include "loops.hpp"

namespace usmtensor {

// B x B elements through registers: read along the input's unit stride, written along the output's.
template <int B, class F, class D, class S>
void block(F f, D *out, i8 out_stride, S *in, i8 in_stride) {
  D held[B][B];
#pragma unroll
  for (int j = 0; j < B; ++j)
#pragma unroll
    for (int i = 0; i < B; ++i)
      held[i][j] = f(in[i * in_stride + j]);
#pragma unroll
  for (int j = 0; j < B; ++j)
#pragma unroll
    for (int i = 0; i < B; ++i)
      out[j * out_stride + i] = held[i][j];
}

// e0 x e1 elements, in runs along the longer side.
template <class F, class D, class S> void patch(F f, i8 e0, i8 e1, Operand<D> out, Operand<S> in) {
  if (e0 >= e1)
    for (i8 j = 0; j < e1; ++j)
      row(f, e0, Run<D>{out.data + j * out.s1, out.s0}, Run<S>{in.data + j * in.s1, in.s0});
  else
    for (i8 i = 0; i < e0; ++i)
      row(f, e1, Run<D>{out.data + i * out.s0, out.s1}, Run<S>{in.data + i * in.s0, in.s1});
}

// For CPUs: a work-item owns an even range of tiles of t0 x t1 elements.
template <class F, class D, class S>
void tile(F f, i8 t0, i8 t1, i8 size, Space space, Operand<D> out, Operand<S> in) {
  constexpr int B = sizeof(D) + sizeof(S) <= 16 ? 8 : 4;
  const auto item = work_item();
  const i8 part = item.get_global_id(0), parts = item.get_global_range(0);
  const i8 tiles0 = (space.n0 + t0 - 1) / t0, tiles1 = (space.n1 + t1 - 1) / t1;
  const i8 tiles = size / (space.n0 * space.n1) * tiles0 * tiles1;
  const bool blocks = out.s0 == 1 && in.s1 == 1;
  for (i8 k = share(tiles, part, parts), last = share(tiles, part + 1, parts); k < last; ++k) {
    i8 index = k;
    const i8 i0 = take_axis(index, tiles0) * t0, i1 = take_axis(index, tiles1) * t1;
    const i8 c2 = take_axis(index, space.n2), c3 = take_axis(index, space.n3);
    auto here = [&](auto operand) {
      operand = operand.at(space, index);
      operand.data += i0 * operand.s0 + i1 * operand.s1 + c2 * operand.s2 + c3 * operand.s3;
      return operand;
    };
    const auto to = here(out);
    const auto from = here(in);
    const i8 e0 = space.n0 - i0 < t0 ? space.n0 - i0 : t0;
    const i8 e1 = space.n1 - i1 < t1 ? space.n1 - i1 : t1;
    const i8 b0 = blocks ? e0 / B * B : 0, b1 = blocks ? e1 / B * B : 0;
    for (i8 j = 0; j < b1; j += B)
      for (i8 i = 0; i < b0; i += B)
        block<B>(f, to.data + i + j * to.s1, to.s1, from.data + i * from.s0 + j, from.s0);
    if (b1 < e1)
      patch(f, e0, e1 - b1, to.along1(b1), from.along1(b1));
    if (b0 < e0 && b1 > 0)
      patch(f, e0 - b0, b1, to.along0(b0), from.along0(b0));
  }
}

} // namespace usmtensor
