// Settings of the runtime, and counters. Only the module of tests/hooks changes the settings and
// reads the counters. Otherwise environment variables and the device decide.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace usmtensor {

enum class Tier { unset, automatic, device, host };

// Steps that tests make fail, because real drivers rarely fail there.
enum class Fault {
  allocation,   // allocate() fails, even after the pools were emptied
  driver,       // the driver has no memory: the pools are emptied, and it is called again
  command,      // a queue refuses a command
  command_part, // a queue refuses a command after a part of it was submitted
  barrier,      // a queue refuses a barrier
  load,         // a kernel binary from disk is refused
  compile,      // a kernel does not compile
  context,      // a context no longer accepts commands
  queue,        // a queue cannot be created or adopted
  event,        // a wait for an event, or a query of it, fails
  pointer,      // freeing or querying a pointer fails, or allocating kernel arguments does
};

struct Settings {
  std::atomic<Tier> tier{Tier::unset};                       // unset: USMTENSOR_TIER decides
  std::atomic<int> device_class{0};                          // 1 + DeviceClass; 0: the device's own
  std::atomic<std::size_t> device_bytes{0}, pooled_bytes{0}; // lower limits; 0: the defaults
  std::atomic<bool> ordering{true};                          // false: commands are not ordered
  std::atomic<bool (*)(Fault)> fails{nullptr};               // null if no fault is planned
};
extern Settings settings;

// Numbers of commands run by the host, of kernels by origin, and of bad files in the cache.
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

// True if USMTENSOR_TEST_HIDE names a feature. Tests simulate a device or processor without it.
bool is_hidden(const std::string &feature);

// The tier from the settings or, if unset, from USMTENSOR_TIER.
Tier tier();

// True if the step should fail. Call it once for each allocation, command, and so on.
inline bool fails(Fault fault) {
  bool (*const planned)(Fault) = settings.fails.load(std::memory_order_relaxed);
  return planned && planned(fault);
}

} // namespace usmtensor
