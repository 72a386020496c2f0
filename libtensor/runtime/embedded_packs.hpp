// The packs in the library's data; the build writes the definition.
#pragma once

namespace usmtensor {

struct EmbeddedPack {
  const char *family;
  const unsigned char *data;
};

extern const EmbeddedPack embedded_packs[]; // the last one has no data

} // namespace usmtensor
