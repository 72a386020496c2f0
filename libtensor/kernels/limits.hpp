// Sizes that kernels and their launches (ops/) share. This header includes nothing, so that both
// can include it.
#pragma once

namespace usmtensor {

// An axis of fewer elements is too short for a loop of its own.
inline constexpr int short_axis = 16;

// Elements that a work-item of the loop `grid` computes.
inline constexpr int grid_elements = 8;
// The most rows of which a work-item of a stencil computes an element each.
inline constexpr int stencil_rows = 4;
// The side of a tile that a work-group transposes, and the rows that it reads in one step.
inline constexpr int transpose_side = 32, transpose_rows = 4;
// The maximum size of a work-group that combines results.
inline constexpr int max_reduction_group = 64;
// The number of work-items that reduce a row of n elements together: a power of two, so that each
// of them reduces up to 16 elements if the row is short.
constexpr int row_team(long long n) {
  int team = 1;
  while (team < max_reduction_group && team * 16 < n)
    team *= 2;
  return team;
}
// The work-group size of the loop `work_groups`.
inline constexpr int work_group_items = 256;

// The values of a radix sort digit, and the longest row that insertion sort handles.
inline constexpr int digit_values = 256, insertion_limit = 48;
// The elements of each work-item that sorts a tile, by element size: a CUDA kernel has at most 48
// KB of local memory.
constexpr int tile_item_elements(int nbytes) { return nbytes > 8 ? 4 : 8; }

// Ranges of an axis when CPUs of many cores scatter to indices that may repeat.
inline constexpr int index_ranges = 256;

// The rows of an output panel of a matrix product.
inline constexpr int panel_rows = 128;
// The maximum number of rows for the loop `gemv`, and the terms of a partial sum.
inline constexpr int gemv_rows = 8, chunk_terms = 128;
// The side of an output tile of a matrix product, and the work-items that compute it, by element
// size.
inline constexpr int gemm_side = 64;
constexpr int gemm_items(int nbytes) { return gemm_side * (nbytes <= 8 ? 2 : 4); }

} // namespace usmtensor
