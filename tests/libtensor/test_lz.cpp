#include "runtime/lz.hpp"

#include "check.hpp"
#include "kernelc/lz_pack.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace {

// Uses heap copies of exact size, so that a sanitizer or valgrind finds every stray access.
bool unpack(const std::string &block, const std::string &dictionary, std::size_t size,
            std::string *result = nullptr) {
  const std::vector<unsigned char> in(block.begin(), block.end());
  const std::vector<unsigned char> prefix(dictionary.begin(), dictionary.end());
  std::vector<unsigned char> out(size);
  const bool ok = usmtensor::lz_unpack(in.data(), in.size(), prefix.data(), prefix.size(),
                                       out.data(), out.size());
  if (ok && result)
    result->assign(out.begin(), out.end());
  return ok;
}

std::string bytes(std::initializer_list<int> values) {
  return std::string(values.begin(), values.end());
}

} // namespace

int main() {
  std::string text;
  CHECK(unpack(bytes({0x50}) + "hello", "", 5, &text) && text == "hello");
  // "ab", then ten bytes from two back, then "c".
  const std::string overlapping = bytes({0x25, 'a', 'b', 2, 0, 0, 0x10, 'c'});
  CHECK(unpack(overlapping, "", 13, &text) && text == "abababababab"
                                                      "c");
  // A match that begins in the dictionary and ends in the output.
  const std::string prefixed = bytes({0x11, 'x', 4, 0, 0, 0x10, 'y'});
  CHECK(unpack(prefixed, "abc", 8, &text) && text == "xabcxab"
                                                     "y");
  // Long literals and a long match.
  const std::string literals(300, 'l');
  const std::string lengthy =
      bytes({0xff, 255, 30}) + literals + bytes({1, 0, 0, 255, 0, 0x10, 'e'});
  CHECK(unpack(lengthy, "", 300 + 4 + 15 + 256 + 1, &text) && text == std::string(575, 'l') + "e");

  // Every truncation, every wrong size and every single-byte change ends without a stray access.
  for (const std::string &block : {overlapping, prefixed, lengthy}) {
    for (std::size_t length = 0; length < block.size(); ++length)
      unpack(block.substr(0, length), "abc", 13);
    for (std::size_t i = 0; i < block.size(); ++i)
      for (int value = 0; value < 256; ++value) {
        std::string changed = block;
        changed[i] = static_cast<char>(value);
        unpack(changed, "abc", 576);
        unpack(changed, "", 8);
      }
  }
  CHECK(!unpack(overlapping, "", 12));
  CHECK(!unpack(overlapping, "", 14));
  CHECK(!unpack(prefixed, "ab", 8));
  CHECK(!unpack(bytes({0x11, 'x', 0, 0, 0, 0x10, 'y'}), "abc", 8));
  CHECK(!unpack("", "", 1));

  // Unpacking gives the original, with no dictionary, a near one, and one beyond two-byte
  // distances.
  std::string noise;
  for (std::uint32_t k = 0, state = 1; k < 100'000; ++k, state = state * 1664525 + 1013904223)
    noise += static_cast<char>(state >> 24);
  for (const std::string &dictionary : {std::string(), std::string("abc"), noise}) {
    usmtensor::LzPacker packer(dictionary);
    for (const std::string &block :
         {std::string(), std::string("a"), std::string(1000, 'l'), noise.substr(500, 5000),
          noise.substr(0, 300) + std::string(300, 'x') + noise.substr(200, 300)}) {
      const std::string packed = packer.pack(block);
      CHECK(unpack(packed, dictionary, block.size(), &text) && text == block);
      if (dictionary == noise || block == std::string(1000, 'l'))
        CHECK(packed.size() < 16 + block.size() / 2);
    }
  }
  return failures != 0;
}
