"""A kernel that reads wherever it is told, for the tests of the cache."""

from boulanger.engine.packed.jit import kernel


@kernel
def read(numbers, index):
    return numbers[index]
