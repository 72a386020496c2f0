#include "host/modes.hpp"
#include "mkl.hpp"
#include "runtime/error.hpp"
#include "runtime/place.hpp"
#include "runtime/queue.hpp"
#include "runtime/submit.hpp"

#include <mkl_dfti.h>
#include <oneapi/mkl/dft.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstring>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <tuple>
#include <vector>

namespace usmtensor::onemkl {
namespace {

namespace dft = oneapi::mkl::dft;
using dft::config_param;

auto key_of(const Fourier &f) {
  return std::tuple(f.n, f.count, f.in_stride, f.in_distance, f.out_stride, f.out_distance, f.scale,
                    f.forward);
}

// The values of the keys used last, the newest first. Those at the end of the process stay: the
// driver and threads may be gone then.
template <class Key, class Value> struct Recent {
  // The value of a key, made if there is none. Hold the mutex.
  template <class Make> Value &value(const Key &key, Make make) {
    const auto known = std::find_if(entries.begin(), entries.end(),
                                    [&](const auto &entry) { return entry.first == key; });
    if (known != entries.end())
      entries.splice(entries.begin(), entries, known);
    else
      entries.emplace_front(key, make());
    if (entries.size() > most)
      entries.pop_back();
    return entries.front().second;
  }

  static constexpr std::size_t most = 16;
  std::mutex mutex;
  std::list<std::pair<Key, Value>> entries;
};

// A descriptor that is committed to a queue. It lives until its last command is complete.
template <class Descriptor> struct Plan {
  Plan(sycl::queue &queue, const Fourier &f) : descriptor(f.n) {
    using Strides = std::vector<std::int64_t>;
    const Strides in{0, f.in_stride}, out{0, f.out_stride};
    descriptor.set_value(config_param::PLACEMENT, dft::config_value::NOT_INPLACE);
    descriptor.set_value(config_param::NUMBER_OF_TRANSFORMS, f.count);
    descriptor.set_value(config_param::FWD_STRIDES, f.forward ? in : out);
    descriptor.set_value(config_param::BWD_STRIDES, f.forward ? out : in);
    descriptor.set_value(config_param::FWD_DISTANCE, f.forward ? f.in_distance : f.out_distance);
    descriptor.set_value(config_param::BWD_DISTANCE, f.forward ? f.out_distance : f.in_distance);
    const auto scale = f.forward ? config_param::FORWARD_SCALE : config_param::BACKWARD_SCALE;
    if constexpr (std::is_same_v<Descriptor,
                                 dft::descriptor<dft::precision::SINGLE, dft::domain::COMPLEX>> ||
                  std::is_same_v<Descriptor,
                                 dft::descriptor<dft::precision::SINGLE, dft::domain::REAL>>)
      descriptor.set_value(scale, static_cast<float>(f.scale));
    else
      descriptor.set_value(scale, f.scale);
    descriptor.commit(queue);
  }
  ~Plan() {
    try {
      last.wait();
    } catch (const sycl::exception &) { // a destructor reports no error
    }
  }

  Descriptor descriptor;
  sycl::event last;
};

template <class T, dft::precision precision, dft::domain domain>
void compute(sycl::queue &queue, const View &x, const View &out, const Fourier &fourier) {
  using Descriptor = dft::descriptor<precision, domain>;
  using Complex = std::complex<T>;
  using Forward = std::conditional_t<domain == dft::domain::REAL, T, Complex>;
  using Key = std::pair<sycl::queue, decltype(key_of(fourier))>;
  static auto &plans = *new Recent<Key, std::unique_ptr<Plan<Descriptor>>>;
  const std::lock_guard lock(plans.mutex);
  auto &plan = *plans.value(Key(queue, key_of(fourier)),
                            [&] { return std::make_unique<Plan<Descriptor>>(queue, fourier); });
  // In an in-order queue too, oneMKL's commands and those around them overlap now and then.
  const std::vector<sycl::event> after{queue.ext_oneapi_submit_barrier()};
  plan.last = fourier.forward ? dft::compute_forward<Descriptor, Forward, Complex>(
                                    plan.descriptor, reinterpret_cast<Forward *>(x.data),
                                    reinterpret_cast<Complex *>(out.data), after)
                              : dft::compute_backward<Descriptor, Complex, Forward>(
                                    plan.descriptor, reinterpret_cast<Complex *>(x.data),
                                    reinterpret_cast<Forward *>(out.data), after);
  queue.ext_oneapi_submit_barrier({plan.last});
}

// Complex columns on a CPU
//
// The SYCL interface gives columns to one core. So a command of the host gives blocks of columns to
// threads, which call the interface of the host.
constexpr std::int64_t columns_at_once = 64;

// A descriptor for a block of columns, for any number of threads.
struct ColumnPlan {
  ColumnPlan(bool single, const Fourier &f, std::int64_t columns) {
    using Integer = MKL_LONG; // a macro of two words
    Integer in[] = {0, f.in_stride}, out[] = {0, f.out_stride};
    const Integer statuses[] = {
        DftiCreateDescriptor(&handle, single ? DFTI_SINGLE : DFTI_DOUBLE, DFTI_COMPLEX, 1,
                             static_cast<Integer>(f.n)),
        DftiSetValue(handle, DFTI_PLACEMENT, DFTI_NOT_INPLACE),
        DftiSetValue(handle, DFTI_NUMBER_OF_TRANSFORMS, static_cast<Integer>(columns)),
        DftiSetValue(handle, DFTI_INPUT_STRIDES, in),
        DftiSetValue(handle, DFTI_OUTPUT_STRIDES, out),
        DftiSetValue(handle, DFTI_INPUT_DISTANCE, static_cast<Integer>(f.in_distance)),
        DftiSetValue(handle, DFTI_OUTPUT_DISTANCE, static_cast<Integer>(f.out_distance)),
        DftiSetValue(handle, f.forward ? DFTI_FORWARD_SCALE : DFTI_BACKWARD_SCALE, f.scale),
        DftiSetValue(handle, DFTI_THREAD_LIMIT, Integer(1)),
        DftiCommitDescriptor(handle)};
    for (const Integer status : statuses)
      if (status != DFTI_NO_ERROR) {
        DftiFreeDescriptor(&handle);
        throw Error(ErrorKind::sycl, DftiErrorMessage(status));
      }
  }
  ~ColumnPlan() { DftiFreeDescriptor(&handle); }
  ColumnPlan(const ColumnPlan &) = delete;
  ColumnPlan &operator=(const ColumnPlan &) = delete;

