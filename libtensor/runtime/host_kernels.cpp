#include "host_kernels.hpp"

#include "kernel_pack.hpp"

#include <dlfcn.h>

#include <string>
#include <vector>

namespace usmtensor {
namespace {

// The folder of this library and the modules.
std::string own_folder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&own_folder), &info) || !info.dli_fname)
    return {};
  const std::string path = info.dli_fname;
  return path.substr(0, path.rfind('/') + 1);
}

bool has_v3() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("fma");
}

// Never unloaded. Without the module the device runs all work.
std::vector<HostKernel> load() {
  std::vector<HostKernel> kernels(packed_kernel_count());
  const std::string path = own_folder() + (has_v3() ? "libtensor_host_v3.so" : "libtensor_host.so");
  void *const module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  using Describe = HostModule();
  auto *const describe =
      module ? reinterpret_cast<Describe *>(dlsym(module, "usmtensor_host_module")) : nullptr;
  if (!describe)
    return kernels;
  const HostModule found = describe();
  const bool mathematics = found.has_mathematics();
  auto kernel = kernels.begin();
  for (const HostFamily *family = found.families; family->entries; ++family)
    for (std::uint32_t k = 0; k < family->count; ++k, ++kernel)
      if (mathematics || !family->entries[k].mathematics)
        *kernel = family->entries[k].kernel;
  return kernels;
}

} // namespace

HostKernel host_kernel(KernelId id) {
  static const std::vector<HostKernel> &kernels = *new std::vector<HostKernel>(load());
  return id < kernels.size() ? kernels[id] : nullptr;
}

} // namespace usmtensor
