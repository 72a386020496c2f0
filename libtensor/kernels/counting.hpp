// Counts of places, and sums of the weights of each place.
#pragma once
#include "loops.hpp"

namespace usmtensor {

// The elements are divided into blocks, independent of the number of work-items. Each block has its
// own sums. Places out of range do not count.
template <class D, class I, class... W> struct SumPlaces {
  void operator()(i8, i8 begin, i8 end, D *out, const I *places, const W *...weights) const {
    for (i8 block = begin; block < end; ++block) {
      D *const sums = out + block * bins;
      for (i8 i = 0; i < bins; ++i)
        sums[i] = 0;
      const i8 stop = share(n, block + 1, blocks);
      for (i8 i = share(n, block, blocks); i < stop; ++i) {
        const I place = places[i];
        D weight = 1;
        ((weight = weights[i]), ...);
        if (u8(place) < u8(bins))
          sums[place] += weight;
      }
    }
  }
  i8 n, blocks, bins;
};
template <class D, class I> using CountPlaces = SumPlaces<D, I>;

} // namespace usmtensor
