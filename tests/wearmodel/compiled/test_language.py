"""Code outside the kernel's language is rejected with file and line."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import wearmodel
from wearmodel import kernel
from wearmodel.compiled.declarations import kernel_names
from wearmodel.compiled.language import LanguageError
from wearmodel.compiled.lowering import lowered_kernel
from wearmodel.kernel.shoe.state_objects import State, Work

from .planted import ROOM, planted

RECORDS = """
from __future__ import annotations
from dataclasses import dataclass
from ..state_objects import Row, Sample, bundle, copying, state_object

@state_object
class Ball:
    height: float
    speed: float

@state_object
class Striped(Ball):
    stripes: float

@state_object
class Tray:
    first: Row
    second: Row
    newest: Sample
    ball: Ball
    spare: Ball

@bundle
@dataclass
class Box:
    tray: Tray
    balls: list[Ball]
    rows: list[list[float]]

copy_ball = copying(Ball)
"""
OTHER = """
from __future__ import annotations
from .state_objects import Ball, Tray
FAR = 3.0
NAMES = {1: "a"}

def bounce(ball: Ball, tray: Tray, height: float) -> float:
    return ball.speed + height + tray.first[0]

def both(ball: Ball) -> tuple[float, float]:
    return ball.speed, ball.height
"""
HEAD = """\
from __future__ import annotations
from math import sqrt
from .other import FAR, NAMES, both, bounce
from .state_objects import Ball, Box, Striped, Tray, copy_ball
from ..state_objects import Row
"""
# Line number of the first statement of a body.
FIRST = HEAD.count("\n") + 2


def function(*body: str, taken: str = "") -> str:
    """Return the source of a module with a function that has these lines."""
    taken = taken or "ball: Ball, spare: Ball, tray: Tray, box: Box, row: Row, x: float, n: int"
    return f"{HEAD}def play({taken}) -> float:\n" + "".join(f"    {line}\n" for line in body)


MISTAKES = {
    "a misspelt field": (["return ball.hieght"], 1, "it is not a field of planted.Ball"),
    "a field of what has none": (["return x.height"], 1, "x is number, which has no fields"),
    "a state object for a field": (
        ["tray.ball = tray.spare"],
        1,
        "planted.Ball cannot take another's place: copy its numbers",
    ),
    "a row for a field": (["tray.first = row"], 1, "list[float] cannot take another's place"),
    "an exchange of state objects through a third": (
        ["third = tray.ball", "tray.ball = tray.spare", "tray.spare = third"],
        2,
        "cannot take another's place",
    ),
    "a row for a list's element": (
        ["rows = box.rows", "rows[0] = row"],
        2,
        "cannot take another's place",
    ),
    "a state object for a list's element": (
        ["balls = box.balls", "balls[n] = ball"],
        2,
        "cannot take another's place",
    ),
    "a row for a number": (["ball.height = row"], 1, "cannot take another's place"),
    "a second row for a name": (
        ["line = tray.first", "line = tray.second"],
        2,
        "it already is tray.first: use another name",
    ),
    "another state object for an argument": (["ball = spare"], 1, "it already is ball"),
    "another bundle's part for a name": (
        ["inner = box.tray", "inner = tray"],
        2,
        "it already is box.tray",
    ),
    "a state object chosen by a condition": (
        ["chosen = ball if x > 0.0 else spare"],
        1,
        "it is planted.Ball and must be a number",
    ),
    "a number for a row's name": (
        ["line = tray.first", "line = 1.0"],
        2,
        "it is Row and cannot become a number",
    ),
    "a list where a number belongs": (
        ["return row + 1.0"],
        1,
        "it is list[float] and must be a number",
    ),
    "a list as an argument that is a number": (
        ["return bounce(ball, tray, row)"],
        1,
        "height of bounce is number, not list[float]",
    ),
    "a list for a function of math": (["return sqrt(row)"], 1, "and must be a number"),
    "a function that is not imported": (
        ["return rebound(ball)"],
        1,
        "rebound is not a function of this module or its imports",
    ),
    "a constant that is not imported": (
        ["return x + NEAR"],
        1,
        "it is not a local name, or a function or number of this module or its imports",
    ),
    "a constant that is no number": (["return NAMES[1]"], 1, "it is not a local name"),
    "another state object than is wanted": (
        ["copy_ball(ball, tray)"],
        1,
        "target of copy_ball is planted.Ball, not planted.Tray",
    ),
    "an argument too few": (["return bounce(ball, tray)"], 1, "bounce takes 3 arguments"),
    "a named argument": (["return bounce(ball, tray, height=x)"], 1, "without names"),
    "three names for two numbers": (["a, b, c = both(ball)"], 1, "there must be 3 numbers"),
    "a bundle's field that is given something": (
        ["box.rows += x"],
        1,
        "it is list[list[float]] and must be a number",
    ),
    "another kind of row": (["tray.first[:] = tray.newest"], 1, "Row cannot be filled with Sample"),
    "a part of a row": (["row[1:] = tray.first"], 1, "a row is copied as a whole"),
    "two numbers in a row without a name": (
        ["tray.first[0], x = both(ball)"],
        1,
        "name the row first",
    ),
    "a state object within a state object without a name": (
        ["return tray.ball.height"],
        1,
        "name tray.ball first",
    ),
    "a number in a list's row that a constant chooses": (
        ["rows = box.rows", "rows[FAR][n] = x"],
        2,
        "name rows[FAR] first",
    ),
    "a number in a list's row that a field chooses": (
        ["rows = box.rows", "rows[int(ball.height)][n] = x"],
        2,
        "name rows[int(ball.height)] first",
    ),
    "numbers in a list's row that a function chooses": (
        ["rows = box.rows", "rows[int(bounce(ball, tray, x))][n], x = both(ball)"],
        2,
        "name rows[int(bounce(ball, tray, x))] first",
    ),
    "a new list": (["line = [0.0, 1.0]"], 1, "this expression is not in the language"),
    "a dictionary": (["seen = {1: x}"], 1, "this expression is not in the language"),
    "a lambda": (["f = lambda: x"], 1, "this expression is not in the language"),
    "an identity": (["return float(ball is spare)"], 1, "is not in the language"),
    "an exception": (["raise ValueError"], 1, "this statement is not in the language"),
    "two targets": (["a = b = x"], 1, "one target an assignment"),
    "a loop over a list": (["for each in row:", "    x += each"], 1, "a loop goes over a range"),
    "a function that returns another kind": (
        ["return both(ball)"],
        1,
        "the function returns number, not tuple[number, number]",
    ),
    "a name that a bundle's field gets": (["box_tray = 1.0"], 0, "box_tray is also the lowered"),
}


STRANGE_ARGUMENTS = ("ball: Ball, x: float = 0.0", "*x: float")
MODULES = {
    **{mistake: function(*body) for mistake, (body, _, _) in MISTAKES.items()},
    **{taken: function("return 0.0", taken=taken) for taken in STRANGE_ARGUMENTS},
    "derived": function(
        "copy_ball(ball, spare)", "return 0.0", taken="ball: Striped, spare: Striped"
    ),
}
NAMES = {source: f"module_{number}" for number, source in enumerate(MODULES)}


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Add a package with a module for each entry of `MODULES`."""
    sources = {"state_objects": RECORDS, "other": OTHER}
    sources.update((NAMES[source], text) for source, text in MODULES.items())
    with planted(tmp_path_factory.mktemp("kernel"), sources):
        yield


