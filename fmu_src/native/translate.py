"""The kernel as C++: its modules joined to one, translated by Pythran.

Pythran takes one module without relative imports and without annotations that name `tuple[…, ...]`.
So the modules are joined in the order of their imports; imports, annotations and docstrings go,
names with a leading underscore get the module's name before it, and nothing else changes.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

NAMESPACE = "wear_kernel"

# The functions that the FMI layer calls, with the types that Pythran derives the others from.
_EXPORTS = (
    "advance(float64[], float64[], float64[], int, float64[], int, float64, float64[:,:])",
    "broken_rule(float64[])",
    "evaluate(float64[], int, float64)",
    "evaluate_slope(float64[], int, float64)",
    "extrapolate(float64[:,:], int)",
    "fill_parameters(float64[], float64[])",
    "forcings(float64, float64, float64, float64, float64, float64)",
    "keep_usable(float64[:,:], int, float64, int)",
    "measure(float64[], float64[], float64, float64, float64, float64)",
    "place(float64[], float64[], float64[], float64)",
    "quiet_step(float64[], float64[], float64[], int, float64[], int, float64)",
    "start(float64[], float64[], float64, float64)",
    "weight(float64[])",
)
# The passes of Pythran's own optimiser that may run; clang does the rest. Its RangeBasedSimplify
# (0.19.0) takes the later branches of a chain `if e == 1 or e == 2: … elif e == 5: …` for dead.
_PASSES = ("RemoveDeadFunctions",)
_ROOTS = ("declared", "extrapolation", "measures", "quiet", "stepper")


def kernel_modules() -> dict[str, str]:
    """Name → text of the modules that the model needs, each after those that it imports."""
    folder = files("wearmodel").joinpath("kernel")
    ordered: dict[str, str] = {}

    def add(name: str) -> None:
        if name in ordered:
            return
        text = folder.joinpath(f"{name}.py").read_text(encoding="utf-8")
        for node in ast.parse(text).body:
            if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module:
                add(node.module)
        ordered[name] = text

    for root in _ROOTS:
        add(root)
    return ordered


def joined_kernel() -> str:
    """The kernel as one module that Pythran accepts."""
    lines = [f"#pythran export {export}" for export in _EXPORTS]
    for name, text in kernel_modules().items():
        body = [node for node in ast.parse(text).body if not _is_left_out(node)]
        module = _Plain(name, body).visit(ast.Module(body, []))
        lines.append(ast.unparse(ast.fix_missing_locations(module)))
    return "\n".join(lines) + "\n"


def _is_left_out(node: ast.stmt) -> bool:
    """Docstrings, and imports except those from `math`."""
    if isinstance(node, ast.ImportFrom):
        return node.module != "math"
    return isinstance(node, ast.Expr)


class _Plain(ast.NodeTransformer):
    """Drops annotations and docstrings and makes private names unique."""

    def __init__(self, module: str, body: list[ast.stmt]) -> None:
        names: set[str] = set()
        for node in body:
            if isinstance(node, ast.FunctionDef):
                names.add(node.name)
            elif isinstance(node, ast.Assign):
                names.update(one.id for one in node.targets if isinstance(one, ast.Name))
        self._renamed = {name: f"{module}{name}" for name in names if name.startswith("_")}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.name = self._renamed.get(node.name, node.name)
        node.returns = None
        for argument in node.args.args:
            argument.annotation = None
        if ast.get_docstring(node) is not None:
            del node.body[0]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        self.generic_visit(node)
        if node.value is None:
            return ast.Pass()
        return ast.Assign([node.target], node.value)

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._renamed.get(node.id, node.id)
        return node


def translate_kernel(folder: Path) -> Path:
    """Write the kernel as C++ into `folder`; return the header's path.

    Raises
    ------
    RuntimeError
        Pythran does not accept the kernel; the message is its own.
    """
    source = folder / f"{NAMESPACE}.py"
    header = folder / f"{NAMESPACE}.hpp"
    source.write_text(joined_kernel(), encoding="utf-8")
    command = [sys.executable, "-P", "-m", "pythran.run", "-e", source.name, "-o", header.name]
    command += [flag for name in _PASSES for flag in ("-p", name)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not header.is_file():
        raise RuntimeError(f"Pythran does not accept the kernel:\n{done.stdout}{done.stderr}")
    return header
