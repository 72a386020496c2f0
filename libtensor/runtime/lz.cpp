#include "lz.hpp"

#include <algorithm>
#include <cstring>

namespace usmtensor {

bool lz_unpack(const unsigned char *block, std::size_t block_size, const unsigned char *dictionary,
               std::size_t dictionary_size, unsigned char *output, std::size_t size) {
  const unsigned char *in = block, *const end = block + block_size;
  std::size_t done = 0;
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
    if (in == end)
      return done == size;

    if (static_cast<std::size_t>(end - in) < lz_distance_size)
      return false;
    const std::size_t distance = in[0] | in[1] << 8 | in[2] << 16;
    in += lz_distance_size;
    std::size_t match = token & 15;
    if (match == 15 && !extend(match))
      return false;
    match += lz_least_match;
    if (distance == 0 || distance > done + dictionary_size || match > size - done)
      return false;
    if (distance > done) {
      const std::size_t back = distance - done, count = std::min(match, back);
      std::memcpy(output + done, dictionary + dictionary_size - back, count);
      done += count;
      match -= count;
    }
    if (match <= distance) {
      if (match)
        std::memcpy(output + done, output + done - distance, match);
      done += match;
    } else // it overlaps its own output
      for (; match; --match, ++done)
        output[done] = output[done - distance];
  }
  return done == size;
}

} // namespace usmtensor
