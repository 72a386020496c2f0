#include "host/key_sort.hpp"

#include "host/threads.hpp"
#include "kernels/order.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>

namespace usmtensor {
namespace {

constexpr int64 part_size = 16384; // elements that a thread merges or copies at a time

// The state of a merge of two sorted runs.
template <class S> struct Merge {
  bool more() const { return (a < a_end) & (b < b_end); }
  USMTENSOR_INLINE void step() {
    const S x = *a, y = *b;
    const bool second = y < x;
    *to++ = second ? y : x;
    b += second, a += !second;
  }
  void finish() {
    while (more())
      step();
    std::copy(b, b_end, std::copy(a, a_end, to));
  }
  const S *a, *a_end, *b, *b_end;
  S *to;
};

// A parallel merge of two sorted runs: each call of merge() produces an independent slice of the
// output.
template <class S> class Runs {
public:
  Runs(const S *a, const S *b, const S *end, S *to)
      : a(a), b(b), a_count(b - a), b_count(end - b), to(to) {}

  // Interleaves four merges, because each step of a merge depends on the previous one.
  void merge(int64 begin, int64 end) const {
    const int64 quarter = (end - begin) / 4;
    Merge<S> first = part(begin, begin + quarter),
             second = part(begin + quarter, begin + 2 * quarter),
             third = part(begin + 2 * quarter, begin + 3 * quarter),
             fourth = part(begin + 3 * quarter, end);
    while (first.more() & second.more() & third.more() & fourth.more())
      first.step(), second.step(), third.step(), fourth.step();
    first.finish(), second.finish(), third.finish(), fourth.finish();
  }

private:
  Merge<S> part(int64 begin, int64 end) const {
    const int64 from = count_from_a(begin), until = count_from_a(end);
    return {a + from, a + until, b + begin - from, b + end - until, to + begin};
  }
  // The number of elements of run a among the first k merged elements.
  int64 count_from_a(int64 k) const {
    int64 low = std::max<int64>(0, k - b_count), high = std::min(k, a_count);
    while (low < high) {
      const int64 middle = (low + high) / 2;
      if (b[k - 1 - middle] < a[middle])
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }

  const S *const a, *const b;
  const int64 a_count, b_count;
  S *const to;
};

// Calls f(row, threads) for each row. Threads that divide the rows take several short rows at a
// time.
template <class F> void each_row(const KeySort &s, F f) {
  if (s.shares_rows()) {
    for (int64 row = 0; row < s.rows; ++row)
      f(row, s.threads);
    return;
  }
  const int64 batch = std::max<int64>(1, 4096 / s.n);
  share_among(s.threads, (s.rows - 1) / batch + 1, [&](int, int64 k) {
    for (int64 row = k * batch; row < std::min(s.rows, (k + 1) * batch); ++row)
      f(row, 1);
    return true;
  });
}

// True if a row is sorted. Checks in steps of increasing size, because most rows are found to be
// unsorted after a few elements.
template <class W> bool is_sorted(const Order<W> &by, const W *row, int64 n) {
  const Order<W> order = by; // in registers
  W before = order(row[0]);
  for (int64 i = 1, step = 8; i < n; step = std::min<int64>(2 * step, 1024)) {
    bool decreases = false;
    for (const int64 end = std::min(n, i + step); i < end; ++i) {
      const W key = order(row[i]);
      decreases |= key < before;
      before = key;
    }
    if (decreases)
      return false;
  }
  return true;
}

// Copies the rows if each is sorted, or else returns false. Another thread may change the elements
// after the check; that is harmless, because no sort relies on it.
template <class W> bool copy_if_sorted(const KeySort &s) {
  const Order<W> order{s.fold, s.limit, s.top, s.bias};
  const auto in = static_cast<const W *>(s.in);
  for (int64 row = 0; row < s.rows; ++row)
    if (!is_sorted(order, in + row * s.n, s.n))
      return false;
  if (!s.is_argsort)
    std::copy_n(in, s.rows * s.n, static_cast<W *>(s.out));
  for (int64 row = 0; s.is_argsort && row < s.rows; ++row)
    std::iota(static_cast<int64 *>(s.out) + row * s.n,
              static_cast<int64 *>(s.out) + (row + 1) * s.n, 0);
  return true;
}

template <class W> class Sorter {
public:
  explicit Sorter(const KeySort &s) : s(s), order{s.fold, s.limit, s.top, s.bias} {}

  void run() const {
    const auto in = static_cast<const W *>(s.in);
    const auto out = static_cast<W *>(s.out);
    each_row(s,
             [&](int64 row, int threads) { sort_row(in + row * s.n, out + row * s.n, threads); });
  }

private:
  using S = std::make_signed_t<W>;

  // The threads sort a power of two of runs, and then merge pairs of runs.
  void sort_row(const W *in, W *out, int threads) const {
    if (is_sorted(order, in, s.n))
      return void(std::copy_n(in, s.n, out));
    int64 count = 1;
    W *from = out, *to = static_cast<W *>(s.scratch);
    for (; count < threads; count *= 2)
      std::swap(from, to);
    const auto edge = [&](int64 run) { return s.n / count * run + std::min(run, s.n % count); };
    const auto each_run = [&](auto f) {
      if (count == 1)
        return f(in, from, s.n);
      return share_among(threads, count, [&](int, int64 run) {
        return f(in + edge(run), from + edge(run), edge(run + 1) - edge(run));
      });
    };
    const bool plain = each_run([&](auto... run) { return sort_plain(run...); });
    if (!plain)
      each_run([&](auto... run) { return sort_keys(run...); });
    for (int64 width = 1; width < count; width *= 2, std::swap(from, to)) {
      const bool last = 2 * width == count;
      const int64 parts = 2 * width * (s.n / count + 1) / part_size + 1;
      share_among(threads, count / 2 / width * parts, [&](int, int64 k) {
        const int64 run = k / parts * 2 * width, begin = edge(run);
        const int64 size = edge(run + 2 * width) - begin;
        const int64 first = std::min(size, k % parts * part_size);
        const int64 end = std::min(size, first + part_size);
        const auto keys = reinterpret_cast<const S *>(from);
        Runs<S>(keys + begin, keys + edge(run + width), keys + begin + size,
                reinterpret_cast<S *>(to) + begin)
            .merge(first, end);
        if (last)
          to_elements(to + begin + first, end - first, plain);
        return true;
      });
    }
    if (count == 1 && !(plain && s.floats))
      to_elements(out, s.n, plain);
    if (!plain)
      restore(in, out);
  }

  // Sorts by the bits as signed integers, after inverting those of negative floats. Returns false
  // without sorting if there is a negative zero or NaN.
  bool sort_plain(const W *__restrict in, W *__restrict keys, int64 count) const {
    const S invert = s.fold ? S(order.sign - 1) : 0, flip = S(W(s.bias) ^ order.sign);
    const S limit = S(s.limit);
    const bool as_floats = s.floats && count == s.n; // no merge follows
    S special = 0;
    const auto key_of = [&](int64 i) {
      const S key = S(in[i]) ^ (S(in[i]) >> order.last & invert);
      special |= (key == -1) | (key > limit) | (key < ~limit);
      return W(key ^ flip);
    };
    if (as_floats)
      for (int64 i = 0; i < count; ++i)
        key_of(i), keys[i] = in[i];
    else if (invert)
      for (int64 i = 0; i < count; ++i)
        keys[i] = key_of(i);
    else
      for (int64 i = 0; i < count; ++i)
        keys[i] = in[i] ^ W(flip);
    if (special != 0)
      return false;
    (as_floats ? s.floats : s.integers)(keys, count, nullptr);
    return true;
  }
  // Sorts by keys, which are the same for equal elements.
  bool sort_keys(const W *__restrict in, W *__restrict keys, int64 count) const {
    for (int64 i = 0; i < count; ++i)
      keys[i] = order(in[i]) ^ order.sign;
    s.integers(keys, count, nullptr);
    return true;
  }

  void to_elements(W *keys, int64 count, bool plain) const {
    const S invert = s.fold ? S(order.sign - 1) : 0, flip = S(W(s.bias) ^ order.sign);
    const Order<W> order = this->order; // in registers
    if (!plain)
      for (int64 i = 0; i < count; ++i)
        keys[i] = order.element(keys[i] ^ order.sign);
    else if (invert || flip)
      for (int64 i = 0; i < count; ++i) {
        const S key = S(keys[i]) ^ flip;
        keys[i] = W(key ^ (key >> order.last & invert));
      }
  }

  // Restores the bits and the input order of zeros and NaNs, which have the same key. Their number
  // may differ from that in the output, because other threads may change the input.
  void restore(const W *in, W *out) const {
    for (const W like : {W(0), W(s.limit + 1)}) {
      const W key = order(like);
      const auto less = [&](W element, W than) { return order(element) < than; };
      W *to = std::lower_bound(out, out + s.n, key, less);
      for (int64 i = 0; i < s.n && to < out + s.n; ++i)
        if (order(in[i]) == key)
          *to++ = in[i];
    }
  }

  const KeySort &s;
  const Order<W> order;
};

// Argsort. Sorts pairs of a 32-bit word of the key and an index, as integers of eight bytes. If
// keys differ in lower bits also, pairs with equal words are sorted again by these bits.
template <class W> class IndexSorter {
public:
  explicit IndexSorter(const KeySort &s) : s(s), order{s.fold, s.limit, s.top, s.bias} {}

  void run() const {
    each_row(s, [&](int64 row, int threads) { sort_row(row * s.n, threads); });
  }

private:
  void sort_row(int64 begin, int threads) const {
    const auto in = static_cast<const W *>(s.in) + begin;
    const auto indices = static_cast<int64 *>(s.out) + begin;
    if (is_sorted(order, in, s.n))
      return std::iota(indices, indices + s.n, 0);
    uint64 *const all = static_cast<uint64 *>(s.scratch), *const runs = all + 2 * s.rows * s.n;
    uint64 *const pairs = all + begin, *const sorted = pairs + s.rows * s.n;
    const Range range = sizeof(W) == 8 ? range_of(in, threads) : Range{};
    each_part(threads, [&](int64 first, int64 end) {
      for (int64 i = first; i < end; ++i)
        pairs[i] = (order(in[i]) - range.least) >> range.shift << 32 | uint64(i);
    });
    const KeySort words{s.integers, nullptr, false, 8,     threads, s.n,  1,    0,
                        ~uint64(0), 0,       0,     pairs, sorted,  runs, false};
    Sorter<uint64>(words).run();
    each_part(threads, [&](int64 first, int64 end) {
      if (range.rest)
        sort_rest(in, sorted, pairs, range, first, end);
      const uint64 *const from = range.rest ? pairs : sorted;
      for (int64 i = first; i < end; ++i)
        indices[i] = uint32(from[i]);
    });
  }

  // Calls f(first, end) for parts of a row.
  template <class F> void each_part(int threads, F f) const {
    if (threads == 1)
      return f(0, s.n);
    share_among(threads, (s.n - 1) / part_size + 1, [&](int, int64 k) {
      f(k * part_size, std::min(s.n, (k + 1) * part_size));
      return true;
    });
  }

  // The range of the keys of a row.
  struct Range {
    uint64 least = 0;  // the smallest key
    int shift = 0;     // the 32-bit word of a key is (key - least) >> shift
    bool rest = false; // keys differ in the bits below the word
  };
  Range range_of(const W *in, int threads) const {
    const auto key_of = [&](int64 i) { return int64(order(in[i]) ^ order.sign); };
    const int64 model = key_of(0);
    std::mutex mutex;
    int64 least = model, greatest = model, varying = 0;
    each_part(threads, [&](int64 first, int64 end) {
      int64 low = model, high = model,
            bits = 0; // signed, because processors compare these faster
      for (int64 i = first; i < end; ++i) {
        const int64 key = key_of(i);
        low = std::min(low, key), high = std::max(high, key), bits |= key ^ model;
      }
      const std::lock_guard lock(mutex);
      least = std::min(least, low), greatest = std::max(greatest, high), varying |= bits;
    });
    const int shift = std::max(0, 32 - __builtin_clzll((uint64(greatest) - uint64(least)) | 1));
    return {uint64(least) ^ order.sign, shift, (varying & ((uint64(1) << shift) - 1)) != 0};
  }

  // Sorts the groups of equal words that begin in a part, by their lower bits, into `pairs`. The
  // part is changed to the range of these groups.
  void sort_rest(const W *in, const uint64 *sorted, uint64 *pairs, Range range, int64 &first,
                 int64 &end) const {
    const auto after = [&](int64 i) { // the first pair with a different word than pair i
      return std::partition_point(
                 sorted + i, sorted + s.n,
                 [word = sorted[i] >> 32](uint64 pair) { return pair >> 32 == word; }) -
             sorted;
    };
    first = first == 0 ? 0 : after(first - 1);
    end = after(end - 1);
    for (int64 begin = first, next; begin < end; begin = next) {
      const uint64 word = sorted[begin] >> 32;
      for (next = begin + 1; next < s.n && sorted[next] >> 32 == word; ++next)
        if (next == begin + 32) { // a long group
          next = after(begin);
          break;
        }
      pairs[begin] = sorted[begin];
      if (next == begin + 1)
        continue;
      for (int64 i = begin; i < next; ++i) {
        const uint64 index = uint32(sorted[i]), low_bits = (uint64(1) << range.shift) - 1;
        const uint64 rest = (order(in[index]) - range.least) & low_bits;
        pairs[i] = ((rest << 32) ^ Order<uint64>::sign) | index;
      }
      s.integers(pairs + begin, next - begin, nullptr);
    }
  }

  const KeySort &s;
  const Order<W> order;
};

} // namespace

bool sort(const KeySort &s) {
  const bool narrow = s.itemsize == 4;
  if (s.if_in_order)
    return narrow ? copy_if_sorted<bits32>(s) : copy_if_sorted<bits64>(s);
  if (s.is_argsort)
    narrow ? IndexSorter<bits32>(s).run() : IndexSorter<bits64>(s).run();
  else
    narrow ? Sorter<bits32>(s).run() : Sorter<bits64>(s).run();
  return true;
}

} // namespace usmtensor
