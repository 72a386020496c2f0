#include "scratch.hpp"

#include "event.hpp"
#include "gate.hpp"
#include "pool.hpp"
#include "translate.hpp"

#include <sycl/usm.hpp>

#include <algorithm>
#include <string>

namespace usmtensor {

bool ScratchBlocks::Block::free() const { return !leased && (!last_use || is_complete(last_use)); }

void ScratchBlocks::Block::launched(sycl::queue &queue) {
  last_use = std::make_shared<sycl::event>(queue.ext_oneapi_submit_barrier());
}

void ScratchBlocks::Return::operator()(Block *block) const {
  const DriverScope scope;
  std::lock_guard<std::mutex> lock(blocks->mutex_);
  block->leased = false;
}

ScratchBlocks::~ScratchBlocks() {
  for (const Block &block : blocks_)
    free_usm(queue_, block.data);
}

ScratchBlocks::Lease ScratchBlocks::take(std::size_t nbytes) {
  constexpr std::size_t min_bytes = 8192; // enough for 64 axes of 16 operands
  const DriverScope scope;
  std::lock_guard<std::mutex> lock(mutex_);
  const auto oldest_is_free = [&] {
    return !blocks_.empty() && translated(&queue_, [&] { return blocks_.front().free(); });
  };
  for (; oldest_is_free() && blocks_.front().nbytes < nbytes; blocks_.pop_front())
    free_usm(queue_, blocks_.front().data);
  std::list<Block> taken;
  if (oldest_is_free()) {
    taken.splice(taken.end(), blocks_, blocks_.begin());
  } else {
    Block &block = taken.emplace_back();
    block.nbytes = std::max(nbytes, min_bytes);
    block.data = allocate(block.nbytes);
  }
  taken.front().leased = true;
  blocks_.splice(blocks_.end(), taken);
  return {&blocks_.back(), {this}};
}

char *ScratchBlocks::allocate(std::size_t nbytes) const {
  const auto kind = queue_.device->has(sycl::aspect::usm_host_allocations)
                        ? sycl::usm::alloc::host
                        : sycl::usm::alloc::shared;
  void *const data =
      fails(Fault::pointer) ? nullptr : sycl::malloc(nbytes, *queue_.device, *queue_.context, kind);
  if (!data)
    throw context_error(queue_.context.get(), queue_.device.get(), ErrorKind::allocation,
                        "cannot allocate " + std::to_string(nbytes) +
                            " bytes of host memory for kernel arguments");
  return static_cast<char *>(data);
}

} // namespace usmtensor
