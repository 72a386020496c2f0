// Counter-based random numbers: Philox 4x64 of ten rounds (Salmon et al., Parallel random numbers:
// as easy as 1, 2, 3). A word depends only on the key and its index, and equals the word of NumPy's
// Philox.
#pragma once
#include "local.hpp"
#include "math.hpp"

namespace usmtensor {

// The upper and lower halves of a product.
template <class W> struct Product {
  W high, low;
};
USMTENSOR_INLINE Product<uint64> multiply(uint64 x, uint64 y) {
#ifdef USMTENSOR_HOST
  const auto product = static_cast<unsigned __int128>(x) * y;
  return {uint64(product >> 64), uint64(product)};
#elif defined(__NVPTX__) // SYCL's function takes twice as long
  return {__nvvm_mulhi_ull(x, y), x * y};
#else
  return {__spirv_ocl_u_mul_hi(x, y), x * y};
#endif
}
// Processors convert 64-bit integers to single precision through 32 bits.
template <class T> using Integer = standard::conditional_t<sizeof(T) == 4, int32, uint64>;
template <class T> USMTENSOR_INLINE T convert(uint64 word) { return T(Integer<T>(word)); }

// One element of each of several blocks, in CPU registers.
inline constexpr int block_lanes = 8;
template <class T> using BlockLanes = typename VectorOf<T, block_lanes * sizeof(T)>::Type;
#ifndef USMTENSOR_HOST

// Vector instructions multiply 32-bit halves of words.
USMTENSOR_INLINE Product<BlockLanes<uint64>> multiply(BlockLanes<uint64> x, uint64 y) {
  constexpr uint64 half = uint32(-1);
  const uint64 y_low = y & half, y_high = y >> 32;
  const BlockLanes<uint64> x_low = x & half, x_high = x >> 32;
  const BlockLanes<uint64> low = x_low * y_low, middle = x_high * y_low + (low >> 32);
  const BlockLanes<uint64> rest = x_low * y_high + (middle & half);
  return {x_high * y_high + (middle >> 32) + (rest >> 32), (low & half) | rest << 32};
}
template <class T> USMTENSOR_INLINE BlockLanes<T> convert(BlockLanes<uint64> words) {
  const auto integers = __builtin_convertvector(words, BlockLanes<Integer<T>>);
  return __builtin_convertvector(integers, BlockLanes<T>);
}
#endif

// The words of a block, or of several blocks in lanes. NumPy counts blocks from one.
inline constexpr int block_words = 4;
template <class W> struct Block {
  USMTENSOR_INLINE Block(uint64 key0, uint64 key1, W number) : words{number + 1} {
    USMTENSOR_UNROLL
    for (int round = 0; round < 10; ++round) {
      const auto a = multiply(words[0], 0xD2E7470EE14C6C93);
      const auto b = multiply(words[2], 0xCA5A826395121157);
      words[0] = b.high ^ words[1] ^ key0, words[1] = b.low;
      words[2] = a.high ^ words[3] ^ key1, words[3] = a.low;
      key0 += 0x9E3779B97F4A7C15, key1 += 0xBB67AE8584CAA73B;
    }
  }
  W words[block_words];
};

// The key and the first index of a stream. A derived functor converts the words of one Philox block
// to `Each` elements.
struct Stream {
  static constexpr bool in_pairs = false;
  uint64 key0, key1;
  int64 first;
};
template <int Each, class F, class D> USMTENSOR_INLINE void make_block(F f, int64 number, D *to) {
  const Block<uint64> block(f.key0, f.key1, uint64(number));
  f.template make<Each>(block.words, to);
}

#ifdef USMTENSOR_HOST
inline constexpr bool in_lanes = false;
#else
inline constexpr bool in_lanes = true;
// Makes the elements of block_lanes blocks. Some functors make two elements together, as the bits
// of a uint64.
template <int Each, class F, class D> USMTENSOR_INLINE void make_blocks(F f, int64 number, D *to) {
  using Unit = standard::conditional_t<F::in_pairs, uint64, D>;
  constexpr int each = Each * sizeof(D) / sizeof(Unit);
  BlockLanes<uint64> numbers;
  BlockLanes<Unit> made[each];
  USMTENSOR_UNROLL
  for (int k = 0; k < block_lanes; ++k)
    numbers[k] = uint64(number) + k;
  const Block<BlockLanes<uint64>> blocks(f.key0, f.key1, numbers);
  f.template make<each>(blocks.words, made);
  typedef Unit Unaligned __attribute__((aligned(1), may_alias));
  USMTENSOR_UNROLL
  for (int k = 0; k < each * block_lanes; ++k)
    reinterpret_cast<Unaligned *>(to)[k] = made[k % each][k / each];
}
#endif

// Makes the elements of a part of the stream.
template <int Each, bool InLanes, class F, class D>
USMTENSOR_INLINE void fill_elements(F f, int64 begin, int64 end, D *out) {
  while (begin < end) {
    const int64 index = f.first + begin, number = index / Each;
    const int k = int(index % Each);
    if constexpr (InLanes)
      if (k == 0 && end - begin >= Each * block_lanes) {
        make_blocks<Each>(f, number, out + begin);
        begin += Each * block_lanes;
        continue;
      }
    D buffer[Each];
    make_block<Each>(f, number, buffer);
    USMTENSOR_UNROLL // a variable index would force the elements into memory
        for (int j = 0; j < Each; ++j) if (j >= k && begin < end) out[begin++] = buffer[j];
  }
}
template <class F, class D>
  requires standard::is_base_of_v<Stream, F>
void partition(F f, int64 size, D *out) {
  each_part([=](int64 part, int64 parts) {
    const int64 begin = share(size, part, parts), end = share(size, part + 1, parts);
    f.with_each([&](auto each) { fill_elements<each, in_lanes>(f, begin, end, out); });
  });
}

#ifndef USMTENSOR_HOST
// Makes `Count` elements of whole blocks.
template <int Count, class F, class D> USMTENSOR_INLINE void fill_blocks(F f, int64 index, D *to) {
  f.with_each([&](auto each) USMTENSOR_INLINE_LAMBDA {
    repeat<Count / each>([&](auto k) USMTENSOR_INLINE_LAMBDA {
      make_block<each>(f, int64(uint64(index) / each) + k, to + k * each);
    });
  });
}

// On GPUs each work-item makes `Count` elements of whole blocks at a time. It stores them as
// vectors, which requires aligned addresses.
template <int Count, class F, class D> USMTENSOR_INLINE void fill_aligned(F f, int64 size, D *out) {
  using V = typename VectorOf<D, (Count * sizeof(D) < 16 ? Count * sizeof(D) : 16)>::Type;
  constexpr int per = sizeof(V) / sizeof(D);
  const int64 own = work_item().get_global_id(0), items = work_item().get_global_range(0);
  const int64 whole = uint64(size) / Count;
  for (int64 k = own; k < whole; k += items) {
    D buffer[Count];
    fill_blocks<Count>(f, f.first + k * Count, buffer);
    V *const to = reinterpret_cast<V *>(out + k * Count);
    repeat<Count / per>([&](auto j) USMTENSOR_INLINE_LAMBDA {
#ifdef __NVPTX__
      to[j] = load_as<V>(buffer + j * per);
#else
      __builtin_nontemporal_store(load_as<V>(buffer + j * per), to + j);
#endif
    });
  }
  if (own == 0)
    f.with_each([&](auto each) { fill_elements<each, false>(f, whole * Count, size, out); });
}
// Unaligned elements pass through local memory, so that neighbouring work-items write neighbouring
// elements.
template <class F, class D> USMTENSOR_INLINE void grid_stride(F f, int64 size, D *out) {
  constexpr int count = 2 * block_words, max_items = 128; // elements of any type; work-items
  if (f.first % count == 0 && reinterpret_cast<uint64>(out) % 16 == 0)
    return fill_aligned<count>(f, size, out);
  constexpr int pitch = count + 1; // avoids bank conflicts between work-items
  D *const buffer = local_memory<D, pitch * max_items>();
  const auto item = work_item();
  const int64 width = item.get_local_range(0), lane = item.get_local_id(0);
  const int64 share = width * count, first = f.first - f.first % count;
  for (int64 begin = item.get_group(0) * share + first - f.first; begin < size;
       begin += item.get_group_range(0) * share) {
    fill_blocks<count>(f, f.first + begin + lane * count, buffer + lane * pitch);
    group_barrier();
    for (int64 k = lane; k < share; k += width)
      if (begin + k >= 0 && begin + k < size)
        out[begin + k] = buffer[k / count * pitch + k % count];
    group_barrier();
  }
}
#endif

// Uniform float32 samples from both halves of words, as bits.
USMTENSOR_INLINE BlockLanes<uint64> both_samples(BlockLanes<uint64> words) {
  using Halves = VectorOf<uint32, sizeof words>::Type;
  const auto integers =
      reinterpret<typename VectorOf<int32, sizeof words>::Type>(reinterpret<Halves>(words) >> 8);
  return reinterpret<BlockLanes<uint64>>(
      __builtin_convertvector(integers, typename VectorOf<float32, sizeof words>::Type) * 0x1p-24f);
}

// Words, or uniform samples from [0, 1): from the upper 53 bits of a word, or from the upper 24
// bits of each half, the lower half first.
template <class T> struct Random : Stream {
  static constexpr bool in_pairs = standard::is_same_v<T, float32>;
  template <class Call> USMTENSOR_INLINE void with_each(Call call) const {
    call(standard::integral_constant<int, standard::is_same_v<T, float32> ? 2 * block_words
                                                                          : block_words>());
  }
  template <int Each, class W, class V> USMTENSOR_INLINE void make(const W *words, V *to) const {
    USMTENSOR_UNROLL // a variable index would force the words into memory
        for (int k = 0; k < Each; ++k) if constexpr (standard::is_same_v<V, BlockLanes<uint64>> &&
                                                     standard::is_same_v<T, float32>) to[k] =
            both_samples(words[k]);
    else if constexpr (standard::is_same_v<T, float32>) to[k] =
        convert<float32>((words[k / 2] >> 32 * (k % 2) & uint32(-1)) >> 8) * 0x1p-24f;
    else if constexpr (standard::is_same_v<T, float64>) to[k] =
        convert<float64>(words[k] >> 11) * 0x1p-53;
    else to[k] = words[k];
  }
};

// Normal samples, in pairs from pairs of uniform samples, by the Box-Muller method.
template <class T> struct Normal : Random<T> {
  static constexpr bool in_pairs = false;
  template <class V> USMTENSOR_INLINE static void make_pair(V &x, V &y) {
    const V radius = math::sqrt(math::log(T(1) - x) * T(-2));
    const auto [sin, cos] = math::sincos(y * T(6.283185307179586));
    x = radius * cos, y = radius * sin;
  }
  template <int Each, class W, class V> USMTENSOR_INLINE void make(const W *words, V *to) const {
#ifdef USMTENSOR_HOST
    using Number = T;
#else
    typedef T Vector __attribute__((ext_vector_type(block_lanes)));
    using Number = standard::conditional_t<standard::is_same_v<V, T>, T, Vector>;
#endif
    Random<T>::template make<Each>(words, to);
    USMTENSOR_UNROLL
    for (int k = 0; k < Each; k += 2) {
      auto x = load_as<Number>(to + k), y = load_as<Number>(to + k + 1);
      make_pair(x, y);
      to[k] = load_as<V>(&x), to[k + 1] = load_as<V>(&y);
    }
  }
};

// Uniform integers from [low, low + span): the integer part of a fraction times the span. The
// fraction has 64 bits if the span is below 2^32, otherwise 128 bits. A span of zero means 2^64.
template <class T> struct Integers : Stream {
  template <class Call> USMTENSOR_INLINE void with_each(Call call) const {
    if (span >> 32 == 0 && span != 0)
      call(standard::integral_constant<int, block_words>());
    else
      call(standard::integral_constant<int, block_words / 2>());
  }
  template <int Each, class W, class V> USMTENSOR_INLINE void make(const W *words, V *to) const {
    USMTENSOR_UNROLL
    for (int k = 0; k < Each; ++k)
      if constexpr (Each == block_words) {
        to[k] = convert<T>(low + multiply(words[k], span).high);
      } else {
        const auto upper = multiply(words[2 * k], span);
        const W x = upper.low, y = multiply(words[2 * k + 1], span).high;
        const W carry = ((x & y) | ((x | y) & ~(x + y))) >> 63;
        to[k] = convert<T>(low + (span == 0 ? words[2 * k] : upper.high + carry));
      }
  }
  uint64 low, span;
};

} // namespace usmtensor
