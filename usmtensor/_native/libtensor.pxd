# Declarations of libtensor. runtime.pxd has devices, contexts, events and queues.
from libc.stdint cimport int32_t, int64_t, intptr_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.memory cimport shared_ptr
from libcpp.vector cimport vector


cdef extern from "native_errors.hpp" namespace "usmtensor":
    void raised()


cdef extern from "runtime/handles.hpp" namespace "usmtensor" nogil:
    cdef enum class UsmKind(unsigned char):
        unknown, device, shared, host

    cdef cppclass ContextRef:
        const void *get()

    cdef cppclass DeviceRef:
        const void *get()

    cdef cppclass EventRef:
        const void *get()

    cdef cppclass PlatformRef:
        const void *get()


cdef extern from "runtime/kernel_store.hpp" namespace "usmtensor" nogil:
    cdef cppclass KernelTable:
        pass


cdef extern from "runtime/queue.hpp" namespace "usmtensor" nogil:
    cdef cppclass Queue:
        KernelTable kernels "kernels.operator*()"
        ContextRef context
        DeviceRef device
        cbool in_order, opencl, fp16, fp64
        int compute_units "description.compute_units"
        int64_t launch_time "description.launch_time"  # nanoseconds
        int64_t reuse_bytes "description.reuse_bytes()"

    ctypedef shared_ptr[Queue] QueueRef
    cbool equal(const Queue &, const Queue &)
    cbool same_device_and_context(const Queue &, const Queue &)
    cbool is_like_cpu(const Queue &)


cdef extern from "runtime/memory.hpp" namespace "usmtensor" nogil:
    cdef cppclass Allocation:
        char *pointer
        size_t nbytes
        UsmKind kind

    ctypedef shared_ptr[Allocation] Memory
    ctypedef shared_ptr[Allocation] OwnedMemory "usmtensor::OwnedMemory"
    cdef cppclass Release "std::function<void()>":
        Release()

    cdef cppclass Ownership "std::shared_ptr<void>":
        Ownership(const Memory &, char *)

    void release_memory "usmtensor::release_memory"(OwnedMemory &) noexcept
    Memory allocate "UNLOCKED(allocate)"(const QueueRef &, UsmKind, size_t nbytes,
                                         size_t alignment) except +raised
    Memory allocate_pooled(const QueueRef &, UsmKind, size_t, size_t alignment) except +raised
    Memory adopt(const QueueRef &, void *pointer, size_t nbytes, UsmKind, Release) except +raised
    Release usm_release(const QueueRef &, void *pointer) except +raised
    void escape(Allocation &) except +raised
    UsmKind pointer_kind "UNLOCKED(pointer_kind)"(const void *, const ContextRef &) except +raised
    DeviceRef pointer_device(const void *, const ContextRef &) except +raised
    cbool host_accessible(const Allocation &)


cdef extern from "runtime/submit.hpp" namespace "usmtensor" nogil:
    void share_with "UNLOCKED(share_with)"(const QueueRef &, Allocation &) except +raised


cdef extern from "runtime/dlpack_device.hpp" namespace "usmtensor" nogil:
    cdef cppclass UsmLocation:
        ContextRef context
        DeviceRef device
        UsmKind kind

    int32_t dlpack_device_id "UNLOCKED(dlpack_device_id)"(const Allocation &) except +raised
    DeviceRef dlpack_device "UNLOCKED(dlpack_device)"(int32_t id) except +raised
    UsmLocation locate "UNLOCKED(locate)"(const void *, int32_t id) except +raised
    cbool within_allocation(const char *pointer, UsmKind, const char *begin, const char *end,
                            const ContextRef &) except +raised


cdef extern from "python_lifetime.hpp" namespace "usmtensor":
    cdef cppclass HeldOperands:
        void write(const Allocation &) except +raised
        void read(const Allocation &) except +raised
        void lock() except +raised

    Release python_release(object)
    Release deleter_release(const QueueRef &, void (*deleter)(void *), void *context)


cdef extern from "runtime/pool.hpp" namespace "usmtensor" nogil:
    cdef cppclass PoolStatistics:
        DeviceRef device
        UsmKind kind

    cdef struct PoolCounts "usmtensor::PoolStatistics":  # the fields that are converted to a dict
        size_t live, pooled, peak, hits, misses, escaped

    vector[PoolStatistics] pool_statistics "UNLOCKED(pool_statistics)"() except +raised
    size_t trim_pools "UNLOCKED(trim_pools)"()


cdef extern from "runtime/order.hpp" namespace "usmtensor" nogil:
    void drain "UNLOCKED(drain)"(const Allocation &) except +raised
    void open_host_view "UNLOCKED(open_host_view)"(Allocation &) except +raised
    void mark_host_view(Allocation &) except +raised
    void close_host_view(Allocation &)


