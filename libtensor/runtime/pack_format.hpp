// The bytes of a kernel pack: what kernelc writes, and libtensor embeds and reads. Little-endian.
#pragma once
#include <cstdint>

namespace usmtensor {

// Bytes packed by lz.hpp, `packed` of them from `offset` on.
struct PackBlock {
  std::uint32_t offset, packed, size;
};

// Followed by an entry per kernel, in the order of the source; the data lie behind them.
struct PackHeader {
  static constexpr char magic_value[] = {'U', 'S', 'M', 'K'};
  char magic[4];
  std::uint32_t version = 2, kernels;
  PackBlock source;            // of the family
  PackBlock identity;          // what the binaries are good for: OpenClPlace::identity()
  PackBlock modules, binaries; // the dictionaries of the two
};

struct PackEntry {
  std::uint32_t name;       // the offset of the NUL-terminated name
  PackBlock module, binary; // SPIR-V, native; size 0: no binary
};

} // namespace usmtensor
