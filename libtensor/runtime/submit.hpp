// The one door through which every command reaches a queue.
#pragma once
#include "handles.hpp"

#include <initializer_list>
#include <type_traits>
#include <utility>

namespace usmtensor {

// A non-owning reference to a callable void(sycl::queue &): no allocation on the hot path.
class Command {
public:
  template <class F, class = std::enable_if_t<!std::is_same_v<std::decay_t<F>, Command>>>
  Command(F &&callable)
      : object_(const_cast<void *>(static_cast<const void *>(&callable))),
        call_([](void *object, sycl::queue &queue) {
          (*static_cast<std::remove_reference_t<F> *>(object))(queue);
        }) {}
  void operator()(sycl::queue &queue) const { call_(object_, queue); }

private:
  void *object_;
  void (*call_)(void *, sycl::queue &);
};

using Operands = std::initializer_list<const Allocation *>;

// Runs command on queue, ordered after everything that touched the operands before and before
// everything that touches them later, whatever queue that was on. Native errors arrive as Error.
void submit(const Queue &queue, Operands reads, Operands writes, Command command);

} // namespace usmtensor
