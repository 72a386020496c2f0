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
  const Argument *begin() const { return arguments_; }
  const Argument *end() const { return arguments_ + count_; }

private:
  Argument arguments_[48]; // four operands with their strides take 33
  int count_ = 0;
};

} // namespace usmtensor
