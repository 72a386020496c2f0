from usmtensor._core.array cimport usm_ndarray
from usmtensor._core.operators cimport Operators
from usmtensor._runtime.queue cimport SyclQueue


# A view of an array of a known shape is a tuple: the index of its first element, its extents, and
# for each of its axes a pair of the array's axis (-1: none) and the step.
cdef tuple whole_view(tuple shape)
cdef tuple compose_views(tuple first, tuple second)
cdef bint are_disjoint(tuple first, tuple second)


# An array in a traced function: an argument, or an array that the function makes.
cdef class Array:
    cdef int index      # among the arrays of the trace
    cdef int argument   # index of the argument; -1 if it is not an argument
    cdef int code
    cdef tuple shape
    cdef int value      # the node of its elements until they are stored; -1 if they are stored
    cdef int version    # the number of events that have written to the array
    cdef bint is_shared  # has a view of parts of elements, such as real parts
    cdef bint is_scalar  # a NumPy scalar in the plain function


# The elements of a computed array, or of a view of a stored array.
cdef class Node:
    cdef str text           # a C++ expression of t<node> and s<number>_<type>
    cdef tuple operands     # nodes
    cdef Array array        # None: the node is computed
    cdef tuple view         # of this array
    cdef int version        # of this array
    cdef int code
    cdef tuple shape
    cdef int time           # the number of earlier events
    cdef int depth
    cdef object inputs      # the arrays that it depends on, which define its shape
    cdef object loads       # the nodes of the arrays that it depends on


# Stores the elements of a node in a view of an array, or reduces them to an array.
cdef class Event:
    cdef Array array
    cdef tuple view
    cdef int version        # of the array after the event
    cdef int node
    cdef object reduction   # a function and its keywords; or None
    cdef object fill        # the number that all elements are set to; or None


# One call of a function with traced operands in place of its arguments.
cdef class Trace:
    cdef SyclQueue queue
    cdef list nodes, events, arrays
    cdef dict known      # nodes by their content
    cdef dict samples    # 0-D arrays by type
    cdef dict fills      # numbers by node
    cdef set families    # the kernel families whose headers the expressions need
    cdef list numbers    # (index of an argument,), or (function, operands, type)
    cdef dict scalars    # scalars of kernels by name: (number, type)
    cdef bint by_shape   # true if the trace depends on the shapes of the arguments
    cdef bint over
    cdef object outer    # the trace in which this trace began

    cdef bint is_outdated(self, Node node)


cdef class Traced(Operators):
    cdef Trace trace
    cdef object sample      # an array with its type and shape; or a number
    cdef Array array        # None for a number
    cdef tuple view         # of this array
    cdef int number         # the index of the number


cdef tuple NO_AXIS  # of a view, for an axis along which all elements are equal

cdef Trace current_trace()
cdef Traced find_traced(list values)
cdef Traced number_of(object function, list values)
cdef bint is_traced_scalar(object x, list others)
cdef usm_ndarray array_or_sample(object x, str function, str argument=*)
cdef str literal(object value, int code, str function)
