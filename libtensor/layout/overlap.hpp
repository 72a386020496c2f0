// Whether two views touch common bytes.
#pragma once
#include "view.hpp"

namespace usmtensor {

// Every index addresses equal bytes in both.
bool same_elements(const View &a, const View &b);

// False only if surely no byte belongs to both: the ranges are disjoint, or the elements
// interleave.
bool may_overlap(const View &a, const View &b);

} // namespace usmtensor
