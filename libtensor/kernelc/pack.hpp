// Packs of kernels, from what kernelc makes of the parts of a family.
#pragma once
#include <string>
#include <vector>

namespace usmtensor {

// A kernel as compiled for the CPU device; its binary is empty where no CPU runs it.
struct CompiledKernel {
  std::string name, module, binary;
};
struct CompiledPart {
  std::string identity; // of the CPU device
  std::vector<CompiledKernel> kernels;
};

std::string read_file(const std::string &path);
void write_part(const std::string &path, const CompiledPart &part);
// Packs the kernels of a source, in its order, from files that write_part wrote.
void write_pack(const std::string &path, const std::string &source,
                const std::vector<std::string> &parts);

} // namespace usmtensor
