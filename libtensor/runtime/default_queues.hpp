// The default queues of arrays: one in-order queue per context and device.
#pragma once
#include "handles.hpp"

namespace usmtensor {

// In the default context of the device's platform, kept for the life of the process. A sub-device
// has a context of its own; its queue is kept like the queues of other contexts.
QueueRef default_queue(const DeviceRef &device);
// That queue if the context is the default one; otherwise a queue that is kept while it is in use,
// and a while longer.
QueueRef default_queue(const ContextRef &context, const DeviceRef &device);

} // namespace usmtensor
