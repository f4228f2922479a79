"""Declarations of the kernel's modules: state objects, bundles, functions, names.

The name of a module is its path in the kernel, as in ``shoe.steps``. The name of a state object or
a bundle is its folder and class, as in ``shoe.State``. A *kind* is an annotation with such names:
``list[contact.ContactLaw]``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from inspect import isclass
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

from .. import kernel
from ..kernel.limits import MODAL_ROW_LENGTH, ROW_LENGTH, SAMPLE_LENGTH
from ..kernel.state_objects import BUNDLES, field_names

# Lengths of fields that are rows but not state objects.
_ROW_LENGTHS = {"Row": ROW_LENGTH, "Sample": SAMPLE_LENGTH, "ModalRow": MODAL_ROW_LENGTH}
_AXES = {"Rows": 2, **dict.fromkeys(("Row", "Sample", "ModalRow", "ModeRow"), 1)}
# Rows that are as long as a model has inputs or modes.
_OF_A_STRUCTURE = {"Sample", "ModeRow"}
# The kernel module that defines state objects.
STATE_OBJECTS = "state_objects"
_PREFIX = f"{kernel.__name__}."


@dataclass(frozen=True)
class Signature:
    """Name and kind of each argument of a function, and the kind that it returns."""

    arguments: tuple[tuple[str, str], ...]
    returns: str


@cache
def kernel_names() -> tuple[str, ...]:
    """Names of all modules of the kernel."""
    found = walk_packages(kernel.__path__, _PREFIX)
    return tuple(sorted(one.name.removeprefix(_PREFIX) for one in found if not one.ispkg))


def imported(name: str) -> ModuleType:
    """A module of the kernel."""
    return import_module(_PREFIX + name)


def source_tree(name: str) -> ast.Module:
    """Return a new syntax tree of a module of the kernel."""
    return ast.parse(Path(str(imported(name).__file__)).read_text(encoding="utf-8"))


def source_file(name: str) -> str:
    """Return the path of a kernel module's file in messages and ``#line``."""
    return f"wearmodel/kernel/{name.replace('.', '/')}.py"


def kernel_modules(roots: Iterable[str]) -> dict[str, ast.Module]:
    """Return syntax trees by name of the modules `roots` and their imports, imports first."""
    known = kernel_names()
    ordered: dict[str, ast.Module] = {}
    begun: set[str] = set()

    def add(name: str) -> None:
        if name in begun or name not in known or name == STATE_OBJECTS:
            return
        begun.add(name)
        tree = source_tree(name)
        for node in tree.body:
            if isinstance(node, ast.ImportFrom):
                for module in _imported_modules(node, name):
                    add(module)
        ordered[name] = tree

    for root in roots:
        add(root)
    return ordered


def _imported_modules(node: ast.ImportFrom, name: str) -> list[str]:
    """Return the names of the kernel modules in an import statement of a kernel module."""
    rooms = name.split(".")[:-1]
    above = node.level - 1
    if node.level == 0 or above > len(rooms):
        return []
    package = rooms[: len(rooms) - above]
    if node.module:
        return [".".join([*package, node.module])]
    return [".".join([*package, alias.name]) for alias in node.names]


def origins(name: str, tree: ast.Module) -> dict[str, tuple[str, str]]:
    """Return the defining module and the name there of each kernel name in a module."""
    found: dict[str, tuple[str, str]] = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            for module in _imported_modules(node, name):
                seen = _origins_of(module) if module in kernel_names() else {}
                found.update(
                    (one.asname or one.name, seen[one.name])
                    for one in node.names
                    if one.name in seen
                )
        elif isinstance(node, ast.FunctionDef):
            found[node.name] = name, node.name
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = name, node.targets[0].id
    return found


@cache
def _origins_of(name: str) -> dict[str, tuple[str, str]]:
    return origins(name, source_tree(name))


@cache
def constant(name: str, defined: str) -> Any:
    """Return the number or tuple of numbers of a name in a module, if it is a constant."""
    value = vars(imported(name)).get(defined)
    numbers = value if isinstance(value, tuple) else (value,)
    if numbers and all(isinstance(number, (int, float)) for number in numbers):
        return value
    return None


@cache
def kind_in(annotation: str, name: str) -> str:
    """Return the kind of an annotation in a module."""

    def named(word: re.Match[str]) -> str:
        value = _seen(name).get(word[0])
        if isclass(value) and value.__module__.startswith(_PREFIX):
            return class_name(value)
        return word[0]

    return re.sub(r"[A-Za-z_]\w*", named, annotation)


@cache
def _seen(name: str) -> Mapping[str, Any]:
    """Return the names in a module, including imports for type checkers only."""
    seen = dict(vars(imported(name)))
    for node in ast.walk(source_tree(name)):
        if isinstance(node, ast.ImportFrom):
            for module in set(_imported_modules(node, name)) & set(kernel_names()):
                for one in node.names:
                    seen.setdefault(one.asname or one.name, vars(imported(module)).get(one.name))
    return seen


