#include "device_description.hpp"

#include <sycl/device.hpp>

namespace usmtensor {
namespace {

// What the device answers; a default where its backend does not know the question.
template <class Query> auto ask(const sycl::device &device) {
  try {
    return device.get_info<Query>();
  } catch (const sycl::exception &) {
    return decltype(device.get_info<Query>())();
  }
}

} // namespace

DeviceDescription describe(const sycl::device &device) {
  namespace info = sycl::info::device;
  return {.cpu = device.is_cpu(),
          .compute_units = device.get_info<info::max_compute_units>(),
          .max_group = device.get_info<info::max_work_group_size>(),
          .sub_groups = ask<info::sub_group_sizes>(device),
          .local_memory = ask<info::local_mem_size>(device),
          .cache = ask<info::global_mem_cache_size>(device)};
}

} // namespace usmtensor
