// Settings by which the runtime decides, and counts of its work. The module of tests/hooks changes
// the settings and reads the counts; in use, environment variables and the device decide.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace usmtensor {

enum class Tier { unset, automatic, device, host };

// Steps that fail on request: a driver grants more memory than there is, and refuses nothing that
// is in order.
enum class Fault {
  allocation,   // allocate() fails as if nothing helped
  driver,       // the driver has no memory: the pools are emptied, and it is asked again
  command,      // a queue refuses a command
  command_part, // a queue refuses a command when a part of it was submitted
  barrier,      // a queue refuses a barrier
  load,         // a kernel's binary from disk is refused
  compile,      // a kernel does not compile
  context,      // a context takes no commands any more
  queue,        // a queue cannot be made or adopted
  event,        // the wait for an event, or a question to it, is refused
  pointer,      // the driver does not free a block or know it, or has none for kernels' arguments
};

struct Settings {
  std::atomic<Tier> tier{Tier::unset};                       // of small work; unset: USMTENSOR_TIER
  std::atomic<int> device_class{0};                          // 1 + DeviceClass; 0: of the device
  std::atomic<std::size_t> device_bytes{0}, pooled_bytes{0}; // lower limits; 0: the usual ones
  std::atomic<bool> ordering{true};                          // false leaves order to chance
  std::atomic<bool (*)(Fault)> fails{nullptr};               // null where no fault is planned
};
extern Settings settings;

// Commands of the host, and kernels by their origin with the bad files of the cache.
struct Counts {
  std::atomic<std::uint64_t> host_commands{0}; // threads may lose some
  std::atomic<std::uint64_t> disk{0}, jit{0}, source{0}, bad{0};
};
extern Counts counts;

// The value of an environment variable; empty if the variable is not set.
inline std::string variable(const char *name) {
  const char *const value = std::getenv(name);
  return value ? value : "";
}

// Whether USMTENSOR_TEST_HIDE names a feature, so that tests play a device or processor without it.
bool is_hidden(const std::string &feature);

// The tier as set, otherwise by USMTENSOR_TIER.
Tier tier();

// Asked once for each allocation, command and so on.
inline bool fails(Fault fault) {
  bool (*const planned)(Fault) = settings.fails.load(std::memory_order_relaxed);
  return planned && planned(fault);
}

} // namespace usmtensor
