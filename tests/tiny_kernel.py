"""Small kernels that do as they are told, for the tests of how kernels are compiled and kept."""

from boulanger.engine.packed.jit import bare_kernel, kernel


@kernel
def read(numbers, index):
    return numbers[index]


@bare_kernel
def read_bare(numbers, index):
    return numbers[index]


@bare_kernel
def divide(numbers, by):
    return numbers[0] // by


@bare_kernel
def is_first(numbers, number):
    return numbers[0] == number


@bare_kernel
def split(numbers, by):
    return numbers[0] // by, numbers[0] % by


@bare_kernel(nogil=True)
def wait_for(flag, scratch, most):
    """Goes round until somebody sets the flag, but not for ever: the rounds."""
    count = 0
    while count < most and flag[0] == 0:
        scratch[count % scratch.size] = count
        count += 1
    return count
