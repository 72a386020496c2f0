// The work-group of a work-item, for SYCL's functions of groups.
#pragma once

#ifndef USMTENSOR_HOST
#include <sycl/ext/oneapi/free_function_queries.hpp>

namespace usmtensor {

inline auto work_group() { return sycl::ext::oneapi::this_work_item::get_work_group<1>(); }

} // namespace usmtensor
#endif
