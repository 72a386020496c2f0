// The elementwise functions: the rows of operators.toml that Python sees.
#pragma once
#include "kernel_row.hpp"
#include "layout/span.hpp"
#include "layout/view.hpp"
#include "runtime/caller.hpp"
#include "runtime/handles.hpp"

#include <cstdint>

namespace usmtensor {

inline constexpr int max_inputs = 3;

struct Signature {
  // Results without a kernel of their own are the input itself, or one value everywhere.
  enum Result : std::int8_t { computed, copy, zero, one };
  std::int8_t inputs[max_inputs]; // element types
  std::int8_t output;
  Result result;
  bool wide; // a value travels as two words
  Kernels kernels;
  int by_value; // their cost where the last input is a value
};

struct Operator {
  const char *name, *summary, *notes, *dunder;
  const char *source;           // the library whose function it is; "": the array API
  const char *module;           // usmtensor's module that has it; "": usmtensor itself
  const char *functor, *family; // kernels/<family>.hpp defines the functor
  int inputs;
  bool swapped;                // the kernels take the two inputs the other way round
  bool default_float;          // integers count as the device's default floating point type
  bool numeric;                // not defined for bools alone
  const Signature *signatures; // by preference
  int count;
};

// An array of out's shape (broadcast by zero strides), or one value, as the bits of an element.
struct Input {
  const View *array; // null for a value
  std::uint64_t bits[2];
};

// Written by the build.
extern const Operator operators[];
extern const int operator_count;

// out[...] = f(inputs...), for arrays of the element types that the signature's kernel takes. At
// least one input is an array. If out overlaps an input, the result is that of copied inputs.
void elementwise(const QueueRef &queue, const Signature &signature, Span<Input> inputs,
                 const View &out, Caller &caller = unlocked);

} // namespace usmtensor
