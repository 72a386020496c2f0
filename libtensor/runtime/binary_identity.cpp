#include "binary_identity.hpp"

#include <sycl/device.hpp>

#include <cpuid.h>
#include <set>
#include <string_view>
#include <unistd.h>

namespace usmtensor {
namespace {

// The instruction sets of the processor that the system enables. Read by cpuid, because
// /proc/cpuinfo takes milliseconds on machines with many cores.
std::string cpu_features() {
  std::string text;
  auto add = [&](auto... values) { ((text += ' ' + std::to_string(values)), ...); };
  unsigned a, b, c, d;
  if (__get_cpuid(0, &a, &b, &c, &d))
    add(b, c, d);
  if (__get_cpuid(1, &a, &b, &c, &d)) {
    add(a, c, d); // b has the number of the current core
    constexpr unsigned osxsave = 1u << 27;
    if (c & osxsave) {
      unsigned low, high;
      __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
      add(low);
    }
  }
  for (const unsigned part : {0u, 1u, 2u})
    if (__get_cpuid_count(7, part, &a, &b, &c, &d))
      add(a, b, c, d);
  if (__get_cpuid(0x80000001, &a, &b, &c, &d))
    add(c, d);
  return text;
}

// Environment variables that change the output of a driver's compiler.
std::string driver_settings() {
  std::set<std::string> found;
  for (char **entry = environ; entry && *entry; ++entry) {
    const std::string_view text(*entry);
    for (const std::string_view prefix : {"CL_", "IGC_", "SYCL_PROGRAM_"})
      if (text.substr(0, prefix.size()) == prefix)
        found.emplace(text);
  }
  std::string all;
  for (const std::string &text : found)
    all += '\n' + text;
  return all;
}

} // namespace

std::string binary_identity(const sycl::device &device) {
  namespace query = sycl::info::device;
  return device.get_info<query::vendor>() + '\n' + device.get_info<query::name>() + '\n' +
         device.get_info<query::version>() + '\n' + device.get_info<query::driver_version>() +
         "\ncpu" + cpu_features() + driver_settings();
}

} // namespace usmtensor
