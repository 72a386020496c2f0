"""A launch compiles only with the operands and scalars of its row."""

import argparse
import subprocess

HEAD = """
#include "ops/launch.hpp"
using namespace usmtensor;
void launch(const Queue &queue, IterationSpace &space, const Operand &x, std::int64_t n) {
"""
RIGHT = "run(queue, kernels::add_digit(), space, {x, x, x}, %s);"
SCALARS = "{.inner = n, .extent = n, .stride = n, .is_first = true}"
COMPILES = [
    RIGHT % SCALARS,
    "run(queue, kernels::count_true(), space, {x, x}, {});",
]
REFUSED = {
    "an operand too few": (RIGHT % SCALARS).replace("{x, x, x}", "{x, x}"),
    "an operand too many": "run(queue, kernels::count_true(), space, {x, x, x}, {});",
    "scalars of another row": RIGHT % "kernels::OutsideRangeScalars{}",
    "an unknown scalar": RIGHT % "{.inner = n, .outer = n}",
    "another order": RIGHT % "{.extent = n, .inner = n, .stride = n, .is_first = true}",
    "a number that may not fit": RIGHT % "{.inner = n, .extent = n, .stride = n, .is_first = n}",
    "a pointer": RIGHT % "{.inner = &n}",
    "types for a row without": "run(queue, kernels::count_true(DType::bool8), space, {x, x}, {});",
    "a scalar for a row without": "run(queue, kernels::count_true(), space, {x, x}, {n});",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("options", nargs="+")
    options = parser.parse_args()

    def compile_launch(statement):
        command = [options.compiler, *options.options, "-std=gnu++17", "-fsyntax-only"]
        return subprocess.run(
            [*command, "-Werror=narrowing", "-xc++", "-"],
            input=f"{HEAD}{statement}\n}}\n",
            capture_output=True,
            text=True,
            check=False,
        )

    for statement in COMPILES:
        done = compile_launch(statement)
        assert done.returncode == 0, done.stderr
    for name, statement in REFUSED.items():
        done = compile_launch(statement)
        assert done.returncode != 0 and "error: " in done.stderr, (name, done)


if __name__ == "__main__":
    main()
