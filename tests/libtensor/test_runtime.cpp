// Memory, order and submission from many threads at the same time, on the default device, without
// kernels.
#include "../hooks/hooks.hpp"
#include "ops/copy.hpp"
#include "runtime/device.hpp"
#include "runtime/error.hpp"
#include "runtime/event.hpp"
#include "runtime/kernel_pack.hpp"
#include "runtime/memory.hpp"
#include "runtime/order.hpp"
#include "runtime/queue.hpp"
#include "runtime/scratch.hpp"
#include "runtime/submit.hpp"

#include "check.hpp"
#include "threads.hpp"

#include <sycl/queue.hpp>
#include <sycl/usm.hpp>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace usmtensor {

const unsigned char *const embedded_packs[] = {nullptr};
const EmbeddedHeader embedded_headers[] = {{nullptr, nullptr}};
const std::vector<std::string> kernel_options;

// Replaces ops/copy.cpp, which needs kernels.
void copy(const QueueRef &, const View &, const View &, Caller &) {}

} // namespace usmtensor

using namespace usmtensor;

namespace {

constexpr int threads = 8, rounds = 40;
constexpr std::size_t size = 5000;

bool all(const Memory &memory, int value) {
  std::string host(size, '\0');
  copy_with_host(memory->queue, *memory, host.data(), memory->pointer, size);
  return host.find_first_not_of(static_cast<char>(value)) == host.npos;
}

std::size_t live() {
  std::size_t sum = 0;
  for (const PoolStatistics &row : pool_statistics())
    sum += row.live;
  return sum;
}

// Blocks are reused while their commands are pending.
void test_reuse(const QueueRef &queue) {
  on_threads(threads, [&](int number) {
    for (int round = 0; round < rounds; ++round) {
      const int value = (number * rounds + round) % 128;
      const auto kind = static_cast<UsmKind>(1 + round % 3);
      const Memory x = allocate(queue, kind, size), y = allocate(queue, UsmKind::device, size);
      set_bytes(*x, x->pointer, value, size);
      copy_bytes(*x, x->pointer, *y, y->pointer, size);
      set_bytes(*x, x->pointer, 0, size);
      CHECK(all(y, value));
      if (round % 16 == 0)
        trim_pools();
    }
  });
}

// A memory is shared with more and more queues while other threads submit commands on it.
void test_order(const QueueRef &queue) {
  const Memory x = allocate(queue, UsmKind::shared, size);
  set_bytes(*x, x->pointer, 7, size);
  on_threads(threads, [&](int number) {
    for (int round = 0; round < rounds / 4; ++round) {
      const QueueRef own = make_queue(queue->context, queue->device, {number % 2 == 0, false});
      share(*x, own);
      const Memory y = allocate(own, UsmKind::device, size);
      copy_bytes(*x, x->pointer, *y, y->pointer, size);
      CHECK(all(y, 7));
      open_host_view(*x);
      CHECK(x->pointer[number] == 7);
      close_host_view(*x);
      const Memory back = adopt(own, x->pointer, size, UsmKind::shared, nullptr);
      barrier(*own, {});
    }
  });
  escape(*x);
}

// The host reads a memory while another thread submits a command on it.
void test_host_views(const QueueRef &queue) {
  const Memory x = allocate(queue, UsmKind::shared, size);
  const Memory slow = allocate(queue, UsmKind::device, std::size_t(1) << 25);
  set_bytes(*x, x->pointer, 0, size);
  for (int value = 1; value < 5; ++value) {
    submit(*queue, {x.get(), slow.get()}, [&](sycl::queue &q) {
      mark_host_view(*x);
      for (int i = 0; i < 10; ++i)
        q.memset(slow->pointer, i, slow->nbytes);
      q.memset(x->pointer, value, size);
    });
    CHECK(x->pointer[size - 1] == value);
    close_host_view(*x);
  }
}

// A user's host task, behind which the runtime holds back commands.
void test_host_tasks(const QueueRef &queue) {
  sycl::queue theirs = *static_cast<const sycl::queue *>(address(*queue));
  const Memory x = allocate(queue, UsmKind::shared, size);
  for (int round = 0; round < rounds; ++round) {
    std::atomic<int> seen{-1};
    const auto look_late = [&] {
      seen = -1;
      theirs.submit([&](sycl::handler &handler) {
        handler.host_task([&] {
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
          seen = x->pointer[0];
        });
      });
    };
    set_bytes(*x, x->pointer, 0, size);
    wait(*queue);
    look_late();
    set_bytes(*x, x->pointer, 1, size);
    CHECK(all(x, 1));
    CHECK(seen == 0);
    look_late();
    wait(*queue);
    CHECK(seen == 1);
    look_late();
    wait(barrier(*queue, {}));
    CHECK(seen == 1);
    theirs.wait(); // even after a failure, because the host task uses its captures
  }
}

// A failing step does not affect other calls.
void test_faults(const QueueRef &queue) {
  plan_faults(Fault::command, 5, 20, 3);
  plan_faults(Fault::allocation, 5, 20, 3);
  std::atomic<int> failed{0};
  on_threads(threads, [&](int) {
    for (int round = 0; round < rounds; ++round)
      try {
        const Memory x = allocate(queue, UsmKind::device, size);
        set_bytes(*x, x->pointer, 1, size);
      } catch (const Error &error) {
        CHECK(std::strlen(error.what()) > 0);
        ++failed;
      }
  });
  CHECK(failed == 40);
  CHECK(planned_faults(Fault::command) == 0);
}

bool can_allocate(const QueueRef &queue, UsmKind kind, std::size_t nbytes) {
  try {
    allocate(queue, kind, nbytes);
    return true;
  } catch (const Error &) {
    return false;
  }
}

// Memory of kinds host and shared counts as device memory only on a CPU.
void test_kinds_and_limits() {
  constexpr std::size_t megabyte = 1 << 20;
  for (const bool cpu : {true, false}) {
    const QueueRef queue = make_queue(nullptr, default_device(), {true, false});
    queue->description.device_class = cpu ? DeviceClass::cpu : DeviceClass::gpu;
    settings.device_bytes = 2 * megabyte;
    CHECK(can_allocate(queue, UsmKind::host, 4 * megabyte) != cpu);
    CHECK(can_allocate(queue, UsmKind::shared, 4 * megabyte) != cpu);
    const Memory host = can_allocate(queue, UsmKind::host, 4 * megabyte)
                            ? allocate(queue, UsmKind::host, 4 * megabyte)
                            : nullptr;
    CHECK(can_allocate(queue, UsmKind::device, megabyte));
    CHECK(!can_allocate(queue, UsmKind::device, 4 * megabyte));
    settings.device_bytes = 0;
  }
}

// The estimate of the pending time is reset by a wait, even if other threads submit meanwhile.
void test_pending_time() {
  const QueueRef queue = make_queue(nullptr, default_device(), {true, false});
  std::atomic<int> submitted{0};
  std::atomic<bool> stop{false};
  std::thread other([&] {
    for (; !stop; ++submitted)
      ++queue->submitted;
  });
  while (submitted < 100)
    std::this_thread::yield();
  queue->pending_time = 1'000'000'000;
  bound_pending(*queue);
  stop = true;
  other.join();
  CHECK(queue->pending_time == 0);
}

// A launch gets a block in constant time, with any number of blocks in use.
void test_scratch(const QueueRef &queue) {
  std::vector<ScratchBlocks::Lease> leases;
  std::set<void *> different;
  for (const std::size_t nbytes : {8, 1024, 1025, 5000, 100000})
    for (int i = 0; i < 1000; ++i) {
      leases.push_back(queue->scratch->take(nbytes));
      std::memset(leases.back()->data, i % 128, nbytes);
      different.insert(leases.back()->data);
    }
  CHECK(different.size() == leases.size());
  leases.clear();
  std::set<void *> again;
  for (int i = 0; i < 10000; ++i)
    again.insert(queue->scratch->take(8)->data);
  CHECK(again.size() <= different.size());
}

void test_peers() {
  const DeviceRef device = default_device();
  const bool first = has_peer_access(device, device); // the query raises no error
  CHECK(has_peer_access(device, device) == first);
}

} // namespace

int main() {
  // Destroyed after the exit has begun, when the driver may be gone: the queue is leaked, with its
  // context.
  static ContextRef &context = *new ContextRef;
  std::atexit([] { // runs after the destructor of `last`
    if (context.use_count() < 2)
      std::_Exit(2);
  });
  static const QueueRef last = make_queue(nullptr, default_device(), {false, false});
  context = last->context;
  const QueueRef queue = make_queue(nullptr, default_device(), {true, false});
  test_host_views(queue);
  test_reuse(queue);
  const QueueRef out_of_order = make_queue(nullptr, default_device(), {false, false});
  test_reuse(out_of_order);
  test_host_tasks(queue);
  test_host_tasks(out_of_order);
  test_order(queue);
  test_faults(queue);
  test_pending_time();
  test_kinds_and_limits();
  test_scratch(queue);
  test_peers();
  CHECK(live() == 0);
  return failures != 0;
}
