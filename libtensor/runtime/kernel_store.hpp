// The kernels embedded in this library, made executable once per context and device: from native
// binaries of the package, from disk, or by the compiler.
#pragma once
#include "handles.hpp"

#include <atomic>
#include <cstdint>
#include <future>
#include <memory>

namespace usmtensor {

using KernelId = std::uint32_t; // its place among the embedded kernels

// The kernels of one context and device. After its first use, a kernel is found by one atomic load.
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

  // Whether a kernel is executable without waiting. If not, starts its compilation.
  bool at_hand(KernelId id);

  // Prepares the compile thread for its first kernel, in the background: once in a process, and
  // only if neither this library nor the disk has binaries for the device. A process that finds all
  // its kernels should not pay for it.
  void warm_up();

  // Makes the kernels of this context and device.
  class Maker;

private:
  const sycl::kernel &load(KernelId id);
  std::shared_future<const sycl::kernel *> request(KernelId id);

  std::unique_ptr<Maker> maker_;
  std::unique_ptr<std::atomic<const sycl::kernel *>[]> slots_;
};

// The table of a context and device. It lives as long as one of their queues.
std::shared_ptr<KernelTable> kernel_table(const sycl::context &context, const sycl::device &device);

// Around a fork, with the gate closed: the child starts afresh.
void kernel_store_before_fork();
void kernel_store_after_fork_parent();
void kernel_store_after_fork_child();

} // namespace usmtensor
