// Platforms, and the first platform query of the process.
#pragma once
#include "handles.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace usmtensor {

Backend backend(const PlatformRef &platform);

// Queries the platforms with an environment variable that leads the OpenCL loader to the driver of
// the runtime wheels, and restores the environment. The loader reads its variables once, so call
// this before any other query; further calls do nothing. With an empty name no variable is needed.
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

} // namespace usmtensor
