#include "sorting.hpp"

#include "copy.hpp"
#include "indexing.hpp"
#include "keys.hpp"
#include "launch.hpp"
#include "libraries.hpp"
#include "runtime/host_kernels.hpp"
#include "runtime/order.hpp"
#include "runtime/submit.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace usmtensor {
namespace {

using Word = std::uint64_t;

// Pairs of a key and an index have 8 or 16 bytes, and are described as elements of that size.
constexpr DType narrow = DType::uint64, wide = DType::complex128;
Keys keys_of_pairs(DType pair) {
  Keys keys;
  if (pair == narrow)
    keys.relevant <<= 32;
  return keys;
}

Memory words(const QueueRef &queue, std::int64_t count) {
  return allocate(queue, UsmKind::device, count * sizeof(Word));
}

int passes(const Keys &keys, DType type) {
  return std::min(__builtin_popcountll(keys.relevant) / 8, static_cast<int>(itemsize(type)));
}

// Launches kernels; `groups` is the number of work-groups for the loop work_groups.
template <class Scalars, int N>
void run_groups(const QueueRef &queue, const SignatureKernels<Scalars, N> &kernels,
                std::int64_t size, std::int64_t groups, const Operand (&operands)[N],
                const std::common_type_t<Scalars> &scalars) {
  IterationSpace space(size, N);
  Plan plan = usmtensor::plan(*queue, kernels, space, operands);
  if (plan.loop == Loop::work_groups)
    plan.shares = std::min(groups * plan.group, launch_limit);
  run(*queue, kernels, plan, space, operands, scalars);
}

// Radix sort of rows of n elements. If `by_groups`, each row has `parts` parts, one per work-group.
// Otherwise there is one row, with one part per share.
void sort_by_digits(const QueueRef &queue, DType type, const Keys &keys, std::int64_t n,
                    std::int64_t size, std::int64_t parts, bool by_groups, const Operand &in,
                    const Operand &out, const Operand &scratch, const Operand &table) {
  const std::int64_t rows = size / n;
  const std::uint64_t fold = keys.fold, limit = keys.limit, top = keys.top, bias = keys.bias;
  run_groups(queue, kernels::sort_varying(type), size, digit_values, {table, in},
             {fold, limit, top, bias});
  for (std::int32_t pass = 0; pass < passes(keys, type); ++pass) {
    const kernels::SortCountsScalars scalars{
        fold, limit, top, bias, keys.relevant, n, pass, static_cast<std::int32_t>(parts)};
    run_groups(queue, kernels::sort_counts(type), size, rows * parts, {table, in, out, scratch},
               scalars);
    if (by_groups)
      run_groups(queue, kernels::sort_offsets(), size, rows * 16, {table}, {n, parts});
    run_groups(queue, kernels::sort_move(type), size, rows * parts, {out, in, scratch, table},
               scalars);
  }
}

// Sorts one row by all work-items.
void sort_row_shared(const QueueRef &queue, DType type, const Keys &keys, std::int64_t n,
                     const Operand &in, const Operand &out, const Operand &scratch) {
  IterationSpace space(n, 2);
  const Operand varying[] = {{}, in};
  const std::int64_t shares = plan(*queue, kernels::sort_varying(type), space, varying, 0).shares;
  const Memory table = words(queue, shares * (1 + 3 * digit_values));
  sort_by_digits(queue, type, keys, n, n, shares, false, in, out, scratch, table);
}

// The number of work-groups for kernels of pairs: each work-item has eight elements.
std::int64_t pair_groups(std::int64_t size) { return (size - 1) / 2048 + 1; }

// Sorts rows on devices other than CPUs: a tile has several rows, or a row has several tiles.
void sort_in_groups(const QueueRef &queue, DType type, const Keys &keys, std::int64_t n,
                    std::int64_t size, const Operand &in, const Operand &out) {
  constexpr std::int64_t max_groups = 512; // of a pass, unless there are more rows
  const std::int64_t tile = tile_item_elements(static_cast<int>(in.itemsize)) * work_group_items;
  const std::int64_t rows = size / n;
  if (n <= tile)
    return run_groups(queue, kernels::sort_rows(type), size, (rows - 1) / (tile / n) + 1,
                      {out, in, {}, {}},
                      {keys.fold, keys.limit, keys.top, keys.bias, keys.relevant, n});
  const std::int64_t parts = std::clamp<std::int64_t>(max_groups / rows, 1, (n - 1) / tile + 1);
  const Memory scratch = allocate(queue, UsmKind::device, size * in.itemsize);
  const Memory table = words(queue, (1 + rows * parts + rows) * digit_values);
  sort_by_digits(queue, type, keys, n, size, parts, true, in, out, scratch, table);
}

NumberSorts number_sorts; // set before the first sort

// The longest row for which NumPy is faster than kernels. NumPy's AVX-512 sorts use compressing
// stores, which are slow on processors that are not Intel's.
std::int64_t longest_by_numpy() {
  const bool fast = __builtin_cpu_is("intel") || !__builtin_cpu_supports("avx512dq");
  return fast ? std::numeric_limits<std::int64_t>::max() : 2048;
}

// Sorts by NumPy's functions, on this thread and on others that it waits for. Returns false if that
// is not possible, or kernels are as fast.
bool sort_by_numpy(const QueueRef &queue, bool is_argsort, const Keys &keys, std::int64_t n,
                   std::int64_t size, const Operand &in, const Operand &out) {
  constexpr std::int64_t worthwhile = std::int64_t(1) << 15;
  const DeviceDescription &device = queue->description;
  const bool wide = is_argsort || in.itemsize == 8;
  const NumberSort integers = wide ? number_sorts.sort_int64 : number_sorts.sort_int32;
  if ((in.itemsize != 4 && in.itemsize != 8) || (is_argsort && n >> 32) || !integers ||
      !numpy_enabled(*queue) || !no_tier_is_forced() || !host_accessible(*in.memory) ||
      !host_accessible(*out.memory))
    return false;
  const HostSort sort = host_sort();
  if (!sort || n <= 4) // one call per short row is slow
    return false;
  // Threads take longer to start than a launch.
  const std::int64_t nanoseconds = size * (is_argsort ? 16 : in.itemsize) / 2;
  const bool idle = nothing_pending(*queue, {in.memory, out.memory});
  const bool on_this_thread = idle && nanoseconds <= 5 * host_limit(device);
  const bool too_long = n > longest_by_numpy(); // then only rows that are already in order
  if (too_long ? !idle : !on_this_thread && size < worthwhile)
    return false;
  const bool ascending_floats = keys.fold != 0 && keys.bias >> (8 * in.itemsize - 1) == 1;
  const NumberSort floats =
      in.itemsize == 8 ? number_sorts.sort_float64 : number_sorts.sort_float32;
  KeySort rows{integers,
               ascending_floats && !is_argsort ? floats : nullptr,
               is_argsort,
               int(in.itemsize),
               on_this_thread ? 1 : int(std::min<std::int64_t>(device.compute_units, size >> 14)),
               n,
               size / n,
               keys.fold,
               keys.limit,
               keys.top,
               keys.bias,
               in.data,
               out.data,
               nullptr,
               too_long};
  Memory scratch;
  if (const std::int64_t bytes = too_long ? 0 : rows.scratch_bytes()) {
    scratch = allocate(queue, UsmKind::device, bytes);
    rows.scratch = scratch->pointer;
  }
  if (!idle || !nothing_pending(*queue, {scratch.get()})) {
    drain(*in.memory), drain(*out.memory);
    if (scratch)
      drain(*scratch);
  }
  bool sorted = false;
  run_here([&] { sorted = sort(rows); });
  return sorted;
}

// Sorts consecutive rows of n elements.
void sort_rows(const QueueRef &queue, DType type, const Keys &keys, std::int64_t n,
               std::int64_t size, const Operand &in, const Operand &out) {
  if (sort_by_numpy(queue, false, keys, n, size, in, out))
    return;
  const auto kernels = kernels::sort_rows(type);
  IterationSpace space(size, 4);
  Operand operands[] = {out, in, {}, {}};
  const Plan plan = usmtensor::plan(*queue, kernels, space, operands);
  if (plan.loop == Loop::work_groups)
    return sort_in_groups(queue, type, keys, n, size, in, out);
  if (worth_sorting_together(plan, size / n, n)) {
    const Memory scratch = allocate(queue, UsmKind::device, n * in.itemsize);
    Operand from = in, to = out;
    for (std::int64_t done = 0; done < size; done += n) {
      sort_row_shared(queue, type, keys, n, from, to, scratch);
      from.data += n * in.itemsize, to.data += n * in.itemsize;
    }
    return;
  }
  Memory scratch, table;
  if (n > insertion_limit) {
    operands[2] = scratch = allocate(queue, plan, operands, plan.shares * n * in.itemsize);
    operands[3] = table =
        allocate(queue, plan, operands, plan.shares * 2 * digit_values * sizeof(Word));
  }
  run(*queue, kernels, plan, space, operands,
      {keys.fold, keys.limit, keys.top, keys.bias, keys.relevant, n});
}

// Buffers for pairs of a key and an index, before and after sorting.
struct Pairs {
  Pairs(const QueueRef &queue, DType type, std::int64_t size)
      : type(type), first(allocate(queue, UsmKind::device, size * itemsize(type))),
        second(allocate(queue, UsmKind::device, size * itemsize(type))) {}
  Operand unsorted() const { return {first, static_cast<std::int64_t>(itemsize(type))}; }
  Operand sorted() const { return {second, static_cast<std::int64_t>(itemsize(type))}; }

