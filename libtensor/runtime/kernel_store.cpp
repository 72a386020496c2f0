#include "kernel_store.hpp"

#include "compile_thread.hpp"
#include "context_error.hpp"
#include "error.hpp"
#include "gate.hpp"
#include "kernel_cache.hpp"
#include "kernel_compile.hpp"
#include "kernel_pack.hpp"
#include "opencl_api.hpp"
#include "settings.hpp"

#include <sycl/sycl.hpp>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <future>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace usmtensor {
namespace {

// Whether USMTENSOR_KERNELS names this source of kernels.
bool only_from(const char *origin) {
  static const char *const value = std::getenv("USMTENSOR_KERNELS");
  return value && std::strcmp(value, origin) == 0;
}

} // namespace

class KernelTable::Maker {
public:
  Maker(const sycl::context &context, const sycl::device &device)
      : context(context), device(device), backend_(device.get_backend()) {}

  // From a native binary of the build or on disk; null if there is none.
  const sycl::kernel *load(const PackedKernel &packed) {
    if (!opencl())
      return nullptr;
    if (has_shipped(packed))
      if (const sycl::kernel *kernel = from_binary(packed, [&] { return packed.binary(); })) {
        ++counts.shipped;
        return kernel;
      }
    std::vector<unsigned char> binary;
    CacheOutcome outcome = find_binary(key(packed, packed.spirv()), binary);
    const sycl::kernel *kernel = nullptr;
    if (outcome == CacheOutcome::hit) {
      kernel = from_binary(packed, [&] { return binary; });
      if (!kernel)
        outcome = CacheOutcome::bad;
    }
    counts.bad += outcome == CacheOutcome::bad;
    counts.disk += kernel != nullptr;
    return kernel;
  }

  // `deliver` gets the kernel as soon as it is executable; later it is written to disk.
  template <class Deliver> void compile(const PackedKernel &packed, Deliver &&deliver) {
    if (fails(Fault::compile))
      throw Error(ErrorKind::kernel, "a test asked for this failure");
    if (!opencl()) {
      const bool source = from_text();
      auto *kernel = new sycl::kernel(source ? compile_source(context, device, packed)
                                             : compile_spirv(context, device, packed));
      ++(source ? counts.source : counts.jit);
      deliver(kernel);
      return;
    }
    const std::vector<std::byte> module = packed.spirv();
    const auto program = opencl()->from_spirv(module);
    auto *kernel = new sycl::kernel(program->kernel(full_name(packed).c_str()));
    ++counts.jit;
    deliver(kernel);
    try {
      const std::vector<unsigned char> binary = program->binary();
      if (!binary.empty())
        keep_binary(key(packed, module), binary);
    } catch (const std::exception &) { // no memory: the next process compiles it
    }
  }

  bool can_warm_up() const { return backend_ == sycl::backend::opencl && !from_text(); }

  void warm_up() {
    const PackedKernel any = packed_kernel(0); // a small one
    if (!opencl() || has_shipped(any) || has_binaries(opencl()->identity()))
      return;
    opencl()->from_spirv(any.spirv());
  }

  const sycl::context context;
  const sycl::device device;

private:
  bool from_text() const {
    return only_from("source") ||
           (backend_ != sycl::backend::opencl && backend_ != sycl::backend::ext_oneapi_level_zero);
  }

  // Null if SYCL has to compile. Computed at first use, not for every queue.
  const OpenClPlace *opencl() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!asked_) {
      if (backend_ == sycl::backend::opencl && !from_text())
        opencl_ = OpenClPlace::make(context, device);
      asked_ = true;
    }
    return opencl_.get();
  }

  bool has_shipped(const PackedKernel &packed) {
    return !only_from("spirv") && packed.has_binary(opencl()->identity());
  }

  // Null if the binary is damaged, or the driver refuses it.
  template <class Read> const sycl::kernel *from_binary(const PackedKernel &packed, Read &&read) {
    try {
      if (fails(Fault::load))
        throw Error(ErrorKind::kernel, "a test asked for this failure");
      if (const auto program = opencl()->from_binary(read()))
        return new sycl::kernel(program->kernel(full_name(packed).c_str()));
    } catch (const std::exception &) {
    }
    return nullptr;
  }

  static std::string full_name(const PackedKernel &packed) {
    return std::string("__sycl_kernel_") + packed.name;
  }

  CacheKey key(const PackedKernel &packed, const std::vector<std::byte> &module) {
    const std::string_view bytes(reinterpret_cast<const char *>(module.data()), module.size());
    return {opencl()->identity(),
            std::string(packed.name) + ' ' + std::to_string(fnv(bytes)) + " options: none"};
  }

  const sycl::backend backend_;
  std::mutex mutex_;
  bool asked_ = false;
  std::unique_ptr<OpenClPlace> opencl_;
};

