"""USM memory objects, under the names of dpctl.memory."""

from usmtensor._memory import *  # noqa: F403
from usmtensor._memory import __all__ as __all__
