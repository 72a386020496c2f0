from usmtensor._core.array cimport usm_ndarray
from usmtensor._core.tracing cimport Array, Trace
from usmtensor._runtime.queue cimport SyclQueue

cdef class Plan

cdef enum:
    MAX_STATEMENTS = 300  # of kernels that are joined: longer ones take too long to compile


cdef class Value:
    cdef str text
    cdef dict operands  # values by node
    cdef Array array    # None if the value is computed
    cdef tuple view
    cdef int version
    cdef int code
    cdef tuple shape
    cdef object loads   # the array values that it depends on
    cdef object numbers  # the names of the numbers that it depends on
    cdef object inputs   # the arguments that define its shape
    cdef bint is_costly  # true if computing it takes longer than storing and reading it


cdef class Target:
    cdef Array array
    cdef tuple view
    cdef int version  # of the array after the write
    cdef Value value
    cdef bint is_new  # true if the array is new
    cdef object fill  # the number that the value is equal to; or None

    cdef bint is_disjoint(self, Array array, tuple view)
    cdef bint matches(self, Value load)


cdef class Operand:
    cdef int index   # of the array
    cdef tuple view  # None for all elements

    cdef usm_ndarray of(self, list arrays)


cdef class Step:
    cdef list targets
    cdef tuple shape
    cdef object reduction  # a function and its keywords; or None
    cdef object fill       # a number; or None
    cdef bint is_new       # true for a new array that is filled or not set
    cdef bint by_shape     # true if only some shapes allow the step
    cdef bint is_joined    # true if the step is in place of several
    cdef bint is_computed  # true if the value is computed; otherwise it is an array or a number
    cdef bint has_space    # true if a reduction has fewer parameters than a kernel may have
    cdef object kernel
    cdef list operands     # of the kernel: Operand
    cdef list numbers      # of the kernel: indices
    cdef list outputs      # Operand
    cdef tuple order       # the arguments of a simple kernel
    cdef list dead         # arrays that no later step needs
    cdef list lines        # of a reduction: the statements of its elements
    cdef str name, inputs
    cdef int code          # of the value
    cdef dict kernels      # of a reduction, by the kind of device
    cdef object rows       # of a reduction: RowReduction

    cdef list loads(self)
    cdef set arrays_read(self)
    cdef bint precedes(self, Step other)
    cdef Step join(self, Step other)
    cdef bint fits_parameter_limit(self)
    cdef int prepare(self, Plan plan) except -1
    cdef int complete(self, Plan plan) except -1
    cdef list number_parameters(self, Plan plan)
    cdef int broadcast_operand(self, Plan plan) except -1
    cdef int run(self, Plan plan, list arrays, list numbers, list outs,
                 SyclQueue queue) except -1
    cdef object reduce(self, Plan plan, list given, list outs)
    cdef object reduce_by_rows(self, Plan plan, list given, object function, dict keywords)
    cdef object reduce_in_one_kernel(self, Plan plan, list given, object function, dict keywords)


cdef class Text:
    cdef Step step
    cdef list lines, operands, inputs
    cdef dict names   # of values
    cdef dict arrays  # names by the key of a load

    cdef str name(self, Value value)
    cdef str load(self, Value value)


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
    cdef object array_for(self, Array array, tuple shape, list arrays, SyclQueue queue)
    cdef object kernel(self, str inputs, str outputs, list lines)
    cdef object run_simple(self, tuple args, object out)
    cdef int find_dead(self) except -1
    cdef list run(self, list operands, list numbers, list outs, SyclQueue queue)


cdef Value new_value(Array array, tuple view, int version, object inputs)
cdef Value new_expression(str text, int code, tuple shape, dict operands, object inputs)
cdef Value replace_value(Value value, Value part, Value by, dict known)
cdef list without_target(list targets, Target dropped, int version)
cdef tuple padded_key(Value load, int rank)
cdef int statements(list targets) except -1
