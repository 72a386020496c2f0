// The two ways of oneMKL's Fourier transforms, and plans for both.
#pragma once
#include "mkl.hpp"

#include <algorithm>
#include <list>
#include <mutex>
#include <tuple>

namespace usmtensor::onemkl {

// Computes complex columns and single long transforms on the threads of a CPU, after the work on
// the memories. False for others.
bool transform_on_host(const QueueRef &queue, const View &x, const View &out,
                       const Fourier &fourier);

inline auto key_of(const Fourier &f) {
  return std::tuple(f.n, f.count, f.in_stride, f.in_distance, f.out_stride, f.out_distance, f.scale,
                    f.forward);
}

// The values of the keys used last, the newest first. Those at the end of the process stay: the
// driver and threads may be gone then.
template <class Key, class Value> struct Recent {
  // The value of a key, made if there is none. Hold the mutex.
  template <class Make> Value &value(const Key &key, Make make) {
    const auto known = std::find_if(entries.begin(), entries.end(),
                                    [&](const auto &entry) { return entry.first == key; });
    if (known != entries.end())
      entries.splice(entries.begin(), entries, known);
    else
      entries.emplace_front(key, make());
    if (entries.size() > most)
      entries.pop_back();
    return entries.front().second;
  }

  static constexpr std::size_t most = 16;
  std::mutex mutex;
  std::list<std::pair<Key, Value>> entries;
};

} // namespace usmtensor::onemkl
