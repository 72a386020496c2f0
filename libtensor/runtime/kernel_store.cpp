#include "kernel_store.hpp"

#include "compile_thread.hpp"
#include "context_error.hpp"
#include "error.hpp"
#include "gate.hpp"
#include "kernel_cache.hpp"
#include "kernel_pack.hpp"
#include "opencl_api.hpp"
#include "settings.hpp"
#include "spirv.hpp"
#include "sycl_binary.hpp"

#include <sycl/context.hpp>
#include <sycl/device.hpp>
#include <sycl/kernel_bundle.hpp>
#include <sycl/platform.hpp>
#include <sycl/version.hpp>

#include <algorithm>
#include <chrono>
#include <deque>
#include <dlfcn.h>
#include <filesystem>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace usmtensor {
namespace {

namespace syclexp = sycl::ext::oneapi::experimental;

// Whether the driver takes the prefetches of x86 in kernels: Intel's does, for CPUs of any vendor.
bool takes_assembly(const sycl::device &device) {
  constexpr std::uint32_t intel = 0x8086;
  return device.is_cpu() && device.get_info<sycl::info::device::vendor_id>() == intel;
}

// The embedded module, as a device takes it.
std::vector<std::byte> module_for(const sycl::device &device, const PackedKernel &packed) {
  return takes_assembly(device) ? packed.spirv() : without_assembly(packed.spirv());
}

std::vector<std::string> options_for(const sycl::device &device, const SourceKernel &kernel) {
  std::vector<std::string> options = kernel_options;
  if (takes_assembly(device))
    options.push_back("-DUSMTENSOR_CPU");
  options.insert(options.end(), kernel.options.begin(), kernel.options.end());
  return options;
}

sycl::kernel compile_spirv(const sycl::context &context, const sycl::device &device,
                           const PackedKernel &packed) {
  auto source = syclexp::create_kernel_bundle_from_source(context, syclexp::source_language::spirv,
                                                          module_for(device, packed));
  return syclexp::build(source, {device})
      .ext_oneapi_get_kernel(std::string("__sycl_kernel_") + packed.name);
}

// The source of the family with one of its wrappers, as kernelc/generate.py writes them. The
// headers take half a second and a kernel 20 ms or more, so compiling all would pay only for dozens
// of kernels.
SourceKernel source_kernel(const PackedKernel &packed) {
  const std::string all = packed.source();
  const std::string wrapper = "\nUSMTENSOR_KERNEL(";
  const std::size_t headers = all.find(wrapper);
  const std::size_t start = all.find(wrapper + packed.name + ",");
  const std::string_view closing = "\n}\n";
  const std::size_t end = start == all.npos ? all.npos : all.find(closing, start);
  if (end == all.npos)
    throw Error(ErrorKind::kernel, "the embedded source lacks it");
  const std::string kernel = all.substr(start, end + closing.size() - start);
  return {packed.name, all.substr(0, headers) + kernel, {}, true};
}

// Why the runtime cannot load its compiler, such as "Too many open files"; empty if it can. The
// runtime tries once, so the first answer holds for the whole process.
std::string compiler_load_error() {
  Dl_info runtime;
  if (!::dladdr(reinterpret_cast<void *>(&sycl::platform::get_platforms), &runtime))
    return {};
  const auto folder = std::filesystem::path(runtime.dli_fname).parent_path();
  if (void *const library = ::dlopen((folder / "libsycl-jit.so").c_str(), RTLD_LAZY)) {
    ::dlclose(library);
    return {};
  }
  const char *const reason = ::dlerror();
  return reason ? reason : "";
}

sycl::kernel compile_source(const sycl::context &context, const sycl::device &device,
                            const SourceKernel &kernel) {
  if (!sycl::device(device).ext_oneapi_can_build(syclexp::source_language::sycl)) {
    static const std::string &reason = *new std::string(compiler_load_error());
    throw Error(ErrorKind::kernel,
                reason.empty() ? "the SYCL runtime has no kernel compiler for this device"
                               : "the SYCL runtime could not load its kernel compiler: " + reason);
  }
  syclexp::include_files headers;
  for (const EmbeddedHeader *header = embedded_headers; header->name; ++header)
    headers.add(std::string("kernels/") + header->name, header->text);
  auto source = syclexp::create_kernel_bundle_from_source(
      context, syclexp::source_language::sycl, kernel.source, syclexp::properties{headers});
  const syclexp::build_options options(options_for(device, kernel));
  return syclexp::build(source, {device}, syclexp::properties{options})
      .ext_oneapi_get_kernel(kernel.name);
}

// True if USMTENSOR_KERNELS asks for kernels from their sources.
bool only_from_source() {
  static const bool asked = variable("USMTENSOR_KERNELS") == "source";
  return asked;
}

// A kernel: embedded, or a user's.
struct Code {
  const PackedKernel packed;
  const SourceKernel *const source;
  const char *name() const { return source ? source->name.c_str() : packed.name; }
};

} // namespace

