#include "layout/strides.hpp"

#include "check.hpp"

#include <random>
#include <vector>

using namespace usmtensor;
using Extents = std::vector<std::int64_t>;

namespace {

// Offsets of all elements, in C or F order of the indices.
std::vector<std::int64_t> offsets(const Extents &shape, const Extents &strides, char order) {
  const int ndim = static_cast<int>(shape.size());
  std::vector<std::int64_t> result;
  std::int64_t count = 1;
  for (const std::int64_t extent : shape)
    count *= extent;
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t rest = i, offset = 0;
    for (int k = 0; k < ndim; ++k) {
      const int axis = order == 'F' ? k : ndim - 1 - k;
      offset += rest % shape[axis] * strides[axis];
      rest /= shape[axis];
    }
    result.push_back(offset);
  }
  return result;
}

Extents compact(const Extents &shape, char order) {
  Extents strides(shape.size());
  compact_strides(static_cast<int>(shape.size()), shape.data(), order, strides.data());
  return strides;
}

void counts() {
  std::int64_t count;
  CHECK(element_count(0, nullptr, count) && count == 1);
  const std::int64_t big[] = {std::int64_t(1) << 32, std::int64_t(1) << 31};
  CHECK(!element_count(2, big, count));
  const std::int64_t empty[] = {std::int64_t(1) << 32, 0};
  CHECK(element_count(2, empty, count) && count == 0);
  const std::int64_t hidden[] = {std::int64_t(1) << 32, 0, std::int64_t(1) << 32};
  CHECK(!element_count(3, hidden, count)); // the strides would overflow
}

void orders() {
  CHECK((compact({2, 3, 4}, 'C') == Extents{12, 4, 1}));
  CHECK((compact({2, 3, 4}, 'F') == Extents{1, 2, 6}));
  CHECK((compact({2, 0, 4}, 'C') == Extents{4, 4, 1}));

  const std::int64_t shape[] = {2, 3, 4}, model[] = {1, -8, 2};
  Extents like(3);
  compact_strides_like(3, shape, model, like.data());
  CHECK((like == Extents{1, 8, 2}));

  const std::int64_t ones[] = {1, 3, 1}, odd[] = {77, 1, -5};
  CHECK(contiguity(3, ones, odd) == (c_contiguous | f_contiguous));
  const std::int64_t square[] = {2, 2}, c[] = {2, 1}, f[] = {1, 2}, gap[] = {3, 1};
  CHECK(contiguity(2, square, c) == c_contiguous);
  CHECK(contiguity(2, square, f) == f_contiguous);
  CHECK(contiguity(2, square, gap) == 0);
}

void extents() {
  std::int64_t low, high;
  const std::int64_t shape[] = {3, 4}, strides[] = {-4, 2};
  CHECK(element_extent(2, shape, strides, low, high) && low == -8 && high == 6);
  const std::int64_t far[] = {std::int64_t(1) << 62, 1};
  CHECK(!element_extent(2, shape, far, low, high));
  const std::int64_t none[] = {3, 0};
  CHECK(element_extent(2, none, far, low, high) && low == 0 && high == 0);
}

// A reshape to a view keeps the order of elements. If a reshape is refused, no view exists.
void reshapes() {
  std::mt19937 random(1);
  const auto pick = [&](int n) { return static_cast<std::int64_t>(random() % n); };
  int views = 0, refusals = 0;
  for (int repeat = 0; repeat < 20000; ++repeat) {
    Extents shape, strides;
    for (std::int64_t i = pick(5); i > 0; --i) {
      shape.push_back(1 + pick(4));
      strides.push_back(pick(4) == 0 ? pick(7) - 3 : 0);
    }
    // Mostly compact, in either order; sometimes with a reversed or strided axis.
    const Extents base = compact(shape, pick(2) ? 'C' : 'F');
    for (std::size_t i = 0; i < shape.size(); ++i)
      strides[i] = strides[i] ? strides[i] * base[i] : base[i];
    std::int64_t count = 1;
    for (const std::int64_t extent : shape)
      count *= extent;
    Extents target;
    for (std::int64_t rest = count; rest > 1 || pick(3) == 0;) {
      const std::int64_t extent = 1 + pick(static_cast<int>(rest));
      if (rest % extent == 0) {
        target.push_back(extent);
        rest /= extent;
      }
    }
    const char order = pick(2) ? 'C' : 'F';
    const int ndim = static_cast<int>(shape.size()), new_ndim = static_cast<int>(target.size());
    Extents result(target.size());
    const auto elements = offsets(shape, strides, order);
    if (reshape_strides(ndim, shape.data(), strides.data(), new_ndim, target.data(), order,
                        result.data())) {
      CHECK(offsets(target, result, order) == elements);
      ++views;
      continue;
    }
    // If there was a view, its stride would be the first step along the axis.
    ++refusals;
    std::int64_t step = 1;
    for (int k = 0; k < new_ndim; ++k) {
      const int axis = order == 'F' ? k : new_ndim - 1 - k;
      result[axis] = target[axis] > 1 ? elements[step] - elements[0] : 0;
      step *= target[axis];
    }
    CHECK(offsets(target, result, order) != elements);
  }
  CHECK(views > 1000 && refusals > 1000);
}

} // namespace

int main() {
  counts();
  orders();
  extents();
  reshapes();
  return failures != 0;
}
