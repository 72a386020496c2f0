// kernelc SOURCE OUTPUT [OPTION...]: compiles SYCL free-function kernels from text to SPIR-V, one
// module per kernel, through the kernel-compiler extension. Only build() gives the modules out; it
// also makes them executable on the CPU device, which shows that they can be.
//
// OUTPUT holds, per kernel: name length, module size (32-bit each), name, module.
#include <sycl/sycl.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace syclexp = sycl::ext::oneapi::experimental;

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

void compile(const char *source, const char *output, const std::vector<std::string> &options) {
  std::ifstream file(source);
  std::stringstream text;
  text << file.rdbuf();
  if (!file)
    throw std::runtime_error(std::string("cannot read ") + source);

  sycl::device device = cpu();
  if (!device.ext_oneapi_can_build(syclexp::source_language::sycl))
    throw std::runtime_error("this SYCL runtime has no kernel compiler (libsycl-jit.so)");
  const sycl::context context(device);
  auto bundle = syclexp::create_kernel_bundle_from_source(context, syclexp::source_language::sycl,
                                                          text.str());
  std::string log;
  std::ofstream out(output, std::ios::binary);
  try {
    const auto built = syclexp::build(
        bundle, syclexp::properties{syclexp::save_log{&log}, syclexp::build_options{options}});
    for (const auto &image : built) {
      const std::vector<std::byte> module = image.ext_oneapi_get_backend_content();
      const std::string name = entry_point(module);
      const std::uint32_t sizes[] = {static_cast<std::uint32_t>(name.size()),
                                     static_cast<std::uint32_t>(module.size())};
      out.write(reinterpret_cast<const char *>(sizes), sizeof sizes);
      out.write(name.data(), name.size());
      out.write(reinterpret_cast<const char *>(module.data()), module.size());
    }
  } catch (const sycl::exception &error) {
    throw std::runtime_error(std::string(source) +
                             " does not compile:" + errors(log.empty() ? error.what() : log));
  }
  if (!out.flush())
    throw std::runtime_error(std::string("cannot write ") + output);
}

} // namespace

int main(int argc, char **argv) try {
  if (argc < 3) {
    std::fputs("usage: kernelc SOURCE OUTPUT [OPTION...]\n", stderr);
    return 2;
  }
  compile(argv[1], argv[2], std::vector<std::string>(argv + 3, argv + argc));
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "kernelc: %s\n", error.what());
  return 1;
}
