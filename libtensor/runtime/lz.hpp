// The packing of kernels: LZ4 blocks with distances of three bytes, so that a kernel finds matches
// in a dictionary of some megabytes.
#pragma once
#include <cstddef>

namespace usmtensor {

// A block is a series of sequences: a token with the lengths of the literals (high half) and of the
// match beyond the least length; further bytes of a length of 15, up to the first below 255; the
// literals; the distance of the match. The last sequence has only literals.
inline constexpr std::size_t lz_distance_size = 3, lz_least_match = 5;

// Unpacks one block into exactly `size` bytes. Matches may reach back into the dictionary, as if it
// lay before the output. False for damaged input; never accesses bytes outside the ranges.
bool lz_unpack(const unsigned char *block, std::size_t block_size, const unsigned char *dictionary,
               std::size_t dictionary_size, unsigned char *output, std::size_t size);

} // namespace usmtensor
