// Makes embedded kernels and user kernels executable, once per context and device: from disk, or by
// the device's compiler.
#pragma once
#include "handles.hpp"

#include <atomic>
#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace usmtensor {

using KernelId = std::uint32_t; // embedded kernels first, then user kernels

// A user kernel: a function in a source.
struct SourceKernel {
  bool operator==(const SourceKernel &other) const {
    return name == other.name && source == other.source && options == other.options;
  }
  std::string name, source;
  std::vector<std::string> options; // compiler options, after those of the library
  bool complete;                    // includes no user files, so its binary can be cached on disk
};

// Returns the id of a user kernel, which is valid for the life of the process. Equal kernels get
// the same id.
KernelId add_kernel(const SourceKernel &kernel);

// The kernels of a context and device. A lookup is two atomic loads after the first use of a
// kernel.
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

  // True if a kernel is executable without waiting.
  bool has(KernelId id) const { return ready(id); }
  // Loads the kernel if there is a binary. Returns true if it is executable.
  bool at_hand(KernelId id);
  // Loads or compiles the kernel on the compile thread.
  void load_later(KernelId id);

  // What a request does: loads a binary; also compiles, before the kernels that no call waits for;
  // or leaves both to the compile thread.
  enum class Need { load, now, later };

  // Warms up the compiler in the background. Does so once per process, and only if the disk has no
  // binaries for the device: a process that finds all its kernels on disk needs no compiler.
  void warm_up();

  // Slots are allocated in chunks.
  static constexpr KernelId chunk = 4096, max_kernels = 256 * chunk;

  // Loads, compiles and saves the kernels of a context and device.
  class Maker;

private:
  using Slot = std::atomic<const sycl::kernel *>;

  // Null if the kernel is not executable yet.
  const sycl::kernel *ready(KernelId id) const {
    const Slot *slots = chunks_[id / chunk].load(std::memory_order_acquire);
    return slots ? slots[id % chunk].load(std::memory_order_acquire) : nullptr;
  }
  Slot &slot(KernelId id);
  const sycl::kernel &load(KernelId id);
  std::shared_future<const sycl::kernel *> request(KernelId id, Need need);

  std::unique_ptr<Maker> maker_;
  std::atomic<Slot *> chunks_[max_kernels / chunk]{};
};

// The table of a context and device. It lives as long as one of their queues; that of a default
// context lives as long as the process.
std::shared_ptr<KernelTable> kernel_table(const sycl::context &context, const sycl::device &device);

// Makes a kernel executable on the device, and waits until it has been saved to disk, if possible.
void make_kernel(KernelTable &kernels, KernelId id);

// Call these before and after a fork, while the gate is closed. The child forgets pending requests.
void kernel_store_before_fork();
void kernel_store_after_fork_parent();
void kernel_store_after_fork_child();

} // namespace usmtensor
