// Loops for user kernels: functors with any number of outputs and inputs.
#pragma once
#include "blocks.hpp"
#include "grid.hpp"
#include "math.hpp"

// User expressions call SYCL functions without a namespace. If they need nothing else from SYCL's
// headers, the equivalent functions below halve the compile time.
#ifdef USMTENSOR_CALLS
namespace usmtensor {
namespace calls = sycl;
}
#elif defined(USMTENSOR_MATH)
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define M_PI 3.14159265358979323846
namespace usmtensor::calls {
// Overloads instead of templates, so that arguments of different types convert, or fail to compile,
// as for SYCL's functions.
#define USMTENSOR_DEFINE(name)                                                                     \
  inline float32 name(float32 x) { return __spirv_ocl_##name(x); }                                 \
  inline float64 name(float64 x) { return __spirv_ocl_##name(x); }
USMTENSOR_UNARY_FUNCTIONS(USMTENSOR_DEFINE)
USMTENSOR_EXACT_UNARY_FUNCTIONS(USMTENSOR_DEFINE)
USMTENSOR_USERS_UNARY_FUNCTIONS(USMTENSOR_DEFINE)
#undef USMTENSOR_DEFINE
#define USMTENSOR_DEFINE(name)                                                                     \
  inline float32 name(float32 x, float32 y) { return __spirv_ocl_##name(x, y); }                   \
  inline float64 name(float64 x, float64 y) { return __spirv_ocl_##name(x, y); }
USMTENSOR_BINARY_FUNCTIONS(USMTENSOR_DEFINE)
USMTENSOR_EXACT_BINARY_FUNCTIONS(USMTENSOR_DEFINE)
USMTENSOR_DEFINE(fmod)
#undef USMTENSOR_DEFINE
inline float32 fma(float32 x, float32 y, float32 z) { return __spirv_ocl_fma(x, y, z); }
inline float64 fma(float64 x, float64 y, float64 z) { return __spirv_ocl_fma(x, y, z); }
#define USMTENSOR_DEFINE(name, function)                                                           \
  inline bool name(float32 x) { return function(x); }                                              \
  inline bool name(float64 x) { return function(x); }
USMTENSOR_DEFINE(isfinite, __spirv_IsFinite)
USMTENSOR_DEFINE(isinf, __spirv_IsInf)
USMTENSOR_DEFINE(isnan, __spirv_IsNan)
#undef USMTENSOR_DEFINE
template <class T>
concept Integer = standard::is_integral_v<T> && !standard::is_same_v<T, bool>;
template <Integer T> T abs(T x) {
  using U = standard::make_unsigned_t<T>;
  return standard::is_signed_v<T> && x < 0 ? T(U(0) - U(x)) : x;
}
#define USMTENSOR_DEFINE(name, less)                                                               \
  template <class T, class U>                                                                      \
    requires standard::is_same_v<T, U> && (Integer<T> || standard::is_floating_point_v<T>)         \
  T name(T x, U y) {                                                                               \
    if constexpr (Integer<T>)                                                                      \
      return less ? x : y;                                                                         \
    else                                                                                           \
      return __spirv_ocl_f##name##_common(x, y);                                                   \
  }
USMTENSOR_DEFINE(max, y < x)
USMTENSOR_DEFINE(min, x < y)
#undef USMTENSOR_DEFINE
} // namespace usmtensor::calls
namespace sycl {
using namespace usmtensor::calls;
}
#endif
#if defined(USMTENSOR_CALLS) || defined(USMTENSOR_MATH)
#define USMTENSOR_USE(name) using usmtensor::calls::name;
#define USMTENSOR_OTHER_FUNCTIONS(X)                                                               \
  X(abs) X(fma) X(fmod) X(isfinite) X(isinf) X(isnan) X(max) X(min)
#define USMTENSOR_FUNCTIONS                                                                        \
  USMTENSOR_UNARY_FUNCTIONS(USMTENSOR_USE)                                                         \
  USMTENSOR_EXACT_UNARY_FUNCTIONS(USMTENSOR_USE)                                                   \
  USMTENSOR_USERS_UNARY_FUNCTIONS(USMTENSOR_USE)                                                   \
  USMTENSOR_BINARY_FUNCTIONS(USMTENSOR_USE)                                                        \
  USMTENSOR_EXACT_BINARY_FUNCTIONS(USMTENSOR_USE)                                                  \
  USMTENSOR_OTHER_FUNCTIONS(USMTENSOR_USE)
#else
#define USMTENSOR_FUNCTIONS
#endif

namespace usmtensor {

// The type of a variable that holds an element.
template <class T> using Value = standard::conditional_t<standard::is_same_v<T, bool8>, bool, T>;

// An array that the expression itself indexes, in C order.
template <class T> struct Raw {
  T &operator[](int64 i) const { return data[i]; }
  int64 size() const { return count; }
  T *data;
  int64 count;
};

// An operand whose addresses encode each element's index in C order.
struct FlatIndex {
  char byte;
};
inline constexpr int64 non_null_offset = int64(1) << 20; // index 0 must not become a null pointer
inline const FlatIndex *flat_index(int64 first) {
  return reinterpret_cast<const FlatIndex *>(first + non_null_offset);
}
inline int64 index_at(const FlatIndex *address) {
  return reinterpret_cast<int64>(address) - non_null_offset;
}

// Wraps a functor f(index, to..., from...). Every operand is passed twice, so that outputs may be
// written to buffers. Outputs start with their previous values; compilers drop reads that are not
// used.
template <class F> struct User {
  F f;
};
template <class F> inline constexpr bool is_user = false;
template <class F> inline constexpr bool is_user<User<F>> = true;

// Not inlined, because of `__restrict`. On the host outputs may overlap inputs only element by
// element.
template <class F, class... T> struct Compute {
  [[gnu::noinline]] static void run(F f, int64 n, int64 first, int64 step, T *__restrict... to,
                                    const T *...from) {
    for (int64 i = 0; i < n; ++i)
      f(first + i * step, to[i]..., from[i]...);
  }
};

// A piece of one operand, in place or in a buffer: a part of a row, or a block of short rows. Equal
// rows are packed only for the first block.
template <class T, int64 Size> struct Piece {
  using V = standard::remove_const_t<T>;
  const V *from(const Operand<T> &operand, int64 i, int64 n, int64 rows, bool far, bool fresh) {
    T *const data = operand.data + i * operand.s0;
    if (is_contiguous(operand, n, rows)) {
      if (standard::is_const_v<T> && far)
        prefetch_ahead(data, n);
      return data;
    }
    if (fresh || rows == 1 || operand.s1 != 0)
      pack_rows<V>(buffer.data(), n, rows, data, operand.s0, operand.s1);
    return buffer.data();
  }
  T *to(const Operand<T> &operand, int64 i, int64 n, int64 rows, bool stream) {
    return is_contiguous(operand, n, rows) && !stream ? operand.data + i : buffer.data();
  }
  void store(const Operand<T> &operand, int64 i, int64 n, int64 rows, bool stream) {
    if constexpr (!standard::is_const_v<T>) {
      T *const data = operand.data + i * operand.s0;
      if (!is_contiguous(operand, n, rows))
        unpack_rows(data, operand.s0, operand.s1, n, rows, buffer.data());
      else if (stream)
        emit(true, n, data, buffer.data());
    }
  }
  static bool is_contiguous(const Operand<T> &operand, int64 n, int64 rows) {
    return operand.s0 == 1 && (rows == 1 || operand.s1 == n);
  }
  Buffer<V, Size * sizeof(V)> buffer;
};

// For a loop over the lanes of a user reduction. If the loop were unrolled, a CPU compiler would
// split the lanes and shuffle their elements.
#define USMTENSOR_LANES _Pragma("clang loop vectorize(enable) vectorize_width(16) unroll(disable)")

// True if another operand is slightly ahead of this one in memory, as the rows of a stencil are.
// The reads and prefetches of the other operand then load the same cache lines earlier.
template <class... T> bool follows(const void *one, const T *...others) {
  constexpr uint64 near = uint64(1) << 20;
  const auto distance = [=](const void *other) {
    return reinterpret_cast<uint64>(other) - reinterpret_cast<uint64>(one);
  };
  return ((distance(others) != 0 && distance(others) < near) || ...);
}

// Processes one row, or short rows in blocks of several rows.
template <class F, class D, class... S>
  requires is_user<F>
int64 process_rows(bool stream, F user, int64 n, int64 left, int64 rows, Operand<D> out,
                   Operand<const FlatIndex> index, Operand<S>... in) {
  constexpr int64 max_piece = staged_bytes / largest(sizeof(D), sizeof(S)...);
  const int64 first = index_at(index.data), step = index.s0;
  const bool packed = rows > 1 && n <= max_piece / 2 && left >= 2 * n && index.s1 == n * step;
  rows = packed ? smallest(rows, left / n) : 1;
  stream = stream && !packed;
  const int64 piece = !stream && out.s0 == 1 && ((in.s0 == 1) && ...) ? n : max_piece;
  standard::tuple<Piece<D, max_piece>, Piece<S, max_piece>...> pieces;
  const bool far[] = {false, stream && !follows(in.data, in.data...)...};
  const int64 head = stream && out.s0 == 1 ? elements_to_line(out.data) : 0;
  for (int64 row = 0, block; row < rows; row += block) {
    block = packed ? smallest(rows - row, max_piece / n) : 1;
    const standard::tuple<Operand<D>, Operand<S>...> operands{out.along1(row), in.along1(row)...};
    for (int64 i = 0, count = head ? smallest(head, max_piece) : piece; i < n;
         i += count, count = piece) {
      count = smallest(count, n - i);
      [&]<standard::size_t... K>(standard::index_sequence<K...>) {
        Compute<decltype(user.f), D, S...>::run(
            user.f, block * count, first + row * index.s1 + i * step, step,
            standard::get<K>(pieces).to(standard::get<K>(operands), i, count, block, stream)...,
            standard::get<K>(pieces).from(standard::get<K>(operands), i, count, block, far[K],
                                          row == 0)...);
        (standard::get<K>(pieces).store(standard::get<K>(operands), i, count, block, stream), ...);
      }(standard::make_index_sequence<1 + sizeof...(S)>());
    }
  }
  return rows;
}

// On GPUs. Computes `Count` elements. All loads precede the first store, so that they overlap.
// locate(k) is the place of element k; offset(operand, place) is its offset in an operand.
template <int Count, class F, class Locate, class Offset, class... T>
USMTENSOR_INLINE void compute_user(F f, Locate locate, Offset offset,
                                   Operand<const FlatIndex> index, Operand<T>... operands) {
  Pack<decltype(locate(0)), Count> places;
  repeat<Count>([&](auto k) USMTENSOR_INLINE_LAMBDA { places.of[k] = locate(k); });
  auto load = [&]<class E>(const Operand<E> &operand) USMTENSOR_INLINE_LAMBDA {
    Pack<typename Operand<E>::Element, Count> pack;
    repeat<Count>([&](auto k) USMTENSOR_INLINE_LAMBDA {
      pack.of[k] = operand.data[offset(operand, places.of[k])];
    });
    return pack;
  };
  auto store = [&]<class E>(const Operand<E> &to, auto k, const auto &value)
                   USMTENSOR_INLINE_LAMBDA {
                     if constexpr (!standard::is_const_v<E>)
                       to.data[offset(to, places.of[k])] = value;
                   };
  [&](auto... x) USMTENSOR_INLINE_LAMBDA {
    repeat<Count>([&](auto k) USMTENSOR_INLINE_LAMBDA {
      f(index_at(index.data + offset(index, places.of[k])), x.of[k]..., x.of[k]...);
    });
    repeat<Count>([&](auto k) USMTENSOR_INLINE_LAMBDA { (store(operands, k, x.of[k]), ...); });
  }(load(operands)...);
}

// Neighbouring work-items compute neighbouring elements. each(first, count) computes `count`
// elements at distances of the width of a work-group.
template <int Count, class Each> USMTENSOR_INLINE void each_index(uint32 end, Each each) {
  const auto item = work_item();
  const uint32 width = item.get_local_range(0), items = item.get_global_range(0);
  const uint32 share = (end + items - 1) / items;
  const uint32 start = uint32(item.get_group(0)) * width * share + uint32(item.get_local_id(0));
  for (uint32 k = 0, first = start; k < share && first < end; k += Count, first += Count * width) {
    if (Count > 1 && k + Count <= share && first + (Count - 1) * width < end)
      each(first, standard::integral_constant<int, Count>());
    else
      for (uint32 j = 0; j < Count && k + j < share && first + j * width < end; ++j)
        each(first + j * width, standard::integral_constant<int, 1>());
  }
}
template <int Count, class F, class Locate, class Offset, class... T>
USMTENSOR_INLINE void each_user(F f, uint32 end, Locate locate, Offset offset,
                                Operand<const FlatIndex> index, Operand<T>... operands) {
  const uint32 width = work_item().get_local_range(0);
  each_index<Count>(end, [&](uint32 first, auto count) USMTENSOR_INLINE_LAMBDA {
    compute_user<count>(
        f, [&](uint32 k) USMTENSOR_INLINE_LAMBDA { return locate(first + k * width); }, offset,
        index, operands...);
  });
}

template <int Count, class F, class... T>
USMTENSOR_INLINE void grid_user(F f, uint32 m0, uint32 m1, uint32 m2, int64 size, Space space,
                                Operand<const FlatIndex> index, Operand<T>... operands) {
  // Each case is a loop of its own, because the first one takes many registers.
  auto locate = [=](bool more) {
    return [=](uint32 i) USMTENSOR_INLINE_LAMBDA { return position(i, space, more, m0, m1, m2); };
  };
  if (space.outer_count > 0)
    return each_user<1>(
        f, uint32(size), locate(true),
        [=](const auto &x, Position<uint32> at)
            USMTENSOR_INLINE_LAMBDA { return offset_of(x, space, true, at); },
        index, operands...);
  if (has_more_axes(space))
    return each_user<Count>(
        f, uint32(size), locate(true),
        [](const auto &x, Position<uint32> at) USMTENSOR_INLINE_LAMBDA {
          return at.c0 * x.s0 + at.c1 * x.s1 + at.c2 * x.s2 + at.c3 * x.s3;
        },
        index, operands...);
  each_user<Count>(
      f, uint32(size), locate(false),
      [](const auto &x, Position<uint32> at)
          USMTENSOR_INLINE_LAMBDA { return at.c0 * x.s0 + at.c1 * x.s1; },
      index, operands...);
}

// The offsets of an element in all outputs, in all inputs, and in the element index.
struct StencilOffsets {
  int64 output, input, index;
};
struct Strides {
  int64 s0, s1, s2, s3;
};
// For inputs with equal strides and outputs with equal strides, as the views of a stencil have. A
// work-item computes the elements of `Count` neighbouring rows, which read the same cache lines.
template <int Count, class F, class... T>
USMTENSOR_INLINE void stencil_user(F f, uint32 n0, uint32 n1, uint32 n2, uint32 n3, Strides output,
                                   Strides input, Strides index, int64 first, T *...data) {
  const uint32 bands = (n1 + Count - 1) / Count;
  each_index<1>(n0 * bands * n2 * n3, [&](uint32 i, auto) USMTENSOR_INLINE_LAMBDA {
    const uint32 c0 = i % n0, c1 = i / n0 % bands * Count, layer = i / n0 / bands;
    const uint32 c2 = layer % n2, c3 = layer / n2;
    auto offset_at = [&](const Strides &x, uint32 k) USMTENSOR_INLINE_LAMBDA {
      return c0 * x.s0 + c1 * x.s1 + c2 * x.s2 + c3 * x.s3 + k * x.s1;
    };
    auto compute = [&](uint32 row, auto count) USMTENSOR_INLINE_LAMBDA {
      compute_user<count>(
          f,
          [&](uint32 k) USMTENSOR_INLINE_LAMBDA {
            return StencilOffsets{offset_at(output, row + k), offset_at(input, row + k),
                                  offset_at(index, row + k)};
          },
          []<class E>(const Operand<E> &, const StencilOffsets &at) USMTENSOR_INLINE_LAMBDA {
            return standard::is_same_v<E, const FlatIndex> ? at.index
                   : standard::is_const_v<E>               ? at.input
                                                           : at.output;
          },
          Operand<const FlatIndex>{flat_index(first)}, Operand<T>{data}...);
    };
    if (c1 + Count <= n1)
      compute(0, standard::integral_constant<int, Count>());
    else
      for (uint32 row = 0; c1 + row < n1; ++row)
        compute(row, standard::integral_constant<int, 1>());
  });
}

// Contiguous operands in even shares, one for each work-item. The loop over rows would take more
// than twice as long to compile.
//
// This is for expensive elements: kernels that put work-items into vector lanes are slow if each
// element has a loop.
template <class F, class... T> void partition_user(F f, int64 size, int64 first, T *...data) {
  each_part([=](int64 part, int64 parts) {
    const int64 last = share(size, part + 1, parts);
    for (int64 i = share(size, part, parts); i < last; ++i)
      f(first + i, data[i]..., data[i]...);
  });
}

// For an output larger than the caches. Pieces of outputs pass through buffers and are stored with
// non-temporal stores. Inputs are read in place: store() does nothing. Outputs are not read:
// prefetch() does nothing.
template <class T, int64 Size> struct Staged {
  T *to(T *) { return buffer.data(); }
  void store(T *data) {
    if (reinterpret_cast<standard::uintptr_t>(data) % sizeof(Line) != 0)
      return void(__builtin_memcpy(data, buffer.data(), sizeof buffer));
    for (int64 k = 0; k < Size; k += sizeof(Line) / sizeof(T))
      __builtin_nontemporal_store(load_as<Line>(buffer.data() + k),
                                  reinterpret_cast<Line *>(data + k));
  }
  void prefetch(const T *) {}
  Buffer<T, Size * sizeof(T)> buffer;
};
template <class T, int64 Size> struct Staged<const T, Size> {
  const T *to(const T *data) { return data; }
  void store(const T *) {}
  void prefetch(const T *data) { prefetch_ahead(data, Size); }
};
template <class F, class D, class... S>
void lines_user(F f, int64 size, int64 first, D *out, S *...in) {
  // Elements of a piece: at least 64, so that a piece fills cache lines even with 1-byte elements.
  constexpr int64 max_piece = largest<int64>(staged_bytes / sizeof(D), sizeof(Line));
  each_part([=, ... far = !follows(in, in...)](int64 part, int64 parts) {
    standard::tuple<Staged<D, max_piece>, Staged<S, max_piece>...> staged;
    int64 i = share(size, part, parts);
    const int64 last = share(size, part + 1, parts), head = i + elements_to_line(out + i);
    for (int64 n = smallest(head, last) - i; i < last; i += n, n = smallest(max_piece, last - i))
      standard::apply(
          [&](auto &to, auto &...from) {
            const bool whole = n == max_piece;
            if (whole)
              ((far ? from.prefetch(in + i) : void()), ...);
            Compute<F, D, S...>::run(f, n, first + i, 1, whole ? to.to(out + i) : out + i,
                                     (whole ? from.to(in + i) : in + i)..., out + i, (in + i)...);
            if (whole)
              to.store(out + i), (from.store(in + i), ...);
          },
          staged);
  });
}

// Contiguous operands: fewer kernel arguments, and on CPUs one element per work-item.
template <int Count, class F, class... T>
void contiguous_user(F f, int64 size, int64 first, T *...data) {
#ifdef __NVPTX__
  each_user<Count>(
      f, uint32(size),
      [](uint32 index) USMTENSOR_INLINE_LAMBDA { return Position<uint32>{index, 0, 0, 0}; },
      [](const auto &, Position<uint32> at) USMTENSOR_INLINE_LAMBDA { return at.c0; },
      Operand<const FlatIndex>{flat_index(first), 1}, Operand<T>{data, 1}...);
#else
  each_item(size, [=](int64 i) { f(first + i, data[i]..., data[i]...); });
#endif
}

} // namespace usmtensor
