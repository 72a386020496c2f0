// Small blocks that the host writes and one launch reads: kernel arguments that do not fit in
// scalars.
#pragma once
#include "place.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace usmtensor {

// The blocks of one queue. The host writes them, so a block is reused only when the launch that
// reads it is complete. Launches complete in order, so it suffices to check the oldest block of a
// size.
class ScratchRing {
public:
  struct Block {
    char *data;
    bool leased;
    EventRef last_use; // null until a launch has read it
    Block *next;       // in the ring: the oldest follows the newest

    bool free() const;
    // Call this after the launch, in its command.
    void launched(sycl::queue &queue);
  };
  struct Return { // without launched(), the block is free at once
    ScratchRing *ring;
    void operator()(Block *block) const;
  };
  // A block for one launch.
  using Lease = std::unique_ptr<Block, Return>;

  explicit ScratchRing(const Place &place) : place_(place) {}
  ~ScratchRing(); // when all launches are complete
  Lease take(std::size_t nbytes);

private:
  struct Ring {
    Block *newest = nullptr;
    std::size_t count = 0;
  };
  // Doubles the number of blocks in the ring.
  void grow(Ring &ring, std::size_t nbytes);

  const Place &place_; // of the queue, which owns the ring
  std::mutex mutex_;
  std::deque<Block> blocks_;
  std::vector<char *> slabs_; // the memory of the blocks
  Ring rings_[54];            // for each power of two from 1024 bytes on
};

} // namespace usmtensor
