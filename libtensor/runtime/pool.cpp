#include "pool.hpp"

#include "discrete.hpp"
#include "error.hpp"
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
  std::size_t nbytes; // of the device's memory
  Account accounts[4];
};

namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t small_alignment = 64;
constexpr std::size_t huge_page = std::size_t(1) << 21;
// From here on a CPU maps huge pages: the first touch is four times faster.
constexpr std::size_t huge_from = 2 * huge_page;
constexpr std::size_t largest = std::size_t(1) << 62;

std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

// Four sizes per power of two: at most a quarter is unused.
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

// The error names the variable, because no earlier check reads it.
std::size_t limit_variable() {
  const std::string text = variable("USMTENSOR_POOL_LIMIT");
  if (text.empty())
    return 0;
  if (text.find_first_not_of("0123456789") != text.npos)
    throw Error(ErrorKind::value,
                "USMTENSOR_POOL_LIMIT is \"" + text + "\"; expected a number of bytes");
  const unsigned long long value = std::strtoull(text.c_str(), nullptr, 10);
  return std::max<std::size_t>(value, 1); // 0 means the usual limit inside
}

bool pooling() {
  static const bool on = variable("USMTENSOR_POOL") != "0";
  return on;
}

// After the exit has begun, the runtime may be gone; the system takes the memory anyway.
std::atomic<bool> exiting{false};

// Called when the driver is loaded, so that this runs before the driver's own end.
void watch_for_exit() {
  static const int registered = std::atexit([] {
    exiting = true;
    reveal_all();
  });
  static_cast<void>(registered);
}

// A kind in SYCL's terms.
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

// Calls the driver for a destructor.
template <class Call> void call_at_end(const Place &place, Call &&call) noexcept {
  const Passage passage;
  if (process_exits())
    return;
  try {
    translated(&place, call);
  } catch (const std::exception &) { // a destructor cannot report it
  }
}

// Waits for the queue of a place.
void finish(const Place &place) noexcept {
  call_at_end(place, [&] {
    const auto turn = place.native->turn();
    place.native->wait();
  });
}

} // namespace

void free_usm(const Place &place, void *pointer) noexcept {
  call_at_end(place, [&] {
    if (!place.opencl) // there sycl::free waits for the commands that use the block
      place.native->wait();
    if (discrete_mode())
      reveal(static_cast<char *>(pointer));
    sycl::free(pointer, *place.context);
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

  // Blocks on their way to the driver.
  struct Batch {
    Place place;
    Pool::Blocks blocks;
    std::array<char *, Pool::classes> last;
    std::deque<Pool::Departing> departing;

    std::size_t bytes_of(int index) const {
      return class_bytes(index) * (blocks[index].size() + (last[index] != nullptr));
    }

    std::size_t free() const noexcept { // without a lock: the driver may wait
      std::size_t total = 0;
      finish(place);
      for (int index = 0; index < Pool::classes; ++index) {
        for (char *pointer : blocks[index])
          free_usm(place, pointer);
        if (last[index])
          free_usm(place, last[index]);
        total += bytes_of(index);
      }
      for (const Pool::Departing &memory : departing)
        memory.release();
      return total;
    }
  };

  // All blocks of a pool, whose lock is held.
  static Batch take_all(Pool &pool) {
    Batch batch{pool.place_, std::exchange(pool.free_, {}), {}, std::exchange(pool.departing_, {})};
    pool.departing_bytes_ = 0;
    for (int index = 0; index < Pool::classes; ++index) {
      batch.last[index] = pool.take_last(index);
      pool.account_.held -= batch.bytes_of(index);
    }
    return batch;
  }

  // Frees the blocks in the pools, of one device and of one kind if given. Frees none if the system
  // lacks the memory to list them.
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
  const std::size_t lowered = settings.device_bytes.load(std::memory_order_relaxed);
  return lowered ? lowered : memory.nbytes;
}

// The limit of the pools of one kind on a device: a quarter of its memory.
std::size_t pool_limit(const DeviceMemory &memory) {
  static const std::size_t variable = limit_variable();
  const std::size_t lowered = settings.pooled_bytes.load(std::memory_order_relaxed);
  return lowered ? lowered : variable ? variable : memory.nbytes / 4;
}

// The bytes in a device's own memory: on a CPU the bytes of all kinds.
std::size_t bytes_on(const DeviceMemory &memory, DeviceClass device) {
  std::size_t sum = 0;
  for (UsmKind kind : {UsmKind::device, UsmKind::shared, UsmKind::host})
    if (const Account &account = memory.accounts[static_cast<int>(kind)];
        device == DeviceClass::cpu || kind == UsmKind::device)
      sum += account.held;
  return sum;
}

} // namespace

Pool::Pool(const Place &place, UsmKind kind)
    : place_(place), kind_(kind), hidden_(hides(place.description.device_class, kind)),
      memory_(Registry::get().memory_of(place.device)),
      account_(memory_.accounts[static_cast<int>(kind)]) {
  watch_for_exit();
  pool_limit(memory_); // raises errors of the variable now, not when memory is freed
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
  // Zero bytes would give nullptr, which consumers of the exchange protocols refuse.
  nbytes = std::max<std::size_t>(nbytes, 1);
  if (place_.description.is_cpu() && nbytes > huge_from)
    nbytes = round_up(nbytes, huge_page);
  else if (hidden_)
    nbytes = round_up(nbytes, page);
  const int index = size_class(nbytes);
  if (pooling()) // without pools, sanitizers see each access behind a block
    nbytes = class_bytes(index);
  const std::size_t usual = place_.description.is_cpu() && nbytes >= huge_from ? huge_page
                            : hidden_                                          ? page
                                                                               : small_alignment;
  return {index, nbytes, std::max(alignment, usual), alignment <= usual && pooling()};
}

Pool::Block Pool::take(std::size_t asked, std::size_t alignment) {
  if (asked > largest || fails(Fault::allocation))
    fail(asked);
  const Request wanted = request(asked, alignment);
  char *pointer = reuse(wanted);
  if (!pointer) {
    pointer =
        translated(&place_, [&] { return from_driver(wanted.nbytes, wanted.alignment, asked); });
    account_.held += wanted.nbytes;
    account_.misses.fetch_add(1, std::memory_order_relaxed);
    if (hidden_)
      hide(pointer, wanted.nbytes);
  }
  return hand_out(wanted, pointer);
}

Pool::Block Pool::take_kept(std::size_t asked, std::size_t alignment) {
  if (asked > largest || settings.fails.load(std::memory_order_relaxed))
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
  const Passage passage;
  const std::size_t available = device_bytes(memory_);
  // A driver may grant more than there is, and the first process to touch it dies.
  const auto exceeds = [&] {
    return (place_.description.is_cpu() || kind_ == UsmKind::device) &&
           (nbytes > available ||
            bytes_on(memory_, place_.description.device_class) > available - nbytes);
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
      return static_cast<char *>(sycl::aligned_alloc(alignment, nbytes, *place_.device,
                                                     *place_.context, row_of(kind_).kind));
    } catch (const sycl::exception &) { // the device lacks the kind: raised below
      return nullptr;
    }
  };
  char *pointer = allocate();
  if (!pointer && place_.device->has(row_of(kind_).aspect)) {
    Registry::get().trim(&memory_, nullptr);
    pointer = allocate();
  }
  if (!pointer)
    fail(asked);
  if (place_.description.is_cpu() && nbytes >= huge_from)
    madvise(pointer, nbytes, MADV_HUGEPAGE); // only a hint: the system may refuse it
  return pointer;
}

