"""The kernel as one module of plain functions on rows of numbers, for numba and for Pythran.

The kernel's source uses records (`wearmodel.kernel.records`), which neither of them takes. Lowering
is mechanical: a record becomes a row of float64, or several rows where its fields are rows, and
`s.sliding` becomes `s[STATE_SLIDING]` with a named constant, the field's index in the order of its
declaration. The modules are joined in the order of their imports; imports, annotations and
docstrings go, private names get the module's name before them, and nothing else changes: every form
computes the same bits.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable
from functools import cache
from importlib import import_module
from importlib.resources import files
from inspect import isclass

from ..kernel.limits import ROW_LENGTH, SAMPLE_LENGTH
from ..kernel.modal_limits import MODAL_ROW_LENGTH

# Modules that only declare end in one of these: they stay as they are, and no lowered code needs
# them.
_RECORDS = "records"
_DECLARATIONS = (_RECORDS, "parameters")
# Lengths of fields that are rows but no records.
_ROW_LENGTHS = {"Row": ROW_LENGTH, "Sample": SAMPLE_LENGTH, "ModalRow": MODAL_ROW_LENGTH}
# Functions that the records of `kernel.records` bring along.
_RECORD_FUNCTIONS = """\
def copy_state(source, target):
    for index in range(STATE_COUNT):
        target[index] = source[index]


def copy_sample(source, target):
    for index in range(SAMPLE_LENGTH):
        target[index] = source[index]


def copy_row(source, target):
    for index in range(len(target)):
        target[index] = source[index]


def copy_samples(source, target):
    for index in range(SAMPLES_COUNT):
        copy_sample(source[index], target[index])


def clear_state(s):
    for index in range(STATE_COUNT):
        s[index] = 0.0


def clear_errors(errors):
    for index in range(ERRORS_COUNT):
        errors[index] = 0.0


def copy_errors(source, target):
    for index in range(ERRORS_COUNT):
        target[index] = source[index]


def state_sum(s):
    total = 0.0
    for index in range(STATE_COUNT):
        total += s[index]
    return total
