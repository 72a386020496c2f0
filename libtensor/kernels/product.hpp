// Products of matrices and vectors. The order of a sum depends only on the number of its terms, so
// block sizes and lanes change no bit. Devices give equal bits, except for long dot products.
#pragma once
#include "local.hpp"

namespace usmtensor {

// The types of the computation. uint8 becomes uint16, which processors can multiply. Bools become
// bytes of 0 and 1. Complex numbers become two planes of real numbers. Integers are unsigned and
// wrap.
template <class T> struct ComputeTypeOf {
  using type =
      standard::conditional_t<standard::is_same_v<T, bool8>, uint8,
                              standard::conditional_t<standard::is_same_v<T, uint8>, uint16, T>>;
};
template <class T> struct ComputeTypeOf<Complex<T>> {
  using type = T;
};
template <class T> using ComputeType = typename ComputeTypeOf<T>::type;
template <class T> inline constexpr int planes = is_complex<T> ? 2 : 1;
// True for types that need no conversion.
template <class T> inline constexpr bool is_compute_type = standard::is_same_v<T, ComputeType<T>>;

template <class T> ComputeType<T> plane_of(const T &x, int plane) {
  if constexpr (standard::is_same_v<T, bool8>)
    return x.byte != 0;
  else if constexpr (is_complex<T>)
    return reinterpret_cast<const ComputeType<T> *>(&x)[plane];
  else
    return x;
}
template <class T> T from_planes(const ComputeType<T> *value, int pitch) {
  if constexpr (is_complex<T>)
    return {value[0], value[pitch]};
  else if constexpr (standard::is_same_v<T, bool8>)
    return bool8(value[0] != 0);
  else
    return T(value[0]);
}
// Adds two sums: elements, or numbers or vectors of one plane.
template <class T, class S> USMTENSOR_INLINE S add_sums(S x, S y) {
  if constexpr (standard::is_same_v<T, bool8>)
    return x | y;
  else
    return x + y;
}
// Adds a product of numbers or vectors to a sum, by planes. Every operation rounds separately.
template <class T, class A, class B, class S>
USMTENSOR_INLINE void add_product(S *sum, const A *a, const B *b) {
  if constexpr (standard::is_same_v<T, bool8>) {
    sum[0] |= a[0] & b[0];
  } else if constexpr (is_complex<T>) {
    sum[0] += a[0] * b[0] - a[1] * b[1];
    sum[1] += a[1] * b[0] + a[0] * b[1];
  } else {
    sum[0] += a[0] * b[0];
  }
}

// out[i][j] = sum of a[i][k] * b[k][j]: the extents, and the strides of out, a and b.
template <class D, class A, class B> struct Matmul {
  int64 m, n, k, out_m, out_n, a_m, a_k, b_k, b_n;
};

// One vector of columns, over a chunk of b: in place, or as a contiguous copy.
template <class T, int Bytes> struct Columns {
  using C = ComputeType<T>;
  using V = typename VectorOf<C, Bytes>::Type;
  static constexpr int lanes = Bytes / sizeof(C);

  USMTENSOR_INLINE void load(int64 k, V *to) const {
    for (int p = 0; p < planes<T>; ++p)
      to[p] = load_as<V>(data + k * step + p * lanes);
  }
  // Copies columns of b. Lanes after the last column are zero.
  void pack(int64 count, int64 columns, const T *b, int64 b_k, int64 b_n, C *to) {
    data = to, step = planes<T> * lanes;
    for (int64 k = 0; k < count; ++k, b += b_k, to += step)
      for (int p = 0; p < planes<T>; ++p)
        for (int j = 0; j < lanes; ++j)
          to[p * lanes + j] = j < columns ? plane_of(b[j * b_n], p) : C(0);
  }

  const C *data;
  int64 step;
};

// The size of the largest register, and the number of rows whose sums fit in registers together,
// even on processors that split one register into two.
#if !defined(USMTENSOR_HOST)
inline constexpr int register_bytes = 64;
#else
inline constexpr int register_bytes = 32;
#endif
template <class T, int Bytes>
inline constexpr int block_rows =
    (Bytes == register_bytes && register_bytes < 64 ? 8 : 4) / planes<T>;

// A batch of products of equal extents, and the strides between them.
template <class T> struct Batch : Matmul<T, T, T> {
  int64 out_next, a_next, b_next;
};

// Stores or adds the sums of several rows to an output whose columns are strided or fewer than a
// vector.
template <class T, int Lanes>
[[gnu::noinline]] void store_strided(const Batch<T> &f, int64 rows, int64 columns,
                                     const ComputeType<T> *sums, T *out, bool first) {
  for (int64 i = 0; i < rows; ++i, sums += planes<T> * Lanes, out += f.out_m)
    for (int64 j = 0; j < columns; ++j) {
      const T value = from_planes<T>(sums + j, Lanes);
      out[j * f.out_n] = first ? value : add_sums<T>(out[j * f.out_n], value);
    }
}

// The products of several rows and one vector of columns, over a chunk. A product of
// small matrices takes less time than a call, so this loops over the products of a batch.
template <class T, int Bytes>
[[gnu::noinline]] void multiply(Batch<T> f, int64 products, int64 rows, int64 columns, int64 count,
                                const T *a, Columns<T, Bytes> b, T *out, bool first) {
  using C = ComputeType<T>;
  using V = typename Columns<T, Bytes>::V;
  constexpr int lanes = Columns<T, Bytes>::lanes, block = block_rows<T, Bytes>, parts = planes<T>;
  for (; products > 0; --products, a += f.a_next, b.data += f.b_next, out += f.out_next) {
    for (int64 i = 0; i < rows; i += block) {
      V sums[block][parts] = {};
      const T *row[block];
      row[0] = a + i * f.a_m;
      for (int r = 1; r < block; ++r) // missing rows repeat the last row
        row[r] = row[r - 1] + (i + r < rows ? f.a_m : 0);
      for (int64 k = 0; k < count; ++k) {
        V vector[parts];
        b.load(k, vector);
        for (int r = 0; r < block; ++r) {
          C scalar[parts];
          for (int p = 0; p < parts; ++p)
            scalar[p] = plane_of(row[r][k * f.a_k], p);
          add_product<T>(sums[r], scalar, vector);
        }
      }
      if constexpr (is_compute_type<T>)
        if (f.out_n == 1 && columns == lanes) {
          USMTENSOR_UNROLL
          for (int r = 0; r < block; ++r) // from registers
            if (i + r < rows) {
              T *const to = out + (i + r) * f.out_m;
              const V sum = first ? sums[r][0] : load_as<V>(to) + sums[r][0];
              __builtin_memcpy(to, &sum, Bytes);
            }
          continue;
        }
      C done[block * parts * lanes]; // sums in memory
      __builtin_memcpy(done, sums, sizeof done);
      store_strided<T, lanes>(f, rows - i < block ? rows - i : block, columns, done,
                              out + i * f.out_m, first);
    }
  }
}

// The largest panel of b, in bytes, that is read repeatedly in place.
inline constexpr int64 small_panel_bytes = 8192;

// Multiplies several rows of a by one vector of columns, over all of k. Inlining it would cost 100
// ms of compile time.
template <class T, int Bytes>
[[gnu::noinline]] void multiply_panel(const Batch<T> &f, int64 products, int64 rows, int64 columns,
                                      const T *a, const T *b, T *out) {
  using C = ComputeType<T>;
  Columns<T, Bytes> panel;
  Buffer<C, chunk_terms * planes<T> * Bytes> packed;
  bool in_place = false;
  if constexpr (is_compute_type<T>)
    in_place = f.b_n == 1 && columns == panel.lanes &&
               (rows <= 16 || f.b_k * f.k * int64(sizeof(T)) <= small_panel_bytes);
  const int64 batch = in_place ? products : 1;
  for (; products > 0; products -= batch, a += f.a_next, b += f.b_next, out += f.out_next)
    for (int64 k = 0; k < f.k; k += chunk_terms) {
      const int64 count = f.k - k < chunk_terms ? f.k - k : chunk_terms;
      const T *const from = b + k * f.b_k;
      if (in_place)
        panel = {reinterpret_cast<const C *>(from), f.b_k};
      else if (f.b_n == 1)
        panel.pack(count, columns, from, f.b_k, 1, packed.data());
      else
        panel.pack(count, columns, from, f.b_k, f.b_n, packed.data());
      multiply<T, Bytes>(f, batch, rows, columns, count, a + k * f.a_k, panel, out, k == 0);
    }
}

// For CPUs: blocks of rows times one vector of columns, evenly shared. Consecutive products along
// axis 0 are computed together.
template <class T>
void gemm_panels(Matmul<T, T, T> matrix, int64 size, Space space, Operand<T> out,
                 Operand<const T> a, Operand<const T> b) {
  constexpr int64 lanes = register_bytes / sizeof(ComputeType<T>);
  each_part([=](int64 part, int64 parts) {
    const Batch<T> f{matrix, out.s0, a.s0, b.s0};
    const int64 across = (f.n + lanes - 1) / lanes, down = (f.m + panel_rows - 1) / panel_rows;
    const int64 each = across * down;
    int64 unit = share(size * each, part, parts);
    const int64 end = share(size * each, part + 1, parts);
    for (int64 index = unit / each, inside = unit - index * each; unit < end; inside = 0) {
      T *const to = address(out, space, index);
      const T *const x = address(a, space, index), *const y = address(b, space, index);
      const int64 row = each == 1 ? space.n0 - index % space.n0 : 1;
      const int64 products = row < end - unit ? row : end - unit;
      index += products;
      for (; inside < each && unit < end; ++inside, unit += products) {
        const int64 i = inside / across * panel_rows, j = inside % across * lanes;
        const int64 rows = f.m - i < panel_rows ? f.m - i : panel_rows;
        const int64 columns = f.n - j < lanes ? f.n - j : lanes;
        T *const corner = to + i * f.out_m + j * f.out_n;
        const T *const left = x + i * f.a_m, *const right = y + j * f.b_n;
        const int64 bytes = columns * sizeof(ComputeType<T>);
        if (bytes > 32)
          multiply_panel<T, register_bytes>(f, products, rows, columns, left, right, corner);
        else if (bytes > 16)
          multiply_panel<T, smallest(register_bytes, 32)>(f, products, rows, columns, left, right,
                                                          corner);
        else
          multiply_panel<T, 16>(f, products, rows, columns, left, right, corner);
      }
    }
  });
}

#ifndef USMTENSOR_HOST
// For GPUs: a work-group computes a tile of the output. While it multiplies, the next terms of its
// rows and columns are loaded into local memory. A work-item has as many sums as fit in its
// registers.
template <class T> struct GemmTile {
  using C = ComputeType<T>;
  static constexpr int items = gemm_items(sizeof(T));
  static constexpr int item_rows = items == 256 ? 16 : 8,
                       item_columns = items / item_rows; // work-items
  static constexpr int rows = gemm_side / item_rows,
                       columns = gemm_side / item_columns; // of a work-item
  static constexpr int lanes = sizeof(C) <= 4 ? 4 : 2;     // of a vector
  using V = typename VectorOf<C, lanes * sizeof(C)>::Type;
  static constexpr int terms = sizeof(T) <= 4 ? 16 : sizeof(T) <= 8 ? 8 : 4;
  static constexpr int pitch =
      gemm_side + 16 / sizeof(C); // neighbouring terms are in different banks
  static constexpr int panel_elements = terms * planes<T> * pitch;
};

// The next terms of some rows of a, or of some columns of b. Neighbouring work-items read along the
// axis with the smaller stride.
template <class T> struct StagedPanel {
  using P = GemmTile<T>;
  static constexpr int per_item = gemm_side * P::terms / P::items;

  USMTENSOR_INLINE StagedPanel(const T *from, int64 stride, int64 term_stride, int64 width)
      : width(width), forward(P::terms * term_stride) {
    const int item = work_item().get_local_id(0);
    auto size = [](int64 x) { return x < 0 ? -x : x; };
    if (size(term_stride) < size(stride))
      at = item / P::terms, term = item % P::terms, next = P::items / P::terms, next_term = 0;
    else
      at = item % gemm_side, term = item / gemm_side, next = 0, next_term = P::items / gemm_side;
    data = from + at * stride + term * term_stride;
    step = next * stride + next_term * term_stride;
  }
  // Terms and rows after the last ones are zero, which does not change sums.
  USMTENSOR_INLINE void read(int64 left) {
    if (width >= gemm_side && left >= P::terms)
      USMTENSOR_UNROLL
    for (int k = 0; k < per_item; ++k)
      staged[k] = data[k * step];
    else USMTENSOR_UNROLL for (int k = 0; k < per_item; ++k) staged[k] =
        at + k * next < width && term + k * next_term < left ? data[k * step] : T();
    data += forward;
  }
  USMTENSOR_INLINE void write(typename P::C *to) const {
    USMTENSOR_UNROLL
    for (int k = 0; k < per_item; ++k)
      USMTENSOR_UNROLL
    for (int p = 0; p < planes<T>; ++p)
      to[((term + k * next_term) * planes<T> + p) * P::pitch + at + k * next] =
          plane_of(staged[k], p);
  }

  const T *data;
  int64 width, forward, step;
  int at, term, next, next_term;
  T staged[per_item];
};

template <class T>
USMTENSOR_INLINE void gemm_tiles(Matmul<T, T, T> f, int64 size, Space space, Operand<T> out,
                                 Operand<const T> a, Operand<const T> b) {
  using P = GemmTile<T>;
  using C = typename P::C;
  using V = typename P::V;
  constexpr int parts = planes<T>, lanes = P::lanes, row_vectors = P::rows / lanes,
                column_vectors = P::columns / lanes;
  static sycl::ext::oneapi::experimental::work_group_static<V[4 * P::panel_elements / lanes]>
      memory;
  C *const local = reinterpret_cast<C *>(*&memory); // two buffers of two panels
  const int item = work_item().get_local_id(0);
  const int x = item % P::item_columns * lanes, y = item / P::item_columns * lanes;
  const int64 across = (f.n + gemm_side - 1) / gemm_side, down = (f.m + gemm_side - 1) / gemm_side;
  const int64 groups = work_item().get_group_range(0);
  for (int64 unit = work_item().get_group(0); unit < size * across * down; unit += groups) {
    int64 rest = unit;
    const int64 j = take_axis(rest, across) * gemm_side, i = take_axis(rest, down) * gemm_side;
    T *const to = address(out, space, rest) + i * f.out_m + j * f.out_n;
    StagedPanel<T> left(address(a, space, rest) + i * f.a_m, f.a_m, f.a_k, f.m - i);
    StagedPanel<T> right(address(b, space, rest) + j * f.b_n, f.b_n, f.b_k, f.n - j);
    auto write = [&](C *panels) USMTENSOR_INLINE_LAMBDA {
      left.write(panels), right.write(panels + P::panel_elements);
      group_barrier();
    };
    constexpr int count = P::rows * column_vectors * parts;
    V sums[count] = {}, total[count] = {};
    left.read(f.k), right.read(f.k);
    write(local);
    for (int64 k = 0; k < f.k; k += P::terms) {
      const int64 more = f.k - k - P::terms;
      const C *const current = local + k / P::terms % 2 * 2 * P::panel_elements;
      if (more > 0)
        left.read(more), right.read(more);
#pragma unroll P::terms / 4
      for (int term = 0; term < P::terms; ++term) {
        V row[parts][row_vectors], column[column_vectors][parts];
        USMTENSOR_UNROLL
        for (int p = 0; p < parts; ++p) {
          const C *const own = current + (term * parts + p) * P::pitch;
          USMTENSOR_UNROLL
          for (int r = 0; r < row_vectors; ++r)
            row[p][r] = *reinterpret_cast<const V *>(own + y + r * P::item_rows * lanes);
          USMTENSOR_UNROLL
          for (int c = 0; c < column_vectors; ++c)
            column[c][p] = *reinterpret_cast<const V *>(own + P::panel_elements + x +
                                                        c * P::item_columns * lanes);
        }
        USMTENSOR_UNROLL
        for (int r = 0; r < P::rows; ++r) {
          C scalar[parts];
          USMTENSOR_UNROLL
          for (int p = 0; p < parts; ++p)
            scalar[p] = row[p][r / lanes][r % lanes];
          USMTENSOR_UNROLL
          for (int c = 0; c < column_vectors; ++c)
            add_product<T>(sums + (r * column_vectors + c) * parts, scalar, column[c]);
        }
      }
      if ((k + P::terms) % chunk_terms == 0 || more <= 0)
        USMTENSOR_UNROLL
      for (int s = 0; s < count; ++s)
        total[s] = add_sums<T>(total[s], sums[s]), sums[s] = V{};
      if (more > 0)
        write(local + (k / P::terms + 1) % 2 * 2 * P::panel_elements);
    }
    group_barrier(); // before the next tile uses the memory
    USMTENSOR_UNROLL
    for (int r = 0; r < P::rows; ++r)
      USMTENSOR_UNROLL
    for (int c = 0; c < P::columns; ++c) {
      const int64 row = y + r / lanes * P::item_rows * lanes + r % lanes;
      const int64 column = x + c / lanes * P::item_columns * lanes + c % lanes;
      C value[parts];
      USMTENSOR_UNROLL
      for (int p = 0; p < parts; ++p)
        value[p] = total[(r * column_vectors + c / lanes) * parts + p][c % lanes];
      if (i + row < f.m && j + column < f.n)
        to[row * f.out_m + column * f.out_n] = from_planes<T>(value, 1);
    }
  }
}

// For GPUs and matrices of few rows: a work-item computes a column of the output, and neighbouring
// work-items compute neighbouring columns. The work-group reads the rows of a chunk
// into local memory. If a is null, the terms of a column of b are summed in order.
template <int Rows, class T>
USMTENSOR_INLINE void gemv_of(const Matmul<T, T, T> &f, int64 size, Space space, Operand<T> out,
                              Operand<const T> a, Operand<const T> b) {
  using C = ComputeType<T>;
  constexpr int parts = planes<T>, ahead = Rows == 1 ? 32 : 8, bytes = Rows * parts * sizeof(C);
  struct alignas(bytes < 16 ? bytes : 16) Factors {
    C of[Rows][parts];
  };
  static sycl::ext::oneapi::experimental::work_group_static<Factors[chunk_terms]> memory;
  Factors *const factors = *&memory;
  const auto item = work_item();
  const int64 lane = item.get_local_id(0), width = item.get_local_range(0);
  const int64 blocks = (f.n + width - 1) / width, length = a.data ? chunk_terms : f.k;
  for (int64 unit = item.get_group(0); unit < size * blocks; unit += item.get_group_range(0)) {
    int64 rest = unit;
    const int64 j = take_axis(rest, blocks) * width + lane;
    const bool inside = j < f.n;
    const T *const left = a.data ? address(a, space, rest) : nullptr;
    const T *const right = address(b, space, rest) + (inside ? j : 0) * f.b_n;
    C total[Rows][parts] = {};
    for (int64 first = 0; first < f.k; first += length) {
      // Terms after the last ones are zero, which does not change sums. The compiler of the CPU
      // device would vectorise a loop of single terms, and sum in a different order.
      const int64 count = smallest(f.k - first, length),
                  whole = (count + ahead - 1) / ahead * ahead;
      if (left) {
        group_barrier();
        for (int64 k = lane; k < whole; k += width)
          repeat<Rows>([&](auto r) USMTENSOR_INLINE_LAMBDA {
            const int64 row = r < f.m ? int64(r) : 0;
            const T factor = k < count ? left[row * f.a_m + (first + k) * f.a_k] : T();
            repeat<parts>(
                [&](auto p) USMTENSOR_INLINE_LAMBDA { factors[k].of[r][p] = plane_of(factor, p); });
          });
        group_barrier();
      }
      C sums[Rows][parts] = {};
      for (int64 k = 0; k < count; k += ahead) {
        T term[ahead];
        repeat<ahead>([&](auto t) USMTENSOR_INLINE_LAMBDA {
          term[t] = k + t < count ? right[(first + k + t) * f.b_k] : T();
        });
        repeat<ahead>([&](auto t) USMTENSOR_INLINE_LAMBDA {
          C own[parts];
          repeat<parts>([&](auto p) USMTENSOR_INLINE_LAMBDA { own[p] = plane_of(term[t], p); });
          if (!left)
            return repeat<parts>([&](auto p) USMTENSOR_INLINE_LAMBDA {
              sums[0][p] = add_sums<T>(sums[0][p], own[p]);
            });
          const Factors row = factors[k + t];
          repeat<Rows>([&](auto r)
                           USMTENSOR_INLINE_LAMBDA { add_product<T>(sums[r], row.of[r], own); });
        });
      }
      repeat<Rows>([&](auto r) USMTENSOR_INLINE_LAMBDA {
        repeat<parts>([&](auto p) USMTENSOR_INLINE_LAMBDA {
          total[r][p] = add_sums<T>(total[r][p], sums[r][p]);
        });
      });
    }
    T *const to = address(out, space, rest) + j * f.out_n;
    repeat<Rows>([&](auto r) USMTENSOR_INLINE_LAMBDA {
      if (inside && r < f.m)
        to[r * f.out_m] = from_planes<T>(total[r], 1);
    });
  }
}
template <class T>
USMTENSOR_INLINE void gemv(Matmul<T, T, T> f, int64 size, Space space, Operand<T> out,
                           Operand<const T> a, Operand<const T> b) {
  if (f.m == 1)
    gemv_of<1>(f, size, space, out, a, b);
  else
    gemv_of<gemv_rows>(f, size, space, out, a, b);
}
#endif

// The sum of x[k] * y[k], with the complex conjugate of x if requested. If y is null, the sum of
// x[k], never with the conjugate.
template <class D, class X, class Y> struct Dot {
  int64 k, x_k, y_k;
  int32 conjugate;
};

// Adds term k to element k % elements of a vector, one of several, and then combines the elements
// in a tree. The tree does not depend on the number of lanes. For complex numbers a + bi and c + di
// one vector sums ac and bd in neighbouring lanes, and another sums ad and bc; the last step adds
// or subtracts the two sums.
template <class T, int Bytes> struct DotLanes {
  using C = ComputeType<T>;
  using V = typename VectorOf<C, Bytes>::Type;
  static constexpr int lanes = Bytes / sizeof(C), elements = lanes / planes<T>;
  using Each = standard::make_integer_sequence<int, lanes>;

  // Loads `count` elements. The remaining lanes are zero.
  USMTENSOR_INLINE static V load(const T *from, int64 stride, int64 count) {
    if constexpr (is_compute_type<T> || is_complex<T>) {
      if (stride == 1)
        return load_first(reinterpret_cast<const C *>(from), count * planes<T>);
    } else if constexpr (elements > 1) { // OpenCL converts no vector of one lane
      if (stride == 1 && count == elements)
        return load_bytes(from);
    }
    C partial[lanes] = {};
    for (int64 j = 0; j < count; ++j)
      for (int p = 0; p < planes<T>; ++p)
        partial[j * planes<T> + p] = plane_of(from[j * stride], p);
    return load_as<V>(partial);
  }

  // Loads `count` contiguous numbers with as few loads as possible. The remaining lanes
  // are zero.
  USMTENSOR_INLINE static V load_first(const C *from, int64 count) {
    V value{};
    if (count == lanes) {
      value = load_as<V>(from);
    } else if constexpr (Bytes <= 16) {
      USMTENSOR_UNROLL
      for (int j = 0; j < lanes - 1; ++j)
        if (j < count)
          value[j] = from[j];
    } else {
      using Half = DotLanes<C, Bytes / 2>;
      const bool more = count >= lanes / 2;
      const auto low = more ? load_as<typename Half::V>(from) : Half::load_first(from, count);
      const auto high =
          more ? Half::load_first(from + lanes / 2, count - lanes / 2) : typename Half::V{};
      USMTENSOR_UNROLL
      for (int j = 0; j < lanes / 2; ++j)
        value[j] = low[j], value[j + lanes / 2] = high[j];
    }
    return value;
  }

  // Loads a vector of bytes or bools.
  USMTENSOR_INLINE static V load_bytes(const T *from) {
    if constexpr (standard::is_same_v<T, uint8>)
      return __builtin_convertvector(load_as<typename VectorOf<uint8, lanes>::Type>(from), V);
    else
      return V(load_as<V>(from) != V{}) & 1;
  }

  USMTENSOR_INLINE static void add(const Dot<T, T, T> &f, const T *x, const T *y, int64 count,
                                   V *sum) {
    const V left = load(x, f.x_k, count);
    if (y)
      add(left, load(y, f.y_k, count), sum);
    else
      add(left, sum, Each());
  }
  USMTENSOR_INLINE static void add(V left, V right, V *sum) { add(left, right, sum, Each()); }
  template <int... K>
  USMTENSOR_INLINE static void add(V left, V right, V *sum, standard::integer_sequence<int, K...>) {
    if constexpr (is_complex<T>) {
      sum[0] += left * right;
      sum[1] += left * __builtin_shufflevector(right, right, (K ^ 1)...);
    } else {
      add_product<T>(sum, &left, &right);
    }
  }
  template <int... K> // as if y were 1
  USMTENSOR_INLINE static void add(V left, V *sum, standard::integer_sequence<int, K...>) {
    if constexpr (is_complex<T>) {
      sum[0] += __builtin_shufflevector(left, V{}, (K % 2 == 0 ? K : lanes)...);
      sum[1] += __builtin_shufflevector(left, V{}, (K % 2 == 1 ? K : lanes)...);
    } else {
      sum[0] = add_sums<T>(sum[0], left);
    }
  }

  USMTENSOR_INLINE static T fold(bool conjugate, const V *sums) {
    const V real = fold_sum(sums[0]);
    if constexpr (is_complex<T>) {
      const V imaginary = fold_sum(sums[1]);
      return conjugate ? T(real[0] + real[1], imaginary[0] - imaginary[1])
                       : T(real[0] - real[1], imaginary[0] + imaginary[1]);
    } else {
      const C sum = real[0];
      return from_planes<T>(&sum, 1);
    }
  }
  USMTENSOR_INLINE static V fold_sum(V v) {
    return fold_lanes<lanes, planes<T>>(
        v, [](V a, V b) USMTENSOR_INLINE_LAMBDA { return V(add_sums<T>(a, b)); });
  }
};

inline constexpr int64 dot_chunk = 4096; // terms that are summed in vectors
inline constexpr int dot_bytes = 256;    // total size of the vectors that accumulate in parallel

template <class T> inline constexpr int max_ways = dot_bytes / register_bytes / planes<T>;

// Vectors that accumulate in parallel: term k is added to element k % step of all of them.
template <class T, int Ways = max_ways<T>> struct Sums {
  using Wide = DotLanes<T, register_bytes>;
  using V = typename Wide::V;
  static constexpr int ways = Ways;
  static constexpr int64 elements = Wide::elements, step = ways * elements;

  USMTENSOR_INLINE T total(bool conjugate) {
    combine<ways / 2>();
    return Wide::fold(conjugate, sums[0]);
  }
  template <int Distance> USMTENSOR_INLINE void combine() {
    repeat<Distance>([&](auto w) USMTENSOR_INLINE_LAMBDA {
      repeat<planes<T>>([&](auto p) USMTENSOR_INLINE_LAMBDA {
        sums[w][p] = add_sums<T>(sums[w][p], sums[w + Distance][p]);
      });
    });
    if constexpr (Distance > 1)
      combine<Distance / 2>();
  }

  V sums[ways][planes<T>];
};

// The sum for contiguous elements.
template <class T, int Ways>
[[gnu::noinline]] T dot_contiguous(bool prefetches, bool conjugate, int64 n, const T *x,
                                   const T *y) {
  using Wide = typename Sums<T>::Wide;
  using V = typename Wide::V;
  constexpr int64 step = Sums<T, Ways>::step, elements = Wide::elements;
  Sums<T, Ways> partial{};
  auto add_vector = [&](int w, int64 at) USMTENSOR_INLINE_LAMBDA {
    Wide::add(load_as<V>(x + at), load_as<V>(y + at), partial.sums[w]);
  };
  int64 k = 0;
  for (; k + step <= n; k += step) {
    if (prefetches) {
      prefetch_steps_ahead(x + k, step);
      prefetch_steps_ahead(y + k, step);
    }
    repeat<Ways>([&](auto w) USMTENSOR_INLINE_LAMBDA { add_vector(w, k + w * elements); });
  }
  if (k == n)
    return partial.total(conjugate);
  const int64 odd = (n - k) % elements;
  V left{}, right{};
  if (odd != 0) {
    left = Wide::load(x + n - odd, 1, odd);
    right = Wide::load(y + n - odd, 1, odd);
  }
  repeat<Ways>([&](auto w) USMTENSOR_INLINE_LAMBDA {
    const int64 at = k + w * elements;
    if (at + elements <= n)
      add_vector(w, at);
    else if (at < n)
      Wide::add(left, right, partial.sums[w]);
  });
  return partial.total(conjugate);
}

// The sum for any strides and types. y may be null.
template <class T> T dot_strided(const Dot<T, T, T> &f, int64 n, const T *x, const T *y) {
  constexpr int64 step = Sums<T>::step, elements = Sums<T>::elements;
  Sums<T> partial{};
  auto add = [&](int64 k, int64 count, auto *sum) USMTENSOR_INLINE_LAMBDA {
    Sums<T>::Wide::add(f, x + k * f.x_k, y ? y + k * f.y_k : nullptr, count, sum);
  };
  int64 k = 0;
  for (; k + step <= n; k += step)
#ifndef USMTENSOR_HOST // g++ would keep fewer values in registers
    USMTENSOR_UNROLL
#endif
  for (int w = 0; w < Sums<T>::ways; ++w)
    add(k + w * elements, elements, partial.sums[w]);
  Sums<T> rest = partial; // in memory, so that the loop above uses registers
  for (int w = 0; k < n; k += elements, ++w)
    add(k, n - k < elements ? n - k : elements, rest.sums[w]);
  return rest.total(f.conjugate);
}

// The size of a row in bytes, in the type of the computation.
template <class T> int64 bytes_of(const Dot<T, T, T> &f) {
  return f.k * planes<T> * sizeof(ComputeType<T>);
}
// True if the elements of x and y are contiguous.
template <class T> bool are_contiguous(const Dot<T, T, T> &f, const T *y) {
  return y && f.x_k == 1 && f.y_k == 1;
}
// A short row uses fewer vectors. The omitted vectors would stay zero, and do not change the sum
// because no sum is -0. Rows of at most 32 bytes are handled elsewhere.
template <class T, int Ways = (register_bytes > 32 ? 1 : 2)>
USMTENSOR_INLINE T dot_by_length(bool prefetches, bool conjugate, int64 n, const T *x, const T *y) {
  if constexpr (Ways < max_ways<T>)
    if (n > Sums<T, Ways>::step)
      return dot_by_length<T, 2 * Ways>(prefetches, conjugate, n, x, y);
  return dot_contiguous<T, Ways>(prefetches, conjugate, n, x, y);
}
// The sum of at most dot_chunk terms.
template <class T>
USMTENSOR_INLINE T dot_part(bool prefetches, bool contiguous, const Dot<T, T, T> &f, int64 n,
                            const T *x, const T *y) {
  if constexpr (is_compute_type<T> || is_complex<T>)
    if (contiguous)
      return dot_by_length<T>(prefetches, f.conjugate, n, x, y);
  return dot_strided(f, n, x, y);
}

template <class T> T dot(bool prefetches, const Dot<T, T, T> &f, const T *x, const T *y) {
  const int64 nbytes = bytes_of(f);
  auto single_vector = [&](auto narrow) { // with one vector
    typename decltype(narrow)::V sum[planes<T>] = {};
    narrow.add(f, x, y, f.k, sum);
    return narrow.fold(f.conjugate, sum);
  };
  if (nbytes <= 16)
    return single_vector(DotLanes<T, 16>());
  if constexpr (register_bytes > 16)
    if (nbytes <= 32)
      return single_vector(DotLanes<T, 32>());
  const bool contiguous = are_contiguous(f, y);
  T total{};
  for (int64 k = 0; k < f.k; k += dot_chunk) {
    const T part = dot_part(prefetches, contiguous, f, smallest(f.k - k, dot_chunk), x + k * f.x_k,
                            y ? y + k * f.y_k : nullptr);
    total = k == 0 ? part : add_sums<T>(total, part);
  }
  return total;
}

template <class T>
void dots(Dot<T, T, T> f, int64 size, Space space, Operand<T> out, Operand<const T> x,
          Operand<const T> y) {
  const bool prefetches = exceeds_caches(size * f.k * sizeof(T));
  // Decided once, because a short row takes little time: whether dot() would process one part.
  const bool contiguous = are_contiguous(f, y.data), simple = f.k <= dot_chunk && bytes_of(f) > 32;
  each_part([=](int64 part, int64 parts) {
    const int64 end = share(size, part + 1, parts);
    for (int64 index = share(size, part, parts); index < end;) {
      const int64 count = smallest(space.n0 - index % space.n0, end - index);
      T *to = address(out, space, index);
      const T *a = address(x, space, index), *b = y.data ? address(y, space, index) : nullptr;
      index += count;
      for (int64 i = 0; i < count; ++i, to += out.s0, a += x.s0, b += y.s0)
        *to = simple ? dot_part(prefetches, contiguous, f, f.k, a, b) : dot(prefetches, f, a, b);
    }
  });
}

#ifndef USMTENSOR_HOST
// On GPUs a team of work-items computes a product: neighbouring work-items read neighbouring
// elements. The order of the sum depends only on the number of terms, but differs from the order on
// CPUs.
template <class T>
void inner_axis_teams(Dot<T, T, T> f, int64, int64 size, Space space, Operand<T> out,
                      Operand<const T> x, Operand<const T> y) {
  using One = DotLanes<T, planes<T> * sizeof(ComputeType<T>)>;
  constexpr int ways = 8; // so that no sum has more than 128 terms of a segment
  T *const partial = local_memory<T, max_reduction_group>();
  const auto item = work_item();
  const int team = row_team(f.k), teams = int(item.get_local_range(0)) / team;
  const int64 lane = int(item.get_local_id(0)) % team, step = item.get_group_range(0) * teams;
  for (int64 first = item.get_group(0) * teams; first < size; first += step) {
    const int64 own = first + int(item.get_local_id(0)) / team, index = smallest(own, size - 1);
    const T *const left = address(x, space, index);
    const T *const right = y.data ? address(y, space, index) : nullptr;
    typename One::V sums[ways][planes<T>] = {};
    auto add = [&](int64 k, auto &sum) USMTENSOR_INLINE_LAMBDA {
      One::add(f, left + k * f.x_k, right ? right + k * f.y_k : nullptr, 1, sum);
    };
    int64 k = lane;
    for (; k + (ways - 1) * team < f.k; k += ways * team)
      repeat<ways>([&](auto w) USMTENSOR_INLINE_LAMBDA { add(k + w * team, sums[w]); });
    for (; k < f.k; k += team)
      add(k, sums[0]);
    T sum = One::fold(f.conjugate, sums[0]);
    repeat<ways - 1>([&](auto w) USMTENSOR_INLINE_LAMBDA {
      sum = add_sums<T>(sum, One::fold(f.conjugate, sums[w + 1]));
    });
    sum = combined_in_team(team, sum, partial,
                           [](T a, T b) USMTENSOR_INLINE_LAMBDA { return add_sums<T>(a, b); });
    if (lane == 0 && own < size)
      *address(out, space, index) = sum;
  }
}
#endif

} // namespace usmtensor
