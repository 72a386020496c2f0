#include "lz_pack.hpp"

#include "runtime/lz.hpp"

#include <cstring>

namespace usmtensor {
namespace {

constexpr int hash_bits = 20, chain_length = 64;
constexpr std::size_t hashed = 4; // bytes
constexpr std::size_t window = (std::size_t(1) << 8 * lz_distance_size) - 1;

std::uint32_t hash(const char *bytes) {
  std::uint32_t word;
  std::memcpy(&word, bytes, hashed);
  return word * 2654435761u >> (32 - hash_bits);
}

// A sequence of literals, and of a match where there is one.
void put(std::string &out, std::string_view literals, std::size_t distance, std::size_t match) {
  auto low = [](std::size_t length) { return length < 15 ? length : 15; };
  auto extend = [&](std::size_t length) {
    if (length < 15)
      return;
    for (length -= 15; length >= 255; length -= 255)
      out += '\xff';
    out += static_cast<char>(length);
  };
  const std::size_t beyond = match ? match - lz_least_match : 0;
  out += static_cast<char>(low(literals.size()) << 4 | low(beyond));
  extend(literals.size());
  out += literals;
  if (!match)
    return;
  for (std::size_t k = 0; k < lz_distance_size; ++k)
    out += static_cast<char>(distance >> 8 * k);
  extend(beyond);
}

} // namespace

LzPacker::LzPacker(std::string_view dictionary)
    : text_(dictionary), dictionary_size_(dictionary.size()), newest_(1 << hash_bits, -1) {
  older_.resize(text_.size());
  for (std::size_t at = 0; at < text_.size(); ++at)
    enter(at);
}

void LzPacker::enter(std::size_t at) {
  if (at + hashed > text_.size())
    return;
  std::int32_t &newest = newest_[hash(&text_[at])];
  older_[at] = newest;
  newest = static_cast<std::int32_t>(at);
}

LzPacker::Match LzPacker::longest_match(std::size_t at) const {
  Match best;
  if (at + hashed > text_.size())
    return best;
  std::int32_t from = newest_[hash(&text_[at])];
  for (int k = 0; k < chain_length && from >= 0 && at - from <= window; ++k, from = older_[from]) {
    if (at + best.size >= text_.size())
      break;
    if (text_[from + best.size] != text_[at + best.size])
      continue;
    std::size_t size = 0;
    while (at + size < text_.size() && text_[from + size] == text_[at + size])
      ++size;
    if (size > best.size)
      best = {size, static_cast<std::size_t>(from)};
  }
  return best;
}

std::string LzPacker::pack(std::string_view block) {
  text_.resize(dictionary_size_);
  text_ += block;
  older_.resize(text_.size());
  const std::string_view text = text_;
  std::string out;
  std::size_t literals = dictionary_size_, at = literals; // the first one not yet written
  while (at < text.size()) {
    const Match match = longest_match(at);
    enter(at);
    // A longer one from the next byte on is worth a literal.
    if (match.size <= lz_least_match || longest_match(at + 1).size > match.size + 1) {
      ++at;
      continue;
    }
    put(out, text.substr(literals, at - literals), at - match.at, match.size);
    for (std::size_t k = 1; k < match.size; ++k)
      enter(at + k);
    literals = at += match.size;
  }
  put(out, text.substr(literals), 0, 0);
  // Forgotten again: the next block knows the dictionary alone.
  while (at-- > dictionary_size_)
    if (at + hashed <= text.size())
      newest_[hash(&text[at])] = older_[at];
  return out;
}

} // namespace usmtensor
