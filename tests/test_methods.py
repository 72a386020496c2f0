"""Methods of arrays that are functions of the namespace, and hints at names of other libraries."""

import ast
import importlib
import inspect
import math
import pickle
import re
import subprocess
import sys
from operator import attrgetter

import numpy as np
import pytest
from checks import assert_same
from strategies import skip_without

import usmtensor as usm
from usmtensor._core import hints as _hints
from usmtensor._numpy import methods

FUNCTIONS = [name for name in methods.NAMES if name != "searchsorted"]  # it takes two arrays
ARGUMENTS = {"argpartition": (2,), "astype": ("f8",), "clip": (1, 3), "repeat": (2,)}
ARGUMENTS |= {"choose": ([1, 2],), "dot": (3,), "swapaxes": (0, 1)}


@pytest.fixture
def x(queue):
    return usm.asarray(np.arange(12, dtype="i4").reshape(3, 4), sycl_queue=queue)


@pytest.mark.parametrize("decimals", [0, 1, 2, -1])
@pytest.mark.parametrize("char", "bLefdFD")
def test_round_to_decimals(char, decimals, queue):
    skip_without(queue.sycl_device, char)
    random = np.random.default_rng(5)
    host = random.integers(0, 120, (4, 5)).astype(char)
    if char not in "bL":
        host = (host * random.random((4, 5)) - 20).astype(char)
    x, wanted = usm.asarray(host, sycl_queue=queue)[:, ::-1], host.round(decimals)[:, ::-1]
    assert_same(x.round(decimals), wanted)
    assert_same(np.round(x, decimals), wanted)
    out = usm.empty_like(x)
    assert x.round(decimals, out) is out
    assert_same(out, wanted)
    if char == "f":
        assert_same(usm.fuse(lambda x: x.round(decimals))(x), wanted)
        assert_same(usm.fuse(lambda x: np.round(x, decimals))(x), wanted)
    for bad, error in ((1.5, TypeError), (400, ValueError)):
        if bad == 1.5 or char not in "bL":
            with pytest.raises(error, match="round: decimals"):
                x.round(bad)


def test_decimals_and_deg_may_be_0d_arrays(queue):
    x = usm.asarray([1.26, 2.5], dtype="f4", sycl_queue=queue)
    decimals = usm.asarray(1, sycl_queue=queue)
    assert usm.round(x, decimals).tolist() == usm.round(x, 1).tolist() == x.round(decimals).tolist()
    assert usm.angle(x, decimals > 0).tolist() == [0, 0]
    with pytest.raises(TypeError, match="round: decimals"):
        usm.round(x, x[0])
    out = usm.empty_like(x[0])
    assert usm.round(x[0], out) is out


def test_round_large_integers_and_bools(queue):
    skip_without(queue.sycl_device, "d")
    host = np.array([2**63 + 5000, 2**64 - 3000], "u8")
    assert_same(usm.asarray(host, sycl_queue=queue).round(-3), host.round(-3))
    with pytest.raises(TypeError, match="bool"):
        usm.asarray([True], sycl_queue=queue).round(1)
    x = usm.asarray([[1.26, 2.5]], dtype="f4", sycl_queue=queue)
    assert x.round(1, order="F").tolist() == np.float32([[1.3, 2.5]]).tolist()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_method_is_the_function(x, name):
    arguments = ARGUMENTS.get(name, ())
    if name == "choose":
        x = x % 2
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
    with pytest.raises(TypeError, match=method.__name__):
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
        member.__get__([1], list)()


# --- hints ---------------------------------------------------------------------------------------


def names_in(text):
    return re.findall(r"usmtensor\.(\w+)", text)


TABLES = {
    "usmtensor": _hints.FUNCTIONS,
    "usmtensor.random": _hints.RANDOM,
}
PLACEHOLDERS = {"mask", "value", "values", "file", "seed", "size", "start", "stop", "low", "high"}
PLACEHOLDERS |= {"axes", "contextlib", "device", "indices", "offset", "shape", "strides"}
PLACEHOLDERS |= set("xyabcn")


