// Random numbers by counter: Philox 4x64 of ten rounds (Salmon et al., Parallel random numbers: as
// easy as 1, 2, 3). A word depends on the key and its place alone, and is that of NumPy's Philox.
#pragma once
#include "grid.hpp"
#include "math.hpp"
#include "shared.hpp"

namespace usmtensor {

// The halves of a product.
struct Product {
  u8 high, low;
};
USMTENSOR_INLINE Product multiply(u8 x, u8 y) {
#ifdef USMTENSOR_HOST
  const auto product = static_cast<unsigned __int128>(x) * y;
  return {u8(product >> 64), u8(product)};
#elif defined(__NVPTX__) // where the function of SYCL takes twice as long
  return {__nvvm_mulhi_ull(x, y), x * y};
#else
  return {sycl::mul_hi(x, y), x * y};
#endif
}

inline constexpr int block_words = 4;

// The words of a block. NumPy counts blocks from one.
USMTENSOR_INLINE void philox(u8 key0, u8 key1, i8 block, u8 *words) {
  u8 x0 = u8(block) + 1, x1 = 0, x2 = 0, x3 = 0;
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    constexpr u8 m0 = 0xD2E7470EE14C6C93, m1 = 0xCA5A826395121157;
    const Product a = multiply(m0, x0), b = multiply(m1, x2);
    x0 = b.high ^ x1 ^ key0, x1 = b.low, x2 = a.high ^ x3 ^ key1, x3 = a.low;
    key0 += 0x9E3779B97F4A7C15, key1 += 0xBB67AE8584CAA73B;
  }
  words[0] = x0, words[1] = x1, words[2] = x2, words[3] = x3;
}

// Elements of a stream, which make `Each` of a block's words; the stream knows the number.
template <int Each, class F, class D>
USMTENSOR_INLINE void fill_elements(F f, i8 begin, i8 end, D *out) {
  while (begin < end) {
    u8 words[block_words];
    const i8 place = f.first + begin;
    philox(f.key0, f.key1, place / Each, words);
    const int k = int(place % Each);
    if (k == 0 && end - begin >= Each) {
#pragma unroll
      for (int j = 0; j < Each; ++j)
        out[begin + j] = f.template element<Each>(words, j);
      begin += Each;
    } else {
#pragma unroll // a variable index would bring the words into memory
      for (int j = 0; j < Each; ++j)
        if (j >= k && begin < end)
          out[begin++] = f.template element<Each>(words, j);
    }
  }
}

#ifndef USMTENSOR_HOST
// `Count` elements of whole blocks.
template <int Count, class F, class D> USMTENSOR_INLINE void fill_blocks(F f, i8 place, D *to) {
  f.with_each([&](auto each) USMTENSOR_INLINE_LAMBDA {
    repeat<Count / each>([&](auto block) USMTENSOR_INLINE_LAMBDA {
      u8 words[block_words];
      philox(f.key0, f.key1, i8(u8(place) / each) + block, words);
      repeat<each>([&](auto k) USMTENSOR_INLINE_LAMBDA {
        to[block * each + k] = f.template element<each>(words, k);
      });
    });
  });
}

// On devices other than CPUs each work-item makes a few elements at a time, of whole blocks. It
// stores them as vectors, if they begin at aligned addresses.
template <int Count, class F, class D> USMTENSOR_INLINE void whole_turns(F f, i8 size, D *out) {
  using V = typename VectorOf<D, (Count * sizeof(D) < 16 ? Count * sizeof(D) : 16)>::Type;
  constexpr int per = sizeof(V) / sizeof(D);
  const i8 own = work_item().get_global_id(0), items = work_item().get_global_range(0);
  const i8 whole = u8(size) / Count;
  for (i8 k = own; k < whole; k += items) {
    D held[Count];
    fill_blocks<Count>(f, f.first + k * Count, held);
    V *const to = reinterpret_cast<V *>(out + k * Count);
    repeat<Count / per>([&](auto j) USMTENSOR_INLINE_LAMBDA {
#ifdef __NVPTX__
      to[j] = load_as<V>(held + j * per);
#else
      __builtin_nontemporal_store(load_as<V>(held + j * per), to + j);
#endif
    });
  }
  if (own == 0)
    f(0, whole * Count, size, out);
}
// Others go through local memory, so that neighbouring work-items write neighbours.
template <class F, class D> USMTENSOR_INLINE void turns(F f, i8 size, D *out) {
  constexpr int count = 2 * block_words, most = 128; // of any type; work-items
  if (f.first % count == 0 && reinterpret_cast<u8>(out) % 16 == 0)
    return whole_turns<count>(f, size, out);
  constexpr int pitch = count + 1; // of neighbours, in different banks
  D *const held = local_memory<D, pitch * most>();
  const auto item = work_item();
  const i8 width = item.get_local_range(0), lane = item.get_local_id(0);
  const i8 share = width * count, first = f.first - f.first % count;
  for (i8 begin = item.get_group(0) * share + first - f.first; begin < size;
       begin += item.get_group_range(0) * share) {
    fill_blocks<count>(f, f.first + begin + lane * count, held + lane * pitch);
    meet();
    for (i8 k = lane; k < share; k += width)
      if (begin + k >= 0 && begin + k < size)
        out[begin + k] = held[k / count * pitch + k % count];
    meet();
  }
}
#endif

// Words, or numbers from 0 to below 1: of the upper 53 bits of a word, or of 24 bits of each half,
// the lower half first.
template <class T> struct Random {
  template <class Call> USMTENSOR_INLINE void with_each(Call call) const {
    call(std::integral_constant<int, std::is_same_v<T, f4> ? 2 * block_words : block_words>());
  }
  template <int> USMTENSOR_INLINE T element(const u8 *words, int k) const {
    if constexpr (std::is_same_v<T, f4>)
      return f4(u4(words[k / 2] >> 32 * (k % 2)) >> 8) * 0x1p-24f;
    else if constexpr (std::is_same_v<T, f8>)
      return f8(words[k] >> 11) * 0x1p-53;
    else
      return words[k];
  }
  void operator()(i8, i8 begin, i8 end, T *out) const {
    with_each([&](auto each) { fill_elements<each>(*this, begin, end, out); });
  }
  u8 key0, key1;
  i8 first;
};

// Integers from `low` on, `span` of them: the integer part of a fraction times the span. The
// fraction has 64 bits for spans below 2^32, otherwise 128. A span of zero is 2^64.
template <class T> struct Integers {
  template <class Call> USMTENSOR_INLINE void with_each(Call call) const {
    if (span >> 32 == 0 && span != 0)
      call(std::integral_constant<int, block_words>());
    else
      call(std::integral_constant<int, block_words / 2>());
  }
  template <int Each> USMTENSOR_INLINE T element(const u8 *words, int k) const {
    if constexpr (Each == block_words) {
      return T(low + multiply(words[k], span).high);
    } else {
      const Product upper = multiply(words[2 * k], span);
      const u8 rest = multiply(words[2 * k + 1], span).high;
      const u8 carry = upper.low + rest < rest;
      return T(low + (span == 0 ? words[2 * k] : upper.high + carry));
    }
  }
  void operator()(i8, i8 begin, i8 end, T *out) const {
    with_each([&](auto each) { fill_elements<each>(*this, begin, end, out); });
  }
  u8 key0, key1;
  i8 first;
  u8 low, span;
};

} // namespace usmtensor
