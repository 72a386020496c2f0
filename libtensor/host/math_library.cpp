// The CPU driver loads one of several libocl_svml_<isa>.so. It chooses by the processor and by
// variables that only the driver reads. The host uses the same library, so results are equal bit
// for bit. The functions of one library agree for all vector widths; those of different libraries
// do not.
#include "host/math_library.hpp"

#include "kernels/math.hpp"

#include <dlfcn.h>
#include <immintrin.h>
#include <link.h>
#include <set>
#include <string>

#pragma GCC diagnostic ignored                                                                     \
    "-Wpsabi" // vectors are only passed to functions for the same registers

namespace usmtensor::math {
namespace {

// Loads and stores part of a register by memcpy.
struct ByBytes {
  template <class V> USMTENSOR_INLINE static void load(V &to, const void *from, int64 nbytes) {
    __builtin_memcpy(&to, from, nbytes);
  }
  template <class V> USMTENSOR_INLINE static void store(void *to, int64 nbytes, const V &from) {
    __builtin_memcpy(to, &from, nbytes);
  }
};
// Does the same by masked instructions, without a call.
#define USMTENSOR_AVX512 [[gnu::target("avx512f,avx512bw")]]
struct ByMask {
  template <class V>
  USMTENSOR_AVX512 USMTENSOR_INLINE static void load(V &to, const void *from, int64 nbytes) {
    to = V(_mm512_mask_loadu_epi8(__m512i(to), mask(nbytes), from));
  }
  template <class V>
  USMTENSOR_AVX512 USMTENSOR_INLINE static void store(void *to, int64 nbytes, const V &from) {
    _mm512_mask_storeu_epi8(to, mask(nbytes), __m512i(from));
  }
  static std::uint64_t mask(int64 nbytes) { return (std::uint64_t(1) << nbytes) - 1; }
};

// Applies functions on registers of this size to arrays.
#define USMTENSOR_REGISTERS(Name, bytes, features, Part)                                           \
  template <class T> struct Name {                                                                 \
    using V = typename VectorOf<T, bytes>::Type;                                                   \
    static constexpr int width = bytes / sizeof(T);                                                \
    template <class> using Register = V;                                                           \
    template <class... S>                                                                          \
    features static void apply(void *function, int64 n, T *to, const S *...x) {                    \
      const auto f = reinterpret_cast<V (*)(Register<S>...)>(function);                            \
      for (; n >= width; n -= width, to += width, ((x += width), ...))                             \
        store(to, f(load(x)...));                                                                  \
      if (n != 0)                                                                                  \
        Part::store(to, n * sizeof(T), f(load(x, n)...));                                          \
    }                                                                                              \
    features USMTENSOR_INLINE static V load(const T *from) {                                       \
      V value;                                                                                     \
      __builtin_memcpy(&value, from, bytes);                                                       \
      return value;                                                                                \
    }                                                                                              \
    features USMTENSOR_INLINE static void store(T *to, V value) {                                  \
      __builtin_memcpy(to, &value, bytes);                                                         \
    }                                                                                              \
    features USMTENSOR_INLINE static V load(const T *from, int64 n) {                              \
      V value = from[0] - V{}; /* also in the unused lanes */                                      \
      Part::load(value, from, n * sizeof(T));                                                      \
      return value;                                                                                \
    }                                                                                              \
  };
USMTENSOR_REGISTERS(Xmm, 16, , ByBytes)
USMTENSOR_REGISTERS(Ymm, 32, [[gnu::target("avx")]], ByBytes)
USMTENSOR_REGISTERS(Zmm, 64, USMTENSOR_AVX512, ByMask)

// The path of the library that the driver has loaded. Empty if there is none. Also empty if there
// are several for different processors, because it is unknown which one the device uses.
std::string path_of_library() {
  std::set<std::string> paths, names;
  ::dl_iterate_phdr(
      [](dl_phdr_info *info, std::size_t, void *found) {
        const std::string path = info->dlpi_name;
        if (path.find("/libocl_svml_") != std::string::npos)
          static_cast<std::set<std::string> *>(found)->insert(path);
        return 0;
      },
      &paths);
  for (const std::string &path : paths)
    names.insert(path.substr(path.rfind('/')));
  return names.size() == 1 ? *paths.begin() : "";
}

// The functions of one library for one element type, by name.
template <class T> struct Finder {
  void *operator()(const char *function, int width) {
    const std::string type = sizeof(T) == 8 ? "" : "f";
    void *const found = ::dlsym(handle, (prefix + function + type + std::to_string(width)).c_str());
    complete &= found != nullptr;
    return found;
  }
  void *handle;
  std::string prefix;
  bool complete = true;
};

template <template <class> class Registers, class T>
bool fill(Library<T> &library, void *handle, const std::string &prefix) {
  Finder<T> find{handle, prefix};
  constexpr int width = Registers<T>::width;
#define USMTENSOR_FIND(name)                                                                       \
  library.name.number = reinterpret_cast<decltype(library.name.number)>(find(#name, 1));           \
  library.name.registers = find(#name, width);
  USMTENSOR_UNARY_FUNCTIONS(USMTENSOR_FIND)
  USMTENSOR_BINARY_FUNCTIONS(USMTENSOR_FIND)
  library.sincos = reinterpret_cast<decltype(library.sincos)>(find("sincos", 1));
  library.apply = Registers<T>::template apply<T>;
  library.apply_binary = Registers<T>::template apply<T, T>;
  return find.complete;
}

template <template <class> class Registers> bool fill(void *handle, const std::string &prefix) {
  return fill<Registers>(usmtensor_math_f4, handle, prefix) &&
         fill<Registers>(usmtensor_math_f8, handle, prefix);
}

bool load() {
  const std::string path = path_of_library(), start = "/libocl_svml_";
  const std::size_t at = path.rfind(start);
  void *const handle = path.empty() ? nullptr : ::dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (!handle)
    return false;
  const std::string isa = path.substr(at + start.size(), 2), prefix = "__ocl_svml_" + isa + "_";
  return isa == "h8"                  ? fill<Xmm>(handle, prefix)
         : isa == "e9" || isa == "l9" ? fill<Ymm>(handle, prefix)
         : isa == "z0" || isa == "z1" ? fill<Zmm>(handle, prefix)
                                      : false;
}

} // namespace

Library<float> usmtensor_math_f4;
Library<double> usmtensor_math_f8;

} // namespace usmtensor::math

namespace usmtensor {

bool has_math_library() {
  static const bool has = math::load();
  return has;
}

} // namespace usmtensor
