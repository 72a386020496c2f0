#include "device_description.hpp"

#include <sycl/device.hpp>

#include <algorithm>
#include <fstream>
#include <string>

namespace usmtensor {
namespace {

// Bytes of a cache of the first core, or 0 if the system does not provide it. The driver returns
// only the second level. sysconf returns the sum of all caches of a level, even if each belongs to
// a few cores.
std::int64_t cache_bytes(int level) {
  for (int index = 0;; ++index) {
    const std::string folder =
        "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    std::ifstream level_file(folder + "level"), size_file(folder + "size");
    int found = 0;
    std::int64_t kilobytes = 0; // followed by a K
    if (!(level_file >> found && size_file >> kilobytes))
      return 0;
    if (found == level)
      return kilobytes << 10;
  }
}

} // namespace

DeviceDescription describe(const sycl::device &device) {
  namespace query = sycl::info::device;
  DeviceDescription result{.device_class = device.is_cpu()   ? DeviceClass::cpu
                                           : device.is_gpu() ? DeviceClass::gpu
                                                             : DeviceClass::other,
                           .compute_units = device.get_info<query::max_compute_units>(),
                           .max_group = device.get_info<query::max_work_group_size>(),
                           .local_memory = device.get_info<query::local_mem_size>(),
                           .cuda = device.get_backend() == sycl::backend::ext_oneapi_cuda};
  if (result.is_cpu()) {
    static const std::int64_t near = cache_bytes(2), far = std::max(near, cache_bytes(3));
    if (near != 0)
      result.near_cache = near, result.far_cache = far;
  }
  return result;
}

} // namespace usmtensor
