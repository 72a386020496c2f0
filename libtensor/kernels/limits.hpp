// The sizes on which kernels and their launches (ops/) agree. It includes nothing, so that both may
// include it.
#pragma once

namespace usmtensor {

// Elements of an axis below which the axis alone is not worth a loop.
inline constexpr int short_axis = 16;

// Elements that a work-item of the loop `grid` computes.
inline constexpr int grid_elements = 8;
// The side of a square that a work-group turns, and how many rows of it at a time.
inline constexpr int square_side = 32, square_rows = 4;
// The most work-items of a work-group that combines results.
inline constexpr int most_in_group = 64;
// Work-items of a work-group of the loop `teams`.
inline constexpr int team_lanes = 256;

// Values of a digit of the sort, and elements up to which a row is sorted by insertion.
inline constexpr int digit_values = 256, insertion_limit = 48;
// Elements of a work-item that sorts a tile, of so many bytes: a kernel on CUDA has at most 48 KB
// of local memory.
constexpr int tile_own(int nbytes) { return nbytes > 8 ? 4 : 8; }

// The parts of an axis by which CPUs of many cores write to places that may repeat.
inline constexpr int place_ranges = 256;

// Rows of an output in a panel of a product.
inline constexpr int panel_rows = 128;
// The rows of a matrix that the loop `gemv` multiplies, and the terms of a partial sum.
inline constexpr int gemv_rows = 8, chunk = 128;
// The side of a patch of a product, and the work-items that compute it from elements of so many
// bytes.
inline constexpr int patch = 64;
constexpr int patch_items(int nbytes) { return patch * (nbytes <= 8 ? 2 : 4); }

} // namespace usmtensor
