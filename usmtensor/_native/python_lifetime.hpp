// Python objects that native handles keep, and native handles that Python code releases.
#pragma once
#include "layout/view.hpp"
#include "ops/elementwise.hpp"
#include "ops/selection.hpp"
#include "ops/user_kernel.hpp"
#include "runtime/caller.hpp"
#include "runtime/memory.hpp"
#include "runtime/operand_lock.hpp"
#include "runtime/pool.hpp"
#include "runtime/queue.hpp"
#include "runtime/submit.hpp"

#include <Python.h>
#include <cstring>
#include <functional>
#include <optional>
#include <type_traits>
#include <unistd.h>
#include <utility>
#include <vector>

namespace usmtensor {

// Calls a function that takes the GIL. When the interpreter ends, Python ends the calling thread by
// an exception in C, which must not leave a destructor: the thread stays until the process exits.
template <class Take> auto take_gil(Take &&take) {
  try {
    return take();
  } catch (...) {
    for (;;)
      ::pause();
  }
}

// Releases a reference, on any thread. At the end of the interpreter the object stays.
inline std::function<void()> releasing(PyObject *object) {
  return [object] {
    if (!Py_IsInitialized())
      return;
    const PyGILState_STATE state = take_gil([] { return PyGILState_Ensure(); });
    Py_DECREF(object);
    PyGILState_Release(state);
  };
}

// During the life of this object the thread does not hold the GIL.
class WithoutGil {
public:
  WithoutGil() : state_(Py_IsInitialized() && holds_gil() ? PyEval_SaveThread() : nullptr) {}
  ~WithoutGil() {
    if (state_)
      take_gil([&] { PyEval_RestoreThread(state_); });
  }
  WithoutGil(const WithoutGil &) = delete;
  WithoutGil &operator=(const WithoutGil &) = delete;

private:
  static bool holds_gil() { // PyGILState_Check() always returns 1 with sub-interpreters
#if PY_VERSION_HEX >= 0x030D0000
    return PyThreadState_GetUnchecked() != nullptr;
#else
    PyThreadState *const own = PyGILState_GetThisThreadState();
    return own && own == _PyThreadState_UncheckedGet();
#endif
  }

  PyThreadState *const state_;
};

// Releases the handle that a Python object owns. The block goes to the pool; otherwise the driver
// or a foreign owner frees it, without the GIL, because that may wait for commands.
inline void end_memory(Memory &handle) {
  if (handle && !return_to_pool(handle)) {
    const WithoutGil unlocked;
    handle.reset();
  }
}
struct KeptMemory : Memory {
  using Memory::operator=;
  ~KeptMemory() { end_memory(*this); }
};
// The same for local objects of Cython functions, whose destructors run with the GIL.
struct KeptTrueCount : TrueCount {
  KeptTrueCount() = default;
  KeptTrueCount(TrueCount count) : TrueCount(std::move(count)) {}
  ~KeptTrueCount() { end_memory(starts); }
};
struct KeptSelection : Selection {
  ~KeptSelection() { end_memory(found.starts); }
};

// The objects of deleted arrays, which new arrays reuse. The garbage collector does not track a new
// array until track(). Subclasses inherit the functions, but not the objects, which may be too
// small for them.
class EndedObjects {
public:
  static void serve(PyTypeObject *cls) {
    class_ = cls;
    cls->tp_alloc = take;
    cls->tp_free = keep;
  }

private:
  static PyObject *take(PyTypeObject *cls, Py_ssize_t items) {
    if (cls == class_ && count_ > 0) {
      void *const object = objects_[--count_];
      std::memset(object, 0, cls->tp_basicsize);
      return PyObject_Init(static_cast<PyObject *>(object), cls);
    }
    PyObject *const object = PyType_GenericAlloc(cls, items);
    if (object && cls == class_)
      PyObject_GC_UnTrack(object);
    return object;
  }
  static void keep(void *object) {
#ifndef Py_GIL_DISABLED // without the lock two threads might take one object
    if (Py_TYPE(static_cast<PyObject *>(object)) == class_ && count_ < most) {
      objects_[count_++] = object;
      return;
    }
#endif
    PyObject_GC_Del(object);
  }

