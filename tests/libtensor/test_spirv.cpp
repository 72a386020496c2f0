// A module without its assembly is valid, and computes the same.
#include "runtime/kernel_pack.hpp"
#include "runtime/opencl_api.hpp"
#include "runtime/spirv.hpp"

#include "check.hpp"

#include <sycl/kernel_bundle.hpp>
#include <sycl/queue.hpp>
#include <sycl/usm.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <unistd.h>

namespace usmtensor {

const unsigned char *const embedded_packs[] = {nullptr};
const EmbeddedHeader embedded_headers[] = {{nullptr, nullptr}};
const std::vector<std::string> kernel_options;

} // namespace usmtensor

using namespace usmtensor;

namespace {

// The module that kernelc makes of a source.
std::vector<std::byte> compiled(const std::string &source) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("spirv" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "source.cpp") << source;
  const std::string file = folder / "source.cpp";
  CHECK(std::system((KERNELC " " + file + " " + folder.string()).c_str()) == 0);
  std::ifstream module(folder / "three.spv", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(module)), {});
  std::filesystem::remove_all(folder);
  const auto *const data = reinterpret_cast<const std::byte *>(bytes.data());
  return {data, data + bytes.size()};
}

bool has_assembly(const std::vector<std::byte> &module) {
  const std::string text(reinterpret_cast<const char *>(module.data()), module.size());
  return text.find("prefetcht1") != text.npos || text.find("inline_assembly") != text.npos;
}

} // namespace

int main() {
  const std::vector<std::byte> module = compiled(R"source(
#include <sycl/ext/oneapi/free_function_kernel_properties.hpp>
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<1>))
void three(int *to) {
  for (int i = 0; i < 3; ++i) {
    asm volatile("prefetcht1 (%0)" ::"r"(to + i));
    to[i] = 3;
  }
}
)source");
  const std::vector<std::byte> plain = without_assembly(module);
  CHECK(has_assembly(module) && !has_assembly(plain));
  CHECK(without_assembly(plain) == plain);

  sycl::queue queue(sycl::cpu_selector_v);
  const sycl::context context = queue.get_context();
  const sycl::device device = queue.get_device();
  const auto place = OpenClPlace::make(context, device);
  int *const to = sycl::malloc_shared<int>(3, queue);
  for (const auto &each : {module, plain}) {
    const OpenClProgram program = place->from_spirv(each);
    const sycl::kernel kernel = place->kernel(program, "__sycl_kernel_three");
    to[0] = to[2] = 0;
    queue
        .submit([&](sycl::handler &handler) {
          handler.set_args(to);
          handler.parallel_for(sycl::nd_range<1>(1, 1), kernel);
        })
        .wait();
    CHECK(to[0] == 3 && to[2] == 3);
  }
  sycl::free(to, queue);
  return 0;
}
