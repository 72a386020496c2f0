// A view of strided memory for host code and kernels: a pointer, a shape and strides. Does not need
// Python; array.hpp creates views of usm_ndarrays.
#ifndef USMTENSOR_ARRAY_VIEW_HPP
#define USMTENSOR_ARRAY_VIEW_HPP

#include <cstddef>
#include <type_traits>

namespace usmtensor {

// Does not own its elements, and is trivially copyable. Like a pointer, a const view allows writes;
// for const elements use array_view<const T, N>. Strides count elements and may be zero or
// negative.
template <class T, int N> class array_view {
  static_assert(N >= 0, "the number of dimensions must not be negative");

public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using index_type = std::ptrdiff_t;

  array_view() = default;
  constexpr array_view(T *data, const index_type *shape, const index_type *strides) : data_(data) {
    for (int axis = 0; axis < N; ++axis) {
      shape_[axis] = shape[axis];
      strides_[axis] = strides[axis];
    }
  }
  // A view of const elements.
  template <class U, class = std::enable_if_t<std::is_same_v<const U, T> && !std::is_const_v<U>>>
  constexpr array_view(const array_view<U, N> &other)
      : array_view(other.data_, other.shape_, other.strides_) {}

  static constexpr int ndim() { return N; }
  constexpr T *data() const { return data_; } // the element with all-zero indices
  constexpr index_type extent(int axis) const { return shape_[axis]; }
  constexpr index_type stride(int axis) const { return strides_[axis]; }
  constexpr index_type size() const {
    index_type count = 1;
    for (int axis = 0; axis < N; ++axis)
      count *= shape_[axis];
    return count;
  }

  // The element at these indices, one per axis. Indices are not checked.
  template <class... Index> constexpr T &operator()(Index... indices) const {
    static_assert(sizeof...(Index) == N, "expected one index per axis");
    index_type offset = 0;
    int axis = 0;
    static_cast<void>(((offset += strides_[axis++] * static_cast<index_type>(indices)), ...));
    static_cast<void>(axis);
    return data_[offset];
  }

  // The element at an index of a 1-D view; otherwise the view of the remaining axes.
  constexpr decltype(auto) operator[](index_type index) const {
    static_assert(N > 0, "a 0-D view has no axis to index; use ()");
    if constexpr (N == 1)
      return static_cast<T &>(data_[index * strides_[0]]);
    else
      return array_view<T, N - 1>(data_ + index * strides_[0], shape_ + 1, strides_ + 1);
  }

private:
  template <class, int> friend class array_view;

  T *data_ = nullptr;
  index_type shape_[N ? N : 1] = {};
  index_type strides_[N ? N : 1] = {};
};

} // namespace usmtensor

#endif
