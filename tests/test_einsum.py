"""einsum: against NumPy."""

import numpy as np
import pytest
from checks import assert_same, shares_memory
from hypothesis import given
from hypothesis import strategies as st
from strategies import dtypes, examples, laid_out, layouts

import usmtensor as usm

LINES = (
    "i i-> ij ij->ji ij-> ij->i ij->j ii ii->i iij->ij iij->j ijij->ij ijk->ik ijk->kji",
    "...->... ...i->i... ...ii->...i i...->... i,i i,i->i i,j ij,j ij,i->j ij,jk ij,jk->ki",
    "ij,kj->ik ji,jk->ik ij,ij ij,ij->ij ij,ij->i ij,ij->j ij,ji-> ij,k->kij bij,bjk->bik",
    "bij,bjk->ikb ibj,bjk->bik bij,bik->jk bij,bj->bi bi,bij,bj->b i,ij,j-> ij,jk,kl->il",
    "ij,jk,ki-> ijk,ilm,njm,nlk->n ij,j,j->i i,i,i-> ...ij,...jk ...ij,...jk->...ik",
    "i...,i...->... ...,... ...i,...->...i ii,ii->i ii,jj->ij iij,j->i ,ij ,,i-> i,->i",
    "ab,cd,ef->ace abc,abc->ac abc,cab->b abcd,abcd->bd abc,bd->acd ij,jk->i ij,jk-> ij,jk->k",
)
SUBSCRIPTS = [one for line in LINES for one in line.split()]


@st.composite
def cases(draw):
    """Subscripts, and the shapes of operands."""
    subscripts = draw(st.sampled_from(SUBSCRIPTS))
    inputs = subscripts.partition("->")[0]
    extents = {k: draw(st.integers(0, 4)) for k in sorted({*inputs} - {*",."})}
    common = draw(st.lists(st.integers(0, 3), max_size=2))
    shapes = []
    for term in inputs.split(","):
        # An extent of 1 broadcasts, unless the term repeats the letter.
        one = {k: draw(st.sampled_from([1, n, n, n])) for k, n in extents.items()}
        before, ellipsis, behind = term.partition("...")
        middle = draw(st.sampled_from([common, common[1:], [1] * len(common)])) if ellipsis else []
        shapes.append((*map(one.get, before), *middle, *map(one.get, behind)))
    return subscripts, shapes


def values(shape, dtype, seed):
    numbers = np.random.default_rng(seed).integers(0 if dtype.kind in "bu" else -2, 3, shape)
    if dtype.kind == "c":
        return (numbers + 1j * np.roll(numbers, 1)).astype(dtype)
    return numbers.astype(dtype)


@examples(300)
@given(cases(), st.lists(dtypes(), min_size=1, max_size=2), st.data())
def test_einsum(queue, case, kinds, data):
    subscripts, shapes = case
    pairs = [
        laid_out(values(shape, kinds[k % len(kinds)], k), data.draw(layouts(len(shape))), queue)
        for k, shape in enumerate(shapes)
    ]
    hosts, ours = zip(*pairs, strict=True)
    optimize = data.draw(st.sampled_from([True, False, "greedy", "optimal"]))
    # NumPy's optimised products of bools and of 16-bit floats are of other types.
    expected = np.asarray(np.einsum(subscripts, *hosts))
    result = usm.einsum(subscripts, *ours, optimize=optimize)
    assert result.shape == expected.shape and result.dtype == expected.dtype
    np.testing.assert_array_equal(usm.asnumpy(result), expected)
    out = usm.empty(expected.shape, dtype=expected.dtype, sycl_queue=queue)
    assert usm.einsum(subscripts, *ours, out=out, order="C") is out
    np.testing.assert_array_equal(usm.asnumpy(out), expected)
    assert_same(np.einsum(subscripts, *ours), usm.asnumpy(usm.einsum(subscripts, *ours)))


@examples(50)
@given(cases())
def test_lists_of_integers(queue, case):
    subscripts, shapes = case
    hosts = [values(shape, np.dtype("i4"), k) for k, shape in enumerate(shapes)]
    inputs, arrow, result = subscripts.partition("->")

    def numbers(term):
        before, ellipsis, behind = term.partition("...")
        return [*(ord(k) - ord("a") for k in before), *([...] if ellipsis else [])] + [
            ord(k) - ord("a") for k in behind
        ]

    arguments = []
    for x, term in zip(hosts, inputs.split(","), strict=True):
        arguments += [usm.asarray(x, sycl_queue=queue), numbers(term)]
    if arrow:
        arguments.append(numbers(result))
    assert_same(usm.einsum(*arguments), np.asarray(np.einsum(subscripts, *hosts)))
    if "..." not in subscripts:
        arrays = [np.asarray(one, int) if isinstance(one, list) else one for one in arguments]
        assert_same(usm.einsum(*arrays), np.asarray(np.einsum(subscripts, *hosts)))
        arrays[1] = usm.asarray(arrays[1], sycl_queue=queue)
        assert_same(usm.einsum(*arrays), np.asarray(np.einsum(subscripts, *hosts)))


