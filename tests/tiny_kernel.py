"""A kernel that reads wherever it is told, for the tests of the cache."""

from engine.jit import kernel


@kernel
def read(numbers, index):
    return numbers[index]
