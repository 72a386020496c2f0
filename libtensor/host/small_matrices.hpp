// LU factorisation of small matrices on the host. A LAPACK call would take longer than the
// computation, and calls of several threads would wait for each other.
#pragma once
#include "layout/typed.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>

namespace usmtensor::small {

inline constexpr int most_rows = 16;

// An operand. Strides are in bytes: those of the stack's axes, and those of a matrix or vector.
struct Operand {
  char *data;
  std::int64_t strides[64], row, column;
  template <class T> T &at(std::int64_t i, std::int64_t j) const {
    return *reinterpret_cast<T *>(data + i * row + j * column);
  }
};

// x - f * y, without the NaN handling of std::complex.
template <class T> T subtract_product(T x, T f, T y) { return x - f * y; }
template <class T>
std::complex<T> subtract_product(std::complex<T> x, std::complex<T> f, std::complex<T> y) {
  return {x.real() - (f.real() * y.real() - f.imag() * y.imag()),
          x.imag() - (f.real() * y.imag() + f.imag() * y.real())};
}
// The magnitude by which LAPACK chooses pivots.
template <class T> T magnitude(T x) { return std::abs(x); }
template <class T> T magnitude(std::complex<T> x) {
  return std::abs(x.real()) + std::abs(x.imag());
}

// value / abs(value). An infinite real number also has a sign. NaN counts as positive, as in NumPy.
template <class T> T direction(T value, T) { return value < 0 ? T(-1) : T(1); }
template <class T> std::complex<T> direction(std::complex<T> value, T size) { return value / size; }

// A matrix with permuted rows is L U, where L has a unit diagonal.
template <class T> struct Factors {
  Factors(const Operand &a, int count) : n(count) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        rows[i][j] = a.at<T>(i, j);
    for (int i = 0; i < n; ++i)
      order[i] = i;
    for (int k = 0; k < n; ++k) {
      int pivot = k;
      for (int i = k + 1; i < n; ++i)
        if (magnitude(rows[i][k]) > magnitude(rows[pivot][k]))
          pivot = i;
      if (pivot != k) {
        std::swap(rows[pivot], rows[k]);
        std::swap(order[pivot], order[k]);
        is_odd = !is_odd;
      }
      if (rows[k][k] == T(0)) {
        is_singular = true;
        continue;
      }
      for (int i = k + 1; i < n; ++i) {
        const T f = rows[i][k] /= rows[k][k];
        for (int j = k + 1; j < n; ++j)
          rows[i][j] = subtract_product(rows[i][j], f, rows[k][j]);
      }
    }
  }

  // Computes some columns of the solution of a x = b, or of the inverse (b is null).
  void solve(const Operand *b, const Operand &out, std::int64_t first, int columns) const {
    T x[most_rows][most_rows];
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < columns; ++j)
        x[i][j] = b ? b->at<T>(order[i], first + j) : T(order[i] == first + j);
    auto reduce = [&](int i, int k) {
      for (int j = 0; j < columns; ++j)
        x[i][j] = subtract_product(x[i][j], rows[i][k], x[k][j]);
    };
    for (int k = 0; k < n; ++k)
      for (int i = k + 1; i < n; ++i)
        reduce(i, k);
    for (int k = n; k-- > 0;) {
      for (int j = 0; j < columns; ++j)
        x[k][j] /= rows[k][k];
      for (int i = 0; i < k; ++i)
        reduce(i, k);
    }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < columns; ++j)
        out.at<T>(i, first + j) = x[i][j];
  }

  T rows[most_rows][most_rows];
  int order[most_rows];
  const int n;
  bool is_odd = false, is_singular = false;
};

enum class Function { det, slogdet, inv, solve };

// Computes one matrix. Returns false if the function needs a regular matrix, but it is singular.
template <class T>
bool compute(Function function, int n, std::int64_t columns, const Operand *operands) {
  using Real = decltype(std::real(T()));
  const Factors<T> factors(operands[0], n);
  if (function == Function::inv || function == Function::solve) {
    const bool inverts = function == Function::inv;
    for (std::int64_t j = 0; j < columns && !factors.is_singular; j += most_rows)
      factors.solve(inverts ? nullptr : operands + 1, operands[inverts ? 1 : 2], j,
                    std::min<std::int64_t>(columns - j, most_rows));
    return !factors.is_singular;
  }
  if (factors.is_singular) { // also with infinities or NaN, as in NumPy
    operands[1].at<T>(0, 0) = T(0);
    if (function == Function::slogdet)
      operands[2].at<Real>(0, 0) = -std::numeric_limits<Real>::infinity();
    return true;
  }
  // The determinant as a product of scaled factors, which cannot overflow, and an exponent.
  T sign = factors.is_odd ? T(-1) : T(1);
  Real logarithm = 0;
  int exponent = 0;
  for (int k = 0; k < n; ++k) {
    const T value = factors.rows[k][k];
    if (function == Function::slogdet) {
      const Real size = std::abs(value);
      sign *= direction(value, size);
      logarithm += std::log(size);
    } else {
      const Real size = magnitude(value);
      const int power = size > 0 && std::isfinite(size) ? std::ilogb(size) : 0;
      sign *= value * std::ldexp(Real(1), -power / 2) * std::ldexp(Real(1), power / 2 - power);
      exponent += power;
    }
  }
  if (function == Function::slogdet)
    operands[2].at<Real>(0, 0) = logarithm;
  else
    for (; exponent != 0; exponent -= std::clamp(exponent, -100, 100))
      sign *= std::ldexp(Real(1), std::clamp(exponent, -100, 100));
  operands[1].at<T>(0, 0) = sign;
  return true;
}

// Computes each matrix of a stack. Returns false if a matrix must be regular, but is singular.
template <class T>
bool run(Function function, int ndim, const std::int64_t *shape, int n, std::int64_t columns,
         Operand *operands, int count, int axis = 0) {
  if (axis == ndim)
    return compute<T>(function, n, columns, operands);
  bool regular = true;
  for (std::int64_t i = 0; i < shape[axis] && regular; ++i) {
    regular = run<T>(function, ndim, shape, n, columns, operands, count, axis + 1);
    for (int k = 0; k < count; ++k)
      operands[k].data += operands[k].strides[axis];
  }
  for (int k = 0; k < count; ++k)
    operands[k].data -= operands[k].strides[axis] * shape[axis];
  return regular;
}
inline bool run(DType type, Function function, int ndim, const std::int64_t *shape, int n,
                std::int64_t columns, Operand *operands, int count) {
  return typed(type, [&](auto zero) {
    return run<decltype(zero)>(function, ndim, shape, n, columns, operands, count);
  });
}

} // namespace usmtensor::small
