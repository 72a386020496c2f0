#include "copy.hpp"

#include "launch.hpp"
#include "layout/move_bytes.hpp"
#include "runtime/byte_commands.hpp"
#include "runtime/submit.hpp"

#include <algorithm>
#include <cstring>

namespace usmtensor {
namespace {

// True if the conversion changes no bit.
bool same_bits(DType from, DType to) {
  return from == to || (is_integer(from) && is_integer(to) && itemsize(from) == itemsize(to));
}

DType real_part(DType type) { return type == DType::complex64 ? DType::float32 : DType::float64; }

// Describes a complex copy as a real one where possible. A real destination takes the real parts of
// the source. For a complex destination, both operands need unit stride along axis 0, which then
// has twice as many real elements.
void as_real(IterationSpace &space, DType &from, DType &to) {
  if (!is_complex(from) || to == DType::bool8)
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

// Bytes from which a queue's memcpy is faster than a kernel, except on CPUs.
constexpr std::size_t large_copy = std::size_t(1) << 16;

// Copies between views that are equal or disjoint.
void copy_disjoint(const QueueRef &queue, const View &source, const View &destination,
                   Caller &caller) {
  DType from = source.dtype, to = destination.dtype; // as the kernel sees them
  IterationSpace space(destination.ndim, destination.shape, {destination.strides, source.strides});
  as_real(space, from, to);
  if (space.size == 0)
    return;
  Operand operands[] = {{destination, to}, {source, from}};
  const bool move = same_bits(from, to);
  if (!move && worth_transposing(queue->description, space, 1, operands[1].itemsize)) {
    const Temporary temporary(queue, source, destination.strides, caller);
    copy_disjoint(queue, source, temporary.view, caller);
    return copy_disjoint(queue, temporary.view, destination, caller);
  }
  if (move && space.ndim > 1)
    to = join_elements(space, to, operands);
  const auto kernels = move ? kernels::copy(to) : kernels::cast(from, to);
  const std::size_t nbytes = space.size * operands[0].itemsize;
  const bool use_memcpy =
      move && nbytes >= large_copy && space.contiguous() && !queue->description.is_cpu();
  const Plan plan = usmtensor::plan(*queue, kernels, space, operands, caller);
  void *const to_data = operands[0].data + space.offsets[0] * operands[0].itemsize;
  const void *const from_data = operands[1].data + space.offsets[1] * operands[1].itemsize;
  if (plan.host && move && space.contiguous())
    return run_here([&] { move_bytes(to_data, from_data, nbytes); });
  if (!use_memcpy)
    return run(*queue, kernels, plan, space, operands, {});
  if (to_data == from_data)
    return;
  submit(
      *queue, {source.memory, destination.memory},
      [&](sycl::queue &q) { submit_memcpy(*queue, q, to_data, from_data, nbytes); },
      plan.device_time(queue->description, 2 * static_cast<std::int64_t>(nbytes)));
}

int contiguity_of(const View &view) { return contiguity(view.ndim, view.shape, view.strides); }

// Fast path for small contiguous copies without a conversion: needs no plan.
bool move_bytes_on_host(const Queue &queue, const View &source, const View &destination) {
  const std::size_t nbytes = destination.size() * itemsize(destination.dtype);
  const bool possible = same_bits(source.dtype, destination.dtype) && nbytes <= large_copy &&
                        (contiguity_of(source) & contiguity_of(destination)) != 0 &&
                        has_host_tier(queue) &&
                        nothing_pending(queue, {destination.memory, source.memory});
  if (possible)
    run_here([&] { move_bytes(destination.data, source.data, nbytes); });
  return possible;
}

bool clear_bytes_on_host(const Queue &queue, const View &destination) {
  const std::size_t nbytes = destination.size() * itemsize(destination.dtype);
  const bool possible = nbytes <= large_copy && contiguity_of(destination) != 0 &&
                        has_host_tier(queue) && nothing_pending(queue, {destination.memory});
  if (possible)
    run_here([&] { std::memset(destination.data, 0, nbytes); });
  return possible;
}

} // namespace

void copy(const QueueRef &queue, const View &source, const View &destination, Caller &caller) {
  if (move_bytes_on_host(*queue, source, destination))
    return;
  if (same_elements(source, destination) || !may_overlap(source, destination))
    return copy_disjoint(queue, source, destination, caller);
  const Temporary temporary(queue, source, nullptr, caller);
  copy_disjoint(queue, source, temporary.view, caller);
  copy_disjoint(queue, temporary.view, destination, caller);
}

void fill(const QueueRef &queue, const View &destination, const void *scalar, Caller &caller) {
  const std::size_t nbytes = itemsize(destination.dtype);
  std::uint64_t bits[2] = {};
  std::memcpy(bits, scalar, nbytes);
  if ((bits[0] | bits[1]) == 0 && clear_bytes_on_host(*queue, destination))
    return;
  IterationSpace space(destination.ndim, destination.shape, {destination.strides});
  run(*queue, kernels::fill(destination.dtype), space, {destination},
      {.low = bits[0], .high = bits[1]}, caller);
}

} // namespace usmtensor
