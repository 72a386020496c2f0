// Fourier transforms by oneMKL on the host, and a cache of plans for host and device.
#pragma once
#include "mkl.hpp"

#include <algorithm>
#include <list>
#include <mutex>
#include <tuple>

namespace usmtensor::onemkl {

// Computes transforms along columns, and few long transforms, on several CPU threads. Waits for
// commands on the memories. Returns false, and computes nothing, for other transforms.
bool transform_on_host(const QueueRef &queue, const View &x, const View &out,
                       const Fourier &fourier);

inline auto key_of(const Fourier &f) {
  return std::tuple(f.n, f.count, f.in_stride, f.in_distance, f.out_stride, f.out_distance, f.scale,
                    f.forward);
}

// A cache of the most recently used values, the newest first. It is not destroyed at the end of the
// process, because the driver and threads may be gone by then.
template <class Key, class Value> struct RecentCache {
  // The value of a key, which is created if necessary. The caller holds the mutex.
  template <class Make> Value &value(const Key &key, Make make) {
    const auto known = std::find_if(entries.begin(), entries.end(),
                                    [&](const auto &entry) { return entry.first == key; });
    if (known != entries.end())
      entries.splice(entries.begin(), entries, known);
    else
      entries.emplace_front(key, make());
    if (entries.size() > max_entries)
      entries.pop_back();
    return entries.front().second;
  }

  static constexpr std::size_t max_entries = 16;
  std::mutex mutex;
  std::list<std::pair<Key, Value>> entries;
};

} // namespace usmtensor::onemkl
