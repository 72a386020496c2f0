// Complex transforms on several CPU threads.
//
// oneMKL's SYCL interface runs columns, and a single transform, on one core. So the calling thread
// divides them among threads, which call the host interface, and waits. A host task in the queue is
// no alternative: the runtime would hold back the commands after it, and the driver might free
// their memory before they run.
#include "fourier.hpp"
#include "host/threads.hpp"
#include "runtime/error.hpp"
#include "runtime/gate.hpp"
#include "runtime/handles.hpp"
#include "runtime/memory.hpp"
#include "runtime/order.hpp"
#include "runtime/queue.hpp"

#include <mkl_dfti.h>

#include <cmath>
#include <complex>
#include <memory>
#include <vector>

namespace usmtensor::onemkl {
namespace {

// In elements: between points, and between transforms.
struct Layout {
  std::int64_t stride, distance;
};

// A oneMKL plan for `count` transforms of n points. Several threads may use it at the same time.
class HostPlan {
public:
  HostPlan(bool single, std::int64_t n, std::int64_t count, Layout in, Layout out, double scale,
           bool forward)
      : compute(forward ? DftiComputeForward : DftiComputeBackward) {
    using Integer = MKL_LONG; // a macro of two words
    Integer in_strides[] = {0, in.stride}, out_strides[] = {0, out.stride};
    const Integer statuses[] = {
        DftiCreateDescriptor(&handle, single ? DFTI_SINGLE : DFTI_DOUBLE, DFTI_COMPLEX, 1,
                             static_cast<Integer>(n)),
        DftiSetValue(handle, DFTI_PLACEMENT, DFTI_NOT_INPLACE),
        DftiSetValue(handle, DFTI_NUMBER_OF_TRANSFORMS, static_cast<Integer>(count)),
        DftiSetValue(handle, DFTI_INPUT_STRIDES, in_strides),
        DftiSetValue(handle, DFTI_OUTPUT_STRIDES, out_strides),
        DftiSetValue(handle, DFTI_INPUT_DISTANCE, static_cast<Integer>(in.distance)),
        DftiSetValue(handle, DFTI_OUTPUT_DISTANCE, static_cast<Integer>(out.distance)),
        DftiSetValue(handle, forward ? DFTI_FORWARD_SCALE : DFTI_BACKWARD_SCALE, scale),
        DftiSetValue(handle, DFTI_THREAD_LIMIT, Integer(1)),
        DftiCommitDescriptor(handle)};
    for (const Integer status : statuses)
      if (status != DFTI_NO_ERROR) {
        DftiFreeDescriptor(&handle);
        throw Error(ErrorKind::sycl, DftiErrorMessage(status));
      }
  }
  ~HostPlan() { DftiFreeDescriptor(&handle); }
  HostPlan(const HostPlan &) = delete;
  HostPlan &operator=(const HostPlan &) = delete;

