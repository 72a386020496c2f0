// The packs in the library's data, and the options that they were compiled with; the build writes
// the definitions.
#pragma once
#include <string>
#include <vector>

namespace usmtensor {

struct EmbeddedPack {
  const char *family;
  const unsigned char *data;
};

extern const EmbeddedPack embedded_packs[]; // the last one has no data
extern const std::vector<std::string> kernel_options;

} // namespace usmtensor
