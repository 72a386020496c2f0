#include "scratch.hpp"

#include "error.hpp"
#include "gate.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <optional>
#include <string>

namespace usmtensor {

struct ScratchRing::Block {
  void *data;
  std::size_t nbytes;
  bool leased;
  std::optional<sycl::event> last_use;

  bool free() const {
    namespace info = sycl::info;
    return !leased && (!last_use || last_use->get_info<info::event::command_execution_status>() ==
                                        info::event_command_status::complete);
  }
};

ScratchRing::ScratchRing(const sycl::context &context)
    : context_(std::make_unique<sycl::context>(context)) {}

ScratchRing::~ScratchRing() {
  for (const auto &block : blocks_)
    try {
      if (block->last_use)
        block->last_use->wait();
      sycl::free(block->data, *context_);
    } catch (const sycl::exception &) { // a destructor has nobody to tell
    }
}

ScratchRing::Lease ScratchRing::take(const sycl::device &device, std::size_t nbytes) {
  constexpr std::size_t least = 1024;
  const Passage passage;
  std::lock_guard<std::mutex> lock(mutex_);
  for (const auto &block : blocks_)
    if (block->nbytes >= nbytes && block->free()) {
      block->leased = true;
      return {this, block.get()};
    }
  const std::size_t size = std::max(nbytes, least);
  const auto kind = device.has(sycl::aspect::usm_host_allocations) ? sycl::usm::alloc::host
                                                                   : sycl::usm::alloc::shared;
  void *data = sycl::malloc(size, device, *context_, kind);
  if (!data)
    throw Error(ErrorKind::allocation, "cannot allocate " + std::to_string(size) +
                                           " bytes of host memory for the arguments of a kernel");
  blocks_.push_back(std::make_unique<Block>(Block{data, size, true, {}}));
  return {this, blocks_.back().get()};
}

void *ScratchRing::Lease::data() const { return block_ ? block_->data : nullptr; }

void ScratchRing::Lease::launched(sycl::queue &queue) {
  if (block_)
    block_->last_use = queue.ext_oneapi_submit_barrier();
}

ScratchRing::Lease::~Lease() {
  if (!ring_)
    return;
  const Passage passage;
  std::lock_guard<std::mutex> lock(ring_->mutex_);
  block_->leased = false;
}

} // namespace usmtensor