def _module_name(declared: type) -> str:
    return declared.__module__.removeprefix(_PREFIX)


def class_name(declared: type) -> str:
    """Name of a state object or a bundle."""
    return f"{_module_name(declared).partition('.')[0]}.{declared.__name__}"


@cache
def state_object_classes() -> Mapping[str, type]:
    """Return the classes of all state objects by name. ValueError if two have the same name."""
    classes: dict[str, type] = {}
    for module in map(imported, kernel_names()):
        for declared in vars(module).values():
            if (
                isclass(declared)
                and declared.__module__ == module.__name__
                and "__slots__" in vars(declared)
                and classes.setdefault(class_name(declared), declared) is not declared
            ):
                raise ValueError(f"{class_name(declared)} is declared twice: rename one of them")
    return classes


@cache
def state_object_fields() -> dict[str, dict[str, str]]:
    """Return the kinds of fields by state object and field, in the order of declaration.

    ValueError if a state object has both numbers and rows.
    """
    fields = {name: _kinds_of_fields(declared) for name, declared in state_object_classes().items()}
    for name, kinds in fields.items():
        if len({kind == "float" for kind in kinds.values()}) > 1:
            module = _module_name(state_object_classes()[name])
            raise ValueError(f"{source_file(module)}: {name} must have numbers or rows, not both")
    return fields


def _kinds_of_fields(state_object: type) -> dict[str, str]:
    kinds: dict[str, str] = {}
    for ancestor in reversed(state_object.__mro__[:-1]):
        own = vars(ancestor).get("__annotations__", {})
        name = _module_name(ancestor)
        kinds.update((field, kind_in(kind, name)) for field, kind in own.items())
    return {field: kinds.get(field, "float") for field in field_names(state_object)}


@cache
def bundle_fields() -> dict[str, dict[str, str]]:
    """Return the kinds of fields of all bundles, by bundle and field."""
    state_object_classes()  # imports all modules that declare bundles
    return {
        class_name(bundle): {
            field: kind_in(kind, _module_name(bundle))
            for field, kind in bundle.__annotations__.items()
        }
        for bundle in BUNDLES
    }


def signature(name: str, node: ast.FunctionDef) -> Signature:
    """Return the arguments and the result of a function of a module."""

    def kind(annotation: ast.expr | None) -> str:
        return kind_in(ast.unparse(annotation), name) if annotation else ""

    arguments = tuple((taken.arg, kind(taken.annotation)) for taken in node.args.args)
    return Signature(arguments, kind(node.returns))


def taken_apart(name: str, kind: str) -> Iterator[tuple[str, str]]:
    """Yield the names and kinds of a lowered argument. A bundle is replaced by its fields."""
    fields = bundle_fields().get(kind)
    if fields is None:
        yield name, kind
        return
    for field, inner in fields.items():
        yield from taken_apart(f"{name}_{field}", inner)


def row_axes(kind: str) -> int:
    """Number of axes of a lowered kind."""
    if kind.startswith("list["):
        return 1 + (row_axes(kind[5:-1]) if kind != "list[float]" else 0)
    if kind in _AXES:
        return _AXES[kind]
    return 1 if set(state_object_fields()[kind].values()) == {"float"} else 2


def state_object_shape(state_object: str) -> tuple[int, ...]:
    """Shape of a lowered state object: its number of fields, and their length if they are rows."""
    kinds = state_object_fields()[state_object]
    if set(kinds.values()) == {"float"}:
        return (len(kinds),)
    rows = [_ROW_LENGTHS.get(kind) or len(state_object_fields()[kind]) for kind in kinds.values()]
    return len(kinds), max(rows)


def view_type(kind: str) -> str:
    """C++ type (``views.hpp``) of a lowered kind, with the lengths of a state object."""
    lengths = ["ANY"] * row_axes(kind)
    state_object = kind.replace("list[", "").rstrip("]")
    kinds = state_object_fields().get(state_object, {})
    if set(kinds.values()) & _OF_A_STRUCTURE:
        lengths[-2] = str(len(kinds))
    elif kinds:
        shape = state_object_shape(state_object)
        lengths[-len(shape) :] = map(str, shape)
    return f"View<double, {', '.join(lengths)}>"


def lowered_name(module: str, name: str) -> str:
    """Name of a function or a constant of a module in the joined kernel."""
    return f"{module.replace('.', '_')}_{name}"


def index_name(state_object: str, field: str) -> str:
    """Name of a field's index in a lowered state object."""
    return f"{state_object.replace('.', '_')}_{field}"


def count_name(state_object: str) -> str:
    """Name of the constant with the number of fields of a state object."""
    return index_name(state_object, "COUNT")


@cache
def index_constants() -> Mapping[str, int]:
    """Return all indices into lowered state objects, and their numbers of fields, by name."""
    constants: dict[str, int] = {}
    for name, kinds in state_object_fields().items():
        constants.update((index_name(name, field), index) for index, field in enumerate(kinds))
        constants[count_name(name)] = len(kinds)
    return constants
