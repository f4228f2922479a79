"""Mutants of the C++ by its syntax tree, all of them in one library.

Each changed expression becomes ``(mutants::active(n) ? changed : original)``, and an environment
variable selects the mutant n. The library also writes which mutants each test reaches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import tree_sitter
import tree_sitter_cpp

from .mutant import ARITHMETIC, BOUNDARY, COMPARISON, EXTREMA, Collector, Edit, Mutant

#: Environment variables: number of the active mutant, and file of the mutants that tests reach.
ACTIVE = "WEARFMU_MUTANT"
REACHED = "WEARFMU_REACHED"

# Texts, types, compile-time declarations and macro definitions are not changed.
_UNCHANGED = {
    "preproc_def",
    "preproc_function_def",
    "preproc_include",
    "preproc_call",
    "static_assert_declaration",
    "template_argument_list",
    "template_parameter_list",
    "array_declarator",
    "enumerator_list",
    "case_statement_label",
    "string_literal",
    "char_literal",
    "type_definition",
    "type_descriptor",
}
_SCOPES = ("declaration_list", "translation_unit")
_CONDITIONED = {"if_statement", "while_statement", "for_statement", "conditional_expression"}

#: Header that selects the mutant.
HEADER = f"""// Selects a mutant by an environment variable, and writes which mutants tests reach.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
namespace mutants {{
inline int chosen() {{
    const char *const text = std::getenv("{ACTIVE}");
    return text ? std::atoi(text) : -1;
}}
inline const int number = chosen();
inline const char *const reached = std::getenv("{REACHED}");
inline bool seen[1 << 14];
inline char test[1 << 12];
inline void note(int n) {{
    const char *const now = std::getenv("PYTEST_CURRENT_TEST");
    if (!now) return;
    if (std::strncmp(now, test, sizeof test - 1)) {{
        std::strncpy(test, now, sizeof test - 1);
        std::memset(seen, 0, sizeof seen);
    }}
    if (seen[n]) return;
    seen[n] = true;
    std::FILE *const file = std::fopen(reached, "a");
    if (!file) return;
    std::fprintf(file, "%d %s\\n", n, test);
    std::fclose(file);
}}
inline bool active(int n) {{
    if (reached) note(n);
    return n == number;
}}
}} // namespace mutants
"""
HEADER_NAME = "mutants.hpp"


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language()))


def native_mutants(group: str, file: str, content: bytes) -> list[Mutant]:
    """Return all mutants of a file, in the order of its syntax tree."""
    collector = Collector(group, file, content)
    _visit(_parser().parse(content).root_node, content, collector)
    return collector.mutants


def _text(node: tree_sitter.Node, content: bytes) -> str:
    return content[node.start_byte : node.end_byte].decode()


def _is_constant(node: tree_sitter.Node, content: bytes) -> bool:
    """Return whether a declaration or a condition is evaluated by the compiler."""
    if node.type in ("declaration", "field_declaration"):
        return any(_text(child, content) == "constexpr" for child in node.children)
    return node.type == "if_statement" and b" constexpr " in content[
        node.start_byte : node.start_byte + 14
    ].replace(b"(", b" ")


def _visit(node: tree_sitter.Node, content: bytes, collector: Collector) -> None:
    if node.type in _UNCHANGED or (_is_constant(node, content) and node.type != "if_statement"):
        return
    span = node.start_byte, node.end_byte

    def swap(operator: str, place: tree_sitter.Node, text: str) -> None:
        collector.add(operator, span, (Edit(place.start_byte, place.end_byte, text.encode()),))

    if node.type == "binary_expression":
        place = node.child_by_field_name("operator")
        assert place is not None
        symbol = _text(place, content)
        if symbol in ("+", "-", "*", "/", "%"):
            swap("arithmetic", place, ARITHMETIC[symbol])
        if symbol in BOUNDARY:
            swap("boundary", place, BOUNDARY[symbol])
        if symbol in COMPARISON:
            swap("comparison", place, COMPARISON[symbol])
        if symbol in ("&&", "||"):
            swap("boolean", place, "||" if symbol == "&&" else "&&")
    elif node.type == "number_literal":
        for step in ("+ 1", "- 1"):
            swap("constant", node, f"({_text(node, content)} {step})")
    elif node.type in ("true", "false"):
        swap("boolean", node, "false" if node.type == "true" else "true")
    elif node.type == "unary_expression":
        place = node.children[0]
        if _text(place, content) == "-":
            swap("arithmetic", place, "")
        elif _text(place, content) == "!":
            swap("boolean", place, "!!")
    elif node.type == "assignment_expression":
        place = node.child_by_field_name("operator")
        assert place is not None
        symbol = _text(place, content)
        if symbol[:-1] in ("+", "-", "*", "/"):
            swap("arithmetic", place, f"{ARITHMETIC[symbol[:-1]]}=")
    elif node.type == "call_expression":
        place = node.child_by_field_name("function")
        assert place is not None
        name = _text(place, content)
        if name.rpartition("::")[2] in EXTREMA:
            swap("extremum", place, name[:-3] + EXTREMA[name[-3:]])
    elif (
        node.type == "expression_statement"
        and node.named_child_count
        # A macro outside functions looks like a statement.
        and (node.parent is None or node.parent.type not in _SCOPES)
    ):
        collector.add("removed statement", span, (Edit(*span, b";"),))
    if node.type in _CONDITIONED and not _is_constant(node, content):
        condition = node.child_by_field_name("condition")
        if condition is not None and condition.type == "condition_clause":
            condition = condition.child_by_field_name("value")
        if condition is not None and condition.is_named and condition.type != "declaration":
            start, end = condition.start_byte, condition.end_byte
            edits = (Edit(start, start, b"!("), Edit(end, end, b")"))
            collector.add("negated condition", (start, end), edits)
    for child in node.children:
        if not (_is_constant(node, content) and child == node.child_by_field_name("condition")):
            _visit(child, content, collector)


def with_all(content: bytes, mutants: Sequence[Mutant], numbers: Mapping[str, int]) -> bytes:
    """Return the content of a file with its mutants, each selected by its number.

    Only one mutant is active, so a changed expression does not contain others.
    """
    spans: dict[tuple[int, int], list[Mutant]] = {}
    for mutant in mutants:
        spans.setdefault((mutant.start, mutant.end), []).append(mutant)
    # Outer expressions come before inner ones.
    order = sorted(spans, key=lambda span: (span[0], -span[1]))

    def rendered(start: int, end: int, inside: list[tuple[int, int]]) -> bytes:
        parts, at = [], start
        while inside:
            span = inside[0]
            inner = [other for other in inside[1:] if other[1] <= span[1]]
            inside = [other for other in inside[1:] if other[1] > span[1]]
            original = rendered(*span, inner)
            parts += [content[at : span[0]], chosen(span, original)]
            at = span[1]
        return b"".join([*parts, content[at:end]])

    def chosen(span: tuple[int, int], original: bytes) -> bytes:
        for mutant in spans[span]:
            low, high = span
            # Remove the rest of the file after the span.
            changed = mutant.applied(content)[
                low : len(mutant.applied(content)) - len(content) + high
            ]
            test = f"mutants::active({numbers[mutant.key]})".encode()
            if mutant.operator == "removed statement":
                original = b"{ if (!" + test + b") " + original + b" }"
            else:
                # A pointer can be a condition, but its type differs from the type of its negation.
                kind = b"bool" if mutant.operator == "negated condition" else b""
                original = b"(%b ? (%b) : %b(%b))" % (test, changed, kind, original)
        return original

    text = rendered(0, len(content), order)
    include = f'#include "{HEADER_NAME}"\n'.encode()
    if b"#pragma once\n" in text:
        return text.replace(b"#pragma once\n", b"#pragma once\n" + include, 1)
    return include + text
