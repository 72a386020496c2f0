// Platforms, and the first platform query of the process.
#pragma once
#include "handles.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace usmtensor {

Backend backend(const PlatformRef &platform);

// Sets the environment variable that leads the OpenCL loader to the driver of the runtime wheels,
// during the library's first platform query. With an empty name no variable is needed. The loader
// reads its variables once, so call this before the first query.
void set_driver_variable(const std::string &name, const std::string &value);

// Every query of platforms or devices calls this first. The first call queries the platforms with
// the driver variable set, and then restores the environment.
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
