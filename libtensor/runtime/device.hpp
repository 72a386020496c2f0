// Devices: selection, information, identity, partitions.
#pragma once
#include "handles.hpp"
#include "platform.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace usmtensor {

// Values as in dpctl's device_type.
enum class DeviceType : std::uint8_t { all = 1, accelerator, automatic, cpu, custom, gpu };

// The result of an information query; monostate if the device does not support the query.
using Info =
    std::variant<std::monostate, bool, std::int64_t, std::string, std::vector<std::int64_t>>;

// The root devices in the runtime's order; a device's id is its position in devices().
std::vector<DeviceRef> devices(Backend backend = Backend::all, DeviceType type = DeviceType::all);

// Selections throw an Error of kind device_creation if no device matches.
DeviceRef default_device();
// The first match of "backend:type:number" with any part left out, or of several such filters
// separated by commas. The number counts the devices that match the other parts.
DeviceRef select_device(const std::string &filter);
// The best device with all of the required and none of the excluded aspects.
DeviceRef select_device(const std::vector<std::string> &required,
                        const std::vector<std::string> &excluded);

Backend backend(const DeviceRef &device);
DeviceType device_type(const DeviceRef &device);
int default_selector_score(const DeviceRef &device);

// The names that info() and has_aspect() know; other names raise an Error of kind value.
Info info(const DeviceRef &device, const std::string &name);
bool has_aspect(const DeviceRef &device, const std::string &name);

// The filter string of a root device; a sub-device has none (Error of kind value).
std::string filter_string(const DeviceRef &device, bool with_backend, bool with_type);
std::size_t device_id(const DeviceRef &device); // of a sub-device: that of its root

DeviceRef parent(const DeviceRef &device); // null for a root device
DeviceRef root(const DeviceRef &device);

// Errors are of kind sub_device_creation.
std::vector<DeviceRef> partition_equally(const DeviceRef &device, std::size_t compute_units);
std::vector<DeviceRef> partition_by_counts(const DeviceRef &device,
                                           const std::vector<std::size_t> &compute_units);
std::vector<DeviceRef> partition_by_affinity(const DeviceRef &device, const std::string &domain);

bool equal(const DeviceRef &a, const DeviceRef &b);
std::size_t hash(const DeviceRef &device);

// A handle on a copy of a sycl::device.
DeviceRef adopt_device(const void *device);

} // namespace usmtensor
