#define MKL_Complex8 std::complex<float>
#define MKL_Complex16 std::complex<double>
#include "host/modes.hpp"
#include "layout/typed.hpp"
#include "mkl.hpp"
#include "runtime/memory.hpp"
#include "runtime/order.hpp"

#include <mkl_lapack.h>

#include <algorithm>
#include <complex>
#include <vector>

namespace usmtensor::onemkl {
namespace {

using Int = MKL_INT;

template <class T> struct Lapack;
template <> struct Lapack<float> {
  static constexpr auto gesdd = sgesdd;
  static constexpr auto geev = sgeev;
};
template <> struct Lapack<double> {
  static constexpr auto gesdd = dgesdd;
  static constexpr auto geev = dgeev;
};
template <> struct Lapack<std::complex<float>> {
  static constexpr auto gesdd = cgesdd;
  static constexpr auto geev = cgeev;
};
template <> struct Lapack<std::complex<double>> {
  static constexpr auto gesdd = zgesdd;
  static constexpr auto geev = zgeev;
};

// Calls LAPACK for all matrices of a stack.
template <class T> struct HostCall : Matrices<Int> {
  using Real = decltype(std::real(T()));
  using Complex = std::complex<Real>;
  static constexpr bool is_complex = std::is_same_v<T, Complex>;

  // Singular values and, depending on `mode`, vectors. Matrices are column-major.
  Int singular(int mode) {
    const Int k = std::min(m, n), longer = std::max(m, n);
    const Int short_rows = count > 3 ? std::max(rows(3), Int(1)) : 1;
    std::vector<Int> integers(8 * k);
    reals.resize(is_complex ? std::max(k * (5 * k + 7), 2 * k * (longer + k) + k) : 0);
    auto gesdd = [&](auto... real) {
      Lapack<T>::gesdd(mode > 1 ? "A"
                       : mode   ? "S"
                                : "N",
                       &m, &n, at<T>(0), &m, at<Real>(1), at<T>(2), &m, at<T>(3), &short_rows,
                       scratch.data(), &size, real..., integers.data(), &info);
    };
    return for_each([&] {
      if constexpr (is_complex)
        gesdd(reals.data());
      else
        gesdd();
    });
  }

  // Eigenvalues and, if there is a third operand, vectors. For real matrices, LAPACK returns
  // complex conjugate pairs as two columns: the real and the imaginary parts.
  Int general() {
    const Int one = 1;
    const char *const wanted = count > 2 ? "V" : "N";
    if constexpr (is_complex) {
      reals.resize(2 * n);
      return for_each([&] {
        Lapack<T>::geev("N", wanted, &n, at<T>(0), &n, at<T>(1), nullptr, &one, at<T>(2), &n,
                        scratch.data(), &size, reals.data(), &info);
      });
    } else {
      reals.resize(n * (2 + (count > 2 ? n : 0)));
      Real *const real = reals.data(), *const imaginary = real + n, *const parts = real + 2 * n;
      return for_each([&] {
        Lapack<T>::geev("N", wanted, &n, at<T>(0), &n, real, imaginary, nullptr, &one, parts, &n,
                        scratch.data(), &size, &info);
        for (Int j = 0; size >= 0 && j < n; ++j)
          at<Complex>(1)[j] = {real[j], imaginary[j]};
        for (Int j = 0; size >= 0 && count > 2 && j < n; ++j) {
          const Real *const column = parts + j * n;
          Complex *const to = at<Complex>(2) + j * n;
          for (Int i = 0; i < n; ++i)
            if (imaginary[j] == 0)
              to[i] = column[i];
            else if (imaginary[j] > 0)
              to[n + i] = std::conj(to[i] = {column[i], column[n + i]});
        }
      });
    }
  }

  // Returns the first error. A call with size -1 returns the size of the scratch memory.
  template <class Routine> Int for_each(Routine routine) {
    routine();
    // A large size is rounded in single precision.
    size = static_cast<Int>(double(std::real(scratch[0])) * (1 + 0x1p-22)) + 1;
    scratch.resize(size);
    for (; index < matrices && info == 0; ++index)
      routine();
    return info;
  }

  std::vector<T> scratch{T()};
  std::vector<Real> reals{};
  Int size = -1, info = 0;
};

} // namespace

bool factorise_on_host(Step step, int mode, Span<View> operands) {
  for (const View &operand : operands)
    drain(*operand.memory);
  const DefaultModes modes;
  return typed(operands[0].dtype, [&](auto zero) {
    HostCall<decltype(zero)> call{{operands}};
    return (step == Step::general ? call.general() : call.singular(mode)) == 0;
  });
}

} // namespace usmtensor::onemkl