  // Returns false if oneMKL lacks memory.
  bool operator()(const void *x, void *out) const {
    return compute(handle, const_cast<void *>(x), out) == DFTI_NO_ERROR;
  }

private:
  DFTI_DESCRIPTOR_HANDLE handle = nullptr;
  decltype(&DftiComputeForward) compute;
};

// Transforms along columns: the distance between transforms is 1. A thread computes blocks of them.
template <class T> class Columns {
public:
  static bool supports(const Fourier &f, int) { return f.in_stride != 1 && f.count >= 2 * width; }
  explicit Columns(const Fourier &f)
      : count(f.count), blocks((count + width - 1) / width), block(plan(f, width)),
        last(count % width ? plan(f, count % width) : nullptr) {}
  std::int64_t scratch(int) const { return 0; }
  int threads(int max_threads) const {
    return static_cast<int>(std::min<std::int64_t>(max_threads, blocks));
  }

  bool operator()(const std::complex<T> *x, std::complex<T> *out, std::complex<T> *,
                  int threads) const {
    return share_among(threads, blocks, [&](int, std::int64_t k) {
      return (last && k == blocks - 1 ? *last : *block)(x + k * width, out + k * width);
    });
  }

private:
  static std::unique_ptr<const HostPlan> plan(const Fourier &f, std::int64_t columns) {
    return std::make_unique<const HostPlan>(std::is_same_v<T, float>, f.n, columns,
                                            Layout{f.in_stride, 1}, Layout{f.out_stride, 1},
                                            f.scale, f.forward);
  }

  static constexpr std::int64_t width = 64;
  const std::int64_t count, blocks;
  const std::unique_ptr<const HostPlan> block, last;
};

// Few long transforms by the four-step algorithm. The n = rows * columns points form a matrix; the
// steps are transforms of the columns, twiddle factors, transforms of the rows, and a transpose.
// Each thread has buffers for a block of columns or rows, which fit into its cache. The time is
// bound by memory: rows of a block are prefetched, because they are on different pages, and stores
// are streaming.
template <class T> class Long {
public:
  using C = std::complex<T>;

  static bool supports(const Fourier &f, int threads) {
    const std::int64_t rows = rows_of(f.n);
    return f.in_stride == 1 && f.count < threads && f.n >= 1 << 19 && rows >= 64 &&
           f.n / rows <= 256 * rows;
  }
  explicit Long(const Fourier &f)
      : n(f.n), count(f.count), rows(rows_of(n)), columns(n / rows),
        column_plan(single, rows, width, {1, padded(rows)}, {1, padded(rows)}, 1, f.forward),
        row_plan(single, columns, width, {1, columns}, {1, padded(columns)}, f.scale, f.forward),
        fine(powers(columns, n, f.forward)), coarse(powers(rows, rows, f.forward)),
        block(rows * width) {
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < width; ++j)
        block[i * width + j] = factor(i * j);
  }
  std::int64_t scratch(int threads) const { return n + threads * buffers(); }
  int threads(int max_threads) const { return max_threads; }

  bool operator()(const C *x, C *out, C *scratch, int threads) const {
    bool good = true;
    for (std::int64_t k = 0; k < count; ++k)
      good &= transform(x + k * n, out + k * n, scratch, scratch + n, threads);
    return good;
  }

private:
  bool transform(const C *x, C *out, C *middle, C *buffers, int threads) const {
    const auto buffer = [&](int thread) { return buffers + thread * this->buffers(); };
    const bool good = share_among(threads, columns / width, [&](int thread, std::int64_t k) {
      return block_of_columns(x + k * width, middle + k * width, k * width, buffer(thread));
    });
    return share_among(threads, rows / width,
                       [&](int thread, std::int64_t k) {
                         return block_of_rows(middle + k * width * columns, out + k * width,
                                              buffer(thread));
                       }) &&
           good;
  }
  bool block_of_columns(const C *x, C *to, std::int64_t first, C *buffer) const {
    C *const done = buffer + width * padded(rows);
    for (std::int64_t i = 0; i < rows; ++i) {
      const C *const row = x + i * columns;
      if (i + ahead < rows)
        for (std::size_t line = 0; line < width * sizeof(C); line += 64)
          __builtin_prefetch(reinterpret_cast<const char *>(row + ahead * columns) + line);
      for (std::int64_t j = 0; j < width; ++j)
        buffer[j * padded(rows) + i] = row[j];
    }
    const bool good = column_plan(buffer, done);
    for (std::int64_t i = 0; i < rows; ++i) {
      const C of_row = factor(i * first);
      C line[width];
      for (std::int64_t j = 0; j < width; ++j)
        line[j] = times(done[j * padded(rows) + i], times(of_row, block[i * width + j]));
      stream(line, to + i * columns);
    }
    return good;
  }
  bool block_of_rows(const C *x, C *to, C *buffer) const {
    const bool good = row_plan(x, buffer);
    for (std::int64_t i = 0; i < columns; ++i) {
      C line[width];
      for (std::int64_t j = 0; j < width; ++j)
        line[j] = buffer[j * padded(columns) + i];
      stream(line, to + i * rows);
    }
    return good;
  }

