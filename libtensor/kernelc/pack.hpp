// Packs of kernels.
#pragma once
#include <string>

namespace usmtensor {

std::string read_file(const std::string &path);
void write_file(const std::string &path, const std::string &bytes);

// Packs the kernels of a source, in its order. The folder holds the files `identity`, of the CPU
// device, and for each kernel NAME.spv, its module, and NAME.bin, its native binary. The binary is
// empty where no CPU runs the kernel. NAME.ptx is its PTX, if the build asks for it.
void write_pack(const std::string &path, const std::string &source, const std::string &folder);

} // namespace usmtensor
