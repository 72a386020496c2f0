// Commands that sycl::free does not wait for.
#pragma once
#include "handles.hpp"

#include <mutex>
#include <unordered_map>

namespace usmtensor {

// On OpenCL, sycl::free waits for the kernels that use a block, and for copies from or to its
// beginning. It waits neither for copies from or to its middle nor for the commands of oneMKL, and
// the process crashes when memory goes before such a command is complete. So the last such command
// of each block is kept here, and whoever gives a block to the driver or to its owner waits for it.
//
// The wait is for this command alone. Other libraries drop the last reference in a host task of the
// queue, where a wait for the queue would never end.
class BlockUsers {
public:
  // `command` uses the block that begins at this address. Call it in a passage.
  void add(const void *block, const EventRef &command);
  // Waits for the last command of a block, and forgets it.
  void wait(const void *block) noexcept;

private:
  void forget_complete();

  std::mutex mutex_;
  std::unordered_map<const void *, EventRef> last_;
  std::size_t limit_ = 64; // of entries, beyond which those of complete commands are looked for
};

} // namespace usmtensor
