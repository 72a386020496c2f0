// Threads that start at the same time.
#pragma once
#include <atomic>
#include <thread>
#include <vector>

// Calls run(number) on `count` threads at the same time, and waits for them.
template <class Run> void on_threads(int count, Run run) {
  std::atomic<int> ready{0};
  std::vector<std::thread> threads;
  for (int number = 0; number < count; ++number)
    threads.emplace_back([&, number] {
      for (++ready; ready < count;)
        std::this_thread::yield();
      run(number);
    });
  for (std::thread &thread : threads)
    thread.join();
}
