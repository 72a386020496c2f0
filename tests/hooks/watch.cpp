// A watch over the threads that enter the gate.
#include "hooks.hpp"
#include "runtime/gate.hpp"

#include <Python.h>

#include <cstdlib>
#include <execinfo.h>
#include <mutex>
#include <utility>

namespace usmtensor {
namespace {

std::mutex mutex;
std::vector<std::string> found;

bool has_gil() {
#if PY_VERSION_HEX >= 0x030D0000
  return PyThreadState_GetUnchecked() != nullptr;
#else
  PyThreadState *const own = PyGILState_GetThisThreadState();
  return own && own == _PyThreadState_UncheckedGet();
#endif
}

void note_entry() {
  if (!Py_IsInitialized() || !has_gil())
    return;
  void *frames[24];
  const int count = backtrace(frames, 24);
  char **const names = backtrace_symbols(frames, count);
  std::string stack;
  for (int k = 2; names && k < count; ++k) // without this function and the gate
    stack += std::string(names[k]) + "\n";
  std::free(names);
  const std::lock_guard<std::mutex> lock(mutex);
  if (found.size() < 20)
    found.push_back(std::move(stack));
}

} // namespace

void watch_gate(bool on) { gate_watch = on ? note_entry : nullptr; }

std::vector<std::string> entries_with_gil() {
  const std::lock_guard<std::mutex> lock(mutex);
  return std::exchange(found, {});
}

} // namespace usmtensor
