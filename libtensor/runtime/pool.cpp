#include "pool.hpp"

#include "discrete.hpp"
#include "error.hpp"
#include "event.hpp"
#include "gate.hpp"
#include "native_queue.hpp"
#include "postponed.hpp"
#include "settings.hpp"
#include "translate.hpp"

#include <sycl/usm.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <list>
#include <new>
#include <string>
#include <utility>

namespace usmtensor {

struct DeviceMemory {
  DeviceRef device;
  std::size_t nbytes; // size of the device's memory
  Account accounts[4];
};

namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t small_alignment = 64;
constexpr std::size_t huge_page = std::size_t(1) << 21;
// Blocks from this size on CPUs use huge pages, which makes the first touch four times faster.
constexpr std::size_t huge_from = 2 * huge_page;
constexpr std::size_t max_bytes = std::size_t(1) << 62;

std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

// Four size classes per power of two, so that at most a quarter of a block is unused.
int size_class(std::size_t nbytes) {
  const std::size_t last = nbytes - 1;
  if (nbytes <= 256)
    return static_cast<int>(last / 64);
  const int exponent = 63 - __builtin_clzll(last);
  return 4 * (exponent - 7) + (static_cast<int>(last >> (exponent - 2)) & 3);
}

std::size_t class_bytes(int index) {
  return index < 4 ? std::size_t(index + 1) * 64 : std::size_t(5 + index % 4) << (index / 4 + 5);
}

// Checked here, because nothing else reads the variable.
std::size_t limit_variable() {
  const std::string text = variable("USMTENSOR_POOL_LIMIT");
  if (text.empty())
    return 0;
  if (text.find_first_not_of("0123456789") != text.npos)
    throw Error(ErrorKind::value,
                "USMTENSOR_POOL_LIMIT is \"" + text + "\"; expected a number of bytes");
  const unsigned long long value = std::strtoull(text.c_str(), nullptr, 10);
  return std::max<std::size_t>(value, 1); // 0 would mean the default limit
}

bool pooling() {
  static const bool on = variable("USMTENSOR_POOL") != "0";
  return on;
}

// During the exit of the process the runtime may already be destroyed. The system frees the memory.
std::atomic<bool> exiting{false};

// Called when the driver is loaded, so that the handler runs before the driver's own.
void watch_for_exit() {
  static const int registered = std::atexit([] {
    exiting = true;
    reveal_all();
  });
  static_cast<void>(registered);
}

// A USM kind in SYCL's terms.
struct KindRow {
  const char *name;
  sycl::usm::alloc kind;
  sycl::aspect aspect; // of devices that have the kind
};

const KindRow &row_of(UsmKind kind) {
  using sycl::aspect, sycl::usm::alloc;
  static constexpr KindRow rows[] = {{"unknown", alloc::unknown, aspect::usm_device_allocations},
                                     {"device", alloc::device, aspect::usm_device_allocations},
                                     {"shared", alloc::shared, aspect::usm_shared_allocations},
                                     {"host", alloc::host, aspect::usm_host_allocations}};
  return rows[static_cast<int>(kind)];
}

// Calls the driver in a destructor.
template <class Call> void call_noexcept(const QueueInfo &queue, Call &&call) noexcept {
  const DriverScope scope;
  if (process_is_exiting())
    return;
  try {
    translated(&queue, call);
  } catch (const std::exception &) { // a destructor cannot report it
  }
}

void wait_noexcept(const QueueInfo &queue) noexcept {
  call_noexcept(queue, [&] { wait(*queue.native); });
}

} // namespace

void free_usm(const QueueInfo &queue, void *pointer) noexcept {
  call_noexcept(queue, [&] {
    if (!queue.opencl) // OpenCL's sycl::free waits for the commands that use the block
      queue.native->wait();
    if (discrete_mode())
      reveal(static_cast<char *>(pointer));
    sycl::free(pointer, *queue.context);
    fail_if_planned(Fault::pointer);
  });
}

// Never destroyed: memory may be freed at exit.
struct Registry {
  std::mutex mutex; // taken before a pool's
  std::list<DeviceMemory> devices;
  std::vector<Pool *> pools;

  static Registry &get() {
    static Registry &registry = *new Registry;
    return registry;
  }

  DeviceMemory &memory_of(const DeviceRef &device) {
    std::lock_guard<std::mutex> lock(mutex);
    for (DeviceMemory &memory : devices)
      if (*memory.device == *device)
        return memory;
    DeviceMemory &memory = devices.emplace_back();
    memory.device = device;
    memory.nbytes = device->get_info<sycl::info::device::global_mem_size>();
    return memory;
  }

