#include "runtime/gate.hpp"

#include "check.hpp"
#include "threads.hpp"

#include <chrono>

using namespace usmtensor;

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Protected by the gate. It is not atomic, so that a sanitizer detects a race.
long protected_value = 0;
std::atomic<long> inside{0};

void test_forks() {
  constexpr int threads = 8, forks = 50;
  std::atomic<int> done{0};
  on_threads(threads, [&](int number) {
    if (number < 2) { // two threads fork at the same time
      for (int i = 0; i < forks; ++i) {
        close_gate_for_fork();
        CHECK(inside == 0);
        ++protected_value;
        {
          const DriverScope own;
        } // the forking thread may enter
        open_gate_after_fork_parent();
        std::this_thread::sleep_for(std::chrono::microseconds(300));
      }
      ++done;
      return;
    }
    while (done < 2) {
      const DriverScope scope;
      ++inside;
      {
        const DriverScope nested;
        CHECK(protected_value >= 0);
      }
      --inside;
    }
  });
  CHECK(protected_value == 2 * forks);
}

void test_child() {
  const DriverScope scope; // a fork during a scope
  close_gate_for_fork();
  open_gate_after_fork_child();
  CHECK(!driver_was_lost());
  note_non_cpu_driver();
  CHECK(!driver_was_lost()); // this process uses the driver, its parent did not
  close_gate_for_fork();
  open_gate_after_fork_child();
  CHECK(driver_was_lost());
  on_threads(2, [](int) { const DriverScope other; });
}

// The last test: the gate stays closed.
void test_exit() {
  std::atomic<bool> entered{false}, left{false}, uses{false}, used{false}, pauses{false}, go{false};
  std::thread user([&] {
    begin_memory_use();
    uses = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    used = true;
    const DriverScope held; // the exit does not wait for a thread that waits for it
    end_memory_use();
  });
  std::thread pausing([&] {
    begin_memory_use();
    {
      const MemoryUsePause pause;
      pauses = true;
      while (!go)
        std::this_thread::yield();
    }
    end_memory_use();
  });
  std::thread late([&] {
    while (!go)
      std::this_thread::yield();
    const auto start = Clock::now();
    begin_memory_use();
    CHECK(seconds_since(start) > 1);
    end_memory_use();
  });
  std::thread slow([&] {
    {
      const DriverScope scope;
      entered = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      left = true;
    }
    while (!go)
      std::this_thread::yield();
    const auto start = Clock::now();
    const DriverScope held;
    CHECK(seconds_since(start) > 1);
  });
  while (!entered || !uses || !pauses)
    std::this_thread::yield();
  CHECK(!closed_at_exit_by_this_thread());
  const auto exit = Clock::now();
  close_gate_at_exit();
  CHECK(left && used);
  CHECK(seconds_since(exit) < 5);
  CHECK(closed_at_exit_by_this_thread());
  go = true;
  const auto start = Clock::now();
  {
    const DriverScope own;
  }
  close_gate_at_exit();
  close_gate_for_fork();
  open_gate_after_fork_parent();
  CHECK(seconds_since(start) < 1);
  CHECK(closed_at_exit_by_this_thread());
  std::this_thread::sleep_for(std::chrono::milliseconds(1200)); // as long as an exit may wait
  open_gate_later();
  for (std::thread *thread :
       {&slow, &user, &pausing, &late}) // they were only stopped for some time
    thread->join();
}

} // namespace

int main() {
  test_forks();
  test_child();
  test_exit();
  return failures != 0;
}
