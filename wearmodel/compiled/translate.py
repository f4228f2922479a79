"""The kernel as C++: its modules lowered and joined to one, translated by Pythran."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from .build_cache import kept
from .lowering import lowered_kernel
from .tool_process import run_tool

NAMESPACE = "wear_kernel"
"""Name of the translated module; `kernel_rows.hpp` includes its header by it."""

# The passes of Pythran's own optimiser that may run; clang does the rest. Its RangeBasedSimplify
# (0.19.0) takes the later branches of a chain `if e == 1 or e == 2: … elif e == 5: …` for dead.
_PASSES = ("RemoveDeadFunctions",)


def joined_kernel(exports: Sequence[str], modules: Sequence[str]) -> str:
    """Modules of the kernel, and those that they import, as one module that Pythran accepts.

    Parameters
    ----------
    exports
        Functions that are called from outside, with the types of their arguments, as Pythran's
        comments name them.
    modules
        Names of the kernel's modules that hold these functions.
    """
    lines = [f"#pythran export {export}" for export in exports]
    return "\n".join([*lines, lowered_kernel(modules)])


def translate_kernel(exports: Sequence[str], modules: Sequence[str], folder: Path) -> Path:
    """Write the kernel of `joined_kernel` as C++ into `folder`; return the header's path.

    Raises
    ------
    RuntimeError
        Pythran does not accept the kernel; the message is its own.
    """
    text = joined_kernel(exports, modules)
    made_from = (version("pythran"), sys.version, *_PASSES, text)
    header = folder / f"{NAMESPACE}.hpp"
    header.write_bytes(
        kept("kernel", (part.encode() for part in made_from), lambda: _translated(text, folder))
    )
    return header


def _translated(text: str, folder: Path) -> bytes:
    source = folder / f"{NAMESPACE}.py"
    header = folder / f"{NAMESPACE}.hpp"
    source.write_text(text, encoding="utf-8")
    command = ["-m", "pythran.run", "-e", source.name, "-o", header.name]
    command += [flag for name in _PASSES for flag in ("-p", name)]
    code, output, errors = run_tool(command, folder)
    if code != 0 or not header.is_file():
        raise RuntimeError(f"Pythran does not accept the kernel:\n{output}{errors}")
    return header.read_bytes()
