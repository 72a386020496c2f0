"""array-api-strict: a consumer and a producer of DLPack on the host, strictly by the standard."""

import numpy as np
import pytest
from checks import assert_same

import usmtensor as usm

strict = pytest.importorskip("array_api_strict")

VALUES = np.arange(24, dtype="i4").reshape(4, 6)


class OnTheHost:
    """An array for a consumer that does not ask for the host."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **keywords):
        return self.x.__dlpack__(**{"max_version": (1, 0)} | keywords | {"dl_device": (1, 0)})

    def __dlpack_device__(self):
        return 1, 0


def test_consumer(queue):
    x = usm.asarray(VALUES, usm_type="shared", sycl_queue=queue)
    y = strict.from_dlpack(OnTheHost(x))
    np.testing.assert_array_equal(np.asarray(y), VALUES)
    x[...] = 3
    assert (np.asarray(y) == 3).all()


def test_producer():
    y = strict.asarray(VALUES)
    assert_same(usm.from_dlpack(y), VALUES)
