// Sorting by functions that sort numbers, as NumPy has for processors with AVX2 or AVX-512.
#pragma once
#include <cstddef>
#include <cstdint>

namespace usmtensor {

// Sorts so many numbers of one type; the last argument is not used.
using NumberSort = int (*)(void *numbers, std::ptrdiff_t count, void *);

// Rows of n elements, one behind the other, to be sorted in the order of keys: see
// kernels/order.hpp.
struct KeySort {
  // Whether all threads sort one row after another; otherwise they divide the rows.
  bool together() const { return rows < 2 * threads && n >= 32768; }
  // Bytes of scratch memory.
  std::int64_t scratch_bytes() const {
    const std::int64_t runs = together() && threads > 1 ? n : 0;
    return places ? 8 * (2 * rows * n + runs) : itemsize * runs;
  }

  NumberSort integers; // signed, of eight bytes for places, otherwise of itemsize bytes
  NumberSort floats;   // null for other elements, other orders and places
  bool places;         // in place of sorted elements, int64; then n is less than 2^32
  int itemsize, threads;
  std::int64_t n, rows;
  std::uint64_t fold, limit, top, bias;
  const void *in;
  void *out, *scratch;
  bool if_in_order; // only if each row is in order already
};

// Says whether it sorted the rows.
bool sort(const KeySort &rows);

} // namespace usmtensor
