// Sequences of numbers, random numbers, and triangles of matrices.
#pragma once
#include "layout/view.hpp"
#include "runtime/caller.hpp"
#include "runtime/handles.hpp"

#include <cstdint>

namespace usmtensor {

// destination[i] = start + i * step for float32 or float64, computed in that type. Element
// `fixed_index` is exactly `fixed` instead; an index out of range sets none. If `floored`, results
// are rounded down. The destination is contiguous.
struct Linear {
  double start, step, fixed;
  std::int64_t fixed_index;
  bool floored;
};
void fill_linear(const QueueRef &queue, const View &destination, const Linear &line,
                 Caller &caller);

// destination[i] = start + i * step for integers, with wrap-around.
void fill_steps(const QueueRef &queue, const View &destination, std::uint64_t start,
                std::uint64_t step, Caller &caller);

// Zeroes the elements with column < row + k (before), or column >= row + k, in all matrices of a
// C-contiguous destination.
void clear_outside(const QueueRef &queue, const View &destination, std::int64_t k, bool before);

// A stream of random words: its key, and the position of the next word.
struct RandomStream {
  std::uint64_t key[2];
  std::int64_t first;
};

// Fills with random words (uint64), or with uniform samples from [0, 1) (float32, float64). A
// float32 sample takes half a word, and `first` then counts half words. Normal samples are computed
// in pairs from two uniform samples, so `first` must be even.
void fill_random(const QueueRef &queue, const View &destination, const RandomStream &stream,
                 bool normal);

// Fills with uniform integers from [low, low + span); a span of 0 means 2^64. A sample takes one
// word if the span is below 2^32. Otherwise it takes two words, and `first` counts pairs.
void fill_integers(const QueueRef &queue, const View &destination, const RandomStream &stream,
                   std::uint64_t low, std::uint64_t span);

// Fills operands[0] with samples of a distribution. operands[1] has a random word (uint64) for each
// sample; the parameters follow. All are contiguous arrays of one shape. `integer` takes bounds of
// type int64 and uint64; other distributions take parameters of one real type.
enum class Distribution : std::uint8_t {
  gamma,
  log_gamma,
  von_mises,
  poisson,
  binomial,
  hypergeometric,
  zipf,
  integer
};
void fill_samples(const QueueRef &queue, Distribution distribution, const View *operands);

} // namespace usmtensor