namespace {

using Kernel = const sycl::kernel *;
using Pending = std::map<std::pair<const KernelTable *, KernelId>, std::shared_future<Kernel>>;

// Never destroyed: kernels may be used until the very end of the process.
struct Store {
  std::mutex mutex; // held for look-ups only, never while something loads or compiles
  std::list<std::weak_ptr<KernelTable>> tables;
  Pending *pending = new Pending;
};

Store &store() {
  static Store &store = *new Store;
  return store;
}

std::string name_of(const sycl::device &device) {
  try {
    return device.get_info<sycl::info::device::name>();
  } catch (const sycl::exception &) {
    return "the device";
  }
}

// The current exception as one that may leave this library.
std::exception_ptr explained(const KernelTable::Maker &maker, const PackedKernel &packed) {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    return std::current_exception();
  } catch (...) {
    const Error reason = current_error();
    return std::make_exception_ptr(context_error(&maker.context, &maker.device, ErrorKind::kernel,
                                                 std::string("the kernel ") + packed.name +
                                                     " does not compile for " +
                                                     name_of(maker.device) + ": " + reason.what(),
                                                 reason.code));
  }
}

} // namespace

KernelTable::KernelTable(const sycl::context &context, const sycl::device &device)
    : maker_(std::make_unique<Maker>(context, device)),
      slots_(std::make_unique<std::atomic<const sycl::kernel *>[]>(packed_kernel_count())) {}

KernelTable::~KernelTable() {
  const Passage passage;
  for (KernelId id = 0; id < packed_kernel_count(); ++id)
    delete slots_[id].load();
  maker_.reset();
}

bool KernelTable::is_of(const sycl::context &context, const sycl::device &device) const {
  return maker_->context == context && maker_->device == device;
}

const sycl::kernel &KernelTable::load(KernelId id) { return *request(id).get(); }

bool KernelTable::at_hand(KernelId id) {
  return slots_[id].load(std::memory_order_acquire) ||
         request(id).wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

std::shared_future<const sycl::kernel *> KernelTable::request(KernelId id) {
  const std::pair<const KernelTable *, KernelId> key(this, id);
  auto promise = std::make_shared<std::promise<Kernel>>();
  std::shared_future<Kernel> result = promise->get_future().share();
  // The exiting thread waits for no other thread: the gate stops the others.
  const bool alone = closed_at_exit_by_this_thread();
  {
    std::lock_guard<std::mutex> lock(store().mutex);
    if (Kernel kernel = slots_[id].load(std::memory_order_acquire)) {
      promise->set_value(kernel);
      return result;
    }
    if (!alone) {
      const auto [found, first] = store().pending->try_emplace(key, result);
      if (!first) {
        result = found->second;
        promise = nullptr;
      }
    }
  }
  if (!promise)
    return result;

  auto forget = [key] {
    std::lock_guard<std::mutex> lock(store().mutex);
    store().pending->erase(key);
  };
  auto deliver = [self = shared_from_this(), id, promise, forget](Kernel kernel) {
    self->slots_[id].store(kernel, std::memory_order_release);
    forget();
    promise->set_value(kernel);
  };
  auto fail = [promise, forget](std::exception_ptr error) {
    forget(); // the next request tries again
    promise->set_exception(std::move(error));
  };
  const PackedKernel packed = packed_kernel(id);
  try {
    Kernel kernel = nullptr;
    {
      // Loading needs no warm compiler, so it runs here, parallel to other threads.
      const Passage passage;
      kernel = maker_->load(packed);
    }
    if (kernel)
      deliver(kernel);
    else
      run_on_compile_thread([self = shared_from_this(), packed, deliver, fail] {
        bool delivered = false;
        try {
          self->maker_->compile(packed, [&](Kernel made) {
            delivered = true;
            deliver(made);
          });
        } catch (...) {
          if (!delivered)
            fail(explained(*self->maker_, packed));
        }
      });
  } catch (...) {
    fail(explained(*maker_, packed));
  }
  return result;
}

void KernelTable::warm_up() {
  static std::atomic<bool> done{false};
  if (done.exchange(true) || !maker_->can_warm_up())
    return;
  run_on_compile_thread([self = shared_from_this()] {
    try {
      self->maker_->warm_up();
    } catch (const std::exception &) { // the request of a kernel raises the error
    }
  });
}

std::shared_ptr<KernelTable> kernel_table(const sycl::context &context,
                                          const sycl::device &device) {
  auto &tables = store().tables;
  std::lock_guard<std::mutex> lock(store().mutex);
  tables.remove_if([](const auto &table) { return table.expired(); });
  for (const auto &known : tables)
    if (std::shared_ptr<KernelTable> table = known.lock())
      if (table->is_of(context, device))
        return table;
  std::shared_ptr<KernelTable> made = std::make_shared<KernelTable>(context, device);
  tables.push_back(made);
  return made;
}

void kernel_store_before_fork() { store().mutex.lock(); }

void kernel_store_after_fork_parent() { store().mutex.unlock(); }

void kernel_store_after_fork_child() {
  // The thread that would deliver these is missing here, and promises with waiters must not be
  // destroyed.
  store().pending = new Pending;
  store().mutex.unlock();
  renew_compile_thread();
}

} // namespace usmtensor
