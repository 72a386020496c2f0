# cython: c_api_binop_methods=True
"""Python's operators, which arrays inherit.

Binary operators get their operands in order, so either operand may be the array.
"""

cdef Operate operate = NULL
cdef MatrixProduct matrix_product = NULL
cdef Operation[6] COMPARISONS = [LT, LE, EQ, NE, GT, GE]  # in CPython's order


cdef void set_operate(Operate function) noexcept:
    """Set the function that applies operators; the module of elementwise functions calls this."""
    global operate
    operate = function


cdef void set_matrix_product(MatrixProduct function) noexcept:
    """Set the matrix product; the module of matrix products calls this."""
    global matrix_product
    matrix_product = function


cdef class Operators:
    def __add__(x, y):
        return operate(ADD, x, y, None)

    def __iadd__(x, y):
        return operate(ADD, x, y, x)

    def __sub__(x, y):
        return operate(SUB, x, y, None)

    def __isub__(x, y):
        return operate(SUB, x, y, x)

    def __mul__(x, y):
        return operate(MUL, x, y, None)

    def __imul__(x, y):
        return operate(MUL, x, y, x)

    def __matmul__(x, y):
        return matrix_product(x, y, None)

    def __imatmul__(x, y):
        return matrix_product(x, y, x)

    def __truediv__(x, y):
        return operate(TRUEDIV, x, y, None)

    def __itruediv__(x, y):
        return operate(TRUEDIV, x, y, x)

    def __floordiv__(x, y):
        return operate(FLOORDIV, x, y, None)

    def __ifloordiv__(x, y):
        return operate(FLOORDIV, x, y, x)

    def __mod__(x, y):
        return operate(MOD, x, y, None)

    def __imod__(x, y):
        return operate(MOD, x, y, x)

    def __divmod__(x, y):
        quotient = operate(FLOORDIV, x, y, None)
        return quotient if quotient is NotImplemented else (quotient, x % y)

    def __pow__(x, y, modulo):
        return NotImplemented if modulo is not None else operate(POW, x, y, None)

    def __ipow__(x, y):
        return operate(POW, x, y, x)

    def __and__(x, y):
        return operate(AND, x, y, None)

    def __iand__(x, y):
        return operate(AND, x, y, x)

    def __or__(x, y):
        return operate(OR, x, y, None)

    def __ior__(x, y):
        return operate(OR, x, y, x)

    def __xor__(x, y):
        return operate(XOR, x, y, None)

    def __ixor__(x, y):
        return operate(XOR, x, y, x)

    def __lshift__(x, y):
        return operate(LSHIFT, x, y, None)

    def __ilshift__(x, y):
        return operate(LSHIFT, x, y, x)

    def __rshift__(x, y):
        return operate(RSHIFT, x, y, None)

    def __irshift__(x, y):
        return operate(RSHIFT, x, y, x)

    def __richcmp__(x, y, int comparison):
        return operate(COMPARISONS[comparison], x, y, None)

    def __neg__(self):
        return operate(NEG, self, None, None)

    def __pos__(self):
        return operate(POS, self, None, None)

    def __abs__(self):
        return operate(ABS, self, None, None)

    def __invert__(self):
        return operate(INVERT, self, None, None)
