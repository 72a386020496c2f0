// Small blocks that the host writes and one launch reads: kernel arguments that do not fit in
// scalars.
#pragma once
#include "handles.hpp"

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>

namespace usmtensor {

// The blocks of one queue. The host writes them, so a block is reused only when the launch that
// reads it is complete. Launches complete in order, so it suffices to check the oldest block.
class ScratchBlocks {
public:
  struct Block {
    char *data;
    std::size_t nbytes;
    bool leased;
    EventRef last_use; // null until a launch has read it

    bool free() const;
    // Call this after the launch, in its command.
    void launched(sycl::queue &queue);
  };
  struct Return { // without launched(), the block is free at once
    ScratchBlocks *blocks;
    void operator()(Block *block) const;
  };
  // A block for one launch.
  using Lease = std::unique_ptr<Block, Return>;

  explicit ScratchBlocks(const Place &place) : place_(place) {}
  ~ScratchBlocks(); // when all launches are complete
  Lease take(std::size_t nbytes);

private:
  char *allocate(std::size_t nbytes) const;

  const Place &place_; // of the queue, which owns the blocks
  std::mutex mutex_;
  std::list<Block> blocks_; // the oldest first
};

} // namespace usmtensor
