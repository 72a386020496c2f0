#include "kernel_store.hpp"

#include "compile_thread.hpp"
#include "context_error.hpp"
#include "error.hpp"
#include "gate.hpp"
#include "kernel_cache.hpp"
#include "kernel_pack.hpp"
#include "opencl_api.hpp"
#include "pool.hpp"
#include "settings.hpp"
#include "spirv.hpp"
#include "sycl_binary.hpp"

#include <sycl/context.hpp>
#include <sycl/device.hpp>
#include <sycl/kernel_bundle.hpp>
#include <sycl/platform.hpp>
#include <sycl/version.hpp>

#include <sys/mman.h>

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

// True if the driver accepts inline x86 prefetches in kernels. Intel's CPU driver does, on CPUs of
// any vendor.
bool accepts_assembly(const sycl::device &device) {
  constexpr std::uint32_t intel = 0x8086;
  return device.is_cpu() && device.get_info<sycl::info::device::vendor_id>() == intel;
}

// The embedded SPIR-V module, in a form that the device accepts.
std::vector<std::byte> module_for(const sycl::device &device, const PackedKernel &packed) {
  return accepts_assembly(device) ? packed.spirv() : without_assembly(packed.spirv());
}

std::vector<std::string> options_for(const sycl::device &device, const SourceKernel &kernel) {
  std::vector<std::string> options = kernel_options;
  if (accepts_assembly(device))
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

// The source of the family with only one of its wrappers, which kernelc/generate.py writes. Parsing
// the headers takes half a second and compiling a kernel 20 ms or more, so compiling a whole family
// would pay only if dozens of its kernels were used.
SourceKernel source_kernel(const PackedKernel &packed) {
  const std::string all = packed.source();
  const std::string wrapper = "\nUSMTENSOR_KERNEL(";
  const std::size_t headers = all.find(wrapper);
  const std::size_t start = all.find(wrapper + packed.name + ",");
  const std::string_view closing = "\n}\n";
  const std::size_t end = start == all.npos ? all.npos : all.find(closing, start);
  if (end == all.npos)
    throw Error(ErrorKind::kernel, "the embedded source does not contain it");
  const std::string kernel = all.substr(start, end + closing.size() - start);
  return {packed.name, all.substr(0, headers) + kernel, {}, true};
}

// Why the runtime cannot load its compiler, such as "Too many open files"; empty if it can. The
// runtime tries only once per process, so the first result is kept.
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

// True if USMTENSOR_KERNELS requests compilation from source.
bool source_is_forced() {
  static const bool asked = variable("USMTENSOR_KERNELS") == "source";
  return asked;
}

// An embedded kernel, or a user kernel.
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

  // Loads the kernel from disk; null if it is not cached.
  const sycl::kernel *load(const Code &code) {
    if (!is_cacheable(code))
      return nullptr;
    std::vector<unsigned char> binary;
    CacheOutcome outcome = CacheOutcome::miss;
    try {
      outcome = find_binary(key(code), binary);
    } catch (const sycl::exception &) { // the identity of the device cannot be queried
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
    // The program of a SPIR-V kernel, kept alive: OpenCL forgets a program with its last handle,
    // even if a kernel uses it.
    OpenClProgram program;
  };

  Compiled compile(const Code &code) {
    if (fails(Fault::compile))
      throw Error(ErrorKind::kernel, "a test asked for this failure");
    const bool from_source = is_from_source(code);
    Compiled made{};
    if (has_ptx(code)) // if the driver refuses the PTX, the source is compiled
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
  void save(const Code &code, const Compiled &made) {
    if (!is_cacheable(code))
      return;
    try {
      const std::vector<unsigned char> binary =
          !opencl()
              ? sycl_binary(*made.kernel)
              : opencl()->binary(made.program ? made.program : opencl()->program_of(*made.kernel));
      if (!binary.empty())
        save_binary(key(code), binary);
    } catch (const std::exception &) { // not saved: the next process compiles it again
    }
  }

  bool can_warm_up() const { return backend_ == sycl::backend::opencl && !compiles_source(); }

  void warm_up() {
    if (opencl() && !has_binaries(opencl()->identity()))
      opencl()->from_spirv(module_for(device, packed_kernel(0))); // a small one
  }

  const sycl::context context;
  const sycl::device device;

private:
  bool compiles_source() const {
    return source_is_forced() ||
           (backend_ != sycl::backend::opencl && backend_ != sycl::backend::ext_oneapi_level_zero);
  }

  bool is_from_source(const Code &code) const { return code.source || compiles_source(); }

  static SourceKernel source_of(const Code &code) {
    return code.source ? *code.source : source_kernel(code.packed);
  }

  bool has_ptx(const Code &code) const {
    return backend_ == sycl::backend::ext_oneapi_cuda && !code.source && !source_is_forced() &&
           code.packed.has_ptx();
  }

  // Excluded are sources that include user files, which may change; SPIR-V that SYCL compiles,
  // because SYCL does not return binaries of it; and PTX, because CUDA caches its binaries.
  bool is_cacheable(const Code &code) {
    return (opencl() || is_from_source(code)) && (!code.source || code.source->complete) &&
           !has_ptx(code);
  }

  // Null if SYCL must compile. Created at first use, because most queues need no compiler.
  const OpenClDevice *opencl() {
    std::call_once(opencl_once_, [&] {
      if (can_warm_up())
        opencl_ = OpenClDevice::make(context, device);
    });
    return opencl_.get();
  }

  // Null if the binary is damaged, or refused by the driver or by SYCL.
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
            is_from_source(code) ? cache_text(source_of(code)) : cache_text(code.packed)};
  }

  std::string cache_text(const PackedKernel &packed) const {
    const std::vector<std::byte> module = module_for(device, packed);
    const std::string_view bytes(reinterpret_cast<const char *>(module.data()), module.size());
    return std::string(packed.name) + ' ' + std::to_string(fnv(bytes)) + " options: none";
  }

  std::string cache_text(const SourceKernel &kernel) const {
    static const std::string compiler =
        std::to_string(__SYCL_COMPILER_VERSION) + ' ' + std::to_string(kernel_headers_hash()) + ' ';
    std::string text = compiler + kernel.name;
    for (const std::string &option : options_for(device, kernel))
      text += '\n' + std::to_string(option.size()) + ' ' + option;
    return text + "\n\n" + kernel.source;
  }

  const sycl::backend backend_;
  std::once_flag opencl_once_;
  std::unique_ptr<OpenClDevice> opencl_;
};

