// Dividing work among host threads.
#pragma once
#include "modes.hpp"

#include <atomic>
#include <cstdint>
#include <emmintrin.h>
#include <thread>
#include <vector>

namespace usmtensor {

// Calls work(thread, k) for each k below `count`, on up to `threads` threads. Returns false if a
// call returned false.
template <class Work> bool share_among(int threads, std::int64_t count, Work work) {
  std::atomic<std::int64_t> next{0};
  std::atomic<bool> good{true};
  auto run = [&](int thread) {
    const DefaultModes modes;
    for (std::int64_t k; (k = next++) < count;)
      if (!work(thread, k))
        good = false;
    _mm_sfence(); // for streaming stores
  };
  std::vector<std::thread> others;
  if (threads > 1 && count > 1)
    try {
      others.reserve(threads);
      for (int thread = 1; thread < threads && thread < count; ++thread)
        others.emplace_back(run, thread);
    } catch (...) { // the system cannot start more threads
    }
  run(0);
  for (std::thread &thread : others)
    thread.join();
  return good;
}

} // namespace usmtensor
