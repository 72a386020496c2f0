"""Methods of arrays that are functions of the namespace, and hints at names of other libraries."""

import inspect
import pickle
import re
from operator import attrgetter

import numpy as np
import pytest
from checks import assert_same

import usmtensor as usm
from usmtensor import _hints, _methods

FUNCTIONS = [name for name in _methods.NAMES if hasattr(usm, name)]
ARGUMENTS = {"astype": ("f8",), "clip": (1, 3), "repeat": (2,)}


@pytest.fixture
def x(queue):
    return usm.asarray(np.arange(12, dtype="i4").reshape(3, 4), sycl_queue=queue)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_method_is_the_function(x, name):
    arguments = ARGUMENTS.get(name, ())
    expected = getattr(usm, name)(x, *arguments)
    result = getattr(x, name)(*arguments)
    if name == "nonzero":
        (result, _), (expected, _) = result, expected
    assert_same(result, usm.asnumpy(expected))
    method = getattr(usm.usm_ndarray, name)
    assert method is getattr(usm, name)
    bound = getattr(x, name)
    assert bound.__self__ is x and bound.__doc__ == method.__doc__
    parameters = list(inspect.signature(method).parameters.values())[1:]
    assert list(inspect.signature(bound).parameters.values()) == parameters
    with pytest.raises(TypeError, match=name):
        bound(no_such_keyword=1)


@pytest.mark.parametrize("name", sorted({"all", "any", "max", "mean", "min", "prod", "sum"}))
def test_reductions(x, name):
    host = usm.asnumpy(x)
    for arguments, keywords in (((), {}), ((0,), {}), ((), {"axis": 1, "keepdims": True})):
        result = usm.asnumpy(getattr(x, name)(*arguments, **keywords))
        np.testing.assert_array_equal(result, getattr(host, name)(*arguments, **keywords))


def test_shapes(x):
    host = usm.asnumpy(x)
    for shape in ((2, -1), ((4, 3),), (12,), ([6, 2],)):
        assert_same(x.reshape(*shape), host.reshape(*shape))
    assert_same(x.reshape(4, -1, order="F"), host.reshape(4, -1, order="F"))
    assert_same(x.T.ravel(), host.T.ravel())
    assert_same(x.flatten("F"), host.flatten("F"))
    view, copy = x.ravel(), x.flatten()
    x[0, 0] = 7
    assert int(view[0]) == 7 and int(copy[0]) == 0
    with pytest.raises(ValueError, match="reshape"):
        x.reshape(5, 5)
    assert_same(x[0, 0].reshape(1), usm.asnumpy(x[0, 0]).reshape(1))


def test_subclasses_have_them(queue):
    class Mine(usm.usm_ndarray):
        def sum(self):
            return "mine"

    x = Mine((3,), dtype="i4", buffer_ctor_kwargs={"queue": queue})
    x[...] = 2
    assert x.sum() == "mine" and int(x.max()) == 2


def test_strangers_are_refused():
    member = inspect.getattr_static(usm.usm_ndarray, "sum")
    with pytest.raises(TypeError, match="usm_ndarray"):
        member.__get__([1], list)


# --- hints ---------------------------------------------------------------------------------------


def names_in(text):
    return re.findall(r"usmtensor\.(\w+)", text)


@pytest.mark.parametrize("name", _hints.FUNCTIONS)
def test_hints_of_functions(name):
    hint = _hints.FUNCTIONS[name]
    with pytest.raises(AttributeError, match="usmtensor calls it ") as caught:
        getattr(usm, name)
    assert caught.value.name == name and str(caught.value).endswith(f"calls it {hint}")
    assert not hasattr(usm, name)
    for own in re.sub(r"\(.*?\)", "", hint).split(" or "):
        assert attrgetter(own)(usm)


@pytest.mark.parametrize("name", _hints.METHODS)
def test_hints_of_methods(x, name):
    hint = _hints.METHODS[name]
    with pytest.raises(AttributeError, match="write ") as caught:
        getattr(x, name)
    assert str(caught.value).endswith(f"write {hint}")
    for own in names_in(hint):
        assert hasattr(usm, own)


def test_hints_name_no_existing_function(x):
    assert not [name for name in _hints.FUNCTIONS if name in usm.__all__]
    assert not [name for name in _hints.METHODS if name in dir(usm.usm_ndarray)]


def test_unknown_names(x):
    with pytest.raises(AttributeError, match=r"module 'usmtensor' has no attribute 'nothing'$"):
        getattr(usm, "nothing")  # noqa: B009
    with pytest.raises(AttributeError, match=r"'usm_ndarray' object has no attribute 'nothing'$"):
        getattr(x, "nothing")  # noqa: B009
    with pytest.raises(AttributeError):
        x.nothing = 1
    with pytest.raises(ImportError):
        from usmtensor import nothing  # noqa: F401
    assert pickle.loads(pickle.dumps(x)).shape == x.shape


def test_flags_by_their_name_in_numpy(x):
    with pytest.raises(AttributeError, match="usmtensor calls it writable"):
        getattr(x.flags, "writeable")  # noqa: B009
    with pytest.raises(AttributeError, match="usmtensor calls it writable"):
        x.flags.writeable = False
    assert x.flags.writable


def test_dir_shows_public_names():
    assert dir(usm) == sorted(usm.__all__)
