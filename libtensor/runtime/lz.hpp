// How kernels are packed: blocks as those of LZ4, but that distances take three bytes. So a kernel
// finds its like in a dictionary of some megabytes.
#pragma once
#include <cstddef>

namespace usmtensor {

// A block is a row of sequences: a token with the lengths of literals (high half) and of a match
// beyond the least, a length of 15 going on in bytes up to the first below 255; the literals; the
// distance of the match. The last sequence has literals alone.
inline constexpr std::size_t lz_distance_size = 3, lz_least_match = 5;

// Unpacks one block into exactly `size` bytes. Matches may reach back into the dictionary, as if it
// stood before the output. False for damaged input; nothing outside the ranges is touched.
bool lz_unpack(const unsigned char *block, std::size_t block_size, const unsigned char *dictionary,
               std::size_t dictionary_size, unsigned char *output, std::size_t size);

} // namespace usmtensor
