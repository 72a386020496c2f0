#include "kernel_pack.hpp"

#include "error.hpp"
#include "lz4.hpp"

#include <cstring>

namespace usmtensor {
namespace {

// As kernelc/pack.py writes them.
struct Header {
  char magic[4];
  std::uint32_t version, kernels, dictionary, dictionary_size, source, packed_source_size,
      source_size;
};
struct Entry {
  std::uint32_t name, module, packed_size, size;
};

struct Pack {
  explicit Pack(const unsigned char *data) : data(data) {
    std::memcpy(&header, data, sizeof header);
  }
  const Entry *begin() const { return reinterpret_cast<const Entry *>(data + sizeof(Header)); }
  const Entry *end() const { return begin() + header.kernels; }
  const char *name(const Entry &entry) const {
    return reinterpret_cast<const char *>(data + entry.name);
  }

  const unsigned char *data;
  Header header;
};

template <class Bytes>
Bytes unpack(const Pack &pack, std::uint32_t offset, std::uint32_t packed, std::uint32_t size,
             bool with_dictionary) {
  Bytes bytes(size, {});
  const std::uint32_t dictionary_size = with_dictionary ? pack.header.dictionary_size : 0;
  if (!lz4_unpack(pack.data + offset, packed, pack.data + pack.header.dictionary, dictionary_size,
                  reinterpret_cast<unsigned char *>(bytes.data()), size))
    throw Error(ErrorKind::kernel, "the kernels embedded in libtensor are damaged");
  return bytes;
}

} // namespace

std::vector<std::byte> PackedKernel::spirv() const {
  const Pack pack(this->pack);
  const Entry &entry = pack.begin()[index];
  return unpack<std::vector<std::byte>>(pack, entry.module, entry.packed_size, entry.size, true);
}

std::uint32_t packed_kernel_count() {
  static const std::uint32_t count = [] {
    std::uint32_t sum = 0;
    for (const EmbeddedPack *embedded = embedded_packs; embedded->data; ++embedded)
      sum += Pack(embedded->data).header.kernels;
    return sum;
  }();
  return count;
}

PackedKernel packed_kernel(std::uint32_t id) {
  for (const EmbeddedPack *embedded = embedded_packs; embedded->data; ++embedded) {
    const Pack pack(embedded->data);
    if (id < pack.header.kernels)
      return {embedded->family, pack.name(pack.begin()[id]), embedded->data, id};
    id -= pack.header.kernels;
  }
  throw Error(ErrorKind::kernel, "no kernel has the id " + std::to_string(id));
}

std::string kernel_source(std::string_view family) {
  for (const EmbeddedPack *embedded = embedded_packs; embedded->data; ++embedded)
    if (family == embedded->family) {
      const Pack pack(embedded->data);
      return unpack<std::string>(pack, pack.header.source, pack.header.packed_source_size,
                                 pack.header.source_size, false);
    }
  throw Error(ErrorKind::kernel, "no kernel family is called " + std::string(family));
}

} // namespace usmtensor
