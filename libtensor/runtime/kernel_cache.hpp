// Native binaries of kernels on disk, shared by all processes of one user. Whatever is wrong with
// the folder or a file (damaged, foreign, read-only, open to others) is a miss, never an error.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace usmtensor {

// 64-bit FNV-1a: tells damage and differences apart; it is no defence, ownership of the files is.
inline std::uint64_t fnv(std::string_view bytes, std::uint64_t hash = 0xcbf29ce484222325) {
  for (const char byte : bytes)
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

// All that a binary depends on, as text: stored with it and compared.
struct CacheKey {
  std::string device; // device, driver, CPU features, settings
  std::string kernel; // name, module, build options
};

enum class CacheOutcome { hit, miss, bad };

struct CacheInfo {
  std::string folder;  // empty when none can be found
  std::string problem; // why it is not used; empty when it is
  std::size_t files = 0;
  std::uint64_t bytes = 0, limit = 0;
};

CacheOutcome find_binary(const CacheKey &key, std::vector<unsigned char> &binary);
// Writes a file and, beyond the size limit, deletes those that were used least recently.
void keep_binary(const CacheKey &key, const std::vector<unsigned char> &binary);
// Whether there is a binary of any kernel for the device.
bool has_binaries(const std::string &device);

CacheInfo cache_info();
std::size_t clear_cache(); // returns the number of files deleted

} // namespace usmtensor
