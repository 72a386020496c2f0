#include "sycl_binary.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <string_view>

namespace usmtensor {
namespace {

// The runtime's compiler calls its target for NVIDIA's GPUs "llvm_nvptx64-unknown-unknown", and its
// reader knows a target by the part before the first hyphen, "nvptx64". Both names as the format
// encodes them.
constexpr std::string_view written = "gDAAAAAAAAAbsZXbf5mdwRHe2QTL152au92du1Sdutmbvdnb",
                           read = "gDAAAAAAAAgb2BHd4ZDNtwGb21WL152au92du1Sdutmbvdnb";
static_assert(written.size() == read.size());

} // namespace

std::string sycl_binary_identity(const sycl::device &device) {
  namespace query = sycl::info::device;
  return "SYCL " + std::to_string(static_cast<int>(device.get_backend())) + '\n' +
         device.get_info<query::vendor>() + '\n' + device.get_info<query::name>() + '\n' +
         device.get_info<query::version>() + '\n' + device.get_info<query::driver_version>();
}

std::vector<unsigned char> sycl_binary(const sycl::kernel &kernel) {
  const std::vector<char> content = kernel.get_kernel_bundle().ext_oneapi_get_content();
  std::vector<unsigned char> binary(content.begin(), content.end());
  const auto target = std::search(binary.begin(), binary.end(), written.begin(), written.end());
  if (target != binary.end())
    std::copy(read.begin(), read.end(), target);
  return binary;
}

sycl::kernel from_sycl_binary(const sycl::context &context, const sycl::device &device,
                              const std::vector<unsigned char> &binary, const char *name) {
  std::vector<char> content(binary.begin(), binary.end());
  return sycl::ext::oneapi::experimental::get_kernel_bundle<sycl::bundle_state::executable>(
             context, {device}, sycl::span<char>(content.data(), content.size()))
      .ext_oneapi_get_kernel(name);
}

} // namespace usmtensor
