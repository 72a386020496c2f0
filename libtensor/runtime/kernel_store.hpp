// Name -> kernel: the kernels embedded in this library, made executable once per context and
// device, from their native binaries, the disk or the compiler.
#pragma once
#include "handles.hpp"

#include <atomic>
#include <cstdint>
#include <future>
#include <memory>

namespace usmtensor {

using KernelId = std::uint32_t; // its place among the embedded kernels

// The kernels of one context and device. Lookup of a kernel that was used before is one atomic
// load.
class KernelTable : public std::enable_shared_from_this<KernelTable> {
public:
  KernelTable(const sycl::context &context, const sycl::device &device);
  ~KernelTable();
  bool is_of(const sycl::context &context, const sycl::device &device) const;
  const sycl::kernel &operator[](KernelId id) {
    if (const sycl::kernel *kernel = slots_[id].load(std::memory_order_acquire))
      return *kernel;
    return load(id);
  }

  // Whether a kernel can be used without waiting for the compiler, which otherwise begins with it.
  bool at_hand(KernelId id);

  // Prepares the compile thread for its first kernel, in the background: once in a process, and
  // only if neither this library nor the disk has binaries for the device. Whoever finds all
  // kernels there should not pay.
  void warm_up();

  // How this context and device come to their kernels.
  class Maker;

private:
  const sycl::kernel &load(KernelId id);
  std::shared_future<const sycl::kernel *> request(KernelId id);

  std::unique_ptr<Maker> maker_;
  std::unique_ptr<std::atomic<const sycl::kernel *>[]> slots_;
};

// The table of a context and device, which lives as long as one of its queues.
std::shared_ptr<KernelTable> kernel_table(const sycl::context &context, const sycl::device &device);

// Around a fork, with the gate closed: the child starts afresh.
void kernel_store_before_fork();
void kernel_store_after_fork_parent();
void kernel_store_after_fork_child();

// Where kernels came from in this process, and how many files of the cache were of no use.
struct KernelStatistics {
  std::uint64_t shipped, disk, jit, source, bad;
};
KernelStatistics kernel_statistics();

} // namespace usmtensor
