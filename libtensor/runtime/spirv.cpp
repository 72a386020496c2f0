#include "spirv.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>

namespace usmtensor {
namespace {

using Word = std::uint32_t;
constexpr Word op_name = 5, op_extension = 10, op_capability = 17, op_decorate = 71;
constexpr Word op_asm_target = 5609, op_asm = 5610, op_asm_call = 5611, asm_capability = 5606;
constexpr std::string_view asm_extension = "SPV_INTEL_inline_assembly";

} // namespace

std::vector<std::byte> without_assembly(const std::vector<std::byte> &module) {
  std::vector<Word> words(module.size() / sizeof(Word)), kept;
  std::memcpy(words.data(), module.data(), words.size() * sizeof(Word));
  std::set<Word> removed; // ids that the removed instructions define
  each_instruction(words, [&](Instruction one) {
    if (one.opcode() == op_asm_target)
      removed.insert(one.words[1]);
    else if (one.opcode() == op_asm || one.opcode() == op_asm_call)
      removed.insert(one.words[2]);
  });
  const auto is_assembly = [&](Instruction one) {
    switch (one.opcode()) {
    case op_asm_target:
    case op_asm:
    case op_asm_call:
      return true;
    case op_capability:
      return one.words[1] == asm_capability;
    case op_extension:
      return reinterpret_cast<const char *>(one.words + 1) == asm_extension;
    case op_name:
    case op_decorate:
      return removed.count(one.words[1]) != 0;
    default:
      return false;
    }
  };
  kept.assign(words.begin(), words.begin() + std::min(words.size(), spirv_header));
  each_instruction(words, [&](Instruction one) {
    if (!is_assembly(one))
      kept.insert(kept.end(), one.words, one.words + one.size());
  });
  std::vector<std::byte> result(kept.size() * sizeof(Word));
  std::memcpy(result.data(), kept.data(), result.size());
  return result;
}

} // namespace usmtensor
