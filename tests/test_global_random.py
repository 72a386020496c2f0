"""NumPy's older functions of usmtensor.random: one global stream, and RandomState."""

import copy
import pickle

import numpy as np
import pytest
from checks import assert_same
from library import skip_without_library

import usmtensor as usm
from usmtensor import random

GLOBAL = {
    "beta": (2, 3),
    "binomial": (10, 0.3),
    "bytes": None,
    "chisquare": (3,),
    "choice": (5,),
    "dirichlet": ([1, 2, 3],),
    "exponential": (2,),
    "f": (3, 4),
    "gamma": (2,),
    "geometric": (0.3,),
    "gumbel": (),
    "hypergeometric": (5, 5, 5),
    "laplace": (),
    "logistic": (),
    "lognormal": (),
    "logseries": (0.3,),
    "multinomial": (5, [0.5, 0.5]),
    "multivariate_normal": ([0, 0], [[1, 0], [0, 1]]),
    "negative_binomial": (3, 0.3),
    "noncentral_chisquare": (3, 1),
    "noncentral_f": (3, 4, 1),
    "normal": (1, 2),
    "pareto": (3,),
    "permutation": None,
    "poisson": (3,),
    "power": (3,),
    "rand": None,
    "randint": (2, 9),
    "randn": None,
    "random": (),
    "random_sample": (),
    "rayleigh": (),
    "seed": None,
    "shuffle": None,
    "standard_cauchy": (),
    "standard_exponential": (),
    "standard_gamma": (2,),
    "standard_normal": (),
    "standard_t": (3,),
    "triangular": (0, 1, 2),
    "uniform": (-1, 1),
    "vonmises": (0, 1),
    "wald": (1, 2),
    "weibull": (2,),
    "zipf": (2,),
}


def test_global_functions_are_numpys():
    assert {*GLOBAL} == {*usm.random.__all__} - {"Generator", "RandomState", "default_rng"}
    others = {"get_state", "set_state", "ranf", "sample", "random_integers"}  # these have hints
    old = {name for name in np.random.__all__ if name in dir(np.random.RandomState)} | {"sample"}
    assert old - {*GLOBAL} <= others


@pytest.mark.parametrize("name", [name for name, given in GLOBAL.items() if given is not None])
def test_global_functions_continue_one_stream(name):
    if name == "multivariate_normal":
        skip_without_library(usm.ones(1).sycl_device)
    function, given = getattr(random, name), GLOBAL[name]
    random.seed(5)
    first, second = function(*given, size=(4, 3)), function(*given, size=(4, 3))
    state = random.RandomState(5)
    own = getattr(state, name)
    for found in (first, second):
        assert_same(own(*given, size=(4, 3)), usm.asnumpy(found))
    assert not usm.all(first == second)
    expected = getattr(np.random, name)(*given, size=(4, 3))
    assert first.shape == expected.shape and first.dtype.kind == expected.dtype.kind
    assert function(*given).shape == np.shape(getattr(np.random, name)(*given))


def test_extents_are_arguments():
    random.seed([1, 2])
    state = random.RandomState([1, 2])
    generator = random.default_rng([1, 2])
    for shape in ((), (3,), (2, 3), (2, 0)):
        found = random.rand(*shape)
        assert_same(state.rand(*shape), usm.asnumpy(found))
        assert_same(generator.random(shape), usm.asnumpy(found))
        found = random.randn(*shape)
        assert_same(state.randn(*shape), usm.asnumpy(found))
        assert_same(generator.standard_normal(shape), usm.asnumpy(found))
        found = random.randint(7, size=shape)
        assert_same(state.randint(0, 7, shape), usm.asnumpy(found))
        assert_same(generator.integers(7, size=shape), usm.asnumpy(found))
    assert random.randint(3, size=2, dtype="u1").dtype == "u1"
    assert len(random.bytes(5)) == 5


def test_global_order():
    random.seed(3)
    x, order = usm.arange(9), random.permutation(9)
    random.seed(3)
    random.shuffle(x)
    assert_same(x, usm.asnumpy(order))


def test_global_functions_make_arrays_on_the_default_device():
    queue = usm.SyclQueue()
    random.seed(7)
    first = random.rand(3)
    with usm.default_device(queue):
        second = random.rand(3)
    assert second.sycl_queue == queue != first.sycl_queue
    both = usm.asnumpy(random.RandomState(7).rand(6))
    np.testing.assert_array_equal(np.r_[usm.asnumpy(first), usm.asnumpy(second)], both)


def test_states_are_generators(queue, usm_kind):
    state = random.RandomState(3, queue, usm_kind)
    assert isinstance(state, random.Generator) and "RandomState" in repr(state)
    assert state.rand(2).usm_type == usm_kind and state.rand(2).sycl_queue == queue
    for other in (copy.copy(state), pickle.loads(pickle.dumps(state))):
        assert type(other) is random.RandomState
        assert_same(other.rand(3), usm.asnumpy(copy.copy(state).rand(3)))
    assert {type(one) for one in state.spawn(2)} == {random.RandomState}
    state.seed(3)
    assert_same(state.rand(3), usm.asnumpy(random.RandomState(3).rand(3)))


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: random.seed("a"), TypeError, "seed: .*seed is of type str"),
        (lambda: random.seed(-1), ValueError, "seed: .*seed is -1"),
        (lambda: random.rand(-1), ValueError, "rand: "),
        (lambda: random.rand(2.5), TypeError, "rand: "),
        (lambda: random.randn("a"), TypeError, "randn: "),
        (lambda: random.randint(5, 5), ValueError, "randint: .*high is 5; expected more than 5"),
        (lambda: random.randint(2.5), TypeError, "randint: .*low is of type float"),
        (lambda: random.RandomState(0, 3), TypeError, "queue is of type int"),
        (lambda: random.RandomState(0, usm_type="far"), ValueError, "usm_type is 'far'"),
    ],
)
def test_wrong_arguments_of_the_global_stream(call, error, words):
    with pytest.raises(error, match=words):
        call()
