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
  struct Block;

public:
  explicit ScratchRing(const sycl::context &context);
  ~ScratchRing();

  // A block for one launch; empty until it is taken from a ring.
  class Lease {
  public:
    Lease() = default;
    Lease(Lease &&other) noexcept : ring_(other.ring_), block_(other.block_) {
      other.ring_ = nullptr;
    }
    Lease &operator=(Lease &&) = delete;
    ~Lease(); // without launched(): the block is free at once

    void *data() const;
    // To be called behind the launch, in its command.
    void launched(sycl::queue &queue);

  private:
    friend ScratchRing;
    Lease(ScratchRing *ring, Block *block) : ring_(ring), block_(block) {}
    ScratchRing *ring_ = nullptr;
    Block *block_ = nullptr;
  };

  Lease take(const sycl::device &device, std::size_t nbytes);

private:
  std::unique_ptr<sycl::context> context_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Block>> blocks_;
};

} // namespace usmtensor
