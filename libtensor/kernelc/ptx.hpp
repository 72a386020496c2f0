// Compiles kernels for NVIDIA GPUs.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace usmtensor {

// Returns the PTX of each kernel of a source, by kernel name. Needs no GPU. Throws if the source
// does not compile.
std::map<std::string, std::string> compile_ptx(const std::string &source,
                                               const std::vector<std::string> &options);

} // namespace usmtensor