  const DType type;

private:
  const Memory first, second;
};

std::int64_t row_of(const View &view) { return view.shape[view.ndim - 1]; }

} // namespace

void set_number_sorts(const NumberSorts &sorts) { number_sorts = sorts; }

void argsort(const QueueRef &queue, const View &source, const View &indices, bool descending) {
  const std::int64_t size = source.size(), n = row_of(source);
  if (size == 0)
    return;
  const Keys keys = keys_of(source.dtype, descending);
  if (!is_complex(source.dtype) && sort_by_numpy(queue, true, keys, n, size, source, indices))
    return;
  const bool is_narrow = itemsize(source.dtype) < itemsize(narrow) && n >> 32 == 0;
  const Pairs pairs(queue, is_narrow ? narrow : wide, size);
  const bool twice = source.dtype == DType::complex128; // keys of two words
  for (int by_high = 0; by_high <= twice; ++by_high) {
    run_groups(queue, kernels::pair_keys(source.dtype, pairs.type), size, pair_groups(size),
               {pairs.unsorted(), source, by_high ? Operand(indices) : Operand()},
               {.fold = keys.fold,
                .limit = keys.limit,
                .top = keys.top,
                .bias = keys.bias,
                .n = n,
                .by_high = by_high});
    sort_rows(queue, pairs.type, keys_of_pairs(pairs.type), n, size, pairs.unsorted(),
              pairs.sorted());
    run_groups(queue, kernels::pair_indices(pairs.type), size, pair_groups(size),
               {indices, pairs.sorted()}, {});
  }
}

void sort(const QueueRef &queue, const View &source, const View &destination, bool descending) {
  const std::int64_t size = source.size(), n = row_of(source);
  if (size == 0)
    return;
  if (!is_complex(source.dtype))
    return sort_rows(queue, source.dtype, keys_of(source.dtype, descending), n, size, source,
                     destination);
  View indices = source;
  indices.dtype = DType::int64;
  const Temporary order(queue, indices);
  argsort(queue, source, order.view, descending);
  const std::int64_t shape[] = {size / n, n}, strides[] = {n, 1}, rows[] = {n, 0};
  auto matrix = [&](View view, const std::int64_t *steps) {
    view.ndim = 2, view.shape = shape, view.strides = steps;
    return view;
  };
  gather(queue, matrix(source, rows), {.shift = n, .low = 0, .high = n - 1, .stride = 1},
         matrix(order.view, strides), matrix(destination, strides));
}

} // namespace usmtensor
