// The properties of a device that decide the choice of kernels and of work-items. No bit of a
// result depends on them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>

namespace sycl {
inline namespace _V1 {
class device;
} // namespace _V1
} // namespace sycl

namespace usmtensor {

enum class DeviceClass : std::uint8_t { cpu, gpu, other };

struct DeviceDescription {
  bool is_cpu() const { return device_class == DeviceClass::cpu; }
  // Bytes of two cores' own caches. Larger operands come from the shared cache or from memory.
  std::int64_t near_bytes() const { return 2 * near_cache; }
  // From this number of bytes on, an operator writes its result to a temporary operand. This saves
  // traffic between the caches of a CPU and memory. GPUs gain nothing from it.
  std::int64_t reuse_bytes() const {
    return is_cpu() ? near_cache / 8 : std::numeric_limits<std::int64_t>::max();
  }
  // Outputs of this size or more leave the caches before they are read again.
  std::int64_t stream_bytes() const { return far_cache / 2; }

  DeviceClass device_class;
  std::uint32_t compute_units;
  std::size_t max_group;      // the most work-items of a work-group
  std::uint64_t local_memory; // bytes
  bool cuda;                  // the backend is CUDA, whose kernels are compiled from their source
  // Bytes of the largest cache that a core has for itself, and of the cache that cores share.
  std::int64_t near_cache = std::int64_t(1) << 20, far_cache = std::int64_t(1) << 25;
  // Estimates. They are not measured, because a measurement in milliseconds is wrong on a busy
  // machine, and because around the limits that follow from them host and device take equally long.
  std::int64_t launch_time = 20000; // nanoseconds from the submission of a command to its start
  std::int64_t memory_rate = 16;    // bytes per nanosecond
};

DeviceDescription describe(const sycl::device &device);

} // namespace usmtensor
