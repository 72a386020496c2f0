// An image for a driver, wrapped in SYCL's binary format, can be loaded as a kernel.
#include "runtime/kernel_pack.hpp"
#include "runtime/opencl_api.hpp"
#include "runtime/sycl_binary.hpp"

#include "check.hpp"

#include <sycl/kernel_bundle.hpp>
#include <sycl/queue.hpp>
#include <sycl/usm.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace usmtensor {

const unsigned char *const embedded_packs[] = {nullptr};
const EmbeddedHeader embedded_headers[] = {{nullptr, nullptr}};
const std::vector<std::string> kernel_options;

} // namespace usmtensor

namespace syclexp = sycl::ext::oneapi::experimental;
using namespace usmtensor;

int main() {
  const std::string source = R"(
#include <sycl/ext/oneapi/free_function_kernel_properties.hpp>
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<1>))
void three(int *to) { *to = 3; }
)";
  sycl::queue queue(sycl::cpu_selector_v);
  const sycl::context context = queue.get_context();
  const sycl::device device = queue.get_device();
  auto bundle =
      syclexp::create_kernel_bundle_from_source(context, syclexp::source_language::sycl, source);
  const sycl::kernel made = syclexp::build(bundle).ext_oneapi_get_kernel("three");
  const auto opencl = OpenClDevice::make(context, device);
  const std::vector<unsigned char> native = opencl->binary(opencl->program_of(made));
  CHECK(!native.empty());

  // The CPU target, in the encoding of the format.
  constexpr std::string_view target = "wCAAAAAAAAwcwlmc2QTL152au92du1Sdutmbvdnb";
  std::vector<unsigned char> wrapped =
      wrap_image("three", {reinterpret_cast<const char *>(native.data()), native.size()}, target);
  const sycl::kernel kernel = from_sycl_binary(context, device, wrapped, "three");
  int *const to = sycl::malloc_shared<int>(1, queue);
  *to = 0;
  queue
      .submit([&](sycl::handler &handler) {
        handler.set_args(to);
        handler.parallel_for(sycl::nd_range<1>(1, 1), kernel);
      })
      .wait();
  CHECK(*to == 3);
  sycl::free(to, queue);

  wrapped.resize(wrapped.size() / 2);
  bool refused = false;
  try {
    from_sycl_binary(context, device, wrapped, "three");
  } catch (const sycl::exception &) {
    refused = true;
  }
  CHECK(refused);
  return failures != 0;
}