@pytest.mark.any_memory
@pytest.mark.parametrize(
    "module, name", [(module, name) for module, hints in TABLES.items() for name in hints]
)
def test_hints_of_functions(module, name):
    owner, hint = importlib.import_module(module), TABLES[module][name]
    if name in owner.__all__:
        pytest.skip("a hint for another module")
    with pytest.raises(AttributeError, match=f"'{module}' has no attribute '{name}': ") as caught:
        getattr(owner, name)
    assert caught.value.name == name and str(caught.value).endswith((f"it {hint}", f"write {hint}"))
    assert not hasattr(owner, name)
    known = vars(usm) | {"numpy": np, "random": usm.random, "linalg": usm.linalg, "fft": usm.fft}
    known["special"] = usm.special
    for part in hint.split(" or "):
        names = {node.id for node in ast.walk(ast.parse(part)) if isinstance(node, ast.Name)}
        assert names - PLACEHOLDERS <= set(known)
    for own in re.findall(r"\b((?:linalg|fft)\.\w+)", hint):
        assert attrgetter(own)(usm)


@pytest.mark.parametrize("name", [name for name in _hints.FUNCTIONS if hasattr(np, name)])
def test_hints_give_numpys_results(name):
    """Hints that are expressions of x alone, or of x and y."""
    hint = _hints.FUNCTIONS[name]
    code = compile(hint.partition(" or ")[0], name, "exec" if "] = " in hint else "eval")
    if not {"x"} <= set(code.co_names) <= {"x", "y"} | set(vars(usm)) or re.search("order|@", hint):
        pytest.skip("a name, or an expression of other arguments")
    x = np.asarray([1.0, np.inf, 1.5])
    y = np.asarray([2.0, 5.0, 1.5])
    operands = [x, y] if "y" in code.co_names else [x]
    found = eval(code, {**vars(usm), "x": usm.asarray(x), "y": usm.asarray(y)})
    expected = getattr(np, name)(*operands)
    found = usm.asnumpy(found) if isinstance(found, usm.usm_ndarray) else found
    np.testing.assert_allclose(found, expected, rtol=1e-15)


@pytest.mark.parametrize("module, library", [(usm, np), (usm.linalg, np.linalg)])
def test_functions_of_numpy_without_an_equal(module, library):
    """Each other name of NumPy has a hint: functions of arrays take a copy on the host."""
    others = [name for name in library.__all__ if not hasattr(module, name)]
    assert len(others) > 5 or module is usm.linalg
    for name in others:
        with pytest.raises(AttributeError, match=f"'{name}': (usmtensor calls|write|call) "):
            getattr(module, name)


@pytest.mark.parametrize("name", ["show_config", "datetime64", "testing"])
def test_names_that_concern_numpy_alone(name):
    with pytest.raises(AttributeError, match=f"'{name}': write numpy.{name}$"):
        getattr(usm, name)


@pytest.mark.parametrize("name", ["erf", "tgamma", "lgamma", "softmax", "log_softmax"])
def test_hints_for_functions_of_other_libraries(name):
    x = np.linspace(-2, 2, 6).reshape(2, 3) + 2.5
    wanted = {
        "erf": np.vectorize(math.erf),
        "tgamma": np.vectorize(math.gamma),
        "lgamma": np.vectorize(math.lgamma),
        "softmax": lambda x: np.exp(x) / np.sum(np.exp(x)),
        "log_softmax": lambda x: x - np.log(np.sum(np.exp(x))),
    }
    found = eval(_hints.FUNCTIONS[name], vars(usm))(usm.asarray(x))
    np.testing.assert_allclose(usm.asnumpy(found), wanted[name](x), rtol=1e-13, atol=1e-13)


def test_import_without_docstrings():
    """`python -OO` removes docstrings; the tables of hints are none."""
    code = "import usmtensor, usmtensor.random; assert not hasattr(usmtensor, 'unsqueeze')"
    subprocess.run([sys.executable, "-OO", "-c", code + "; usmtensor.sin.__doc__"], check=True)


def test_completion():
    for module in (usm, usm.linalg, usm.fft, usm.random, usm.memory, usm.utils):
        assert dir(module) == sorted(module.__all__)


def test_hints_of_methods_of_generators():
    for name, _ in inspect.getmembers(np.random.Generator, callable):
        if name not in {*_hints.RANDOM, *usm.random.__all__} and name[0] != "_":
            with pytest.raises(AttributeError) as caught:
                getattr(usm.random, name)
            assert str(caught.value).endswith(f"write random.default_rng(seed).{name}")
    for name in ("mro", "__call__", "bit_generator"):
        with pytest.raises(AttributeError, match=r"has no attribute '[a-z_]+'$"):
            getattr(usm.random, name)


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


def test_hints_of_ufunc_methods():
    for name in ("reduce", "accumulate", "outer", "at", "reduceat"):
        with pytest.raises(AttributeError, match=f"has no attribute '{name}': (write|usm)"):
            getattr(usm.sqrt, name)
    with pytest.raises(AttributeError, match=r"has no attribute 'nothing'$"):
        usm.sqrt.nothing  # noqa: B018


