// SPIR-V modules.
#pragma once
#include "error.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace usmtensor {

// The words of an instruction. The first word has the number of words and the opcode.
struct Instruction {
  std::uint32_t opcode() const { return words[0] & 0xffff; }
  std::uint32_t size() const { return words[0] >> 16; }
  const std::uint32_t *words;
};

constexpr std::size_t spirv_header = 5; // the words before the first instruction

// Calls f(instruction) for each instruction of a module.
template <class F> void each_instruction(const std::vector<std::uint32_t> &module, F f) {
  for (std::size_t i = spirv_header; i < module.size();) {
    const Instruction instruction{&module[i]};
    if (instruction.size() == 0 || instruction.size() > module.size() - i)
      throw Error(ErrorKind::kernel, "a SPIR-V module is damaged");
    f(instruction);
    i += instruction.size();
  }
}

// The module without inline assembly. That is only x86 prefetches, so a kernel without it computes
// the same, on any device.
std::vector<std::byte> without_assembly(const std::vector<std::byte> &module);

} // namespace usmtensor
