#include "copy.hpp"

#include "launch.hpp"
#include "layout/overlap.hpp"
#include "runtime/byte_commands.hpp"
#include "runtime/memory.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace usmtensor {
namespace {

enum Loop { flat, rows, tile, grid };
constexpr const char *loop_names[] = {"flat", "rows", "tile", "grid"};
constexpr int loop_count = 4;

// Element sizes as the names of kernels that only move bits.
constexpr int width_count = 5;
std::string width_name(std::size_t size) { return "w" + std::to_string(size); }

bool is_integer(DType type) { return DType::i1 <= type && type <= DType::u8; }

// Conversions that leave every bit as it is.
bool same_bits(DType from, DType to) {
  return from == to || (is_integer(from) && is_integer(to) && itemsize(from) == itemsize(to));
}

KernelId cast_kernel(Loop loop, DType from, DType to) {
  static std::atomic<KernelId> casts[loop_count][dtype_count][dtype_count];
  static std::atomic<KernelId> copies[loop_count][width_count];
  if (same_bits(from, to))
    return cached_id(copies[loop][width_index(itemsize(to))], [&] {
      const std::string width = width_name(itemsize(to));
      return std::string("copy_") + loop_names[loop] + "_" + width + "_" + width;
    });
  return cached_id(casts[loop][index(from)][index(to)], [&] {
    return std::string("cast_") + loop_names[loop] + "_" + name(from) + "_" + name(to);
  });
}

KernelId fill_kernel(Loop loop, std::size_t size) {
  static std::atomic<KernelId> fills[loop_count][width_count];
  return cached_id(fills[loop][width_index(size)], [&] {
    return std::string("fill_") + loop_names[loop] + "_" + width_name(size);
  });
}

bool is_complex(DType type) { return type == DType::c8 || type == DType::c16; }
DType real_part(DType type) { return type == DType::c8 ? DType::f4 : DType::f8; }

// Complex elements as real ones where that says the same: the real parts of the source, or, along
// an axis that both walk element by element, all parts.
void make_real(IterationSpace<2> &space, DType &from, DType &to) {
  if (!is_complex(from) || to == DType::b1)
    return;
  const bool both = is_complex(to);
  if (both && (space.ndim == 0 || space.axes[0].strides[0] != 1 || space.axes[0].strides[1] != 1))
    return;
  for (int k = both ? 0 : 1; k < 2; ++k) {
    for (int axis = both ? 1 : 0; axis < space.ndim; ++axis)
      space.axes[axis].strides[k] *= 2;
    space.offsets[k] *= 2;
  }
  if (both) {
    space.axes[0].extent *= 2;
    space.size *= 2;
    to = real_part(to);
  }
  from = real_part(from);
}

// The elements of a row below which a row alone is not worth a loop.
constexpr std::int64_t short_row = 16;

// Whether tiles over axis 0 and another axis beat rows along axis 0: where the source is dense
// along the other axis (a transpose), or rows are short. Brings the other axis to place 1.
bool choose_tile(IterationSpace<2> &space) {
  if (space.ndim < 2)
    return false;
  auto step = [&](int axis) { return std::abs(space.axes[axis].strides[1]); };
  int other = 0;
  for (int axis = 1; axis < space.ndim; ++axis)
    if (step(axis) != 0 && step(axis) < step(other))
      other = axis;
  if (other == 0 && space.axes[0].extent < short_row)
    for (int axis = 1; axis < space.ndim; ++axis)
      if (other == 0 || (space.axes[other].extent < short_row &&
                         space.axes[axis].extent > space.axes[other].extent))
        other = axis;
  if (other == 0)
    return false;
  std::rotate(space.axes + 1, space.axes + other, space.axes + other + 1);
  // Place 2 is close in the destination; place 3 should be close in the source, whose pages are
  // visited again then before the processor has forgotten where they are.
  if (space.ndim > 4) {
    int near = 3;
    for (int axis = 4; axis < space.ndim; ++axis)
      if (step(axis) < step(near))
        near = axis;
    std::rotate(space.axes + 3, space.axes + near, space.axes + near + 1);
  }
  return true;
}

// What the kernel's buffers hold; or whole along a short axis, and few enough kilobytes that reads
// and stores overlap, where the other axis begins on a cache line in every tile.
std::pair<std::int64_t, std::int64_t> tile_shape(std::int64_t n0, std::int64_t n1,
                                                 std::int64_t itemsize) {
  const std::int64_t side = itemsize <= 4 ? 64 : 32, area = 4096 / itemsize;
  auto beside = [&](std::int64_t n) { return std::max<std::int64_t>(area / n / 64 * 64, 64); };
  if (n0 < short_row)
    return {n0, std::min(n1, beside(n0))};
  if (n1 < short_row)
    return {std::min(n0, beside(n1)), n1};
  return {side, side};
}

// From here on a queue's memcpy is faster than a kernel that moves elements one by one.
constexpr std::size_t large_copy = std::size_t(1) << 16;

// A copy between views that do not disturb each other.
class Copy {
public:
  Copy(const QueueRef &queue, const View &source, const View &destination)
      : queue_(queue), source_(source), destination_(destination), from_(source.dtype),
        to_(destination.dtype),
        space_(destination.ndim, destination.shape, {destination.strides, source.strides}) {
    make_real(space_, from_, to_);
  }

