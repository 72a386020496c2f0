// Non-temporal stores, for outputs that are larger than the caches: a plain store first reads the
// line that it is going to overwrite.
#pragma once
#include "kernel.hpp"

#ifndef USMTENSOR_HOST
#include <sycl/ext/oneapi/experimental/prefetch.hpp>
#endif
#include <utility>

namespace usmtensor {

using Line = VectorOf<u8, 64>::Type;

// What a loop holds back at a time: little, so that the next reads begin while these stores are
// still under way (2 KB is a third slower).
inline constexpr int staged_bytes = 512;

// Uninitialised elements.
template <class T, int Bytes> struct Buffer {
  static constexpr i8 size = Bytes / sizeof(T);
  T *data() { return reinterpret_cast<T *>(bytes); }
  alignas(Line) unsigned char bytes[Bytes];
};

template <class T> i8 elements_to_line(const T *p) {
  return -reinterpret_cast<std::uintptr_t>(p) % sizeof(Line) / sizeof(T);
}

// Moves a row from a buffer to the output.
template <class T> USMTENSOR_INLINE void emit(bool stream, i8 n, T *to, const T *from) {
  constexpr i8 step = sizeof(Line) / sizeof(T);
  i8 i = 0;
#ifndef USMTENSOR_HOST
  if (stream && reinterpret_cast<std::uintptr_t>(to) % sizeof(T) == 0) {
    const i8 head = elements_to_line(to);
    for (; i < head && i < n; ++i)
      to[i] = from[i];
    for (; i + step <= n; i += step)
      __builtin_nontemporal_store(load_as<Line>(from + i), reinterpret_cast<Line *>(to + i));
  }
#endif
  for (; i < n; ++i)
    to[i] = from[i];
}

// Prefetches a cache line. Processors do so by themselves only where little is computed between two
// loads. On GPUs an address outside of the allocation may be a page fault.
inline void prefetch(const void *p) {
#ifdef USMTENSOR_HOST
  __builtin_prefetch(p);
#else
  sycl::ext::oneapi::experimental::prefetch(const_cast<void *>(p));
#endif
}
// Prefetches for a loop that is about to read n elements: those that lie `ahead` bytes behind them.
inline constexpr i8 ahead = 2048;
template <class T> USMTENSOR_INLINE void prefetch_ahead(const T *p, i8 n) {
  for (i8 at = 0; at < n * i8(sizeof(T)); at += sizeof(Line))
    prefetch(reinterpret_cast<const char *>(p) + ahead + at);
}

// The unsigned integer type of a size, and how many of them a vector has.
template <int Size>
using Bits =
    std::conditional_t<Size == 1, u1,
                       std::conditional_t<Size == 2, u2, std::conditional_t<Size == 4, u4, u8>>>;
template <class T> inline constexpr int lanes = sizeof(T) == 8 ? 8 : 16;

#ifndef USMTENSOR_HOST
template <bool Stream, class T, int... K>
USMTENSOR_INLINE void take_even_lanes(T *to, const T *from, std::integer_sequence<int, K...>) {
  using Lanes = typename VectorOf<Bits<sizeof(T)>, sizeof...(K) * sizeof(T)>::Type;
  const Lanes evens =
      __builtin_shufflevector(load_as<Lanes>(from), load_as<Lanes>(from + sizeof...(K)), 2 * K...);
  if constexpr (Stream)
    __builtin_nontemporal_store(evens, reinterpret_cast<Lanes *>(to));
  else
    __builtin_memcpy(to, &evens, sizeof evens);
}
#endif

// to[i] = from[2 * i]; nothing beyond the last of them is read. Where Stream, by non-temporal
// stores.
template <bool Stream, class T> USMTENSOR_INLINE void take_evens(i8 n, T *to, const T *from) {
  constexpr int step = lanes<T>;
  i8 i = 0;
  if constexpr (Stream)
    for (const i8 head = elements_to_line(to); i < head && i < n; ++i)
      to[i] = from[2 * i];
#ifndef USMTENSOR_HOST // whose compiler finds them itself
  for (; i + step < n; i += step)
    take_even_lanes<Stream>(to + i, from + 2 * i, std::make_integer_sequence<int, step>());
#endif
  for (; i < n; ++i)
    to[i] = from[2 * i];
}

} // namespace usmtensor
