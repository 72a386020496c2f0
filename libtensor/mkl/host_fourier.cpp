// Complex transforms on the threads of a CPU
//
// oneMKL's SYCL interface gives columns, and a single transform, to one core. So the calling thread
// divides them among threads, which call the interface of the host. It waits: a command of the host
// in the queue would keep the driver from knowing the commands behind it, whose memory it then
// frees.
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

// In elements.
struct Places {
  std::int64_t stride, distance;
};

// `count` transforms of n points, for any number of threads.
class HostPlan {
public:
  HostPlan(bool single, std::int64_t n, std::int64_t count, Places in, Places out, double scale,
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

  // False for lack of memory.
  bool operator()(const void *x, void *out) const {
    return compute(handle, const_cast<void *>(x), out) == DFTI_NO_ERROR;
  }

private:
  DFTI_DESCRIPTOR_HANDLE handle = nullptr;
  decltype(&DftiComputeForward) compute;
};

// Columns: transforms that follow each other at a distance of 1, in blocks.
template <class T> class Columns {
public:
  static bool fits(const Fourier &f, int) { return f.in_stride != 1 && f.count >= 2 * width; }
  explicit Columns(const Fourier &f)
      : count(f.count), blocks((count + width - 1) / width), block(plan(f, width)),
        last(count % width ? plan(f, count % width) : nullptr) {}
  std::int64_t scratch(int) const { return 0; }
  int threads(int most) const { return static_cast<int>(std::min<std::int64_t>(most, blocks)); }

  bool operator()(const std::complex<T> *x, std::complex<T> *out, std::complex<T> *,
                  int threads) const {
    return share_among(threads, blocks, [&](int, std::int64_t k) {
      return (last && k == blocks - 1 ? *last : *block)(x + k * width, out + k * width);
    });
  }

private:
  static std::unique_ptr<const HostPlan> plan(const Fourier &f, std::int64_t columns) {
    return std::make_unique<const HostPlan>(std::is_same_v<T, float>, f.n, columns,
                                            Places{f.in_stride, 1}, Places{f.out_stride, 1},
                                            f.scale, f.forward);
  }

  static constexpr std::int64_t width = 64;
  const std::int64_t count, blocks;
  const std::unique_ptr<const HostPlan> block, last;
};

// Few long transforms, each of a matrix of n = rows * columns points, in four steps: transforms of
// the columns, factors, transforms of the rows, a transpose. Each thread has buffers for a block of
// columns or rows, which its cache holds. Memory decides the time: rows of a block are fetched
// ahead, since they are on pages of their own, and stores pass the cache by.
template <class T> class Long {
public:
  using C = std::complex<T>;

  static bool fits(const Fourier &f, int threads) {
    const std::int64_t rows = rows_of(f.n);
    return f.in_stride == 1 && f.count < threads && f.n >= 1 << 19 && rows >= 64 &&
           f.n / rows <= 256 * rows;
  }
  explicit Long(const Fourier &f)
      : n(f.n), count(f.count), rows(rows_of(n)), columns(n / rows),
        down(single, rows, width, {1, pitch(rows)}, {1, pitch(rows)}, 1, f.forward),
        along(single, columns, width, {1, columns}, {1, pitch(columns)}, f.scale, f.forward),
        fine(powers(columns, n, f.forward)), coarse(powers(rows, rows, f.forward)),
        block(rows * width) {
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < width; ++j)
        block[i * width + j] = factor(i * j);
  }
  std::int64_t scratch(int threads) const { return n + threads * buffers(); }
  int threads(int most) const { return most; }

  bool operator()(const C *x, C *out, C *scratch, int threads) const {
    bool good = true;
    for (std::int64_t k = 0; k < count; ++k)
      good &= one(x + k * n, out + k * n, scratch, scratch + n, threads);
    return good;
  }

private:
  bool one(const C *x, C *out, C *middle, C *buffers, int threads) const {
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
    C *const done = buffer + width * pitch(rows);
    for (std::int64_t i = 0; i < rows; ++i) {
      const C *const row = x + i * columns;
      if (i + ahead < rows)
        for (std::size_t line = 0; line < width * sizeof(C); line += 64)
          __builtin_prefetch(reinterpret_cast<const char *>(row + ahead * columns) + line);
      for (std::int64_t j = 0; j < width; ++j)
        buffer[j * pitch(rows) + i] = row[j];
    }
    const bool good = down(buffer, done);
    for (std::int64_t i = 0; i < rows; ++i) {
      const C of_row = factor(i * first);
      C line[width];
      for (std::int64_t j = 0; j < width; ++j)
        line[j] = times(done[j * pitch(rows) + i], times(of_row, block[i * width + j]));
      stream(line, to + i * columns);
    }
    return good;
  }
  bool block_of_rows(const C *x, C *to, C *buffer) const {
    const bool good = along(x, buffer);
    for (std::int64_t i = 0; i < columns; ++i) {
      C line[width];
      for (std::int64_t j = 0; j < width; ++j)
        line[j] = buffer[j * pitch(columns) + i];
      stream(line, to + i * rows);
    }
    return good;
  }

  // A power of two, about a quarter of the square root of n: more rows are more pages. The block
  // divides the columns.
  static std::int64_t rows_of(std::int64_t n) {
    std::int64_t rows = (n & -n) / width;
    while (rows && rows > n / 16 / rows)
      rows /= 2;
    return rows;
  }
  // Of transforms in a buffer: their elements at one place are not in one set of the cache.
  static std::int64_t pitch(std::int64_t points) { return points + 8; }
  std::int64_t buffers() const { return width * std::max(2 * pitch(rows), pitch(columns)); }

  // The first powers of a root of unity.
  static std::vector<C> powers(std::int64_t count, std::int64_t root, bool forward) {
    const double angle = (forward ? -2 : 2) * std::acos(-1.0) / double(root);
    std::vector<C> values(count);
    for (std::int64_t k = 0; k < count; ++k)
      values[k] = C(std::polar(1.0, angle * double(k)));
    return values;
  }
  // The k-th power of the n-th root of unity.
  C factor(std::int64_t k) const { return times(coarse[k / columns], fine[k % columns]); }
  // Without the tests for infinities of std::complex.
  static C times(C x, C y) {
    return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
  }
  // Stores four lines of the cache past it, if they are aligned.
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
  const HostPlan down, along;
  const std::vector<C> fine, coarse;
  std::vector<C> block; // factors of the first block
};

template <template <class> class Way, class T>
bool compute(const QueueRef &queue, const View &x, const View &out, const Fourier &f) {
  const auto units = static_cast<int>(
      std::min<std::int64_t>(queue->description.compute_units, f.n * f.count >> 14));
  if (!Way<T>::fits(f, units))
    return false;
  using Key = decltype(key_of(f));
  static auto &plans = *new Recent<Key, std::shared_ptr<const Way<T>>>;
  std::shared_ptr<const Way<T>> plan;
  {
    const std::lock_guard lock(plans.mutex);
    plan = plans.value(key_of(f), [&] { return std::make_shared<const Way<T>>(f); });
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
  const Passage passage;                       // plans have a lock
  if (!queue->description.is_cpu() || !host_accessible(*x.memory) ||
      !host_accessible(*out.memory) || f.real || f.n * f.count < worthwhile)
    return false;
  if (out.dtype == DType::complex64)
    return compute<Columns, float>(queue, x, out, f) || compute<Long, float>(queue, x, out, f);
  return compute<Columns, double>(queue, x, out, f) || compute<Long, double>(queue, x, out, f);
}

} // namespace usmtensor::onemkl
