// The floating point modes of host kernels.
#pragma once
#include <xmmintrin.h>

namespace usmtensor {

// During the life of this object, the thread rounds to nearest, keeps subnormal numbers and does
// not trap, like the device. The destructor restores the thread's own modes.
class DefaultModes {
public:
  DefaultModes() : saved(_mm_getcsr()) {
    if (differs())
      _mm_setcsr(defaults);
  }
  ~DefaultModes() {
    if (differs())
      _mm_setcsr(saved);
  }
  DefaultModes(const DefaultModes &) = delete;
  DefaultModes &operator=(const DefaultModes &) = delete;

private:
  static constexpr unsigned defaults = 0x1f80, flags = 0x3f; // flags: exceptions that occurred
  bool differs() const { return (saved & ~flags) != defaults; }
  const unsigned saved;
};

} // namespace usmtensor
