#include "host_kernels.hpp"

#include "kernel_pack.hpp"
#include "settings.hpp"

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

// The module is compiled for x86-64-v3, which has more than AVX2. A processor without one of its
// instructions would not always raise a fault: LZCNT, for example, would run as BSR, whose results
// differ.
bool processor_fits() { return __builtin_cpu_supports("x86-64-v3") && !is_hidden("avx2"); }

struct Functions {
  std::vector<HostKernel> kernels;
  HostSort sort = nullptr;
};

// Never unloaded. Without the module, the device runs all work.
Functions load() {
  Functions functions{std::vector<HostKernel>(packed_kernel_count())};
  if (!processor_fits())
    return functions;
  void *const module = dlopen((own_folder() + "libtensor_host.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  using Describe = HostModule();
  auto *const describe =
      module ? reinterpret_cast<Describe *>(dlsym(module, "usmtensor_host_module")) : nullptr;
  if (!describe)
    return functions;
  const HostModule found = describe();
  functions.sort = found.sort;
  const bool mathematics = found.has_mathematics();
  auto kernel = functions.kernels.begin();
  for (const HostFamily *family = found.families; family->entries; ++family)
    for (std::uint32_t k = 0; k < family->count; ++k, ++kernel)
      if (mathematics || !family->entries[k].mathematics)
        *kernel = family->entries[k].kernel;
  return functions;
}

const Functions &functions() {
  static const Functions &loaded = *new Functions(load());
  return loaded;
}

} // namespace

HostKernel host_kernel(KernelId id) {
  const std::vector<HostKernel> &kernels = functions().kernels;
  return id < kernels.size() ? kernels[id] : nullptr;
}

HostSort host_sort() { return functions().sort; }
bool has_host_kernels() { return host_sort() != nullptr; }

} // namespace usmtensor
