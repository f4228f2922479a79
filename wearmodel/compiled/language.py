"""The rules of the kernel's language, and the kinds of a function's expressions.

Code that breaks a rule would fail late in Pythran or the C++ compiler, or its results would differ
from Python. `docs/kernel_language.md` is the manual.

For kinds see `declarations`. In addition there are "number" for all numbers, and "tuple[…]".
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from .declarations import (
    Signature,
    bundle_fields,
    state_object_classes,
    state_object_fields,
    taken_apart,
)

NUMBER = "number"
_NUMBERS = {"float", "int", "bool"}
# Rows that are interchangeable as arguments.
_ROWS = ("Row", "Sample", "ModalRow", "ModeRow")
_BUILTINS = {"abs", "min", "max", "int", "float", "bool"}
_STATEMENTS = (ast.Pass, ast.Break, ast.Continue)
_ARITHMETIC = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp)


class LanguageError(ValueError):
    """A function of the kernel breaks a rule of its language. The message has file and line."""


class FunctionReader:
    """Reads one function, statement by statement. The first broken rule raises `LanguageError`.

    `functions` of the kernel and of `math`, and `constants` (numbers and tuples of numbers) with
    their kinds, are given by their names in the module. Reading fills `kinds`, the kind of each
    expression that is not a number, by its node, and `locals`, the kind of each name that is an
    argument or assigned.
    """

    def __init__(
        self, path: str, functions: Mapping[str, Signature | None], constants: Mapping[str, str]
    ) -> None:
        self.kinds: dict[ast.expr, str] = {}
        self.locals: dict[str, str] = {}
        self._path = path
        self._functions = functions
        self._constants = constants
        # Expression that each name of a row, a state object, a list or a bundle represents.
        self._bound: dict[str, str] = {}
        self._returns = "None"

    def read(self, function: ast.FunctionDef, signature: Signature) -> None:
        """Check a function and note the kinds of its expressions."""
        given = function.args
        if given.defaults or given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs:
            raise self._error(function, "arguments have no defaults and no stars")
        if function.decorator_list:
            raise self._error(function, "a function has no decorators")
        for name, kind in signature.arguments:
            self.locals[name] = NUMBER if kind in _NUMBERS else kind
            self._bound[name] = name
        self._returns = _reduced(signature.returns)
        self._read_all(function.body[1:] if ast.get_docstring(function) else function.body)
        for name, kind in self.locals.items():
            for part, _ in taken_apart(name, kind):
                if part != name and part in self.locals:
                    raise self._error(function, f"{part} is also the lowered name of a field")

    def _read_all(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self._read(statement)

    def _read(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Assign):
            if len(node.targets) != 1:
                raise self._error(node, "one target an assignment")
            self._assign(node.targets[0], node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None and node.simple:
            self._assign(node.target, node.value)
        elif isinstance(node, ast.AugAssign):
            self._number(node.target)
            self._take_number(node.target)
            self._number(node.value)
        elif isinstance(node, ast.Return):
            returned = "None" if node.value is None else self._kind(node.value)
            if returned != self._returns and not (_parts(returned) and "..." in self._returns):
                raise self._error(node, f"the function returns {self._returns}, not {returned}")
        elif isinstance(node, (ast.If, ast.While)):
            self._number(node.test)
            self._read_all([*node.body, *node.orelse])
        elif isinstance(node, ast.For):
            self._read_loop(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            self._kind(node.value)
        elif not isinstance(node, _STATEMENTS):
            raise self._error(node, "this statement is not in the language")

    def _read_loop(self, node: ast.For) -> None:
        """Check a loop, which must use a range or a tuple of numbers."""
        over = node.iter
        if isinstance(over, ast.Call) and ast.unparse(over.func) == "range":
            for argument in over.args:
                self._number(argument)
        elif _parts(self._kind(over)) is None:
            raise self._error(over, "a loop goes over a range or a tuple of numbers")
        self._take_number(node.target)
        self._read_all([*node.body, *node.orelse])

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
            self._copy(target, value)
            return
        kind = self._kind(value)
        if isinstance(target, ast.Tuple):
            wanted = _parts(kind)
            if wanted is None or (len(wanted) != len(target.elts) and "..." not in wanted):
                raise self._error(value, f"there must be {len(target.elts)} numbers, not {kind}")
            for part in target.elts:
                if isinstance(part, ast.Subscript) and self._is_in_record(part.value):
                    raise self._error(part, "name the row first")
                self._take_number(part)
        elif isinstance(target, ast.Name) and kind != NUMBER:
            self._bind(target, value, kind)
        elif kind == NUMBER:
            self._take_number(target)
        else:
            raise self._error(
                target, f"{kind} cannot take another's place: copy its numbers, or name it"
            )

    def _bind(self, target: ast.Name, value: ast.expr, kind: str) -> None:
        """Check a name for a row, a state object, a list, a bundle or a tuple."""
        if _parts(kind) is None:
            if isinstance(value, ast.Call):
                raise self._error(value, "it is not a number, and its rows do not have a name")
            # A name may represent different rows of the same list.
            meaning = ast.unparse(value.value if isinstance(value, ast.Subscript) else value)
            if self._bound.setdefault(target.id, meaning) != meaning:
                raise self._error(
                    target, f"it already is {self._bound[target.id]}: use another name"
                )
        exact = self._exact(value)
        if _reduced(self.locals.setdefault(target.id, exact)) != kind:
            raise self._error(target, f"it is {self.locals[target.id]} and cannot become {kind}")
        self.kinds[target] = exact

    def _copy(self, target: ast.Subscript, value: ast.expr) -> None:
        """Check `row[:] = other`, which copies the numbers of a row of the same length."""
        part = target.slice
        assert isinstance(part, ast.Slice)
        if part.lower or part.upper or part.step:
            raise self._error(target, "a row is copied as a whole: row[:] = other")
        exact = [self._exact(target.value), self._exact(value)]
        if exact[0] != exact[1] or exact[0] not in (*_ROWS, "list[float]"):
            raise self._error(target, f"{exact[0]} cannot be filled with {exact[1]}")

    def _take_number(self, target: ast.expr) -> None:
        """Check the target of the assignment of a number."""
        if isinstance(target, ast.Name):
            kind = self.locals.setdefault(target.id, NUMBER)
            if kind != NUMBER:
                raise self._error(target, f"it is {kind} and cannot become a number")
            return
        self._number(target)
        if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Subscript):
            # Pythran cannot infer types of names defined outside the function.
            known = {"", *self.locals, *_BUILTINS}
            for part in ast.walk(target.value.slice):
                if getattr(part, "id", "") not in known or isinstance(part, ast.Attribute):
                    raise self._error(target, f"name {ast.unparse(target.value)} first")
        if isinstance(target, ast.Attribute) and self._kind(target.value) in bundle_fields():
            raise self._error(target, "a bundle's field cannot be assigned")

    def _number(self, node: ast.expr) -> None:
        kind = self._kind(node)
        if kind != NUMBER:
            raise self._error(node, f"it is {kind} and must be a number")

    def _kind(self, node: ast.expr) -> str:
        """Kind of an expression, with one word for all rows of numbers."""
        return _reduced(self._exact(node))

    def _exact(self, node: ast.expr) -> str:
        kind = self._read_expression(node)
        if kind != NUMBER:
            self.kinds[node] = kind
        return kind

    def _read_expression(self, node: ast.expr) -> str:
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return NUMBER
        if isinstance(node, ast.Name):
            return self._named(node)
        if isinstance(node, ast.Attribute):
            return self._field(node)
        if isinstance(node, ast.Subscript):
            return self._element(node)
        if isinstance(node, ast.Call):
            return self._called(node)
        if isinstance(node, ast.Tuple):
            for part in node.elts:
                self._number(part)
            return f"tuple[{', '.join([NUMBER] * len(node.elts))}]"
        is_identity = isinstance(node, ast.Compare) and any(
            isinstance(operator, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for operator in node.ops
        )
        if is_identity or not isinstance(node, _ARITHMETIC):
            raise self._error(node, "this expression is not in the language")
        for operand in ast.iter_child_nodes(node):
            if isinstance(operand, ast.expr):
                self._number(operand)
        return NUMBER

    def _named(self, node: ast.Name) -> str:
        kind = self.locals.get(node.id) or self._constants.get(node.id)
        if kind is None:
            raise self._error(
                node,
                "it is not a local name, or a function or number of this module or its imports",
            )
        return kind

    def _field(self, node: ast.Attribute) -> str:
        kind = self._kind(node.value)
        fields = bundle_fields().get(kind) or state_object_fields().get(kind)
        if fields is None:
            raise self._error(node, f"{ast.unparse(node.value)} is {kind}, which has no fields")
        if node.attr not in fields:
            raise self._error(node, f"it is not a field of {kind}")
        is_element = isinstance(node.value, ast.Subscript)
        if kind in state_object_fields() and (is_element or self._is_in_record(node.value)):
            raise self._error(node, f"name {ast.unparse(node.value)} first")
        return NUMBER if fields[node.attr] in _NUMBERS else fields[node.attr]

    def _is_in_record(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Attribute) and self._kind(node.value) in state_object_fields()

    def _element(self, node: ast.Subscript) -> str:
        exact = self._exact(node.value)
        kind = _reduced(exact)
        self._number(node.slice)
        if kind in ("list[float]", "list[int]") or _parts(kind) is not None:
            return NUMBER
        if kind.startswith("list["):
            return (kind if exact == "Rows" else exact)[5:-1]
        raise self._error(node, f"{ast.unparse(node.value)} is {kind}, which has no elements")

    def _called(self, node: ast.Call) -> str:
        if not isinstance(node.func, ast.Name) or node.func.id in self.locals:
            raise self._error(node, "a function is called by its name")
        name = node.func.id
        if node.keywords:
            raise self._error(node, "arguments are given in their order, without names")
        if name == "len" and len(node.args) == 1:
            if not self._kind(node.args[0]).startswith("list["):
                raise self._error(node, "only a row or a list has a length")
            return NUMBER
        if name not in self._functions and name not in _BUILTINS:
            raise self._error(node, f"{name} is not a function of this module or its imports")
        taken = self._functions.get(name)
        if taken is None:
            for argument in node.args:
                self._number(argument)
            return NUMBER
        if len(node.args) != len(taken.arguments):
            raise self._error(node, f"{name} takes {len(taken.arguments)} arguments")
        for argument, (wanted_name, wanted) in zip(node.args, taken.arguments, strict=True):
            given = self._kind(argument)
            if not _may_stand_for(given, _reduced(wanted)):
                raise self._error(
                    argument, f"{wanted_name} of {name} is {_reduced(wanted)}, not {given}"
                )
        return NUMBER if taken.returns in _NUMBERS else taken.returns

    def _error(self, node: ast.AST, rule: str) -> LanguageError:
        line = getattr(node, "lineno", 0)
        text = node.name if isinstance(node, ast.FunctionDef) else ast.unparse(node)
        return LanguageError(f"{self._path}:{line}: {text.splitlines()[0]}: {rule}")


def _reduced(kind: str) -> str:
    """Return a kind with one word for all numbers, and one word for all rows of numbers."""
    if kind in _NUMBERS:
        return NUMBER
    if kind in _ROWS:
        return "list[float]"
    if kind == "Rows":
        return "list[list[float]]"
    if kind.startswith("list[") and kind != "list[int]":
        inner = _reduced(kind[5:-1])
        return f"list[{'float' if inner == NUMBER else inner}]"
    parts = _parts(kind)
    if parts is not None:
        return f"tuple[{', '.join('...' if part == '...' else NUMBER for part in parts)}]"
    return kind


def _parts(kind: str) -> list[str] | None:
    return kind[6:-1].split(", ") if kind.startswith("tuple[") else None


def _may_stand_for(given: str, wanted: str) -> bool:
    """Whether an argument of a kind is accepted. State objects may belong to a subclass."""
    classes = state_object_classes()
    if given in classes and wanted in classes:
        return issubclass(classes[given], classes[wanted])
    return given == wanted
