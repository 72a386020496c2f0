// Native binaries of kernels on disk, shared by all processes of one user. Any defect of the folder
// or a file (damaged, foreign, read-only, writable by others) is a miss, never an error.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace usmtensor {

// 64-bit FNV-1a. It finds damage and differences, but no attacks: ownership of the files protects.
inline std::uint64_t fnv(std::string_view bytes, std::uint64_t hash = 0xcbf29ce484222325) {
  for (const char byte : bytes)
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

// The whole identity of a binary, as text: stored with it and compared.
struct CacheKey {
  std::string device; // device, driver, CPU features, settings
  std::string kernel; // name, module, build options
};

enum class CacheOutcome { hit, miss, bad };

struct CacheInfo {
  std::string folder;  // empty when none can be found
  std::string problem; // the reason against its use; empty if it is used
  std::size_t files = 0;
  std::uint64_t bytes = 0, limit = 0;
};

CacheOutcome find_binary(const CacheKey &key, std::vector<unsigned char> &binary);
// Writes a file and, beyond the size limit, deletes the least recently used files.
void keep_binary(const CacheKey &key, const std::vector<unsigned char> &binary);
// Whether there is a binary of any kernel for the device.
bool has_binaries(const std::string &device);

CacheInfo cache_info();
std::size_t clear_cache(); // returns the number of files deleted

} // namespace usmtensor
