// How the host finds and launches the kernels of a row of operators.toml. The build writes the
// rows, the loops, and the scalar parameters of each row's kernels (kernel_table.hpp).
#pragma once
#include "layout/argument.hpp"
#include "layout/dtype.hpp"
#include "runtime/kernel_store.hpp"

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string_view>
#include <type_traits>

namespace usmtensor {

// The arguments of one launch, in the order of the kernel's parameters.
class Arguments {
public:
  template <class T> void add(T value) {
    static_assert(std::is_pointer_v<T> || std::is_arithmetic_v<T>);
    Argument &added = arguments_[count_++];
    std::memcpy(&added.bits, &value, sizeof value);
    added.nbytes = sizeof value;
    added.pointer = std::is_pointer_v<T>;
  }
  void add(const Argument &argument) { arguments_[count_++] = argument; }
  const Argument *begin() const { return arguments_; }
  std::size_t size() const { return count_; }

private:
  Argument arguments_[160]; // the operands with their strides take up to 89
  int count_ = 0;
};

enum class Loop : std::uint8_t;

// A set of loops.
class Loops {
public:
  constexpr Loops(std::initializer_list<Loop> loops) {
    for (const Loop loop : loops)
      bits_ |= bit(loop);
  }
  constexpr bool has(Loop loop) const { return bits_ & bit(loop); }
  // The index of a loop among the loops of the set.
  int index_of(Loop loop) const {
    const unsigned before = bits_ & (bit(loop) - 1);
    return before ? __builtin_popcount(before) : 0; // avoids a call where popcnt is missing
  }

private:
  static constexpr unsigned bit(Loop loop) { return 1u << static_cast<int>(loop); }
  unsigned bits_ = 0;
};

// The kernels of one signature: one for each loop.
struct Kernels {
  KernelId id(Loop loop) const;
  KernelId first;
  Loops loops;
  int cost;            // picoseconds per element on one core, without the time for memory
  KernelId choice = 0; // the kernel that computes one of several functions, for strided operands
  int function = 0;    // the index of this function in that kernel
  // A CPU's compiler vectorises the functor only in the loop `contiguous`.
  bool simd_work_items = false;
  bool by_rows = false; // a CPU runs the loop `strided` faster than `contiguous`
};

// Kernels with the types of their scalars and the number of their operands: run() checks both.
template <class Scalars, int OperandCount> struct SignatureKernels : Kernels {
  DType output; // the element type of the output, if the kernels determine it
};

// A row of the table: row(types...) returns the kernels for these element types. TypeCount is the
// number of types that identify a signature; the types of inputs come first.
template <class Scalars, int OperandCount, int TypeCount> struct KernelRow {
  template <class... Types>
  SignatureKernels<Scalars, OperandCount> operator()(Types... types) const {
    const Entry &entry = entries[index_of(types...)];
    return {{static_cast<KernelId>(entry.first), loops, cost, static_cast<KernelId>(entry.choice),
             entry.function},
            entry.output};
  }
  template <class... Types> constexpr bool has(Types... types) const {
    return entries[index_of(types...)].first >= 0;
  }

  template <class... Types> static constexpr int index_of(Types... types) {
    static_assert(sizeof...(Types) == TypeCount);
    int result = 0;
    ((result = result * dtype_count + index(types)), ...);
    return result;
  }

  Loops loops;
  int cost;
  struct Entry {
    std::int16_t first; // the first kernel, or -1 if there is none
    std::int16_t choice, function;
    DType output;
  } entries[TypeCount == 2 ? dtype_count * dtype_count : TypeCount == 1 ? dtype_count : 1];
};

struct NoScalars {
  void add_to(Arguments &) const {}
};

} // namespace usmtensor