class KernelTable::Maker {
public:
  Maker(const sycl::context &context, const sycl::device &device)
      : context(context), device(device), backend_(device.get_backend()) {}

  // From disk; null if it is not there.
  const sycl::kernel *load(const Code &code) {
    if (!has_place_on_disk(code))
      return nullptr;
    std::vector<unsigned char> binary;
    CacheOutcome outcome = CacheOutcome::miss;
    try {
      outcome = find_binary(key(code), binary);
    } catch (const sycl::exception &) { // the device does not tell its identity
    }
    const sycl::kernel *kernel = nullptr;
    if (outcome == CacheOutcome::hit) {
      kernel = from_binary(code, binary);
      if (!kernel)
        outcome = CacheOutcome::bad;
    }
    counts.bad += outcome == CacheOutcome::bad;
    counts.disk += kernel != nullptr;
    return kernel;
  }

  struct Compiled {
    const sycl::kernel *kernel;
    // Of SPIR-V: OpenCL forgets a program with its last handle, although the kernel uses it.
    OpenClProgram program;
  };

  Compiled compile(const Code &code) {
    if (fails(Fault::compile))
      throw Error(ErrorKind::kernel, "a test asked for this failure");
    const bool from_source = is_from_source(code);
    Compiled made{};
    if (has_ptx(code)) // its source, where the driver refuses it
      made.kernel = from_binary(code, wrap_ptx(code.name(), code.packed.ptx()));
    if (made.kernel) {
      ++counts.jit;
      return made;
    }
    if (!from_source && opencl())
      made.program = opencl()->from_spirv(module_for(device, code.packed));
    made.kernel =
        new sycl::kernel(made.program  ? opencl()->kernel(made.program, full_name(code).c_str())
                         : from_source ? compile_source(context, device, source_of(code))
                                       : compile_spirv(context, device, code.packed));
    ++(from_source ? counts.source : counts.jit);
    return made;
  }

  // Writes a compiled kernel to disk.
  void keep(const Code &code, const Compiled &made) {
    if (!has_place_on_disk(code))
      return;
    try {
      const std::vector<unsigned char> binary =
          !opencl()
              ? sycl_binary(*made.kernel)
              : opencl()->binary(made.program ? made.program : opencl()->program_of(*made.kernel));
      if (!binary.empty())
        keep_binary(key(code), binary);
    } catch (const std::exception &) { // the next process compiles it
    }
  }

  bool can_warm_up() const { return backend_ == sycl::backend::opencl && !from_text(); }

  void warm_up() {
    if (opencl() && !has_binaries(opencl()->identity()))
      opencl()->from_spirv(module_for(device, packed_kernel(0))); // a small one
  }

  const sycl::context context;
  const sycl::device device;

private:
  bool from_text() const {
    return only_from_source() ||
           (backend_ != sycl::backend::opencl && backend_ != sycl::backend::ext_oneapi_level_zero);
  }

  bool is_from_source(const Code &code) const { return code.source || from_text(); }

  static SourceKernel source_of(const Code &code) {
    return code.source ? *code.source : source_kernel(code.packed);
  }

  bool has_ptx(const Code &code) const {
    return backend_ == sycl::backend::ext_oneapi_cuda && !code.source && !only_from_source() &&
           code.packed.has_ptx();
  }

  // Not for sources that include files of the user, which may change, nor for SPIR-V that SYCL
  // compiles, of which it gives out no binary, nor for PTX, whose binaries CUDA keeps.
  bool has_place_on_disk(const Code &code) {
    return (opencl() || is_from_source(code)) && (!code.source || code.source->complete) &&
           !has_ptx(code);
  }

