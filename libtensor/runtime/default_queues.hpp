// The default queues of arrays: one in-order queue per context and device.
#pragma once
#include "handles.hpp"

namespace usmtensor {

// The default queue in the default context of the device's platform. It lives as long as the
// process. A sub-device has its own context, and its queue is kept like those of other contexts.
QueueRef default_queue(const DeviceRef &device);
// The same queue if the context is the default one. Otherwise a queue that is kept while it is in
// use or recently used.
QueueRef default_queue(const ContextRef &context, const DeviceRef &device);

} // namespace usmtensor
