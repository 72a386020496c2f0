"""Functions of arrays that are written in Cython."""
