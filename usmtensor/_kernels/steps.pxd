from usmtensor._core.tracing cimport Array, Trace
from usmtensor._runtime.queue cimport SyclQueue


# The steps of a function for argument types, and for shapes if the trace depends on them.
cdef class Plan:
    cdef str name
    cdef Trace trace
    cdef str headers
    cdef dict kernels     # of the function, by their source
    cdef list steps
    cdef list results     # Operand
    cdef list shapes      # of results: a tuple, the arguments that broadcast to it, or None
    cdef list written     # the arguments that the function changes
    cdef bint is_kernel   # true if the plan is one kernel, whose outputs are the results

    cdef bint is_simple(self)
    cdef int result_code(self, int k)
    cdef int check(self, list numbers) except -1
    cdef object empty(self, tuple shape, int code, list arrays, SyclQueue queue)
    cdef object kernel(self, str inputs, str outputs, list lines)
    cdef object run_simple(self, tuple args, object out)
    cdef int find_dead(self) except -1
    cdef list run(self, list operands, list numbers, list outs, SyclQueue queue)


cdef Plan new_plan(Trace trace, list results, str name, dict kernels)
