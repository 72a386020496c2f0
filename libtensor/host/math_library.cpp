// The driver of the CPU device loads one of libocl_svml_<isa>.so, by the processor and by variables
// that only the driver reads. The host uses this library too, so both give equal bits. The
// functions of one library agree for all vector widths; functions of different libraries do not.
#include "host/math_library.hpp"

#include "kernels/math.hpp"

#include <dlfcn.h>
#include <link.h>
#include <set>
#include <string>

#pragma GCC diagnostic ignored "-Wpsabi" // every vector goes to a function of its own registers

namespace usmtensor::math {
namespace {

// Applies a function that takes registers of so many bytes to arrays.
#define USMTENSOR_REGISTERS(Name, bytes, features)                                                 \
  template <class T> struct Name {                                                                 \
    using V = typename VectorOf<T, bytes>::Type;                                                   \
    static constexpr int width = bytes / sizeof(T);                                                \
    template <class> using Register = V;                                                           \
    template <class... S> features static void apply(void *function, i8 n, T *to, const S *...x) { \
      const auto f = reinterpret_cast<V (*)(Register<S>...)>(function);                            \
      for (; n >= width; n -= width, to += width, ((x += width), ...))                             \
        store(to, width, f(load(x, width)...));                                                    \
      if (n != 0)                                                                                  \
        store(to, n, f(load(x, n)...));                                                            \
    }                                                                                              \
    features USMTENSOR_INLINE static V load(const T *from, i8 n) {                                 \
      V value = from[0] - V{}; /* in what is left over, too */                                     \
      __builtin_memcpy(&value, from, n * sizeof(T));                                               \
      return value;                                                                                \
    }                                                                                              \
    features USMTENSOR_INLINE static void store(T *to, i8 n, V value) {                            \
      __builtin_memcpy(to, &value, n * sizeof(T));                                                 \
    }                                                                                              \
  };
USMTENSOR_REGISTERS(Xmm, 16, )
USMTENSOR_REGISTERS(Ymm, 32, [[gnu::target("avx")]])
USMTENSOR_REGISTERS(Zmm, 64, [[gnu::target("avx512f")]])

// The path of the library that the driver has loaded. Empty if there is none, or if there are
// several for different processors: then nothing tells which one the device uses.
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
  library.apply_to_two = Registers<T>::template apply<T, T>;
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
