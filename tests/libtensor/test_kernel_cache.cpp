#include "runtime/kernel_cache.hpp"

#include "check.hpp"
#include "threads.hpp"

#include <cstdlib>
#include <string>

#include <unistd.h>

using namespace usmtensor;

namespace {

CacheKey key(int number) { return {"device", "kernel " + std::to_string(number)}; }

std::vector<unsigned char> binary(int number) {
  return std::vector<unsigned char>(1000 + number, static_cast<unsigned char>(number));
}

} // namespace

int main() {
  char folder[] = "/tmp/usmtensor-test-XXXXXX";
  CHECK(mkdtemp(folder));
  setenv("USMTENSOR_CACHE_DIR", folder, 1);
  setenv("USMTENSOR_CACHE_SIZE", "1", 1);

  constexpr int threads = 8, kernels = 40;
  std::atomic<int> hits{0};
  on_threads(threads, [&](int thread) {
    for (int i = 0; i < kernels; ++i) {
      const int number = (i + thread * 5) % kernels;
      std::vector<unsigned char> found;
      if (find_binary(key(number), found) == CacheOutcome::hit) {
        CHECK(found == binary(number));
        ++hits;
      } else {
        save_binary(key(number), binary(number));
      }
    }
  });
  CHECK(hits > 0);
  CHECK(cache_info().files == kernels);
  CHECK(has_binaries("device"));
  CHECK(!has_binaries("another device"));

  // Files beyond the limit are removed, also if all threads write at the same time.
  on_threads(threads, [&](int thread) {
    for (int i = 0; i < 4; ++i)
      save_binary(key(1000 + thread * 4 + i), std::vector<unsigned char>(100000));
  });
  CHECK(cache_info().bytes <= cache_info().limit);
  CHECK(clear_cache() > 0);
  CHECK(cache_info().files == 0);
  CHECK(rmdir(folder) == 0);
  return failures != 0;
}
