// kernelc SOURCE PART [OPTION...]: compiles SYCL free-function kernels from text, one module per
// kernel: to SPIR-V through the kernel-compiler extension, of which only build() gives the modules
// out, and to native binaries of the CPU device as libtensor does at run time.
//
// kernelc --pack SOURCE PACK PART...: packs the kernels of a source from such parts.
#include "pack.hpp"

#include "runtime/opencl_api.hpp"

#include <sycl/sycl.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace syclexp = sycl::ext::oneapi::experimental;
using namespace usmtensor;

// The name of the only entry point of a SPIR-V module.
std::string entry_point(const std::vector<std::byte> &module) {
  constexpr std::uint32_t magic = 0x07230203, op_entry_point = 15;
  constexpr std::size_t header = 5, name_operand = 3;
  std::vector<std::uint32_t> words(module.size() / 4);
  std::memcpy(words.data(), module.data(), words.size() * 4);
  if (words.size() < header || words[0] != magic)
    throw std::runtime_error("the kernel compiler returned something other than SPIR-V");
  std::string name;
  for (std::size_t i = header; i < words.size();) {
    const std::uint32_t opcode = words[i] & 0xffff, length = words[i] >> 16;
    if (length == 0 || length > words.size() - i)
      throw std::runtime_error("the kernel compiler returned damaged SPIR-V");
    if (opcode == op_entry_point && length > name_operand) {
      if (!name.empty())
        throw std::runtime_error("a module holds more than one kernel: " + name);
      const char *text = reinterpret_cast<const char *>(&words[i + name_operand]);
      name.assign(text, strnlen(text, (length - name_operand) * 4));
    }
    i += length;
  }
  const std::string prefix = "__sycl_kernel_";
  if (name.compare(0, prefix.size(), prefix) != 0)
    throw std::runtime_error("a module has no extern \"C\" kernel");
  return name.substr(prefix.size());
}

// The grid is a loop of other devices; those of strided operands take too long.
bool has_binary(const std::string &name) {
  for (const char *loop : {"_grid_", "_rows_", "_tile_", "_owned_"})
    if (name.find(loop) != name.npos)
      return false;
  return true;
}

// The lines of a compiler log that say what is wrong.
std::string errors(const std::string &log) {
  std::istringstream lines(log);
  std::string line, found;
  for (int count = 0; count < 10 && std::getline(lines, line);)
    if (line.find("error:") != std::string::npos) {
      found += "\n  " + line;
      ++count;
    }
  return found.empty() ? "\n" + log : found;
}

sycl::device cpu() {
  for (const sycl::device &device : sycl::device::get_devices(sycl::info::device_type::cpu))
    if (device.get_backend() == sycl::backend::opencl)
      return device;
  throw std::runtime_error("no OpenCL CPU device: the build environment needs intel-opencl-rt, "
                           "which dpcpp-cpp-rt brings");
}

void compile(const std::string &source, const std::string &output,
             const std::vector<std::string> &options) {
  sycl::device device = cpu();
  if (!device.ext_oneapi_can_build(syclexp::source_language::sycl))
    throw std::runtime_error("this SYCL runtime has no kernel compiler (libsycl-jit.so)");
  const sycl::context context(device);
  const auto place = OpenClPlace::make(context, device);
  if (!place)
    throw std::runtime_error("the OpenCL library lacks a function that makes programs");
  auto bundle = syclexp::create_kernel_bundle_from_source(context, syclexp::source_language::sycl,
                                                          read_file(source));
  std::string log;
  CompiledPart part{place->identity(), {}};
  try {
    const auto built = syclexp::build(
        bundle, syclexp::properties{syclexp::save_log{&log}, syclexp::build_options{options}});
    for (const auto &image : built) {
      const std::vector<std::byte> module = image.ext_oneapi_get_backend_content();
      const std::string name = entry_point(module);
      std::vector<unsigned char> binary;
      if (has_binary(name))
        binary = place->from_spirv(module)->binary();
      part.kernels.push_back({name,
                              {reinterpret_cast<const char *>(module.data()), module.size()},
                              {binary.begin(), binary.end()}});
    }
  } catch (const sycl::exception &error) {
    throw std::runtime_error(source +
                             " does not compile:" + errors(log.empty() ? error.what() : log));
  }
  write_part(output, part);
}

} // namespace

int main(int argc, char **argv) try {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() >= 3 && words[0] == "--pack")
    write_pack(words[2], words[1], {words.begin() + 3, words.end()});
  else if (words.size() >= 2)
    compile(words[0], words[1], {words.begin() + 2, words.end()});
  else {
    std::fputs("usage: kernelc SOURCE PART [OPTION...] | --pack SOURCE PACK PART...\n", stderr);
    return 2;
  }
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "kernelc: %s\n", error.what());
  return 1;
}
