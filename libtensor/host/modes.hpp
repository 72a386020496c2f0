// The floating point modes of host kernels.
#pragma once
#include <xmmintrin.h>

namespace usmtensor {

// During the life of this object, the thread rounds to nearest, keeps subnormal numbers and traps
// nothing, as the device does. The destructor restores the thread's own modes.
class DefaultModes {
public:
  DefaultModes() : found(_mm_getcsr()) {
    if (others())
      _mm_setcsr(defaults);
  }
  ~DefaultModes() {
    if (others())
      _mm_setcsr(found);
  }
  DefaultModes(const DefaultModes &) = delete;
  DefaultModes &operator=(const DefaultModes &) = delete;

private:
  static constexpr unsigned defaults = 0x1f80, flags = 0x3f; // flags: exceptions that have occurred
  bool others() const { return (found & ~flags) != defaults; }
  const unsigned found;
};

} // namespace usmtensor
