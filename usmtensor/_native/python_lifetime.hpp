// The lifetime of Python objects and native handles that own each other, and the GIL.
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

// Calls a function that acquires the GIL. During finalisation Python terminates the calling thread
// by forced unwinding, which must not leave a destructor. So the thread sleeps until the process
// exits.
template <class Take> auto take_gil(Take &&take) {
  try {
    return take();
  } catch (...) {
    for (;;)
      ::pause();
  }
}

// A release that drops a reference, on any thread. After finalisation of the interpreter, the
// object is leaked.
inline std::function<void()> python_release(PyObject *object) {
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

// Releases a handle that a Python object owns. If the pool does not take the block, the driver or a
// foreign owner frees it without the GIL, because that may wait for commands.
inline void release_memory(Memory &handle) {
  if (handle && !return_to_pool(handle)) {
    const WithoutGil unlocked;
    handle.reset();
  }
}
struct OwnedMemory : Memory {
  using Memory::operator=;
  ~OwnedMemory() { release_memory(*this); }
};
// For local variables of Cython functions, whose destructors run with the GIL.
struct OwnedTrueCount : TrueCount {
  OwnedTrueCount() = default;
  OwnedTrueCount(TrueCount count) : TrueCount(std::move(count)) {}
  ~OwnedTrueCount() { release_memory(starts); }
};
struct OwnedSelection : Selection {
  ~OwnedSelection() { release_memory(found.starts); }
};

// A free list of array objects. The garbage collector does not track a new array until track() is
// called. Subclasses inherit the functions, but do not use the list, because their objects may be
// larger.
class ObjectFreeList {
public:
  static void install(PyTypeObject *cls) {
    class_ = cls;
    cls->tp_alloc = allocate;
    cls->tp_free = free;
  }

private:
  static PyObject *allocate(PyTypeObject *cls, Py_ssize_t items) {
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
  static void free(void *object) {
#ifndef Py_GIL_DISABLED // the list relies on the GIL
    if (Py_TYPE(static_cast<PyObject *>(object)) == class_ && count_ < max_count) {
      objects_[count_++] = object;
      return;
    }
#endif
    PyObject_GC_Del(object);
  }

  static constexpr int max_count = 64;
  static inline PyTypeObject *class_;
  static inline void *objects_[max_count];
  static inline int count_ = 0;
};

// The memories of the arguments of an operation. The last view is written, and the others are read.
// If `in_place`, all are considered written.
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

// A lock on the operands of an operation that Python code composes of several operations. The
// thread may run Python code while it holds the lock, because other threads wait for it without the
// GIL.
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

// A caller with the GIL. While it holds the GIL, a BriefLock delays operations of other threads.
// When it releases the GIL, it locks its operands, which `collect` returns as Memories.
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

// The .pxd files wrap all functions of libtensor that may block in one of these macros, so that no
// caller can forget it. The caller's references keep the arrays alive, and their layouts are
// immutable.

// Calls a function without the GIL, with its operands locked.
#define USMTENSOR_UNLOCKED(function, in_place)                                                     \
  [](auto &&...arguments) {                                                                        \
    const usmtensor::WithoutGil released;                                                          \
    const usmtensor::Memories operands(in_place, arguments...);                                    \
    const usmtensor::OperandLock lock(operands.written(), operands.read());                        \
    return usmtensor::function(arguments...);                                                      \
  }
// Calls a function that releases the GIL only if it takes long or waits. Its last argument is the
// caller.
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

// A release that waits for the queue and then calls a native deleter, without the GIL. It does
// nothing at the exit of the process, because the deleter's library may be unloaded.
inline std::function<void()> deleter_release(const QueueRef &queue, void (*deleter)(void *),
                                             void *context) {
  return [queue, deleter, context] {
    if (process_is_exiting())
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
