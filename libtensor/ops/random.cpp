#include "random.hpp"

#include "launch.hpp"

namespace usmtensor {

void fill_random(const QueueRef &queue, const View &destination, const RandomStream &stream,
                 bool normal) {
  const DType type = is_integer(destination.dtype) ? DType::u8 : destination.dtype;
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

} // namespace usmtensor
