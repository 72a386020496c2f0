#include "creation.hpp"

#include "launch.hpp"

#include <algorithm>
#include <utility>

namespace usmtensor {

void fill_linear(const QueueRef &queue, const View &destination, const Linear &line,
                 Caller &caller) {
  auto bits = [&](double value) { return bits_of(value, destination.dtype); };
  IterationSpace space(destination.size(), 1);
  run(*queue, kernels::linear(destination.dtype), space, {destination},
      {.start = bits(line.start),
       .step = bits(line.step),
       .given = bits(line.fixed),
       .given_index = line.fixed_index,
       .floored = line.floored},
      caller);
}

void fill_steps(const QueueRef &queue, const View &destination, std::uint64_t start,
                std::uint64_t step, Caller &caller) {
  IterationSpace space(destination.size(), 1);
  run(*queue, kernels::steps(destination.dtype), space, {destination},
      {.start = start, .step = step}, caller);
}

void clear_outside(const QueueRef &queue, const View &destination, std::int64_t k, bool before) {
  const std::int64_t size = destination.size();
  if (size == 0)
    return;
  const std::int64_t rows = destination.shape[destination.ndim - 2];
  const std::int64_t columns = destination.shape[destination.ndim - 1];
  const std::int64_t all_rows = size / columns;
  IterationSpace space(1, &all_rows, {&columns});
  // Diagonals beyond the corners are all equivalent; clamping prevents an overflow.
  run(*queue, kernels::outside(destination.dtype), space, {destination},
      {.rows = rows, .columns = columns, .k = std::clamp(k, -rows, columns), .before = before});
}

void fill_random(const QueueRef &queue, const View &destination, const RandomStream &stream,
                 bool normal) {
  const DType type = is_integer(destination.dtype) ? DType::uint64 : destination.dtype;
  IterationSpace space(destination.size(), 1);
  run(*queue, normal ? kernels::normal(type) : kernels::random(type), space, {destination},
      {.key0 = stream.key[0], .key1 = stream.key[1], .first = stream.first});
}

void fill_integers(const QueueRef &queue, const View &destination, const RandomStream &stream,
                   std::uint64_t low, std::uint64_t span) {
  IterationSpace space(destination.size(), 1);
  run(*queue, kernels::integers(destination.dtype), space, {destination},
      {.key0 = stream.key[0],
       .key1 = stream.key[1],
       .first = stream.first,
       .low = low,
       .span = span});
}

template <class Scalars, int N>
static void run_flat(const QueueRef &queue, const SignatureKernels<Scalars, N> &kernels,
                     const View *views) {
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    const Operand operands[] = {views[K]...};
    IterationSpace space(views[0].size(), N);
    run(*queue, kernels, space, operands, {});
  }(std::make_index_sequence<N>());
}

void fill_samples(const QueueRef &queue, Distribution distribution, const View *operands) {
  const DType type = operands[2].dtype;
  switch (distribution) {
  case Distribution::gamma:
    return run_flat(queue, kernels::sample_gamma(type), operands);
  case Distribution::log_gamma:
    return run_flat(queue, kernels::sample_log_gamma(type), operands);
  case Distribution::von_mises:
    return run_flat(queue, kernels::sample_von_mises(type), operands);
  case Distribution::poisson:
    return run_flat(queue, kernels::sample_poisson(type), operands);
  case Distribution::binomial:
    return run_flat(queue, kernels::sample_binomial(type), operands);
  case Distribution::hypergeometric:
    return run_flat(queue, kernels::sample_hypergeometric(type), operands);
  case Distribution::zipf:
    return run_flat(queue, kernels::sample_zipf(type), operands);
  case Distribution::integer:
    return run_flat(queue, kernels::sample_integer(), operands);
  }
}

} // namespace usmtensor
