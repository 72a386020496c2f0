// How kernels run on a device: the loop, the work-items, and whether stores are non-temporal.
#pragma once
#include "kernel_table.hpp"
#include "kernels/limits.hpp"
#include "layout/argument.hpp"
#include "layout/simplify.hpp"
#include "runtime/handles.hpp"

#include <cstdint>

namespace usmtensor {

// The most work-items of one launch: kernels have 32-bit ids of work-items.
inline constexpr std::int64_t launch_limit = std::int64_t(1) << 30;

struct Plan {
  // The number of work-items for `size` elements.
  std::int64_t items(std::int64_t size) const {
    return shares != 0 ? shares : (size + elements - 1) / elements * lanes;
  }

  // The number of results of a kernel that computes one for each share of the elements.
  std::int64_t results() const { return loop == Loop::work_groups ? shares / group : shares; }

  // True if the host needs so little time that other threads of the caller can wait meanwhile.
  bool brief() const { return host && host_time <= 20000; }

  // An estimate of the device's time in nanoseconds. The compute units share the work; those of a
  // CPU also share the bandwidth of the memory.
  std::int64_t device_time(const DeviceDescription &device, std::int64_t bytes) const {
    return host_time / device.compute_units + (device.is_cpu() ? bytes / device.memory_rate : 0);
  }

  Loop loop;
  int group;                         // work-items of a work-group
  HostKernel host = nullptr;         // the function by which the calling thread runs the operation
  std::int64_t host_time = 0;        // an estimate in nanoseconds of the time on one core
  bool stream = false;               // true if stores are non-temporal
  std::int64_t limit = launch_limit; // the most elements of one launch
  std::int64_t shares = 0;           // work-items that divide the elements evenly, or 0:
  int elements = 1;                  // then elements per work-item, or
  int lanes = 1;                     // work-items per element
  std::int64_t t0 = 0, t1 = 0;       // elements of a tile along the two innermost axes
  int function = 0;                  // the function of a kernel that computes one of several
  std::int64_t block = 0;            // elements that one unit of a reduction combines
};

// True if the input is transposed relative to the output, and both are so large that it is faster
// to copy the input into the output's order first, in tiles.
bool worth_transposing(const DeviceDescription &device, const IterationSpace &space, int input,
                       std::int64_t itemsize);

// Elements that one unit of a reduction combines: elements of a row, or rows of a few columns.
// Other sizes would change the bits of results.
inline constexpr std::int64_t row_unit = std::int64_t(1) << 15, column_unit = 128;

// Chooses one of `loops`, which all compute the operation's result. `written` is the number of
// bytes of the output, `itemsize` the bytes of an element of the input, and `by_rows` the field of
// Kernels. If the loop has tiles, their axes become the innermost axes of the space. The shares
// depend only on the device and on the size of the space.
Plan plan(const DeviceDescription &device, Loops loops, IterationSpace &space, std::int64_t written,
          std::int64_t itemsize, bool by_rows = false);

// The loop for reductions along axis 0: outer_axis if the strides of another axis of the input are
// smaller, otherwise inner_axis. The other axis becomes axis 1.
Loop choose_axis_loop(IterationSpace &space);

// The plan of a host kernel, without its function.
Plan host_plan(const DeviceDescription &device, Loops loops, IterationSpace &space);
// Makes a long axis the innermost one if rows are short: the host moves elements faster along it.
void lengthen_rows(IterationSpace &space, std::int64_t itemsize);

// True if all work-items sort one row together, row after row; otherwise each sorts rows of its
// own.
bool worth_sorting_together(const Plan &plan, std::int64_t rows, std::int64_t row);

// Products of matrices of m x k and k x n elements, or of vectors.
struct ProductSizes {
  std::int64_t count, m, n, k;   // the number of products, and their extents
  std::int64_t itemsize;         // bytes of an element
  std::int64_t term_picoseconds; // time of one core for a product of two elements
  bool columns_beside = false;   // the second matrix has a smaller stride along its columns

  bool few_rows() const { return m <= gemv_rows && columns_beside; }
};
Plan plan(const DeviceDescription &device, Loops loops, const ProductSizes &sizes);
Plan host_plan(Loops loops, const ProductSizes &sizes);

// An estimate of the host's time in nanoseconds. Each element takes `cost` picoseconds of
// arithmetic; rows run along the axis `inner`.
std::int64_t host_time(const DeviceDescription &device, const IterationSpace &space,
                       Span<std::int64_t> itemsizes, int cost, int inner = 0);
// The host's time up to which it is faster than a launch on the device.
std::int64_t host_limit(const DeviceDescription &device, Loops loops = {});

} // namespace usmtensor
