// Copying bytes on the host.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace usmtensor {

// std::memmove is ten times slower if destination - source is 1 to 31 bytes modulo 4 KB: processors
// mistake each load for a load of bytes that were just stored (4K aliasing). Copying from the end
// to the start avoids that. Slices of arrays and NumPy's large arrays often have such addresses.
inline void move_bytes(void *destination, const void *source, std::size_t nbytes) {
  auto *const to = static_cast<unsigned char *>(destination);
  auto *const from = static_cast<const unsigned char *>(source);
  const std::uintptr_t ahead =
      reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from);
  const bool overlaps = -ahead < nbytes; // the source extends past the destination's start
  if (nbytes >= 1024 && ahead % 4096 - 1 < 31 && !overlaps) {
    struct Chunk {
      unsigned char bytes[64];
    } chunk;
    for (; nbytes >= sizeof chunk; std::memcpy(to + nbytes, &chunk, sizeof chunk)) {
      nbytes -= sizeof chunk;
      std::memcpy(&chunk, from + nbytes, sizeof chunk);
    }
  }
  std::memmove(to, from, nbytes);
}

} // namespace usmtensor
