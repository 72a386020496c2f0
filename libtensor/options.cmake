# Options of the compiler and the linker.

set(warnings -Wall -Wextra)

set(USMTENSOR_SANITIZE "" CACHE STRING
  "Sanitizers for libtensor and its tests: address;undefined or thread")
set(sanitizers)
if(USMTENSOR_SANITIZE)
  list(JOIN USMTENSOR_SANITIZE "," names)
  # The runtime's classes export no type information to check (vptr).
  set(sanitizers -fsanitize=${names} -fno-sanitize=vptr -fno-sanitize-recover=undefined
                 -fno-omit-frame-pointer -g)
endif()

# Every operation rounds by itself, on the device and on the host.
set(no_contraction -ffp-contract=off)

# All kernels, in the build and from source at run time. Square roots round correctly in SPIR-V
# anyway, but not on every backend that takes source.
set(kernel_options -O2 -std=c++20 ${no_contraction} -fcomplex-arithmetic=improved
                   -foffload-fp32-prec-sqrt -fsycl-device-code-split=per_kernel)

# The rest spends no time in loops over elements, and -O3 takes a fifth longer to compile.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

# The kernels as functions of the host: for any processor, and, where speed counts, for processors
# with AVX2. The functions for any processor take -O1: they compile in half the time of -O2, and are
# about a fifth slower.
set(host_options -O1 ${no_contraction} -mno-fma -fno-strict-aliasing -fno-math-errno
                 -fno-trapping-math -Wno-psabi)
set(host_v3_options -O3 -march=x86-64-v3)

# Exports of modules: nothing of the standard library.
set(module_exports -Wl,--version-script=${CMAKE_CURRENT_LIST_DIR}/modules.map)