cdef extern from "layout/strides.hpp" namespace "usmtensor" nogil:
    cbool element_count(int ndim, const int64_t *shape, int64_t &count)
    int contiguity(int ndim, const int64_t *shape, const int64_t *strides)
    void compact_strides(int ndim, const int64_t *shape, char order, int64_t *strides)
    void compact_strides_like(int ndim, const int64_t *shape, const int64_t *model,
                              int64_t *strides)
    cbool element_extent(int ndim, const int64_t *shape, const int64_t *strides, int64_t &low,
                         int64_t &high)
    cbool reshape_strides(int ndim, const int64_t *shape, const int64_t *strides, int new_ndim,
                          const int64_t *new_shape, char order, int64_t *new_strides)


cdef extern from "layout/view.hpp" namespace "usmtensor" nogil:
    cdef enum class DType(unsigned char):
        bool8

    ctypedef struct View "usmtensor::View":
        char *data
        DType dtype
        int ndim
        const int64_t *shape
        const int64_t *strides
        const Allocation *memory

    cbool may_overlap(const View &, const View &)


cdef extern from "ops/copy.hpp" namespace "usmtensor" nogil:
    void copy "MAY_UNLOCK(copy)"(const QueueRef &, const View &, const View &) except +raised
    void fill "MAY_UNLOCK(fill)"(const QueueRef &, const View &, const void *scalar) except +raised

    void copy_with_host "UNLOCKED(copy_with_host)"(const QueueRef &, const Allocation &, void *to,
                                                   const void *from_, size_t nbytes) except +raised
    void copy_element "MAY_UNLOCK(copy_element)"(const QueueRef &, const Allocation &, void *to,
                                              const void *from_, size_t nbytes) except +raised
    cbool copy_element_here(const Queue &, const Allocation &source, const char *from_,
                            const Allocation &destination, char *to, size_t nbytes) except +raised
    void copy_bytes "UNLOCKED(copy_bytes)"(const Allocation &source, const char *from_,
                                           const Allocation &destination, char *to,
                                           size_t nbytes) except +raised
    void set_bytes "UNLOCKED(set_bytes)"(const Allocation &, char *pointer, int value,
                                         size_t nbytes) except +raised
    void copy_across "UNLOCKED(copy_across)"(const QueueRef &, const View &, const QueueRef &,
                                             const View &) except +raised


cdef extern from "ops/creation.hpp" namespace "usmtensor" nogil:
    ctypedef struct Linear "usmtensor::Linear":
        double start, step, fixed
        int64_t fixed_index
        cbool floored

    void fill_linear "MAY_UNLOCK(fill_linear)"(const QueueRef &, const View &,
                                            const Linear &) except +raised
    void fill_steps "MAY_UNLOCK(fill_steps)"(const QueueRef &, const View &, uint64_t start,
                                          uint64_t step) except +raised
    void clear_outside "UNLOCKED(clear_outside)"(const QueueRef &, const View &, int64_t k,
                                                 cbool before) except +raised

    cdef cppclass RandomStream:
        uint64_t[2] key
        int64_t first

    void fill_random "UNLOCKED(fill_random)"(const QueueRef &, const View &,
                                             const RandomStream &, cbool normal) except +raised
    void fill_integers "UNLOCKED(fill_integers)"(const QueueRef &, const View &,
                                                 const RandomStream &, uint64_t low,
                                                 uint64_t span) except +raised

    cdef enum class Distribution(unsigned char):
        gamma, log_gamma, von_mises, poisson, binomial, hypergeometric, zipf, integer

    void fill_samples "UNLOCKED(fill_samples)"(const QueueRef &, Distribution,
                                               const View *) except +raised


cdef extern from "ops/elementwise.hpp" namespace "usmtensor" nogil:
    cdef cppclass Signature:
        signed char[3] inputs
        signed char output
        signed char result

    const signed char Signature_computed "usmtensor::Signature::computed"
    const signed char Signature_copy "usmtensor::Signature::copy"
    const signed char Signature_zero "usmtensor::Signature::zero"
    const signed char Signature_one "usmtensor::Signature::one"

    cdef cppclass Operator:
        const char *name
        const char *summary
        const char *notes
        const char *dunder
        const char *source
        const char *module
        const char *functor
        const char *family
        int inputs, count
        cbool swapped, default_float, numeric
        const Signature *signatures

    const Operator *operators
    const int operator_count

    cdef cppclass Input:
        const View *array
        unsigned long[2] bits

    cdef cppclass Inputs "usmtensor::Span<usmtensor::Input>":
        Inputs(const Input *, size_t)

    void elementwise "MAY_UNLOCK(elementwise)"(const QueueRef &, const Signature &, const Inputs &,
                                            const View &) except +raised


