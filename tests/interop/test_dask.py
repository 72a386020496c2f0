"""dask.array over chunks of usmtensor: dask plans on the host, the chunks stay on the device."""

import gc
import pickle

import numpy as np
import pytest
from elementwise_oracle import held

import usmtensor as usm
from usmtensor import _hooks

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

VALUES = np.arange(48.0).reshape(6, 8) * 5 % 7 + 0.5
OTHER = np.cos(np.arange(48.0)).reshape(6, 8) + 2


def chunked(values, chunks=(2, 4)):
    return da.from_array(values, chunks=chunks, asarray=False)


def set_rows(a):
    a = a.copy()
    a[1:3] = 0.0
    return a


def set_mask(a):
    a = a.copy()
    a[a > 3] = 0.0
    return a


def square(a):
    """Symmetric and positive."""
    return (a @ a.T + 9 * da.eye(6, chunks=2)).rechunk((3, 3))


def rows(a):
    return a.rechunk((2, 8))


EQUAL = {
    "frexp": lambda a, b: da.frexp(a)[0],
    "insert": lambda a, b: da.insert(a, 1, 9.0, axis=0),
    # creation
    "zeros_like": lambda a, b: da.zeros_like(a),
    "ones_like": lambda a, b: da.ones_like(a, dtype="i4"),
    "full_like": lambda a, b: da.full_like(a, 3),
    "from_delayed": lambda a, b: da.from_delayed(
        a.to_delayed()[0, 0], (2, 4), dtype=a.dtype, meta=a._meta
    ),
    # elementwise
    "add": lambda a, b: a + b,
    "numbers": lambda a, b: 2 * a - 1,
    "da.sin": lambda a, b: da.sin(a),
    "np.exp": lambda a, b: np.exp(b),
    "maximum": lambda a, b: da.maximum(a, b),
    "compare": lambda a, b: a > 3,
    "abs": lambda a, b: abs(-a),
    "astype": lambda a, b: a.astype("f4"),
    "round": lambda a, b: da.round(a),
    "clip": lambda a, b: da.clip(a, 1, 4),
    "where": lambda a, b: da.where(a > 3, a, b),
    "isnan": lambda a, b: da.isnan(a),
    "real": lambda a, b: (a + 1j * b).real,
    "conj": lambda a, b: da.conj(a + 1j * b),
    "isclose": lambda a, b: da.isclose(a, b),
    "isin": lambda a, b: da.isin(a, [1.5, 2.5]),
    "nan_to_num": lambda a, b: da.nan_to_num(a),
    "map_blocks": lambda a, b: a.map_blocks(lambda x: x * 2),
    "map_overlap": lambda a, b: a.map_overlap(lambda x: x * 2, depth=1, boundary="reflect"),
    "blockwise": lambda a, b: da.blockwise(np.add, "ij", a, "ij", b, "ij"),
    "apply_gufunc": lambda a, b: da.apply_gufunc(
        lambda x: x.mean(axis=-1), "(i)->()", rows(a), output_dtypes=a.dtype
    ),
    "with numpy chunks": lambda a, b: a + chunked(OTHER),
    # reductions
    "sum": lambda a, b: a.sum(),
    "sum of an axis": lambda a, b: a.sum(axis=0),
    "keepdims": lambda a, b: a.sum(axis=1, keepdims=True),
    "prod": lambda a, b: b.prod(axis=0),
    "mean": lambda a, b: a.mean(axis=1),
    "std": lambda a, b: a.std(),
    "var": lambda a, b: a.var(axis=0, ddof=1),
    "moment": lambda a, b: da.reductions.moment(a, 3),
    "min": lambda a, b: a.min(),
    "max": lambda a, b: a.max(axis=0),
    "ptp": lambda a, b: da.ptp(a, axis=0),
    "any": lambda a, b: (a > 3).any(),
    "all": lambda a, b: (a > 0).all(axis=1),
    "argmin": lambda a, b: b.argmin(axis=0),
    "argmax": lambda a, b: b.argmax(axis=1),
    "count_nonzero": lambda a, b: da.count_nonzero(a > 3),
    "median": lambda a, b: da.median(a, axis=1),
    "average": lambda a, b: da.average(a, axis=0, weights=b),
    "nansum": lambda a, b: da.nansum(a, axis=0),
    "nanmean": lambda a, b: da.nanmean(a),
    "nanmax": lambda a, b: da.nanmax(a, axis=1),
    "nanstd": lambda a, b: da.nanstd(a),
    "nanmedian": lambda a, b: da.nanmedian(a, axis=1),
    "cumsum": lambda a, b: a.cumsum(axis=0),
    "cumsum in parallel": lambda a, b: da.cumsum(a, axis=0, method="blelloch"),
    "cumprod": lambda a, b: b.cumprod(axis=1),
    "histogram": lambda a, b: da.histogram(a, bins=4, range=(0, 8))[0],
    "bincount": lambda a, b: da.bincount(a[0].astype("i8"), minlength=9),
    "digitize": lambda a, b: da.digitize(a, np.array([1.0, 3.0])),
    "coarsen": lambda a, b: da.coarsen(np.sum, a, {0: 2, 1: 2}),
    # indices
    "slice": lambda a, b: a[1:5, ::2],
    "negative step": lambda a, b: a[::-1, ::-2],
    "integer": lambda a, b: a[2],
    "None": lambda a, b: a[:, None],
    "list": lambda a, b: a[[3, 0, 1]],
    "take": lambda a, b: da.take(a, [0, 2], axis=1),
    "mask": lambda a, b: a[a > 3],
    "mask of rows": lambda a, b: a[a[:, 0] > 2],
    "mask of NumPy": lambda a, b: a[np.array([True, False] * 3)],
    "index of dask": lambda a, b: a[da.from_array(np.array([0, 2, 4]), chunks=2)],
    "unknown sizes": lambda a, b: a[a > 3].compute_chunk_sizes() * 2,
    "set rows": lambda a, b: set_rows(a),
    "set a mask": lambda a, b: set_mask(a),
    "shuffle": lambda a, b: da.shuffle(a, [[1, 0], [2, 3], [5, 4]], axis=0),
    # products, linear algebra
    "matmul": lambda a, b: a @ b.T,
    "np.matmul": lambda a, b: np.matmul(a, b.T),
    "dot": lambda a, b: a.dot(b.T),
    "tensordot": lambda a, b: da.tensordot(a, b, axes=((1,), (1,))),
    "outer": lambda a, b: da.outer(a[0], b[0]),
    "vdot": lambda a, b: da.vdot(a, b),
    "norm": lambda a, b: da.linalg.norm(a),
    "cov": lambda a, b: da.cov(a),
    "svd": lambda a, b: da.linalg.svd(b.rechunk((6, 8)))[1],
    "qr": lambda a, b: abs(da.linalg.tsqr(b.T.rechunk((4, 6)))[1]),
    "fft": lambda a, b: da.fft.fft(rows(a)),
    "rfft": lambda a, b: da.fft.rfft(rows(a)),
    # shapes
    "rechunk": lambda a, b: a.rechunk((3, 2)),
    "reshape": lambda a, b: a.reshape(3, 2, 8),
    "ravel": lambda a, b: a.ravel(),
    "T": lambda a, b: a.T,
    "moveaxis": lambda a, b: da.moveaxis(a, 0, 1),
    "concatenate": lambda a, b: da.concatenate([a, b], axis=1),
    "stack": lambda a, b: da.stack([a, b]),
    "block": lambda a, b: da.block([[a, b], [b, a]]),
    "flip": lambda a, b: da.flip(a, 0),
    "roll": lambda a, b: da.roll(a, 1, axis=0),
    "tile": lambda a, b: da.tile(a, (1, 2)),
    "repeat": lambda a, b: da.repeat(a, 2, axis=0),
    "pad": lambda a, b: da.pad(a, 1, mode="constant"),
    "squeeze": lambda a, b: a[:1].squeeze(),
    "broadcast_to": lambda a, b: da.broadcast_to(a, (3, 6, 8)),
    "diff": lambda a, b: da.diff(a, axis=0),
    "tril": lambda a, b: da.tril(a),
    "triu": lambda a, b: da.triu(a, 1),
    "diagonal": lambda a, b: da.diagonal(a),
    "append": lambda a, b: da.append(a, b, axis=0),
    "delete": lambda a, b: da.delete(a, [1], axis=0),
    "persist": lambda a, b: (a + 1).persist(),
    "argmax of all axes": lambda a, b: a.argmax(),
    "topk": lambda a, b: da.topk(a, 3, axis=1),
    "apply_along_axis": lambda a, b: da.apply_along_axis(np.sum, 0, a),
    "einsum": lambda a, b: da.einsum("ij,kj->ik", a, b),
    "gradient": lambda a, b: da.gradient(a, axis=0),
    "diag": lambda a, b: da.diag(a[0]),
    "unique": lambda a, b: da.unique(a),
    "quantile": lambda a, b: da.quantile(a.rechunk((6, 8)), 0.5, axis=0),
    "select": lambda a, b: da.select([a > 3], [a]),
    "fft2": lambda a, b: da.fft.fft2(a.rechunk((6, 8))),
    "vindex": lambda a, b: a.vindex[[0, 1], [2, 3]],
}

