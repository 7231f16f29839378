"""Ask for memory before it is needed: reading many short lists in random order waits for each one otherwise."""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic


@intrinsic
def prefetch(typingctx: Any, array: Any, index: Any) -> Any:
    """Fetch the cache line of ``array[index]`` (contiguous, unsigned index) for reading; changes no result.

    Unlike a load it does not wait, and an index out of bounds does no harm.
    """

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        pointer = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        form = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [pointer.type], form)
        builder.call(function, [pointer, number(0), number(3), number(1)])  # read, keep, data
        return context.get_dummy_value()

    return types.void(array, types.uint64), codegen
