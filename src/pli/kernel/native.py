"""Replacements for the plain helpers in compiled code: LLVM intrinsics and unsigned arithmetic.

Imported only when something is compiled. Each replacement returns what its plain namesake returns,
which a test compares.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import infer, infer_global, make_overload_template
from numba.extending import intrinsic

from pli.kernel import bits, observation, stream

_INT8, _INT64 = ir.IntType(8), ir.IntType(64)


OPTIONS = {"error_model": "numpy", "no_cfunc_wrapper": True}
"""For all compiled code: no check for a division by zero, which rules avoid, and no C callback."""

ALIGNMENT = 6
"""Every compiled function begins at a multiple of 2**6 bytes, a cache line. Else the length of one
function moves all others, and the same instructions run up to 5% slower."""


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
    """Registers the replacements and sets the alignment, once: LLVM exits if it is set again."""
    binding.set_option("", f"-align-all-functions={ALIGNMENT}")
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
        observation.write_set: _write_set,
        observation.write_zeros: _write_zeros,
        observation.write_row: _write_row,
        observation.write_at_least: _write_at_least,
        observation.same_rows: _same_rows,
        observation.nth_one: _nth_one,
        observation.count_ones: _count_ones,
        observation.raw: lambda array: _raw(array),
    }
    if _has_deposit():
        here[bits.nth] = lambda members, k: _trailing_zeros(_deposit(1 << k, members))
    for plain, made in here.items():
        register(plain, made, inlined=True)


@cache
def _has_deposit() -> bool:
    return bool(binding.get_host_cpu_features().get("bmi2"))


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


# Rows of bytes, eight at a time: an observation is hundreds of them.

_ONES = 0x0101010101010101
_LADDER = 0x8040201008040201
_CARRY = 0x7F7F7F7F7F7F7F7F


@intrinsic
def _raw(context: Any, array: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _start_of(context, builder, array, arguments[0])

    return types.CPointer(types.int8)(array), emit


def _start_of(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    start = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(start, _INT8.as_pointer())


def _words(builder: Any, start: Any, at: Any) -> Any:
    """The address of eight bytes, wherever they begin."""
    return builder.bitcast(builder.gep(start, [at]), _INT64.as_pointer())


@intrinsic
def _store_bits(context: Any, array: Any, at: Any, members: Any) -> Any:
    """The lowest eight bits, a byte each."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _words(builder, arguments[0], arguments[1])
        if _has_deposit():
            pdep = builder.module.declare_intrinsic(
                "llvm.x86.bmi.pdep.64", (), ir.FunctionType(_INT64, [_INT64, _INT64])
            )
            value = builder.call(pdep, [arguments[2], _INT64(_ONES)])
        else:  # of eight copies each keeps one bit, then made 0 or 1
            copies = builder.mul(builder.and_(arguments[2], _INT64(255)), _INT64(_ONES))
            carried = builder.add(builder.and_(copies, _INT64(_LADDER)), _INT64(_CARRY))
            value = builder.and_(builder.lshr(carried, _INT64(7)), _INT64(_ONES))
        builder.store(value, place, align=1)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.uint64), emit


@intrinsic
def _store_zeros(context: Any, array: Any, at: Any, count: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = builder.gep(arguments[0], [arguments[1]])
        cgutils.memset(builder, place, arguments[2], 0)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), emit


@intrinsic
def _store_row(context: Any, array: Any, at: Any, row: Any, count: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = builder.gep(arguments[0], [arguments[1]])
        source = _start_of(context, builder, row, arguments[2])
        cgutils.raw_memcpy(builder, place, source, arguments[3], 1)
        return context.get_dummy_value()

    return types.void(array, types.int64, row, types.int64), emit


@intrinsic
def _load_eight(context: Any, array: Any, at: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _words(builder, arguments[0], arguments[1])
        return builder.load(place, align=1)

    return types.uint64(array, types.int64), emit


def _write_set(out: Any, at: Any, members: Any, count: Any) -> Any:
    left = _u(members)
    if count < 8:
        for i in range(count):
            out[at + i] = types.int64((left >> _u(i)) & _u(1))
        return at + count
    for word in range(count >> 3):
        _store_bits(out, at + 8 * word, left >> _u(8 * word))
    if count & 7:  # the last eight once more, so that nothing behind them is touched
        _store_bits(out, at + count - 8, left >> _u(count - 8))
    return at + count


def _write_zeros(out: Any, at: Any, count: Any) -> Any:
    _store_zeros(out, at, count)
    return at + count


def _write_row(out: Any, at: Any, row: Any, count: Any) -> Any:
    _store_row(out, at, row, count)
    return at + count


def _nth_one(row: Any, at: Any, count: Any, k: Any) -> Any:
    i = 0
    while i + 8 <= count:
        ones = bits.size(types.int64(_load_eight(row, at + i)))
        if k < ones:
            break
        k -= ones
        i += 8
    while True:
        k -= types.int64(row[at + i])
        if k < 0:
            return i
        i += 1


def _count_ones(row: Any, at: Any, count: Any) -> Any:
    ones = 0
    for word in range(count >> 3):
        ones += bits.size(types.int64(_load_eight(row, at + 8 * word)))
    for i in range(count & ~7, count):
        ones += types.int64(row[at + i])
    return ones


def _write_at_least(out: Any, at: Any, row: Any, count: Any, least: Any) -> Any:
    for i in range(_u(count)):  # unsigned: no place is counted from the end
        out[_u(at) + i] = types.int64(row[i]) >= least
    return at + count


def _same_rows(one: Any, other: Any, count: Any) -> Any:
    different = types.int8(0)
    for i in range(_u(count)):
        different |= one[i] ^ other[i]
    return different == 0
