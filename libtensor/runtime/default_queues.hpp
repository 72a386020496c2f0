// The queues of arrays for which nobody names one: one in-order queue per context and device.
#pragma once
#include "handles.hpp"

namespace usmtensor {

// In the default context of the device's platform, kept for the life of the process; of a
// sub-device in a context of its own, kept as those of other contexts.
QueueRef default_queue(const DeviceRef &device);
// The same queue if the context is that one; else one that is kept as long as somebody holds it,
// and a while longer.
QueueRef default_queue(const ContextRef &context, const DeviceRef &device);

} // namespace usmtensor
