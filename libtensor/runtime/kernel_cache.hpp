// Native kernel binaries on disk, shared by all processes of a user. Any problem with the folder or
// a file (damaged, not ours, read-only, writable by others) is a cache miss, never an error.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace usmtensor {

// 64-bit FNV-1a. It detects damage and differences. The ownership of files protects from attacks.
inline std::uint64_t fnv(std::string_view bytes, std::uint64_t hash = 0xcbf29ce484222325) {
  for (const char byte : bytes)
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

// The full identity of a binary, as text. It is stored with the binary and compared.
struct CacheKey {
  std::string device; // device, driver, CPU features, settings
  std::string kernel; // name, module, build options
};

enum class CacheOutcome { hit, miss, bad };

struct CacheInfo {
  std::string folder;  // empty if no variable names one
  std::string problem; // why the folder is not used; empty if it is used
  std::size_t files = 0;
  std::uint64_t bytes = 0, limit = 0;
};

CacheOutcome find_binary(const CacheKey &key, std::vector<unsigned char> &binary);
// Writes a file. If the size limit is exceeded, deletes the least recently used files.
void save_binary(const CacheKey &key, const std::vector<unsigned char> &binary);
// True if there is a binary of any kernel for the device.
bool has_binaries(const std::string &device);

CacheInfo cache_info();
std::size_t clear_cache(); // returns the number of deleted files

} // namespace usmtensor
