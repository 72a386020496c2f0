"""Copies of arrays by the copy module and by pickling."""

import copy
import pickle

import numpy as np
import pytest
from checks import assert_same, shares_memory
from hypothesis import given
from placement import in_order_queue
from strategies import DTYPES, examples, numbered, recipes, skip_without

import usmtensor as usm


@pytest.fixture
def x(queue):
    """Two rows of three, 0 to 5."""
    return usm.asarray(np.arange(6, dtype="i4").reshape(2, 3), sycl_queue=queue)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_pickle(device, queue, usm_kind, dtype, protocol):
    skip_without(device, dtype)
    expected = numbered((3, 4), dtype)
    x = usm.asarray(expected, usm_type=usm_kind, sycl_queue=queue)
    restored = pickle.loads(pickle.dumps(x, protocol))
    assert_same(restored, expected)
    assert restored.usm_type == usm_kind
    assert not shares_memory(restored, x)


@examples(60)
@given(recipe=recipes())
def test_pickle_of_views(queue, recipe):
    expected, x = recipe.pair(queue)
    restored = pickle.loads(pickle.dumps(x))
    assert_same(restored, expected)
    assert restored.usm_data.nbytes <= max(expected.nbytes, x.usm_data.nbytes)


def test_pickle_of_a_small_view_is_small(queue):
    x = usm.zeros((1000, 1000), dtype="i1", sycl_queue=queue)
    assert len(pickle.dumps(x[0, :10])) < 10_000


class Named(usm.usm_ndarray):
    """A subclass with attributes, which a copy and a pickle keep."""

    def __new__(cls, name):
        return super().__new__(cls, (2, 3), "i4", strides=(1, 2))

    def __init__(self, name):
        self.name = [name]
        self.itself = self


def pickled(x):
    return pickle.loads(pickle.dumps(x))


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickled])
def test_copies_of_subclasses(duplicate):
    x = Named("one")
    x[...] = np.arange(6).reshape(2, 3)
    y = duplicate(x)
    assert type(y) is Named and y.name == ["one"]
    assert (y.name is x.name) == (duplicate is copy.copy)
    assert y.itself is (x if duplicate is copy.copy else y)
    assert y._pointer != x._pointer and y.strides == x.strides and y.flags.writable
    assert usm.asnumpy(y).tolist() == usm.asnumpy(x).tolist()
    x.flags.writable = False
    assert duplicate(x).flags.writable == (duplicate is not pickled)
    assert type(x[0]) is type(x + 1) is usm.usm_ndarray


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
@examples(60)
@given(recipe=recipes(broadcast=False))
def test_copy_module(queue, duplicate, recipe):
    expected, x = recipe.pair(queue)
    y = duplicate(x)
    assert_same(y, expected)
    assert y.sycl_queue == queue
    assert y.usm_type == x.usm_type
    assert y.flags.writable
    x[...] = 0
    assert_same(y, expected)


def test_copy_module_keeps_kind_and_queue(device, usm_kind):
    queue = in_order_queue(device)
    x = usm.ones(3, dtype="i4", usm_type=usm_kind, sycl_queue=queue)
    for y in (copy.copy(x), copy.deepcopy(x)):
        assert y.usm_type == usm_kind
        assert y.sycl_queue == queue


def test_deepcopy_memo(x):
    first, second = copy.deepcopy([x, x])
    assert first is second


PUBLIC = [usm, usm.fft, usm.linalg, usm.memory, usm.random, usm.special, usm.utils]


@pytest.mark.parametrize("module", PUBLIC, ids=lambda module: module.__name__)
def test_pickles_of_functions_have_public_paths(module):
    functions = [
        value
        for value in map(vars(module).get, module.__all__)
        if callable(value) and not isinstance(value, type)
    ]
    assert functions
    for function in functions:
        content = pickle.dumps(function)
        assert b"usmtensor._" not in content, content
        assert pickle.loads(content) is function


def test_pickles_of_data_have_public_paths(queue, usm_kind):
    x = usm.ones(3, usm_type=usm_kind, sycl_queue=queue)
    for value in (x, x.usm_data, usm.random.default_rng(1)):
        assert b"usmtensor._" not in pickle.dumps(value)


def test_pickle_of_named_results(queue):
    x = usm.asarray([3, 1, 3], sycl_queue=queue)
    for result in (usm.unique_all(x), usm.unique_counts(x), usm.unique_inverse(x), usm.top_k(x, 2)):
        restored = pickle.loads(pickle.dumps(result))
        assert type(restored) is type(result)
        for one, expected in zip(restored, result, strict=True):
            assert_same(one, usm.asnumpy(expected))
