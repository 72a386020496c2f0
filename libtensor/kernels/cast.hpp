#pragma once
#include "blocks.hpp"
#include "convert.hpp"
#include "local.hpp"
#include "tile.hpp"

namespace usmtensor {

template <class D, class S> struct Cast {
  D operator()(S value) const { return convert<D>(value); }
};

template <class T> inline constexpr bool moves_only<Cast<T, T>> = true;
template <class D, class S>
inline constexpr bool in_blocks<Cast<D, S>> = !standard::is_same_v<D, S>;

} // namespace usmtensor