  // Blocks that are going to be freed.
  struct Batch {
    QueueInfo queue;
    Pool::Blocks blocks;
    std::array<char *, Pool::classes> last;
    std::deque<Pool::Deferred> deferred;

    std::size_t bytes_of(int index) const {
      return class_bytes(index) * (blocks[index].size() + (last[index] != nullptr));
    }

    std::size_t free() const noexcept { // call it without a lock, because the driver may wait
      std::size_t total = 0;
      for (int index = 0; index < Pool::classes; ++index)
        total += bytes_of(index);
      if (total == 0 && deferred.empty())
        return 0;
      wait_noexcept(queue);
      for (int index = 0; index < Pool::classes; ++index) {
        for (char *pointer : blocks[index])
          free_usm(queue, pointer);
        if (last[index])
          free_usm(queue, last[index]);
      }
      for (const Pool::Deferred &memory : deferred)
        memory.release();
      return total;
    }
  };

  // Takes all blocks of a pool. The caller holds its lock.
  static Batch take_all(Pool &pool) {
    Batch batch{pool.queue_, std::exchange(pool.free_, {}), {}, std::exchange(pool.deferred_, {})};
    pool.deferred_bytes_ = 0;
    for (int index = 0; index < Pool::classes; ++index) {
      batch.last[index] = pool.take_last(index);
      pool.account_.total -= batch.bytes_of(index);
    }
    return batch;
  }

  // Frees the blocks in the pools; if given, only those of one device or one kind. Frees none if
  // there is no memory to list them.
  std::size_t trim(const DeviceMemory *memory, const Account *account) noexcept {
    std::vector<Batch> batches;
    try {
      std::lock_guard<std::mutex> lock(mutex);
      batches.reserve(pools.size()); // the one step that may fail
      for (Pool *pool : pools) {
        if ((memory && &pool->memory_ != memory) || (account && &pool->account_ != account))
          continue;
        std::lock_guard<std::mutex> pool_lock(pool->mutex_);
        batches.push_back(take_all(*pool));
      }
    } catch (const std::bad_alloc &) {
    }
    std::size_t total = 0;
    for (const Batch &batch : batches)
      total += batch.free();
    return total;
  }

  std::vector<PoolStatistics> statistics() {
    std::lock_guard<std::mutex> lock(mutex);
    std::vector<PoolStatistics> result;
    for (const DeviceMemory &memory : devices)
      for (UsmKind kind : {UsmKind::device, UsmKind::shared, UsmKind::host}) {
        const Account &account = memory.accounts[static_cast<int>(kind)];
        std::size_t hits = account.hits;
        for (const Pool *pool : pools)
          if (&pool->account_ == &account)
            hits += pool->hits_;
        result.push_back({memory.device, kind, account.live, account.pooled(), account.peak, hits,
                          account.misses, account.escaped});
      }
    return result;
  }

  void lock_all() {
    mutex.lock();
    for (Pool *pool : pools)
      pool->mutex_.lock();
  }

  void unlock_all() {
    for (Pool *pool : pools)
      pool->mutex_.unlock();
    mutex.unlock();
  }
};

namespace {

std::size_t device_bytes(const DeviceMemory &memory) {
  const std::size_t test_limit = settings.device_bytes.load(std::memory_order_relaxed);
  return test_limit ? test_limit : memory.nbytes;
}

// The limit of the pools of one kind on a device: by default a quarter of its memory.
std::size_t pool_limit(const DeviceMemory &memory) {
  static const std::size_t variable = limit_variable();
  const std::size_t test_limit = settings.pooled_bytes.load(std::memory_order_relaxed);
  return test_limit ? test_limit : variable ? variable : memory.nbytes / 4;
}

// The bytes allocated in a device's own memory. On a CPU this includes all kinds.
std::size_t bytes_on(const DeviceMemory &memory, DeviceClass device) {
  std::size_t sum = 0;
  for (UsmKind kind : {UsmKind::device, UsmKind::shared, UsmKind::host})
    if (const Account &account = memory.accounts[static_cast<int>(kind)];
        device == DeviceClass::cpu || kind == UsmKind::device)
      sum += account.total;
  return sum;
}

} // namespace

Pool::Pool(const QueueInfo &queue, UsmKind kind)
    : queue_(queue), kind_(kind), hidden_(hides(queue.description.device_class, kind)),
      memory_(Registry::get().memory_of(queue.device)),
      account_(memory_.accounts[static_cast<int>(kind)]) {
  watch_for_exit();
  pool_limit(memory_); // reports an invalid variable now, because freeing must not throw
  Registry &registry = Registry::get();
  std::lock_guard<std::mutex> lock(registry.mutex);
  registry.pools.push_back(this);
}

