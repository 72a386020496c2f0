# Options of the compiler and the linker.

set(warnings -Wall -Wextra)

set(USMTENSOR_SANITIZE "" CACHE STRING
  "Sanitizers for libtensor and its tests: address;undefined or thread")
# The runtime's classes export no type information to check (vptr).
set(sanitizer_options -fno-sanitize=vptr -fno-sanitize-recover=undefined -fno-omit-frame-pointer
                      -g1)
set(sanitizers)
if(USMTENSOR_SANITIZE)
  list(JOIN USMTENSOR_SANITIZE "," names)
  set(sanitizers -fsanitize=${names} ${sanitizer_options})
endif()

# Every operation rounds by itself, on the device and on the host.
set(no_contraction -ffp-contract=off)

# All kernels, in the build and from source at run time. Square roots round correctly in SPIR-V
# anyway, but not on every backend that takes source.
set(kernel_options -O2 -std=c++20 ${no_contraction} -fcomplex-arithmetic=improved
                   -foffload-fp32-prec-sqrt -fsycl-device-code-split=per_kernel)

# The rest spends no time in loops over elements, and -O3 takes a fifth longer to compile.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

# The kernels as functions of the host, for processors with AVX2. Under sanitizers -O3 would take
# several times as long to compile, and with -O1 the same code runs.
set(host_options -march=x86-64-v3 ${no_contraction} -mno-fma -fno-strict-aliasing -fno-math-errno
                 -fno-trapping-math -Wno-psabi -Wno-maybe-uninitialized) # false alarms at -O3
list(APPEND host_options "$<IF:$<BOOL:${sanitizers}>,-O1,-O3>")

# Exports of modules: nothing of the standard library.
set(module_exports -Wl,--version-script=${CMAKE_CURRENT_LIST_DIR}/modules.map)
