"""The compiled kernels: the precisions, alignments and roundings that they need on a device."""

import collections
import struct

import pytest

from usmtensor import _hooks

pytestmark = [pytest.mark.any_memory, pytest.mark.tier("device")]  # commands reach a queue

# Numbers of SPIR-V's instructions, capabilities and so on.
EXECUTION_MODE, CAPABILITY, POINTER, DECORATE = 16, 17, 32, 71
SCALARS, VECTOR = {21, 22}, 23
FUNCTION, PARAMETER, CALL, VARIABLE, LOAD, STORE, COPY = 54, 55, 57, 59, 61, 62, 64
MOVES = {65, 66, 67, 70, 117, 120, 121, 122, 123, 124}  # pass an address on: casts, steps
ADD, SUBTRACT, SELECT, PHI = 128, 130, 169, 245
FLOAT_ADD, FLOAT_SUBTRACT, FLOAT_MULTIPLY, EXTENDED = 129, 131, 133, 12
FLOAT16, FLOAT64 = 8, 10  # the first is Float16Buffer, which the translator declares for any half
CONTRACTION_OFF = 31
FAST_MATH, NOT_NAN = 40, 1
FMA, MAD = 26, 42
ALIGNED, NON_TEMPORAL = 2, 4
STACK = 7  # a storage class
CONSTANT = 43
ELEMENTS, MEMBERS = {67, 70}, {65, 66}  # steps into arrays, into the object at an address

ALIGNMENTS = {"b1": 1, "f2": 2, "c8": 4, "c16": 8, "w16": 8}


@pytest.fixture(scope="module")
def kernels():
    return {name: list(instructions(module)) for name, module in _hooks.kernels()}


def instructions(module):
    """Pairs of an instruction and its operands."""
    words = struct.unpack(f"<{len(module) // 4}I", module)
    at = 5
    while at < len(words):
        length = words[at] >> 16
        yield words[at] & 0xFFFF, words[at + 1 : at + length]
        at += length


def element_types(name):
    """The types of a kernel's operands, the output's first, as in its parameters."""
    words = name.split("_")[1:]  # without "i0", a Bessel function
    *inputs, output = [word for word in words if word[1:].isdigit()]
    return [output, *inputs]


def test_precision(kernels):
    seen, wrong = set(), []
    for name, code in kernels.items():
        if "_choice_" in name:  # of several types, for CPUs, which have both precisions
            continue
        types = set(element_types(name))
        declared = {operands[0] for opcode, operands in code if opcode == CAPABILITY}
        seen |= declared
        if FLOAT64 in declared and types.isdisjoint({"f8", "c16"}):
            wrong.append(name)
        if FLOAT16 in declared and "f2" not in types:
            wrong.append(name)
    assert {FLOAT16, FLOAT64} <= seen
    assert not wrong


def explicit_fma(name):
    """True for kernels whose source may call fma: those of complex numbers."""
    return "_c" in name


@pytest.mark.quirk("contraction")
def test_every_operation_rounds_by_itself(kernels):
    """No multiplication and addition may become one, on any device."""
    modes = 0
    for name, code in kernels.items():
        used = {opcode for opcode, _ in code}
        off = any(
            operands[1] == CONTRACTION_OFF for opcode, operands in code if opcode == EXECUTION_MODE
        )
        flags = {o[2] for opcode, o in code if opcode == DECORATE and o[1] == FAST_MATH}
        called = {operands[3] for opcode, operands in code if opcode == EXTENDED}
        assert flags <= {NOT_NAN}, name
        assert MAD not in called, name
        if not explicit_fma(name):
            assert FMA not in called, name
        if FLOAT_MULTIPLY in used and used & {FLOAT_ADD, FLOAT_SUBTRACT}:
            assert off, name
            modes += 1
    assert modes > 100