  static constexpr int most = 64;
  static inline PyTypeObject *class_;
  static inline void *objects_[most];
  static inline int count_ = 0;
};

// The memories of the arguments of an operation. The last view receives the result, and the others
// are read; with `in_place` all of them are written.
class Memories {
public:
  template <class... Arguments>
  explicit Memories(bool in_place, const Arguments &...arguments) : in_place_(in_place) {
    (add(arguments), ...);
    if (last_view_)
      written_.push_back(last_view_);
  }
  Operands written() const { return {written_.data(), written_.size()}; }
  Operands read() const { return {read_.data(), read_.size()}; }

private:
  template <class T> void add(const T &argument) {
    if constexpr (std::is_same_v<T, View>) {
      add_input(last_view_);
      last_view_ = argument.memory;
    } else if constexpr (std::is_same_v<T, Bytes>) {
      written_.push_back(argument.memory);
    } else if constexpr (std::is_same_v<T, Allocation>) {
      written_.push_back(&argument);
    } else if constexpr (std::is_same_v<T, Input>) {
      if (argument.array)
        add_input(argument.array->memory);
    } else if constexpr (std::is_base_of_v<Selection, T>) {
      add_input(argument.base.memory);
      if (argument.masked)
        add_input(argument.mask.memory);
      for (const Selection::Index &index : argument.indices)
        add_input(index.view.memory);
    } else if constexpr (std::is_same_v<T, UserOperands>) {
      for (const View &view : argument.inputs)
        add_input(view.memory);
      for (const View &view : argument.outputs)
        written_.push_back(view.memory);
      for (const View &view : argument.raw)
        written_.push_back(view.memory);
    }
  }
  template <class T> void add(const Span<T> &arguments) {
    for (const T &one : arguments)
      add(one);
  }
  void add(const std::vector<const Allocation *> &memories) {
    written_.insert(written_.end(), memories.begin(), memories.end());
  }
  void add_input(const Allocation *memory) { (in_place_ ? written_ : read_).push_back(memory); }

  const bool in_place_;
  const Allocation *last_view_ = nullptr;
  std::vector<const Allocation *> written_, read_;
};

// The lock of the operands of an operation that Python code composes of several ones. The thread
// may hold it while it runs Python code, because other threads wait for the lock without the GIL.
class HeldOperands {
public:
  void write(const Allocation &memory) { written_.push_back(&memory); }
  void read(const Allocation &memory) { read_.push_back(&memory); }
  void lock() {
    const WithoutGil released;
    lock_.emplace(Operands(written_.data(), written_.size()), Operands(read_.data(), read_.size()));
  }

private:
  std::vector<const Allocation *> written_, read_;
  std::optional<OperandLock> lock_;
};

// A caller with the GIL. While it keeps the GIL, operations of other threads on its operands, which
// `collect` returns as Memories, begin later. When it gives the GIL up, it locks them.
template <class Collect> class GilCaller final : public Caller {
public:
  explicit GilCaller(const Collect &collect) : Caller(true), collect_(collect) {
    const auto ranges = [&] {
      const Memories operands = collect_();
      return OperandRanges(operands.written(), operands.read());
    };
    if (!brief_->covers(ranges))
      release();
  }

private:
  void unlock() override {
    brief_.reset();
    released_.emplace();
    const Memories operands = collect_();
    lock_.emplace(operands.written(), operands.read());
  }

  const Collect &collect_;
  std::optional<BriefLock> brief_{std::in_place};
  std::optional<WithoutGil> released_;
  std::optional<OperandLock> lock_;
};

// The .pxd files wrap functions of libtensor that may block in one of these ways, so that no caller
// can forget it. The caller's references keep the arrays alive, and their layouts never change.

// The call releases the GIL and locks the operands.
#define USMTENSOR_UNLOCKED(function, in_place)                                                     \
  [](auto &&...arguments) {                                                                        \
    const usmtensor::WithoutGil released;                                                          \
    const usmtensor::Memories operands(in_place, arguments...);                                    \
    const usmtensor::OperandLock lock(operands.written(), operands.read());                        \
    return usmtensor::function(arguments...);                                                      \
  }
// The function does so if it takes long or waits; its last argument is the caller.
#define USMTENSOR_MAY_UNLOCK(function, in_place)                                                   \
  [](auto &&...arguments) {                                                                        \
    const auto collect = [&] { return usmtensor::Memories(in_place, arguments...); };              \
    usmtensor::GilCaller caller(collect);                                                          \
    return usmtensor::function(arguments..., caller);                                              \
  }

// The last view receives the result, unless the function works in place.
#define UNLOCKED(function) USMTENSOR_UNLOCKED(function, false)
#define UNLOCKED_IN_PLACE(function) USMTENSOR_UNLOCKED(function, true)
#define MAY_UNLOCK(function) USMTENSOR_MAY_UNLOCK(function, false)
#define MAY_UNLOCK_IN_PLACE(function) USMTENSOR_MAY_UNLOCK(function, true)

// Calls a deleter of native code after the work on the queue, without the GIL. At the exit of the
// process its library may be gone.
inline std::function<void()> calling(const QueueRef &queue, void (*deleter)(void *),
                                     void *context) {
  return [queue, deleter, context] {
    if (process_exits())
      return;
    const WithoutGil unlocked;
    try {
      wait(*queue);
    } catch (const std::exception &) { // a destructor cannot report it
    }
    deleter(context);
  };
}

} // namespace usmtensor
