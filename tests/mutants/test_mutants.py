"""Each operator changes only its own kind of code."""

from __future__ import annotations

import ast

import pytest

from .earlier_lines import earlier_places
from .mutant import Mutant
from .python_mutants import python_mutants


def changes(text: str) -> list[tuple[str, str]]:
    """Return the operator and the changed text of each mutant."""
    content = text.encode()
    return [(m.operator, m.applied(content).decode()) for m in python_mutants("", "", content)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = a + b", [("arithmetic", "x = a - b")]),
        ("x = (a) * (b)", [("arithmetic", "x = (a) / (b)")]),
        ("x = -a", [("arithmetic", "x = a")]),
        ("x = a < b", [("boundary", "x = a <= b"), ("comparison", "x = a > b")]),
        ("x = a is not b", [("comparison", "x = a is b")]),
        ("x = a and b", [("boolean", "x = a or b")]),
        ("x = not (a)", [("boolean", "x = (a)")]),
        ("x = True", [("boolean", "x = False")]),
        ("x = 2.5", [("constant", "x = (2.5 + 1)"), ("constant", "x = (2.5 - 1)")]),
        ("x = max(a, b)", [("extremum", "x = min(a, b)")]),
        ("x = np.minimum(a, b)", [("extremum", "x = np.maximum(a, b)")]),
        ("x = a if c else b", [("negated condition", "x = a if not (c) else b")]),
        ("x.y = a", [("removed statement", "pass")]),
        ("x += a", [("arithmetic", "x -= a"), ("removed statement", "pass")]),
        ("raise ValueError(1 + 2)", [("removed statement", "pass")]),
        ('"""Text 1 + 2."""', []),
        ('x: "1 < 2" = f"{a + b}"', []),
        ("é = a + b  # 1 + 2", [("arithmetic", "é = a - b  # 1 + 2")]),
    ],
)
def test_operators_change_one_place(text: str, expected: list[tuple[str, str]]) -> None:
    assert changes(text) == expected


def test_mutants_are_valid_python_and_have_names_of_their_own() -> None:
    content = (
        b"def f(a, b):\n    if a < b and a < b:\n        g(a)\n    return (a +\n        b) - 1\n"
    )
    mutants: list[Mutant] = python_mutants("", "", content)
    for mutant in mutants:
        ast.parse(mutant.applied(content))
    assert len({mutant.key for mutant in mutants}) == len(mutants) > 8


def test_a_mutant_keeps_its_name_if_other_lines_change() -> None:
    (before,) = python_mutants("", "", b"x = a + b\n")
    _, after = python_mutants("", "", b"y = c - d\nx = a + b\n")
    assert (before.key, before.line, after.line) == (after.key, 1, 2)


def test_an_earlier_map_is_matched_by_the_text_of_lines() -> None:
    same = earlier_places(list("abc"), list("abc"))
    assert same == [[1], [2], [3]]
    # A changed line has the tests of the lines that it replaces, a new line of its neighbours.
    assert earlier_places(list("abcd"), list("aXd")) == [[1], [2, 3], [4]]
    assert earlier_places(list("ab"), list("XabY")) == [[1], [1], [2], [2]]
    assert earlier_places(list("ab"), list("aXb")) == [[1], [1, 2], [2]]
    assert earlier_places([], ["a"]) == [[]]
