// Platforms, and the first question about them that this process asks.
#pragma once
#include "handles.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace usmtensor {

// Values as in dpctl's backend_type; unknown for a backend that dpctl has no name for.
enum class Backend : std::uint8_t { unknown = 0, all = 1, cuda, hip, level_zero, opencl };

Backend backend(const PlatformRef &platform);
const char *name(Backend backend);

// The environment variable that the first platform query of this library sees with this value: it
// leads the OpenCL loader to the driver of the runtime wheels. An empty name: nothing is needed.
// The loader reads its variables once, so this has to come before the first query.
void set_driver_variable(const std::string &name, const std::string &value);

// Everything that looks for platforms or devices comes here first: the first call queries the
// platforms with the driver variable set and puts the environment back as it was.
void query_platforms();

std::vector<PlatformRef> platforms();
PlatformRef platform_of(const DeviceRef &device);
std::vector<DeviceRef> platform_devices(const PlatformRef &platform);

struct PlatformText {
  std::string name, vendor, version;
};
PlatformText describe(const PlatformRef &platform);

bool equal(const PlatformRef &a, const PlatformRef &b);
std::size_t hash(const PlatformRef &platform);

} // namespace usmtensor