namespace {

using Kernel = const sycl::kernel *;
// A requested kernel. It is loaded and compiled at most once, by the first calls of begin() that
// need it.
struct Request {
  std::shared_future<Kernel> result;
  std::function<void(KernelTable::Need)> begin;
};
using Pending = std::map<std::pair<const KernelTable *, KernelId>, Request>;

// Never destroyed: kernels may be used until the very end of the process.
struct Store {
  std::mutex mutex; // held for look-ups only, never while something loads or compiles
  std::list<std::weak_ptr<KernelTable>> tables;
  std::vector<std::shared_ptr<KernelTable>> kept; // of default contexts, which are never destroyed
  Pending *pending = new Pending;
  std::deque<SourceKernel> sources;                            // user kernels, by id
  std::unordered_multimap<std::uint64_t, KernelId> source_ids; // by hash
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

// False for sub-devices, because a program may create any number of them.
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

// The compilers of drivers end the process if they get no memory. An error comes first.
void require_memory(const Code &code) {
  const std::size_t megabytes = code.source ? 256 : 64, nbytes = megabytes << 20;
  const auto is_available = [nbytes] {
    void *const probe = mmap(nullptr, nbytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return probe != MAP_FAILED && munmap(probe, nbytes) == 0;
  };
  if (is_available())
    return;
  trim_pools();
  if (!is_available())
    throw Error(ErrorKind::allocation, std::string("cannot load the kernel ") + code.name() +
                                           ": the process cannot allocate " +
                                           std::to_string(megabytes) + " MB for the compiler");
}

// The current exception, as the public Error of a kernel that does not compile.
std::exception_ptr as_kernel_error(const KernelTable::Maker &maker, const Code &code) {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    return std::current_exception();
  } catch (...) {
    const Error reason = current_error();
    if (reason.kind == ErrorKind::allocation)
      return std::make_exception_ptr(reason);
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
  const auto [begin, end] = store().source_ids.equal_range(hash);
  for (auto known = begin; known != end; ++known)
    if (sources[known->second - packed_kernel_count()] == kernel)
      return known->second;
  const auto id = static_cast<KernelId>(packed_kernel_count() + sources.size());
  if (id >= KernelTable::max_kernels)
    throw Error(ErrorKind::kernel, "a process cannot have more than a million kernels");
  sources.push_back(kernel);
  store().source_ids.emplace(hash, id);
  return id;
}

KernelTable::KernelTable(const sycl::context &context, const sycl::device &device)
    : maker_(std::make_unique<Maker>(context, device)) {}

KernelTable::~KernelTable() {
  const DriverScope scope;
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
  const auto kernel = request(id, Need::now);
  const MemoryUsePause pause;
  return *kernel.get();
}

bool KernelTable::at_hand(KernelId id) {
  return ready(id) ||
         request(id, Need::load).wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

void KernelTable::load_later(KernelId id) { request(id, Need::later); }

std::shared_future<const sycl::kernel *> KernelTable::request(KernelId id, Need need) {
  constexpr std::size_t max_pending = 64; // pending kernels keep their contexts alive
  const std::pair<const KernelTable *, KernelId> key(this, id);
  const Code code = code_of(id);
  struct State {
    std::promise<Kernel> promise;
    std::once_flag loaded, compiled;
    bool has_no_binary = false;     // known after loading
    std::atomic<bool> later{false}; // the compile thread has been asked
  };
  auto state = std::make_shared<State>();
  auto forget = [key] {
    std::lock_guard<std::mutex> lock(store().mutex);
    store().pending->erase(key);
  };
  auto deliver = [self = shared_from_this(), id, state, forget](Kernel kernel) {
    self->slot(id) = kernel;
    forget();
    state->promise.set_value(kernel);
  };
  // Reports the current exception. The next request tries again.
  auto fail = [self = shared_from_this(), code, state, forget] {
    forget();
    state->promise.set_exception(as_kernel_error(*self->maker_, code));
  };
  auto compile = [self = shared_from_this(), code, deliver, fail] {
    Maker::Compiled made;
    try {
      made = self->maker_->compile(code);
    } catch (...) {
      return fail();
    }
    deliver(made.kernel);
    self->maker_->save(code, made);
  };
  // Loading needs no warm compiler, so any thread may do it, concurrently with others.
  auto load = [self = shared_from_this(), code, state, deliver, fail] {
    try {
      require_memory(code);
      if (const Kernel kernel = self->maker_->load(code))
        deliver(kernel);
      else
        state->has_no_binary = true;
    } catch (...) {
      fail();
    }
  };
  auto begin = [state, load, compile](Need need) {
    auto load_once = [state, load] { std::call_once(state->loaded, load); };
    auto compile_once = [state, compile] {
      if (state->has_no_binary)
        std::call_once(state->compiled, compile);
    };
    const DriverScope scope;
    if (need != Need::later)
      load_once();
    else if (!state->later.exchange(true))
      run_on_compile_thread([load_once, compile_once] { load_once(), compile_once(); });
    if (need == Need::now && state->has_no_binary) // also if it has been requested before
      run_on_compile_thread(compile_once, true);
  };
  Request request{state->promise.get_future().share(), begin};
  // The exiting thread must not wait for other threads, because the gate stops them.
  const bool is_exiting = closed_at_exit_by_this_thread();
  bool are_many = false;
  {
    std::lock_guard<std::mutex> lock(store().mutex);
    if (Kernel kernel = slot(id)) {
      state->promise.set_value(kernel);
      return request.result;
    }
    if (!is_exiting) {
      request = store().pending->try_emplace(key, request).first->second;
      are_many = store().pending->size() > max_pending;
    }
  }
  if (need == Need::later && are_many)
    request.begin(Need::load);
  request.begin(need);
  return request.result;
}

void KernelTable::warm_up() {
  static std::atomic<bool> done{false};
  if (done.exchange(true) || !maker_->can_warm_up())
    return;
  run_on_compile_thread([self = shared_from_this()] {
    try {
      self->maker_->warm_up();
    } catch (const std::exception &) { // a later request of a kernel raises the error
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
  if (is_of_default_context(context, device)) // so that the next queue does not compile again
    store().kept.push_back(made);
  return made;
}

void make_kernel(KernelTable &kernels, KernelId id) {
  kernels[id];
  // The job that saves the kernel precedes this one on the compile thread.
  const auto saved = std::make_shared<std::promise<void>>();
  run_on_compile_thread([saved] { saved->set_value(); });
  saved->get_future().wait();
}

void kernel_store_before_fork() { store().mutex.lock(); }

void kernel_store_after_fork_parent() { store().mutex.unlock(); }

void kernel_store_after_fork_child() {
  // The child lacks the thread that would fulfil these promises, and promises with waiters must not
  // be destroyed: the old map is leaked.
  store().pending = new Pending;
  store().mutex.unlock();
  renew_compile_thread();
}

} // namespace usmtensor
