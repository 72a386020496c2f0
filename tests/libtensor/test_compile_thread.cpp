#include "runtime/compile_thread.hpp"
#include "runtime/gate.hpp"

#include "check.hpp"
#include "threads.hpp"

#include <future>
#include <memory>
#include <vector>

using namespace usmtensor;

int main() {
  constexpr int threads = 8, jobs = 200;
  std::atomic<int> done{0};
  long unprotected = 0; // one thread runs all jobs
  on_threads(threads, [&](int) {
    for (int i = 0; i < jobs; ++i)
      run_on_compile_thread([&] {
        ++unprotected;
        ++done;
      });
  });
  while (done < threads * jobs)
    std::this_thread::yield();
  CHECK(unprotected == threads * jobs);

  auto id_of_worker = [] {
    auto id = std::make_shared<std::promise<std::thread::id>>();
    std::future<std::thread::id> result = id->get_future();
    run_on_compile_thread([id] { id->set_value(std::this_thread::get_id()); });
    return result.get();
  };
  const std::thread::id worker = id_of_worker();
  CHECK(worker != std::this_thread::get_id());
  CHECK(worker == id_of_worker());

  close_gate_for_fork(); // no job runs meanwhile
  std::atomic<bool> ran{false};
  run_on_compile_thread([&] { ran = true; });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(!ran);
  open_gate_after_fork_parent();
  while (!ran)
    std::this_thread::yield();

  std::vector<int> order;
  std::promise<void> all_ran;
  close_gate_for_fork();
  for (int i = 0; i < 3; ++i)
    run_on_compile_thread([&, i] { order.push_back(i); });
  run_on_compile_thread([&] { all_ran.set_value(); });
  run_on_compile_thread([&] { order.push_back(3); }, true);
  open_gate_after_fork_parent();
  all_ran.get_future().wait();
  // The thread may have taken its next job already.
  CHECK((order == std::vector<int>{3, 0, 1, 2} || order == std::vector<int>{0, 3, 1, 2}));

  std::atomic<bool> began{false}, ended{false};
  run_on_compile_thread([&] {
    began = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ended = true;
  });
  while (!began)
    std::this_thread::yield();
  wait_for_compile_job();
  CHECK(ended);

  renew_compile_thread();
  CHECK(id_of_worker() != worker);

  close_gate_at_exit();
  CHECK(id_of_worker() == std::this_thread::get_id());
  return failures != 0;
}