void Pool::fail(std::size_t asked) const {
  const std::string device = place_.device->get_info<sycl::info::device::name>();
  const std::string kind = row_of(kind_).name;
  if (!place_.device->has(row_of(kind_).aspect))
    throw Error(ErrorKind::value, "device \"" + device + "\" has no USM of kind \"" + kind +
                                      "\" (aspect usm_" + kind + "_allocations)");
  throw context_error(place_.context.get(), place_.device.get(), ErrorKind::allocation,
                      "cannot allocate " + std::to_string(asked) + " bytes of USM of kind \"" +
                          kind + "\" on device \"" + device + "\", where " +
                          std::to_string(account_.live) + " bytes of the kind are live and " +
                          std::to_string(account_.pooled()) + " pooled (global memory " +
                          std::to_string(device_bytes(memory_)) + " bytes)");
}

void Pool::give(Block block, bool escaped, std::uint64_t submitted) noexcept {
  const bool welcome = !escaped && block.reusable && block.nbytes <= pool_limit(memory_);
  if (welcome && keep(block))
    return;
  if (welcome) { // recent calls did not need the sizes in the pools
    Registry::get().trim(&memory_, &account_);
    if (keep(block))
      return;
  }
  account_.live.fetch_sub(block.nbytes, std::memory_order_relaxed);
  account_.held -= block.nbytes;
  if (escaped)
    account_.escaped.fetch_add(1, std::memory_order_relaxed);
  depart({[place = place_, pointer = block.pointer] { free_usm(place, pointer); }, block.nbytes,
          submitted});
}

void Pool::give(std::function<void()> release, std::size_t nbytes,
                std::uint64_t submitted) noexcept {
  depart({std::move(release), nbytes, submitted});
}

void Pool::depart(Departing memory) noexcept {
  try {
    std::lock_guard<std::mutex> lock(mutex_);
    departing_.push_back(memory);
    departing_bytes_ += std::max<std::size_t>(memory.nbytes, 1);
  } catch (const std::bad_alloc &) {
    finish(place_);
    memory.release();
  }
}

bool Pool::departs_too_slowly() const {
  constexpr std::size_t share = 32; // of the device's memory
  return departing_bytes() > device_bytes(memory_) / share;
}

void Pool::free_departing(std::uint64_t complete) noexcept {
  for (;;) {
    Departing memory;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (departing_.empty() || departing_.front().submitted > complete)
        return;
      memory = std::move(departing_.front());
      departing_.pop_front();
      departing_bytes_ -= std::max<std::size_t>(memory.nbytes, 1);
    }
    memory.release(); // without the lock: it may wait
  }
}

bool Pool::keep(Block block) noexcept {
  if (!block.reusable)
    return false;
  // Counted before other threads see the block, so that no count falls below zero.
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

Pool &Pools::of(const Place &place, UsmKind kind) {
  std::atomic<Pool *> &slot = by_kind_[static_cast<int>(kind)];
  Pool *pool = slot.load(std::memory_order_acquire);
  if (!pool) {
    Pool *made = new Pool(place, kind);
    if (slot.compare_exchange_strong(pool, made, std::memory_order_acq_rel))
      pool = made;
    else
      delete made;
  }
  return *pool;
}

std::vector<PoolStatistics> pool_statistics() { return Registry::get().statistics(); }

std::size_t trim_pools() noexcept {
  make_postponed_releases();
  return Registry::get().trim(nullptr, nullptr);
}

bool process_exits() noexcept { return exiting.load(std::memory_order_relaxed); }

void lock_pools_for_fork() {
  Registry::get().lock_all();
  lock_discrete_for_fork();
}

void unlock_pools_after_fork() {
  unlock_discrete_after_fork();
  Registry::get().unlock_all();
}

} // namespace usmtensor
