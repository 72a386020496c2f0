#include "random.hpp"

#include "launch.hpp"

namespace usmtensor {

void fill_random(const QueueRef &queue, const View &destination, const RandomStream &stream) {
  const int signature = destination.dtype == DType::f4 ? 1 : destination.dtype == DType::f8 ? 2 : 0;
  IterationSpace space(destination.size(), 1);
  run(*queue, kernels::random, signature, space, {destination},
      {.key0 = stream.key[0], .key1 = stream.key[1], .first = stream.first});
}

void fill_integers(const QueueRef &queue, const View &destination, const RandomStream &stream,
                   std::uint64_t low, std::uint64_t span) {
  IterationSpace space(destination.size(), 1);
  run(*queue, kernels::integers, width_index(itemsize(destination.dtype)), space, {destination},
      {.key0 = stream.key[0],
       .key1 = stream.key[1],
       .first = stream.first,
       .low = low,
       .span = span});
}

} // namespace usmtensor
