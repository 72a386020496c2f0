#include "hooks.hpp"

#include "kernel_table.hpp"
#include "runtime/memory.hpp"
#include "runtime/native_queue.hpp"
#include "runtime/queue.hpp"

#include <sycl/ext/oneapi/experimental/enqueue_functions.hpp>
#include <sycl/usm.hpp>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

namespace usmtensor {

LaunchFloor launch_floor(const QueueRef &queue, int repeats, int arrays) {
  using Clock = std::chrono::steady_clock;
  const QueueRef own = make_queue(queue->context, queue->device, {true, false});
  std::vector<Memory> memories(arrays);
  void *pointers[3] = {};
  for (int i = 0; i < arrays; ++i) {
    memories[i] = allocate(own, UsmKind::device, 64);
    pointers[i] = memories[i]->pointer;
  }
  const sycl::kernel &kernel = (*own->kernels)[kernels::zero().first];
  const std::int64_t size = 0;
  std::vector<double> submits, totals;
  for (int i = 0; i < repeats; ++i) {
    const auto start = Clock::now();
    own->native->submit([&](sycl::queue &q) {
      sycl::ext::oneapi::experimental::nd_launch(q, sycl::nd_range<1>(1, 1), kernel, pointers[0],
                                                 pointers[1], pointers[2], size);
    });
    const auto submitted = Clock::now();
    own->native->wait();
    submits.push_back(std::chrono::duration<double>(submitted - start).count());
    totals.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  auto median = [](std::vector<double> &values) {
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
  };
  return {median(submits), median(totals)};
}

std::uint64_t submitted_commands(const QueueRef &queue) { return queue->submitted.load(); }

void submit_late_copy(const QueueRef &queue, char *destination, const char *source,
                      std::size_t nbytes, double seconds) {
  static const bool is_cpu = queue->device->is_cpu();
  static const std::size_t size = std::size_t(1) << (is_cpu ? 25 : 30);
  const double bytes_per_second = is_cpu ? 40e9 : 5e12;
  static char *const ballast[2] = {
      sycl::malloc_device<char>(size, *queue->device, *queue->context),
      sycl::malloc_device<char>(size, *queue->device, *queue->context)};
  queue->exposed = true; // as if a user had the queue
  queue->native->submit([&](sycl::queue &q) {
    sycl::event last = q.ext_oneapi_submit_barrier();
    for (double left = seconds; left > 0; left -= 2 * size / bytes_per_second)
      last = q.memcpy(ballast[0], ballast[1], size, last);
    q.memcpy(destination, source, nbytes, last);
  });
}

void drop_pending_block(const QueueRef &queue, std::size_t nbytes) {
  static QueueRef wanted_queue;
  static std::size_t wanted_bytes;
  wanted_queue = queue, wanted_bytes = nbytes;
  settings.fails = [](Fault fault) {
    if (fault != Fault::allocation)
      return false;
    settings.fails = nullptr;
    const QueueRef queue = std::move(wanted_queue);
    constexpr std::size_t size = std::size_t(1) << 25;
    const Memory ballast = allocate(queue, UsmKind::device, 2 * size);
    const Memory block = allocate(queue, UsmKind::device, wanted_bytes);
    queue->native->submit([&](sycl::queue &q) {
      sycl::event last;
      for (int k = 0; k < 5; ++k)
        last = q.memcpy(ballast->pointer, ballast->pointer + size, size, last);
      q.memset(block->pointer, 0x7f, wanted_bytes, last);
    });
    ++queue->submitted;
    return false;
  };
}

void submit_late_host_task(const QueueRef &queue, double seconds) {
  queue->exposed = true;
  queue->native->submit([&](sycl::queue &q) {
    q.submit([&](sycl::handler &handler) {
      handler.host_task(
          [=] { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); });
    });
  });
}

} // namespace usmtensor
