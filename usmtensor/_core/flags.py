"""The flags of an array."""

from typing import Any, Literal

from usmtensor._runtime.arguments import short_repr

_NAMES = {"C": "C_CONTIGUOUS", "F": "F_CONTIGUOUS", "W": "WRITABLE"}
_KEYS = (*_NAMES, *_NAMES.values(), "WRITEABLE", "FC", "FNC", "FORC", "CONTIGUOUS")


class Flags:
    """Contiguity and writability of an array.

    By attribute (`c_contiguous`, `f_contiguous`, `contiguous`, `fc`, `fnc`, `forc`, `writable`) or
    by key ("C", "F", "W", "C_CONTIGUOUS", "F_CONTIGUOUS", "WRITABLE", "CONTIGUOUS", "FC", "FNC",
    "FORC"). `writable` can be set. Contiguity ignores the strides of axes with one element.

    Source: dpctl-compatible.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.ones((2, 3))
    >>> x.flags.c_contiguous, x.T.flags["F"]
    (True, True)
    >>> x.flags.writable = False
    """

    __slots__ = ("_array", "_bits")

    def __new__(cls, array: Any, bits: int) -> "Flags":
        self = super().__new__(cls)
        self._array = array
        self._bits = bits
        return self

    def __getnewargs__(self) -> tuple[Any, int]:
        return self._array, self._bits

    @property
    def c_contiguous(self) -> bool:
        """bool: True if the array is compact in C order."""
        return bool(self._bits & 1)

    @property
    def f_contiguous(self) -> bool:
        """bool: True if the array is compact in F order."""
        return bool(self._bits & 2)

    @property
    def writable(self) -> bool:
        """bool: True if the elements can be written."""
        return bool(self._bits & 4)

    @writable.setter
    def writable(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise TypeError(f"flags.writable: value is {value!r}; expected a bool")
        self._array._set_writable(value)
        self._bits = (self._bits & ~4) | (4 if value else 0)

    @property
    def fc(self) -> bool:
        """bool: True if the array is compact in both orders."""
        return self._bits & 3 == 3

    @property
    def fnc(self) -> bool:
        """bool: True if the array is compact in F order but not in C order."""
        return self._bits & 3 == 2

    @property
    def forc(self) -> bool:
        """bool: True if the array is compact in C or F order."""
        return bool(self._bits & 3)

    contiguous = forc
    writeable = writable  # NumPy's name

    def __getitem__(self, key: str) -> bool:
        if key not in _KEYS:
            raise KeyError(f"flags: unknown flag {short_repr(key)}")
        return bool(getattr(self, _NAMES.get(key, key).lower()))

    def __setitem__(self, key: Literal["W", "WRITABLE", "WRITEABLE"], value: bool) -> None:
        if key not in ("W", "WRITABLE", "WRITEABLE"):
            raise ValueError(f"flags: {short_repr(key)} cannot be set; expected 'W' or 'WRITABLE'")
        self.writable = value

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Flags):
            return self._bits == other._bits
        return NotImplemented

    def __repr__(self) -> str:
        return "\n".join(f"  {name} : {self[name]}" for name in _NAMES.values())
