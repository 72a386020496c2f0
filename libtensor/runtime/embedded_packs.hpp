// The packs in the library's data; the build writes the definition.
#pragma once

namespace usmtensor {

struct EmbeddedPack {
  const char *family;
  const unsigned char *data;
};

struct EmbeddedPacks {
  const EmbeddedPack *first, *last;
  const EmbeddedPack *begin() const { return first; }
  const EmbeddedPack *end() const { return last; }
};

extern const EmbeddedPacks embedded_packs;

} // namespace usmtensor
