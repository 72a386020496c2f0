// The arguments of a launch: for launch.cpp, and for the code that the build writes.
#pragma once
#include "layout/argument.hpp"

#include <cstdint>
#include <cstring>
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

} // namespace usmtensor
