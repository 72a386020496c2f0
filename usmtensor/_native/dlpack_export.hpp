// A tensor for a DLPack consumer, which owns its memory. It holds no Python object, because the
// consumer may delete it on any thread, and after the interpreter was finalised.
#pragma once
#include "python_lifetime.hpp"
#include "runtime/memory.hpp"
#include "runtime/order.hpp"
#include "runtime/pool.hpp"

#include <usmtensor/dlpack.h>

#include <functional>
#include <new>
#include <utility>

namespace usmtensor {

struct ExportedTensor {
  union {
    dlpack::DLManagedTensorVersioned versioned;
    dlpack::DLManagedTensor unversioned;
  };
  Memory memory;
  bool host_view; // the consumer uses the memory on the host

  std::int64_t *extents() { return reinterpret_cast<std::int64_t *>(this + 1); }
};

inline void delete_export(ExportedTensor *tensor) noexcept {
  if (process_is_exiting())
    return;
  if (tensor->host_view)
    close_host_view(*tensor->memory);
  release_memory(tensor->memory);
  tensor->~ExportedTensor();
  ::operator delete(tensor);
}

template <class Tensor> void delete_managed(Tensor *tensor) {
  delete_export(static_cast<ExportedTensor *>(tensor->manager_ctx));
}

// Allocates a tensor, followed by memory for its shape and strides.
inline ExportedTensor *new_export(const Memory &memory, int ndim, bool versioned) {
  void *const bytes = ::operator new(sizeof(ExportedTensor) + 2 * ndim * sizeof(std::int64_t));
  auto *const tensor = new (bytes) ExportedTensor{{}, memory, false};
  if (versioned)
    tensor->versioned = {{dlpack::dlpack_major_version, dlpack::dlpack_minor_version},
                         tensor,
                         delete_managed,
                         0,
                         {}};
  else
    tensor->unversioned = {{}, tensor, delete_managed};
  return tensor;
}

// Calls the deleter of an imported tensor.
template <class Tensor> void call_deleter(void *tensor) {
  auto *const managed = static_cast<Tensor *>(tensor);
  if (managed->deleter)
    managed->deleter(managed);
}

inline void call_dlpack_deleter(void *tensor, bool versioned) {
  versioned ? call_deleter<dlpack::DLManagedTensorVersioned>(tensor)
            : call_deleter<dlpack::DLManagedTensor>(tensor);
}

inline std::function<void()> dlpack_release(void *tensor, bool versioned) {
  return [tensor, versioned] { call_dlpack_deleter(tensor, versioned); };
}

} // namespace usmtensor