def refusal(source: str) -> str:
    """Return the message that follows the file name when the module is rejected."""
    with pytest.raises(LanguageError) as refused:
        lowered_kernel((f"{ROOM}.{NAMES[source]}",))
    file, _, message = str(refused.value).partition(":")
    assert file == f"wearmodel/kernel/{ROOM}/{NAMES[source]}.py"
    return message


@pytest.mark.usefixtures("room")
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_reported_with_file_line_and_rule(mistake):
    body, line, rule = MISTAKES[mistake]
    number, words, told = refusal(mistake).split(": ", 2)
    assert int(number) == FIRST + line - 1
    assert rule in told
    assert words in (body[line - 1] if line else "play")


@pytest.mark.usefixtures("room")
@pytest.mark.parametrize("taken", STRANGE_ARGUMENTS)
def test_an_argument_that_is_not_in_the_language_is_refused(taken):
    assert refusal(taken).startswith(f"{FIRST - 1}: play: ")


def test_a_record_of_rows_can_be_copied_and_nothing_else(tmp_path):
    head = "from __future__ import annotations\n"
    head += "from ..state_objects import Row, {maker}, state_object\n"
    body = "@state_object\nclass Pair:\n    first: Row\n    second: Row\n\nplay = {maker}(Pair)\n"
    sources = {maker: (head + body).format(maker=maker) for maker in ("copying", "clearing")}
    with planted(tmp_path, {"copying": sources["copying"]}, "pairs"):
        text = lowered_kernel(("pairs.copying",)).text
    namespace: dict[str, Any] = {}
    exec(text, namespace)
    source, target = [list(range(56)), list(range(9, 65))], [[0] * 56, [0] * 56]
    namespace["pairs_copying_play"](source, target)
    assert target == source
    with (
        planted(tmp_path, {"clearing": sources["clearing"]}, "cleared"),
        pytest.raises(LanguageError, match=r"clearing.py:8: play = clearing\(Pair\): the fields"),
    ):
        lowered_kernel(("cleared.clearing",))