cdef extern from "ops/indexing.hpp" namespace "usmtensor" nogil:
    ctypedef struct IndexedAxis "usmtensor::IndexedAxis":
        int64_t shift, low, high, stride

    cdef cppclass TrueCount "usmtensor::OwnedTrueCount":
        int64_t count

    void gather "UNLOCKED(gather)"(const QueueRef &, const View &base, const IndexedAxis &,
                                   const View &index, const View &values) except +raised
    cbool gather_checks(const QueueRef &)
    void scatter "UNLOCKED_IN_PLACE(scatter)"(const QueueRef &, const View &base,
                                              const IndexedAxis &, const View &index,
                                              const View &values, cbool unique) except +raised
    int64_t find_outside "UNLOCKED(find_outside)"(const QueueRef &, const View &index, int64_t low,
                                                  int64_t high) except +raised
    void add_digits "MAY_UNLOCK(add_digits)"(const QueueRef &, const View &positions, int64_t inner,
                                          int64_t extent, int64_t stride, cbool is_first,
                                          const View &offsets) except +raised
    TrueCount count_true "UNLOCKED(count_true)"(const QueueRef &, const View &mask) except +raised
    void true_positions "MAY_UNLOCK(true_positions)"(const QueueRef &, const View &mask,
                                                  const TrueCount &,
                                                  const View &positions) except +raised
    void compress "MAY_UNLOCK(compress)"(const QueueRef &, const View &source, const View &mask,
                                      const TrueCount &, const View &destination) except +raised
    void place "MAY_UNLOCK_IN_PLACE(place)"(const QueueRef &, const View &destination,
                                         const View &mask, const TrueCount &,
                                         const View &values) except +raised
    void repeat_runs "MAY_UNLOCK(repeat_runs)"(const QueueRef &, const View &source,
                                            const View &starts, const View &) except +raised


cdef extern from "ops/selection.hpp" namespace "usmtensor" nogil:
    cdef cppclass Selection "usmtensor::OwnedSelection":
        cppclass Index:
            View view
        UsmKind kind
        View base
        vector[Index] indices
        TrueCount found
        vector[int64_t] shape
        void begin(const View &array, UsmKind)
        void keep(int count)
        void at(const View &index, cbool clips, cbool inside, int number)
        void under(const View &mask)
        void join()
        void separate()
        int64_t extent(int after)
        cbool is_line()
        int ndim()

    cdef cppclass OutsidePosition:
        int64_t position, extent
        int axis

    void count_selected "MAY_UNLOCK(count_true)"(const QueueRef &, Selection &) except +raised
    cbool set_shape(Selection &)
    cbool selection_may_overlap "usmtensor::may_overlap"(const Selection &, const View &)
    cbool find_outside_position "UNLOCKED(find_outside)"(const QueueRef &, const Selection &,
                                                         OutsidePosition &) except +raised
    cbool gather_selection "MAY_UNLOCK(gather)"(const QueueRef &, const Selection &,
                                             const View &values) except +raised
    cbool scatter_selection "MAY_UNLOCK_IN_PLACE(scatter)"(const QueueRef &, const Selection &,
                                               const View &values) except +raised


cdef extern from "ops/sorting.hpp" namespace "usmtensor" nogil:
    ctypedef int (*NumberSort)(void *, Py_ssize_t, void *)
    cdef cppclass NumberSorts:
        NumberSort sort_int32, sort_int64, sort_float32, sort_float64
    void set_number_sorts(const NumberSorts &)
    void sort "UNLOCKED(sort)"(const QueueRef &, const View &source, const View &destination,
                               cbool descending) except +raised
    void argsort "UNLOCKED(argsort)"(const QueueRef &, const View &source, const View &indices,
                                     cbool descending) except +raised


cdef extern from "ops/product.hpp" namespace "usmtensor" nogil:
    ctypedef void (*MatrixLoop)(char **, const intptr_t *, const intptr_t *, void *)
    void matmul_by "MAY_UNLOCK(matmul_by)"(MatrixLoop, void *, const QueueRef &, const View &,
                                        const View &, const View &) except +raised
    void matmul "MAY_UNLOCK(matmul)"(const QueueRef &, const View &, const View &,
                                  const View &out) except +raised
    void vecdot "MAY_UNLOCK(vecdot)"(const QueueRef &, const View &, const View &, const View &out,
                                  cbool conjugate) except +raised


cdef extern from "ops/libraries.hpp" namespace "usmtensor" nogil:
    cbool onemkl_enabled()
    cbool numpy_enabled(const Queue &)
    cbool no_tier_is_forced()
