// The floating point modes that kernels on the host run in.
#pragma once
#include <xmmintrin.h>

namespace usmtensor {

// While it lives, the thread rounds to nearest, keeps subnormal numbers and traps nothing, as the
// device does; then it gets its own modes back.
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
  static constexpr unsigned defaults = 0x1f80, flags = 0x3f; // flags tell what has happened
  bool others() const { return (found & ~flags) != defaults; }
  const unsigned found;
};

} // namespace usmtensor
