"""The kernel as one module of plain functions on rows of numbers, for Pythran.

The kernel's source uses records (`wearmodel.kernel.records`), which Pythran does not take. Lowering
is mechanical: a record becomes a row of float64, or several rows where its fields are rows, and
`s.sliding` becomes `s[STATE_SLIDING]` with a named constant, the field's index in the order of its
declaration. A bundle is no row: an argument that is one becomes one argument for each of its
fields. The modules are joined in the order of their imports; imports, annotations, docstrings and
classes go, private names get the module's name before them, and nothing else changes: every form
computes the same bits. A module of the kernel is named by its path in it, as in ``shoe.steps``.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from inspect import isclass
from types import ModuleType

from ..kernel.limits import MODAL_ROW_LENGTH, ROW_LENGTH, SAMPLE_LENGTH
from ..kernel.records import BUNDLES, field_kinds, field_names

# Lengths of fields that are rows but no records.
_ROW_LENGTHS = {"Row": ROW_LENGTH, "Sample": SAMPLE_LENGTH, "ModalRow": MODAL_ROW_LENGTH}
_AXES = {"Rows": 2, **dict.fromkeys(("Row", "Sample", "ModalRow", "ModeRow"), 1)}
# Rows that are as long as a model has inputs or modes.
_OF_A_STRUCTURE = {"Sample", "ModeRow"}
# The module of the kernel that says what records are.
_RECORDS = "records"
# Rows that take another's place are copied; those of a room whose samples all have one length, by
# a loop of known length, which saves 5 % of a step.
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
# What stands for the functions that `kernel.records` makes for a record, by what makes them;
# {count} is the number of the record's fields.
_WRITTEN_OUT = {
    "copying": (
        "def {name}(source, target):\n"
        "    for index in range({count}):\n"
        "        target[index] = source[index]\n"
    ),
    "clearing": (
        "def {name}(target):\n    for index in range({count}):\n        target[index] = 0.0\n"
    ),
    "adding": (
        "def {name}(source):\n"
        "    total = 0.0\n"
        "    for index in range({count}):\n"
        "        total += source[index]\n"
        "    return total\n"
    ),
    "spreading": (
        "def {name}(source, target, at):\n"
        "    for index in range({count}):\n"
        "        target[at + index] = source[index]\n"
        "    return at + {count}\n"
    ),
}
_WRITTEN_OUT_ROWS = {
    "copying": (
        "def {name}(source, target):\n"
        "    for index in range({count}):\n"
        f"        {_COPY_SAMPLE}(source[index], target[index])\n"
    ),
}


@cache
def kernel_names() -> tuple[str, ...]:
    """Names of all modules of the kernel."""
    names = []

    def look(folder: str) -> None:
        for entry in files("wearmodel").joinpath("kernel", *folder.split(".")).iterdir():
            path = f"{folder}.{entry.name}".strip(".")
            if entry.name.endswith(".py") and entry.name != "__init__.py":
                names.append(path.removesuffix(".py"))
            elif entry.is_dir() and entry.joinpath("__init__.py").is_file():
                look(path)

    look("")
    return tuple(sorted(names))


@cache
def record_fields() -> dict[str, dict[str, str]]:
    """Record → field → its annotation, in the order of declaration; of all that the kernel has."""
    kinds: dict[str, dict[str, str]] = {}
    for name in kernel_names():
        kinds.update(_records_in(import_module(f"wearmodel.kernel.{name}")))
    return kinds


def bundle_fields() -> dict[str, dict[str, str]]:
    """Bundle → field → its annotation, of all that are declared."""
    record_fields()  # imports all of the kernel that declare any
    return {bundle_class.__name__: dict(bundle_class.__annotations__) for bundle_class in BUNDLES}


def _records_in(module: ModuleType) -> dict[str, dict[str, str]]:
    """Record → field → its annotation, of those that a module declares."""
    records: dict[str, dict[str, str]] = {}
    for name, record in vars(module).items():
        if isclass(record) and record.__module__ == module.__name__ and "__slots__" in vars(record):
            kinds = field_kinds(record)
            records[name] = {field: kinds.get(field, "float") for field in field_names(record)}
    return records


def row_axes(kind: str) -> int:
    """How many axes what is annotated so has when lowered."""
    if kind.startswith("list["):
        return 1 + (row_axes(kind[5:-1]) if kind != "list[float]" else 0)
    if kind in _AXES:
        return _AXES[kind]
    return 1 if set(record_fields()[kind].values()) == {"float"} else 2


def record_shape(record: str) -> tuple[int, ...]:
    """Shape of a lowered record: its fields, and their length where they are rows."""
    kinds = record_fields()[record]
    if set(kinds.values()) == {"float"}:
        return (len(kinds),)
    rows = [_ROW_LENGTHS.get(kind) or len(record_fields()[kind]) for kind in kinds.values()]
    return len(kinds), max(rows)


def view_type(kind: str) -> str:
    """C++ type (``views.hpp``) of what is annotated so when lowered; a record says its lengths."""
    lengths = ["ANY"] * row_axes(kind)
    record = kind.replace("list[", "").rstrip("]")
    kinds = record_fields().get(record, {})
    if set(kinds.values()) & _OF_A_STRUCTURE:
        lengths[-2] = str(len(kinds))
    elif kinds:
        shape = record_shape(record)
        lengths[-len(shape) :] = map(str, shape)
    return f"View<double, {', '.join(lengths)}>"


@cache
def index_constants() -> Mapping[str, int]:
    """Name → value of every index into a lowered record, and of the number of its fields.

    Raises
    ------
    ValueError
        A field's index would have the name of another constant, which would be read in its place.
    """
    constants: dict[str, int] = {}
    meanings: dict[str, str] = {}

    def take(name: str, value: int, meaning: str) -> None:
        if name in constants:
            raise ValueError(f"{name} would be {meanings[name]} and {meaning}: rename the field")
        constants[name], meanings[name] = value, meaning

    for record, kinds in record_fields().items():
        for index, field in enumerate(kinds):
            take(_index_name(record, field), index, f"the index of {record}.{field}")
        take(_count_name(record), len(kinds), f"the number of fields of {record}")
    return constants


def lowered_module(name: str, tree: ast.Module) -> ast.Module:
    """Syntax tree of one module of the kernel, lowered; `tree` is changed.

    Raises
    ------
    ValueError
        An attribute is none of a record's.
    """
    body = _kept(tree)
    private = {defined for defined in _defined(body) if defined.startswith("_")}
    lowering = _Lowered(private, name.replace(".", "_"), _copying(name))
    module: ast.Module = lowering.visit(ast.Module(body, []))
    return ast.fix_missing_locations(module)


def lowered_kernel(roots: Iterable[str]) -> str:
    """Source of the kernel modules `roots`, and of those that they import, as one module.

    Raises
    ------
    ValueError
        Two modules define one public name, one defines the name of a record's index, or an
        attribute is none of a record's.
    """
    modules = kernel_modules(roots)
    owner: dict[str, str] = {}
    texts = [_COPIES]
    for name, tree in modules.items():
        for defined in _defined(_kept(tree)):
            if defined in index_constants():
                raise ValueError(f"{defined} of kernel/{name} is also the name of a record's index")
            if not defined.startswith("_") and owner.setdefault(defined, name) != name:
                raise ValueError(f"{defined} stands in kernel/{owner[defined]} and kernel/{name}")
        texts.append(ast.unparse(lowered_module(name, tree)))
    used = {node.id for node in ast.walk(ast.parse("\n".join(texts))) if isinstance(node, ast.Name)}
    constants = [f"{name} = {value}" for name, value in index_constants().items() if name in used]
    from_math = sorted(_from_math(modules.values()))
    lines = [f"from math import {', '.join(from_math)}"] if from_math else []
    lines += ["", *constants]
    return "\n".join([*lines, *texts]) + "\n"


def kernel_modules(roots: Iterable[str]) -> dict[str, ast.Module]:
    """Name → syntax tree of the modules `roots` of the kernel, each after those that it imports."""
    folder = files("wearmodel").joinpath("kernel")
    known = kernel_names()
    ordered: dict[str, ast.Module] = {}
    begun: set[str] = set()

    def add(name: str) -> None:
        if name in begun or name not in known or name == _RECORDS:
            return
        begun.add(name)
        text = folder.joinpath(f"{name.replace('.', '/')}.py").read_text(encoding="utf-8")
        tree = ast.parse(text)
        for node in tree.body:
            if isinstance(node, ast.ImportFrom):
                for module in _imported(node, name):
                    add(module)
        ordered[name] = tree

    for root in roots:
        add(root)
    return ordered


def _imported(node: ast.ImportFrom, name: str) -> list[str]:
    """Modules of the kernel that a module of it imports, by their names in it."""
    rooms = name.split(".")[:-1]
    above = node.level - 1
    if node.level == 0 or above > len(rooms):
        return []
    package = rooms[: len(rooms) - above]
    if node.module:
        return [".".join([*package, node.module])]
    return [".".join([*package, alias.name]) for alias in node.names]


def _copying(name: str) -> str:
    """What copies the rows of a module of the kernel."""
    return _COPY_SAMPLE if name.startswith(_ROOM_OF_FIXED_SAMPLES) else _COPY_ROW


def _from_math(modules: Iterable[ast.Module]) -> set[str]:
    return {
        alias.name
        for module in modules
        for node in module.body
        if isinstance(node, ast.ImportFrom) and node.module == "math"
        for alias in node.names
    }


def _index_name(record: str, field: str) -> str:
    return f"{record.upper()}_{field.upper()}"


def _count_name(record: str) -> str:
    return f"{record.upper()}_COUNT"


def _kept(tree: ast.Module) -> list[ast.stmt]:
    return [node for node in tree.body if not _is_left_out(node)]


def _is_left_out(node: ast.stmt) -> bool:
    """Docstrings, imports, declarations, and what is there for type checkers only."""
    if isinstance(node, ast.Assign):
        return not (_is_number(node.value) or _written_out(node))
    return not isinstance(node, ast.FunctionDef)


def _is_number(node: ast.expr) -> bool:
    """Whether an expression, or each of a tuple, is made of numbers and names of constants."""
    if isinstance(node, ast.Tuple):
        return all(map(_is_number, node.elts))
    return all(
        isinstance(inner, (ast.Name, ast.UnaryOp, ast.BinOp, ast.operator, ast.unaryop, ast.Load))
        or (isinstance(inner, ast.Constant) and isinstance(inner.value, (int, float)))
        for inner in ast.walk(node)
    ) and not (isinstance(node, ast.Name) and not node.id.isupper())


def _written_out(node: ast.Assign) -> list[ast.stmt]:
    """The loop for a function that `kernel.records` makes for a record; none for other values."""
    call, target = node.value, node.targets[0]
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
        return []
    if call.func.id not in _WRITTEN_OUT or not isinstance(target, ast.Name):
        return []
    record = ast.unparse(call.args[0])
    are_numbers = set(record_fields()[record].values()) == {"float"}
    texts = _WRITTEN_OUT if are_numbers else _WRITTEN_OUT_ROWS
    text = texts[call.func.id].format(name=target.id, count=_count_name(record))
    return ast.parse(text).body


def _defined(body: list[ast.stmt]) -> set[str]:
    names: set[str] = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return names


class _Lowered(ast.NodeTransformer):
    """Drops annotations and docstrings, makes private names unique, and lowers records."""

    def __init__(self, private: Container[str], prefix: str, copying: str) -> None:
        self._private = private
        self._prefix = prefix
        self._copying = copying
        self._records = record_fields()
        self._bundles = bundle_fields()
        # Record of each name in the function at hand, and of the items of each list of records.
        self._record_of: dict[str, str] = {}
        self._item_of: dict[str, str] = {}
        # Bundle of each name in it, and the name that the fields' names begin with.
        self._bundle_of: dict[str, tuple[str, str]] = {}

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self._record_of = {}
        self._item_of = {}
        self._bundle_of = {}
        arguments = []
        for argument in node.args.args:
            kind = ast.unparse(argument.annotation) if argument.annotation else ""
            arguments += [ast.arg(name) for name in self._take(argument.arg, kind)]
        node.args.args = arguments
        node.returns = None
        if ast.get_docstring(node) is not None:
            del node.body[0]
        self.generic_visit(node)
        node.name = self._unique(node.name)
        return node

    def _take(self, name: str, kind: str) -> list[str]:
        """Note what a name stands for; the names that stand for it when lowered."""
        if kind in self._bundles:
            self._bundle_of[name] = (kind, name)
            return [
                lowered
                for field, inner in self._bundles[kind].items()
                for lowered in self._take(f"{name}_{field}", inner)
            ]
        if kind in self._records:
            self._record_of[name] = kind
        elif kind.startswith("list[") and kind != "list[float]":
            self._item_of[name] = kind[5:-1]
        return [name]

    def visit_Call(self, node: ast.Call) -> ast.Call:
        given: list[ast.expr] = []
        for argument in node.args:
            bundle = self._bundle(argument)
            if bundle is None:
                given.append(self.visit(argument))
            else:
                given += [ast.Name(name, ast.Load()) for name in self._take(bundle[1], bundle[0])]
        node.args = given
        node.func = self.visit(node.func)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | list[ast.stmt] | None:
        written = _written_out(node)
        if written:
            return written
        # `counts = work.counts` names a record within a record.
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Name):
            bundle = self._bundle(value)
            if bundle is not None:
                self._bundle_of[target.id] = bundle
                return None
            kind = self._kind(value)
            if kind in self._records:
                self._record_of[target.id] = kind
            elif kind.startswith("list[") and kind != "list[float]":
                self._item_of[target.id] = kind[5:-1]
        field = self._kind(target) if isinstance(target, ast.Attribute) else "float"
        self.generic_visit(node)
        if field == "Sample" or field in self._records:
            # Where a row takes another's place, its numbers do.
            copying = self._copying if field == "Sample" else _COPY_ROW
            call = ast.Call(ast.Name(copying, ast.Load()), [node.value, node.targets[0]], [])
            ast.copy_location(node.targets[0], node).ctx = ast.Load()  # type: ignore[attr-defined]
            return ast.Expr(call)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.Subscript:
        if (
            isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Attribute)
            and self._bundle(node.value.value) is None
        ):
            # Pythran 0.19 cannot type it.
            raise ValueError(f"line {node.lineno}: {ast.unparse(node)}: name the row first")
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        self.generic_visit(node)
        if node.value is None:
            return ast.Pass()
        return ast.Assign([node.target], node.value)

    def visit_Attribute(self, node: ast.Attribute) -> ast.Subscript | ast.Name:
        bundle = self._bundle(node.value)
        if bundle is not None:
            kind, prefix = bundle
            if node.attr not in self._bundles[kind]:
                raise ValueError(f"line {node.lineno}: {ast.unparse(node)} is no field of a bundle")
            return ast.copy_location(ast.Name(f"{prefix}_{node.attr}", node.ctx), node)
        record = self._record(node.value)
        if record is None or node.attr not in self._records[record]:
            raise ValueError(f"line {node.lineno}: {ast.unparse(node)} is no field of a record")
        self.generic_visit(node)
        return ast.Subscript(
            node.value, ast.Name(_index_name(record, node.attr), ast.Load()), node.ctx
        )

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._unique(node.id)
        return node

    def _bundle(self, node: ast.expr) -> tuple[str, str] | None:
        """Kind and prefix of the bundle that an expression stands for; None if it is none."""
        if isinstance(node, ast.Name):
            return self._bundle_of.get(node.id)
        if isinstance(node, ast.Attribute):
            outer = self._bundle(node.value)
            if outer is not None:
                kind = self._bundles[outer[0]].get(node.attr, "")
                if kind in self._bundles:
                    return kind, f"{outer[1]}_{node.attr}"
        return None

    def _kind(self, node: ast.expr) -> str:
        """Annotation of what an expression names: a field, or one of a list of records."""
        if isinstance(node, ast.Attribute):
            bundle = self._bundle(node.value)
            if bundle is not None:
                return self._bundles[bundle[0]].get(node.attr, "")
            outer = self._record(node.value)
            return self._records[outer].get(node.attr, "") if outer else ""
        if isinstance(node, ast.Subscript):
            if isinstance(node.value, ast.Name):
                return self._item_of.get(node.value.id, "")
            kind = self._kind(node.value)
            return kind[5:-1] if kind.startswith("list[") else ""
        return ""

    def _record(self, node: ast.expr) -> str | None:
        """Name of the record that an expression stands for.

        A record within a record must be given a name first: Pythran cannot type it otherwise.
        """
        if isinstance(node, ast.Name):
            return self._record_of.get(node.id)
        if isinstance(node, ast.Attribute) and self._bundle(node.value) is not None:
            kind = self._kind(node)
            return kind if kind in self._records else None
        return None

    def _unique(self, name: str) -> str:
        return f"{self._prefix}{name}" if name in self._private else name
