# For type checkers: the functions have their types in the public stub.
from usmtensor import *
