// Packing bytes as runtime/lz.hpp unpacks them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace usmtensor {

// Packs blocks over one dictionary.
class LzPacker {
public:
  explicit LzPacker(std::string_view dictionary);
  std::string pack(std::string_view block);

private:
  // Chains of earlier places whose bytes have one hash.
  void enter(std::size_t at);
  struct Match {
    std::size_t size = 0, at = 0;
  };
  Match longest_match(std::size_t at) const;

  std::string text_; // the dictionary, then the block
  const std::size_t dictionary_size_;
  std::vector<std::int32_t> newest_, older_;
};

} // namespace usmtensor
