"""Translation of the kernel to C++ by Pythran, after its modules are lowered and joined."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from .build_cache import kept
from .lowering import LoweredKernel, lowered_kernel
from .tool_process import run_tool

NAMESPACE = "wear_kernel"  #: Name of the translated module, also in `kernel_rows.hpp`.

# Passes of Pythran's optimiser to run. clang does the rest. The pass RangeBasedSimplify (0.19.0)
# removes the later branches of a chain `if e == 1 or e == 2: … elif e == 5: …` as dead code.
_OPTIONS = ("-p", "RemoveDeadFunctions", "--config", "backend.annotate=true")
# Pythran's comment before each statement, with the number of its line in the joined kernel.
_NUMBERED = re.compile(r"^( *//.*)  # (\d+)$", re.MULTILINE)


def joined_kernel(exports: Sequence[str], modules: Sequence[str]) -> LoweredKernel:
    """Return modules of the kernel and their imports as one module that Pythran accepts.

    `exports` are the functions called from outside, with their types in Pythran's notation.
    """
    lines = [f"#pythran export {export}" for export in exports]
    kernel = lowered_kernel(modules)
    return LoweredKernel("\n".join([*lines, kernel.text]), (*[""] * len(lines), *kernel.sources))


def translate_kernel(exports: Sequence[str], modules: Sequence[str], folder: Path) -> Path:
    """Write the kernel of `joined_kernel` as C++ into `folder`, and return the path of the header.

    Each statement is preceded by its lowered line and a ``#line`` with its place in the source.
    If Pythran does not accept the kernel, RuntimeError contains its message.
    """
    kernel = joined_kernel(exports, modules)
    # A line number links Pythran's comment to the source. The stored text has no source positions,
    # so that a change of positions alone needs no new translation.
    lines = kernel.text.splitlines()
    for number, source in enumerate(kernel.sources):
        if source:
            lines[number] += f"  # {number}"
    text = "\n".join([*lines, ""])
    made_from = (version("pythran"), sys.version, *_OPTIONS, text)
    header = folder / f"{NAMESPACE}.hpp"
    translated = kept(
        "kernel", (part.encode() for part in made_from), lambda: _translated(text, folder)
    )

    def with_place(comment: re.Match[str]) -> str:
        file, _, line = kernel.sources[int(comment[2])].rpartition(":")
        return f'{comment[1]}\n#line {line} "{file}"'

    header.write_bytes(_NUMBERED.sub(with_place, translated.decode()).encode())
    return header


def _translated(text: str, folder: Path) -> bytes:
    source = folder / f"{NAMESPACE}.py"
    header = folder / f"{NAMESPACE}.hpp"
    source.write_text(text, encoding="utf-8")
    command = ["-m", "pythran.run", "-e", source.name, "-o", header.name, *_OPTIONS]
    code, output, errors = run_tool(command, folder)
    if code != 0 or not header.is_file():
        raise RuntimeError(f"Pythran does not accept the kernel:\n{output}{errors}")
    return header.read_bytes()
