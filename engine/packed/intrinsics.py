"""The operations of `engine.packed.bits` for Numba, as LLVM has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_FALSE = ir.Constant(ir.IntType(1), 0)


def _count_signature(word: Any) -> Any:
    """`int64(uint64)`; a signed word is refused, since a mask that turned signed is a mistake."""
    return types.int64(types.uint64) if word == types.uint64 else None


@intrinsic
def popcount(typingctx: Any, word: Any) -> tuple[Any, Callable[..., Any]] | None:
    """How many bits of a uint64 are set, as int64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    signature = _count_signature(word)
    return (signature, generate) if signature else None


@intrinsic
def lowest_bit(typingctx: Any, word: Any) -> tuple[Any, Callable[..., Any]] | None:
    """The index of the lowest set bit of a uint64, as int64; 64 if there is none."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], _FALSE)

    signature = _count_signature(word)
    return (signature, generate) if signature else None


@intrinsic
def highest_bit(typingctx: Any, word: Any) -> tuple[Any, Callable[..., Any]] | None:
    """The index of the highest set bit of a uint64, as int64; -1 if there is none."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        leading = builder.ctlz(arguments[0], _FALSE)
        return builder.sub(ir.Constant(ir.IntType(64), 63), leading)

    signature = _count_signature(word)
    return (signature, generate) if signature else None


@intrinsic
def multiply_high(typingctx: Any, a: Any, b: Any) -> tuple[Any, Callable[..., Any]] | None:
    """The high 64 of the 128 bits of a product of two uint64, as uint64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        double = ir.IntType(128)
        first, second = (builder.zext(argument, double) for argument in arguments)
        product = builder.mul(first, second)
        return builder.trunc(builder.lshr(product, ir.Constant(double, 64)), ir.IntType(64))

    if a == types.uint64 and b == types.uint64:
        return types.uint64(types.uint64, types.uint64), generate
    return None
