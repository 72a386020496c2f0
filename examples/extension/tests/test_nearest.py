"""NumPy is the reference: shapes, strides, types, empty arrays, NaN, and the words of errors."""

import numpy as np
import pytest
from usmtensor_nearest import nearest

import usmtensor as usm


@pytest.fixture(params=["float32", "float64"])
def dtype(request):
    if request.param == "float64" and not usm.select_default_device().has_aspect_fp64:
        pytest.skip("the device has no float64")
    return request.param


def expected(points, centres):
    distances = np.linalg.norm(points[:, None] - centres[None], axis=2)
    index = distances.argmin(axis=1)
    return index, np.take_along_axis(distances, index[:, None], axis=1)[:, 0]


@pytest.mark.parametrize("n, k, d", [(1, 1, 1), (1000, 7, 3), (50, 200, 2), (5, 3, 0), (0, 2, 3)])
def test_as_numpy(n, k, d, dtype):
    rng = np.random.default_rng(n + k)
    points, centres = (rng.normal(size=(rows, d)).astype(dtype) for rows in (n, k))
    found = nearest(usm.asarray(points), usm.asarray(centres))
    index, distance = expected(points, centres)
    assert (found.index.dtype, found.distance.dtype) == (np.int64, dtype)
    np.testing.assert_array_equal(found.index.to_numpy(), index)
    np.testing.assert_allclose(found.distance.to_numpy(), distance, rtol=1e-5)


def test_strides_and_usm_types():
    grid = np.random.default_rng(0).normal(size=(40, 8)).astype("f4")
    points = usm.asarray(grid, usm_type="shared")[::-2, ::3]
    centres = usm.asarray(np.asfortranarray(grid[:4, :3]))
    found = nearest(points, centres)
    assert found.index.usm_type == found.distance.usm_type == "shared"
    index, distance = expected(grid[::-2, ::3], grid[:4, :3])
    np.testing.assert_array_equal(found.index.to_numpy(), index)
    np.testing.assert_allclose(found.distance.to_numpy(), distance, rtol=1e-5)


def test_nan_and_equally_near():
    centres = usm.asarray([[1.0], [-1.0], [1.0]], dtype="f4")
    found = nearest(usm.asarray([[0.0], [np.nan]], dtype="f4"), centres)
    assert found.index.tolist() == [0, 0]
    assert np.isnan(found.distance.to_numpy()).tolist() == [False, True]


def test_errors():
    x = usm.ones((2, 3), dtype="f4")
    for points, centres, kind, words in [
        (np.ones((2, 3), "f4"), x, TypeError, "points is of type ndarray"),
        (x, x[0], ValueError, r"centres has shape \(3,\); expected two axes"),
        (usm.astype(x, "i4"), x, TypeError, "points has type int32"),
        (x, usm.astype(x, "f2"), TypeError, "centres has type float16; expected float32"),
        (x, x[:, :2], ValueError, r"expected \(k, 3\)"),
        (x, x[:0], ValueError, "k >= 1"),
    ]:
        with pytest.raises(kind, match=f"^nearest: .*{words}"):
            nearest(points, centres)
