// Kernels for NVIDIA's GPUs.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace usmtensor {

// The PTX of each kernel of a source, by name. Needs no GPU; throws if the source does not compile.
std::map<std::string, std::string> compile_ptx(const std::string &source,
                                               const std::vector<std::string> &options);

} // namespace usmtensor
