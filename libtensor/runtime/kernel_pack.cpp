#include "kernel_pack.hpp"

#include "embedded_packs.hpp"
#include "error.hpp"
#include "lz4.hpp"

#include <algorithm>
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
  explicit Pack(const unsigned char *data = nullptr) : data(data) {
    if (data)
      std::memcpy(&header, data, sizeof header);
  }
  const Entry &entry(std::uint32_t i) const {
    return reinterpret_cast<const Entry *>(data + sizeof(Header))[i];
  }
  const char *name(std::uint32_t i) const {
    return reinterpret_cast<const char *>(data + entry(i).name);
  }

  const unsigned char *data;
  Header header{};
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
  const Entry &entry = pack.entry(index);
  return unpack<std::vector<std::byte>>(pack, entry.module, entry.packed_size, entry.size, true);
}

std::uint32_t packed_kernel_count() {
  static const std::uint32_t count = [] {
    std::uint32_t sum = 0;
    for (const EmbeddedPack &embedded : embedded_packs)
      sum += Pack(embedded.data).header.kernels;
    return sum;
  }();
  return count;
}

std::uint32_t find_packed_kernel(std::string_view name) {
  std::uint32_t base = 0;
  for (const EmbeddedPack &embedded : embedded_packs) {
    const Pack pack(embedded.data);
    std::uint32_t first = 0, last = pack.header.kernels;
    while (first < last) {
      const std::uint32_t middle = first + (last - first) / 2;
      const int order = name.compare(pack.name(middle));
      if (order == 0)
        return base + middle;
      if (order < 0)
        last = middle;
      else
        first = middle + 1;
    }
    base += pack.header.kernels;
  }
  return base;
}

PackedKernel packed_kernel(std::uint32_t id) {
  for (const EmbeddedPack &embedded : embedded_packs) {
    const Pack pack(embedded.data);
    if (id < pack.header.kernels)
      return {embedded.family, pack.name(id), embedded.data, id};
    id -= pack.header.kernels;
  }
  throw Error(ErrorKind::kernel, "no kernel has the id " + std::to_string(id));
}

std::string kernel_source(std::string_view family) {
  for (const EmbeddedPack &embedded : embedded_packs)
    if (family == embedded.family) {
      const Pack pack(embedded.data);
      return unpack<std::string>(pack, pack.header.source, pack.header.packed_source_size,
                                 pack.header.source_size, false);
    }
  throw Error(ErrorKind::kernel, "no kernel family is called " + std::string(family));
}

} // namespace usmtensor
