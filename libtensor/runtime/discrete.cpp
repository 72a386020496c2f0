#include "discrete.hpp"

#include "memory.hpp"
#include "queue.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <mutex>
#include <string>

namespace usmtensor {

namespace {

// Orders what threads do to one block. Never destroyed: memory may be freed at exit.
std::mutex &protection() {
  static std::mutex &mutex = *new std::mutex;
  return mutex;
}

bool hidden(const Allocation *memory) {
  return memory && memory->block && hides(*memory->queue, memory->kind);
}

} // namespace

bool discrete_mode() {
  static const bool on = [] {
    const char *text = std::getenv("USMTENSOR_DISCRETE");
    return text && std::string(text) == "1";
  }();
  return on;
}

bool hides(const Queue &queue, UsmKind kind) {
  return kind == UsmKind::device && queue.cpu && discrete_mode();
}

// A block that cannot be hidden, as when there are too many mappings, is only checked less.
void hide(char *pointer, std::size_t nbytes) noexcept { mprotect(pointer, nbytes, PROT_NONE); }

void reveal(char *pointer, std::size_t nbytes) noexcept {
  mprotect(pointer, nbytes, PROT_READ | PROT_WRITE);
}

void DeviceAccess::begin() {
  std::lock_guard<std::mutex> lock(protection());
  for (const Operands &operands : {reads_, writes_})
    for (const Allocation *memory : operands)
      if (hidden(memory) && memory->commands++ == 0)
        reveal(memory->pointer, memory->block);
}

void DeviceAccess::end() {
  std::lock_guard<std::mutex> lock(protection());
  for (const Operands &operands : {reads_, writes_})
    for (const Allocation *memory : operands)
      if (hidden(memory) && --memory->commands == 0 && !memory->escaped)
        hide(memory->pointer, memory->block);
}

void escape(Allocation &memory) {
  memory.escaped = true;
  if (hidden(&memory)) {
    std::lock_guard<std::mutex> lock(protection());
    reveal(memory.pointer, memory.block);
  }
}

void lock_discrete_for_fork() { protection().lock(); }

void unlock_discrete_after_fork() { protection().unlock(); }

} // namespace usmtensor
