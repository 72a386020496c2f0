// The kernels embedded in this library and users' kernels, made executable once per context and
// device: from disk, or by the device's compiler.
#pragma once
#include "handles.hpp"

#include <atomic>
#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace usmtensor {

using KernelId = std::uint32_t; // its place among the embedded kernels, or after them

// A kernel that a user wrote: a function of a source.
struct SourceKernel {
  bool operator==(const SourceKernel &other) const {
    return name == other.name && source == other.source && options == other.options;
  }
  std::string name, source;
  std::vector<std::string> options; // of the compiler, after those of the library
  bool complete;                    // the source includes no files of the user: it may be on disk
};

// The id of a user's kernel, for the life of the process; equal kernels have one.
KernelId add_kernel(const SourceKernel &kernel);

// The kernels of one context and device. After its first use, a kernel is found by one atomic load.
class KernelTable : public std::enable_shared_from_this<KernelTable> {
public:
  KernelTable(const sycl::context &context, const sycl::device &device);
  ~KernelTable();
  bool is_of(const sycl::context &context, const sycl::device &device) const;
  const sycl::kernel &operator[](KernelId id) {
    if (const sycl::kernel *kernel = ready(id))
      return *kernel;
    return load(id);
  }

  // Whether a kernel is executable without waiting.
  bool has(KernelId id) const { return ready(id); }
  // Loads it if there is a binary, otherwise starts its compilation. Whether it is executable then.
  bool at_hand(KernelId id);
  // Lets the compile thread do so, unless many kernels wait for that.
  void load_later(KernelId id);

  // Prepares the compile thread for its first kernel, in the background: once in a process, and
  // only if the disk has no binaries for the device. A process that finds all its kernels should
  // not pay for it.
  void warm_up();

  // The number of kernels that there is room for.
  static constexpr KernelId chunk = 4096, most = 256 * chunk;

  // Makes the kernels of this context and device.
  class Maker;

private:
  using Slot = std::atomic<const sycl::kernel *>;

  // Null if it is not executable yet.
  const sycl::kernel *ready(KernelId id) const {
    const Slot *slots = chunks_[id / chunk].load(std::memory_order_acquire);
    return slots ? slots[id % chunk].load(std::memory_order_acquire) : nullptr;
  }
  Slot &slot(KernelId id);
  const sycl::kernel &load(KernelId id);
  std::shared_future<const sycl::kernel *> request(KernelId id, bool later = false);

  std::unique_ptr<Maker> maker_;
  std::atomic<Slot *> chunks_[most / chunk]{};
};

// The table of a context and device. It lives as long as one of their queues.
std::shared_ptr<KernelTable> kernel_table(const sycl::context &context, const sycl::device &device);

// Makes a kernel executable on the device. Returns after the attempt to write it to disk.
void make_kernel(KernelTable &kernels, KernelId id);

// Around a fork, with the gate closed: the child starts afresh.
void kernel_store_before_fork();
void kernel_store_after_fork_parent();
void kernel_store_after_fork_child();

} // namespace usmtensor
