// References to callables, by which commands are passed to the runtime.
#pragma once
#include "handles.hpp"

#include <type_traits>
#include <utility>

namespace usmtensor {

// A non-owning reference to a callable. Unlike std::function, it does not allocate.
template <class... Args> class FunctionRef {
public:
  template <class F, class = std::enable_if_t<!std::is_same_v<std::decay_t<F>, FunctionRef>>>
  FunctionRef(F &&callable)
      : object_(const_cast<void *>(static_cast<const void *>(&callable))),
        call_([](void *object, Args... args) {
          (*static_cast<std::remove_reference_t<F> *>(object))(args...);
        }) {}
  void operator()(Args... args) const { call_(object_, args...); }

private:
  void *object_;
  void (*call_)(void *, Args...);
};

using Command = FunctionRef<sycl::queue &>; // submits to the queue
using HostCommand = FunctionRef<>;          // runs on the calling thread

} // namespace usmtensor
