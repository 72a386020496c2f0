"""einops over usmtensor, through the array API."""

import numpy as np
import pytest
from clients import assert_agrees

import usmtensor as usm

einops = pytest.importorskip("einops.array_api")

VALUES = np.arange(24.0).reshape(2, 3, 4)
WORK = {
    "rearrange": lambda x: einops.rearrange(x, "a b (c d) -> a c (b d)", c=2),
    "transpose": lambda x: einops.rearrange(x, "a b c -> c (b a)"),
    "repeat": lambda x: einops.repeat(x, "a b c -> a (n b) c", n=2),
    "pack": lambda x: einops.pack([x, x[:, :, 0]], "a b *")[0],
    "unpack": lambda x: einops.unpack(x, [(1,), (3,)], "a b *"),
    **{
        name: lambda x, name=name: einops.reduce(x, "a b (c d) -> b d", name, d=2)
        for name in ("mean", "sum", "max", "min", "prod")
    },
}


@pytest.mark.shows("einops", "from us", "the functions of `einops.array_api`", "none")
@pytest.mark.parametrize("name", WORK)
def test_functions(queue, name):
    assert_agrees(WORK[name], VALUES, sycl_queue=queue)


def test_layers_know_their_own_arrays_only(queue):
    with pytest.raises(RuntimeError, match="unknown to einops"):
        pytest.importorskip("einops").rearrange(usm.ones((2, 3), sycl_queue=queue), "a b -> b a")
