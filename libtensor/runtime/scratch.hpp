// Small blocks that the host writes and a launch reads: kernel arguments that are too large for
// scalars.
#pragma once
#include "handles.hpp"

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>

namespace usmtensor {

// The blocks of a queue. Because the host writes them, a block is reused only when the launch that
// reads it is complete. Launches complete in order, so only the oldest block is checked.
class ScratchBlocks {
public:
  struct Block {
    char *data;
    std::size_t nbytes;
    bool leased;
    EventRef last_use; // null until a launch has read it

    bool free() const;
    // Call this in the launch's command, after the launch.
    void launched(sycl::queue &queue);
  };
  struct Return { // if launched() was not called, the block is free immediately
    ScratchBlocks *blocks;
    void operator()(Block *block) const;
  };
  // A block for one launch.
  using Lease = std::unique_ptr<Block, Return>;

  explicit ScratchBlocks(const QueueInfo &queue) : queue_(queue) {}
  ~ScratchBlocks(); // all launches must be complete
  Lease take(std::size_t nbytes);

private:
  char *allocate(std::size_t nbytes) const;

  const QueueInfo &queue_; // the queue, which owns the blocks
  std::mutex mutex_;
  std::list<Block> blocks_; // the oldest first
};

} // namespace usmtensor
