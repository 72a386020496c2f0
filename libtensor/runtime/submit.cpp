#include "submit.hpp"

#include "queue.hpp"
#include "translate.hpp"

#include <sycl/queue.hpp>

namespace usmtensor {

// Every command is complete when this returns, so program order holds whatever the operands are.
void submit(const Queue &queue, Operands /*reads*/, Operands /*writes*/, Command command) {
  try {
    if (!queue.in_order)
      queue.sycl->wait(); // what the user submitted by other means comes first
    command(*queue.sycl);
    queue.sycl->wait();
  } catch (const sycl::exception &error) {
    throw Error(ErrorKind::sycl, error.what(), error.code().value());
  }
}

} // namespace usmtensor
