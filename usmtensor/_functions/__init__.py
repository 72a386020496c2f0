"""Functions of arrays in Cython.

`import usmtensor._functions as usm` gives them as one namespace to modules that the package itself
imports.
"""

from usmtensor._core.copy import *
from usmtensor._core.dlpack import *
from usmtensor._functions.creation import *
from usmtensor._functions.data_types import *
from usmtensor._functions.elementwise import *
from usmtensor._functions.indexing import *
from usmtensor._functions.manipulation import *
from usmtensor._functions.nearness import *
from usmtensor._functions.products import *
from usmtensor._functions.reductions import *
from usmtensor._functions.repetition import *
from usmtensor._functions.scans import *
from usmtensor._functions.searching import *
from usmtensor._functions.sets import *
from usmtensor._functions.sorting import *
from usmtensor._functions.statistics import *
