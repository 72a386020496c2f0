#include "submit.hpp"

#include "queue.hpp"
#include "translate.hpp"

#include <sycl/queue.hpp>

namespace usmtensor {

namespace {

// Every command is complete when this returns, so program order holds whatever the operands are.
template <class F> void run(const Queue &queue, F &&command) {
  try {
    if (!queue.in_order)
      queue.sycl->wait(); // what the user submitted by other means comes first
    command();
    queue.sycl->wait();
  } catch (const sycl::exception &error) {
    throw Error(ErrorKind::sycl, error.what(), error.code().value());
  }
}

} // namespace

void submit(const Queue &queue, Operands /*reads*/, Operands /*writes*/, Command command) {
  run(queue, [&] { command(*queue.sycl); });
}

void submit_and_wait(const Queue &queue, Operands reads, Operands writes, Command command) {
  submit(queue, reads, writes, command);
}

void host_access(const Queue &queue, Operands /*reads*/, Operands /*writes*/, HostCommand command) {
  try {
    queue.sycl->wait();
  } catch (const sycl::exception &error) {
    throw Error(ErrorKind::sycl, error.what(), error.code().value());
  }
  command();
}

} // namespace usmtensor
