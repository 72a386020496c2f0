// Operations along one axis whose order matters: scans, and positions of extremes.
#pragma once
#include "layout/view.hpp"
#include "runtime/handles.hpp"

namespace usmtensor {

// The number of blocks of an axis; each is searched for the position of an extreme by itself.
std::int64_t position_blocks(const QueueRef &queue, const View &x, int axis);
// out = the position, from the start of the axis, of the first element of each block that is the
// largest (or smallest) one, or NaN. Shapes are equal but along the axis, where out has the blocks.
// Returns whether it ran: `at_once` as in elementwise().
bool find_extreme(const QueueRef &queue, bool largest, const View &x, int axis, const View &out,
                  bool at_once = false);

enum class Scan : std::uint8_t { sum, prod };

// The type of a scan of elements of a type, to which they are cast before.
int scan_type(DType type);
// out[i] = the sum or product of elements up to the i-th along an axis; out is x, or apart from it.
bool scan(const QueueRef &queue, Scan kind, const View &x, int axis, const View &out,
          bool at_once = false);

} // namespace usmtensor
