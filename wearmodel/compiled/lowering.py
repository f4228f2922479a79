"""The kernel as one module of plain functions on rows of numbers, for Pythran.

The kernel's source uses state objects (`wearmodel.kernel.state_objects`), which Pythran does not
support. A state object becomes a row of float64, or several rows if its fields are rows.
`s.sliding` becomes `s[shoe_State_sliding]`, with a constant for the index of the field in its
declaration. An argument that is a bundle becomes one argument for each field. The modules are
joined in the order of their imports. Imports, annotations, docstrings and classes are removed, and
names of functions and constants begin with their module. Code that breaks a rule of `language` is
rejected.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from ..kernel.limits import SAMPLE_LENGTH
from .declarations import (
    Signature,
    bundle_fields,
    constant,
    count_name,
    index_constants,
    index_name,
    kernel_modules,
    kind_in,
    lowered_name,
    origins,
    signature,
    source_file,
    source_tree,
    state_object_fields,
    taken_apart,
)
from .language import NUMBER, FunctionReader, LanguageError

# Rows are copied number by number. If all samples of a folder have the same length, the length of
# the loop is known, which saves 5 % of a step.
_COPY_ROW, _COPY_SAMPLE = "copy_row", "copy_sample"
_ROOM_OF_FIXED_SAMPLES = "shoe."
_COPIES = f"""\
def {_COPY_SAMPLE}(source, target):
    for index in range({SAMPLE_LENGTH}):
        target[index] = source[index]


def {_COPY_ROW}(source, target):
    for index in range(len(target)):
        target[index] = source[index]
