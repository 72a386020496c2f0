// Non-temporal stores, for outputs larger than the caches: a plain store first reads the cache line
// that it overwrites. They need no fence: the driver completes a command with locked instructions,
// which also wait for non-temporal stores.
#pragma once
#include "kernel.hpp"

namespace usmtensor {

using Line = VectorOf<uint64, 64>::Type;

// Bytes in the buffer of a loop. A small buffer lets the next reads start during its stores; 2 KB
// is a third slower.
inline constexpr int staged_bytes = 512;

// Uninitialised elements.
template <class T, int Bytes> struct Buffer {
  Buffer() {} // a tuple would fill a buffer without constructor with zeros
  static constexpr int64 size = Bytes / sizeof(T);
  T *data() { return reinterpret_cast<T *>(bytes); }
  alignas(Line) unsigned char bytes[Bytes];
};

template <class T> int64 elements_to_line(const T *p) {
  return -reinterpret_cast<standard::uintptr_t>(p) % sizeof(Line) / sizeof(T);
}

// Stores a row from a buffer to the output.
template <class T>
USMTENSOR_INLINE void emit([[maybe_unused]] bool stream, int64 n, T *to, const T *from) {
  int64 i = 0;
#ifndef USMTENSOR_HOST
  constexpr int64 step = sizeof(Line) / sizeof(T);
  if (stream && reinterpret_cast<standard::uintptr_t>(to) % sizeof(T) == 0) {
    const int64 head = elements_to_line(to);
    for (; i < head && i < n; ++i)
      to[i] = from[i];
    for (; i + step <= n; i += step)
      __builtin_nontemporal_store(load_as<Line>(from + i), reinterpret_cast<Line *>(to + i));
  }
#endif
  for (; i < n; ++i)
    to[i] = from[i];
}

// Prefetches a cache line into the second-level cache, only on CPUs. Hardware prefetchers help only
// if there is little computation between two loads. This is an instruction, because the driver's
// function costs a call for each line.
USMTENSOR_INLINE void prefetch([[maybe_unused]] const void *p) {
#ifdef USMTENSOR_HOST
  __builtin_prefetch(p, 0, 2);
#elif defined(USMTENSOR_CPU)
  asm volatile("prefetcht1 (%0)" ::"r"(p));
#endif
}
// True if a loop should prefetch: its input exceeds the caches.
inline bool exceeds_caches(int64 bytes) { return may_stream && bytes >= int64(1) << 25; }
// Prefetches for a loop that reads n elements next: the elements `distance` bytes after them. A
// longer distance is harmful. The hardware prefetcher starts at misses, and early prefetches remove
// the misses, so that a loop on one core takes up to 1.8 times as long.
inline constexpr int64 ahead = 1024;
template <class T>
USMTENSOR_INLINE void prefetch_ahead(const T *p, int64 n, int64 distance = ahead) {
  for (int64 at = 0; at < n * int64(sizeof(T)); at += sizeof(Line))
    prefetch(reinterpret_cast<const char *>(p) + distance + at);
}
// Prefetches for a loop that executes many instructions for every `step` elements.
template <class T> USMTENSOR_INLINE void prefetch_steps_ahead(const T *p, int64 step) {
  prefetch_ahead(p, step, 5 * step * sizeof(T));
}

// The unsigned integer type of a size, and its number of lanes in a vector.
template <int Size>
using Bits = standard::conditional_t<
    Size == 1, uint8,
    standard::conditional_t<Size == 2, uint16, standard::conditional_t<Size == 4, uint32, uint64>>>;
template <class T> inline constexpr int lanes = sizeof(T) == 8 ? 8 : 16;

// Strided loads and stores, through vectors that are filled or read lane by lane. For plain loops
// compilers targeting AVX-512 emit gathers and scatters, which are slower, on AMD processors
// several times.
template <class T>
inline constexpr int strided_lanes = sizeof(T) == 1 ? 16 : 32 / sizeof(T); // in a vector
template <class T>
using Strided = typename VectorOf<Bits<sizeof(T)>, strided_lanes<T> * sizeof(T)>::Type;

// Copies an element by a volatile access, so that no compiler vectorises the loop.
template <class T> USMTENSOR_INLINE void copy_scalar(T *to, const T *from) {
  if constexpr (sizeof(T) <= 8)
    *to = reinterpret<T>(*reinterpret_cast<const volatile Bits<sizeof(T)> *>(from));
  else
    copy_element(to, from);
}

// to[i] = *at(i)
template <class T, class At> USMTENSOR_INLINE void read_strided(int64 n, T *to, At at) {
  int64 i = 0;
  if constexpr (sizeof(T) <= 8)
    for (; i + strided_lanes<T> <= n; i += strided_lanes<T>) {
      Strided<T> elements;
      USMTENSOR_UNROLL
      for (int k = 0; k < strided_lanes<T>; ++k)
        elements[k] = load_as<Bits<sizeof(T)>>(at(i + k));
      __builtin_memcpy(to + i, &elements, sizeof elements);
    }
  for (; i < n; ++i)
    copy_scalar(to + i, at(i));
}

// *at(i) = from[i], in order
template <class T, class At> USMTENSOR_INLINE void write_strided(int64 n, At at, const T *from) {
  int64 i = 0;
  if constexpr (sizeof(T) <= 8)
    for (; i + strided_lanes<T> <= n; i += strided_lanes<T>) {
      const auto elements = load_as<Strided<T>>(from + i);
      USMTENSOR_UNROLL
      for (int k = 0; k < strided_lanes<T>; ++k) {
        const Bits<sizeof(T)> element = elements[k];
        __builtin_memcpy(at(i + k), &element, sizeof element);
      }
    }
  for (; i < n; ++i)
    copy_scalar(at(i), from + i);
}

} // namespace usmtensor
