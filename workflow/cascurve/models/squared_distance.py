"""‖a - b‖² of two rows of a float32 matrix, several coordinates at a time, with the same bits on every processor.

A sum in one fixed order waits for each addition, and numba keeps that order unless it may choose any (fast-math), which
then differs by processor. So the sum is split into `LANES` partial sums, written as operations on vectors of so many
numbers. Where a processor has shorter vectors the compiler takes several of them, to the same result.
"""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

LANES = 8
"""Partial sums; the rows' length is a multiple of it."""

HALVES = ([0, 1, 2, 3], [4, 5, 6, 7]), ([0, 1], [2, 3]), ([0], [1])
"""How the partial sums are added: halves to halves, ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))."""


@intrinsic
def squared_distance(typing_context: Any, points: Any, a: Any, b: Any) -> Any:
    """‖points[a] - points[b]‖² of a C-contiguous float32 matrix whose rows have a multiple of `LANES` numbers.

    Rows are not checked, nor may they be negative.
    """
    matrix = isinstance(points, types.Array) and points.ndim == 2 and points.layout == "C"
    if not (matrix and points.dtype == types.float32 and isinstance(a, types.Integer) and isinstance(b, types.Integer)):
        return None  # numba says that there is no such function for these types
    return types.float32(points, types.uint64, types.uint64), _generate


def _generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The function's instructions."""
    number, word = ir.FloatType(), ir.IntType(64)
    vector = ir.VectorType(number, LANES)
    matrix = context.make_array(signature.args[0])(context, builder, arguments[0])
    width = cgutils.unpack_tuple(builder, matrix.shape)[1]
    starts = [builder.gep(matrix.data, [builder.mul(row, width)]) for row in arguments[1:]]
    total = cgutils.alloca_once_value(builder, ir.Constant(vector, None))
    lanes = ir.Constant(word, LANES)
    with cgutils.for_range(builder, builder.udiv(width, lanes)) as loop:
        place = builder.mul(loop.index, lanes)
        there, here = (
            builder.load(builder.bitcast(builder.gep(start, [place]), vector.as_pointer()), align=4, typ=vector)
            for start in starts
        )
        apart = builder.fsub(there, here)
        builder.store(builder.fadd(builder.load(total), builder.fmul(apart, apart)), total)
    sums = builder.load(total)
    for low, high in HALVES:
        parts = [
            builder.shuffle_vector(sums, ir.Constant(sums.type, ir.Undefined), _mask(half)) for half in (low, high)
        ]
        sums = builder.fadd(*parts)
    return builder.extract_element(sums, ir.Constant(ir.IntType(32), 0))


def _mask(places: list[int]) -> Any:
    return ir.Constant(ir.VectorType(ir.IntType(32), len(places)), places)