  // A power of two, about a quarter of the square root of n, because more rows need more pages. The
  // width of a block divides the number of columns.
  static std::int64_t rows_of(std::int64_t n) {
    std::int64_t rows = (n & -n) / width;
    while (rows && rows > n / 16 / rows)
      rows /= 2;
    return rows;
  }
  // The distance between transforms in a buffer: padded, so that elements with the same index are
  // in different cache sets.
  static std::int64_t padded(std::int64_t points) { return points + 8; }
  std::int64_t buffers() const { return width * std::max(2 * padded(rows), padded(columns)); }

  // The first `count` powers of a root of unity.
  static std::vector<C> powers(std::int64_t count, std::int64_t root, bool forward) {
    const double angle = (forward ? -2 : 2) * std::acos(-1.0) / double(root);
    std::vector<C> values(count);
    for (std::int64_t k = 0; k < count; ++k)
      values[k] = C(std::polar(1.0, angle * double(k)));
    return values;
  }
  // The k-th power of the n-th root of unity.
  C factor(std::int64_t k) const { return times(coarse[k / columns], fine[k % columns]); }
  // A product without the NaN handling of std::complex.
  static C times(C x, C y) {
    return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
  }
  // Stores four cache lines, by streaming stores if they are aligned.
  static void stream(const C *line, C *to) {
    if (reinterpret_cast<std::uintptr_t>(to) % sizeof(__m128i)) {
      std::copy_n(line, width, to);
      return;
    }
    for (std::size_t k = 0; k < width * sizeof(C) / sizeof(__m128i); ++k)
      _mm_stream_si128(reinterpret_cast<__m128i *>(to) + k,
                       _mm_loadu_si128(reinterpret_cast<const __m128i *>(line) + k));
  }

  static constexpr bool single = std::is_same_v<T, float>;
  static constexpr std::int64_t width = 256 / sizeof(C);
  static constexpr std::int64_t ahead = 16; // rows
  const std::int64_t n, count, rows, columns;
  const HostPlan column_plan, row_plan;
  const std::vector<C> fine, coarse;
  std::vector<C> block; // twiddle factors of the first block
};

template <template <class> class Algorithm, class T>
bool compute(const QueueRef &queue, const View &x, const View &out, const Fourier &f) {
  const auto units = static_cast<int>(
      std::min<std::int64_t>(queue->description.compute_units, f.n * f.count >> 14));
  if (!Algorithm<T>::supports(f, units))
    return false;
  using Key = decltype(key_of(f));
  static auto &plans = *new RecentCache<Key, std::shared_ptr<const Algorithm<T>>>;
  std::shared_ptr<const Algorithm<T>> plan;
  {
    const std::lock_guard lock(plans.mutex);
    plan = plans.value(key_of(f), [&] { return std::make_shared<const Algorithm<T>>(f); });
  }
  using C = std::complex<T>;
  const int threads = plan->threads(units);
  const Memory scratch =
      allocate(queue, UsmKind::device, plan->scratch(threads) * std::int64_t(sizeof(C)));
  drain(*x.memory), drain(*out.memory), drain(*scratch);
  if (!(*plan)(reinterpret_cast<const C *>(x.data), reinterpret_cast<C *>(out.data),
               reinterpret_cast<C *>(scratch->pointer), threads))
    throw Error(ErrorKind::sycl, "oneMKL lacks the memory for a Fourier transform");
  return true;
}

} // namespace

bool transform_on_host(const QueueRef &queue, const View &x, const View &out, const Fourier &f) {
  constexpr std::int64_t worthwhile = 1 << 17; // threads take a while to start
  const DriverScope scope;                     // before the lock of the plans
  if (!queue->description.is_cpu() || !host_accessible(*x.memory) ||
      !host_accessible(*out.memory) || f.real || f.n * f.count < worthwhile)
    return false;
  if (out.dtype == DType::complex64)
    return compute<Columns, float>(queue, x, out, f) || compute<Long, float>(queue, x, out, f);
  return compute<Columns, double>(queue, x, out, f) || compute<Long, double>(queue, x, out, f);
}

} // namespace usmtensor::onemkl
