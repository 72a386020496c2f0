// Discrete mode (USMTENSOR_DISCRETE=1): on a CPU device, memory of device kind is out of the host's
// reach except while a command of ours runs on it, so that a host access dies as it would on a GPU.
#pragma once
#include "handles.hpp"

#include <cstddef>

namespace usmtensor {

bool discrete_mode();
// Whether blocks of a kind are hidden, and with that made of whole pages.
bool hides(bool cpu, UsmKind kind);
void hide(char *pointer, std::size_t nbytes) noexcept;
// For good: code unknown to us uses the block, or the driver gets it back.
void reveal(char *pointer) noexcept;
// At exit the driver frees what is left: from now on nothing is hidden.
void reveal_all() noexcept;
// While a command runs on a block, which may be hidden or not. May be nested.
void open_block(char *pointer);
void close_block(char *pointer);

// Around a fork, as those of pool.hpp.
void lock_discrete_for_fork();
void unlock_discrete_after_fork();

} // namespace usmtensor
