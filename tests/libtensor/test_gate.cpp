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

// The gate protects this. It is not atomic, so that a sanitizer sees a race.
long protected_value = 0;
std::atomic<long> inside{0};

void test_forks() {
  constexpr int threads = 8, forks = 50;
  std::atomic<int> done{0};
  on_threads(threads, [&](int number) {
    if (number < 2) { // two threads fork at once
      for (int i = 0; i < forks; ++i) {
        close_gate_for_fork();
        CHECK(inside == 0);
        ++protected_value;
        {
          const Passage own;
        } // the forking thread may pass
        open_gate_after_fork_parent();
        std::this_thread::sleep_for(std::chrono::microseconds(300));
      }
      ++done;
      return;
    }
    while (done < 2) {
      const Passage passage;
      ++inside;
      {
        const Passage nested;
        CHECK(protected_value >= 0);
      }
      --inside;
    }
  });
  CHECK(protected_value == 2 * forks);
}

void test_child() {
  const Passage passage; // a fork during a passage
  close_gate_for_fork();
  open_gate_after_fork_child();
  CHECK(!driver_was_lost());
  note_other_driver();
  CHECK(!driver_was_lost()); // its own, not its parent's
  close_gate_for_fork();
  open_gate_after_fork_child();
  CHECK(driver_was_lost());
  on_threads(2, [](int) { const Passage other; });
}

// The last test: the gate stays closed.
void test_exit() {
  std::atomic<bool> entered{false}, left{false}, uses{false}, used{false}, pauses{false}, go{false};
  std::thread user([&] {
    begin_memory_use();
    uses = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    used = true;
    const Passage held; // the exit does not wait for a thread that waits for it
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
      const Passage passage;
      entered = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      left = true;
    }
    while (!go)
      std::this_thread::yield();
    const auto start = Clock::now();
    const Passage held;
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
    const Passage own;
  }
  close_gate_at_exit();
  close_gate_for_fork();
  open_gate_after_fork_parent();
  CHECK(seconds_since(start) < 1);
  CHECK(closed_at_exit_by_this_thread());
  std::this_thread::sleep_for(std::chrono::milliseconds(1200)); // a wait of the exit
  open_gate_later();
  for (std::thread *thread : {&slow, &user, &pausing, &late}) // stopped, but not for ever
    thread->join();
}

} // namespace

int main() {
  test_forks();
  test_child();
  test_exit();
  return failures != 0;
}