"""
# Replacements of the functions that `kernel.state_objects` creates for a state object, by the name
# of the creating function, with their argument and result kinds. {count} is the number of fields of
# the state object, and {first} is the index of the named field.
_WRITTEN_OUT = {
    "copying": (
        "def {name}(source, target):\n"
        "    for index in range({start}{count}):\n"
        "        target[index] = source[index]\n",
        (("source", "{state_object}"), ("target", "{state_object}")),
        "None",
    ),
    "clearing": (
        "def {name}(target):\n    for index in range({count}):\n        target[index] = 0.0\n",
        (("target", "{state_object}"),),
        "None",
    ),
    "adding": (
        "def {name}(source):\n"
        "    total = 0.0\n"
        "    for index in range({count}):\n"
        "        total += source[index]\n"
        "    return total\n",
        (("source", "{state_object}"),),
        "float",
    ),
    "spreading": (
        "def {name}(source, target, at):\n"
        "    for index in range({count}):\n"
        "        target[at + index] = source[index]\n"
        "    return at + {count}\n",
        (("source", "{state_object}"), ("target", "list[float]"), ("at", "int")),
        "int",
    ),
    "reading": (
        "def {name}(source, index):\n    return source[{first} + index]\n",
        (("source", "{state_object}"), ("index", "int")),
        "float",
    ),
}
_COPIED_ROWS = (
    "def {name}(source, target):\n"
    "    for index in range({count}):\n"
    f"        {_COPY_ROW}(source[index], target[index])\n"
)


@dataclass(frozen=True)
class LoweredKernel:
    """Text of the joined kernel, and the source of each of its lines or ""."""

    text: str
    sources: tuple[str, ...]


def lowered_kernel(roots: Iterable[str]) -> LoweredKernel:
    """Return the kernel modules `roots` and their imports as one module.

    LanguageError if a function breaks a rule of the kernel's language. ValueError if a name is
    defined twice.
    """
    modules = kernel_modules(roots)
    texts = [_COPIES]
    sources = [""] * _COPIES.count("\n")
    owners = dict.fromkeys(index_constants(), "an index into a state object")
    from_math: set[str] = set()
    for name, tree in modules.items():
        lowered = lowered_module(name, tree)
        for defined in _defined(lowered):
            if owners.setdefault(defined, name) != name:
                raise ValueError(f"{defined} of kernel/{name} is also {owners[defined]}")
        from_math.update(_from_math(tree))
        texts.append(f"{ast.unparse(lowered)}\n")
        sources += _lines_of(lowered, texts[-1], source_file(name))
    text = "".join(texts)
    used = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    lines = [f"from math import {', '.join(sorted(from_math))}"] if from_math else []
    lines += [f"{name} = {value}" for name, value in index_constants().items() if name in used]
    return LoweredKernel("\n".join([*lines, text]), (*[""] * len(lines), *sources))


def lowered_module(name: str, tree: ast.Module) -> ast.Module:
    """Return the lowered syntax tree of a kernel module, or LanguageError. Changes `tree`."""
    from_math = _from_math(tree)
    numbers = {name for name in from_math if isinstance(getattr(math, name), float)}
    functions: dict[str, Signature | None] = dict.fromkeys(from_math - numbers)
    constants = dict.fromkeys(numbers, NUMBER)
    names: dict[str, str] = {}
    for seen, (owner, defined) in origins(name, tree).items():
        value = constant(owner, defined)
        if defined in _signatures(owner):
            functions[seen] = _signatures(owner)[defined]
        elif value is not None:
            constants[seen] = "tuple[...]" if isinstance(value, tuple) else NUMBER
        else:
            continue
        names[seen] = lowered_name(owner, defined)
    body: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            taken = functions[node.name]
            assert taken is not None
            reader = FunctionReader(source_file(name), functions, constants)
            reader.read(node, taken)
            body.append(_Lowering(reader, names, name).lowered(node, taken))
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            body += _assigned(name, node, names.get(node.targets[0].id, ""))
    return ast.fix_missing_locations(ast.Module(body, []))


def _assigned(name: str, node: ast.Assign, lowered: str) -> list[ast.stmt]:
    """Return a constant, or the loop for a function that `kernel.state_objects` creates."""
    value = constant(name, ast.unparse(node.targets[0]))
    if value is not None:
        text = f"{lowered} = {value!r}"
    elif lowered:
        assert isinstance(node.value, ast.Call)
        state_object = kind_in(ast.unparse(node.value.args[0]), name)
        are_numbers = set(state_object_fields()[state_object].values()) == {"float"}
        maker = ast.unparse(node.value.func)
        template = _WRITTEN_OUT[maker][0] if are_numbers else _COPIED_ROWS
        if not are_numbers and maker != "copying":
            place = f"{source_file(name)}:{node.lineno}: {ast.unparse(node)}"
            raise LanguageError(f"{place}: the fields of {state_object} must be numbers")
        second = ast.unparse(node.value.args[-1]).strip("'")
        is_partial = maker == "copying" and len(node.value.args) > 1
        text = template.format(
            name=lowered,
            count=count_name(state_object),
            first=index_name(state_object, second) if maker == "reading" else "",
            start=f"{count_name(kind_in(second, name))}, " if is_partial else "",
        )
    else:
        return []
    statements = ast.parse(text).body
    for statement in statements:
        for inner in ast.walk(statement):
            if hasattr(inner, "lineno"):
                ast.copy_location(inner, node)
    return statements


@cache
def _signatures(name: str) -> dict[str, Signature]:
    """Argument and result kinds of the functions of a module and of its state objects."""
    found: dict[str, Signature] = {}
    for node in source_tree(name).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = signature(name, node)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            maker = ast.unparse(node.value.func)
            if maker in _WRITTEN_OUT:
                _, taken, returns = _WRITTEN_OUT[maker]
                kind = kind_in(ast.unparse(node.value.args[0]), name)
                arguments = tuple((word, of.format(state_object=kind)) for word, of in taken)
                found[ast.unparse(node.targets[0])] = Signature(arguments, returns)
    return found


def _defined(lowered: ast.Module) -> set[str]:
    """Names of the functions and constants of a lowered module."""
    return {
        node.name if isinstance(node, ast.FunctionDef) else ast.unparse(node.targets[0])
        for node in lowered.body
        if isinstance(node, (ast.FunctionDef, ast.Assign))
    }


def _from_math(tree: ast.Module) -> set[str]:
    return {
        one.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module == "math"
        for one in node.names
    }


def _lines_of(module: ast.Module, text: str, path: str) -> list[str]:
    """Return the source file and line for each line of a lowered module's text."""
    sources = [""] * text.count("\n")
    # The text and the tree have the same statements in the same order.
    before = (node for node in ast.walk(module) if isinstance(node, ast.stmt))
    after = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt))
    for original, written in zip(before, after, strict=True):
        sources[written.lineno - 1] = f"{path}:{original.lineno}"
    return sources


