"""The flags of an array."""

_NAMES = {"C": "C_CONTIGUOUS", "F": "F_CONTIGUOUS", "W": "WRITABLE"}
_KEYS = (*_NAMES, *_NAMES.values(), "FC", "FNC", "FORC", "CONTIGUOUS")


class Flags:
    """Contiguity of an array and whether its elements can be written.

    By attribute (`c_contiguous`, `f_contiguous`, `contiguous`, `fc`, `fnc`, `forc`, `writable`) or
    by key ("C", "F", "W", "C_CONTIGUOUS", "F_CONTIGUOUS", "WRITABLE", "CONTIGUOUS", "FC", "FNC",
    "FORC"). `writable` can be set; contiguity ignores the strides of axes of one element.

    Source: dpctl-compatible.
    """

    __slots__ = ("_array", "_bits")

    def __init__(self, array, bits):
        self._array = array
        self._bits = bits

    @property
    def c_contiguous(self):
        """bool: Compact, the last axis fastest."""
        return bool(self._bits & 1)

    @property
    def f_contiguous(self):
        """bool: Compact, the first axis fastest."""
        return bool(self._bits & 2)

    @property
    def writable(self):
        """bool: The elements can be written."""
        return bool(self._bits & 4)

    @writable.setter
    def writable(self, value):
        if not isinstance(value, bool):
            raise TypeError(f"flags.writable: value is {value!r}; expected a bool")
        self._array._set_writable(value)
        self._bits = (self._bits & ~4) | (4 if value else 0)

    @property
    def fc(self):
        """bool: Compact in both orders."""
        return self._bits & 3 == 3

    @property
    def fnc(self):
        """bool: Compact in F order and not in C order."""
        return self._bits & 3 == 2

    @property
    def forc(self):
        """bool: Compact in one of the orders."""
        return bool(self._bits & 3)

    contiguous = forc

    def __getitem__(self, key):
        if key not in _KEYS:
            raise KeyError(f"flags: unknown flag {key!r}")
        return getattr(self, _NAMES.get(key, key).lower())

    def __setitem__(self, key, value):
        if key not in ("W", "WRITABLE"):
            raise ValueError(f"flags: {key!r} cannot be set; expected 'W' or 'WRITABLE'")
        self.writable = value

    def __eq__(self, other):
        if isinstance(other, Flags):
            return self._bits == other._bits
        return NotImplemented

    __hash__ = None

    def __repr__(self):
        return "\n".join(f"  {name} : {self[name]}" for name in _NAMES.values())