Pool::~Pool() {
  Registry &registry = Registry::get();
  {
    std::lock_guard<std::mutex> lock(registry.mutex);
    registry.pools.erase(std::find(registry.pools.begin(), registry.pools.end(), this));
    account_.hits += hits_;
  }
  Registry::take_all(*this).free();
}

struct Pool::Request {
  int size_class;
  std::size_t nbytes, alignment;
  bool reusable;
};

Pool::Request Pool::request(std::size_t nbytes, std::size_t alignment) const {
  // Zero bytes would return nullptr, which consumers of the exchange protocols refuse.
  nbytes = std::max<std::size_t>(nbytes, 1);
  if (queue_.description.is_cpu() && nbytes > huge_from)
    nbytes = round_up(nbytes, huge_page);
  else if (hidden_)
    nbytes = round_up(nbytes, page);
  const int index = size_class(nbytes);
  if (pooling()) // without pools sizes stay exact, so that sanitizers detect overruns
    nbytes = class_bytes(index);
  const std::size_t usual = queue_.description.is_cpu() && nbytes >= huge_from ? huge_page
                            : hidden_                                          ? page
                                                                               : small_alignment;
  return {index, nbytes, std::max(alignment, usual), alignment <= usual && pooling()};
}

Pool::Block Pool::take(std::size_t asked, std::size_t alignment) {
  if (asked > max_bytes || fails(Fault::allocation))
    fail(asked);
  const Request wanted = request(asked, alignment);
  char *pointer = reuse(wanted);
  if (!pointer) {
    pointer =
        translated(&queue_, [&] { return from_driver(wanted.nbytes, wanted.alignment, asked); });
    account_.total += wanted.nbytes;
    account_.misses.fetch_add(1, std::memory_order_relaxed);
    if (hidden_)
      hide(pointer, wanted.nbytes);
  }
  return hand_out(wanted, pointer);
}

Pool::Block Pool::take_pooled(std::size_t asked, std::size_t alignment) {
  if (asked > max_bytes || settings.fails.load(std::memory_order_relaxed))
    return {};
  const Request wanted = request(asked, alignment);
  char *const pointer = reuse(wanted);
  return pointer ? hand_out(wanted, pointer) : Block{};
}