def test_hints_for_numpys_functions(x):
    with pytest.raises(TypeError, match=r"the ufunc sqrt.at: .* write sum, prod"):
        np.sqrt.at(x, [0])


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


def test_dir_of_arrays_shows_public_names(x):
    assert [name for name in dir(x) if name[0] == "_" and not name.endswith("__")] == []
    assert "__pyx_vtable__" not in dir(x)
    assert {"sum", "T", "usm_data", "__array_namespace__"} <= set(dir(x))


def test_flags_by_their_name_in_numpy(x):
    x.flags.writeable = False
    assert not x.flags.writable and not x.flags["WRITEABLE"]
    x.setflags(write=True)
    assert x.flags.writeable
    x.flags["WRITEABLE"] = False
    x.setflags(align=True, uic=False)
    assert not x.flags.writable
    with pytest.raises(ValueError, match="setflags: align is False; expected True"):
        x.setflags(align=False)
    with pytest.raises(ValueError, match="setflags: uic is True; expected False"):
        x.setflags(uic=True)


@pytest.mark.parametrize(
    "view", [lambda x: x, lambda x: x.T, lambda x: x[:, ::-2], lambda x: x[0, 0, ...]]
)
@pytest.mark.parametrize(
    "key, value",
    [(0, 9), (-1, 5), (slice(None, None, 2), 7), (slice(None), [1, 2]), (..., [3, 4, 5])],
)
def test_flat(view, key, value):
    host = np.arange(12).reshape(3, 4)
    ours = view(x := usm.asarray(host))
    theirs = view(host)
    assert len(ours.flat) == len(theirs.flat)
    assert [int(one) for one in ours.flat] == list(theirs.flat)
    if key is ...:
        ours.flat, theirs.flat = value, value
    else:
        np.testing.assert_array_equal(usm.asnumpy(ours.flat[key]), theirs.flat[key])
        ours.flat[key], theirs.flat[key] = value, value
    np.testing.assert_array_equal(usm.asnumpy(x), host)


def test_flat_gives_copies(x):
    elements = x.flat
    assert elements.base is x and repr(elements) == f"{x!r}.flat"
    elements[:2][...] = 99
    elements.copy()[...] = 99
    assert 99 not in usm.asnumpy(x)
    with pytest.raises(IndexError):
        elements[x.size]
    with pytest.raises(AttributeError):
        elements.base = x


def test_classes_in_annotations():
    assert usm.ndarray[tuple, usm.float32].__origin__ is usm.usm_ndarray


def test_dir_shows_public_names():
    assert dir(usm) == sorted(usm.__all__)


def test_descriptors(queue):
    """The interpreter calls the descriptor of a method with the array before the arguments."""
    x = usm.arange(6, sycl_queue=queue)
    descriptor = vars(usm.usm_ndarray)["sum"]
    assert int(descriptor(x)) == int(x.sum()) == int(descriptor.__get__(x, None)()) == 15
    for arguments in ((), (3,), (None,), ("x", x)):
        with pytest.raises(TypeError, match="sum"):
            descriptor(*arguments)
    with pytest.raises(TypeError, match="sum"):
        x.sum(unknown=1)


@pytest.mark.parametrize("kind", [None, "stable", "quicksort"])
def test_sort_takes_the_keywords_of_numpy(queue, kind):
    values = np.asarray([[3, 1], [2, 4]])
    x = usm.asarray(values, sycl_queue=queue)
    x.sort(0, kind)
    values.sort(0, kind)
    assert_same(x, values)
    x.sort(descending=True)
    assert x.tolist() == [[2, 1], [4, 3]]
    with pytest.raises(TypeError, match=r"^sort: axis is of type NoneType"):
        x.sort(axis=None)


@pytest.mark.parametrize("mode", ["wrap", "clip"])
def test_put_takes_a_mode(queue, mode):
    x = usm.zeros((2, 3), sycl_queue=queue).T
    x.put([9, 1, -1], [1, 2, 3], mode)
    assert x.tolist() == [[0 if mode == "wrap" else 3, 2], [0, 0], [0, 3 if mode == "wrap" else 1]]
    with pytest.raises(IndexError):
        x.put([9], 1)


@pytest.mark.parametrize("dtype", ["S", "U", "V", "S8", "O", "M8[s]"])
def test_views_have_types_of_numbers(dtype, queue):
    x = usm.ones(4, sycl_queue=queue)
    with pytest.raises(TypeError, match=r"^view: dtype is .*, which arrays cannot have"):
        x.view(dtype)
