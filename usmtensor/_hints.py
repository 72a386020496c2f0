"""Hints in error messages: usmtensor's names for functions and methods of other libraries. There
are no aliases."""

from typing import Any

# Functions of NumPy, CuPy and torch, and their replacements.
FUNCTIONS = {
    **dict.fromkeys(("absolute", "fabs"), "abs"),
    **{f"arc{name}": f"a{name}" for name in ("cos", "cosh", "sin", "sinh", "tan", "tanh", "tan2")},
    **dict.fromkeys(("array", "asanyarray", "tensor", "as_tensor"), "asarray"),
    **dict.fromkeys(("concatenate", "cat"), "concat"),
    **dict.fromkeys(("vstack", "hstack", "dstack"), "concat or stack"),
    **dict.fromkeys(("transpose", "permute"), "permute_dims"),
    **dict.fromkeys(("around", "rint", "round_"), "round"),
    **dict.fromkeys(("ravel", "flatten"), "reshape(x, -1)"),
    **dict.fromkeys(("rollaxis", "movedim"), "moveaxis"),
    **dict.fromkeys(("argwhere", "flatnonzero"), "nonzero"),
    **dict.fromkeys(("dot", "mm", "bmm"), "matmul or vecdot"),
    **dict.fromkeys(("ndarray", "Tensor"), "usm_ndarray"),
    "ascontiguousarray": 'asarray(x, order="C")',
    "asfortranarray": 'asarray(x, order="F")',
    "conjugate": "conj",
    "fix": "trunc",
    "identity": "eye",
    "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift",
    "mod": "remainder",
    "power": "pow",
    "right_shift": "bitwise_right_shift",
    "true_divide": "divide",
    "bool_": "bool",
    "double": "float64",
    "half": "float16",
    "single": "float32",
    # of linear algebra
    **{name: f"linalg.{name}" for name in ("cholesky", "det", "inv", "pinv", "qr", "solve", "svd")},
    **{name: f"linalg.{name}" for name in ("cross", "diagonal", "trace")},
    "norm": "linalg.vector_norm or linalg.matrix_norm",
    # of reductions and similar functions
    "amax": "max",
    "amin": "min",
    "cumprod": "cumulative_prod",
    "cumsum": "cumulative_sum",
    "in1d": "isin",
    "unique": "unique_values",
}

# Methods of their arrays, and their replacements.
METHODS = {
    **dict.fromkeys(("get", "numpy", "cpu"), "usmtensor.asnumpy(x)"),
    **dict.fromkeys(("dot", "mm"), "x @ y"),
    **dict.fromkeys(("transpose", "permute"), "x.T, x.mT or usmtensor.permute_dims(x, axes)"),
    "compress": "x[mask]",
    "conjugate": "x.conj()",
    "cumprod": "usmtensor.cumulative_prod(x)",
    "cumsum": "usmtensor.cumulative_sum(x)",
    "expand": "usmtensor.broadcast_to(x, shape)",
    "fill": "x[...] = value",
    "flat": "usmtensor.reshape(x, -1)",
    "permute_dims": "usmtensor.permute_dims(x, axes)",
    "put": "x[indices] = values",
    "sort": "usmtensor.sort(x), which gives a new array",
    "swapaxes": "usmtensor.swapaxes(x, axis1, axis2)",
    "take": "x[indices] or usmtensor.take(x, indices)",
    "to": "x.to_device(device) or x.astype(dtype)",
    "tobytes": "usmtensor.asnumpy(x).tobytes()",
    "unsqueeze": "usmtensor.expand_dims(x, axis)",
}


def missing(where: str, name: str, owner: Any, hints: dict[str, str], says: str) -> AttributeError:
    """The error for a missing attribute.

    Parameters
    ----------
    where : str
        The owner in Python's words, such as "module 'usmtensor'".
    name : str
    owner : object
    hints : dict
        Replacements, by name.
    says : str
        The words before a replacement.

    Returns
    -------
    AttributeError
    """
    text = f"{where} has no attribute {name!r}"
    hint = hints.get(name)
    return AttributeError(f"{text}: {says} {hint}" if hint else text, name=name, obj=owner)
