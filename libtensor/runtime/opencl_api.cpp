#include "opencl_api.hpp"

#include "binary_identity.hpp"
#include "error.hpp"

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <sycl/backend.hpp>
#include <sycl/ext/oneapi/weak_object.hpp>

#include <algorithm>
#include <dlfcn.h>

namespace usmtensor {
namespace {

// Functions of the OpenCL library that SYCL has loaded. A second library would have other handles.
#define OPENCL_FUNCTIONS(F)                                                                        \
  F(clBuildProgram)                                                                                \
  F(clCreateKernel)                                                                                \
  F(clCreateProgramWithBinary)                                                                     \
  F(clCreateProgramWithIL)                                                                         \
  F(clReleaseCommandQueue)                                                                         \
  F(clReleaseContext)                                                                              \
  F(clReleaseKernel)                                                                               \
  F(clGetExtensionFunctionAddressForPlatform)                                                      \
  F(clGetProgramBuildInfo)                                                                         \
  F(clGetKernelInfo)                                                                               \
  F(clGetProgramInfo)                                                                              \
  F(clReleaseProgram)                                                                              \
  F(clRetainProgram)
struct Api {
#define DECLARE(name) decltype(&::name) name;
  OPENCL_FUNCTIONS(DECLARE)
  bool complete = true;
};

// Null if a function is missing.
const Api *api() {
  static const Api *const api = [] {
    auto *found = new Api;
    void *library = ::dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_NOLOAD);
#define FIND(name)                                                                                 \
  found->name = library ? reinterpret_cast<decltype(&::name)>(::dlsym(library, #name)) : nullptr;  \
  found->complete &= found->name != nullptr;
    OPENCL_FUNCTIONS(FIND)
    return found->complete ? found : nullptr;
  }();
  return api;
}

void check(cl_int code, const char *function, const std::string &log = {}) {
  if (code != CL_SUCCESS)
    throw Error(ErrorKind::kernel, function + (" gave OpenCL error " + std::to_string(code)) + log,
                code);
}

// The OpenCL handle of a context, valid as long as the context. SYCL adds a reference, which is
// released here. The last handle is cached, because SYCL opens a library for each query, which
// takes a microsecond.
cl_context native(const sycl::context &context) {
  struct Answer {
    sycl::ext::oneapi::weak_object<sycl::context> context;
    cl_context handle;
  };
  thread_local Answer last{};
  if (const auto known = last.context.try_lock(); known && *known == context)
    return last.handle;
  const cl_context handle = sycl::get_native<sycl::backend::opencl>(context);
  api()->clReleaseContext(handle);
  last = {context, handle};
  return handle;
}

OpenClProgram owned(cl_program program) { return {program, api()->clReleaseProgram}; }

} // namespace

AddressRange opencl_allocation(const sycl::context &context, const void *pointer) {
  if (!api())
    return {};
  static const auto get_info =
      reinterpret_cast<clGetMemAllocInfoINTEL_fn>(api()->clGetExtensionFunctionAddressForPlatform(
          sycl::get_native<sycl::backend::opencl>(context.get_platform()),
          "clGetMemAllocInfoINTEL"));
  AddressRange range;
  const auto get = [&](cl_mem_info_intel query, auto &value) {
    return get_info(native(context), pointer, query, sizeof value, &value, nullptr) == CL_SUCCESS;
  };
  if (!get_info || !get(CL_MEM_ALLOC_BASE_PTR_INTEL, range.begin) ||
      !get(CL_MEM_ALLOC_SIZE_INTEL, range.nbytes))
    return {};
  return range;
}

OpenClQueue opencl_queue(const sycl::queue &queue) {
  if (!api())
    return nullptr;
  return {sycl::get_native<sycl::backend::opencl>(queue), api()->clReleaseCommandQueue};
}

std::unique_ptr<OpenClDevice> OpenClDevice::make(const sycl::context &context,
                                                 const sycl::device &device) {
  if (!api())
    return nullptr;
  std::unique_ptr<OpenClDevice> result(new OpenClDevice);
  result->context_ = &context;
  result->native_context_ = native(context);
  result->native_device_ = sycl::get_native<sycl::backend::opencl>(device);
  result->identity_ = binary_identity(device);
  return result;
}

OpenClProgram OpenClDevice::from_spirv(const std::vector<std::byte> &module) const {
  cl_int code = CL_SUCCESS;
  const cl_program native =
      api()->clCreateProgramWithIL(native_context_, module.data(), module.size(), &code);
  check(code, "clCreateProgramWithIL");
  OpenClProgram program = owned(native);
  if ((code = build(program)) != CL_SUCCESS) {
    std::size_t size = 0;
    auto get_log = [&](void *text, std::size_t *needed) {
      api()->clGetProgramBuildInfo(native, native_device_, CL_PROGRAM_BUILD_LOG, size, text,
                                   needed);
    };
    get_log(nullptr, &size);
    std::string log(size, '\0');
    get_log(log.data(), nullptr);
    log.resize(log.find_last_not_of(std::string("\0\n ", 3)) + 1);
    check(code, "clBuildProgram", "\n" + log);
  }
  return program;
}

OpenClProgram OpenClDevice::from_binary(const std::vector<unsigned char> &binary) const {
  const unsigned char *data = binary.data();
  const std::size_t size = binary.size();
  cl_int code = CL_SUCCESS, status = CL_SUCCESS;
  const cl_program native = api()->clCreateProgramWithBinary(native_context_, 1, &native_device_,
                                                             &size, &data, &status, &code);
  if (code != CL_SUCCESS)
    return nullptr;
  OpenClProgram program = owned(native);
  return status == CL_SUCCESS && build(program) == CL_SUCCESS ? program : nullptr;
}

OpenClProgram OpenClDevice::program_of(const sycl::kernel &kernel) const {
  const cl_kernel native = sycl::get_native<sycl::backend::opencl>(kernel);
  cl_program program = nullptr;
  const cl_int code =
      api()->clGetKernelInfo(native, CL_KERNEL_PROGRAM, sizeof program, &program, nullptr);
  if (code == CL_SUCCESS)
    api()->clRetainProgram(program);
  api()->clReleaseKernel(native); // SYCL added a reference
  check(code, "clGetKernelInfo");
  return owned(program);
}

int OpenClDevice::build(const OpenClProgram &program) const {
  return api()->clBuildProgram(program.get(), 1, &native_device_, "", nullptr, nullptr);
}

sycl::kernel OpenClDevice::kernel(const OpenClProgram &program, const char *name) const {
  cl_int code = CL_SUCCESS;
  const cl_kernel native = api()->clCreateKernel(program.get(), name, &code);
  check(code, "clCreateKernel");
  sycl::kernel kernel = sycl::make_kernel<sycl::backend::opencl>(native, *context_);
  api()->clReleaseKernel(native); // SYCL has its own reference
  return kernel;
}

std::vector<unsigned char> OpenClDevice::binary(const OpenClProgram &program) const {
  auto get = [&](cl_program_info query, auto *values, std::size_t count) {
    return api()->clGetProgramInfo(program.get(), query, count * sizeof *values, values, nullptr) ==
           CL_SUCCESS;
  };
  cl_uint devices = 0;
  // The arrays have an element for each device of the context.
  if (!get(CL_PROGRAM_NUM_DEVICES, &devices, 1) || devices == 0)
    return {};
  std::vector<std::size_t> sizes(devices);
  std::vector<cl_device_id> ids(devices);
  if (!get(CL_PROGRAM_BINARY_SIZES, sizes.data(), devices) ||
      !get(CL_PROGRAM_DEVICES, ids.data(), devices))
    return {};
  const auto position = std::find(ids.begin(), ids.end(), native_device_) - ids.begin();
  if (position == devices || sizes[position] == 0)
    return {};
  std::vector<unsigned char> binary(sizes[position]);
  std::vector<unsigned char *> pointers(devices, nullptr); // null: not requested
  pointers[position] = binary.data();
  return get(CL_PROGRAM_BINARIES, pointers.data(), devices) ? binary : std::vector<unsigned char>();
}

} // namespace usmtensor
