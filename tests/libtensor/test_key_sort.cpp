#include "host/key_sort.hpp"

#include "check.hpp"
#include "kernels/order.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

using namespace usmtensor;

namespace {

template <class T> int sort_numbers(void *numbers, std::ptrdiff_t count, void *) {
  std::sort(static_cast<T *>(numbers), static_cast<T *>(numbers) + count);
  return 0;
}

enum class Contents { any, few, special, close };

template <class W> std::vector<W> elements(int64 size, Contents contents, Order<W> order) {
  std::mt19937_64 random(size);
  std::vector<W> result(size);
  for (W &element : result) {
    element = W(random());
    if (contents != Contents::any && random() % 8)
      element %= 3;
    if (contents == Contents::close)
      element = W(uint64(element) % 5 << 34 | uint64(element) % 1021);
    if (contents == Contents::special && random() % 4 == 0)
      element = W(random() % 2) << order.last; // a zero of either sign
    if (contents != Contents::special && order.fold && order.is_nan(element))
      element = 0;
  }
  return result;
}

template <class W>
void check_rows(int64 n, int64 rows, int threads, Contents contents, Order<W> order) {
  const std::vector<W> in = elements(n * rows, contents, order);
  std::vector<int64> indices(in.size()), expected(in.size());
  for (int64 row = 0; row < rows; ++row) {
    const auto begin = expected.begin() + row * n;
    std::iota(begin, begin + n, 0);
    std::stable_sort(begin, begin + n, [&](int64 x, int64 y) {
      return order(in[row * n + x]) < order(in[row * n + y]);
    });
  }
  std::vector<W> out(in.size()), sorted(in.size());
  for (int64 i = 0; i < n * rows; ++i)
    sorted[i] = in[i / n * n + expected[i]];
  using Float = std::conditional_t<sizeof(W) == 4, float, double>;
  const bool rising_floats = order.fold && order.bias == order.sign;
  KeySort s{sort_numbers<std::make_signed_t<W>>,
            rising_floats ? sort_numbers<Float> : nullptr,
            false,
            sizeof(W),
            threads,
            n,
            rows,
            order.fold,
            order.limit,
            order.top,
            order.bias,
            in.data(),
            out.data(),
            nullptr,
            false};
  std::vector<char> scratch(s.scratch_bytes());
  s.scratch = scratch.data();
  sort(s);
  CHECK(out == sorted);
  s.integers = sort_numbers<int64>, s.is_argsort = true, s.out = indices.data();
  scratch.resize(s.scratch_bytes());
  s.scratch = scratch.data();
  sort(s);
  CHECK(indices == expected);
  const bool in_order = in == sorted;
  s.if_in_order = true, s.scratch = nullptr;
  std::fill(indices.begin(), indices.end(), -1);
  CHECK(sort(s) == in_order);
  CHECK(indices == (in_order ? expected : std::vector<int64>(in.size(), -1)));
  std::vector<W> moved(in.size());
  s.is_argsort = false, s.out = moved.data();
  CHECK(sort(s) == in_order);
  CHECK(!in_order || moved == sorted);
}

template <class W> void check_all(uint64 infinity) {
  const uint64 all = ~uint64(0), sign = Order<W>::sign;
  const Order<W> orders[] = {
      {0, all, 0, 0},   {0, all, 0, sign},  {all, infinity, sign - 1, sign},
      {0, all, 0, all}, {0, all, 0, ~sign}, {all, infinity, sign - 1, ~sign}};
  for (const Order<W> order : orders)
    for (const Contents contents :
         {Contents::any, Contents::few, Contents::special, Contents::close}) {
      for (int threads : {1, 2, 5})
        check_rows(32768 + 1234 * threads, 1 + threads / 4, threads, contents, order);
      for (int64 n : {1, 2, 7, 100, 5000})
        check_rows(n, 9000 / n, 2, contents, order);
    }
}

} // namespace

int main() {
  check_all<bits32>(0x7f800000);
  check_all<bits64>(0x7ff0000000000000);
  return failures != 0;
}
