// The one door through which every command reaches a queue, and the host the operands; and the
// commands on bytes: copies, hints, barriers.
#pragma once
#include "function_ref.hpp"
#include "handles.hpp"
#include "operand_lock.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace usmtensor {

// Submits command to queue, ordered after everything that was submitted on the operands before and
// before everything that is submitted on them later, on any queue, by the library or by the user.
// Returns at once, unless an operand has a host view, or so much is pending that other waits would
// take long. `nanoseconds` estimates the command. Native errors arrive as Error.
void submit(const Queue &queue, Operands operands, Command command, std::int64_t nanoseconds = 0);

// The same for the commands of a library such as oneMKL, of which sycl::free knows nothing.
void submit_library(const Queue &queue, Operands operands, Command command,
                    std::int64_t nanoseconds = 0);

// Whether nothing is pending on the operands nor on the queue, and the host may touch them: it is
// known without waiting, and a command may run here and now.
bool nothing_pending(const Queue &queue, Operands operands);
// Runs such a command on this thread.
void run_here(HostCommand command);

// For a command that uses foreign host memory: complete on return.
void submit_and_wait(const Queue &queue, Operands operands, Command command);

// Foreign code is going to work on a memory with `queue`. Its later commands come after the work on
// the memory, and the library's later work on the memory comes after these.
void share_with(const QueueRef &queue, Allocation &memory);

// Runs host code that touches the operands, which are host_accessible, after all work on them.
void host_access(const Queue &queue, Operands operands, HostCommand command);

// The start of some bytes: in an allocation of the queue's context, or in host memory (null).
struct Bytes {
  void *pointer;
  const Allocation *memory;
};

void transfer(const Queue &queue, const Bytes &destination, const Bytes &source,
              std::size_t nbytes);
// Returns before the copy is complete: both sides must live until the event is complete. `after`
// must be events of the queue's context, here and in barrier(): others crash in the runtime.
EventRef transfer_async(const Queue &queue, const Bytes &destination, const Bytes &source,
                        std::size_t nbytes, const std::vector<EventRef> &after);
// Complete when these events are; without events, when all earlier commands are.
EventRef barrier(const Queue &queue, const std::vector<EventRef> &events);

void prefetch(const Queue &queue, const Bytes &bytes, std::size_t nbytes);
void advise(const Queue &queue, const Bytes &bytes, std::size_t nbytes, int advice);

} // namespace usmtensor
