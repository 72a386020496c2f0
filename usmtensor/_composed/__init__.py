"""Functions of arrays that are composed of other functions."""
