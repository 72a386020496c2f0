#include "opencl_api.hpp"

#include "error.hpp"

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <sycl/backend.hpp>
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cpuid.h>
#include <dlfcn.h>
#include <mutex>
#include <unistd.h>

namespace usmtensor {
namespace {

// The functions of the OpenCL library that SYCL has loaded; a second one would have other devices.
struct Api {
  decltype(&::clBuildProgram) build_program;
  decltype(&::clCreateKernel) create_kernel;
  decltype(&::clCreateProgramWithBinary) create_program_with_binary;
  decltype(&::clCreateProgramWithIL) create_program_with_il;
  decltype(&::clGetDeviceInfo) get_device_info;
  decltype(&::clGetExtensionFunctionAddressForPlatform) get_extension_function;
  decltype(&::clGetProgramBuildInfo) get_program_build_info;
  decltype(&::clGetProgramInfo) get_program_info;
  decltype(&::clReleaseProgram) release_program;
};

template <class F> bool find(void *library, const char *name, F &function) {
  function = reinterpret_cast<F>(::dlsym(library, name));
  return function != nullptr;
}

const Api *load() {
  void *library = ::dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_NOLOAD);
  auto *api = new Api;
  if (library && find(library, "clBuildProgram", api->build_program) &&
      find(library, "clCreateKernel", api->create_kernel) &&
      find(library, "clCreateProgramWithBinary", api->create_program_with_binary) &&
      find(library, "clCreateProgramWithIL", api->create_program_with_il) &&
      find(library, "clGetDeviceInfo", api->get_device_info) &&
      find(library, "clGetExtensionFunctionAddressForPlatform", api->get_extension_function) &&
      find(library, "clGetProgramBuildInfo", api->get_program_build_info) &&
      find(library, "clGetProgramInfo", api->get_program_info) &&
      find(library, "clReleaseProgram", api->release_program))
    return api;
  delete api;
  return nullptr;
}

const Api *api() {
  static const Api *const api = load();
  return api;
}

cl_context context_of(void *native) { return static_cast<cl_context>(native); }
cl_device_id device_of(void *native) { return static_cast<cl_device_id>(native); }
cl_program program_of(void *native) { return static_cast<cl_program>(native); }

std::string device_text(cl_device_id device, cl_device_info what) {
  std::size_t size = 0;
  if (api()->get_device_info(device, what, 0, nullptr, &size) != CL_SUCCESS || size == 0)
    return {};
  std::string text(size, '\0');
  if (api()->get_device_info(device, what, size, text.data(), nullptr) != CL_SUCCESS)
    return {};
  text.resize(size - 1);
  return text;
}

// What instructions the processor and the system offer, as the processor itself says:
// /proc/cpuinfo takes milliseconds on machines with many cores.
std::string cpu_features() {
  std::string text;
  auto add = [&](unsigned value) { text += ' ' + std::to_string(value); };
  unsigned a, b, c, d;
  if (__get_cpuid(0, &a, &b, &c, &d))
    for (const unsigned value : {b, c, d})
      add(value);
  if (__get_cpuid(1, &a, &b, &c, &d)) {
    for (const unsigned value : {a, c, d}) // b names the core that answers
      add(value);
    constexpr unsigned osxsave = 1u << 27;
    if (c & osxsave) {
      unsigned low, high;
      __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
      add(low);
    }
  }
  for (const unsigned part : {0u, 1u, 2u})
    if (__get_cpuid_count(7, part, &a, &b, &c, &d))
      for (const unsigned value : {a, b, c, d})
        add(value);
  if (__get_cpuid(0x80000001, &a, &b, &c, &d))
    for (const unsigned value : {c, d})
      add(value);
  return text;
}

// Variables that change what the driver compiles.
std::string driver_settings() {
  std::vector<std::string> found;
  for (char **entry = environ; entry && *entry; ++entry) {
    const std::string_view text(*entry);
    if (text.substr(0, 3) == "CL_" || text.substr(0, 4) == "IGC_")
      found.emplace_back(text);
  }
  std::sort(found.begin(), found.end());
  std::string all;
  for (const std::string &text : found)
    all += '\n' + text;
  return all;
}

// How a context is asked about allocations; never freed, like the kernels of a context.
struct MemoryQuery {
  sycl::context context;
  cl_context native;
  clGetMemAllocInfoINTEL_fn get_info; // null if the driver has no such function
};

MemoryQuery memory_query(const sycl::context &context) {
  static std::mutex &mutex = *new std::mutex;
  static std::vector<MemoryQuery> &queries = *new std::vector<MemoryQuery>;
  std::lock_guard<std::mutex> lock(mutex);
  for (const MemoryQuery &query : queries)
    if (query.context == context)
      return query;
  MemoryQuery query{context, sycl::get_native<sycl::backend::opencl>(context), nullptr};
  if (api())
    query.get_info = reinterpret_cast<clGetMemAllocInfoINTEL_fn>(api()->get_extension_function(
        sycl::get_native<sycl::backend::opencl>(context.get_platform()), "clGetMemAllocInfoINTEL"));
  return queries.emplace_back(query);
}

} // namespace

