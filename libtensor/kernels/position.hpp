// argmax and argmin: the position along an axis of the first extreme element, or of the first NaN.
#pragma once
#include "reduction.hpp"

namespace usmtensor {

// The parameters of Extreme. `mask` is 1 for bools; then `flip` searches for the first false.
template <class D, class S> struct ArgExtreme {
  Extreme<S, S> extreme() const { return {mask, flip, divisor}; }
  uint64 mask, flip, divisor;
};

// The index of the first of n numbers that passes a test, or n. The test takes numbers and vectors.
template <class S, class Test> USMTENSOR_INLINE int64 first_index(int64 n, const S *x, Test test) {
  using V = Lanes<S>;
  constexpr int64 per = lane_count<S>;
  auto at = [&](int64 i) USMTENSOR_INLINE_LAMBDA { return test(load_as<V>(x + i)); };
  int64 i = 0;
  while (i + 4 * per <= n && !any_bit(at(i) | at(i + per) | at(i + 2 * per) | at(i + 3 * per)))
    i += 4 * per;
  while (i + per <= n && !any_bit(at(i)))
    i += per;
  while (i < n && !test(x[i]))
    ++i;
  return i;
}

// The index of the first of n elements that equals the value. One of them does.
template <class S> USMTENSOR_INLINE int64 index_of(S value, int64 n, Run<const S> x) {
  if constexpr (standard::is_arithmetic_v<S>)
    if (x.stride == 1 && value == value) {
      const int64 index =
          first_index(n, x.data, [=](auto v) USMTENSOR_INLINE_LAMBDA { return v == value; });
      return smallest(index, n - 1); // another thread may have changed the elements
    }
  const auto wanted = Single<S>(value);
  int64 i = 0;
  for (; i < n - 1; ++i)
    if (const auto element = Single<S>(x[i]);
        element == wanted || (is_nan(element) && is_nan(wanted)))
      break;
  return i;
}

// True if an oriented element replaces another one that precedes it.
template <class T> USMTENSOR_INLINE bool beats(T a, T b) {
  return (a > b) | (is_nan(a) & !is_nan(b));
}
template <class T> USMTENSOR_INLINE bool beats(Complex<T> a, Complex<T> b) {
  using C = Complex<T>;
  const C chosen = Extreme<C, C>::combine(b, a);
  return !is_nan(b.real()) && !is_nan(b.imag()) &&
         (is_nan(a.real()) || is_nan(a.imag()) || (chosen == a && a != b));
}
template <class S> USMTENSOR_INLINE bool is_better(Extreme<S, S> f, S x, S other) {
  return beats(f.orient(Single<S>(x)), f.orient(Single<S>(other)));
}

// Elements of a piece. Few pieces have a better element than the pieces before, and only these are
// searched for its index.
inline constexpr int64 search_piece = 2048;

template <class S> USMTENSOR_INLINE int64 index_in_row(Extreme<S, S> f, int64 n, Run<const S> x) {
  S best{};
  int64 index = -1;
  for (int64 i = 0; i < n; i += search_piece) {
    const int64 count = n - i < search_piece ? n - i : search_piece;
    const S value = reduce_run<S>(false, f, count, x.from(i));
    if (index >= 0 && !is_better(f, value, best))
      continue;
    best = value;
    index = i + index_of(value, count, x.from(i));
  }
  return index;
}

// The index of the first bool that equals `wanted`, or 0. The search ends there.
template <class S> USMTENSOR_INLINE int64 index_of_bool(bool wanted, int64 n, Run<const S> x) {
  int64 i = 0;
  if (x.stride != 1)
    while (i < n && (x[i] != 0) != wanted)
      ++i;
  else if (wanted)
    i = first_index(n, x.data, [](auto v) USMTENSOR_INLINE_LAMBDA { return v != 0; });
  else
    i = first_index(n, x.data, [](auto v) USMTENSOR_INLINE_LAMBDA { return v == 0; });
  return i < n ? i : 0;
}

template <class D, class S>
void inner_axis(ArgExtreme<D, S> f, int64 block, int64 size, Space space, Operand<D> out,
                Operand<const S> in) {
  each_unit_row({space, size, block}, [=](const Unit &unit, int64 rows) {
    const auto to = unit.result_of(out);
    const auto from = unit.elements_of(in);
    auto index = [&](Run<const S> row) USMTENSOR_INLINE_LAMBDA {
      if constexpr (standard::is_same_v<S, int8>)
        if (f.mask == 1)
          return index_of_bool(f.flip == 0, unit.count, row);
      return index_in_row(f.extreme(), unit.count, row);
    };
    for (int64 i = 0; i < rows; ++i)
      to.data[i * to.s1] = unit.start + index(from.along1(i).run0());
  });
}

// Updates the best elements of several columns with a row. `number` is the number of the row among
// a few rows. It is an integer of the elements' size, so that all lanes of a loop have the same
// width.
template <class S, class N, class Row>
USMTENSOR_INLINE void update_best(Extreme<S, S> f, int64 columns, N number, S *best, N *numbers,
                                  Row row) {
  int64 j = 0;
  if constexpr (standard::is_arithmetic_v<S> && standard::is_pointer_v<Row>) {
    using V = Lanes<S>;
    using Numbers = Lanes<N>;
    for (constexpr int64 count = lane_count<S>; j + count <= columns; j += count) {
      const V a = f.orient(load_as<V>(row + j)), b = f.orient(load_as<V>(best + j));
      const V value = f.orient(f.combine(b, a));
      // Row numbers increase, so the larger one is the newer one. A select would become a masked
      // store, which is ten times slower on some processors.
      const auto better = reinterpret<Numbers>((a > b) | ((a != a) & (b == b)));
      const Numbers own = broadcast<Numbers>(number) & better,
                    former = load_as<Numbers>(numbers + j), last = own > former ? own : former;
      __builtin_memcpy(best + j, &value, sizeof value);
      __builtin_memcpy(numbers + j, &last, sizeof last);
    }
  }
  for (; j < columns; ++j) {
    const S x = row[j], other = best[j];
    const bool better = is_better(f, x, other);
    best[j] = better ? x : other;
    numbers[j] = better ? number : numbers[j];
  }
}

// The number of columns that are searched together.
template <class S> inline constexpr int64 search_columns = strip_bytes / sizeof(S);

// The number of a row among the rows that are searched together. The smallest type limits their
// count.
template <class S> using RowNumber = standard::make_signed_t<Word<S>>;
inline constexpr int64 max_row_number = 127;

// n contiguous rows of few columns: several rows form one row of vectors. Each column of it gives a
// candidate; the first of equal candidates is the result. `first` is the index of the first row.
template <class S> inline constexpr int64 max_few_columns = 2 * lane_count<S>;
template <class D, class S>
USMTENSOR_INLINE void search_few_columns(Extreme<S, S> f, int64 n, int64 columns, const S *from,
                                         Operand<D> to, int64 first) {
  constexpr int64 rows_per_vector = lane_count<S>, max_rows = max_row_number * rows_per_vector;
  const int64 width = rows_per_vector * columns;
  S best[rows_per_vector * max_few_columns<S>], found[max_few_columns<S>];
  RowNumber<S> numbers[rows_per_vector * max_few_columns<S>];
  for (int64 start = 0, count; start < n; start += count) {
    count = n - start <= max_rows
                ? n - start
                : max_rows - rows_per_vector; // leaves enough rows for the last step
    const S *const rows = from + start * columns;
    for (int64 j = 0; j < width; ++j)
      best[j] = rows[j], numbers[j] = 0;
    for (int64 i = rows_per_vector; i < count; i += rows_per_vector)
      update_best(f, smallest(count - i, rows_per_vector) * columns,
                  RowNumber<S>(i / rows_per_vector), best, numbers, rows + i * columns);
    for (int64 j = 0; j < columns; ++j) {
      int64 chosen = j;
      for (int64 other = j + columns; other < width; other += columns)
        if (is_better(f, best[other], best[chosen]) ||
            (numbers[other] < numbers[chosen] && !is_better(f, best[chosen], best[other])))
          chosen = other;
      if (start > 0 && !is_better(f, best[chosen], found[j]))
        continue;
      found[j] = best[chosen];
      to.data[j * to.s1] = first + start + numbers[chosen] * rows_per_vector + chosen / columns;
    }
  }
}

template <class D, class S>
void outer_axis(ArgExtreme<D, S> f, int64 block, int64 size, Space space, Operand<D> out,
                Operand<const S> in) {
  each_strip({space, size, block, search_columns<S>}, [=](Unit unit) {
    Buffer<S, strip_bytes> best;
    Buffer<RowNumber<S>, search_columns<S> * sizeof(RowNumber<S>)> numbers;
    const auto to = unit.result_of(out);
    const auto from = unit.elements_of(in);
    const int64 n = unit.count, columns = unit.columns;
    if constexpr (constexpr int64 lanes = lane_count<S>; standard::is_arithmetic_v<S>)
      if (from.s1 == 1 && from.s0 == columns && columns % lanes != 0 &&
          columns < max_few_columns<S> && n >= lanes)
        return search_few_columns(f.extreme(), n, columns, from.data, to, unit.start);
    for (int64 j = 0; j < columns; ++j) {
      best.data()[j] = from.data[j * from.s1];
      to.data[j * to.s1] = unit.start;
    }
    for (int64 start = 1; start < n; start += max_row_number) {
      const int64 count = smallest(n - start, max_row_number);
      for (int64 j = 0; j < columns; ++j)
        numbers.data()[j] = 0;
      for (int64 i = 0; i < count; ++i) {
        const S *const row = from.data + (start + i) * from.s0;
        if (from.s1 == 1)
          update_best(f.extreme(), columns, RowNumber<S>(i + 1), best.data(), numbers.data(), row);
        else
          update_best(f.extreme(), columns, RowNumber<S>(i + 1), best.data(), numbers.data(),
                      Run<const S>{row, from.s1});
      }
      for (int64 j = 0; j < columns; ++j)
        if (numbers.data()[j] != 0)
          to.data[j * to.s1] = unit.start + start + numbers.data()[j] - 1;
    }
  });
}

#ifndef USMTENSOR_HOST
// On GPUs the oriented extreme is reduced together with its index, -1 if there is none yet. A unit
// has fewer than 2^31 elements.
template <class T> struct Best {
  T value;
  int32 index;
};
template <class T> USMTENSOR_INLINE Best<T> better(Best<T> a, Best<T> b) {
  if (a.index < 0 || b.index < 0)
    return a.index < 0 ? b : a;
  const bool before = b.index < a.index && !beats(a.value, b.value);
  return before || beats(b.value, a.value) ? b : a;
}
template <class S>
USMTENSOR_INLINE auto best_strided(Extreme<S, S> f, int32 first, int32 step, int32 n,
                                   Run<const S> x) {
  using T = decltype(f.orient(Single<S>()));
  Best<T> best{{}, -1};
  if (first >= n)
    return best;
  auto load = [&](int32 i) USMTENSOR_INLINE_LAMBDA { return f.orient(Single<S>(x[i])); };
  auto see = [&](T value, int32 i) USMTENSOR_INLINE_LAMBDA {
    if (beats(value, best.value))
      best = {value, i};
  };
  best = {load(first), first};
  int32 i = first;
  // Many parallel loads hide the memory latency.
  constexpr int count = sizeof(S) <= 4 ? 2 * max_unrolled : max_unrolled;
  for (; i + (count - 1) * step < n; i += count * step) {
    T loaded[count];
    repeat<count>([&](auto k) USMTENSOR_INLINE_LAMBDA { loaded[k] = load(i + k * step); });
    bool any = false; // rarely true
    repeat<count>([&](auto k) USMTENSOR_INLINE_LAMBDA {
      if constexpr (is_complex<S>)
        any |= beats(loaded[k], best.value);
      else
        any |= !(loaded[k] <= best.value);
    });
    if (any)
      repeat<count>([&](auto k) USMTENSOR_INLINE_LAMBDA { see(loaded[k], i + k * step); });
  }
  for (; i < n; i += step)
    see(load(i), i);
  return best;
}

template <class D, class S>
USMTENSOR_INLINE void inner_axis_teams(ArgExtreme<D, S> f, int64 block, int64 size, Space space,
                                       Operand<D> out, Operand<const S> in) {
  using Candidate = decltype(best_strided(f.extreme(), 0, 1, 1, Run<const S>{}));
  Candidate *const buffer = local_memory<Candidate, max_reduction_group>();
  const int team = row_team(space.n0);
  each_unit_of_team(
      {space, size, block}, team,
      [&](const Unit &unit, int32 lane, bool stores) USMTENSOR_INLINE_LAMBDA {
        const Candidate best = combined_in_team(
            team, best_strided(f.extreme(), lane, team, unit.count, unit.elements_of(in).run0()),
            buffer, [](Candidate a, Candidate b) USMTENSOR_INLINE_LAMBDA { return better(a, b); });
        if (lane == 0 && stores)
          *unit.result_of(out).data = unit.start + best.index;
      });
}

template <class D, class S>
void outer_axis_groups(ArgExtreme<D, S> f, int64 block, int64 size, Space space, Operand<D> out,
                       Operand<const S> in) {
  each_unit_interleaved({space, size, block}, [&](const Unit &unit) USMTENSOR_INLINE_LAMBDA {
    const auto column = unit.elements_of(in).run0();
    *unit.result_of(out).data =
        unit.start + best_strided(f.extreme(), 0, 1, unit.count, column).index;
  });
}
#endif

} // namespace usmtensor
