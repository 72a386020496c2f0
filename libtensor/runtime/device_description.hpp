// The properties of a device that decide the choice of kernels and of work-items. No bit of a
// result depends on them.
#pragma once
#include <cstddef>
#include <cstdint>

namespace sycl {
inline namespace _V1 {
class device;
} // namespace _V1
} // namespace sycl

namespace usmtensor {

enum class DeviceClass : std::uint8_t { cpu, gpu, other };

struct DeviceDescription {
  bool is_cpu() const { return device_class == DeviceClass::cpu; }
  // Bytes that the near caches of two cores hold: what is more comes from further away.
  std::int64_t near_bytes() const { return 2 * near_cache; }
  // Bytes above which an output leaves the caches before it is read again.
  std::int64_t stream_bytes() const { return far_cache / 2; }

  DeviceClass device_class;
  std::uint32_t compute_units;
  std::size_t max_group;      // the most work-items of a work-group
  std::uint64_t local_memory; // bytes
  bool cuda;                  // the backend is CUDA, whose kernels are compiled from their source
  // Bytes of a core's own cache, and of the last one, which cores share.
  std::int64_t near_cache = std::int64_t(1) << 20, far_cache = std::int64_t(1) << 25;
  std::int64_t launch_time = 20000; // nanoseconds until a command runs
  std::int64_t memory_rate = 16;    // bytes that memory moves in a nanosecond
};

DeviceDescription describe(const sycl::device &device);

} // namespace usmtensor
