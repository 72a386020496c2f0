#include "layout/simplify.hpp"

#include "check.hpp"

#include <vector>

using usmtensor::IterationSpace;
using Numbers = std::vector<std::int64_t>;

namespace {

// Part of a hash of the sets of elements that are visited together, independent of the order.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15u + b;
  x = (x ^ x >> 31) * 0xbf58476d1ce4e5b9u;
  return x ^ x >> 29;
}

std::uint64_t visited(const Numbers &shape, const Numbers &a, const Numbers &b) {
  std::uint64_t sum = 0;
  Numbers index(shape.size(), 0);
  for (std::int64_t n : shape)
    if (n == 0)
      return 0;
  for (;;) {
    std::int64_t x = 0, y = 0;
    for (std::size_t k = 0; k < shape.size(); ++k)
      x += index[k] * a[k], y += index[k] * b[k];
    sum += mix(x, y);
    std::size_t k = shape.size();
    while (k > 0 && ++index[k - 1] == shape[k - 1])
      index[--k] = 0;
    if (k == 0)
      return sum;
  }
}

std::uint64_t visited(const IterationSpace &space) {
  Numbers shape, a, b;
  for (int k = 0; k < space.ndim; ++k) {
    shape.push_back(space.axes[k].extent);
    a.push_back(space.axes[k].strides[0]);
    b.push_back(space.axes[k].strides[1]);
  }
  if (space.size == 0)
    return 0;
  std::uint64_t sum = 0;
  Numbers index(shape.size(), 0);
  for (;;) {
    std::int64_t x = space.offsets[0], y = space.offsets[1];
    for (std::size_t k = 0; k < shape.size(); ++k)
      x += index[k] * a[k], y += index[k] * b[k];
    sum += mix(x, y);
    std::size_t k = shape.size();
    while (k > 0 && ++index[k - 1] == shape[k - 1])
      index[--k] = 0;
    if (k == 0)
      return sum;
  }
}

// Visits a space in pieces, like launches of limited size.
std::uint64_t visited(IterationSpace &space, std::int64_t limit) {
  if (space.size <= limit)
    return visited(space);
  std::uint64_t sum = 0;
  space.halve([&] { sum += visited(space, limit); });
  return sum;
}

struct Expect {
  int ndim;
  bool contiguous;
};

void check(const Numbers &shape, const Numbers &a, const Numbers &b, Expect expect) {
  IterationSpace space(static_cast<int>(shape.size()), shape.data(), {a.data(), b.data()});
  std::int64_t size = 1;
  for (std::int64_t n : shape)
    size *= n;
  CHECK(space.size == size);
  CHECK(space.ndim == expect.ndim);
  if (size > 0) {
    CHECK(space.contiguous() == expect.contiguous);
    CHECK(visited(space) == visited(shape, a, b));
    for (const std::int64_t limit : {1, 3, 7})
      CHECK(visited(space, limit) == visited(shape, a, b));
    CHECK(space.size == size && visited(space) == visited(shape, a, b));
  }
  for (int k = 0; k < space.ndim; ++k) {
    CHECK(space.axes[k].extent > 1);
    CHECK(space.axes[k].strides[0] >= 0);
    CHECK(k == 0 || space.axes[k].strides[0] >= space.axes[k - 1].strides[0]);
  }
}

} // namespace

int main() {
  check({}, {}, {}, {0, true});
  check({1, 1}, {7, 9}, {3, 0}, {0, true});
  check({0}, {1}, {1}, {0, true});
  check({3, 0, 4}, {0, 4, 1}, {12, 4, 1}, {0, true});
  check({24}, {1}, {1}, {1, true});
  check({2, 3, 4}, {12, 4, 1}, {12, 4, 1}, {1, true});
  check({2, 1, 12}, {12, 99, 1}, {12, -5, 1}, {1, true});
  check({4, 3, 2}, {1, 4, 12}, {1, 4, 12}, {1, true});  // both in Fortran order
  check({2, 12}, {-12, -1}, {-12, -1}, {1, true});      // both reversed
  check({24}, {1}, {-1}, {1, false});                   // one reversed
  check({24}, {-1}, {1}, {1, false});                   // the destination reversed
  check({4, 6}, {6, 1}, {1, 4}, {2, false});            // a transpose
  check({4, 6}, {6, 1}, {12, 2}, {1, false});           // [:, ::2]
  check({4, 6}, {6, 1}, {0, 1}, {2, false});            // a broadcast row
  check({4, 6}, {6, 1}, {0, 0}, {1, false});            // a broadcast scalar
  check({4, 5, 6}, {30, 6, 1}, {40, 8, 1}, {2, false}); // padded rows merge outside
  check({3, 4, 5}, {1, 3, 12}, {20, 5, 1}, {3, false}); // all axes reversed in order
  check({2, 3, 2}, {6, 2, 1}, {-6, 2, -1}, {3, false}); // mixed signs
  Numbers shape(40, 1), strides(40, 5);                 // more axes than fit inline
  for (int k = 0; k < 10; ++k) {
    shape[k * 4] = 2;
    strides[k * 4] = std::int64_t(1) << (9 - k);
  }
  check(shape, strides, strides, {1, true});
  Numbers backwards = strides;
  for (int k = 0; k < 10; ++k)
    backwards[k * 4] = std::int64_t(1) << k;
  check(shape, strides, backwards, {10, false});
  return failures != 0;
}
