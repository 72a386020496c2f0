# Declarations of libtensor for reductions and scans.
from libc.stdint cimport int64_t
from libcpp cimport bool as cbool
from usmtensor._native.libtensor cimport DType, QueueRef, View, raised


cdef extern from "ops/reduction.hpp" namespace "usmtensor" nogil:
    cdef enum class Reduction(unsigned char):
        sum, prod, max, min, any, all, count_nonzero

    int reduced_type(Reduction, DType)
    void reduce "MAY_UNLOCK(reduce)"(const QueueRef &, Reduction, const View &, const View &,
                                  double divisor) except +raised
    void reduce_deviations "MAY_UNLOCK(reduce_deviations)"(const QueueRef &, const View &,
                                                        const View &means, const View &,
                                                        double divisor) except +raised

    cdef enum class Scan(unsigned char):
        sum, prod

    int64_t position_blocks(const QueueRef &, const View &, int axis) except +raised
    void find_extreme "MAY_UNLOCK(find_extreme)"(const QueueRef &, cbool largest, const View &,
                                              int axis, const View &) except +raised
    int scan_type(DType)
    void scan "MAY_UNLOCK(scan)"(const QueueRef &, Scan, const View &, int axis,
                              const View &) except +raised
