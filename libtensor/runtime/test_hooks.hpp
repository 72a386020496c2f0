// What tests change in the runtime; tests/hooks sets it.
#pragma once
#include <atomic>
#include <cstddef>

namespace usmtensor {

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
};

struct TestHooks {
  std::atomic<bool (*)(Fault)> fails{nullptr};               // null where no fault is planned
  std::atomic<bool> ordering{true};                          // false leaves order to chance
  std::atomic<int> device_class{0};                          // 0 as it is, 1 a CPU, 2 another
  std::atomic<int> tier{0};                                  // a Tier, of host_kernels.hpp
  std::atomic<std::size_t> device_bytes{0}, pooled_bytes{0}; // lower limits; 0: the usual ones
};
extern TestHooks test_hooks;

// Asked once for each allocation, command and so on.
inline bool fails(Fault fault) {
  bool (*const planned)(Fault) = test_hooks.fails.load(std::memory_order_relaxed);
  return planned && planned(fault);
}

} // namespace usmtensor
