// The choice of loops and work-items, for descriptions of devices.
#include "ops/plan.hpp"

#include "check.hpp"

#include <vector>

using namespace usmtensor;
using Numbers = std::vector<std::int64_t>;

namespace {

const DeviceDescription cpu{DeviceClass::cpu, 8, 8192, 0, false};
const DeviceDescription small_cpu{DeviceClass::cpu, 2, 512, 0, false};
const DeviceDescription gpu{DeviceClass::gpu, 64, 1024, 1 << 16, false};

constexpr Loops copying{Loop::contiguous, Loop::strided, Loop::transpose_tiles, Loop::grid};

// The plan of a copy of 4-byte elements.
Plan plan_copy(const DeviceDescription &device, const Numbers &shape, const Numbers &out,
               const Numbers &in, Loops loops = copying) {
  IterationSpace space(static_cast<int>(shape.size()), shape.data(), {out.data(), in.data()});
  return plan(device, loops, space, space.size * 4, 4);
}

Plan plan_line(const DeviceDescription &device, Loops loops, std::int64_t size,
               std::int64_t written) {
  IterationSpace space(size, 2);
  return plan(device, loops, space, written, 8);
}

void check_loops() {
  const Numbers line{1000}, unit{1}, two{2};
  const Numbers matrix{100, 100}, rowwise{100, 1}, columnwise{1, 100};
  CHECK(plan_copy(cpu, line, unit, unit).loop == Loop::contiguous);
  CHECK(plan_copy(gpu, line, unit, unit).loop == Loop::grid);
  CHECK(plan_copy(cpu, line, unit, two).loop == Loop::strided);
  CHECK(plan_copy(gpu, line, unit, two).loop == Loop::grid);
  CHECK(plan_copy(cpu, matrix, rowwise, columnwise).loop == Loop::transpose_tiles);
  const Loops moves{Loop::strided, Loop::transpose_tiles, Loop::grid, Loop::transpose_groups};
  CHECK(plan_copy(cpu, line, unit, unit, moves).loop == Loop::strided);
  CHECK(plan_copy(cpu, matrix, rowwise, columnwise, moves).loop == Loop::transpose_tiles);
  IterationSpace wide(1000, 2);
  CHECK(plan(cpu, elementwise_loops, wide, 0, 16, true).loop == Loop::strided_choice);
  CHECK(plan(gpu, elementwise_loops, wide, 0, 16, true).loop == Loop::grid);
  CHECK(plan_copy(gpu, matrix, rowwise, columnwise).loop == Loop::grid);
  const Loops turning{Loop::contiguous, Loop::grid, Loop::transpose_groups};
  CHECK(plan_copy(gpu, matrix, rowwise, columnwise, turning).loop == Loop::transpose_groups);
  CHECK(plan_copy(gpu, {100, 4}, {4, 1}, {1, 100}, turning).loop == Loop::grid);
  const Loops reducing{Loop::inner_axis, Loop::outer_axis, Loop::inner_axis_teams,
                       Loop::inner_axis_groups, Loop::outer_axis_groups};
  CHECK(plan_copy(gpu, {10000}, {0}, unit, reducing).loop == Loop::inner_axis_groups);
  CHECK(plan_copy(gpu, {100}, {0}, unit, reducing).loop == Loop::inner_axis_teams);
  CHECK(plan_copy(cpu, {10000}, {0}, unit, reducing).loop == Loop::inner_axis);
  CHECK(plan_copy(gpu, matrix, {1, 0}, columnwise, reducing).loop == Loop::outer_axis_groups);
  CHECK(plan_copy(cpu, matrix, rowwise, columnwise, elementwise_loops).loop ==
        Loop::strided_choice);
  CHECK(plan_copy(gpu, matrix, rowwise, columnwise, {Loop::strided}).loop == Loop::strided);
  for (const Loop loop : {Loop::range, Loop::triangle, Loop::partition, Loop::scatter})
    CHECK(plan_line(cpu, {loop}, 1000, 8000).loop == loop);
}

void check_host() {
  const Numbers none{0}, unit{1}, two{2}, far{100};
  const std::int64_t itemsizes[] = {4, 4};
  auto time_of = [&](std::int64_t size, const Numbers &in, int cost) {
    IterationSpace space(1, &size, {unit.data(), in.data()});
    return host_time(cpu, space, itemsizes, cost);
  };
  CHECK(time_of(8, unit, 0) < time_of(1000, unit, 0));
  CHECK(time_of(1000, unit, 0) < time_of(1000, two, 0));
  CHECK(time_of(1000, two, 0) < time_of(1000, far, 0));
  CHECK(time_of(1000, two, 0) < time_of(1000, two, 1000));
  CHECK(time_of(1 << 20, unit, 0) > 20 * time_of(1 << 16, unit, 0));  // larger than the near caches
  CHECK(time_of(std::int64_t(1) << 57, none, 500) > host_limit(cpu)); // no overflow
  CHECK(time_of(8, unit, 0) < host_limit(cpu));
  CHECK(time_of(1 << 24, unit, 0) > host_limit(cpu));
  CHECK(host_limit(small_cpu) > host_limit(cpu)); // one of two cores has half of the performance
  CHECK(host_limit(cpu, {Loop::scatter}) > host_limit(cpu));
  IterationSpace space(100000, 2);
  CHECK(host_plan(cpu, copying, space).loop == Loop::contiguous);
  CHECK(host_plan(cpu, {Loop::strided}, space).loop == Loop::strided);
  // Host and device have the same shares, because each reads the numbers that the other writes.
  CHECK(host_plan(cpu, {Loop::partition}, space).shares ==
        plan_line(cpu, {Loop::partition}, 100000, 0).shares);
}

void check_streams() {
  const Numbers unit{1};
  const std::int64_t large = 1 << 22; // 16 MiB of 4-byte elements
  CHECK(plan_copy(cpu, {large - 1}, unit, unit).loop == Loop::contiguous);
  CHECK(plan_copy(cpu, {large}, unit, unit).loop == Loop::strided);
  CHECK(plan_copy(cpu, {large}, unit, unit, elementwise_loops).loop == Loop::strided_choice);
  CHECK(plan_copy(cpu, {large}, unit, unit).stream);
  CHECK(plan_copy(gpu, {large}, unit, unit).loop == Loop::grid);
  IterationSpace filled(large, 1);
  CHECK(plan(cpu, copying, filled, 1 << 24, 4).loop == Loop::contiguous);
  CHECK(!plan_line(cpu, {Loop::partition}, large, (1 << 24) - 8).stream);
  CHECK(plan_line(cpu, {Loop::partition}, large, 1 << 24).stream);
}

void check_items() {
  const Numbers unit{1}, two{2};
  Plan flat = plan_copy(cpu, {1000}, unit, unit);
  CHECK(flat.items(1000) == 1000 && flat.group == 1024);
  CHECK(plan_copy(small_cpu, {1000}, unit, unit).group == 512); // the largest allowed group
  Plan grid = plan_copy(gpu, {1001}, unit, two);
  CHECK(grid.items(1001) == 126 && grid.group == 128 && grid.limit == launch_limit);
  const Plan squares =
      plan_copy(gpu, {100, 33}, {33, 1}, {1, 100}, {Loop::grid, Loop::transpose_groups});
  CHECK(squares.shares == 4 * 2 * 128 && squares.group == 128 && squares.limit == launch_limit);
  const Plan teams = plan_line(gpu, {Loop::partition, Loop::work_groups}, 100000, 0);
  CHECK(teams.loop == Loop::work_groups && teams.results() == 4 && teams.shares == 4 * teams.group);
  // Shares are not too small, and there are at most a few per thread.
  CHECK(plan_copy(cpu, {8191}, unit, two).shares == 1);
  CHECK(plan_copy(cpu, {3 * 8192}, unit, two).shares == 3);
  CHECK(plan_copy(cpu, {1 << 30}, unit, two).shares == 32);
  CHECK(plan_copy(small_cpu, {1 << 30}, unit, two).shares == 8);
  // There are only full work-groups, so that the host knows how many numbers a kernel writes.
  for (const std::int64_t size : {1, 63, 64, 6400, 100000, 1 << 30}) {
    const Plan shared = plan_line(gpu, {Loop::partition}, size, 0);
    CHECK(shared.shares % shared.group == 0 && shared.shares <= 4096);
    CHECK(shared.items(size) == shared.shares && shared.limit >= size);
    // All loops over a mask have the same shares, for any itemsize of the result.
    CHECK(shared.shares == plan_line(gpu, {Loop::partition}, size, size * 8).shares);
  }
  CHECK(plan_line(cpu, {Loop::scatter}, 1 << 20, 0).shares == 8);
  CHECK(plan_line(gpu, {Loop::scatter}, 1 << 20, 0).shares == 4096);
  const Plan bands = plan_line(gpu, {Loop::triangle}, 10, 0);
  CHECK(bands.items(10) == 640 && bands.limit * bands.lanes == launch_limit);
}

void check_tiles() {
  // A tile has full rows of 3, and as many rows as fit.
  const Numbers shape{10000, 3}, out{3, 1}, in{4, 1};
  const Plan narrow = plan_copy(cpu, shape, out, in);
  CHECK(narrow.loop == Loop::transpose_tiles && narrow.t0 == 3 && narrow.t1 == 320);
  // The host's rows run along the longer axis, unless the elements of a short row are large.
  for (const std::int64_t itemsize : {4, 16}) {
    IterationSpace rows(2, shape.data(), {out.data(), in.data()});
    lengthen_rows(rows, itemsize);
    CHECK(rows.axes[0].extent == (itemsize == 4 ? 10000 : 3));
    CHECK(rows.axes[0].strides[1] == (itemsize == 4 ? 4 : 1));
  }
  // The axis along which the source is contiguous becomes the second.
  const std::int64_t extents[] = {30, 40, 50};
  const Numbers forward{2000, 50, 1}, backward{1, 30, 1200};
  IterationSpace space(3, extents, {forward.data(), backward.data()});
  const Plan turned = plan(cpu, copying, space, 240000, 8);
  CHECK(turned.loop == Loop::transpose_tiles && turned.t0 == 32 && turned.t1 == 32);
  CHECK(space.axes[0].extent == 50 && space.axes[1].extent == 30 && space.axes[2].extent == 40);
}

// A product of broadcast views can have more terms than an int64 can count.
void check_products() {
  const Loops products{Loop::gemm_panels, Loop::gemm_tiles};
  for (const std::int64_t k : {std::int64_t(1), std::int64_t(1) << 40, std::int64_t(1) << 62}) {
    const ProductSizes sizes{8, 16, 16, k, 4, 100};
    CHECK(host_plan(products, sizes).host_time >= (k == 1 ? 1 : 1'000'000'000));
    const Plan whole = plan(cpu, products, sizes);
    CHECK(whole.shares >= 1 && (k == 1 || whole.shares > 1));
  }
}

} // namespace

int main() {
  check_loops();
  check_streams();
  check_host();
  check_items();
  check_tiles();
  check_products();
  return failures != 0;
}
