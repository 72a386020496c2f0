"""xarray over usmtensor: the labels are NumPy's, the data stays on the device."""

import copy
import operator
import pickle

import numpy as np
import pytest
from elementwise_oracle import held

import usmtensor as usm

xr = pytest.importorskip("xarray")

VALUES = np.arange(12.0).reshape(3, 4)


def labelled(values):
    coords = {"a": [10, 20, 30], "b": list("wxyz")}
    return xr.DataArray(values, dims=("a", "b"), coords=coords, name="t")


def outer(d):
    return d.isel(b=0, drop=True) + d.isel(a=0, drop=True).rename(b="c")


def assigned(d):
    d = d.copy()
    d[0] = 7.0
    d.loc[20, "w"] = 9.0
    d[{"a": [1, 2]}] = d[0]
    return d


def in_place(d):
    d = d.copy()
    d += 1
    d *= d
    return d


WORK = {
    "add a number": lambda d: d + 1,
    "add to a number": lambda d: 1 + d,
    "multiply": lambda d: d * d,
    "compare": lambda d: d > 3,
    "negate": operator.neg,
    "abs": abs,
    "broadcast by name": lambda d: d[:, 0] * d[0],
    "outer sum": outer,
    "numpy.sin": np.sin,
    "xr.ufuncs.exp": lambda d: xr.ufuncs.exp(d),
    "apply_ufunc": lambda d: xr.apply_ufunc(lambda x: x * 2, d),
    "real": lambda d: d.real,
    "round": lambda d: d.round(),
    "clip": lambda d: d.clip(2, 5),
    "astype": lambda d: d.astype("f4"),
    "isel": lambda d: d.isel(a=slice(None, None, -1)),
    "isel by lists": lambda d: d.isel(a=[0, 2], b=[1, 0]),
    "sel": lambda d: d.sel(a=20),
    "sel by a list": lambda d: d.sel(b=["w", "z"]),
    "loc": lambda d: d.loc[10:20],
    "mask": lambda d: d[np.array([True, False, True])],
    "thin": lambda d: d.thin(2),
    "reindex": lambda d: d.reindex(a=[10, 15, 20]),
    "sortby": lambda d: d.sortby("b", ascending=False),
    "T": lambda d: d.T,
    "transpose": lambda d: d.transpose("b", "a"),
    "expand_dims and squeeze": lambda d: d.expand_dims("n").squeeze(),
    "stack": lambda d: d.stack(z=("a", "b")),
    "stack and unstack": lambda d: d.stack(z=("a", "b")).unstack("z"),
    "broadcast_like": lambda d: d[0].broadcast_like(d),
    "concat": lambda d: xr.concat([d, d], "a"),
    "concat along a new axis": lambda d: xr.concat([d, d], "n"),
    "roll": lambda d: d.roll(a=1),
    "diff": lambda d: d.diff("a"),
    "where": lambda d: d.where(d > 3),
    "where, else": lambda d: d.where(d > 3, 0.0),
    "xr.where": lambda d: xr.where(d > 3, d, -d),
    "fillna": lambda d: d.where(d > 3).fillna(0),
    "isnull": lambda d: d.where(d > 3).isnull(),
    "combine_first": lambda d: d.where(d > 3).combine_first(d),
    "shift": lambda d: d.shift(a=1),
    "rolling mean": lambda d: d.rolling(b=2).mean(),
    "rolling max": lambda d: d.rolling(b=3, min_periods=1, center=True).max(),
    "rolling std along two axes": lambda d: d.rolling(a=2, b=2).std(),
    "rolling construct": lambda d: d.rolling(b=2).construct("n"),
    "rolling reduce": lambda d: d.rolling(b=2).reduce(lambda x, axis: x.sum(axis=axis)),
    "pad": lambda d: d.pad(a=1, b=(1, 2), mode="reflect"),
    "pad with NaN": lambda d: d.pad(a=1),
    "quantile": lambda d: d.quantile([0.3, 0.5], dim="a"),
    "quantile of all": lambda d: d.quantile(0.3, skipna=False),
    "dot": lambda d: d.dot(d, dim="b"),
    "xr.dot": lambda d: xr.dot(d, d.rename(a="c"), dim="b"),
    "differentiate": lambda d: d.differentiate("a"),
    "integrate": lambda d: d.integrate("a"),
    "weighted": lambda d: d.weighted(d[0] + 1).mean("b"),
    "groupby": lambda d: d.groupby("a").mean(),
    "isin": lambda d: d.isin([1, 2]),
    "full_like": lambda d: xr.full_like(d, 3.0),
    "polyval": lambda d: xr.polyval(
        d, xr.DataArray([1.0, 2.0], dims="degree", coords={"degree": [0, 1]})
    ),
    "assignment": assigned,
    "in place": in_place,
    "deep copy": copy.deepcopy,
    "pickle": lambda d: pickle.loads(pickle.dumps(d)),
    "Dataset": lambda d: (xr.Dataset({"t": d}) + 1)["t"],
    "merge": lambda d: xr.merge([d, d.rename("u")], compat="override")["u"],
}