char *Pool::reuse(const Request &wanted) {
  if (!wanted.reusable)
    return nullptr;
  char *pointer = take_last(wanted.size_class);
  if (!pointer) {
    std::lock_guard<std::mutex> lock(mutex_);
    std::vector<char *> &blocks = free_[wanted.size_class];
    if (blocks.empty())
      return nullptr;
    pointer = blocks.back();
    blocks.pop_back();
  }
  hits_.store(hits_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  return pointer;
}

Pool::Block Pool::hand_out(const Request &wanted, char *pointer) {
  const std::size_t live =
      account_.live.fetch_add(wanted.nbytes, std::memory_order_relaxed) + wanted.nbytes;
  std::size_t peak = account_.peak.load(std::memory_order_relaxed);
  while (live > peak && !account_.peak.compare_exchange_weak(peak, live, std::memory_order_relaxed))
    ;
  return {pointer, wanted.nbytes, wanted.reusable};
}

char *Pool::from_driver(std::size_t nbytes, std::size_t alignment, std::size_t asked) {
  const DriverScope scope;
  const std::size_t available = device_bytes(memory_);
  // A driver may overcommit memory; then the process is killed when it touches the memory.
  const auto exceeds = [&] {
    return (queue_.description.is_cpu() || kind_ == UsmKind::device) &&
           (nbytes > available ||
            bytes_on(memory_, queue_.description.device_class) > available - nbytes);
  };
  if (exceeds()) {
    Registry::get().trim(&memory_, nullptr);
    if (exceeds())
      fail(asked);
  }
  const auto allocate = [&]() -> char * {
    if (fails(Fault::driver))
      return nullptr;
    try {
      return static_cast<char *>(sycl::aligned_alloc(alignment, nbytes, *queue_.device,
                                                     *queue_.context, row_of(kind_).kind));
    } catch (const sycl::exception &) { // the device lacks the kind: reported below
      return nullptr;
    }
  };
  char *pointer = allocate();
  if (!pointer && queue_.device->has(row_of(kind_).aspect)) {
    Registry::get().trim(&memory_, nullptr);
    pointer = allocate();
  }
  if (!pointer)
    fail(asked);
  if (queue_.description.is_cpu() && nbytes >= huge_from)
    madvise(pointer, nbytes, MADV_HUGEPAGE); // only a hint: the system may refuse it
  return pointer;
}

void Pool::fail(std::size_t asked) const {
  const std::string device = queue_.device->get_info<sycl::info::device::name>();
  const std::string kind = row_of(kind_).name;
  if (!queue_.device->has(row_of(kind_).aspect))
    throw Error(ErrorKind::value, "device \"" + device + "\" has no USM of kind \"" + kind +
                                      "\" (aspect usm_" + kind + "_allocations)");
  throw context_error(queue_.context.get(), queue_.device.get(), ErrorKind::allocation,
                      "cannot allocate " + std::to_string(asked) + " bytes of USM of kind \"" +
                          kind + "\" on device \"" + device + "\", where " +
                          std::to_string(account_.live) + " bytes of the kind are live and " +
                          std::to_string(account_.pooled()) + " pooled (global memory " +
                          std::to_string(device_bytes(memory_)) + " bytes)");
}

void Pool::give(Block block, bool escaped, std::uint64_t submitted) noexcept {
  const bool poolable = !escaped && block.reusable && block.nbytes <= pool_limit(memory_);
  if (poolable && keep(block))
    return;
  if (poolable) { // the pools are full of other sizes, which recent calls did not need
    Registry::get().trim(&memory_, &account_);
    if (keep(block))
      return;
  }
  account_.live.fetch_sub(block.nbytes, std::memory_order_relaxed);
  account_.total -= block.nbytes;
  if (escaped)
    account_.escaped.fetch_add(1, std::memory_order_relaxed);
  defer({[queue = queue_, pointer = block.pointer] { free_usm(queue, pointer); }, block.nbytes,
         submitted});
}

void Pool::give(std::function<void()> release, std::size_t nbytes,
                std::uint64_t submitted) noexcept {
  defer({std::move(release), nbytes, submitted});
}

void Pool::defer(Deferred memory) noexcept {
  try {
    std::lock_guard<std::mutex> lock(mutex_);
    deferred_.push_back(memory);
    deferred_bytes_ += std::max<std::size_t>(memory.nbytes, 1);
  } catch (const std::bad_alloc &) {
    wait_noexcept(queue_);
    memory.release();
  }
}

bool Pool::defers_too_much() const {
  constexpr std::size_t share = 32; // 1/32 of the device's memory
  return deferred_bytes() > device_bytes(memory_) / share;
}

void Pool::free_completed(std::uint64_t complete) noexcept {
  for (;;) {
    Deferred memory;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (deferred_.empty() || deferred_.front().submitted > complete)
        return;
      memory = std::move(deferred_.front());
      deferred_.pop_front();
      deferred_bytes_ -= std::max<std::size_t>(memory.nbytes, 1);
    }
    memory.release(); // without the lock, because it may wait
  }
}

bool Pool::keep(Block block) noexcept {
  if (!block.reusable)
    return false;
  // Subtracted before other threads can take the block, so that the count never becomes negative.
  account_.live.fetch_sub(block.nbytes, std::memory_order_relaxed);
  if (account_.pooled() <= pool_limit(memory_))
    try {
      const int index = size_class(block.nbytes);
      if (keep_last(index, block.pointer))
        return true;
      std::lock_guard<std::mutex> lock(mutex_);
      free_[index].push_back(block.pointer);
      return true;
    } catch (const std::bad_alloc &) {
    }
  account_.live.fetch_add(block.nbytes, std::memory_order_relaxed);
  return false;
}

Pools::~Pools() {
  for (std::atomic<Pool *> &pool : by_kind_)
    delete pool.load();
}

Pool &Pools::of(const QueueInfo &queue, UsmKind kind) {
  std::atomic<Pool *> &slot = by_kind_[static_cast<int>(kind)];
  Pool *pool = slot.load(std::memory_order_acquire);
  if (!pool) {
    Pool *made = new Pool(queue, kind);
    if (slot.compare_exchange_strong(pool, made, std::memory_order_acq_rel))
      pool = made;
    else
      delete made;
  }
  return *pool;
}

std::vector<PoolStatistics> pool_statistics() { return Registry::get().statistics(); }

std::size_t trim_pools() noexcept {
  run_postponed_releases();
  return Registry::get().trim(nullptr, nullptr);
}

bool process_is_exiting() noexcept { return exiting.load(std::memory_order_relaxed); }

void lock_pools_for_fork() {
  Registry::get().lock_all();
  lock_discrete_for_fork();
}

void unlock_pools_after_fork() {
  unlock_discrete_after_fork();
  Registry::get().unlock_all();
}

} // namespace usmtensor
