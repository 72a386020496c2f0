# The kernels as functions of the host, in modules that libtensor loads: one for any processor, one
# for processors with AVX2.

# host_kernels(family...), in the order of the packs, whose sources embed_kernels writes.
function(host_kernels)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/kernels)
  set(DECLARE)
  set(LIST)
  set(sources)
  foreach(family ${ARGN})
    list(APPEND sources ${out}/host_${family}.cpp)
    string(APPEND DECLARE "extern const HostFamily host_${family};\n")
    string(APPEND LIST "      host_${family},\n")
  endforeach()
  add_custom_target(host_sources DEPENDS ${sources})
  configure_file(${kernelc}/host_table.cpp.in ${out}/host_table.cpp @ONLY)
  set(module_sources host/key_sort.cpp host/math_library.cpp)
  foreach(module tensor_host tensor_host_v3)
    add_library(${module} MODULE ${sources} ${out}/host_table.cpp
                ${module_sources})
    add_dependencies(${module} host_sources)
    target_compile_definitions(${module} PRIVATE USMTENSOR_HOST)
    target_compile_features(${module} PRIVATE cxx_std_20)
    target_compile_options(${module} PRIVATE ${host_options})
    target_include_directories(${module} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}
                                                 ${CMAKE_CURRENT_SOURCE_DIR}/kernels)
    target_link_options(${module} PRIVATE ${module_exports})
    install(TARGETS ${module} LIBRARY DESTINATION usmtensor)
  endforeach()
  target_compile_options(tensor_host_v3 PRIVATE ${host_v3_options})
endfunction()
