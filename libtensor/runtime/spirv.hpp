// Modules of SPIR-V.
#pragma once
#include <cstddef>
#include <vector>

namespace usmtensor {

// A module without its instructions in assembly. They are prefetches of x86, so a kernel computes
// the same without them, on any device.
std::vector<std::byte> without_assembly(const std::vector<std::byte> &module);

} // namespace usmtensor
