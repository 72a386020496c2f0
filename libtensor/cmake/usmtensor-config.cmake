# find_package(usmtensor): headers for native code, and the SYCL runtime that usmtensor uses.
#
#   usmtensor::headers   <usmtensor/capi.h>, <usmtensor/array.hpp>, ...; no library
#   usmtensor::sycl      <sycl/sycl.hpp> and libsycl, for host code; C++17
#
# Uses Python_EXECUTABLE to find them; finds Python first if necessary.
include(CMakeFindDependencyMacro)
if(NOT Python_EXECUTABLE)
  find_dependency(Python COMPONENTS Interpreter)
endif()

execute_process(
  COMMAND ${Python_EXECUTABLE} -c
          "from usmtensor._exchange import building; print(*building.sycl_runtime(), sep=';')"
  OUTPUT_VARIABLE usmtensor_sycl ERROR_VARIABLE usmtensor_error RESULT_VARIABLE usmtensor_failed
  OUTPUT_STRIP_TRAILING_WHITESPACE)
if(usmtensor_failed)
  set(usmtensor_FOUND FALSE)
  set(usmtensor_NOT_FOUND_MESSAGE
      "${Python_EXECUTABLE} cannot import usmtensor or finds no SYCL runtime:\n${usmtensor_error}")
  return()
endif()
list(GET usmtensor_sycl 0 usmtensor_SYCL_INCLUDE_DIR)
list(GET usmtensor_sycl 1 usmtensor_SYCL_LIBRARY)

set(usmtensor_INCLUDE_DIR ${CMAKE_CURRENT_LIST_DIR}/../include)

if(NOT TARGET usmtensor::headers)
  add_library(usmtensor::headers INTERFACE IMPORTED)
  set_target_properties(usmtensor::headers PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${usmtensor_INCLUDE_DIR})

  # No RUNPATH is needed, because importing usmtensor loads the library.
  add_library(usmtensor::sycl SHARED IMPORTED)
  set_target_properties(usmtensor::sycl PROPERTIES
    IMPORTED_LOCATION ${usmtensor_SYCL_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${usmtensor_SYCL_INCLUDE_DIR}
    INTERFACE_COMPILE_DEFINITIONS SYCL_DISABLE_FSYCL_SYCLHPP_WARNING
    INTERFACE_COMPILE_FEATURES cxx_std_17)
endif()
