#include "sycl_binary.hpp"

#include "binary_identity.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <string_view>

namespace usmtensor {
namespace {

// The runtime's compiler calls its target for NVIDIA's GPUs "llvm_nvptx64-unknown-unknown", and its
// reader knows a target by the part before the first hyphen, "nvptx64". Both names as the format
// encodes them.
constexpr std::string_view written = "gDAAAAAAAAAbsZXbf5mdwRHe2QTL152au92du1Sdutmbvdnb",
                           read = "gDAAAAAAAAgb2BHd4ZDNtwGb21WL152au92du1Sdutmbvdnb";
static_assert(written.size() == read.size());

// The file of the runtime, whose compiler made the binary.
std::string runtime_file() {
  Dl_info found;
  if (!::dladdr(reinterpret_cast<void *>(&sycl::platform::get_platforms), &found))
    return {};
  std::error_code none;
  const auto file = std::filesystem::canonical(found.dli_fname, none);
  return file.filename().string() + ' ' + std::to_string(std::filesystem::file_size(file, none));
}

} // namespace

std::string sycl_binary_identity(const sycl::device &device) {
  static const std::string &runtime = *new std::string(runtime_file());
  return "SYCL " + std::to_string(static_cast<int>(device.get_backend())) + ' ' + runtime + '\n' +
         binary_identity(device);
}

std::vector<unsigned char> sycl_binary(const sycl::kernel &kernel) {
  const std::vector<char> content = kernel.get_kernel_bundle().ext_oneapi_get_content();
  std::vector<unsigned char> binary(content.begin(), content.end());
  for (auto from = binary.begin();;) { // each kernel of a source has an image
    from = std::search(from, binary.end(), written.begin(), written.end());
    if (from == binary.end())
      return binary;
    from = std::copy(read.begin(), read.end(), from);
  }
}

sycl::kernel from_sycl_binary(const sycl::context &context, const sycl::device &device,
                              const std::vector<unsigned char> &binary, const char *name) {
  std::vector<char> content(binary.begin(), binary.end());
  return sycl::ext::oneapi::experimental::get_kernel_bundle<sycl::bundle_state::executable>(
             context, {device}, sycl::span<char>(content.data(), content.size()))
      .ext_oneapi_get_kernel(name);
}

} // namespace usmtensor
