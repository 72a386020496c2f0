// Random numbers by counter: Philox 4x64 of ten rounds (Salmon et al., Parallel random numbers: as
// easy as 1, 2, 3). A word depends on the key and its place alone, and is that of NumPy's Philox.
#pragma once
#include "math.hpp"
#include "shared.hpp"

#ifndef USMTENSOR_HOST
#include <sycl/ext/oneapi/work_group_static.hpp>
#include <sycl/group_barrier.hpp>
#endif

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

// Calls set(i, words, k) for elements of a stream that `Each` to a block make, the first of them at
// place `first`; element i is number k of its block.
template <int Each, class Set>
void each_of_stream(u8 key0, u8 key1, i8 first, i8 begin, i8 end, Set set) {
  while (begin < end) {
    u8 words[block_words];
    const i8 place = first + begin;
    philox(key0, key1, place / Each, words);
    const int k = int(place % Each);
    if (k == 0 && end - begin >= Each) {
#pragma unroll
      for (int j = 0; j < Each; ++j)
        set(begin + j, words, j);
      begin += Each;
    } else {
#pragma unroll // a variable index would bring the words into memory
      for (int j = 0; j < Each; ++j)
        if (j >= k && begin < end)
          set(begin++, words, j);
    }
  }
}

#ifndef USMTENSOR_HOST
// On devices other than CPUs each work-item makes a few elements, which lie in one block of the
// stream or two.
//
// Of whole blocks at an aligned address: vectors.
template <int Each, class F, class D> USMTENSOR_INLINE void whole_turns(F f, i8 size, D *out) {
  using V = typename VectorOf<D, (Each * sizeof(D) < 16 ? Each * sizeof(D) : 16)>::Type;
  constexpr int per = sizeof(V) / sizeof(D);
  each_part([=](i8 part, i8 parts) {
    for (i8 begin = part * Each; begin < size; begin += parts * Each) {
      F own = f;
      own.first += begin;
      D held[Each];
      own(0, 0, Each, held);
      if (begin + Each <= size) {
#pragma unroll
        for (int k = 0; k < Each / per; ++k)
          __builtin_nontemporal_store(load_as<V>(held + k * per),
                                      reinterpret_cast<V *>(out + begin) + k);
      } else {
#pragma unroll // a variable index would bring the elements into memory
        for (int k = 0; k < Each; ++k)
          if (begin + k < size)
            out[begin + k] = held[k];
      }
    }
  });
}
// Others go through local memory, so that neighbouring work-items write neighbours.
template <class F, class D> void turns(F f, i8 size, D *out) {
  constexpr int each = 2 * block_words, most = 128; // of any type; work-items
  if (f.first % each == 0 && reinterpret_cast<u8>(out) % 16 == 0)
    return whole_turns<each>(f, size, out);
  constexpr int pitch = each + 1; // of neighbours, in different banks
  static sycl::ext::oneapi::experimental::work_group_static<D[pitch * most]> memory;
  D *const held = *&memory;
  const auto item = work_item();
  const i8 width = item.get_local_range(0), lane = item.get_local_id(0);
  const i8 share = width * each, first = f.first - f.first % each;
  for (i8 begin = item.get_group(0) * share + first - f.first; begin < size;
       begin += item.get_group_range(0) * share) {
    F own = f;
    own.first += begin + lane * each;
    own(0, 0, each, held + lane * pitch);
    sycl::group_barrier(item.get_group());
    for (i8 k = lane; k < share; k += width)
      if (begin + k >= 0 && begin + k < size)
        out[begin + k] = held[k / each * pitch + k % each];
    sycl::group_barrier(item.get_group());
  }
}
#endif

// Words, or numbers from 0 to below 1: of the upper 53 bits of a word, or of 24 bits of each half,
// the lower half first.
template <class T> struct Random {
  void operator()(i8, i8 begin, i8 end, T *out) const {
    constexpr bool halves = sizeof(T) == 4;
    each_of_stream<halves ? 2 * block_words : block_words>(
        key0, key1, first, begin, end, [=](i8 i, const u8 *words, int k) {
          if constexpr (std::is_same_v<T, f4>)
            out[i] = f4(u4(words[k / 2] >> 32 * (k % 2)) >> 8) * 0x1p-24f;
          else if constexpr (std::is_same_v<T, f8>)
            out[i] = f8(words[k] >> 11) * 0x1p-53;
          else
            out[i] = words[k];
        });
  }
  u8 key0, key1;
  i8 first;
};

// Integers from `low` on, `span` of them: the integer part of a fraction times the span. The
// fraction has 64 bits for spans below 2^32, otherwise 128. A span of zero is 2^64.
template <class T> struct Integers {
  void operator()(i8, i8 begin, i8 end, T *out) const {
    if (span >> 32 == 0 && span != 0)
      each_of_stream<block_words>(key0, key1, first, begin, end,
                                  [=, *this](i8 i, const u8 *words, int k) {
                                    out[i] = T(low + multiply(words[k], span).high);
                                  });
    else
      each_of_stream<block_words / 2>(
          key0, key1, first, begin, end, [=, *this](i8 i, const u8 *words, int k) {
            const Product first = multiply(words[2 * k], span);
            const u8 rest = multiply(words[2 * k + 1], span).high;
            const u8 carry = first.low + rest < rest;
            out[i] = T(low + (span == 0 ? words[2 * k] : first.high + carry));
          });
  }
  u8 key0, key1;
  i8 first;
  u8 low, span;
};

} // namespace usmtensor
