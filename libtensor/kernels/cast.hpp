#pragma once
#include "convert.hpp"
#include "loops.hpp"
#include "tile.hpp"

namespace usmtensor {

template <class D, class S> struct Cast {
  D operator()(S value) const { return convert<D>(value); }
};

} // namespace usmtensor