  // Null if SYCL has to compile. Computed at first use, not for every queue.
  const OpenClPlace *opencl() {
    std::call_once(asked_, [&] {
      if (can_warm_up())
        opencl_ = OpenClPlace::make(context, device);
    });
    return opencl_.get();
  }

  // Null if the binary is damaged, or the driver or SYCL refuses it.
  const sycl::kernel *from_binary(const Code &code, const std::vector<unsigned char> &binary) {
    try {
      if (fails(Fault::load))
        throw Error(ErrorKind::kernel, "a test asked for this failure");
      if (!opencl())
        return new sycl::kernel(from_sycl_binary(context, device, binary, code.name()));
      if (const auto program = opencl()->from_binary(binary))
        return new sycl::kernel(opencl()->kernel(program, full_name(code).c_str()));
    } catch (const std::exception &) {
    }
    return nullptr;
  }

  static std::string full_name(const Code &code) {
    return std::string("__sycl_kernel_") + code.name();
  }

  CacheKey key(const Code &code) {
    return {opencl() ? opencl()->identity() : sycl_binary_identity(device),
            is_from_source(code) ? text_of(source_of(code)) : text_of(code.packed)};
  }

  std::string text_of(const PackedKernel &packed) const {
    const std::vector<std::byte> module = module_for(device, packed);
    const std::string_view bytes(reinterpret_cast<const char *>(module.data()), module.size());
    return std::string(packed.name) + ' ' + std::to_string(fnv(bytes)) + " options: none";
  }

  std::string text_of(const SourceKernel &kernel) const {
    static const std::string compiler =
        std::to_string(__SYCL_COMPILER_VERSION) + ' ' + std::to_string(kernel_headers_hash()) + ' ';
    std::string text = compiler + kernel.name;
    for (const std::string &option : options_for(device, kernel))
      text += '\n' + std::to_string(option.size()) + ' ' + option;
    return text + "\n\n" + kernel.source;
  }

  const sycl::backend backend_;
  std::once_flag asked_;
  std::unique_ptr<OpenClPlace> opencl_;
};

namespace {

using Kernel = const sycl::kernel *;
// A kernel that was asked for. The first begin() loads it, or else starts its compilation; the
// others wait for that.
struct Request {
  std::shared_future<Kernel> result;
  std::function<void()> begin;
};
using Pending = std::map<std::pair<const KernelTable *, KernelId>, Request>;

// Never destroyed: kernels may be used until the very end of the process.
struct Store {
  std::mutex mutex; // held for look-ups only, never while something loads or compiles
  std::list<std::weak_ptr<KernelTable>> tables;
  std::vector<std::shared_ptr<KernelTable>> kept; // of contexts that live as long as the process
  Pending *pending = new Pending;
  std::deque<SourceKernel> sources;                               // the kernels of users, by id
  std::unordered_multimap<std::uint64_t, KernelId> known_sources; // by hash
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

// Not for parts of devices, of which there may be new ones without end.
bool is_of_default_context(const sycl::context &context, const sycl::device &device) {
  const std::vector<sycl::device> devices = context.get_devices();
  return std::find(devices.begin(), devices.end(), device) != devices.end() &&
         context == device.get_platform().khr_get_default_context();
}

Code code_of(KernelId id) {
  if (id < packed_kernel_count())
    return {packed_kernel(id), nullptr};
  std::lock_guard<std::mutex> lock(store().mutex);
  return {{}, &store().sources[id - packed_kernel_count()]};
}

// The current exception as one that may leave this library.
std::exception_ptr explained(const KernelTable::Maker &maker, const Code &code) {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    return std::current_exception();
  } catch (...) {
    const Error reason = current_error();
    return std::make_exception_ptr(context_error(
        &maker.context, &maker.device, code.source ? ErrorKind::compile : ErrorKind::kernel,
        std::string("the kernel ") + code.name() + " does not compile for " +
            name_of(maker.device) + ": " + reason.what(),
        reason.code));
  }
}

} // namespace

