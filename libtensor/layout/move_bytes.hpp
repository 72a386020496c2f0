// A copy of bytes on the host.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace usmtensor {

// std::memmove is ten times slower where the destination lies 1 to 31 bytes further within a page
// of 4 KB than the source: processors mistake each load for a load of bytes that were just stored.
// A copy from the end to the start has no such loads. Slices of arrays and NumPy's large arrays
// often have such addresses.
inline void move_bytes(void *destination, const void *source, std::size_t nbytes) {
  auto *const to = static_cast<unsigned char *>(destination);
  auto *const from = static_cast<const unsigned char *>(source);
  const std::uintptr_t ahead =
      reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from);
  const bool into_itself = -ahead < nbytes; // the source goes on after the destination's start
  if (nbytes >= 1024 && ahead % 4096 - 1 < 31 && !into_itself) {
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
