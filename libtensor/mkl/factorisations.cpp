#include "layout/typed.hpp"
#include "mkl.hpp"
#include "runtime/memory.hpp"
#include "runtime/native_queue.hpp"
#include "runtime/queue.hpp"
#include "runtime/submit.hpp"

#include <oneapi/mkl/lapack.hpp>

#include <algorithm>
#include <vector>

namespace usmtensor::onemkl {
namespace {

namespace lapack = oneapi::mkl::lapack;
using oneapi::mkl::job, oneapi::mkl::jobsvd, oneapi::mkl::uplo;

// Calls LAPACK for one matrix of each operand. Without `scratch`, run() returns the number of
// scratch elements that the routine needs.
template <class T> struct Call : Matrices<std::int64_t> {
  using Real = decltype(std::real(T()));
  static constexpr bool is_complex = !std::is_same_v<T, Real>;

  std::int64_t run(Step step, int mode) {
    switch (step) {
    case Step::cholesky:
      return cholesky(mode ? uplo::upper : uplo::lower);
    case Step::lu:
      return scratch ? done(lapack::getrf(queue, m, n, at<T>(0), m, at<std::int64_t>(1), scratch,
                                          size, after))
                     : lapack::getrf_scratchpad_size<T>(queue, m, n, m);
    case Step::solve:
      return scratch ? done(lapack::gesv(queue, n, columns(2), at<T>(0), n, at<std::int64_t>(1),
                                         at<T>(2), n, scratch, size, after))
                     : lapack::gesv_scratchpad_size<T>(queue, n, columns(2), n, n);
    case Step::qr:
      return scratch ? done(lapack::geqrf(queue, m, n, at<T>(0), m, at<T>(1), scratch, size, after))
                     : lapack::geqrf_scratchpad_size<T>(queue, m, n, m);
    case Step::orthonormal:
      return orthonormal(rows(1));
    case Step::eigen:
      return eigen(mode ? job::vec : job::novec);
    case Step::singular:
      return singular(mode ? mode > 1 ? jobsvd::vectors : jobsvd::somevec : jobsvd::novec);
    case Step::general:
      break;
    }
    __builtin_unreachable();
  }

  std::int64_t cholesky(uplo triangle) {
    return scratch ? done(lapack::potrf(queue, triangle, n, at<T>(0), n, scratch, size, after))
                   : lapack::potrf_scratchpad_size<T>(queue, triangle, n, n);
  }
  std::int64_t orthonormal(std::int64_t reflectors) {
    if constexpr (is_complex)
      return scratch ? done(lapack::ungqr(queue, m, n, reflectors, at<T>(0), m, at<T>(1), scratch,
                                          size, after))
                     : lapack::ungqr_scratchpad_size<T>(queue, m, n, reflectors, m);
    else
      return scratch ? done(lapack::orgqr(queue, m, n, reflectors, at<T>(0), m, at<T>(1), scratch,
                                          size, after))
                     : lapack::orgqr_scratchpad_size<T>(queue, m, n, reflectors, m);
  }
  std::int64_t eigen(job vectors) {
    if constexpr (is_complex)
      return scratch ? done(lapack::heevd(queue, vectors, uplo::lower, n, at<T>(0), n, at<Real>(1),
                                          scratch, size, after))
                     : lapack::heevd_scratchpad_size<T>(queue, vectors, uplo::lower, n, n);
    else
      return scratch ? done(lapack::syevd(queue, vectors, uplo::lower, n, at<T>(0), n, at<Real>(1),
                                          scratch, size, after))
                     : lapack::syevd_scratchpad_size<T>(queue, vectors, uplo::lower, n, n);
  }
  std::int64_t singular(jobsvd vectors) {
    const std::int64_t short_rows = std::max(count > 3 ? rows(3) : 0, std::int64_t(1));
    return scratch
               ? done(lapack::gesvd(queue, vectors, vectors, m, n, at<T>(0), m, at<Real>(1),
                                    at<T>(2), m, at<T>(3), short_rows, scratch, size, after))
               : lapack::gesvd_scratchpad_size<T>(queue, vectors, vectors, m, n, m, m, short_rows);
  }

  std::int64_t done(const sycl::event &event) {
    after = {event};
    return 0;
  }

  sycl::queue &queue;
  std::vector<sycl::event> after{}; // events of the preceding commands
  T *scratch = nullptr;
  std::int64_t size = 0;
};

} // namespace

bool factorise(const QueueRef &queue, Step step, int mode, Span<View> operands) {
  if ((step == Step::singular || step == Step::general) && queue->description.is_cpu() &&
      host_accessible(*operands[0].memory))
    return factorise_on_host(step, mode, operands);
  return typed(operands[0].dtype, [&](auto zero) {
    using T = decltype(zero);
    const std::int64_t size = queue->native->ask([&](sycl::queue native) {
      return std::max(Call<T>{{operands}, native}.run(step, mode), std::int64_t(1));
    });
    const Memory scratch = allocate(queue, UsmKind::device, size * sizeof(T));
    std::vector<const Allocation *> memories{scratch.get()};
    for (const View &operand : operands)
      memories.push_back(operand.memory);
    bool regular = true;
    submit_library(*queue, {memories.data(), memories.size()}, [&](sycl::queue &native) {
      Call<T> call{{operands}, native};
      call.scratch = reinterpret_cast<T *>(scratch->pointer), call.size = size;
      // oneMKL may compute on the host without waiting for the queue.
      call.after = {native.ext_oneapi_submit_barrier()};
      for (; call.index < call.matrices; ++call.index)
        try {
          call.run(step, mode);
        } catch (const lapack::computation_error &) {
          regular = false;
        }
      native.ext_oneapi_submit_barrier(call.after);
    });
    return regular;
  });
}

} // namespace usmtensor::onemkl
