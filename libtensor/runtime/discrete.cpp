#include "discrete.hpp"

#include "memory.hpp"
#include "queue.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <string>

namespace usmtensor {

namespace {

// Never destroyed: memory may be freed at exit.
struct Protection {
  std::mutex mutex;
  std::map<char *, std::size_t> hidden; // every block that is out of reach, and its size
  bool over = false;                    // the process is at its end

  static Protection &get() {
    static Protection &protection = *new Protection;
    return protection;
  }

  // A block that cannot be hidden, as when there are too many mappings, is only checked less.
  void hide(char *pointer, std::size_t nbytes) noexcept {
    try {
      if (!over && hidden.emplace(pointer, nbytes).second)
        mprotect(pointer, nbytes, PROT_NONE);
    } catch (const std::bad_alloc &) {
    }
  }

  void reveal(char *pointer, std::size_t nbytes) noexcept {
    if (hidden.erase(pointer))
      mprotect(pointer, nbytes, PROT_READ | PROT_WRITE);
  }
};

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

void hide(char *pointer, std::size_t nbytes) noexcept {
  Protection &protection = Protection::get();
  std::lock_guard<std::mutex> lock(protection.mutex);
  protection.hide(pointer, nbytes);
}

void reveal(char *pointer, std::size_t nbytes) noexcept {
  Protection &protection = Protection::get();
  std::lock_guard<std::mutex> lock(protection.mutex);
  protection.reveal(pointer, nbytes);
}

void reveal_all() noexcept {
  Protection &protection = Protection::get();
  std::lock_guard<std::mutex> lock(protection.mutex);
  protection.over = true;
  for (const auto &[pointer, nbytes] : protection.hidden)
    mprotect(pointer, nbytes, PROT_READ | PROT_WRITE);
  protection.hidden.clear();
}

void DeviceAccess::begin() {
  Protection &protection = Protection::get();
  std::lock_guard<std::mutex> lock(protection.mutex);
  for (const Operands &operands : {reads_, writes_})
    for (const Allocation *memory : operands)
      if (hidden(memory) && memory->commands++ == 0)
        protection.reveal(memory->pointer, memory->block);
}

void DeviceAccess::end() {
  Protection &protection = Protection::get();
  std::lock_guard<std::mutex> lock(protection.mutex);
  for (const Operands &operands : {reads_, writes_})
    for (const Allocation *memory : operands)
      if (hidden(memory) && --memory->commands == 0 && !memory->escaped)
        protection.hide(memory->pointer, memory->block);
}

void reveal_for_good(Allocation &memory) {
  const bool was_hidden = hidden(&memory);
  memory.escaped = true;
  if (was_hidden)
    reveal(memory.pointer, memory.block);
}

void lock_discrete_for_fork() { Protection::get().mutex.lock(); }

void unlock_discrete_after_fork() { Protection::get().mutex.unlock(); }

} // namespace usmtensor
