// Discrete mode (USMTENSOR_DISCRETE=1) protects memory of kind device on CPUs: it is accessible
// only while a command of the library runs on it. Other host accesses crash the process, as on a
// GPU.
#pragma once
#include "handles.hpp"

#include <cstddef>

namespace usmtensor {

bool discrete_mode();
// True if blocks of a kind are hidden. Hidden blocks consist of whole pages.
bool hides(DeviceClass device, UsmKind kind);
void hide(char *pointer, std::size_t nbytes) noexcept;
// Makes a block permanently accessible: foreign code uses it, or it is freed to the driver.
void reveal(char *pointer) noexcept;
// Makes all blocks accessible, because the driver frees them at exit. From now on none is hidden.
void reveal_all() noexcept;
// Call these before and after a command on a block, hidden or not. May be nested.
void open_block(char *pointer);
void close_block(char *pointer);

// Call these before and after a fork, like the functions of pool.hpp.
void lock_discrete_for_fork();
void unlock_discrete_after_fork();

} // namespace usmtensor
