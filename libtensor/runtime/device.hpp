// Platforms, devices and contexts, and the first platform query of the process.
#pragma once
#include "handles.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace usmtensor {

Backend backend(const PlatformRef &platform);

// Queries the platforms with an environment variable by which the OpenCL loader finds the driver of
// the runtime wheels, and then restores the environment. The loader reads its variables once, so
// call this before any other query; further calls do nothing. An empty name sets no variable.
void query_platforms(const std::string &name, const std::string &value);

std::vector<PlatformRef> platforms();
PlatformRef platform_of(const DeviceRef &device);
std::vector<DeviceRef> platform_devices(const PlatformRef &platform);

struct PlatformText {
  std::string name, vendor, version;
};
PlatformText describe(const PlatformRef &platform);

bool equal(const PlatformRef &a, const PlatformRef &b);
std::size_t hash(const PlatformRef &platform);

// Values as in dpctl's device_type.
enum class DeviceType : std::uint8_t { all = 1, accelerator, automatic, cpu, custom, gpu };

// The root devices, in the runtime's order; a device's id is its position.
std::vector<DeviceRef> devices();
// The root devices, best first.
std::vector<DeviceRef> ranked_devices();
// The best device; an Error of kind device_creation if there is none.
DeviceRef default_device();

Backend backend(const DeviceRef &device);
DeviceType device_type(const DeviceRef &device);
int default_selector_score(const DeviceRef &device);

// Properties by name; empty if the device does not support the query. An unknown name raises an
// Error of kind value.
std::string text_info(const DeviceRef &device, const std::string &name);
std::vector<std::int64_t> number_info(const DeviceRef &device, const std::string &name);
bool has_aspect(const DeviceRef &device, const std::string &name);

DeviceRef parent(const DeviceRef &device); // null for a root device
DeviceRef root(const DeviceRef &device);

// Errors are of kind sub_device_creation.
std::vector<DeviceRef> partition_equally(const DeviceRef &device, std::size_t compute_units);
std::vector<DeviceRef> partition_by_counts(const DeviceRef &device,
                                           const std::vector<std::size_t> &compute_units);
std::vector<DeviceRef> partition_by_affinity(const DeviceRef &device, const std::string &domain);

// True if a device can access the memory of another root device. The first call enables the access.
bool has_peer_access(const DeviceRef &device, const DeviceRef &peer);

bool equal(const DeviceRef &a, const DeviceRef &b);
std::size_t hash(const DeviceRef &device);

// A handle on a copy of a sycl::device.
DeviceRef adopt_device(const void *device);

// A new context of these devices; an Error of kind context_creation if they cannot share one.
ContextRef make_context(const std::vector<DeviceRef> &devices);
// The context that the runtime keeps for a platform.
ContextRef default_context(const PlatformRef &platform);
std::vector<DeviceRef> context_devices(const ContextRef &context);

bool equal(const ContextRef &a, const ContextRef &b);
std::size_t hash(const ContextRef &context);

// A handle on a copy of a sycl::context.
ContextRef adopt_context(const void *context);

} // namespace usmtensor