"""


@cache
def record_fields() -> dict[str, dict[str, str]]:
    """Record → field → its annotation, in the order of declaration; of all that the kernel has."""
    names = (
        one.name.removesuffix(".py") for one in files("wearmodel").joinpath("kernel").iterdir()
    )
    found: dict[str, dict[str, str]] = {}
    for name in sorted(names):
        if name.endswith(_RECORDS):
            found.update(_fields_in(name))
    return found


@cache
def _fields_in(module: str) -> dict[str, dict[str, str]]:
    """Record → field → its annotation, of one module of the kernel."""
    declared = import_module(f"wearmodel.kernel.{module}")
    found: dict[str, dict[str, str]] = {}
    for name, record in vars(declared).items():
        if isclass(record) and "__slots__" in vars(record):
            kinds = getattr(record, "__annotations__", {})
            slots = vars(record)["__slots__"]
            found[name] = {field: kinds.get(field, "float") for field in slots}
    return found


def record_shape(record: str) -> tuple[int, ...]:
    """Shape of a lowered record: its fields, and their length where they are rows."""
    kinds = record_fields()[record]
    if set(kinds.values()) == {"float"}:
        return (len(kinds),)
    rows = [_ROW_LENGTHS.get(kind) or len(record_fields()[kind]) for kind in kinds.values()]
    return len(kinds), max(rows)


def index_constants(declaring: Iterable[str] = (_RECORDS,)) -> dict[str, int]:
    """Name → value of every index into a lowered record, and of the number of its fields.

    `declaring` are the modules of the kernel that declare the records.
    """
    constants = {}
    for module in declaring:
        for record, kinds in _fields_in(module).items():
            for index, field in enumerate(kinds):
                constants[_index_name(record, field)] = index
            constants[f"{record.upper()}_COUNT"] = len(kinds)
    return constants


def lowered_module(name: str, source: str) -> ast.Module:
    """Syntax tree of one module with its records lowered; imports and private names stay.

    `name` is that of the module without its packages; of `records` the functions are left, and
    names for what is imported for annotations only. The module needs `index_constants`, and
    `copy_sample` and `copy_row` of the lowered records, in its namespace.
    """
    if name != "records" and name.endswith(_RECORDS):
        names = " = ".join((*_fields_in(name), *_aliases(source)))
        return ast.parse(f"{names} = None\n")
    if name != "records":
        tree = ast.parse(source)
        lowered: ast.Module = _Lowered(set(), "", _copying(tree)).visit(tree)
        return ast.fix_missing_locations(lowered)
    names = " = ".join((*_fields_in(_RECORDS), *_ROW_LENGTHS))
    return ast.parse(f"from .limits import SAMPLE_LENGTH\n{_RECORD_FUNCTIONS}\n{names} = None\n")


def lowered_kernel(roots: Iterable[str]) -> str:
    """Source of the kernel modules `roots`, and of those that they import, as one module.

    Raises
    ------
    ValueError
        Two modules define one public name, or an attribute is none of a record's.
    """
    modules = kernel_modules(roots)
    lines = [f"from math import {', '.join(sorted(_from_math(modules.values())))}", ""]
    declaring = _declaring(modules.values())
    lines += [f"{name} = {value}" for name, value in index_constants(declaring).items()]
    owner: dict[str, str] = {}
    texts = []
    for name, tree in modules.items():
        body = [node for node in tree.body if not _is_left_out(node)]
        for defined in _defined(body):
            if not defined.startswith("_") and owner.setdefault(defined, name) != name:
                raise ValueError(f"{defined} stands in kernel/{owner[defined]} and kernel/{name}")
        private = {one for one in _defined(body) if one.startswith("_")}
        module = _Lowered(private, name, _copying(tree)).visit(ast.Module(body, []))
        texts.append(ast.unparse(ast.fix_missing_locations(module)))
        if name == "limits" and _RECORDS in declaring:
            texts.append(_RECORD_FUNCTIONS)
    return "\n".join([*lines, *texts]) + "\n"


def kernel_modules(roots: Iterable[str]) -> dict[str, ast.Module]:
    """Name → syntax tree of the modules `roots` of the kernel, each after those that it imports."""
    folder = files("wearmodel").joinpath("kernel")
    ordered: dict[str, ast.Module] = {}

    def add(name: str) -> None:
        if name in ordered or name.endswith(_DECLARATIONS):
            return
        tree = ast.parse(folder.joinpath(f"{name}.py").read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module:
                add(node.module)
        ordered[name] = tree

    for root in roots:
        add(root)
    return ordered


def _aliases(source: str) -> list[str]:
    """Names that a module of records gives to types, such as rows of any length."""
    return [
        target.id
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]


def _copying(module: ast.Module) -> str:
    """What copies the samples of a module: a length that is known saves 5 % of a step.

    It is known where the module takes a `Sample`; a structure's samples are as long as it has
    inputs.
    """
    names = {
        alias.name
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    return "copy_sample" if "Sample" in names else "copy_row"


def takes_records(module: ast.Module) -> bool:
    """Whether a module of the kernel imports records, be it for annotations."""
    return bool(_declaring([module]))


def _declaring(modules: Iterable[ast.Module]) -> list[str]:
    """Modules from which some modules of the kernel import records, be it for annotations."""
    return sorted(
        {
            node.module
            for module in modules
            for node in ast.walk(module)
            if isinstance(node, ast.ImportFrom)
            and node.level == 1
            and (node.module or "").endswith(_RECORDS)
            and node.module
        }
    )


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


def _is_left_out(node: ast.stmt) -> bool:
    """Docstrings, imports, and what is there for type checkers only."""
    return isinstance(node, (ast.Import, ast.ImportFrom, ast.Expr, ast.If))


def _defined(body: list[ast.stmt]) -> set[str]:
    names: set[str] = set()
    for node in body:
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names.update(one.id for one in node.targets if isinstance(one, ast.Name))
    return names


class _Lowered(ast.NodeTransformer):
    """Drops annotations and docstrings, makes private names unique, and lowers records."""

    def __init__(self, private: Container[str], prefix: str, copying: str) -> None:
        self._private = private
        self._prefix = prefix
        self._copying = copying
        self._records = record_fields()
        # Record of each name in the function at hand, and of the items of each list of records.
        self._record_of: dict[str, str] = {}
        self._item_of: dict[str, str] = {}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self._record_of = {}
        self._item_of = {}
        for argument in node.args.args:
            kind = argument.annotation
            if isinstance(kind, ast.Name) and kind.id in self._records:
                self._record_of[argument.arg] = kind.id
            elif (
                isinstance(kind, ast.Subscript)
                and isinstance(kind.slice, ast.Name)
                and kind.slice.id in self._records
            ):
                self._item_of[argument.arg] = kind.slice.id
            argument.annotation = None
        node.returns = None
        if ast.get_docstring(node) is not None:
            del node.body[0]
        self.generic_visit(node)
        node.name = self._unique(node.name)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        # `counts = work.counts` names a record within a record.
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Name) and isinstance(value, ast.Attribute):
            outer = self._record(value.value)
            kind = self._records[outer].get(value.attr) if outer else None
            if kind in self._records:
                self._record_of[target.id] = kind
        # `s = contacts[index]` names one of a list of records, which is lowered to an array.
        if (
            isinstance(target, ast.Name)
            and isinstance(value, ast.Subscript)
            and isinstance(value.value, ast.Name)
            and value.value.id in self._item_of
        ):
            self._record_of[target.id] = self._item_of[value.value.id]
        self.generic_visit(node)
        copying = None
        if isinstance(target, ast.Attribute):
            copying = {"Samples": self._copying, "Predictions": "copy_errors"}.get(
                self._record(target.value) or ""
            )
        if copying is not None:
            # Where a row takes another's place, its numbers do.
            call = ast.Call(ast.Name(copying, ast.Load()), [node.value, node.targets[0]], [])
            ast.copy_location(node.targets[0], node).ctx = ast.Load()  # type: ignore[attr-defined]
            return ast.Expr(call)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.Subscript:
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Attribute):
            # Pythran 0.19 cannot type it.
            raise ValueError(f"line {node.lineno}: {ast.unparse(node)}: name the row first")
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        self.generic_visit(node)
        if node.value is None:
            return ast.Pass()
        return ast.Assign([node.target], node.value)

    def visit_Attribute(self, node: ast.Attribute) -> ast.Subscript:
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

    def _record(self, node: ast.expr) -> str | None:
        """Name of the record that a name stands for.

        A record within a record must be given a name first: Pythran cannot type it otherwise.
        """
        return self._record_of.get(node.id) if isinstance(node, ast.Name) else None

    def _unique(self, name: str) -> str:
        return f"{self._prefix}{name}" if name in self._private else name
