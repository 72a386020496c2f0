from typing import Any

# Modules in Cython have no stubs of their own.
def __getattr__(name: str) -> Any: ...
