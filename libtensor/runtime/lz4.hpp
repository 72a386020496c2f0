// Reading LZ4 blocks: how the kernel modules are packed.
#pragma once
#include <cstddef>

namespace usmtensor {

// Unpacks one block into exactly `size` bytes. Matches may reach back into the dictionary, as if it
// stood before the output. False for damaged input; nothing outside the ranges is touched.
bool lz4_unpack(const unsigned char *block, std::size_t block_size, const unsigned char *dictionary,
                std::size_t dictionary_size, unsigned char *output, std::size_t size);

} // namespace usmtensor
