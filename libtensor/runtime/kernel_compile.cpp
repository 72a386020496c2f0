#include "kernel_compile.hpp"

#include "error.hpp"

#include <sycl/kernel_bundle.hpp>

#include <string>
#include <vector>

namespace usmtensor {

namespace syclexp = sycl::ext::oneapi::experimental;

sycl::kernel compile_spirv(const sycl::context &context, const sycl::device &device,
                           const PackedKernel &packed) {
  auto source = syclexp::create_kernel_bundle_from_source(context, syclexp::source_language::spirv,
                                                          packed.spirv());
  return syclexp::build(source, {device})
      .ext_oneapi_get_kernel(std::string("__sycl_kernel_") + packed.name);
}

SourceKernel source_kernel(const PackedKernel &packed) {
  const std::string all = packed.source();
  const std::size_t headers = all.find("#if !defined(USMTENSOR_PART)");
  const std::size_t start =
      all.find(std::string("\nUSMTENSOR_KERNEL(") + packed.name + ",", headers);
  const std::string_view closing = "\n}\n";
  const std::size_t end = start == all.npos ? all.npos : all.find(closing, start);
  if (end == all.npos)
    throw Error(ErrorKind::kernel, "the embedded source lacks it");
  const std::string kernel = all.substr(start, end + closing.size() - start);
  return {packed.name, all.substr(0, headers) + kernel, {}, true};
}

sycl::kernel compile_source(const sycl::context &context, const sycl::device &device,
                            const SourceKernel &kernel) {
  if (!sycl::device(device).ext_oneapi_can_build(syclexp::source_language::sycl))
    throw Error(ErrorKind::kernel, "the SYCL runtime has no kernel compiler for this device");
  syclexp::include_files headers;
  for (const EmbeddedHeader *header = embedded_headers; header->name; ++header)
    headers.add(std::string("kernels/") + header->name, header->text);
  auto source = syclexp::create_kernel_bundle_from_source(
      context, syclexp::source_language::sycl, kernel.source, syclexp::properties{headers});
  std::vector<std::string> options = kernel_options;
  options.insert(options.end(), kernel.options.begin(), kernel.options.end());
  return syclexp::build(source, {device}, syclexp::properties{syclexp::build_options{options}})
      .ext_oneapi_get_kernel(kernel.name);
}

} // namespace usmtensor
