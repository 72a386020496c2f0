// The rows of operators.toml as the host launches their kernels. The build writes the rows, the
// loops, and the scalars that the kernels of a row take (kernel_table.hpp).
#pragma once
#include "layout/argument.hpp"
#include "runtime/kernel_store.hpp"

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string_view>
#include <type_traits>

namespace usmtensor {

enum class Loop : std::uint8_t;

// A set of loops.
class Loops {
public:
  constexpr Loops(std::initializer_list<Loop> loops) {
    for (const Loop loop : loops)
      bits_ |= bit(loop);
  }
  constexpr bool has(Loop loop) const { return bits_ & bit(loop); }
  int size() const { return __builtin_popcount(bits_); }
  // How many of them come before a loop.
  int place(Loop loop) const {
    const unsigned before = bits_ & (bit(loop) - 1);
    return before ? __builtin_popcount(before) : 0; // without the instruction that is a call
  }

private:
  static constexpr unsigned bit(Loop loop) { return 1u << static_cast<int>(loop); }
  unsigned bits_ = 0;
};

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
  void add(const Arguments &more) {
    std::memcpy(arguments_ + count_, more.arguments_, more.count_ * sizeof(Argument));
    count_ += more.count_;
  }
  const Argument *begin() const { return arguments_; }
  const Argument *end() const { return arguments_ + count_; }

private:
  Argument arguments_[48]; // four operands with their strides take 33
  int count_ = 0;
};

// The kernels of one signature: one for each loop.
struct Kernels {
  KernelId id(Loop loop) const { return first + loops.place(loop); }
  KernelId first;
  Loops loops;
  int cost; // picoseconds of a core that an element takes, beside the time for memory
};

// Kernels over a number of operands: of each signature of their row one for each loop.
template <class Scalars, int OperandCount> struct KernelRow {
  Kernels operator[](int signature) const {
    return {first + signature * loops.size(), loops, cost};
  }
  KernelId first;
  Loops loops;
  int cost;
};

struct NoScalars {
  void add_to(Arguments &) const {}
};

// The place of the signature whose first input is of a type, -1 where there is none.
template <class Type, std::size_t N, std::size_t Operands>
constexpr int signature_of(const Type (&table)[N][Operands], Type type) {
  for (std::size_t k = 0; k < N; ++k)
    if (table[k][0] == type)
      return static_cast<int>(k);
  return -1;
}

// The place of an element size in rows of which a kernel knows the elements' size alone.
inline int width_index(std::size_t itemsize) { return __builtin_ctzll(itemsize); }

} // namespace usmtensor
