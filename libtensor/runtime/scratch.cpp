#include "scratch.hpp"

#include "event.hpp"
#include "gate.hpp"
#include "pool.hpp"
#include "translate.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace usmtensor {

namespace {

constexpr std::size_t least = 1024, first_slab = 16 * least;

} // namespace

bool ScratchRing::Block::free() const { return !leased && (!last_use || is_complete(last_use)); }

void ScratchRing::Block::launched(sycl::queue &queue) {
  last_use = std::make_shared<sycl::event>(queue.ext_oneapi_submit_barrier());
}

void ScratchRing::Return::operator()(Block *block) const {
  const Passage passage;
  std::lock_guard<std::mutex> lock(ring->mutex_);
  block->leased = false;
}

ScratchRing::~ScratchRing() {
  for (char *slab : slabs_)
    free_usm(place_, slab);
}

ScratchRing::Lease ScratchRing::take(std::size_t nbytes) {
  const Passage passage;
  std::lock_guard<std::mutex> lock(mutex_);
  int power = 0;
  while ((least << power) < nbytes)
    ++power;
  Ring &ring = rings_[power];
  if (!ring.newest || !translated(&place_, [&] { return ring.newest->next->free(); }))
    grow(ring, least << power);
  ring.newest = ring.newest->next;
  ring.newest->leased = true;
  return {ring.newest, {this}};
}

void ScratchRing::grow(Ring &ring, std::size_t nbytes) {
  const std::size_t count = std::max(ring.count, std::max<std::size_t>(first_slab / nbytes, 1));
  const auto kind = place_.device->has(sycl::aspect::usm_host_allocations)
                        ? sycl::usm::alloc::host
                        : sycl::usm::alloc::shared;
  slabs_.reserve(slabs_.size() + 1);
  auto *data = static_cast<char *>(
      fails(Fault::pointer) ? nullptr
                            : sycl::malloc(count * nbytes, *place_.device, *place_.context, kind));
  if (!data)
    throw context_error(place_.context.get(), place_.device.get(), ErrorKind::allocation,
                        "cannot allocate " + std::to_string(count * nbytes) +
                            " bytes of host memory for the arguments of kernels");
  slabs_.push_back(data);
  for (std::size_t i = 0; i < count; ++i) {
    Block &block = blocks_.emplace_back(Block{data + i * nbytes, false, nullptr, nullptr});
    block.next = ring.newest ? std::exchange(ring.newest->next, &block) : ring.newest = &block;
    ++ring.count;
  }
}

} // namespace usmtensor