KernelId add_kernel(const SourceKernel &kernel) {
  auto &sources = store().sources;
  const std::uint64_t hash = fnv(kernel.source);
  std::lock_guard<std::mutex> lock(store().mutex);
  const auto [begin, end] = store().known_sources.equal_range(hash);
  for (auto known = begin; known != end; ++known)
    if (sources[known->second - packed_kernel_count()] == kernel)
      return known->second;
  const auto id = static_cast<KernelId>(packed_kernel_count() + sources.size());
  if (id >= KernelTable::most)
    throw Error(ErrorKind::kernel, "a process cannot have more than a million kernels");
  sources.push_back(kernel);
  store().known_sources.emplace(hash, id);
  return id;
}

KernelTable::KernelTable(const sycl::context &context, const sycl::device &device)
    : maker_(std::make_unique<Maker>(context, device)) {}

KernelTable::~KernelTable() {
  const Passage passage;
  for (const auto &slots : chunks_) {
    for (KernelId k = 0; slots && k < chunk; ++k)
      delete slots[k].load();
    delete[] slots.load();
  }
  maker_.reset();
}

KernelTable::Slot &KernelTable::slot(KernelId id) {
  auto &slots = chunks_[id / chunk];
  if (!slots)
    slots = new Slot[chunk]{};
  return slots[id % chunk];
}

bool KernelTable::is_of(const sycl::context &context, const sycl::device &device) const {
  return maker_->context == context && maker_->device == device;
}

const sycl::kernel &KernelTable::load(KernelId id) {
  const auto kernel = request(id);
  const MemoryUsePause pause;
  return *kernel.get();
}

bool KernelTable::at_hand(KernelId id) {
  return ready(id) || request(id).wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

void KernelTable::load_later(KernelId id) { request(id, true); }

std::shared_future<const sycl::kernel *> KernelTable::request(KernelId id, bool later) {
  constexpr std::size_t many = 64; // they keep their contexts
  const std::pair<const KernelTable *, KernelId> key(this, id);
  const Code code = code_of(id);
  auto promise = std::make_shared<std::promise<Kernel>>();
  auto once = std::make_shared<std::once_flag>();
  auto forget = [key] {
    std::lock_guard<std::mutex> lock(store().mutex);
    store().pending->erase(key);
  };
  auto deliver = [self = shared_from_this(), id, promise, forget](Kernel kernel) {
    self->slot(id) = kernel;
    forget();
    promise->set_value(kernel);
  };
  // Reports the exception that is being handled. The next request tries again.
  auto fail = [self = shared_from_this(), code, promise, forget] {
    forget();
    promise->set_exception(explained(*self->maker_, code));
  };
  auto compile = [self = shared_from_this(), code, deliver, fail] {
    Maker::Compiled made;
    try {
      made = self->maker_->compile(code);
    } catch (...) {
      return fail();
    }
    deliver(made.kernel);
    self->maker_->keep(code, made);
  };
  // Loading needs no warm compiler, so it may run on any thread, parallel to others.
  auto load = [self = shared_from_this(), code, deliver, fail, compile] {
    try {
      if (const Kernel kernel = self->maker_->load(code))
        deliver(kernel);
      else
        run_on_compile_thread(compile);
    } catch (...) {
      fail();
    }
  };
  auto begin = [once, load] {
    const Passage passage;
    std::call_once(*once, load);
  };
  Request request{promise->get_future().share(), begin};
  bool first = true;
  // The exiting thread waits for no other thread: the gate stops the others.
  const bool alone = closed_at_exit_by_this_thread();
  {
    std::lock_guard<std::mutex> lock(store().mutex);
    if (Kernel kernel = slot(id)) {
      promise->set_value(kernel);
      return request.result;
    }
    if (!alone) {
      const auto [found, added] = store().pending->try_emplace(key, request);
      first = added;
      request = found->second;
      later = later && store().pending->size() <= many;
    }
  }
  if (!later)
    request.begin();
  else if (first)
    run_on_compile_thread(request.begin);
  return request.result;
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
  if (is_of_default_context(context, device)) // the next queue would compile them again
    store().kept.push_back(made);
  return made;
}

void make_kernel(KernelTable &kernels, KernelId id) {
  kernels[id];
  const auto kept = std::make_shared<std::promise<void>>(); // by the thread's job before this one
  run_on_compile_thread([kept] { kept->set_value(); });
  kept->get_future().wait();
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
