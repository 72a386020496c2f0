#include "scratch.hpp"

#include "error.hpp"
#include "gate.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <string>

namespace usmtensor {

bool ScratchRing::Block::free() const {
  namespace info = sycl::info;
  return !leased && (!last_use || last_use->get_info<info::event::command_execution_status>() ==
                                      info::event_command_status::complete);
}

void ScratchRing::Block::launched(sycl::queue &queue) {
  last_use = std::make_shared<sycl::event>(queue.ext_oneapi_submit_barrier());
}

void ScratchRing::Return::operator()(Block *block) const {
  const Passage passage;
  std::lock_guard<std::mutex> lock(ring->mutex_);
  block->leased = false;
}

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
      return {block.get(), {this}};
    }
  const std::size_t size = std::max(nbytes, least);
  const auto kind = device.has(sycl::aspect::usm_host_allocations) ? sycl::usm::alloc::host
                                                                   : sycl::usm::alloc::shared;
  void *data = sycl::malloc(size, device, *context_, kind);
  if (!data)
    throw Error(ErrorKind::allocation, "cannot allocate " + std::to_string(size) +
                                           " bytes of host memory for the arguments of a kernel");
  blocks_.push_back(std::make_unique<Block>(Block{data, size, true, {}}));
  return {blocks_.back().get(), {this}};
}

} // namespace usmtensor