  DFTI_DESCRIPTOR_HANDLE handle = nullptr;
};

std::shared_ptr<const ColumnPlan> column_plan(bool single, const Fourier &f, std::int64_t columns) {
  using Key = std::tuple<bool, std::int64_t, decltype(key_of(f))>;
  static auto &plans = *new Recent<Key, std::shared_ptr<const ColumnPlan>>;
  const std::lock_guard lock(plans.mutex);
  return plans.value(Key(single, columns, key_of(f)),
                     [&] { return std::make_shared<const ColumnPlan>(single, f, columns); });
}

void transform_columns(sycl::queue &queue, const View &x, const View &out, const Fourier &f,
                       int threads) {
  const bool single = out.dtype == DType::c8;
  const std::int64_t rest = f.count % columns_at_once, bytes = single ? 8 : 16;
  const auto whole = column_plan(single, f, columns_at_once);
  const auto last = rest ? column_plan(single, f, rest) : whole;
  const std::int64_t helpers =
      std::min<std::int64_t>(threads, (f.count + columns_at_once - 1) / columns_at_once) - 1;
  queue.submit([&](sycl::handler &handler) {
    handler.host_task([=, from = x.data, to = out.data] {
      std::atomic<std::int64_t> next{0};
      auto work = [&] {
        const DefaultModes modes;
        for (std::int64_t k; (k = next.fetch_add(columns_at_once)) < f.count;) {
          const std::int64_t columns = std::min(columns_at_once, f.count - k);
          const auto &plan = columns == columns_at_once ? whole : last;
          const auto status = (f.forward ? DftiComputeForward : DftiComputeBackward)(
              plan->handle, from + k * f.in_distance * bytes, to + k * f.out_distance * bytes);
          if (status != DFTI_NO_ERROR) // for lack of memory; nobody waits here: NaN
            for (std::int64_t i = 0; i < f.n; ++i)
              std::memset(to + (i * f.out_stride + k) * bytes, 0xff, columns * bytes);
        }
      };
      std::vector<std::thread> others;
      try {
        others.reserve(helpers);
        for (std::int64_t k = 0; k < helpers; ++k)
          others.emplace_back(work);
      } catch (...) { // no more threads
      }
      work();
      for (std::thread &thread : others)
        thread.join();
    });
  });
}

} // namespace

void transform(const Queue &queue, const View &x, const View &out, const Fourier &fourier) {
  const bool single = (fourier.forward ? out : x).dtype == DType::c8;
  // Commands of the host take a while to start.
  constexpr std::int64_t worthwhile = 1 << 17;
  const bool by_columns = queue.description.is_cpu() && !fourier.real && fourier.in_stride != 1 &&
                          fourier.count >= 2 * columns_at_once &&
                          fourier.n * fourier.count >= worthwhile;
  const auto nanoseconds = static_cast<std::int64_t>(double(fourier.count) * double(fourier.n) *
                                                     std::log2(double(fourier.n)));
  submit(
      queue, {x.memory}, {out.memory},
      [&](sycl::queue &native) {
        using dft::domain, dft::precision;
        if (by_columns)
          transform_columns(native, x, out, fourier, queue.description.compute_units);
        else if (single)
          fourier.real
              ? compute<float, precision::SINGLE, domain::REAL>(native, x, out, fourier)
              : compute<float, precision::SINGLE, domain::COMPLEX>(native, x, out, fourier);
        else
          fourier.real
              ? compute<double, precision::DOUBLE, domain::REAL>(native, x, out, fourier)
              : compute<double, precision::DOUBLE, domain::COMPLEX>(native, x, out, fourier);
      },
      nanoseconds);
}

} // namespace usmtensor::onemkl
