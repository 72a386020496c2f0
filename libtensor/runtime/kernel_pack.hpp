// The kernels embedded in this library: one pack per operator family.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace usmtensor {

// The packs, and the options of their compilation. The build writes the definitions.
extern const unsigned char *const embedded_packs[]; // the last one is null
extern const std::vector<std::string> kernel_options;

// The headers of libtensor/kernels, which the kernels of users may include.
struct EmbeddedHeader {
  const char *name, *text; // NUL-terminated
};
extern const EmbeddedHeader embedded_headers[]; // the last one has no name
std::uint64_t kernel_headers_hash();

// A kernel in its pack; ids count through all packs.
struct PackedKernel {
  const char *name; // NUL-terminated
  std::vector<std::byte> spirv() const;
  // For NVIDIA's GPUs, if the build asked for it.
  bool has_ptx() const;
  std::string ptx() const;
  // The source of its family, complete but for the system's and SYCL's headers.
  std::string source() const;

  const unsigned char *pack;
  std::uint32_t index;
};

std::uint32_t packed_kernel_count();
PackedKernel packed_kernel(std::uint32_t id);

} // namespace usmtensor
