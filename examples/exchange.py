"""Exchange with NumPy, torch and dpnp: without a copy where the libraries share memory."""

import importlib.util

import numpy as np

import usmtensor as usm


def with_numpy():
    x = usm.ones((2, 3), dtype="f4", usm_type="shared")
    view = np.asarray(x)  # shared memory is NumPy's memory, too
    view[0] = 5
    return float(usm.sum(x)) == 18


def with_torch():
    import torch

    x = usm.asarray(np.arange(6, dtype="f4"), usm_type="shared")
    tensor = torch.from_numpy(np.asarray(x))  # torch builds for CPUs take host memory
    tensor += 1
    back = usm.asarray(torch.arange(3))  # by DLPack
    return float(usm.sum(x)) == 21 and back.shape == (3,)


def with_dpnp():
    import dpnp

    x = usm.ones(4, dtype="f4")
    theirs = dpnp.from_dlpack(x)
    theirs *= 2
    theirs.sycl_queue.wait()
    return float(usm.sum(usm.asarray(theirs))) == 8


def main():
    print("library  shares its memory")
    for name, check in (("numpy", with_numpy), ("torch", with_torch), ("dpnp", with_dpnp)):
        if importlib.util.find_spec(name) is None:
            print(f"{name:8} is not installed")
            continue
        shared = check()
        print(f"{name:8} {'yes' if shared else 'no'}")
        assert shared


if __name__ == "__main__":
    main()
