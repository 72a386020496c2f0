#include "kernel_store.hpp"

#include "error.hpp"
#include "kernel_pack.hpp"

#include <sycl/sycl.hpp>

#include <mutex>
#include <string>
#include <vector>

namespace usmtensor {
namespace {

namespace syclexp = sycl::ext::oneapi::experimental;

sycl::kernel compile(const sycl::context &context, const sycl::device &device,
                     const PackedKernel &packed) {
  auto source = syclexp::create_kernel_bundle_from_source(context, syclexp::source_language::spirv,
                                                          packed.spirv());
  auto bundle = syclexp::build(source, {device});
  return bundle.ext_oneapi_get_kernel(std::string("__sycl_kernel_") + packed.name);
}

} // namespace

KernelId kernel_id(std::string_view name) {
  const KernelId id = find_packed_kernel(name);
  if (id == packed_kernel_count())
    throw Error(ErrorKind::kernel, "libtensor has no kernel " + std::string(name));
  return id;
}

KernelTable::KernelTable(const sycl::context &context, const sycl::device &device)
    : context_(std::make_unique<sycl::context>(context)),
      device_(std::make_unique<sycl::device>(device)),
      slots_(std::make_unique<std::atomic<const sycl::kernel *>[]>(packed_kernel_count())) {}

const sycl::kernel &KernelTable::load(KernelId id) {
  // One lock for all tables: the runtime's compiler warms up per thread and gains nothing from
  // several, and whoever waits here mostly waits for the very same kernel.
  static std::mutex *mutex = new std::mutex;
  std::lock_guard<std::mutex> lock(*mutex);
  if (const sycl::kernel *kernel = slots_[id].load(std::memory_order_acquire))
    return *kernel;
  const PackedKernel packed = packed_kernel(id);
  try {
    // Never destroyed: kernels may be used until the very end of the process.
    const auto *kernel = new sycl::kernel(compile(*context_, *device_, packed));
    slots_[id].store(kernel, std::memory_order_release);
    return *kernel;
  } catch (const sycl::exception &error) {
    throw Error(ErrorKind::kernel,
                std::string("the kernel ") + packed.name + " does not compile for " +
                    device_->get_info<sycl::info::device::name>() + ": " + error.what(),
                error.code().value());
  }
}

KernelTable &kernel_table(const sycl::context &context, const sycl::device &device) {
  struct Place {
    sycl::context context;
    sycl::device device;
    KernelTable table;
  };
  static std::mutex *mutex = new std::mutex;
  static auto *places = new std::vector<std::unique_ptr<Place>>;
  std::lock_guard<std::mutex> lock(*mutex);
  for (const auto &place : *places)
    if (place->context == context && place->device == device)
      return place->table;
  places->emplace_back(new Place{context, device, KernelTable(context, device)});
  return places->back()->table;
}

} // namespace usmtensor
