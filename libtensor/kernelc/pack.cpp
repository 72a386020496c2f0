#include "pack.hpp"

#include "lz_pack.hpp"

#include "runtime/pack_format.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace usmtensor {
namespace {

constexpr std::size_t dictionary_size = 1 << 20; // unpacked whole when a family is first used

struct CompiledKernel {
  std::string name, module, binary, ptx;
};

std::vector<std::string> kernels_of(const std::string &source) {
  const std::string start = "\nUSMTENSOR_KERNEL(";
  std::vector<std::string> names;
  for (std::size_t at = 0; (at = source.find(start, at)) != source.npos;) {
    at += start.size();
    names.push_back(source.substr(at, source.find(',', at) - at));
  }
  return names;
}

// Whole members spread evenly over the family, as many as fit.
std::string choose_dictionary(const std::vector<CompiledKernel> &kernels,
                              std::string CompiledKernel::*member) {
  std::map<std::string, const std::string *> sorted; // so that kernels of a loop are neighbours
  std::size_t total = 0;
  for (const CompiledKernel &kernel : kernels)
    if (const std::string &bytes = kernel.*member; !bytes.empty()) {
      sorted[kernel.name] = &bytes;
      total += bytes.size();
    }
  const std::size_t step = total / dictionary_size + 1;
  std::size_t k = 0;
  std::string dictionary;
  for (const auto &[name, bytes] : sorted)
    if (k++ % step == step / 2 && dictionary.size() + bytes->size() <= dictionary_size)
      dictionary += *bytes;
  return dictionary;
}

} // namespace

std::string read_file(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file)
    throw std::runtime_error("cannot read " + path);
  return text.str();
}

void write_file(const std::string &path, const std::string &bytes) {
  std::ofstream file(path, std::ios::binary);
  if (!file.write(bytes.data(), bytes.size()).flush())
    throw std::runtime_error("cannot write " + path);
}

void write_pack(const std::string &path, const std::string &source, const std::string &folder) {
  const std::string text = read_file(source);
  std::vector<CompiledKernel> kernels;
  for (const std::string &name : kernels_of(text)) {
    const std::string file = folder + "/" + name;
    const bool has_ptx = std::filesystem::exists(file + ".ptx");
    kernels.push_back({name, read_file(file + ".spv"), read_file(file + ".bin"),
                       has_ptx ? read_file(file + ".ptx") : ""});
  }
  if (kernels.empty())
    throw std::runtime_error(source + " holds no kernel");
  for (const CompiledKernel &kernel : kernels)
    if (kernel.ptx.empty() != kernels[0].ptx.empty())
      throw std::runtime_error(source + ": some kernels have PTX, and " + kernel.name + " differs");

  PackHeader header{};
  std::memcpy(header.magic, PackHeader::magic_value, sizeof header.magic);
  header.kernels = kernels.size();
  std::string data;
  const std::size_t base = sizeof header + kernels.size() * sizeof(PackEntry);
  auto append = [&](LzPacker &packer, const std::string &bytes) {
    const std::string packed = packer.pack(bytes);
    data += packed;
    return PackBlock{static_cast<std::uint32_t>(base + data.size() - packed.size()),
                     static_cast<std::uint32_t>(packed.size()),
                     static_cast<std::uint32_t>(bytes.size())};
  };
  const std::string modules = choose_dictionary(kernels, &CompiledKernel::module);
  const std::string binaries = choose_dictionary(kernels, &CompiledKernel::binary);
  const std::string ptx = choose_dictionary(kernels, &CompiledKernel::ptx);
  LzPacker alone({}), of_modules(modules), of_binaries(binaries), of_ptx(ptx);
  header.source = append(alone, text);
  header.identity = append(alone, read_file(folder + "/identity"));
  header.modules = append(alone, modules);
  header.binaries = append(alone, binaries);
  header.ptx = append(alone, ptx);
  std::vector<PackEntry> entries;
  for (const CompiledKernel &kernel : kernels) {
    PackEntry entry{};
    entry.name = base + data.size();
    data.append(kernel.name) += '\0';
    entry.module = append(of_modules, kernel.module);
    if (!kernel.binary.empty())
      entry.binary = append(of_binaries, kernel.binary);
    if (!kernel.ptx.empty())
      entry.ptx = append(of_ptx, kernel.ptx);
    entries.push_back(entry);
  }
  const auto *head = reinterpret_cast<const char *>(&header);
  const auto *index = reinterpret_cast<const char *>(entries.data());
  write_file(path, std::string(head, sizeof header)
                       .append(index, entries.size() * sizeof(PackEntry))
                       .append(data));
}

} // namespace usmtensor
