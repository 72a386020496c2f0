// Platforms, devices and contexts: selection, information, identity.
#pragma once
#include "handles.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace usmtensor {

// What an information query answers; monostate where the device does not support the query.
using Info = std::variant<std::monostate, bool, std::int64_t, std::string, std::vector<std::int64_t>>;

} // namespace usmtensor
