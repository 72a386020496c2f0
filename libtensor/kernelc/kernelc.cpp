// kernelc SOURCE FOLDER [OPTION...]: compiles the SYCL free-function kernels of a source to SPIR-V,
// one module per kernel, with the kernel compiler extension.
//
// kernelc --ptx SOURCE FOLDER [OPTION...]: compiles them to PTX, for NVIDIA GPUs.
//
// It writes NAME.spv or NAME.ptx into the folder for each kernel.
#include "ptx.hpp"

#include "runtime/spirv.hpp"

#include <sycl/kernel_bundle.hpp>
#include <sycl/platform.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

namespace syclexp = sycl::ext::oneapi::experimental;
using namespace usmtensor;

std::string read_file(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file)
    throw std::runtime_error("cannot read " + path);
  return text.str();
}

void write_file(const std::string &path, const std::string &bytes) {
  std::ofstream file(path, std::ios::binary);
  if (!file.write(bytes.data(), bytes.size()).flush())
    throw std::runtime_error("cannot write " + path);
}

// A SPIR-V module, and properties of its only entry point.
struct Module {
  std::string name;
  std::uint32_t id;
  std::size_t end; // the word after its declaration
  std::vector<std::uint32_t> words;
};

Module read_module(const std::string &bytes) {
  constexpr std::uint32_t magic = 0x07230203, op_entry_point = 15;
  constexpr std::size_t id_operand = 2, name_operand = 3;
  Module module{{}, 0, 0, std::vector<std::uint32_t>(bytes.size() / 4)};
  std::vector<std::uint32_t> &words = module.words;
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  if (words.size() < spirv_header || words[0] != magic)
    throw std::runtime_error("the kernel compiler returned something other than SPIR-V");
  std::string name;
  each_instruction(words, [&](Instruction instruction) {
    if (instruction.opcode() != op_entry_point || instruction.size() <= name_operand)
      return;
    if (!name.empty())
      throw std::runtime_error("a module contains more than one kernel: " + name);
    const char *text = reinterpret_cast<const char *>(instruction.words + name_operand);
    name.assign(text, strnlen(text, (instruction.size() - name_operand) * 4));
    module.id = instruction.words[id_operand];
    module.end = instruction.words + instruction.size() - words.data();
  });
  const std::string prefix = "__sycl_kernel_";
  if (name.compare(0, prefix.size(), prefix) != 0)
    throw std::runtime_error("a module has no extern \"C\" kernel");
  module.name = name.substr(prefix.size());
  return module;
}

// True if the CPU compiler should put the work-items of the module's loop into vector lanes. The
// source lists these loops in a comment.
bool has_simd_work_items(const Module &module, const std::string &source) {
  const std::size_t start = source.find("// simd_work_items: ");
  std::istringstream words(source.substr(std::min(start, source.size())));
  std::string word;
  words >> word >> word;
  while (words >> word && word != ".")
    if (module.name.find("_" + word + "_") != module.name.npos)
      return true;
  return false;
}

// Adds VecTypeHint, which marks the kernel as already vectorised. Otherwise the CPU compiler also
// compiles a version that puts eight work-items into vector lanes. It takes most of the compile
// time, and is never used if a work-item processes a range.
void disable_simd_work_items(Module &module) {
  constexpr std::uint32_t op_execution_mode = 16, vec_type_hint = 30, one_word = 1 << 16 | 2;
  const std::uint32_t mode[] = {4u << 16 | op_execution_mode, module.id, vec_type_hint, one_word};
  module.words.insert(module.words.begin() + module.end, std::begin(mode), std::end(mode));
}

// The errors in a compiler log.
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
                           "a dependency of dpcpp-cpp-rt");
}

void compile(const std::string &file, const std::string &folder,
             const std::vector<std::string> &options) {
  const std::string source = read_file(file);
  sycl::device device = cpu();
  if (!device.ext_oneapi_can_build(syclexp::source_language::sycl))
    throw std::runtime_error("this SYCL runtime has no kernel compiler (libsycl-jit.so)");
  auto bundle = syclexp::create_kernel_bundle_from_source(sycl::context(device),
                                                          syclexp::source_language::sycl, source);
  std::string log;
  // This dump is the only way to get the SPIR-V of a compiled bundle from the runtime. build()
  // would also compile each image to machine code.
  const std::string images = folder + "/images" + std::to_string(::getpid());
  std::filesystem::create_directory(images);
  ::setenv("SYCL_DUMP_IMAGES", "1", true);
  ::setenv("SYCL_DUMP_IMAGES_PREFIX", (images + "/").c_str(), true);
  try {
    syclexp::compile(bundle,
                     syclexp::properties{syclexp::save_log{&log}, syclexp::build_options{options}});
    for (const auto &image : std::filesystem::directory_iterator(images)) {
      Module module = read_module(read_file(image.path()));
      if (!has_simd_work_items(module, source))
        disable_simd_work_items(module);
      const auto *data = reinterpret_cast<const char *>(module.words.data());
      write_file(folder + "/" + module.name + ".spv", {data, module.words.size() * 4});
    }
  } catch (const sycl::exception &error) {
    throw std::runtime_error(file +
                             " does not compile:" + errors(log.empty() ? error.what() : log));
  }
}

void write_ptx(const std::string &file, const std::string &folder,
               const std::vector<std::string> &options) try {
  for (const auto &[name, text] : compile_ptx(read_file(file), options))
    write_file(folder + "/" + name + ".ptx", text);
} catch (const std::runtime_error &error) {
  throw std::runtime_error(file + " does not compile to PTX:" + errors(error.what()));
}

} // namespace

int main(int argc, char **argv) try {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() >= 3 && words[0] == "--ptx")
    write_ptx(words[1], words[2], {words.begin() + 3, words.end()});
  else if (words.size() >= 2 && words[0].compare(0, 2, "--") != 0)
    compile(words[0], words[1], {words.begin() + 2, words.end()});
  else {
    std::fputs("usage: kernelc [--ptx] SOURCE FOLDER [OPTION...]\n", stderr);
    return 2;
  }
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "kernelc: %s\n", error.what());
  return 1;
}
