#include "layout/view.hpp"

#include "check.hpp"

#include <vector>

using namespace usmtensor;

namespace {

struct Array {
  char *data;
  DType dtype;
  std::vector<std::int64_t> shape, strides;
  View view() const {
    return {data, dtype, static_cast<int>(shape.size()), shape.data(), strides.data(), nullptr};
  }
};

char memory[4096];

bool overlap(const Array &a, const Array &b) {
  const bool there = may_overlap(a.view(), b.view());
  CHECK(there == may_overlap(b.view(), a.view()));
  return there;
}

} // namespace

int main() {
  char *const m = memory + 2048;
  const Array line{m, DType::float32, {10}, {1}};
  CHECK(overlap(line, line));
  CHECK(overlap(line, {m + 4, DType::float32, {10}, {1}}));
  CHECK(!overlap(line, {m + 40, DType::float32, {10}, {1}}));
  CHECK(overlap(line, {m + 39, DType::int8, {10}, {1}}));
  CHECK(overlap(line, {m + 80, DType::float32, {12}, {-1}})); // down to m + 36
  CHECK(!overlap(line, {m + 80, DType::float32, {11}, {-1}}));
  CHECK(!overlap(line, {m, DType::float32, {0}, {1}}));
  // Even and odd elements, in either direction.
  const Array even{m, DType::float32, {10}, {2}};
  CHECK(!overlap(even, {m + 4, DType::float32, {10}, {2}}));
  CHECK(!overlap(even, {m + 76, DType::float32, {10}, {-2}}));
  CHECK(overlap(even, {m + 8, DType::float32, {5}, {2}}));
  CHECK(overlap(even, {m + 4, DType::float64, {5}, {1}}));
  CHECK(overlap(even, {m + 2, DType::float32, {5}, {2}}));
  CHECK(!overlap(even, {m + 6, DType::int16, {5}, {4}}));
  // Columns of one matrix.
  const Array columns{m, DType::float32, {4, 3}, {8, 1}};
  CHECK(overlap(
      columns, {m + 12, DType::float32, {4, 4}, {8, 1}})); // disjoint, but the test cannot prove it
  CHECK(overlap({m, DType::float32, {}, {}}, {m, DType::float64, {}, {}}));
  CHECK(!overlap({m, DType::float32, {}, {}}, {m + 4, DType::float64, {}, {}}));

  CHECK(same_elements(line.view(), line.view()));
  CHECK(same_elements(line.view(), Array{m, DType::int32, {10}, {1}}.view()));
  CHECK(!same_elements(line.view(), Array{m, DType::int16, {10}, {1}}.view()));
  CHECK(!same_elements(line.view(), Array{m, DType::float32, {10}, {-1}}.view()));
  CHECK(same_elements(Array{m, DType::float32, {1, 10}, {3, 1}}.view(),
                      Array{m, DType::float32, {1, 10}, {9, 1}}.view()));
  return failures != 0;
}
