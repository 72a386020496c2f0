// Damaged input for the parsers of libtensor, with sanitizers: blocks of LZ, a pack of kernels, and
// files of the kernel cache. `fuzz_parsers [CASES] [SEED]`. The offsets in a pack are not damaged:
// a pack is a part of libtensor, and as trusted as its code.
#include "check.hpp"
#include "kernelc/lz_pack.hpp"
#include "runtime/error.hpp"
#include "runtime/kernel_cache.hpp"
#include "runtime/kernel_pack.hpp"
#include "runtime/lz.hpp"
#include "runtime/pack_format.hpp"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <string>

#include <dirent.h>
#include <unistd.h>

using namespace usmtensor;

namespace {

std::mt19937 random_number;

std::size_t below(std::size_t limit) {
  return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_number);
}

// Changes, removes, repeats or adds some bytes.
std::string damaged(std::string bytes) {
  for (std::size_t times = 1 + below(3); times > 0; --times) {
    const std::size_t at = below(bytes.size() + 1), count = 1 + below(8);
    const char values[] = {0, -1, 0x7f, static_cast<char>(below(256))};
    switch (below(4)) {
    case 0:
      if (at < bytes.size())
        bytes[at] = values[below(4)];
      break;
    case 1:
      bytes.erase(at, count);
      break;
    case 2:
      bytes.insert(at, bytes.substr(at, count));
      break;
    default:
      bytes.insert(at, count, values[below(4)]);
    }
  }
  return bytes;
}

std::string text(std::size_t size) {
  std::string result(size, ' ');
  for (char &one : result)
    one = static_cast<char>('a' + below(4));
  return result;
}

void fuzz_lz(std::size_t cases) {
  std::string dictionary, content, packed;
  for (std::size_t done = 0; done < cases; ++done) {
    if (done % 100 == 0) { // a packer costs as much as many cases
      dictionary = text(below(200));
      content = text(below(400));
      packed = LzPacker(dictionary).pack(content);
    }
    // Copies of exact size, so that the sanitizer finds every stray access.
    auto unpack = [&](const std::string &block, std::size_t size, std::string &output) {
      const std::vector<unsigned char> in(block.begin(), block.end());
      const std::vector<unsigned char> before(dictionary.begin(), dictionary.end());
      std::vector<unsigned char> out(size);
      const bool good =
          lz_unpack(in.data(), in.size(), before.data(), before.size(), out.data(), out.size());
      output.assign(out.begin(), out.end());
      return good;
    };
    std::string output;
    CHECK(unpack(packed, content.size(), output) && output == content);
    unpack(damaged(packed), content.size(), output);
    unpack(damaged(packed), below(600), output);
  }
}

// A pack of one kernel, as kernelc writes it, in memory of exact size.
std::vector<unsigned char> make_pack(const std::vector<std::string> &blocks, std::size_t size) {
  PackHeader header{};
  std::memcpy(header.magic, PackHeader::magic_value, sizeof header.magic);
  header.kernels = 1;
  PackEntry entry{};
  PackBlock *const places[] = {&header.source, &header.identity, &header.modules, &header.binaries,
                               &header.ptx,    &entry.module,    &entry.binary,   &entry.ptx};
  std::size_t offset = sizeof header + sizeof entry;
  entry.name = static_cast<std::uint32_t>(offset);
  std::string data("name", 5);
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    *places[k] = {static_cast<std::uint32_t>(offset + data.size()),
                  static_cast<std::uint32_t>(blocks[k].size()), static_cast<std::uint32_t>(size)};
    data += blocks[k];
  }
  std::vector<unsigned char> pack(offset + data.size());
  std::memcpy(pack.data(), &header, sizeof header);
  std::memcpy(pack.data() + sizeof header, &entry, sizeof entry);
  std::memcpy(pack.data() + offset, data.data(), data.size());
  return pack;
}

void fuzz_pack(std::size_t cases) {
  // The library keeps the dictionaries of a pack by their address, so every pack stays.
  static auto &packs = *new std::vector<std::vector<unsigned char>>;
  constexpr std::size_t size = 64;
  std::vector<std::string> whole;
  std::string last;
  for (int k = 0; k < 8; ++k) {
    const std::string before = k < 5 ? std::string() : last;
    whole.push_back(LzPacker(before).pack(last = text(size)));
  }
  for (std::size_t done = 0; done < cases; ++done) {
    std::vector<std::string> blocks = whole;
    blocks[below(blocks.size())] = damaged(blocks[below(blocks.size())]);
    packs.push_back(make_pack(blocks, size));
    const PackedKernel kernel{"name", packs.back().data(), 0};
    auto attempt = [](auto call) {
      try {
        call();
      } catch (const Error &) {
      }
    };
    attempt([&] { CHECK(kernel.spirv().size() == size); });
    attempt([&] { CHECK(kernel.binary().size() == size); });
    attempt([&] { CHECK(kernel.ptx().size() == size); });
    attempt([&] { CHECK(!kernel.has_binary("identity")); });
  }
}

std::string only_file(const std::string &folder) {
  std::string found;
  DIR *stream = opendir(folder.c_str());
  while (const dirent *entry = readdir(stream))
    if (entry->d_name[0] != '.')
      found = folder + "/" + entry->d_name;
  closedir(stream);
  return found;
}

void fuzz_cache(std::size_t cases) {
  char folder[] = "/tmp/usmtensor-fuzz-XXXXXX";
  CHECK(mkdtemp(folder));
  setenv("USMTENSOR_CACHE_DIR", folder, 1);
  const CacheKey key{"device", "kernel"};
  const std::vector<unsigned char> binary(300, 7);
  keep_binary(key, binary);
  const std::string path = only_file(folder);
  std::string whole;
  {
    std::ifstream file(path, std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(file), {});
  }
  CHECK(whole.size() > binary.size());
  for (std::size_t done = 0; done < cases; ++done) {
    const std::string content = damaged(whole);
    std::ofstream(path, std::ios::binary) << content;
    std::vector<unsigned char> found;
    const CacheOutcome outcome = find_binary(key, found);
    CHECK(outcome == (content == whole ? CacheOutcome::hit : CacheOutcome::bad));
    CHECK(outcome != CacheOutcome::hit || found == binary);
    cache_info();
  }
  clear_cache();
  CHECK(rmdir(folder) == 0);
}

} // namespace

namespace usmtensor {

// The packs and headers of the library, which this program lacks.
const unsigned char *const embedded_packs[] = {nullptr};
const std::vector<std::string> kernel_options;
const EmbeddedHeader embedded_headers[] = {{nullptr, nullptr}};

} // namespace usmtensor

int main(int count, char **arguments) {
  const std::size_t cases = count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 10000;
  random_number.seed(count > 2 ? std::atoi(arguments[2]) : 0);
  fuzz_lz(cases);
  fuzz_pack(cases);
  fuzz_cache(cases);
  return failures != 0;
}
