// The elementwise functions: the rows of operators.toml that Python sees.
#pragma once
#include "layout/span.hpp"
#include "layout/view.hpp"
#include "runtime/caller.hpp"
#include "runtime/handles.hpp"

#include <cstdint>

namespace usmtensor {

inline constexpr int max_inputs = 3;

struct Signature {
  // Results without a kernel of their own: the input itself, or one value everywhere.
  enum : std::int16_t { copy = -1, zero = -2, one = -3 };
  std::int8_t inputs[max_inputs]; // element types
  std::int8_t output;
  std::int16_t kernel;   // the first of the kernels, one for each loop; or one of the above
  std::int16_t choice;   // the kernel of several functions,
  std::int8_t function;  // and the number of this one
  bool wide;             // a value travels as two words
  bool side_by_side;     // as of Kernels
  std::int32_t cost;     // as of Kernels,
  std::int32_t by_value; // and where the last input is a value
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
