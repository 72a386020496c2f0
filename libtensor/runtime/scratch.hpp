// Small blocks that the host writes and one launch reads: kernel arguments that do not fit in
// scalars.
#pragma once
#include "handles.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace usmtensor {

// The blocks of one queue, reused only when the launch that reads them is complete: unlike memory
// that commands write, they may not be reused in queue order, because it is the host that writes.
class ScratchRing {
public:
  struct Block {
    void *data;
    std::size_t nbytes;
    bool leased;
    EventRef last_use; // null until a launch has read it

    bool free() const;
    // To be called behind the launch, in its command.
    void launched(sycl::queue &queue);
  };
  struct Return { // without launched(), the block is free at once
    ScratchRing *ring;
    void operator()(Block *block) const;
  };
  // A block for one launch.
  using Lease = std::unique_ptr<Block, Return>;

  explicit ScratchRing(const sycl::context &context);
  ~ScratchRing();
  Lease take(const sycl::device &device, std::size_t nbytes);

private:
  std::unique_ptr<sycl::context> context_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Block>> blocks_;
};

} // namespace usmtensor
