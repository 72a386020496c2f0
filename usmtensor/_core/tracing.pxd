from usmtensor._core.array cimport usm_ndarray
from usmtensor._core.operators cimport Operators
from usmtensor._runtime.queue cimport SyclQueue


# A view of an array of a known shape is a tuple: the index of its first element; its extents; and
# for each of its axes the axis of the array along which it goes (-1: none) and the step.
cdef tuple whole_view(tuple shape)
cdef tuple compose_views(tuple first, tuple second)
cdef bint are_disjoint(tuple first, tuple second)


# An array of the function: an argument, or one that it makes.
cdef class Array:
    cdef int place      # among the arrays of the trace
    cdef int argument   # which one it is; -1: none
    cdef int code
    cdef tuple shape
    cdef int value      # the node of its elements, while nothing stores them; -1: they are stored
    cdef int version    # the number of events that have written to it
    cdef bint is_shared  # has a view that is not one of its elements, such as real parts


# The elements of an array that is computed, or of a view of an array that is stored.
cdef class Node:
    cdef str text           # an expression in C++ of t<node> and s<number>_<type>
    cdef tuple operands     # nodes
    cdef Array array        # None: the node is computed
    cdef tuple view         # of this array
    cdef int version        # of this array
    cdef int code
    cdef tuple shape
    cdef int time           # the number of events before it
    cdef int depth
    cdef object inputs      # arrays on which it depends, which give its shape
    cdef object loads       # the nodes of arrays on which it depends


# The elements of a node go to a view of an array, or are reduced to an array.
cdef class Event:
    cdef Array array
    cdef tuple view
    cdef int version        # of the array after that
    cdef int node
    cdef object reduction   # a function and its keywords; or None
    cdef object fill        # the number that all elements are; or None


# One call of a function with operands that stand for its arguments.
cdef class Trace:
    cdef SyclQueue queue
    cdef list nodes, events, arrays
    cdef dict known      # nodes by what they are
    cdef dict samples    # arrays without dimensions, by type
    cdef dict fills      # numbers by nodes
    cdef set families    # whose headers the expressions need
    cdef list numbers    # (place among the arguments,), or (function, operands, type)
    cdef dict scalars    # of kernels, by name: (number, type)
    cdef bint by_shape   # whether the trace depends on the shapes of the arguments
    cdef bint over
    cdef object outer    # the trace in which this one began

    cdef bint is_outdated(self, Node node)


cdef class Traced(Operators):
    cdef Trace trace
    cdef object sample      # an array of its type and shape; or a number
    cdef Array array        # None: a number
    cdef tuple view         # of this array
    cdef int number         # which one it is


cdef Trace current_trace()
cdef Traced find_traced(list values)
cdef Traced number_of(object function, list values)
cdef bint is_traced_scalar(object x, list others)
cdef usm_ndarray array_or_sample(object x, str function)
cdef str literal(object value, int code, str function)
