/* DLPack 1.3: the structures that array libraries exchange, with their published layout. */
#ifndef USMTENSOR_DLPACK_H
#define USMTENSOR_DLPACK_H

#include <stdint.h>

#ifdef __cplusplus
namespace usmtensor {
namespace dlpack {
extern "C" {
#endif

enum { dlpack_major_version = 1, dlpack_minor_version = 3 };

/* The values of DLDevice.device_type (DLDeviceType) that this library supports. */
enum { kDLCPU = 1, kDLOneAPI = 14 };

/* Values of DLDataType.code. */
enum { kDLInt = 0, kDLUInt = 1, kDLFloat = 2, kDLBfloat = 4, kDLComplex = 5, kDLBool = 6 };

/* Bits of DLManagedTensorVersioned.flags. */
enum { dlpack_read_only = 1, dlpack_is_copied = 2 };

typedef struct {
  uint32_t major;
  uint32_t minor;
} DLPackVersion;

typedef struct {
  int32_t device_type;
  int32_t device_id;
} DLDevice;

typedef struct {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} DLDataType;

typedef struct {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides; /* in elements */
  uint64_t byte_offset;
} DLTensor;

typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;

typedef struct DLManagedTensorVersioned {
  DLPackVersion version;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned *self);
  uint64_t flags;
  DLTensor dl_tensor;
} DLManagedTensorVersioned;

/* The functions of a type's __dlpack_c_exchange_api__. They return 0 on success. Otherwise they
 * return -1 and set a Python error or, if they have the parameter, call set_error. None of them
 * synchronises. */
typedef struct DLPackExchangeAPIHeader {
  DLPackVersion version;
  struct DLPackExchangeAPIHeader *prev_api;
} DLPackExchangeAPIHeader;

typedef void (*DLPackSetError)(void *error_ctx, const char *kind, const char *message);

typedef struct {
  DLPackExchangeAPIHeader header;
  int (*managed_tensor_allocator)(DLTensor *prototype, DLManagedTensorVersioned **out,
                                  void *error_ctx, DLPackSetError set_error);
  int (*managed_tensor_from_py_object_no_sync)(void *object, DLManagedTensorVersioned **out);
  int (*managed_tensor_to_py_object_no_sync)(DLManagedTensorVersioned *tensor, void **out);
  int (*dltensor_from_py_object_no_sync)(void *object, DLTensor *out);
  int (*current_work_stream)(int32_t device_type, int32_t device_id, void **out);
} DLPackExchangeAPI;

#ifdef __cplusplus
} // extern "C"
} // namespace dlpack
} // namespace usmtensor
#endif

#endif