@pytest.mark.usefixtures("room")
def test_a_record_may_stand_for_the_one_that_it_begins_with():
    lowered_kernel((f"{ROOM}.{NAMES['derived']}",))


def test_a_record_of_numbers_and_rows_is_refused(tmp_path):
    mixed = RECORDS.replace("    speed: float\n", "    speed: float\n    trace: Row\n")
    sources = {"state_objects": mixed, "other": OTHER, "play": function("return 0.0")}
    with (
        planted(tmp_path, sources, "mixed"),
        pytest.raises(ValueError, match=r"mixed.Ball must have numbers or rows, not both"),
    ):
        lowered_kernel(("mixed.play",))


def test_two_modules_and_two_rooms_may_use_the_same_words(tmp_path):
    # `shoe.State` and `shoe.steps.step` belong to the shoe, and OK is a constant of `limits`.
    declared = (
        "from ..state_objects import state_object\n@state_object\nclass State:\n    height: float\n"
        "@state_object\nclass Work:\n    before: State\n"
    )
    first = (
        "from .state_objects import State\nOK = 5\n"
        "def step(s: State) -> float:\n    return s.height + OK\n"
    )
    second = (
        "from .first import step as first_step\nfrom .state_objects import State\nOK = 7\n"
        "def step(s: State) -> float:\n    return first_step(s) + OK\n"
    )
    sources = {"state_objects": declared, "first": first, "second": second}
    sources = {
        name: f"from __future__ import annotations\n{text}" for name, text in sources.items()
    }
    with planted(tmp_path, sources, "words"):
        text = lowered_kernel(("words.second", "shoe.steps")).text
        own = import_module(f"{kernel.__name__}.words.state_objects")
        assert isinstance(own.Work().before, own.State)
        assert isinstance(Work().before, State)
    namespace: dict[str, Any] = {}
    exec(text, namespace)
    assert namespace["words_second_step"]([1.0]) == 13.0
    assert namespace["limits_OK"] == 0
    assert namespace["shoe_State_displacement"] == 0
    assert callable(namespace["shoe_steps_step"])


def test_two_definitions_that_get_one_name_are_refused(tmp_path):
    one = "def b_c(x: float) -> float:\n    return x\n"
    two = "from .a import b_c\ndef c(x: float) -> float:\n    return b_c(x)\n"
    with (
        planted(tmp_path, {"a": one, "a_b": two}, "names"),
        pytest.raises(ValueError, match=r"names_a_b_c of kernel/names.a_b is also names.a"),
    ):
        lowered_kernel(("names.a_b",))


def test_each_line_of_the_joined_kernel_names_its_source():
    kernel = lowered_kernel(("series.polynomials",))
    lines = kernel.text.splitlines()
    assert len(lines) == len(kernel.sources)
    folder = Path(wearmodel.__file__).parents[1]
    found = 0
    for line, source in zip(lines, kernel.sources, strict=True):
        match = re.match(r"def series_polynomials_(\w+)\(", line)
        if match:
            file, _, number = source.rpartition(":")
            written = (folder / file).read_text(encoding="utf-8").splitlines()[int(number) - 1]
            assert written.startswith(f"def {match[1]}(")
            found += 1
    assert found > 3


@pytest.mark.long
def test_all_modules_of_the_kernel_keep_the_rules_and_lose_their_attributes():
    names = [name for name in kernel_names() if not name.startswith(f"{ROOM}.")]
    lowered = ast.parse(lowered_kernel(names).text)
    assert not [node for node in ast.walk(lowered) if isinstance(node, ast.Attribute)]
