// Transposes of small blocks.
#pragma once
#include "stream.hpp"

namespace usmtensor {

// Transposes B x B elements through registers.
template <int B, class T>
void transpose_block(T *to, int64 to_pitch, const T *from, int64 from_pitch) {
  T block[B][B];
  USMTENSOR_UNROLL
  for (int i = 0; i < B; ++i)
    USMTENSOR_UNROLL
  for (int j = 0; j < B; ++j)
    block[j][i] = from[i * from_pitch + j];
  USMTENSOR_UNROLL
  for (int j = 0; j < B; ++j)
    USMTENSOR_UNROLL
  for (int i = 0; i < B; ++i)
    to[j * to_pitch + i] = block[j][i];
}

// to[j][i] = from[i][j] for i < e0, j < e1. The pitches are the distances between rows.
template <int B, class T>
void transpose_blocks(int64 e0, int64 e1, T *__restrict to, int64 to_pitch,
                      const T *__restrict from, int64 from_pitch) {
  const int64 b0 = e0 / B * B, b1 = e1 / B * B;
  for (int64 j = 0; j < b1; j += B)
    for (int64 i = 0; i < b0; i += B)
      transpose_block<B>(to + j * to_pitch + i, to_pitch, from + i * from_pitch + j, from_pitch);
  for (int64 j = 0; j < e1; ++j) {
    const int64 begin = j < b1 ? b0 : 0;
    read_strided(e0 - begin, to + j * to_pitch + begin,
                 [=](int64 i) { return from + (begin + i) * from_pitch + j; });
  }
}

} // namespace usmtensor