# Operations that need a function of NumPy that usmtensor lacks, or another library on the host.
REFUSED = {
    "nonzero": (lambda a, b: da.nonzero(a > 3)[0], "asnumpy"),
    "solve": (lambda a, b: da.linalg.solve(square(a), b.rechunk((3, 8))[:, 0]), "asnumpy"),
}


def agree(found, wanted):
    """A result has usmtensor's type, and type, shape and values of NumPy's."""
    assert isinstance(found, usm.usm_ndarray)
    wanted = np.asarray(wanted)
    assert found.shape == wanted.shape and found.dtype == held(wanted.dtype)
    tolerance = 1e-5 if found.dtype in ("f4", "c8") else 1e-12
    np.testing.assert_allclose(usm.asnumpy(found), wanted, rtol=tolerance, atol=tolerance)


@pytest.fixture
def operands(queue):
    return [chunked(usm.asarray(values, sycl_queue=queue)) for values in (VALUES, OTHER)]


@pytest.mark.shows(
    "dask",
    "from us",
    "operations of `dask.array` on chunks, [backend](scale.md) `usmtensor`",
    "none",
)
@pytest.mark.parametrize("name", EQUAL)
def test_operations(queue, operands, name):
    if name in ("svd", "qr", "fft", "fft2", "rfft") and usm.linalg.backend(queue) is None:
        pytest.skip("the device has no library")
    with dask.config.set(scheduler="threads"):
        found = EQUAL[name](*operands).compute()
        wanted = EQUAL[name](chunked(VALUES), chunked(OTHER)).compute()
    agree(found, wanted)


