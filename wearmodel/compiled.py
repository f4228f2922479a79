"""Compiled by numba where it is installed, interpreted where it is not: one source for both.

No fast-math, so both give the same numbers to rounding. Numba's own switch ``NUMBA_DISABLE_JIT=1``
forces the interpreted form. Nothing is cached on disk: numba's cache looks at a function's own file
only and would keep an old contact law inside a scheme.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, TypeVar

__all__ = ["compile_if_possible"]

AnyFunction = TypeVar("AnyFunction", bound=Callable[..., Any])


def compile_if_possible(function: AnyFunction) -> AnyFunction:
    """Return `function` compiled on its first call, or as it is without numba.

    Parameters
    ----------
    function
        Plain function of floats, named tuples of floats and indexable buffers; it may call other
        compiled functions, and takes no function as an argument.
    """
    if find_spec("numba") is None:
        return function
    import numba

    compiled: AnyFunction = numba.njit(function)
    return compiled
