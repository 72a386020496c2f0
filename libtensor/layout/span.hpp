// A view of contiguous values, for function arguments.
#pragma once
#include <cstddef>
#include <initializer_list>

namespace usmtensor {

template <class T> class Span {
public:
  // An initializer list lives until the end of the call.
  Span(std::initializer_list<T> values) : size_(values.size()) { data_ = values.begin(); }
  template <std::size_t N> Span(const T (&values)[N]) : data_(values), size_(N) {}
  Span(const T *data, std::size_t size) : data_(data), size_(size) {}

  const T *begin() const { return data_; }
  const T *end() const { return data_ + size_; }
  const T &operator[](std::size_t i) const { return data_[i]; }
  std::size_t size() const { return size_; }

private:
  const T *data_;
  std::size_t size_;
};

} // namespace usmtensor
