// Whether two views touch the same bytes.
#pragma once
#include "view.hpp"

namespace usmtensor {

// Every index means the same bytes in both.
bool same_elements(const View &a, const View &b);

// False only where it is certain that no byte belongs to both: the ranges are apart, or the
// elements interleave.
bool may_overlap(const View &a, const View &b);

} // namespace usmtensor
