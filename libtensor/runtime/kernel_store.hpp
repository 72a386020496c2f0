// Name -> kernel: the modules embedded in this library, made executable once per context and
// device.
#pragma once
#include "handles.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

namespace usmtensor {

using KernelId = std::uint32_t;

// The position of a kernel in the embedded index; an Error of kind kernel for an unknown name.
KernelId kernel_id(std::string_view name);

// The kernels of one context and device. Lookup of a kernel that was used before is one atomic
// load.
class KernelTable {
public:
  KernelTable(const sycl::context &context, const sycl::device &device);
  const sycl::kernel &operator[](KernelId id) {
    if (const sycl::kernel *kernel = slots_[id].load(std::memory_order_acquire))
      return *kernel;
    return load(id);
  }

private:
  const sycl::kernel &load(KernelId id);

  std::unique_ptr<sycl::context> context_;
  std::unique_ptr<sycl::device> device_;
  std::unique_ptr<std::atomic<const sycl::kernel *>[]> slots_;
};

// The table of a context and device; made at first use, kept for the life of the process.
KernelTable &kernel_table(const sycl::context &context, const sycl::device &device);

} // namespace usmtensor
