// The kernels embedded in this library: one pack per operator family.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace usmtensor {

// A kernel in its pack; ids count through all packs.
struct PackedKernel {
  std::string_view family;
  const char *name; // NUL-terminated
  std::vector<std::byte> spirv() const;

  const unsigned char *pack;
  std::uint32_t index;
};

std::uint32_t packed_kernel_count();
PackedKernel packed_kernel(std::uint32_t id);

// The source that a family was compiled from, complete but for the system's and SYCL's headers.
std::string kernel_source(std::string_view family);

} // namespace usmtensor
