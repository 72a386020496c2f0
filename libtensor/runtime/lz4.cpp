#include "lz4.hpp"

#include <cstring>

namespace usmtensor {

bool lz4_unpack(const unsigned char *block, std::size_t block_size, const unsigned char *dictionary,
                std::size_t dictionary_size, unsigned char *output, std::size_t size) {
  const unsigned char *in = block, *const end = block + block_size;
  std::size_t done = 0;
  // A length of 15 in a token goes on in the bytes that follow, up to the first below 255.
  auto extend = [&](std::size_t &length) {
    for (unsigned char more = 255; more == 255; length += more) {
      if (in == end)
        return false;
      more = *in++;
    }
    return true;
  };
  while (in < end) {
    const unsigned token = *in++;
    std::size_t literals = token >> 4;
    if (literals == 15 && !extend(literals))
      return false;
    if (literals > static_cast<std::size_t>(end - in) || literals > size - done)
      return false;
    if (literals)
      std::memcpy(output + done, in, literals);
    in += literals;
    done += literals;
    if (in == end) // the last sequence has no match
      return done == size;

    if (end - in < 2)
      return false;
    const std::size_t distance = in[0] | in[1] << 8;
    in += 2;
    std::size_t match = token & 15;
    if (match == 15 && !extend(match))
      return false;
    match += 4;
    if (distance == 0 || distance > done + dictionary_size || match > size - done)
      return false;
    // Byte by byte: a match may overlap what it produces.
    for (; match; --match, ++done)
      output[done] =
          distance > done ? dictionary[dictionary_size + done - distance] : output[done - distance];
  }
  return done == size;
}

} // namespace usmtensor
