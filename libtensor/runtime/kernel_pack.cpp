#include "kernel_pack.hpp"

#include "error.hpp"
#include "kernel_cache.hpp"

// Declared here, because zlib's header may be missing where the package is built. The library is
// present: the SYCL runtime's compilers need it.
extern "C" int uncompress(unsigned char *, unsigned long *, const unsigned char *, unsigned long);

namespace usmtensor {
namespace {

// The format of a pack, as written by kernelc/pack.py: a header, entries, and data. Numbers are
// offsets in the pack, or counts.

// A part of a zlib stream: `begin` and `size` refer to the uncompressed content.
struct Part {
  std::uint32_t stream, packed_size, content_size, begin, size;
};

struct Header {
  std::uint32_t kernels;
  Part source; // source code of the family
};

// In the order of the source.
struct Entry {
  std::uint32_t name; // NUL-terminated
  Part module, ptx;   // SPIR-V, and PTX; size 0: none
};

const Header &header(const unsigned char *pack) { return *reinterpret_cast<const Header *>(pack); }
const Entry &entry(const unsigned char *pack, std::uint32_t index) {
  return reinterpret_cast<const Entry *>(pack + sizeof(Header))[index];
}
const char *text(const unsigned char *pack, std::uint32_t offset) {
  return reinterpret_cast<const char *>(pack + offset);
}

// The whole content that a part belongs to.
std::vector<char> content(const unsigned char *pack, const Part &part) {
  std::vector<char> result(part.content_size);
  unsigned long size = result.size();
  if (uncompress(reinterpret_cast<unsigned char *>(result.data()), &size, pack + part.stream,
                 part.packed_size) != 0 ||
      size != result.size())
    throw Error(ErrorKind::kernel, "the kernels embedded in libtensor are damaged");
  return result;
}

std::string text_of(const unsigned char *pack, const Part &part) {
  return {content(pack, part).data() + part.begin, part.size};
}

} // namespace

// The content has the first bytes of all words, then all second bytes, and so on.
std::vector<std::byte> PackedKernel::spirv() const {
  const Part &part = entry(pack, index).module;
  const std::vector<char> words = content(pack, part);
  std::vector<std::byte> module(part.size);
  for (std::size_t i = 0; i < module.size(); ++i) {
    const std::size_t at = part.begin + i;
    module[i] = static_cast<std::byte>(words[at % 4 * (words.size() / 4) + at / 4]);
  }
  return module;
}

bool PackedKernel::has_ptx() const { return entry(pack, index).ptx.size; }

std::string PackedKernel::ptx() const { return text_of(pack, entry(pack, index).ptx); }

std::string PackedKernel::source() const { return text_of(pack, header(pack).source); }

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
      sum += header(*data).kernels;
    return sum;
  }();
  return count;
}

PackedKernel packed_kernel(std::uint32_t id) {
  for (const unsigned char *const *data = embedded_packs; *data; ++data) {
    if (id < header(*data).kernels)
      return {text(*data, entry(*data, id).name), *data, id};
    id -= header(*data).kernels;
  }
  throw Error(ErrorKind::kernel, "no kernel has the id " + std::to_string(id));
}

} // namespace usmtensor
