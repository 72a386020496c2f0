// What a fork has to leave behind: no command pending, because the child could never wait for it,
// and no lock taken by a thread that the child does not have.
#pragma once

namespace usmtensor {

// Waits for all queues. To be called before a fork by a thread that holds the GIL, without it:
// tasks of the host may wait for the GIL, and what the fork itself waits for is bounded.
void wait_before_fork();
// With the GIL again: whether others have submitted nothing meanwhile.
bool is_ready_for_fork();

} // namespace usmtensor
