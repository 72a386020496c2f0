#pragma once
#include "convert.hpp"
#include "loops.hpp"
#include "tile.hpp"

namespace usmtensor {

template <class D, class S> struct Cast {
  D operator()(S value) const { return convert<D>(value); }
};

template <class T> inline constexpr bool moves_only<Cast<T, T>> = true;

} // namespace usmtensor
