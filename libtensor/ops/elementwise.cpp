#include "elementwise.hpp"

#include "copy.hpp"
#include "launch.hpp"
#include "layout/overlap.hpp"

#include <atomic>
#include <memory>
#include <string>

namespace usmtensor {
namespace {

enum Loop { flat, rows, grid };
constexpr const char *loop_names[] = {"flat", "rows", "grid"};
constexpr int loop_count = 3;

KernelId kernel_of(int kernel, Loop loop) {
  static const auto ids =
      std::make_unique<std::atomic<KernelId>[]>(elementwise_kernel_count * loop_count);
  return cached_id(ids[kernel * loop_count + loop], [&] {
    const auto &[name, types, wide] = elementwise_kernels[kernel];
    return std::string(name) + "_" + loop_names[loop] + "_" + types;
  });
}

// One operation on inputs K whose output does not disturb them. Operand 0 of the space is the
// output.
template <int... K> class Elementwise {
public:
  Elementwise(const QueueRef &queue, int kernel, const Input *inputs, const View &out)
      : queue_(*queue), kernel_(kernel), inputs_(inputs), out_(out),
        // Values follow the output, so that they do not keep axes apart.
        space_(out.ndim, out.shape,
               {out.strides, (inputs[K].array ? inputs[K].array->strides : out.strides)...}) {}

  void run() {
    if (space_.size == 0)
      return;
    const bool cpu = use_cpu_kernels(queue_);
    const bool stream =
        space_.size * static_cast<std::int64_t>(itemsize(out_.dtype)) >= stream_bytes;
    if (space_.contiguous() && !(cpu && stream))
      return with_values([&](const auto &...values) {
        run_flat(queue_, kernel(flat), space_.size, {memory(K)...}, {out_.memory},
                 [&](auto &&launch, std::int64_t first, std::int64_t count) {
                   launch(out(first), in(K, first)..., count, values...);
                 });
      });
    for (int k = 0; k < inputs; ++k)
      if (!inputs_[k].array)
        for (int axis = 0; axis < space_.ndim; ++axis)
          space_.axes[axis].strides[k + 1] = 0;
    if (cpu)
      run_loop(rows, shares(space_.size), 1, stream);
    else
      split(space_, launch_limit, [&] { run_loop(grid, (space_.size + 1) / 2, 256, false); });
  }

private:
  void *out(std::int64_t more = 0) const {
    return element(out_, out_.dtype, space_.offsets[0] + more);
  }
  void *in(int k, std::int64_t more = 0) const {
    const View *array = inputs_[k].array;
    return array ? element(*array, array->dtype, space_.offsets[k + 1] + more) : nullptr;
  }
  const Allocation *memory(int k) const {
    return inputs_[k].array ? inputs_[k].array->memory : nullptr;
  }
  const sycl::kernel &kernel(Loop loop) const {
    return (*queue_.kernels)[kernel_of(kernel_, loop)];
  }
  // The values of the inputs as the kernels take them: see operand_scalars in kernelc/generate.py.
  template <class Launch> void with_values(Launch &&launch) const {
    const bool wide = elementwise_kernels[kernel_].wide;
    const auto &x = inputs_[inputs == 2 && !inputs_[0].array ? 0 : 1 % inputs].bits;
    const auto &y = inputs_[inputs - 1].bits;
    if constexpr (inputs == 1)
      launch();
    else if constexpr (inputs == 2)
      wide ? launch(x[0], x[1]) : launch(x[0]);
    else
      wide ? launch(x[0], x[1], y[0], y[1]) : launch(x[0], y[0]);
  }

  void run_loop(Loop loop, std::int64_t items, int group, std::int32_t stream) {
    with_values([&](const auto &...values) {
      run_strided(queue_, kernel(loop), items, group, space_, {memory(K)...}, {out_.memory},
                  {out(), in(K)...}, stream, values...);
    });
  }

  static constexpr int inputs = sizeof...(K);
  const Queue &queue_;
  const int kernel_;
  const Input *inputs_;
  const View &out_;
  IterationSpace<inputs + 1> space_;
};

bool disturbs(const View &out, const Input &input) {
  return input.array && may_overlap(out, *input.array) && !same_elements(out, *input.array);
}

} // namespace

void elementwise(const QueueRef &queue, int kernel, int count, const Input *inputs,
                 const View &out) {
  if (std::any_of(inputs, inputs + count, [&](const Input &x) { return disturbs(out, x); })) {
    const Temporary temporary(queue, out);
    elementwise(queue, kernel, count, inputs, temporary.view);
    return copy(queue, temporary.view, out);
  }
  if (count == 1)
    Elementwise<0>(queue, kernel, inputs, out).run();
  else if (count == 2)
    Elementwise<0, 1>(queue, kernel, inputs, out).run();
  else
    Elementwise<0, 1, 2>(queue, kernel, inputs, out).run();
}

} // namespace usmtensor
