#include "discrete.hpp"

#include "settings.hpp"

#include <sys/mman.h>

#include <map>
#include <mutex>
#include <new>

namespace usmtensor {

namespace {

// Never destroyed: memory may be freed at exit.
struct Protection {
  struct Block {
    std::size_t nbytes;
    int commands; // running commands that use it; it is accessible if there are any
  };
  std::mutex mutex;
  std::map<char *, Block> hidden;
  bool exiting = false;

  static Protection &get() {
    static Protection &protection = *new Protection;
    return protection;
  }

  // Changes the number of commands of a block, and the protection if that was or becomes zero.
  void count(char *pointer, int change, int protection_at_change) {
    std::lock_guard<std::mutex> lock(mutex);
    const auto found = hidden.find(pointer);
    if (found == hidden.end())
      return;
    Block &block = found->second;
    const bool was_closed = block.commands == 0;
    block.commands += change;
    if (was_closed != (block.commands == 0))
      mprotect(pointer, block.nbytes, protection_at_change);
  }
};

constexpr int accessible = PROT_READ | PROT_WRITE;

} // namespace

bool discrete_mode() {
  static const bool on = variable("USMTENSOR_DISCRETE") == "1";
  return on;
}

bool hides(DeviceClass device, UsmKind kind) {
  return kind == UsmKind::device && device == DeviceClass::cpu && discrete_mode();
}

void hide(char *pointer, std::size_t nbytes) noexcept {
  Protection &protection = Protection::get();
  std::lock_guard<std::mutex> lock(protection.mutex);
  try {
    if (!protection.exiting &&
        protection.hidden.emplace(pointer, Protection::Block{nbytes, 0}).second)
      mprotect(pointer, nbytes, PROT_NONE);
  } catch (const std::bad_alloc &) { // a visible block only means less checking
  }
}

void reveal(char *pointer) noexcept {
  Protection &protection = Protection::get();
  std::lock_guard<std::mutex> lock(protection.mutex);
  if (const auto found = protection.hidden.extract(pointer))
    mprotect(pointer, found.mapped().nbytes, accessible);
}

void reveal_all() noexcept {
  Protection &protection = Protection::get();
  std::lock_guard<std::mutex> lock(protection.mutex);
  protection.exiting = true;
  for (const auto &[pointer, block] : protection.hidden)
    mprotect(pointer, block.nbytes, accessible);
  protection.hidden.clear();
}

void open_block(char *pointer) { Protection::get().count(pointer, 1, accessible); }

void close_block(char *pointer) { Protection::get().count(pointer, -1, PROT_NONE); }

void lock_discrete_for_fork() { Protection::get().mutex.lock(); }

void unlock_discrete_after_fork() { Protection::get().mutex.unlock(); }

} // namespace usmtensor
