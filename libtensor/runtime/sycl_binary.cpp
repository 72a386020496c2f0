#include "sycl_binary.hpp"

#include "binary_identity.hpp"

#include <sycl/ext/oneapi/experimental/syclbin_kernel_bundle.hpp>
#include <sycl/platform.hpp>

#include <algorithm>
#include <cstdint>
#include <dlfcn.h>
#include <filesystem>

// Weak, because the runtime lacks this function before 2026.2.
extern "C" __attribute__((weak)) void usmtensor_get_content() __asm__(
    "_ZNK4sycl3_V16detail19kernel_bundle_plain22ext_oneapi_get_contentEv");

namespace usmtensor {
namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

// The runtime's compiler writes the target "llvm_nvptx64-unknown-unknown" for NVIDIA GPUs. Its
// reader identifies a target by the part before the first hyphen, and expects "nvptx64". These are
// both names in the encoding of the format.
constexpr std::string_view written = "gDAAAAAAAAAbsZXbf5mdwRHe2QTL152au92du1Sdutmbvdnb",
                           read = "gDAAAAAAAAgb2BHd4ZDNtwGb21WL152au92du1Sdutmbvdnb";
static_assert(written.size() == read.size());

// Name and size of the runtime's file, which identify the compiler.
std::string runtime_file() {
  Dl_info found;
  if (!::dladdr(reinterpret_cast<void *>(&sycl::platform::get_platforms), &found))
    return {};
  std::error_code none;
  const auto file = std::filesystem::canonical(found.dli_fname, none);
  return file.filename().string() + ' ' + std::to_string(std::filesystem::file_size(file, none));
}

// The content of a bundle; empty if the runtime lacks the function.
template <class Bundle>
auto content_of(const Bundle &bundle, int) -> decltype(bundle.ext_oneapi_get_content()) {
  if (!usmtensor_get_content)
    return {};
  return bundle.ext_oneapi_get_content();
}

template <class Bundle> std::vector<char> content_of(const Bundle &, long) { return {}; }

} // namespace

std::string sycl_binary_identity(const sycl::device &device) {
  static const std::string &runtime = *new std::string(runtime_file());
  return "SYCL " + std::to_string(static_cast<int>(device.get_backend())) + ' ' + runtime + '\n' +
         binary_identity(device);
}

std::vector<unsigned char> sycl_binary(const sycl::kernel &kernel) {
  const std::vector<char> content = content_of(kernel.get_kernel_bundle(), 0);
  std::vector<unsigned char> binary(content.begin(), content.end());
  for (auto from = binary.begin();;) { // there is an image for each kernel of a source
    from = std::search(from, binary.end(), written.begin(), written.end());
    if (from == binary.end())
      return binary;
    from = std::copy(read.begin(), read.end(), from);
  }
}

std::vector<unsigned char> wrap_image(const char *name, std::string_view image,
                                      std::string_view target) {
  const std::string texts[] = {"[SYCLBIN/global metadata]\nstate=1|2\n", // an executable
                               std::string("[SYCL/kernel names]\n__sycl_kernel_") + name + "=1|1\n",
                               "[SYCLBIN/native device code image metadata]\ntarget=2|" +
                                   std::string(target) + '\n'};
  const u64 sizes[] = {texts[0].size(), texts[1].size(), texts[2].size()};
  const u64 all = sizes[0] + sizes[1] + sizes[2];
  struct {
    // LLVM's container of device files (OffloadBinary, version 2), with one file.
    u32 container = 0xad10ff10, container_version = 2;
    u64 container_size = 0, entries = 32, entry_count = 1;
    u16 kind = 7, producer = 8; // SYCLBIN, SYCL
    u32 flags = 0;
    u64 strings = 0, string_count = 0, file = 72, file_size = 0;
    // SYCLBIN, version 1: one module with one native image.
    u32 magic = 0x53594249, version = 1, modules = 1, intermediate_forms = 0, images = 1,
        unused = 0;
    u64 texts_size = 0, images_size = 0, text0 = 0, text0_size = 0;
    u64 text1 = 0, text1_size = 0;
    u32 forms = 0, first_form = 0, own_images = 1, first_image = 0;
    u64 text2 = 0, text2_size = 0, image = 0, image_size = 0;
  } header;
  header.texts_size = all;
  header.image_size = header.images_size = image.size();
  header.text0_size = header.text1 = sizes[0];
  header.text1_size = sizes[1], header.text2 = sizes[0] + sizes[1], header.text2_size = sizes[2];
  const auto padded = [](u64 size) { return (size + 7) / 8 * 8; };
  header.file_size = sizeof header - header.file + padded(all) + padded(image.size());
  header.container_size = header.file + header.file_size;
  std::string bytes(reinterpret_cast<const char *>(&header), sizeof header);
  bytes.append(texts[0]).append(texts[1]).append(texts[2]).resize(sizeof header + padded(all));
  bytes.append(image).resize(header.container_size);
  return {bytes.begin(), bytes.end()};
}

std::vector<unsigned char> wrap_ptx(const char *name, std::string_view ptx) {
  return wrap_image(name, ptx, read);
}

sycl::kernel from_sycl_binary(const sycl::context &context, const sycl::device &device,
                              const std::vector<unsigned char> &binary, const char *name) {
  std::vector<char> content(binary.begin(), binary.end());
  return sycl::ext::oneapi::experimental::get_kernel_bundle<sycl::bundle_state::executable>(
             context, {device}, sycl::span<char>(content.data(), content.size()))
      .ext_oneapi_get_kernel(name);
}

} // namespace usmtensor
