// The loop of kernels that divide contiguous elements evenly, and compute one result per share.
#pragma once
#include "loops.hpp"

namespace usmtensor {

// The even share of each work-item: f(part, first, last, operands).
template <class F, class D, class... S> void shared(F f, i8 size, D *out, S *...in) {
  each_part([=](i8 part, i8 parts) {
    f(part, share(size, part, parts), share(size, part + 1, parts), out, in...);
  });
}

} // namespace usmtensor