def test_operands_of_the_host(queue):
    x = usm.arange(6, dtype="f4", sycl_queue=queue)
    assert_same(usm.einsum("i,i->", x, np.ones(6, "f4")), np.float32(15) + np.zeros((), "f4"))
    assert_same(usm.einsum(",i", 2, x), np.arange(6, dtype="f4") * 2)
    assert_same(usm.einsum("i,i", [1, 0, 0, 0, 0, 1], x).astype("f4"), np.asarray(5, "f4"))
    with pytest.raises(usm.ExecutionPlacementError, match="einsum"):
        usm.einsum("i,i", [1], np.ones(1))


def test_views(queue):
    x = usm.reshape(usm.arange(9, sycl_queue=queue), (3, 3))
    diagonal = usm.einsum("ii->i", x)
    assert shares_memory(diagonal, x) and shares_memory(usm.einsum("ij->ji", x), x)
    diagonal[...] = 0
    assert not usm.any(usm.linalg.diagonal(x))


def test_dtype_order_and_path(queue):
    host = np.arange(12, dtype="i2").reshape(3, 4)
    x = usm.asarray(host, sycl_queue=queue)
    assert_same(usm.einsum("ij->i", x, dtype="f4"), host.sum(1, dtype="f4"))
    assert usm.einsum("ij,kj->ik", x, x, order="F").flags.f_contiguous
    with pytest.raises(TypeError, match=r"einsum: .* casting is 'safe'"):
        usm.einsum("ij->i", x, dtype="i1")
    assert_same(usm.einsum("ij->i", x, dtype="i1", casting="unsafe"), host.sum(1, dtype="i1"))
    for path in ([(1, 2), (0, 1)], [(0, 1, 2)], [(0, 2)]):
        result = usm.einsum("ij,kj,kl->il", x, x, x, optimize=["einsum_path", *path])
        assert_same(result, np.einsum("ij,kj,kl->il", host, host, host))


def test_arguments_of_numpy(queue):
    x = usm.ones((2, 3), dtype="f4", sycl_queue=queue)
    assert_same(np.einsum("ij->j", x, optimize=True, dtype="f4"), np.full(3, 2, "f4"))
    assert_same(np.einsum(x, [0, 1], [1]), np.full(3, 2, "f4"))
    out = usm.empty(3, dtype="f4", sycl_queue=queue)
    assert np.einsum("ij->j", x, out=out) is out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("i",), "i.*2 letters"),
        (("ijk",), "2 letters"),
        (("i1",), "letters"),
        (("i.j",), "letters"),
        (("i...j...",), "letters"),
        (("i,j",), "1 terms"),
        (("ij->ii",), "'i' once"),
        (("ij->k",), "'k' once"),
        (("ii",), "equal extents for 'i'"),
        (("...j->j",), "an ellipsis in the result"),
        (("ij->j->i",), "one '->'"),
    ],
)
def test_wrong_subscripts(queue, arguments, words):
    with pytest.raises(ValueError, match=f"einsum: .*{words}"):
        usm.einsum(*arguments, usm.ones((2, 3), sycl_queue=queue))


def test_wrong_arguments(queue):
    x = usm.ones((2, 3), sycl_queue=queue)
    with pytest.raises(ValueError, match=r"einsum: .*shapes .*; expected equal extents for 'j'"):
        usm.einsum("ij,jk", x, x)
    with pytest.raises(ValueError, match="einsum: a subscript is 52; expected 0 to 51"):
        usm.einsum(x, [0, 52])
    with pytest.raises(ValueError, match="einsum: subscripts is 'ij'; expected a list"):
        usm.einsum(x, "ij")
    with pytest.raises(TypeError, match="einsum: no subscripts"):
        usm.einsum(x)
    with pytest.raises(ValueError, match="einsum: optimize is 'fast'"):
        usm.einsum("ij,ij,ij", x, x, x, optimize="fast")
    with pytest.raises(ValueError, match=r"einsum: optimize is .* a path"):
        usm.einsum("ij,ij", x, x, optimize=["einsum_path", (0, 2)])
    with pytest.raises(ValueError, match="einsum: out has shape"):
        usm.einsum("ij", x, out=x[0])
    with pytest.raises(TypeError, match="einsum: operand 0 is of type object"):
        usm.einsum("ij,ij", object(), x)
