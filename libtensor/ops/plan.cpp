#include "plan.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

namespace usmtensor {
namespace {

std::int64_t ceil_divide(std::int64_t n, std::int64_t by) { return (n + by - 1) / by; }

// The axis along which an input has a smaller stride than along axis 0, or 0.
int denser_axis(const IterationSpace &space, int input) {
  auto step = [&](int axis) { return std::abs(space.axes[axis].strides[input]); };
  int other = 0;
  for (int axis = 1; axis < space.ndim; ++axis)
    if (step(axis) != 0 && step(axis) < step(other))
      other = axis;
  return other;
}

// True if tiles over axis 0 and another axis are faster than rows along axis 0: if an input has a
// smaller stride along the other axis (a transpose), or if rows are short. The other axis becomes
// axis 1.
bool choose_tile(IterationSpace &space) {
  if (space.ndim < 2)
    return false;
  int other = 0;
  for (int k = 1; k < space.operands && other == 0; ++k)
    other = denser_axis(space, k);
  if (other == 0 && space.axes[0].extent < short_axis)
    for (int axis = 1; axis < space.ndim; ++axis)
      if (other == 0 || (space.axes[other].extent < short_axis &&
                         space.axes[axis].extent > space.axes[other].extent))
        other = axis;
  if (other == 0)
    return false;
  std::rotate(space.axes + 1, space.axes + other, space.axes + other + 1);
  // Axis 2 has small strides in the destination. Axis 3 should have small strides in the source, so
  // that its pages are visited again while the TLB still has them.
  if (space.ndim > 4) {
    auto step = [&](int axis) { return std::abs(space.axes[axis].strides[1]); };
    int near = 3;
    for (int axis = 4; axis < space.ndim; ++axis)
      if (step(axis) < step(near))
        near = axis;
    std::rotate(space.axes + 3, space.axes + near, space.axes + near + 1);
  }
  return true;
}

// Work-items of a work-group on devices other than CPUs.
constexpr std::int64_t square = transpose_side, lanes = transpose_rows * square;

// Bytes of local memory that the loop `work_groups` uses.
constexpr std::uint64_t team_memory = std::uint64_t(60) << 10;

// True if a transpose through local memory is faster than single elements: if the input has a
// smaller stride along another axis, which becomes axis 1.
bool choose_transpose_groups(const DeviceDescription &device, IterationSpace &space) {
  const int other = space.ndim < 2 ? 0 : denser_axis(space, 1);
  if (other == 0 || std::min(space.axes[0].extent, space.axes[other].extent) < square / 4 ||
      device.max_group < lanes || device.local_memory < std::size_t(1) << 15)
    return false;
  std::rotate(space.axes + 1, space.axes + other, space.axes + other + 1);
  return true;
}

// A tile fills the kernel's buffers. Along a short axis it has the whole axis; then it has so few
// kilobytes that reads and stores overlap, and its other side begins on a cache line.
void set_tile(Plan &plan, std::int64_t n0, std::int64_t n1, std::int64_t itemsize) {
  const std::int64_t side = itemsize <= 4 ? 64 : 32, area = 4096 / itemsize;
  auto other_side = [&](std::int64_t n) { return std::max<std::int64_t>(area / n / 64 * 64, 64); };
  plan.t0 = plan.t1 = side;
  if (n0 < short_axis)
    plan.t0 = n0, plan.t1 = std::min(n1, other_side(n0));
  else if (n1 < short_axis)
    plan.t0 = std::min(n0, other_side(n1)), plan.t1 = n1;
}

// True if a team of work-items can compute a result.
bool has_teams(const DeviceDescription &device, Loops loops) {
  return !device.is_cpu() && loops.has(Loop::inner_axis_teams) &&
         device.max_group >= max_reduction_group;
}

// The loop of kernels that have the same loop on all devices.
Loop own_loop(Loops loops, IterationSpace &space) {
  if (loops.has(Loop::inner_axis))
    return choose_axis_loop(space);
  for (const Loop loop :
       {Loop::strided, Loop::strided_choice, Loop::range, Loop::triangle, Loop::partition})
    if (loops.has(loop))
      return loop;
  return Loop::scatter;
}

Loop choose_loop(const DeviceDescription &device, Loops loops, IterationSpace &space, bool stream,
                 bool by_rows) {
  if (device.cuda && loops.has(Loop::contiguous) && space.contiguous())
    return Loop::contiguous;
  if (!device.is_cpu() && loops.has(Loop::grid))
    return loops.has(Loop::transpose_groups) && choose_transpose_groups(device, space)
               ? Loop::transpose_groups
               : Loop::grid;
  if (!device.is_cpu() && loops.has(Loop::work_groups) && device.max_group >= work_group_items &&
      device.local_memory >= team_memory)
    return Loop::work_groups;
  if (!device.is_cpu() && loops.has(Loop::grid_stride))
    return Loop::grid_stride;
  if (!device.is_cpu() && loops.has(Loop::outer_axis_groups)) {
    const bool is_long = space.axes[0].extent >= 8 * lanes;
    return choose_axis_loop(space) == Loop::outer_axis     ? Loop::outer_axis_groups
           : is_long && loops.has(Loop::inner_axis_groups) ? Loop::inner_axis_groups
           : has_teams(device, loops)                      ? Loop::inner_axis_teams
                                                           : Loop::inner_axis;
  }
  // Only rows have non-temporal stores. They pay if the kernel also reads.
  const bool rows = device.is_cpu() && (stream || by_rows) && space.operands > 1 &&
                    (loops.has(Loop::strided) || loops.has(Loop::strided_choice));
  if (loops.has(Loop::contiguous) && space.contiguous() && !rows)
    return Loop::contiguous;
  // choose_tile() orders the axes, which rows need as well.
  const bool tiles = loops.has(Loop::transpose_tiles);
  const bool tiled = (tiles || loops.has(Loop::contiguous)) && choose_tile(space);
  if (tiled && tiles)
    return Loop::transpose_tiles;
  return own_loop(loops, space);
}

// The loop of a host kernel.
Loop host_loop(Loops loops, IterationSpace &space) {
  return loops.has(Loop::contiguous) && space.contiguous() ? Loop::contiguous
                                                           : own_loop(loops, space);
}

// The number of shares: several per thread, because threads run at different speeds; one for small
// spaces.
std::int64_t even_shares(const DeviceDescription &device, std::int64_t size) {
  constexpr std::int64_t worthwhile = 8192;
  return std::clamp<std::int64_t>(size / worthwhile, 1, 4 * device.compute_units);
}

} // namespace

bool worth_transposing(const DeviceDescription &device, const IterationSpace &space, int input,
                       std::int64_t itemsize) {
  return space.size * itemsize >= device.near_bytes() && space.ndim > 1 &&
         denser_axis(space, input) != 0;
}

Plan plan(const DeviceDescription &device, Loops loops, IterationSpace &space, std::int64_t written,
          std::int64_t itemsize, bool by_rows) {
  const std::int64_t size = space.size;
  auto shares = [&](std::int64_t most) {
    return device.is_cpu() ? even_shares(device, size) : std::min(size, most);
  };
  auto units = [&](std::int64_t block) {
    const std::int64_t n = space.axes[0].extent;
    return size / n * ceil_divide(n, block);
  };
  Plan plan{};
  plan.stream = written >= device.stream_bytes();
  plan.loop = choose_loop(device, loops, space, plan.stream, by_rows);
  plan.group = device.is_cpu() ? 1 : 64;
  switch (plan.loop) {
  case Loop::contiguous:
  case Loop::range:
    plan.group = device.is_cpu() ? 1024 : 256;
    if (device.cuda && plan.loop == Loop::contiguous)
      plan.group = lanes, plan.elements = grid_elements;
    break;
  case Loop::grid:
    plan.group = lanes;
    plan.elements = grid_elements;
    break;
  case Loop::transpose_groups: {
    const std::int64_t n0 = space.axes[0].extent, n1 = space.axes[1].extent;
    const std::int64_t tiles = ceil_divide(n0, square) * ceil_divide(n1, square);
    plan.group = lanes;
    plan.shares = std::min(size / (n0 * n1) * tiles * lanes, launch_limit);
    break;
  }
  case Loop::triangle:
    if (!device.is_cpu())
      plan.group = 256, plan.lanes = 64;
    plan.limit /= plan.lanes;
    break;
  case Loop::transpose_tiles:
    set_tile(plan, space.axes[0].extent, space.axes[1].extent, itemsize);
    [[fallthrough]];
  case Loop::strided:
  case Loop::strided_choice:
    plan.shares = shares(launch_limit);
    break;
  case Loop::partition: // the host reads a result of each share
    plan.shares = device.is_cpu() ? shares(0) : std::min<std::int64_t>(size / 64 + 1, 4096);
    break;
  case Loop::grid_stride:
    plan.group = lanes;
    plan.shares = std::min<std::int64_t>(size / 8 + 2, std::int64_t(1) << 21);
    break;
  case Loop::work_groups: // as for Loop::partition
    plan.group = work_group_items;
    plan.shares = std::min<std::int64_t>(ceil_divide(size, 32768), 16384) * plan.group;
    break;
  case Loop::inner_axis:
  case Loop::outer_axis: // exactly one work-item reads an element
    plan.shares = device.is_cpu() ? shares(0) : std::min<std::int64_t>(size / 64 + 1, 65536);
    break;
  case Loop::inner_axis_teams:
    plan.group = max_reduction_group;
    plan.shares = std::min(units(row_unit) * row_team(space.axes[0].extent), launch_limit);
    break;
  case Loop::inner_axis_groups:
    plan.group = max_reduction_group;
    plan.shares = std::min(units(row_unit) * plan.group, launch_limit);
    break;
  case Loop::outer_axis_groups:
    plan.group = lanes;
    plan.shares = std::min(units(column_unit), launch_limit);
    break;
  case Loop::scatter: // each work-item reads all indices, which takes about as long as its writes
    plan.shares = !device.is_cpu()                           ? shares(4096)
                  : device.compute_units < 4 && !plan.stream ? 1
                                                             : (shares(0) + 3) / 4;
    break;
  case Loop::gemm_panels: // of products
  case Loop::gemm_tiles:
  case Loop::gemv:
  case Loop::dots:
    break;
  }
  plan.group = static_cast<int>(std::min<std::size_t>(plan.group, device.max_group));
  if (plan.shares != 0) { // the kernel counts whole groups; one launch has all shares
    plan.shares = (plan.shares + plan.group - 1) / plan.group * plan.group;
    plan.limit = plan.loop == Loop::transpose_groups ? launch_limit : size; // in 32 bits
  }
  return plan;
}

Loop choose_axis_loop(IterationSpace &space) {
  IterationSpace::Axis *const axes = space.axes;
  auto step = [&](int axis) { return std::abs(axes[axis].strides[1]); };
  int inner = 0;
  for (int k = 1; k < space.ndim; ++k)
    if (step(k) != 0 && (inner == 0 || step(k) < step(inner)))
      inner = k;
  if (inner == 0)
    return Loop::inner_axis;
  std::rotate(axes + 1, axes + inner, axes + inner + 1);
  const std::int64_t n = axes[0].extent;
  const bool is_short = n <= short_axis && axes[1].extent >= n;
  return is_short || (n > 1 && step(1) < step(0)) ? Loop::outer_axis : Loop::inner_axis;
}

Plan host_plan(const DeviceDescription &device, Loops loops, IterationSpace &space) {
  Plan plan{};
  plan.loop = host_loop(loops, space);
  // A later kernel, perhaps on the device, reads one result of each share.
  plan.shares = plan.loop == Loop::partition ? even_shares(device, space.size) : 1;
  plan.limit = space.size;
  return plan;
}

void lengthen_rows(IterationSpace &space, std::int64_t itemsize) {
  constexpr std::int64_t max_extent = 7, max_bytes = 32; // more passes would leave the caches
  IterationSpace::Axis *const axes = space.axes;
  if (space.ndim > 1 && axes[0].extent <= std::min(max_extent, max_bytes / itemsize) &&
      axes[1].extent > axes[0].extent)
    std::swap(axes[0], axes[1]);
}

bool worth_sorting_together(const Plan &plan, std::int64_t rows, std::int64_t row) {
  constexpr std::int64_t long_row = 32768;
  return !plan.host && row >= long_row && rows < plan.shares;
}

namespace {

// Rows of an output that a core computes together.
constexpr std::int64_t rows_at_once = 4;

// Views with stride 0 can have more terms than an integer holds.
std::int64_t picoseconds(const ProductSizes &sizes, Loops loops) {
  const bool dots = loops.has(Loop::dots);
  const std::int64_t rows = dots ? sizes.m : ceil_divide(sizes.m, rows_at_once) * rows_at_once;
  const double terms = 1.0 * rows * sizes.n * sizes.k;
  return std::min(sizes.count * ((dots ? 8000 : 10000) + terms * sizes.term_picoseconds), 1e18);
}

} // namespace

Plan plan(const DeviceDescription &device, Loops loops, const ProductSizes &sizes) {
  constexpr std::int64_t worthwhile = 4'000'000; // picoseconds of a share
  const bool dots = loops.has(Loop::dots);
  Plan plan{};
  const std::int64_t items = gemm_items(static_cast<int>(sizes.itemsize));
  const bool gemv = !device.is_cpu() && loops.has(Loop::gemv) && sizes.few_rows();
  const bool tiles = !device.is_cpu() && device.max_group >= static_cast<std::size_t>(items) &&
                     device.local_memory >= std::size_t(1) << 15;
  const bool teams = has_teams(device, loops) && sizes.k > short_axis;
  plan.loop = teams   ? Loop::inner_axis_teams
              : dots  ? Loop::dots
              : gemv  ? Loop::gemv
              : tiles ? Loop::gemm_tiles
                      : Loop::gemm_panels;
  plan.limit = std::numeric_limits<std::int64_t>::max();
  if (device.is_cpu()) {
    const std::int64_t panels = ceil_divide(sizes.m, panel_rows) *
                                ceil_divide(sizes.n * sizes.itemsize, 64); // of a cache line
    const std::int64_t shares = std::max<std::int64_t>(picoseconds(sizes, loops) / worthwhile, 1);
    plan.group = 1;
    plan.shares = std::min({dots ? sizes.count : sizes.count * panels, shares,
                            std::int64_t(4) * device.compute_units});
  } else if (teams) {
    plan.group = max_reduction_group;
    plan.shares = std::min(sizes.count * row_team(sizes.k), launch_limit);
  } else if (gemv) {
    plan.group = static_cast<int>(std::min<std::size_t>(lanes, device.max_group));
    plan.shares =
        std::min(sizes.count * ceil_divide(sizes.n, plan.group) * plan.group, launch_limit);
  } else if (plan.loop == Loop::gemm_tiles) {
    plan.group = static_cast<int>(items);
    plan.shares = std::min(sizes.count * ceil_divide(sizes.m, gemm_side) *
                               ceil_divide(sizes.n, gemm_side) * items,
                           launch_limit);
  } else {
    plan.group = static_cast<int>(std::min<std::size_t>(gemm_side, device.max_group));
    plan.shares = std::min(dots ? sizes.count : sizes.count * sizes.m, launch_limit);
  }
  return plan;
}

Plan host_plan(Loops loops, const ProductSizes &sizes) {
  Plan plan{};
  plan.host_time = picoseconds(sizes, loops) / 1000;
  plan.loop = loops.has(Loop::dots) ? Loop::dots : Loop::gemm_panels;
  plan.limit = std::numeric_limits<std::int64_t>::max();
  plan.shares = 1;
  return plan;
}

// Picoseconds as measured on a core at 3 GHz.
std::int64_t host_time(const DeviceDescription &device, const IterationSpace &space,
                       Span<std::int64_t> itemsizes, int cost, int inner) {
  constexpr std::int64_t per_near_byte = 12, per_far_byte = 30, per_shuffle = 60;
  constexpr std::int64_t per_element = 24, per_line = 500, per_row = 6000;
  if (space.ndim == 0)
    return 0;
  const IterationSpace::Axis &axis = space.axes[inner];
  const std::int64_t size =
      std::min(space.size, std::int64_t(1) << 40); // so that nothing overflows
  auto bytes_of = [&](int k) {                     // bytes of cache lines that an element takes
    return std::min<std::int64_t>(std::abs(axis.strides[k]) * itemsizes[k], 64);
  };
  std::int64_t bytes = 0;
  for (int k = 0; k < space.operands; ++k)
    bytes += bytes_of(k);
  const std::int64_t per_byte = size * bytes > device.near_bytes() ? per_far_byte : per_near_byte;
  std::int64_t element = cost + bytes * per_byte;
  for (int k = 0; k < space.operands; ++k)
    if (axis.strides[k] != 0 && axis.strides[k] != 1)
      element += std::min(per_shuffle, per_line - bytes_of(k) * per_byte);
  const std::int64_t rows = space.ndim == 1 ? 1 : size / axis.extent;
  return (size * std::max(element, per_element) + rows * per_row) / 1000;
}

// A launch wakes the device's threads, which takes its time, and divides the work among them.
std::int64_t host_limit(const DeviceDescription &device, Loops loops) {
  // Only a quarter of the compute units share the work of Loop::scatter.
  const int units =
      loops.has(Loop::scatter) ? (device.compute_units + 3) / 4 : device.compute_units;
  return units > 1 ? device.launch_time * units / (units - 1) : 4 * device.launch_time;
}

} // namespace usmtensor
