// The bytes of a kernel pack. kernelc writes it, libtensor embeds and reads it. Little-endian.
#pragma once
#include <cstdint>

namespace usmtensor {

// `packed` bytes from `offset` on, in the format of lz.hpp.
struct PackBlock {
  std::uint32_t offset, packed, size;
};

// Followed by an entry per kernel, in the order of the source; the data lie behind them.
struct PackHeader {
  static constexpr char magic_value[] = {'U', 'S', 'M', 'K'};
  char magic[4];
  std::uint32_t version = 3, kernels;
  PackBlock source;                 // of the family
  PackBlock identity;               // of the binaries: OpenClPlace::identity()
  PackBlock modules, binaries, ptx; // the dictionaries of the three
};

struct PackEntry {
  std::uint32_t name;            // the offset of the NUL-terminated name
  PackBlock module, binary, ptx; // SPIR-V, native, for NVIDIA's GPUs; size 0: none
};

} // namespace usmtensor