AddressRange opencl_allocation(const sycl::context &context, const void *pointer) {
  const MemoryQuery query = memory_query(context);
  AddressRange range;
  if (!query.get_info ||
      query.get_info(query.native, pointer, CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof range.begin,
                     &range.begin, nullptr) != CL_SUCCESS ||
      query.get_info(query.native, pointer, CL_MEM_ALLOC_SIZE_INTEL, sizeof range.nbytes,
                     &range.nbytes, nullptr) != CL_SUCCESS)
    return {};
  return range;
}

std::unique_ptr<OpenClPlace> OpenClPlace::make(const sycl::context &context,
                                               const sycl::device &device) {
  if (!api())
    return nullptr;
  std::unique_ptr<OpenClPlace> place(new OpenClPlace);
  place->context_ = &context;
  place->native_context_ = sycl::get_native<sycl::backend::opencl>(context);
  const cl_device_id native = sycl::get_native<sycl::backend::opencl>(device);
  place->native_device_ = native;
  for (const cl_device_info what :
       {CL_DEVICE_VENDOR, CL_DEVICE_NAME, CL_DEVICE_VERSION, CL_DRIVER_VERSION})
    place->identity_ += device_text(native, what) + '\n';
  place->identity_ += "cpu" + cpu_features() + driver_settings();
  return place;
}

std::unique_ptr<OpenClPlace::Program>
OpenClPlace::from_spirv(const std::vector<std::byte> &module) const {
  cl_int code = CL_SUCCESS;
  const cl_program native = api()->create_program_with_il(context_of(native_context_),
                                                          module.data(), module.size(), &code);
  if (code != CL_SUCCESS)
    throw Error(ErrorKind::kernel,
                "clCreateProgramWithIL gave OpenCL error " + std::to_string(code), code);
  std::unique_ptr<Program> program(new Program(*this, native));
  if ((code = program->build()) != CL_SUCCESS) {
    std::size_t size = 0;
    std::string log;
    const cl_device_id device = device_of(native_device_);
    if (api()->get_program_build_info(native, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) ==
        CL_SUCCESS) {
      log.resize(size);
      api()->get_program_build_info(native, device, CL_PROGRAM_BUILD_LOG, size, log.data(),
                                    nullptr);
      log.resize(log.find_last_not_of(std::string("\0\n ", 3)) + 1);
    }
    throw Error(ErrorKind::kernel,
                "clBuildProgram gave OpenCL error " + std::to_string(code) + "\n" + log, code);
  }
  return program;
}

std::unique_ptr<OpenClPlace::Program>
OpenClPlace::from_binary(const std::vector<unsigned char> &binary) const {
  const cl_device_id device = device_of(native_device_);
  const unsigned char *data = binary.data();
  const std::size_t size = binary.size();
  cl_int code = CL_SUCCESS, status = CL_SUCCESS;
  const cl_program native = api()->create_program_with_binary(
      context_of(native_context_), 1, &device, &size, &data, &status, &code);
  if (code != CL_SUCCESS)
    return nullptr;
  std::unique_ptr<Program> program(new Program(*this, native));
  return status == CL_SUCCESS && program->build() == CL_SUCCESS ? std::move(program) : nullptr;
}

OpenClPlace::Program::~Program() { api()->release_program(program_of(native_)); }

int OpenClPlace::Program::build() const {
  const cl_device_id device = device_of(place_.native_device_);
  return api()->build_program(program_of(native_), 1, &device, "", nullptr, nullptr);
}

sycl::kernel OpenClPlace::Program::kernel(const char *name) const {
  cl_int code = CL_SUCCESS;
  // The handle is not released: like the SYCL kernel, it lives as long as the process.
  const cl_kernel native = api()->create_kernel(program_of(native_), name, &code);
  if (code != CL_SUCCESS)
    throw Error(ErrorKind::kernel, "clCreateKernel gave OpenCL error " + std::to_string(code),
                code);
  return sycl::make_kernel<sycl::backend::opencl>(native, *place_.context_);
}

std::vector<unsigned char> OpenClPlace::Program::binary() const {
  const cl_program program = program_of(native_);
  cl_uint devices = 0;
  // All devices of the context count; a second one would want a place for its binary too.
  if (api()->get_program_info(program, CL_PROGRAM_NUM_DEVICES, sizeof devices, &devices, nullptr) !=
          CL_SUCCESS ||
      devices == 0)
    return {};
  std::vector<std::size_t> sizes(devices);
  std::vector<cl_device_id> ids(devices);
  if (api()->get_program_info(program, CL_PROGRAM_BINARY_SIZES, devices * sizeof(std::size_t),
                              sizes.data(), nullptr) != CL_SUCCESS ||
      api()->get_program_info(program, CL_PROGRAM_DEVICES, devices * sizeof(cl_device_id),
                              ids.data(), nullptr) != CL_SUCCESS)
    return {};
  const auto own = std::find(ids.begin(), ids.end(), device_of(place_.native_device_));
  if (own == ids.end())
    return {};
  std::vector<unsigned char> binary(sizes[own - ids.begin()]);
  std::vector<unsigned char *> pointers(devices, nullptr); // null: not wanted
  pointers[own - ids.begin()] = binary.data();
  if (binary.empty() ||
      api()->get_program_info(program, CL_PROGRAM_BINARIES, devices * sizeof(unsigned char *),
                              pointers.data(), nullptr) != CL_SUCCESS)
    return {};
  return binary;
}

} // namespace usmtensor
