// Discrete mode (USMTENSOR_DISCRETE=1): on a CPU device, memory of device kind is out of the host's
// reach except while a command of ours runs on it, so that a host access dies as it would on a GPU.
#pragma once
#include "handles.hpp"
#include "submit.hpp"

#include <cstddef>
#include <cstdint>

namespace usmtensor {

enum class UsmKind : std::uint8_t; // memory.hpp

bool discrete_mode();
// Whether blocks of a kind are hidden, and with that made of whole pages.
bool hides(const Queue &queue, UsmKind kind);
void hide(char *pointer, std::size_t nbytes) noexcept;
void reveal(char *pointer, std::size_t nbytes) noexcept;
// Marks a memory as escaped: its user decides when commands run on it.
void reveal_for_good(Allocation &memory);
// At exit the driver frees what is left: from now on nothing is hidden.
void reveal_all() noexcept;

// While it lives, commands may run on the operands. They are complete when it ends. It refers to
// the lists that it is given, which are usually its caller's own parameters.
class DeviceAccess {
public:
  DeviceAccess(Operands reads, Operands writes) : reads_(reads), writes_(writes) {
    if (discrete_mode())
      begin();
  }
  ~DeviceAccess() {
    if (discrete_mode())
      end();
  }
  DeviceAccess(const DeviceAccess &) = delete;
  DeviceAccess &operator=(const DeviceAccess &) = delete;

private:
  void begin();
  void end();

  const Operands reads_, writes_;
};

// Around a fork, as those of pool.hpp.
void lock_discrete_for_fork();
void unlock_discrete_after_fork();

} // namespace usmtensor
