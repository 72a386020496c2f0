// Fuzzes the kernel cache with damaged files, under sanitizers: `fuzz_cache [CASES] [SEED]`.
#include "check.hpp"
#include "runtime/kernel_cache.hpp"

#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <dirent.h>
#include <unistd.h>

using namespace usmtensor;

namespace {

std::mt19937 random_number;

std::size_t below(std::size_t limit) {
  return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_number);
}

// Changes, removes, repeats or inserts some bytes.
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
  save_binary(key, binary);
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

int main(int count, char **arguments) {
  const std::size_t cases = count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 10000;
  random_number.seed(count > 2 ? std::atoi(arguments[2]) : 0);
  fuzz_cache(cases);
  return failures != 0;
}
