// Threads that begin together.
#pragma once
#include <atomic>
#include <thread>
#include <vector>

// Calls run(number) on so many threads at once, and waits for them.
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
