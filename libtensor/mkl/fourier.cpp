#include "fourier.hpp"
#include "runtime/handles.hpp"
#include "runtime/queue.hpp"
#include "runtime/submit.hpp"

#include <oneapi/mkl/dft.hpp>

#include <cmath>
#include <complex>
#include <memory>
#include <vector>

namespace usmtensor::onemkl {
namespace {

namespace dft = oneapi::mkl::dft;
using dft::config_param;

// A descriptor that is committed to a queue. Its destructor waits for its last command.
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
    descriptor.set_value(scale, f.scale);
    descriptor.commit(queue);
  }
  ~Plan() {
    try {
      last.wait();
    } catch (const sycl::exception &) { // a destructor cannot report it
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
  static auto &plans = *new RecentCache<Key, std::unique_ptr<Plan<Descriptor>>>;
  const std::lock_guard lock(plans.mutex);
  auto &plan = *plans.value(Key(queue, key_of(fourier)),
                            [&] { return std::make_unique<Plan<Descriptor>>(queue, fourier); });
  // Barriers are needed even in an in-order queue, where oneMKL's commands sometimes overlap
  // others.
  const std::vector<sycl::event> after{queue.ext_oneapi_submit_barrier()};
  plan.last = fourier.forward ? dft::compute_forward<Descriptor, Forward, Complex>(
                                    plan.descriptor, reinterpret_cast<Forward *>(x.data),
                                    reinterpret_cast<Complex *>(out.data), after)
                              : dft::compute_backward<Descriptor, Complex, Forward>(
                                    plan.descriptor, reinterpret_cast<Complex *>(x.data),
                                    reinterpret_cast<Forward *>(out.data), after);
  queue.ext_oneapi_submit_barrier({plan.last});
}

} // namespace

std::int64_t Fourier::nanoseconds() const {
  return static_cast<std::int64_t>(double(count) * double(n) * std::log2(double(n)));
}

void transform(const QueueRef &queue, const View &x, const View &out, const Fourier &fourier) {
  if (transform_on_host(queue, x, out, fourier))
    return;
  const bool single = (fourier.forward ? out : x).dtype == DType::complex64;
  submit_library(
      *queue, {x.memory, out.memory},
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
      fourier.nanoseconds());
}

} // namespace usmtensor::onemkl
