// A module without its inline assembly is valid and computes the same.
#include "runtime/kernel_pack.hpp"
#include "runtime/opencl_api.hpp"
#include "runtime/spirv.hpp"

#include "check.hpp"

#include <sycl/kernel_bundle.hpp>
#include <sycl/queue.hpp>
#include <sycl/usm.hpp>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace usmtensor {

const unsigned char *const embedded_packs[] = {nullptr};
const EmbeddedHeader embedded_headers[] = {{nullptr, nullptr}};
const std::vector<std::string> kernel_options;

} // namespace usmtensor

using namespace usmtensor;

namespace {

// Compiles a source by kernelc, and returns the module.
std::vector<std::byte> compiled(const std::string &source) {
  char name[] = "/tmp/usmtensor-test-XXXXXX";
  CHECK(::mkdtemp(name));
  const std::filesystem::path folder = name;
  std::ofstream(folder / "source.cpp") << source;
  const std::string file = folder / "source.cpp";
  char *const arguments[] = {const_cast<char *>(KERNELC), const_cast<char *>(file.c_str()), name,
                             nullptr};
  pid_t process;
  int status = -1;
  CHECK(::posix_spawn(&process, KERNELC, nullptr, nullptr, arguments, environ) == 0);
  CHECK(::waitpid(process, &status, 0) == process && status == 0);
  std::ifstream module(folder / "three.spv", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(module)), {});
  std::filesystem::remove_all(folder);
  const auto *const data = reinterpret_cast<const std::byte *>(bytes.data());
  return {data, data + bytes.size()};
}

// Counts the instructions for assembly: targets, texts, calls, the capability, and decorations.
int assembly_instructions(const std::vector<std::byte> &module) {
  std::vector<std::uint32_t> words(module.size() / 4);
  std::memcpy(words.data(), module.data(), words.size() * 4);
  int count = 0;
  for (std::size_t i = 5; i < words.size(); i += words[i] >> 16) {
    const std::uint32_t opcode = words[i] & 0xffff;
    const std::uint32_t last = words[i + (words[i] >> 16) - 1];
    count += (opcode >= 5609 && opcode <= 5611) || (opcode == 17 && last == 5606) ||
             (opcode == 71 && last == 5608);
  }
  return count;
}

} // namespace

int main() {
  const std::vector<std::byte> module = compiled(R"source(
#include <sycl/ext/oneapi/free_function_kernel_properties.hpp>
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<1>))
void three(int *to) {
  for (int i = 0; i < 3; ++i) {
    asm volatile("prefetcht1 (%0)" ::"r"(to + i));
    asm volatile("prefetcht0 (%0)" ::"r"(to + i));
    to[i] = 3;
  }
}
)source");
  if (module.empty())
    return 1;
  const std::vector<std::byte> plain = without_assembly(module);
  CHECK(assembly_instructions(module) >= 6 && assembly_instructions(plain) == 0);
  CHECK(without_assembly(plain) == plain);

  sycl::queue queue(sycl::cpu_selector_v);
  const sycl::context context = queue.get_context();
  const sycl::device device = queue.get_device();
  const auto opencl = OpenClDevice::make(context, device);
  int *const to = sycl::malloc_shared<int>(3, queue);
  for (const auto &each : {module, plain}) {
    const OpenClProgram program = opencl->from_spirv(each);
    const sycl::kernel kernel = opencl->kernel(program, "__sycl_kernel_three");
    to[0] = to[1] = to[2] = 0;
    queue
        .submit([&](sycl::handler &handler) {
          handler.set_args(to);
          handler.parallel_for(sycl::nd_range<1>(1, 1), kernel);
        })
        .wait();
    CHECK(to[0] == 3 && to[1] == 3 && to[2] == 3);
  }
  sycl::free(to, queue);
  return failures != 0;
}