@pytest.mark.parametrize("name", REFUSED)
def test_refused_operations(operands, name):
    operation, message = REFUSED[name]
    with pytest.raises((TypeError, AttributeError, NotImplementedError), match=message):
        operation(*operands).compute(scheduler="threads")


def test_backend():
    """Creation, by dask's setting; conversions of chunks by `to_backend`."""
    with dask.config.set({"array.backend": "usmtensor"}):
        made = [
            da.ones((5, 4), chunks=2),
            da.zeros(5, chunks=2, dtype="f4"),
            da.full((3, 3), 7, chunks=2),
            da.arange(1, 10, 2, chunks=3, dtype="f4"),
        ]
        assert isinstance(da.empty(3).compute(), usm.usm_ndarray)
        first, second = (da.random.default_rng(1).normal(size=9, chunks=4) for _ in range(2))
        assert isinstance(first._meta, usm.usm_ndarray)
        agree(first.compute(), usm.asnumpy(second.compute()))
        line = chunked(VALUES[0], 3)
        expected = da.percentile(line, [20, 50]).compute()
        agree(da.percentile(line.to_backend("usmtensor"), [20, 50]).compute(), expected)
    wanted = [np.ones((5, 4)), np.zeros(5, "f4"), np.full((3, 3), 7), np.arange(1, 10, 2, "f4")]
    for x, expected in zip(made, wanted, strict=True):
        assert isinstance(x._meta, usm.usm_ndarray)
        agree(x.compute(), expected)
        back = x.to_backend("numpy")
        assert isinstance(back._meta, np.ndarray)
        np.testing.assert_array_equal(back.compute(), expected)
    x = chunked(VALUES).to_backend("usmtensor")
    assert x.to_backend("usmtensor") is x
    agree((x + 1).compute(), VALUES + 1)


