"""Replacements for the plain helpers in compiled code: LLVM intrinsics and unsigned arithmetic.

Imported only when something is compiled. Each replacement returns what its plain namesake returns,
which a test compares.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core.typing.templates import infer, infer_global, make_overload_template
from numba.extending import intrinsic

from pli.kernel import bits, stream

_INT64 = ir.IntType(64)


OPTIONS = {"error_model": "numpy", "no_cfunc_wrapper": True}
"""For all compiled code: no check for a division by zero, which rules avoid, and no C callback."""


def register(function: Callable[..., object], made: Callable[..., Any], inlined: bool) -> None:
    """Registers `made` as what compiled code runs when it calls `function`.

    This is Numba's `overload` with one difference. Numba compiles an overload again for every width
    of its integer arguments; here all integers are widened to 64 bits first, so once is enough.
    """
    options = {"nopython": True, "no_cpython_wrapper": True, "forceinline": inlined, **OPTIONS}
    template = make_overload_template(function, lambda *given: made, options, False, "never")
    template._get_impl = _widened
    infer(template)
    infer_global(function, types.Function(template))


def _widened(template: Any, given: Any, named: Any) -> Any:
    wide = tuple(
        types.int64 if t in types.signed_domain else t for t in map(types.unliteral, given)
    )
    key = template.context, wide
    return template._impl_cache.get(key) or template._build_impl(key, wide, named)


@cache
def install() -> None:
    """Registers the replacements, once."""
    here: dict[Callable[..., object], Callable[..., Any]] = {
        bits.size: lambda members: _ones(members),
        bits.lowest: lambda members: _trailing_zeros(members),
        bits.highest: lambda members: 63 - _leading_zeros(members),
        bits.select: lambda condition, yes, no: _select(condition, yes, no),
        bits.nth: nth_portable,
        stream.mix: _mix,
        stream.start: _start,
        stream.advance: _advance,
        stream.below: _below,
        stream.below_low: _below_low,
    }
    if binding.get_host_cpu_features().get("bmi2"):
        here[bits.nth] = lambda members, k: _trailing_zeros(_deposit(1 << k, members))
    for plain, made in here.items():
        register(plain, made, inlined=True)


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
    """x86's PDEP: deposits the bits of `source` at the positions set in `mask`, lowest first."""

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
