// Transposes of small blocks.
#pragma once
#include "stream.hpp"

namespace usmtensor {

// B x B elements through registers.
template <int B, class T> void turn_block(T *to, i8 to_pitch, const T *from, i8 from_pitch) {
  T held[B][B];
  USMTENSOR_UNROLL
  for (int i = 0; i < B; ++i)
    USMTENSOR_UNROLL
  for (int j = 0; j < B; ++j)
    held[j][i] = from[i * from_pitch + j];
  USMTENSOR_UNROLL
  for (int j = 0; j < B; ++j)
    USMTENSOR_UNROLL
  for (int i = 0; i < B; ++i)
    to[j * to_pitch + i] = held[j][i];
}

// to[j][i] = from[i][j] for i < e0, j < e1, whose rows are some pitches apart.
template <int B, class T>
void turn_blocks(i8 e0, i8 e1, T *__restrict to, i8 to_pitch, const T *__restrict from,
                 i8 from_pitch) {
  const i8 b0 = e0 / B * B, b1 = e1 / B * B;
  for (i8 j = 0; j < b1; j += B)
    for (i8 i = 0; i < b0; i += B)
      turn_block<B>(to + j * to_pitch + i, to_pitch, from + i * from_pitch + j, from_pitch);
  for (i8 j = 0; j < e1; ++j) {
    const i8 begin = j < b1 ? b0 : 0;
    read_apart(e0 - begin, to + j * to_pitch + begin,
               [=](i8 i) { return from + (begin + i) * from_pitch + j; });
  }
}

} // namespace usmtensor
