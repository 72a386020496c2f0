from usmtensor._core.tracing cimport Trace
from usmtensor._kernels.steps cimport Plan

cdef Plan new_plan(Trace trace, list results, str name, dict kernels)
