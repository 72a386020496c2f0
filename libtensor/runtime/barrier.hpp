// Barriers, which are commands too; for the .cpp files.
#pragma once
#include "queue.hpp"

#include <sycl/queue.hpp>

#include <vector>

namespace usmtensor {

inline sycl::event submit_barrier(const Queue &queue) {
  const Submission submission(queue);
  return queue.sycl->ext_oneapi_submit_barrier();
}

inline sycl::event submit_barrier(const Queue &queue, const std::vector<sycl::event> &after) {
  const Submission submission(queue);
  return queue.sycl->ext_oneapi_submit_barrier(after);
}

} // namespace usmtensor
