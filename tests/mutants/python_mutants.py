"""Mutants of a Python file, by its syntax tree.

Annotations, texts of messages and documentation are not changed.
"""

from __future__ import annotations

import ast
import re

from .mutant import ARITHMETIC, BOUNDARY, COMPARISON, EXTREMA, Collector, Edit, Mutant

_BINARY = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
}
_COMPARED = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def python_mutants(group: str, file: str, content: bytes) -> list[Mutant]:
    """Return all mutants of a file, in the order of its syntax tree."""
    found = _Visitor(group, file, content)
    found.visit(ast.parse(content))
    return found.collector.mutants


class _Visitor(ast.NodeVisitor):
    def __init__(self, group: str, file: str, content: bytes) -> None:
        self.collector = Collector(group, file, content)
        self.content = content
        self._lines = [0]
        for line in content.split(b"\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)
        self._functions = 0

    # -- positions --------------------------------------------------------------------------------

    def _span(self, node: ast.AST) -> tuple[int, int]:
        """Return the first byte of a node and the byte after its last."""
        first = self._lines[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        last = self._lines[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        return first, last

    def _add(self, operator: str, node: ast.AST, *edits: Edit) -> None:
        imported = self._functions == 0
        self.collector.add(operator, self._span(node), edits, imported=imported)

    def _between(self, left: ast.AST, right: ast.AST, symbol: str) -> tuple[int, int] | None:
        """Return the position of an operator between two operands."""
        start, end = self._span(left)[1], self._span(right)[0]
        gap = re.sub(rb"#[^\n]*", lambda comment: b" " * len(comment[0]), self.content[start:end])
        words = rb"\s+".join(re.escape(word.encode()) for word in symbol.split())
        found = re.search(words, gap)
        return None if found is None else (start + found.start(), start + found.end())

    def _swap(self, operator: str, node: ast.AST, place: tuple[int, int] | None, text: str) -> None:
        if place is not None:
            self._add(operator, node, Edit(*place, text.encode()))

    def _negate(self, test: ast.AST) -> None:
        start, end = self._span(test)
        self._add("negated condition", test, Edit(start, start, b"not ("), Edit(end, end, b")"))

    # -- unchanged code ----------------------------------------------------------------------------

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Do not change texts."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Change the value but not the annotation."""
        if node.value is not None:
            self.visit(node.value)

    def visit_arg(self, node: ast.arg) -> None:
        """Do not change annotations."""

    def visit_Raise(self, node: ast.Raise) -> None:
        """Remove the statement. Its message is not changed."""
        self._remove(node)

    # -- definitions ------------------------------------------------------------------------------

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        for value in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(value)
        self._functions += 1
        for statement in node.body if isinstance(node.body, list) else [node.body]:
            self.visit(statement)
        self._functions -= 1

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Visit a function without annotations and decorators."""
        self._function(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Visit a lambda like a function."""
        self._function(node)

    # -- expressions ------------------------------------------------------------------------------

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Change arithmetic, unless it joins texts."""
        symbol = _BINARY.get(type(node.op))
        is_text = any(
            isinstance(side, ast.JoinedStr)
            or (isinstance(side, ast.Constant) and isinstance(side.value, str | bytes))
            for side in (node.left, node.right)
        )
        if symbol and not is_text:
            place = self._between(node.left, node.right, symbol)
            self._swap("arithmetic", node, place, ARITHMETIC[symbol])
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Change arithmetic, or remove the statement."""
        symbol = _BINARY.get(type(node.op))
        if symbol:
            place = self._between(node.target, node.value, f"{symbol}=")
            self._swap("arithmetic", node, place, f"{ARITHMETIC[symbol]}=")
        self._remove(node)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """Remove a minus or a negation."""
        start, operand = self._span(node)[0], self._span(node.operand)[0]
        if isinstance(node.op, ast.USub):
            self._add("arithmetic", node, Edit(start, start + 1, b""))
        elif isinstance(node.op, ast.Not):
            # The parenthesis of the operand, if any, is kept.
            end = start + len(re.match(rb"not\s*", self.content[start:operand])[0])  # type: ignore[index]
            self._add("boolean", node, Edit(start, end, b""))
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        """Change each comparison of a chain."""
        left = node.left
        for comparison, right in zip(node.ops, node.comparators, strict=True):
            symbol = _COMPARED[type(comparison)]
            place = self._between(left, right, symbol)
            if symbol in BOUNDARY:
                self._swap("boundary", node, place, BOUNDARY[symbol])
            self._swap("comparison", node, place, COMPARISON[symbol])
            left = right
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """Swap `and` and `or`."""
        symbol, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._swap("boolean", node, self._between(left, right, symbol), other)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Change a number by ± 1, or negate a truth value."""
        start, end = self._span(node)
        if isinstance(node.value, bool):
            self._add("boolean", node, Edit(start, end, str(not node.value).encode()))
        elif isinstance(node.value, int | float):
            for step in ("+ 1", "- 1"):
                text = b"(" + self.content[start:end] + f" {step})".encode()
                self._add("constant", node, Edit(start, end, text))

    def visit_Call(self, node: ast.Call) -> None:
        """Swap minimum and maximum."""
        function = node.func
        name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
        if name in EXTREMA:
            end = self._span(function)[1]
            self._add("extremum", node, Edit(end - len(name), end, EXTREMA[name].encode()))
        self.generic_visit(node)

    # -- conditions and statements ----------------------------------------------------------------

    def visit_If(self, node: ast.If) -> None:
        """Negate the condition."""
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return
        self._negate(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        """Negate the condition."""
        self._negate(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        """Negate the condition."""
        self._negate(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        """Negate the conditions."""
        for test in node.ifs:
            self._negate(test)
        self.generic_visit(node)

    def _remove(self, node: ast.stmt) -> None:
        self._add("removed statement", node, Edit(*self._span(node), b"pass"))

    def visit_Expr(self, node: ast.Expr) -> None:
        """Remove a call. Documentation is not changed."""
        if isinstance(node.value, ast.Call):
            self._remove(node)
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        """Remove an assignment to a field or an item. An undefined name would fail anyway."""
        if any(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets):
            self._remove(node)
        if not any(isinstance(name, ast.Name) and name.id == "__all__" for name in node.targets):
            self.generic_visit(node)

    def visit_Continue(self, node: ast.Continue) -> None:
        """Remove the statement."""
        self._remove(node)

    def visit_Break(self, node: ast.Break) -> None:
        """Remove the statement."""
        self._remove(node)