class _Lowering(ast.NodeTransformer):
    """Removes annotations and docstrings, adds modules to names, and lowers state objects."""

    def __init__(self, reader: FunctionReader, names: Mapping[str, str], module: str) -> None:
        self._kinds = reader.kinds
        self._names = {seen: name for seen, name in names.items() if seen not in reader.locals}
        is_fixed = module.startswith(_ROOM_OF_FIXED_SAMPLES)
        self._copying = _COPY_SAMPLE if is_fixed else _COPY_ROW
        # Prefixes of the field names of each name of a bundle.
        self._bundle_of: dict[str, str] = {}

    def lowered(self, node: ast.FunctionDef, taken: Signature) -> ast.FunctionDef:
        """Return a function of the joined kernel."""
        names = [part for argument in taken.arguments for part, _ in taken_apart(*argument)]
        node.args.args = [ast.arg(name) for name in names]
        node.returns = None
        if ast.get_docstring(node) is not None:
            del node.body[0]
        node.name = self._names[node.name]
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        given: list[ast.expr] = []
        for argument in node.args:
            bundle = self._bundle(argument)
            if bundle:
                parts = taken_apart(bundle, self._kinds[argument])
                given += [ast.Name(part, ast.Load()) for part, _ in parts]
            else:
                given.append(self.visit(argument))
        node.args = given
        node.func = self.visit(node.func)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | list[ast.stmt] | None:
        target = node.targets[0]
        bundle = self._bundle(node.value)
        if bundle:
            assert isinstance(target, ast.Name)
            self._bundle_of[target.id] = bundle
            return None
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
            is_sample = self._kinds[target.value] == "Sample"
            copying = ast.Name(self._copying if is_sample else _COPY_ROW, ast.Load())
            rows = [self.visit(node.value), self.visit(target.value)]
            return ast.copy_location(ast.Expr(ast.Call(copying, rows, [])), node)
        return self._with_named_row(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        return self._with_named_row(node)

    def _with_named_row(self, node: ast.Assign | ast.AugAssign) -> list[ast.stmt]:
        """Name the row of a state object before a number in it is assigned. Pythran needs this."""
        target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
        naming: list[ast.stmt] = []
        if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Attribute):
            name = f"row_{ast.unparse(target.value).replace('.', '_')}"
            row = self.visit(target.value)
            naming = [ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], row), node)]
            target.value = ast.Name(name, ast.Load())
        self.generic_visit(node)
        return [*naming, node]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt | list[ast.stmt] | None:
        assert node.value is not None
        return self.visit_Assign(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        bundle = self._bundle(node.value)
        if bundle:
            return ast.copy_location(ast.Name(f"{bundle}_{node.attr}", node.ctx), node)
        index = index_name(self._kinds[node.value], node.attr)
        self.generic_visit(node)
        return ast.Subscript(node.value, ast.Name(index, ast.Load()), node.ctx)

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._names.get(node.id, node.id)
        return node

    def _bundle(self, node: ast.expr) -> str:
        """Prefix of the field names of a bundle, or "" if the kind is not a bundle."""
        if self._kinds.get(node) not in bundle_fields():
            return ""
        if isinstance(node, ast.Attribute):
            return f"{self._bundle(node.value)}_{node.attr}"
        assert isinstance(node, ast.Name)
        return self._bundle_of.get(node.id, node.id)
