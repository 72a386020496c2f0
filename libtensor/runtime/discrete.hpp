// Discrete mode (USMTENSOR_DISCRETE=1): on a CPU device, the host reaches memory of device kind
// only while a command of the library runs on it. Other host accesses end the process, as on a GPU.
#pragma once
#include "handles.hpp"

#include <cstddef>

namespace usmtensor {

bool discrete_mode();
// Whether blocks of a kind are hidden. Hidden blocks consist of whole pages.
bool hides(DeviceClass device, UsmKind kind);
void hide(char *pointer, std::size_t nbytes) noexcept;
// Opens a block for good: foreign code uses it, or the driver gets it back.
void reveal(char *pointer) noexcept;
// At exit the driver frees the remaining blocks: from now on no block is hidden.
void reveal_all() noexcept;
// Around a command on a block, hidden or not. May be nested.
void open_block(char *pointer);
void close_block(char *pointer);

// Around a fork, like the functions of pool.hpp.
void lock_discrete_for_fork();
void unlock_discrete_after_fork();

} // namespace usmtensor
