# Compiler and linker options.

set(warnings -Wall -Wextra)

set(USMTENSOR_SANITIZE "" CACHE STRING
  "Sanitizers for libtensor and its tests: address;undefined or thread")
# vptr is disabled, because the runtime's classes export no type information.
set(sanitizer_options -fno-sanitize=vptr -fno-sanitize-recover=undefined -fno-omit-frame-pointer
                      -g1)
set(sanitizers)
if(USMTENSOR_SANITIZE)
  list(JOIN USMTENSOR_SANITIZE "," names)
  set(sanitizers -fsanitize=${names} ${sanitizer_options})
endif()

# Every operation rounds separately (no FMA contraction), on the device and on the host.
set(no_contraction -ffp-contract=off)

# Options for all kernels, in the build and at run time. Square roots are correctly rounded in
# SPIR-V by default, but not on all backends that compile from source.
set(kernel_options -O2 -std=c++20 ${no_contraction} -fcomplex-arithmetic=improved
                   -foffload-fp32-prec-sqrt -fsycl-device-code-split=per_kernel)

# Other code has no loops over elements, and -O3 would take 20 % longer to compile.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

# Kernels as host functions, for processors with AVX2. With sanitizers, -O3 would take several times
# as long to compile as -O1.
set(host_options -march=x86-64-v3 ${no_contraction} -mno-fma -fno-strict-aliasing -fno-math-errno
                 -fno-trapping-math -Wno-psabi -Wno-maybe-uninitialized) # false alarms at -O3
list(APPEND host_options "$<IF:$<BOOL:${sanitizers}>,-O1,-O3>")

# Modules export nothing of the standard library.
set(module_exports -Wl,--version-script=${CMAKE_CURRENT_LIST_DIR}/modules.map)
