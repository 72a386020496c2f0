// How kernels run on a device: the loop, the work-items, and whether stores are non-temporal.
#pragma once
#include "kernel_table.hpp"
#include "kernels/limits.hpp"
#include "layout/argument.hpp"
#include "layout/simplify.hpp"
#include "runtime/handles.hpp"

#include <cstdint>

namespace usmtensor {

// More work-items than this do not go into one launch: kernels take their ids as 32-bit numbers.
inline constexpr std::int64_t launch_limit = std::int64_t(1) << 30;

struct Plan {
  // Work-items for this many elements.
  std::int64_t items(std::int64_t size) const {
    return shares != 0 ? shares : (size + elements - 1) / elements * lanes;
  }

  // Results of a kernel that computes one for each share of the elements.
  std::int64_t results() const { return loop == Loop::work_groups ? shares / group : shares; }

  // Whether the host runs it in so short a time that the caller's other threads can wait for that.
  bool brief() const { return host && host_time <= 20000; }

  // Nanoseconds that the device may take: all its compute units share the work, and a CPU's share
  // its memory.
  std::int64_t device_time(const DeviceDescription &device, std::int64_t bytes) const {
    return host_time / device.compute_units + (device.is_cpu() ? bytes / device.memory_rate : 0);
  }

  Loop loop;
  int group;                         // work-items of a work-group
  HostKernel host = nullptr;         // the host runs it by this, in this thread
  std::int64_t host_time = 0;        // nanoseconds that this takes, or would take
  bool stream = false;               // non-temporal stores
  std::int64_t limit = launch_limit; // elements of one launch
  std::int64_t shares = 0;           // work-items that divide the elements evenly; 0 for others:
  int elements = 1;                  // elements of a work-item, or
  int lanes = 1;                     // work-items of an element
  std::int64_t t0 = 0, t1 = 0;       // elements of a tile along the two innermost axes
  int function = 0;                  // of a kernel that computes one of several
  std::int64_t block = 0;            // elements that one unit of a reduction combines
};

// Whether an input lies across the output, as a transpose does, and both are so large that it pays
// to bring its elements into the output's order first, with the tiles of a copy.
bool worth_turning(const DeviceDescription &device, const IterationSpace &space, int input,
                   std::int64_t itemsize);

// Elements that one unit of a reduction combines: of a row, or the rows of some columns. Blocks of
// other sizes would give other bits.
inline constexpr std::int64_t row_unit = std::int64_t(1) << 15, column_unit = 128;

// The choice among the loops that there are kernels for, which all give the operation's result:
// `written` bytes go to the output, the elements of the input have `itemsize` bytes, and
// `by_rows` is that of Kernels. A tile's axes become the innermost axes of the space. The shares
// depend on the device and the size of the space alone.
Plan plan(const DeviceDescription &device, Loops loops, IterationSpace &space, std::int64_t written,
          std::int64_t itemsize, bool by_rows = false);

// The loop for elements that are combined along axis 0: along the axis, or across it, where another
// axis lies closer in the input. That axis becomes axis 1.
Loop choose_around(IterationSpace &space);

// The choice for a kernel of the host; its function is left open.
Plan host_plan(const DeviceDescription &device, Loops loops, IterationSpace &space);
// Exchanges short rows for a long axis, along which the host moves elements faster.
void lengthen_rows(IterationSpace &space, std::int64_t itemsize);

// Whether all work-items sort one row after another, in place of rows that each work-item sorts.
bool worth_sharing(const Plan &plan, std::int64_t rows, std::int64_t row);

// Products of matrices of m x k and k x n elements, or of vectors, which the loops divide by
// themselves.
struct ProductSizes {
  std::int64_t count, m, n, k;   // products, and their extents
  std::int64_t itemsize;         // bytes of an element
  std::int64_t term_picoseconds; // that a product of two elements takes a core
  bool columns_beside = false;   // the columns of the second matrix lie closer than its rows

  bool few_rows() const { return m <= gemv_rows && columns_beside; }
};
Plan plan(const DeviceDescription &device, Loops loops, const ProductSizes &sizes);
Plan host_plan(Loops loops, const ProductSizes &sizes);

// Nanoseconds that the host takes for elements of some sizes, each of them `cost` picoseconds of
// arithmetic, in rows along the axis `inner`; and how long it may take to be faster than a launch.
std::int64_t host_time(const DeviceDescription &device, const IterationSpace &space,
                       Span<std::int64_t> itemsizes, int cost, int inner = 0);
std::int64_t host_limit(const DeviceDescription &device, Loops loops = {});

} // namespace usmtensor