@pytest.mark.parametrize(
    "name, arguments",
    [("random", ()), ("integers", (0, 9)), ("poisson", (3,)), ("gamma", (2,)), ("choice", (5,))],
)
def test_random_arrays(name, arguments):
    """Chunks come from streams that follow from the seeds of our generator."""
    found = []
    for _ in range(2):
        rng = da.random.default_rng(usm.random.default_rng(7))
        found.append(getattr(rng, name)(*arguments, size=20, chunks=8).compute())
    assert isinstance(found[0], usm.usm_ndarray) and found[0].shape == (20,)
    assert (found[0] == found[1]).all()
    assert not (found[0][:8] == found[0][8:16]).all()


def test_pickled_chunks(operands):
    """As for workers in other processes."""
    x = pickle.loads(pickle.dumps(operands[0] * 2))
    agree(x.compute(), VALUES * 2)


def test_distributed():
    """Two processes, each with the device; chunks travel as pickles."""
    distributed = pytest.importorskip("distributed")
    values = np.random.default_rng(0).random((300, 200))
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster),
    ):
        x = da.from_array(values, chunks=(100, 100)).map_blocks(usm.asarray)
        agree((x @ x.T).sum(axis=0).compute(), (values @ values.T).sum(axis=0))
        agree(x.std(axis=0).compute(), values.std(axis=0))
        agree(x.rechunk((150, 50)).cumsum(axis=0).compute(), values.cumsum(axis=0))
        agree(
            da.concatenate([x, x], axis=1)[x[:, 0] > 0.5].sum().compute(),
            np.concatenate([values, values], axis=1)[values[:, 0] > 0.5].sum(),
        )


def test_more_data_than_memory(device, queue):
    """Chunks come from the host one after another and are released in between."""
    gc.collect()
    usm.memory.trim()
    mib = 1 << 20
    values = np.ones((64, mib // 8))  # 64 chunks of a MiB
    rows = usm.memory.statistics().values()
    used = sum(kind["live"] + kind["pooled"] for kinds in rows for kind in kinds.values())
    _hooks.limit_memory(device=used + 24 * mib)
    try:
        with pytest.raises(usm.USMAllocationError):
            usm.asarray(values, sycl_queue=queue)
        x = da.from_array(values, chunks=(1, -1)).map_blocks(usm.asarray, sycl_queue=queue)
        found = (x * 2 + 1).sum().compute(scheduler="threads", num_workers=2)
        assert float(found) == 3 * values.size
    finally:
        _hooks.limit_memory()


def test_xarray_over_dask(operands):
    xr = pytest.importorskip("xarray")

    def work(d):
        return (d.isel(a=slice(1, None)) * 2 - d.mean("a")).where(d > 1).sum("b")

    def labelled(x):
        return xr.DataArray(x, dims=("a", "b"), coords={"a": range(6)})

    found = work(labelled(operands[0])).compute()
    agree(found.data, work(labelled(VALUES)).data)
