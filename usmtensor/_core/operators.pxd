# Python's operators that call elementwise functions.
cpdef enum Operation:
    ADD, SUB, MUL, TRUEDIV, FLOORDIV, MOD, POW, AND, OR, XOR, LSHIFT, RSHIFT
    EQ, NE, LT, LE, GT, GE
    NEG, POS, ABS, INVERT

# Applies an operator; in-place operators write to `out`. NotImplemented for unknown operands.
ctypedef object (*Operate)(int, object x, object y, object out)
ctypedef object (*MatrixProduct)(object x, object y, object out)

cdef void set_operate(Operate function) noexcept
cdef void set_matrix_product(MatrixProduct function) noexcept


cdef class Operators:
    pass
