// Sorting by functions that sort numbers, such as NumPy's for processors with AVX2 or AVX-512.
#pragma once
#include <cstddef>
#include <cstdint>

namespace usmtensor {

// Sorts `count` numbers of one type; the last argument is unused.
using NumberSort = int (*)(void *numbers, std::ptrdiff_t count, void *);

// Consecutive rows of n elements, to be sorted in the order of their keys (kernels/order.hpp).
struct KeySort {
  // True if all threads share each row; otherwise they divide the rows.
  bool shares_rows() const { return rows < 2 * threads && n >= 32768; }
  // Bytes of scratch memory.
  std::int64_t scratch_bytes() const {
    const std::int64_t runs = shares_rows() && threads > 1 ? n : 0;
    return is_argsort ? 8 * (2 * rows * n + runs) : itemsize * runs;
  }

  NumberSort integers; // sorts signed integers: of eight bytes if `is_argsort`, or else of itemsize
  NumberSort floats;   // null if elements are not floats, the order is descending, or `is_argsort`
  bool is_argsort;     // argsort: the output is int64 indices; n must be less than 2^32
  int itemsize, threads;
  std::int64_t n, rows;
  std::uint64_t fold, limit, top, bias;
  const void *in;
  void *out, *scratch;
  bool if_in_order; // do nothing unless each row is already sorted
};

// Returns true if it sorted the rows.
bool sort(const KeySort &rows);

} // namespace usmtensor
