#include "ptx.hpp"

#include <cstddef>
#include <cstdint>
#include <dlfcn.h>
#include <stdexcept>

namespace usmtensor {
namespace {

// SYCL compiles only for the devices of the machine, so this calls the compiler itself. The
// compiler's interface is not public, and belongs to one version of the library.
constexpr const char *compiler = "libsycl-jit.so.23.1";

struct File {
  const char *path, *text;
};
template <class T> struct View {
  const T *data;
  std::size_t size;
};
struct Text {
  const char *data;
};
struct Image {
  std::uint32_t format;
  std::uint64_t address_bits;
  const char *bytes;
  std::uint64_t size;
  View<Text> symbols;
  View<void> properties;
};
struct Result {
  ~Result() {} // makes the ABI return it in memory; the process never frees it
  int error;
  View<Image> images;
  Text options;
  View<char> module;
  Text log;
};
constexpr std::uint32_t ptx_format = 3;
using Compile = Result(File, View<File>, View<const char *>, View<char>, bool, std::uint32_t);

Compile &find_compile() {
  void *const library = ::dlopen(compiler, RTLD_NOW);
  void *const found = library ? ::dlsym(library, "compileSYCL") : nullptr;
  if (!found)
    throw std::runtime_error(std::string("kernels for CUDA need the compiler of another version of "
                                         "the SYCL runtime: ") +
                             ::dlerror());
  return *reinterpret_cast<Compile *>(found);
}

} // namespace

std::map<std::string, std::string> compile_ptx(const std::string &source,
                                               const std::vector<std::string> &options) {
  Compile &compile = find_compile();
  // The compiler applies the call costs of NVIDIA GPUs to inlining only after it has generated code
  // for them once in the process. So an empty kernel is compiled first.
  const char *const empty = "extern \"C\" [[__sycl_detail__::add_ir_attributes_function("
                            "\"sycl-nd-range-kernel\", 1)]] void empty() {}";
  compile({"empty.cpp", empty}, {}, {}, {}, false, ptx_format);
  std::vector<const char *> words;
  for (const std::string &option : options)
    words.push_back(option.c_str());
  const Result result = compile({"kernels.cpp", source.c_str()}, {}, {words.data(), words.size()},
                                {}, false, ptx_format);
  if (result.error)
    throw std::runtime_error(result.log.data ? result.log.data : "the compiler reported no reason");
  std::map<std::string, std::string> found;
  const std::string prefix = "__sycl_kernel_";
  for (std::size_t k = 0; k < result.images.size; ++k) {
    const Image &image = result.images.data[k];
    const std::string symbol = image.symbols.size == 1 ? image.symbols.data[0].data : "";
    if (image.format != ptx_format || symbol.compare(0, prefix.size(), prefix) != 0)
      throw std::runtime_error("the compiler returned something other than the PTX of one kernel");
    found[symbol.substr(prefix.size())] = {image.bytes, image.size};
  }
  return found;
}

} // namespace usmtensor
