// Submits commands to queues, and runs host code on operands; every operation uses these functions.
// Also commands on bytes: copies, hints, barriers.
#pragma once
#include "function_ref.hpp"
#include "handles.hpp"
#include "operand_lock.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace usmtensor {

// Submits a command to a queue. It runs after all earlier commands on the operands, and before all
// later ones, on any queue, by the library or by the user. Returns immediately, unless an operand
// has a host view, or so much work is pending that other waits would take long. `nanoseconds` is an
// estimate of the command's time. SYCL exceptions become Errors.
void submit(const Queue &queue, Operands operands, Command command, std::int64_t nanoseconds = 0);

// The same for the commands of a library such as oneMKL, for which sycl::free does not wait.
void submit_library(const Queue &queue, Operands operands, Command command,
                    std::int64_t nanoseconds = 0);

// True if no command is pending on the operands or the queue, as far as is known without waiting,
// and the host may access the operands. Then a command may run on this thread immediately.
bool nothing_pending(const Queue &queue, Operands operands);
// Runs a command on this thread. Requires nothing_pending().
void run_here(HostCommand command);

// For a command that uses foreign host memory: complete on return.
void submit_and_wait(const Queue &queue, Operands operands, Command command);

// Call this before foreign code uses a memory with `queue`. Its commands then come after the
// earlier commands on the memory, and later commands of the library come after them.
void share_with(const QueueRef &queue, Allocation &memory);

// Waits for all commands on the operands, and then runs host code that accesses them. They must be
// host_accessible().
void host_access(const Queue &queue, Operands operands, HostCommand command);

// A pointer into an allocation of the queue's context, or into host memory (no allocation).
struct Bytes {
  void *pointer;
  const Allocation *memory;
};

void transfer(const Queue &queue, const Bytes &destination, const Bytes &source,
              std::size_t nbytes);
// Returns before the copy is complete; the caller keeps both sides alive until the event is
// complete. `after` must be events of the queue's context, here and in barrier(), because the
// runtime crashes with others.
EventRef transfer_async(const Queue &queue, const Bytes &destination, const Bytes &source,
                        std::size_t nbytes, const std::vector<EventRef> &after);
// An event that is complete when these events are; without events, when all earlier commands are.
EventRef barrier(const Queue &queue, const std::vector<EventRef> &events);

void prefetch(const Queue &queue, const Bytes &bytes, std::size_t nbytes);
void advise(const Queue &queue, const Bytes &bytes, std::size_t nbytes, int advice);

} // namespace usmtensor
