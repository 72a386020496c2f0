"""The heat equation on a plate: a stencil as a whole kernel in SYCL C++."""

from picture import save

import usmtensor as usm

SIDE, STEPS, RATE = 64, 4000, 0.2

# One time step; a work-item computes an element.
SOURCE = """
#include <sycl/ext/oneapi/free_function_queries.hpp>
#include <sycl/ext/oneapi/free_function_kernel_properties.hpp>

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(
    (sycl::ext::oneapi::experimental::nd_range_kernel<2>))
void step(const float *before, float *after, int side, float rate) {
  const auto item = sycl::ext::oneapi::this_work_item::get_nd_item<2>();
  const int row = item.get_global_id(0), column = item.get_global_id(1), i = row * side + column;
  const bool inside = row > 0 && row < side - 1 && column > 0 && column < side - 1;
  const float here = before[i];
  after[i] = !inside ? here : here + rate * (before[i - side] + before[i + side] +
                                             before[i - 1] + before[i + 1] - 4 * here);
}
"""
step = usm.RawKernel(SOURCE, "step")


def main():
    plate = usm.zeros((SIDE, SIDE), dtype="f4")
    plate[0] = 1  # the border keeps its temperature: one side is hot
    other = usm.empty_like(plate)
    print("  step  mean  centre")
    for number in range(STEPS + 1):
        if number % (STEPS // 4) == 0:
            mean, centre = float(usm.mean(plate)), float(plate[SIDE // 2, SIDE // 2])
            print(f"{number:6d} {mean:5.3f} {centre:7.5f}")
        step((SIDE, SIDE), (1, SIDE), (plate, other, SIDE, RATE))
        plate, other = other, plate
    save(plate, "heat.png")
    assert 0 < mean < 0.25  # the limit is a quarter


if __name__ == "__main__":
    main()
