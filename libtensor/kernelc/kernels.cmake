# The kernels of the families in `families`: the kernel compiler, the kernels that it compiles during the
# build, and the host functions.
add_executable(kernelc kernelc/kernelc.cpp kernelc/ptx.cpp)
target_include_directories(kernelc PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(kernelc PRIVATE sycl ${CMAKE_DL_LIBS})
target_compile_options(kernelc PRIVATE ${warnings})
target_link_options(kernelc PRIVATE -Wl,--disable-new-dtags)

set(kernelc ${CMAKE_CURRENT_LIST_DIR})
set(operators ${CMAKE_CURRENT_SOURCE_DIR}/operators.toml)
set(reader ${operators} ${kernelc}/operators.py)

# PTX is the default if the machine has the compiler's library for NVIDIA GPUs.
set(has_ptx OFF)
if(EXISTS /lib/clang/23/lib/nvptx64-nvidia-cuda/libspirv.l64.signed_char.bc
   AND EXISTS ${SYCL_LIBRARY_DIR}/libsycl-jit.so.23.1)
  set(has_ptx ON)
endif()
option(USMTENSOR_PTX "Also compile the kernels for NVIDIA GPUs" ${has_ptx})
set(ptx)
if(USMTENSOR_PTX)
  set(ptx --ptx)
endif()

# For each family a source and a pack, which is embedded in libtensor with the table of all kernels, and a
# host source, in the order of the packs.
set(out ${CMAKE_CURRENT_BINARY_DIR}/kernels)
file(MAKE_DIRECTORY ${out})
list(JOIN kernel_options "\", \"" OPTIONS)
foreach(family ${families})
  add_custom_command(
    OUTPUT ${out}/${family}.cpp ${out}/host_${family}.cpp
    COMMAND ${Python_EXECUTABLE} ${kernelc}/generate.py ${operators}
            ${CMAKE_CURRENT_SOURCE_DIR}/kernels ${out} ${family}
    DEPENDS ${reader} ${kernelc}/generate.py
    DEPFILE ${out}/${family}.d
    COMMENT "Generating ${family} kernels"
    VERBATIM)
  add_custom_command(
    OUTPUT ${out}/${family}.pack
    COMMAND ${Python_EXECUTABLE} ${kernelc}/pack.py --kernelc $<TARGET_FILE:kernelc>
            --source ${out}/${family}.cpp --libraries ${SYCL_LIBRARY_DIR}
            --output ${out}/${family}.pack ${ptx} -- ${kernel_options}
    DEPENDS kernelc ${out}/${family}.cpp ${kernelc}/pack.py
    COMMENT "Compiling ${family} kernels"
    VERBATIM)
  list(APPEND packs ${out}/${family}.pack)
  list(APPEND host_sources ${out}/host_${family}.cpp)
  string(APPEND EMBED "asm(\".balign 16\\nkernel_pack_${family}: .incbin \\\"${out}/${family}.pack\\\"\");\n")
  string(APPEND DECLARE "extern const unsigned char pack_${family}[] asm(\"kernel_pack_${family}\");\n")
  string(APPEND LIST "    pack_${family},\n")
  string(APPEND HOST_DECLARE "extern const HostFamily host_${family};\n")
  string(APPEND HOST_LIST "      host_${family},\n")
endforeach()
add_custom_target(host_sources DEPENDS ${host_sources})
add_dependencies(tensor host_sources) # one command writes the sources of both
# The headers are embedded for user kernels, except the host headers.
file(GLOB headers ${CMAKE_CURRENT_SOURCE_DIR}/kernels/*.hpp)
list(FILTER headers EXCLUDE REGEX "/host_[a-z0-9]+[.]hpp$")
foreach(header ${headers})
  get_filename_component(name ${header} NAME_WE)
  string(APPEND EMBED "asm(\"kernel_header_${name}: .incbin \\\"${header}\\\"\\n.byte 0\");\n")
  string(APPEND DECLARE "extern const char header_${name}[] asm(\"kernel_header_${name}\");\n")
  string(APPEND HEADERS "    {\"${name}.hpp\", header_${name}},\n")
endforeach()
# The tables of kernels and elementwise functions for the host.
add_custom_command(
  OUTPUT ${out}/operators.cpp ${out}/kernel_table.hpp
  COMMAND ${Python_EXECUTABLE} ${kernelc}/operator_table.py ${operators} ${out}/operators.cpp
          ${out}/kernel_table.hpp ${families}
  DEPENDS ${reader} ${kernelc}/operator_table.py
  COMMENT "Generating the table of operators"
  VERBATIM)
add_custom_target(kernel_table DEPENDS ${out}/kernel_table.hpp)
configure_file(${kernelc}/embedded_packs.cpp.in ${out}/embedded_packs.cpp @ONLY)
set_source_files_properties(${out}/embedded_packs.cpp PROPERTIES OBJECT_DEPENDS "${packs};${headers}")
target_sources(tensor PRIVATE ${out}/embedded_packs.cpp ${out}/operators.cpp
                              ${out}/kernel_table.hpp)
target_include_directories(tensor PRIVATE ${out})

# The kernels as host functions, in a module that libtensor loads on processors with AVX2.
configure_file(${kernelc}/host_table.cpp.in ${out}/host_table.cpp @ONLY)
add_library(tensor_host MODULE ${host_sources} ${out}/host_table.cpp
            host/key_sort.cpp host/math_library.cpp)
add_dependencies(tensor_host host_sources)
target_compile_definitions(tensor_host PRIVATE USMTENSOR_HOST)
target_compile_features(tensor_host PRIVATE cxx_std_20)
target_link_libraries(tensor_host PRIVATE tensor_options)
target_compile_options(tensor_host PRIVATE ${host_options})
target_include_directories(tensor_host PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}
                                               ${CMAKE_CURRENT_SOURCE_DIR}/kernels)
target_link_options(tensor_host PRIVATE ${module_exports})
install(TARGETS tensor_host LIBRARY DESTINATION usmtensor)
