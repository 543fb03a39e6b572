"""What compiled code uses in place of the plain helpers: the processor's own instructions.

Imported only when something is compiled. Each must give what its plain namesake gives; a test holds
them against each other.
"""

from functools import cache
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.extending import intrinsic, overload

from pli.kernel import bits, stream

_INT64 = ir.IntType(64)


@cache
def install() -> None:
    """Registers the replacements, once."""
    overload(bits.size)(lambda members: lambda members: _ones(members))
    overload(bits.lowest)(lambda members: lambda members: _trailing_zeros(members))
    overload(bits.highest)(lambda members: lambda members: 63 - _leading_zeros(members))
    overload(bits.select)(
        lambda condition, yes, no: lambda condition, yes, no: _select(condition, yes, no)
    )
    if binding.get_host_cpu_features().get("bmi2"):
        overload(bits.nth)(
            lambda members, k: lambda members, k: _trailing_zeros(_deposit(1 << k, members))
        )
    else:
        overload(bits.nth, strict=False)(lambda members, k: nth_portable)
    overload(stream.mix, strict=False)(lambda x: _mix)
    overload(stream.start, strict=False)(lambda seed, game: _start)
    overload(stream.advance, strict=False)(lambda x: _advance)
    overload(stream.below, strict=False)(lambda x, n: _below)
    overload(stream.below_low, strict=False)(lambda x, n: _below_low)


@intrinsic
def _ones(context: Any, members: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), emit


@intrinsic
def _trailing_zeros(context: Any, members: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), emit


@intrinsic
def _leading_zeros(context: Any, members: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), emit


@intrinsic
def _select(context: Any, condition: Any, yes: Any, no: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.select(*arguments)

    return types.int64(types.boolean, types.int64, types.int64), emit


@intrinsic
def _deposit(context: Any, source: Any, mask: Any) -> Any:
    """x86's PDEP: the bits of `source` laid into the places of `mask`, lowest first."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pdep = builder.module.declare_intrinsic(
            "llvm.x86.bmi.pdep.64", (), ir.FunctionType(_INT64, [_INT64, _INT64])
        )
        return builder.call(pdep, arguments)

    return types.int64(types.int64, types.int64), emit


def nth_portable(members: int, k: int) -> int:
    for _ in range(k):
        members &= members - 1
    return bits.lowest(members)


# Unsigned throughout: mixed with signed numbers Numba would compute in floating point.
_u = types.uint64
_GOLDEN, _MIX_1, _MIX_2 = stream.GOLDEN, stream.MIX_1, stream.MIX_2


def _mix(x: Any) -> Any:
    x = _u(x)
    x = (x ^ (x >> _u(30))) * _u(_MIX_1)
    x = (x ^ (x >> _u(27))) * _u(_MIX_2)
    return x ^ (x >> _u(31))


def _start(seed: Any, game: Any) -> Any:
    return stream.mix(stream.mix(_u(seed)) + _u(game) * _u(_GOLDEN))


def _advance(x: Any) -> Any:
    return _u(x) + _u(_GOLDEN)


def _below(x: Any, n: Any) -> Any:
    return types.int64(((stream.mix(x) >> _u(32)) * _u(n)) >> _u(32))


def _below_low(x: Any, n: Any) -> Any:
    return types.int64(((stream.mix(x) & _u(0xFFFFFFFF)) * _u(n)) >> _u(32))