  void run() {
    const bool cpu = use_cpu_kernels(*queue_);
    if (space_.size == 0)
      return;
    stream_ = space_.size * static_cast<std::int64_t>(itemsize(to_)) >= stream_bytes;
    if (space_.contiguous()) {
      if (same_bits(from_, to_) && space_.size * itemsize(to_) >= large_copy)
        return run_memcpy();
      // Rows bypass the caches, and read both parts of a complex source by vectors.
      if (!cpu || !(stream_ || is_complex(from_)))
        return run_flat(*queue_, kernel(flat), space_.size, {source_.memory}, {destination_.memory},
                        [&](auto &&launch, std::int64_t first, std::int64_t count) {
                          launch(out(first), in(first), count);
                        });
    }
    if (!cpu)
      return split(space_, launch_limit, [&] { run_loop(grid, (space_.size + 1) / 2, 256); });
    if (!choose_tile(space_))
      return run_loop(rows, shares(space_.size), 1);
    const auto [t0, t1] = tile_shape(space_.axes[0].extent, space_.axes[1].extent, itemsize(from_));
    run_loop(tile, shares(space_.size), 1, t0, t1);
  }

private:
  const sycl::kernel &kernel(Loop loop) const {
    return (*queue_->kernels)[cast_kernel(loop, from_, to_)];
  }
  void *out(std::int64_t more = 0) const {
    return element(destination_, to_, space_.offsets[0] + more);
  }
  void *in(std::int64_t more = 0) const {
    return element(source_, from_, space_.offsets[1] + more);
  }

  void run_memcpy() {
    void *const to = out();
    const void *const from = in();
    if (to == from)
      return;
    submit(*queue_, {source_.memory}, {destination_.memory},
           [&](sycl::queue &q) { submit_memcpy(q, to, from, space_.size * itemsize(to_)); });
  }

  template <class... More>
  void run_loop(Loop loop, std::int64_t items, int group, const More &...more) {
    run_strided(*queue_, kernel(loop), items, group, space_, {source_.memory},
                {destination_.memory}, {out(), in()}, stream_, more...);
  }

  const QueueRef &queue_;
  const View &source_, &destination_;
  DType from_, to_; // what the kernel sees
  IterationSpace<2> space_;
  std::int32_t stream_ = 0;
};

} // namespace

void copy(const QueueRef &queue, const View &source, const View &destination) {
  if (!may_overlap(source, destination) || same_elements(source, destination))
    return Copy(queue, source, destination).run();

  const Temporary temporary(queue, source);
  Copy(queue, source, temporary.view).run();
  Copy(queue, temporary.view, destination).run();
}

void fill(const QueueRef &queue, const View &destination, const void *scalar) {
  IterationSpace<1> space(destination.ndim, destination.shape, {destination.strides});
  if (space.size == 0)
    return;
  const std::size_t size = itemsize(destination.dtype);
  std::uint64_t bits[2] = {};
  std::memcpy(bits, scalar, size);
  const bool cpu = use_cpu_kernels(*queue);
  const Loop loop = space.contiguous() ? flat : cpu ? rows : grid;
  const sycl::kernel &kernel = (*queue->kernels)[fill_kernel(loop, size)];
  auto out = [&](std::int64_t more) {
    return element(destination, destination.dtype, space.offsets[0] + more);
  };
  if (loop == flat)
    return run_flat(*queue, kernel, space.size, {}, {destination.memory},
                    [&](auto &&launch, std::int64_t first, std::int64_t count) {
                      launch(out(first), count, bits[0], bits[1]);
                    });
  const std::int32_t stream = space.size * static_cast<std::int64_t>(size) >= stream_bytes;
  auto run = [&](std::int64_t items, int group) {
    run_strided(*queue, kernel, items, group, space, {}, {destination.memory}, {out(0)}, stream,
                bits[0], bits[1]);
  };
  if (cpu)
    run(shares(space.size), 1);
  else
    split(space, launch_limit, [&] { run((space.size + 1) / 2, 256); });
}

} // namespace usmtensor