@pytest.mark.shows("xarray", "from us", "operations of a `DataArray(x)` and a `Dataset`", "none")
@pytest.mark.parametrize("name", WORK)
def test_operations(queue, name):
    wanted = WORK[name](labelled(VALUES))
    found = WORK[name](labelled(usm.asarray(VALUES, sycl_queue=queue)))
    assert isinstance(found.data, usm.usm_ndarray)
    assert found.dims == wanted.dims
    assert found.dtype == held(wanted.dtype)
    np.testing.assert_allclose(usm.asnumpy(found.data), wanted.data, rtol=1e-6)
    assert found.coords.keys() == wanted.coords.keys()


def test_text(queue):
    d = labelled(usm.asarray(VALUES, sycl_queue=queue))
    assert "usm_ndarray" in repr(d) and d._repr_html_()
    assert d[0, 1].item() == 1


def test_the_host_reads_shared_arrays_only(device, queue):
    with pytest.raises(TypeError, match="asnumpy"):
        labelled(usm.asarray(VALUES, sycl_queue=queue)).values  # noqa: B018
    if device.has_aspect_usm_shared_allocations:
        d = labelled(usm.asarray(VALUES, usm_type="shared", sycl_queue=queue))
        np.testing.assert_array_equal(d.values, VALUES)


@pytest.mark.parametrize("dim", [None, "a", ("a", "b")])
@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "mean", "any", "all"])
def test_reductions(queue, name, dim):
    def reduce(d):
        reduction = getattr(d, name)
        return reduction(dim) if name in ("any", "all") else reduction(dim, skipna=False)

    found = reduce(labelled(usm.asarray(VALUES, sycl_queue=queue)))
    expected = reduce(labelled(VALUES))
    assert isinstance(found.data, usm.usm_ndarray)
    assert found.coords.identical(expected.coords)
    np.testing.assert_allclose(usm.asnumpy(found.data), expected.values, rtol=1e-6)


@pytest.mark.parametrize("dim", [None, "a", "b"])
@pytest.mark.parametrize("skipna", [None, True])
@pytest.mark.parametrize(
    "name",
    ["sum", "prod", "max", "min", "mean", "std", "var", "median", "count", "cumsum", "cumprod"],
)
def test_reductions_without_nan(queue, name, dim, skipna):
    """By NumPy's functions, which is xarray's default."""
    values = np.where(VALUES % 5 == 0, np.nan, VALUES)
    keywords = {} if name == "count" else {"skipna": skipna}
    found = getattr(labelled(usm.asarray(values, sycl_queue=queue)), name)(dim, **keywords)
    expected = getattr(labelled(values), name)(dim, **keywords)
    assert isinstance(found.data, usm.usm_ndarray)
    np.testing.assert_allclose(usm.asnumpy(found.data), expected.values, rtol=1e-6)


def test_where_that_drops(device, queue):
    """xarray reads the remaining labels on the host."""
    if not device.has_aspect_usm_shared_allocations:
        pytest.skip("the device lacks the aspect usm_shared_allocations")
    d = labelled(usm.asarray(VALUES, usm_type="shared", sycl_queue=queue))
    found, expected = d.where(d > 5, drop=True), labelled(VALUES)
    expected = expected.where(expected > 5, drop=True)
    assert found.coords.identical(expected.coords)
    np.testing.assert_array_equal(usm.asnumpy(found.data), expected.values)
