// Sequences of numbers, random numbers, and triangles of matrices.
#pragma once
#include "layout/view.hpp"
#include "runtime/caller.hpp"
#include "runtime/handles.hpp"

#include <cstdint>

namespace usmtensor {

// destination[i] = start + i * step of float32 or float64, in its arithmetic; `given` at i = place,
// which may be none. Floored: rounded down in the end. The destination is contiguous.
struct Linear {
  double start, step, given;
  std::int64_t place;
  bool floored;
};
void fill_linear(const QueueRef &queue, const View &destination, const Linear &line,
                 Caller &caller);

// destination[i] = start + i * step of integers, modulo the size of their type.
void fill_steps(const QueueRef &queue, const View &destination, std::uint64_t start,
                std::uint64_t step, Caller &caller);

// Zeros where a column is less (before) or not less than its row + k, in all matrices of a
// C-contiguous destination.
void clear_outside(const QueueRef &queue, const View &destination, std::int64_t k, bool before);

// A stream of random words: its key, and the place of the next one that is taken.
struct RandomStream {
  std::uint64_t key[2];
  std::int64_t first;
};

// Words (uint64) or numbers from 0 to below 1 (float32, float64). A number of type float32 takes
// half a word: then the place counts halves. Normal numbers (float32, float64) are pairs from two
// of these: the place is even.
void fill_random(const QueueRef &queue, const View &destination, const RandomStream &stream,
                 bool normal);

// `span` integers from `low` on, each as likely as the others; zero stands for a span of 2^64. A
// number takes one word where the span is below 2^32, otherwise two: then the place counts pairs.
void fill_integers(const QueueRef &queue, const View &destination, const RandomStream &stream,
                   std::uint64_t low, std::uint64_t span);

// Samples of a distribution: the output, a random word (uint64) for each sample, and parameters.
// They are contiguous arrays of one shape. `integer` takes bounds as int64 and uint64; the others
// take parameters of one real type.
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