class Accesses:
    """Reads and writes of memory, each with the origin of its address."""

    def __init__(self, code):
        self.sources = collections.defaultdict(set)  # of an address: other addresses
        self.types = {}  # of addresses
        self.scalars, self.pointers, self.found = {}, {}, []
        self.on_stack = set()
        self.steps, constants = {}, {}
        stored, loaded = [], []  # pairs of an address and a value
        parameters = collections.defaultdict(list)  # of functions
        function = None
        for opcode, operands in code:
            first, second = [*operands, None, None][:2]
            if opcode in SCALARS:
                self.scalars[first] = operands[1] // 8
            elif opcode == VECTOR and second in self.scalars:  # none of truth values
                self.scalars[first] = self.scalars[second]
            elif opcode == POINTER:
                self.pointers[first] = operands[1:]
            elif opcode == FUNCTION:
                function = second
            elif opcode == CONSTANT:
                constants[second] = operands[2]
            elif opcode in (LOAD, CALL, PARAMETER, VARIABLE, SELECT, PHI, *MOVES):
                self.types[second] = first
            if opcode == PARAMETER:
                parameters[function].append(second)
            elif opcode == VARIABLE:
                self.on_stack.add(second)
            elif opcode in MOVES or opcode == SUBTRACT:
                self.sources[second].add(operands[2])
                if opcode in ELEMENTS | MEMBERS:
                    self.steps[second] = tuple(constants.get(o, o) for o in operands[3:])
            elif opcode in (ADD, SELECT):
                self.sources[second] |= set(operands[-2:])
            elif opcode == PHI:
                self.sources[second] |= set(operands[2::2])
            elif opcode == LOAD:
                self.found.append((LOAD, operands[2], *operands[3:]))
                loaded.append((operands[2], second))
            elif opcode == STORE:
                self.found.append((STORE, first, *operands[2:]))
                stored.append((first, second))
            elif opcode == COPY:
                self.found += [(COPY, address, *operands[3:]) for address in (first, second)]
        for opcode, operands in code:
            if opcode == CALL:
                for parameter, value in zip(parameters[operands[2]], operands[3:], strict=True):
                    self.sources[parameter].add(value)
        self.operands = next(iter(parameters.values()))  # of the kernel, which comes first
        # Addresses on the stack, such as the captures of lambdas.
        kept = collections.defaultdict(set)
        for address, value in stored:
            if self.types.get(value) in self.pointers:
                for place in self.places(address):
                    kept[place].add(value)
        for address, value in loaded:
            if self.types[value] in self.pointers:
                for place in self.places(address):
                    self.sources[value] |= kept[place]

    def places(self, address):
        """Pairs of a variable on the stack and the steps from its start, without steps of 0."""
        if address in self.on_stack:
            return {(address, ())}
        steps = [step for step in enumerate(self.steps.get(address, ())) if step[1]]
        return {
            (variable, (*way, *steps))
            for source in self.sources[address]
            for variable, way in self.places(source)
        }

    def origins(self, address):
        seen, left = set(), [address]
        while left:
            address = left.pop()
            if address not in seen:
                seen.add(address)
                left += self.sources[address]
        return seen

    def is_stack(self, address):
        storage, _ = self.pointers.get(self.types.get(address), (None, None))
        return storage == STACK or address in self.on_stack

    def too_aligned(self, name):
        """Accesses that need more than the alignment of an element."""
        sizes = [ALIGNMENTS.get(t) or int(t[1:]) for t in element_types(name)]
        limits = dict(zip(self.operands, sizes, strict=False))
        for opcode, address, *rest in self.found:
            flags, alignment = [*rest, 0, 0][:2]
            if opcode != COPY and flags & NON_TEMPORAL:  # these check the address first
                continue
            origins = self.origins(address)
            if any(map(self.is_stack, origins)):
                continue
            limit = [limits[origin] for origin in origins if origin in limits]
            scalar = self.scalars.get(self.pointers[self.types[address]][1])
            if opcode != COPY and scalar:
                limit.append(scalar)
            if limit and not (flags & ALIGNED and alignment <= min(limit)):
                yield opcode, alignment, limit


@pytest.mark.quirk("copied-alignment")
def test_alignment(kernels):
    found, wrong = 0, {}
    for name, code in kernels.items():
        accesses = Accesses(code)
        found += len(accesses.found)
        if bad := list(accesses.too_aligned(name)):
            wrong[name] = bad
    assert found > 10_000
    assert not wrong
