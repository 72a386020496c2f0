#include "mkl.hpp"
#include "runtime/submit.hpp"

#include <oneapi/mkl/dft.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <list>
#include <mutex>
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

// A descriptor that is committed to a queue. It lives until its last command is complete.
template <class Descriptor> struct Plan {
  Plan(sycl::queue &queue, const Fourier &f) : queue(queue), fourier(f), descriptor(f.n) {
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

  sycl::queue queue;
  const Fourier fourier;
  Descriptor descriptor;
  sycl::event last;
};

// The plans used last, the newest first. Those at the end of the process stay: the driver may be
// gone then.
template <class Descriptor> struct Plans {
  Plan<Descriptor> &plan(sycl::queue &queue, const Fourier &fourier) {
    const auto known = std::find_if(plans.begin(), plans.end(), [&](const auto &plan) {
      return key_of(plan.fourier) == key_of(fourier) && plan.queue == queue;
    });
    if (known != plans.end()) {
      plans.splice(plans.begin(), plans, known);
    } else {
      plans.emplace_front(queue, fourier);
      if (plans.size() > most)
        plans.pop_back();
    }
    return plans.front();
  }

  static constexpr std::size_t most = 16;
  std::mutex mutex;
  std::list<Plan<Descriptor>> plans;
};

template <class T, dft::precision precision, dft::domain domain>
void compute(sycl::queue &queue, const View &x, const View &out, const Fourier &fourier) {
  using Descriptor = dft::descriptor<precision, domain>;
  using Complex = std::complex<T>;
  using Forward = std::conditional_t<domain == dft::domain::REAL, T, Complex>;
  static auto &plans = *new Plans<Descriptor>;
  const std::lock_guard lock(plans.mutex);
  auto &plan = plans.plan(queue, fourier);
  plan.last = fourier.forward ? dft::compute_forward<Descriptor, Forward, Complex>(
                                    plan.descriptor, reinterpret_cast<Forward *>(x.data),
                                    reinterpret_cast<Complex *>(out.data))
                              : dft::compute_backward<Descriptor, Complex, Forward>(
                                    plan.descriptor, reinterpret_cast<Complex *>(x.data),
                                    reinterpret_cast<Forward *>(out.data));
}

} // namespace

void transform(const Queue &queue, const View &x, const View &out, const Fourier &fourier) {
  const bool single = (fourier.forward ? out : x).dtype == DType::c8;
  const auto nanoseconds = static_cast<std::int64_t>(double(fourier.count) * double(fourier.n) *
                                                     std::log2(double(fourier.n)));
  submit(
      queue, {x.memory}, {out.memory},
      [&](sycl::queue &native) {
        using dft::domain, dft::precision;
        if (single)
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
