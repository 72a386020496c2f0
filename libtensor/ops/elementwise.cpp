#include "elementwise.hpp"

#include "copy.hpp"
#include "launch.hpp"
#include "layout/overlap.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <utility>

namespace usmtensor {
namespace {

enum Loop { flat, rows, grid };
constexpr const char *loop_names[] = {"flat", "rows", "grid"};
constexpr int loop_count = 3;

// Looked up by name once; kept as id + 1.
KernelId kernel_of(int kernel, Loop loop) {
  static const auto ids =
      std::make_unique<std::atomic<KernelId>[]>(elementwise_kernel_count * loop_count);
  std::atomic<KernelId> &slot = ids[kernel * loop_count + loop];
  KernelId id = slot.load(std::memory_order_relaxed);
  if (id == 0) {
    const auto &[name, types, wide] = elementwise_kernels[kernel];
    id = kernel_id(std::string(name) + "_" + loop_names[loop] + "_" + types) + 1;
    slot.store(id, std::memory_order_relaxed);
  }
  return id - 1;
}

// One operation whose output does not disturb its inputs. Operand 0 of the space is the output.
template <int N> class Elementwise {
public:
  template <int... K>
  Elementwise(const QueueRef &queue, int kernel, const Input *inputs, const View &out,
              std::integer_sequence<int, K...>)
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
      return run_flat(cpu ? 1024 : 256, each_input);
    for (int k = 1; k <= N; ++k)
      if (!inputs_[k - 1].array)
        for (int axis = 0; axis < space_.ndim; ++axis)
          space_.axes[axis].strides[k] = 0;
    if (cpu)
      run_strided(rows, shares(space_.size), 1, stream, each_input);
    else
      split(space_, launch_limit,
            [&] { run_strided(grid, (space_.size + 1) / 2, 256, false, each_input); });
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
    const auto &x = inputs_[N == 2 && !inputs_[0].array ? 0 : 1 % N].bits;
    const auto &y = inputs_[N - 1].bits;
    if constexpr (N == 1)
      launch();
    else if constexpr (N == 2)
      wide ? launch(x[0], x[1]) : launch(x[0]);
    else
      wide ? launch(x[0], x[1], y[0], y[1]) : launch(x[0], y[0]);
  }

  template <int... K> void run_flat(int group, std::integer_sequence<int, K...>) {
    const sycl::kernel &run = kernel(flat);
    with_values([&](const auto &...values) {
      submit(queue_, {memory(K)...}, {out_.memory}, [&](sycl::queue &q) {
        for (std::int64_t done = 0; done < space_.size; done += launch_limit) {
          const std::int64_t size = std::min(space_.size - done, launch_limit);
          launch(q, run, size, group, out(done), in(K, done)..., size, values...);
        }
      });
    });
  }

  template <int... K>
  void run_strided(Loop loop, std::int64_t items, int group, std::int32_t stream,
                   std::integer_sequence<int, K...>) {
    with_values([&](const auto &...values) {
      usmtensor::run_strided(queue_, kernel(loop), items, group, {memory(K)...}, {out_.memory},
                             {out(), in(K)...}, space_, stream, values...);
    });
  }

  static constexpr std::make_integer_sequence<int, N> each_input{};

  const Queue &queue_;
  const int kernel_;
  const Input *inputs_;
  const View &out_;
  IterationSpace<N + 1> space_;
};

template <int N> void run(const QueueRef &queue, int kernel, const Input *inputs, const View &out) {
  Elementwise<N>(queue, kernel, inputs, out, std::make_integer_sequence<int, N>()).run();
}

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
    run<1>(queue, kernel, inputs, out);
  else if (count == 2)
    run<2>(queue, kernel, inputs, out);
  else
    run<3>(queue, kernel, inputs, out);
}

} // namespace usmtensor
