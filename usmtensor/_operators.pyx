"""The operators of Python, which arrays inherit."""

cdef Operate operate = NULL


cdef void set_operate(Operate function) noexcept:
    """To be called by the module of the functions, which needs the arrays."""
    global operate
    operate = function


cdef class Operators:
    def __add__(self, other):
        return operate(ADD, self, other, None)

    def __radd__(self, other):
        return operate(ADD, other, self, None)

    def __iadd__(self, other):
        return operate(ADD, self, other, self)

    def __sub__(self, other):
        return operate(SUB, self, other, None)

    def __rsub__(self, other):
        return operate(SUB, other, self, None)

    def __isub__(self, other):
        return operate(SUB, self, other, self)

    def __mul__(self, other):
        return operate(MUL, self, other, None)

    def __rmul__(self, other):
        return operate(MUL, other, self, None)

    def __imul__(self, other):
        return operate(MUL, self, other, self)

    def __truediv__(self, other):
        return operate(TRUEDIV, self, other, None)

    def __rtruediv__(self, other):
        return operate(TRUEDIV, other, self, None)

    def __itruediv__(self, other):
        return operate(TRUEDIV, self, other, self)

    def __floordiv__(self, other):
        return operate(FLOORDIV, self, other, None)

    def __rfloordiv__(self, other):
        return operate(FLOORDIV, other, self, None)

    def __ifloordiv__(self, other):
        return operate(FLOORDIV, self, other, self)

    def __mod__(self, other):
        return operate(MOD, self, other, None)

    def __rmod__(self, other):
        return operate(MOD, other, self, None)

    def __imod__(self, other):
        return operate(MOD, self, other, self)

    def __pow__(self, other, modulo):
        return NotImplemented if modulo is not None else operate(POW, self, other, None)

    def __rpow__(self, other, modulo):
        return NotImplemented if modulo is not None else operate(POW, other, self, None)

    def __ipow__(self, other):
        return operate(POW, self, other, self)

    def __and__(self, other):
        return operate(AND, self, other, None)

    def __rand__(self, other):
        return operate(AND, other, self, None)

    def __iand__(self, other):
        return operate(AND, self, other, self)

    def __or__(self, other):
        return operate(OR, self, other, None)

    def __ror__(self, other):
        return operate(OR, other, self, None)

    def __ior__(self, other):
        return operate(OR, self, other, self)

    def __xor__(self, other):
        return operate(XOR, self, other, None)

    def __rxor__(self, other):
        return operate(XOR, other, self, None)

    def __ixor__(self, other):
        return operate(XOR, self, other, self)

    def __lshift__(self, other):
        return operate(LSHIFT, self, other, None)

    def __rlshift__(self, other):
        return operate(LSHIFT, other, self, None)

    def __ilshift__(self, other):
        return operate(LSHIFT, self, other, self)

    def __rshift__(self, other):
        return operate(RSHIFT, self, other, None)

    def __rrshift__(self, other):
        return operate(RSHIFT, other, self, None)

    def __irshift__(self, other):
        return operate(RSHIFT, self, other, self)

    def __eq__(self, other):
        return operate(EQ, self, other, None)

    def __ne__(self, other):
        return operate(NE, self, other, None)

    def __lt__(self, other):
        return operate(LT, self, other, None)

    def __le__(self, other):
        return operate(LE, self, other, None)

    def __gt__(self, other):
        return operate(GT, self, other, None)

    def __ge__(self, other):
        return operate(GE, self, other, None)

    def __neg__(self):
        return operate(NEG, self, None, None)

    def __pos__(self):
        return operate(POS, self, None, None)

    def __abs__(self):
        return operate(ABS, self, None, None)

    def __invert__(self):
        return operate(INVERT, self, None, None)

    # Beside the comparisons, as CPython inherits both or neither.
    def __hash__(self):
        raise TypeError(f"unhashable type: '{type(self).__name__}'")
