#include "creation.hpp"

#include "launch.hpp"
#include "runtime/memory.hpp"

#include <algorithm>

namespace usmtensor {
namespace {

// A kernel of one element per work-item, told the first element of each launch.
template <class... Scalars>
void run_sequence(const QueueRef &queue, KernelId id, const View &destination,
                  const Scalars &...scalars) {
  if (const std::int64_t size = destination.size())
    run_flat(*queue, (*queue->kernels)[id], size, {}, {destination.memory},
             [&](auto &&launch, std::int64_t first, std::int64_t count) {
               launch(element(destination, destination.dtype, first), count, first, scalars...);
             });
}

} // namespace

void fill_linear(const QueueRef &queue, const View &destination, const Linear &line) {
  static const KernelId ids[] = {kernel_id("linear_sequence_f4"), kernel_id("linear_sequence_f8")};
  const std::int32_t floored = line.floored;
  if (destination.dtype == DType::f4)
    run_sequence(queue, ids[0], destination, float(line.start), float(line.step), float(line.given),
                 line.place, floored);
  else
    run_sequence(queue, ids[1], destination, line.start, line.step, line.given, line.place,
                 floored);
}

void fill_steps(const QueueRef &queue, const View &destination, std::uint64_t start,
                std::uint64_t step) {
  static const KernelId ids[] = {kernel_id("steps_sequence_w1"), kernel_id("steps_sequence_w2"),
                                 kernel_id("steps_sequence_w4"), kernel_id("steps_sequence_w8")};
  run_sequence(queue, ids[width_index(itemsize(destination.dtype))], destination, start, step);
}

void clear_outside(const QueueRef &queue, const View &destination, std::int64_t k, bool before) {
  static const KernelId ids[] = {kernel_id("outside_bands_w1"), kernel_id("outside_bands_w2"),
                                 kernel_id("outside_bands_w4"), kernel_id("outside_bands_w8"),
                                 kernel_id("outside_bands_w16")};
  const std::int64_t size = destination.size();
  if (size == 0)
    return;
  const std::int64_t rows = destination.shape[destination.ndim - 2];
  const std::int64_t columns = destination.shape[destination.ndim - 1];
  const std::int64_t total = size / columns;
  const bool cpu = use_cpu_kernels(*queue);
  const std::int32_t lanes = cpu ? 1 : 64, below = before;
  const sycl::kernel &run = (*queue->kernels)[ids[width_index(itemsize(destination.dtype))]];
  // Beyond the corners nothing changes, and nothing overflows.
  const std::int64_t diagonal = std::clamp(k, -rows, columns);
  submit(*queue, {}, {destination.memory}, [&](sycl::queue &q) {
    for (std::int64_t done = 0; done < total; done += launch_limit / lanes)
      launch(q, run, std::min(total - done, launch_limit / lanes) * lanes, cpu ? 1 : 256,
             static_cast<void *>(destination.data), total, done, rows, columns, diagonal, below,
             lanes);
  });
}

} // namespace usmtensor
