#include "kernel_pack.hpp"

#include "error.hpp"
#include "kernel_cache.hpp"
#include "lz.hpp"
#include "pack_format.hpp"

#include <cstring>
#include <map>
#include <mutex>

namespace usmtensor {
namespace {

struct Pack {
  explicit Pack(const unsigned char *data) : data(data) {
    std::memcpy(&header, data, sizeof header);
  }
  const PackEntry *entries() const {
    return reinterpret_cast<const PackEntry *>(data + sizeof(PackHeader));
  }
  const char *name(std::uint32_t index) const {
    return reinterpret_cast<const char *>(data + entries()[index].name);
  }

  const unsigned char *data;
  PackHeader header;
};

using Bytes = std::vector<unsigned char>;

template <class Result>
Result unpack(const Pack &pack, const PackBlock &block, const Bytes &dictionary = {}) {
  Result bytes(block.size, {});
  if (!lz_unpack(pack.data + block.offset, block.packed, dictionary.data(), dictionary.size(),
                 reinterpret_cast<unsigned char *>(bytes.data()), block.size))
    throw Error(ErrorKind::kernel, "the kernels embedded in libtensor are damaged");
  return bytes;
}

// A dictionary is unpacked at first use, and stays. The gate keeps forks away.
const Bytes &dictionary(const Pack &pack, const PackBlock &block) {
  static std::mutex &mutex = *new std::mutex;
  static auto &known = *new std::map<const unsigned char *, Bytes>;
  std::lock_guard<std::mutex> lock(mutex);
  const auto [found, first] = known.try_emplace(pack.data + block.offset);
  if (first)
    found->second = unpack<Bytes>(pack, block);
  return found->second;
}

} // namespace

std::vector<std::byte> PackedKernel::spirv() const {
  const Pack pack(this->pack);
  return unpack<std::vector<std::byte>>(pack, pack.entries()[index].module,
                                        dictionary(pack, pack.header.modules));
}

bool PackedKernel::has_binary(std::string_view identity) const {
  const Pack pack(this->pack);
  return pack.entries()[index].binary.size &&
         unpack<std::string>(pack, pack.header.identity) == identity;
}

std::vector<unsigned char> PackedKernel::binary() const {
  const Pack pack(this->pack);
  return unpack<Bytes>(pack, pack.entries()[index].binary, dictionary(pack, pack.header.binaries));
}

std::string PackedKernel::ptx() const {
  const Pack pack(this->pack);
  return unpack<std::string>(pack, pack.entries()[index].ptx, dictionary(pack, pack.header.ptx));
}

std::string PackedKernel::source() const {
  const Pack pack(this->pack);
  return unpack<std::string>(pack, pack.header.source);
}

std::uint64_t kernel_headers_hash() {
  std::uint64_t hash = fnv({});
  for (const EmbeddedHeader *header = embedded_headers; header->name; ++header)
    hash = fnv(header->text, fnv(header->name, hash));
  return hash;
}

std::uint32_t packed_kernel_count() {
  static const std::uint32_t count = [] {
    std::uint32_t sum = 0;
    for (const unsigned char *const *data = embedded_packs; *data; ++data)
      sum += Pack(*data).header.kernels;
    return sum;
  }();
  return count;
}

PackedKernel packed_kernel(std::uint32_t id) {
  for (const unsigned char *const *data = embedded_packs; *data; ++data) {
    const Pack pack(*data);
    if (id < pack.header.kernels)
      return {pack.name(id), *data, id};
    id -= pack.header.kernels;
  }
  throw Error(ErrorKind::kernel, "no kernel has the id " + std::to_string(id));
}

} // namespace usmtensor
