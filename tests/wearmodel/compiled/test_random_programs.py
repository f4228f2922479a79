"""Random programs in the kernel's language give identical bits as objects, lists and compiled code.

The programs use many aliases: of state objects, rows and list elements, one object for two
arguments, copies of overlapping content, and swaps. Some programs contain statements that would
change their meaning when lowered. These must be rejected.
"""

import ctypes
import random
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from wearmodel import kernel
from wearmodel.compiled.declarations import source_tree
from wearmodel.compiled.language import LanguageError
from wearmodel.compiled.lowering import lowered_kernel, lowered_module
from wearmodel.compiled.platform_libraries import KERNEL_UNIT, compile_library, supported_platform
from wearmodel.compiled.run_exports import run_functions
from wearmodel.compiled.run_library import Runs, RunSource
from wearmodel.compiled.translate import translate_kernel
from wearmodel.kernel.limits import ROW_LENGTH
from wearmodel.kernel.state_objects import numbers_of

from .planted import planted

ROOM = "programs"
PLAY_MODULE = f"{ROOM}.play"
PROGRAMS = 200
# Number of elements of rows and lists that the programs use.
USED = 3
RECORDS = """
from __future__ import annotations
from dataclasses import dataclass
from ..state_objects import Row, bundle, copying, state_object

@state_object
class Ball:
    height: float
    speed: float
    spin: float

@state_object
class Tray:
    first: Row
    second: Row
    ball: Ball
    spare: Ball

@bundle
@dataclass
class Box:
    tray: Tray
    balls: list[Ball]
    rows: list[Row]

copy_ball = copying(Ball)
"""
PLAY = """
from __future__ import annotations
from ..state_objects import Row
from .state_objects import Ball, Box, Tray, copy_ball

def mix(one: Ball, two: Ball, x: float) -> float:
    one.height = 0.5 * (two.speed - x)
    two.speed = one.height + 0.25 * two.spin
    one.spin = two.speed - one.speed
    return one.height + two.spin

def blend(one: Row, two: Row, x: float) -> None:
    one[0] = 0.5 * (two[1] - x)
    two[1] = one[0] + 0.25 * two[2]
    one[2] = two[1] - one[1]
"""
NUMBERS = ("x", "y", "z")
FIELDS = ("height", "speed", "spin")


class Program:
    """Source of one random function. `is_wrong` is true if it contains an invalid statement."""

    def __init__(self, number: int) -> None:
        self.name = f"program_{number}"
        self._draw = random.Random(number)
        self._balls = ["ball", "other"]
        self._rows = ["row"]
        self.is_wrong = False
        self._lines = [
            f"def {self.name}(ball: Ball, other: Ball, row: Row, box: Box, x: float) -> float:",
            "    tray = box.tray",
            "    y = 1.0",
            "    z = ball.height",
        ]
        for _ in range(self._draw.randint(2, 4)):
            self._name_something()
        for _ in range(self._draw.randint(4, 8)):
            self._statement("    ")
        self._lines.append("    return x + y + z\n")

    def text(self) -> str:
        """Return the source."""
        return "\n".join(["", *self._lines])

    def _add(self, indent: str, line: str) -> None:
        self._lines.append(indent + line)

    def _name_something(self) -> None:
        """Add an alias of a state object, a row or a list element."""
        if self._draw.random() < 0.5:
            name = f"ball_{len(self._balls)}"
            what = ["tray.ball", "tray.spare", *self._balls, f"box.balls[{self._index()}]"]
            names = self._balls
        else:
            name = f"row_{len(self._rows)}"
            what = ["tray.first", "tray.second", *self._rows, f"box.rows[{self._index()}]"]
            names = self._rows
        self._add("    ", f"{name} = {self._draw.choice(what)}")
        names.append(name)

    def _index(self) -> int:
        return self._draw.randrange(USED)

    def _place(self, rows: tuple[str, ...] = ("tray.first", "tray.second")) -> str:
        """Return a name, field or element that is a number. `rows` may be unnamed."""
        kind = self._draw.random()
        if kind < 0.4:
            return f"{self._draw.choice(self._balls)}.{self._draw.choice(FIELDS)}"
        if kind < 0.7:
            return f"{self._draw.choice([*self._rows, *rows])}[{self._index()}]"
        return self._draw.choice(NUMBERS)

    def _number(self) -> str:
        first, second = self._place(), self._place()
        return self._draw.choice(
            [
                f"0.5 * ({first} - {second})",
                f"{first} / (2.0 + abs({second}))",
                f"({first} if {second} > 0.25 else -{first})",
                f"max({first}, 0.75 * {second})",
                f"len({self._draw.choice(self._rows)}) * 0.0 + {first}",
            ]
        )

    def _statement(self, indent: str) -> None:
        draw = self._draw
        ball, other = draw.choice(self._balls), draw.choice(self._balls)
        row, line = draw.choice(self._rows), draw.choice(self._rows)
        kind = draw.randrange(12 if len(indent) < 12 else 8)
        if kind < 3:
            self._add(indent, f"{self._place()} = {self._number()}")
        elif kind == 3:
            self._add(indent, f"{self._place()} {draw.choice('+-')}= {self._number()}")
        elif kind == 4:
            one, two = self._place(()), self._place(())
            self._add(indent, f"{one}, {two} = {two}, {one}")
        elif kind == 5:
            self._add(indent, draw.choice([f"copy_ball({ball}, {other})", f"{row}[:] = {line}"]))
        elif kind == 6:
            self._add(indent, f"{draw.choice(NUMBERS)} = mix({ball}, {other}, {self._number()})")
        elif kind == 7:
            self._add(indent, f"blend({row}, {line}, {self._number()})")
        elif kind == 8:
            self._add(indent, f"if {self._place()} > {self._place()}:")
            self._statement(indent + "    ")
            self._add(indent, "else:")
            self._statement(indent + "    ")
        elif kind == 9:
            counter = f"i_{len(self._lines)}"
            self._add(indent, f"for {counter} in range({USED}):")
            self._add(indent, f"    each_{counter} = box.balls[{counter}]")
            self._add(indent, f"    line_{counter} = box.rows[{counter}]")
            self._add(indent, f"    each_{counter}.{draw.choice(FIELDS)} = {self._number()}")
            self._add(indent, f"    line_{counter}[{counter}] += 0.5 * {self._number()}")
            self._statement(indent + "    ")
        elif draw.random() < 0.8:
            self._add(indent, f"{self._place()} = {self._number()}")
        else:
            self.is_wrong = True
            self._add(
                indent,
                draw.choice(
                    [
                        f"tray.ball = {ball}",
                        f"tray.first = {row}",
                        f"{ball}.height = {row}",
                        f"rows_{indent.count(' ')} = box.rows\n{indent}rows_{indent.count(' ')}"
                        f"[0] = {row}",
                        "row = tray.second",
                        "ball = other",
                        f"box.balls[1] = {ball}",
                    ]
                ),
            )


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Program]]:
    """Write PROGRAMS valid programs to the kernel module ``programs.play``."""
    drawn = [Program(number) for number in range(2 * PROGRAMS)]
    kept = [program for program in drawn if not program.is_wrong][:PROGRAMS]
    wrong = [program for program in drawn if program.is_wrong]
    calls = [
        f"    results[{number}] = {program.name}(ball, other, row, box, x)"
        for number, program in enumerate(kept)
    ]
    run = (
        "def run_programs(ball: Ball, other: Ball, row: Row, box: Box, x: float, "
        "results: list[float]) -> None:"
    )
    play = "".join(
        [PLAY, *(program.text() for program in kept), "\n", "\n".join([run, *calls]), "\n"]
    )
    sources = {"state_objects": RECORDS, "play": play}
    sources.update((program.name, PLAY + program.text()) for program in wrong)
    with planted(tmp_path_factory.mktemp("kernel"), sources, ROOM):
        yield kept


def begin(module: ModuleType) -> dict[str, Any]:
    """Return the arguments of all programs."""
    draw = random.Random(39)

    def ball() -> Any:
        made = module.Ball()
        for field in FIELDS:
            setattr(made, field, draw.uniform(-1.0, 1.0))
        return made

    def row() -> list[float]:
        return [draw.uniform(-1.0, 1.0) for _ in range(ROW_LENGTH)]

    tray = module.Tray()
    tray.first, tray.second, tray.ball, tray.spare = row(), row(), ball(), ball()
    box = module.Box(tray, [ball() for _ in range(USED)], [row() for _ in range(USED)])
    return {"ball": ball(), "other": ball(), "row": row(), "box": box, "x": 0.3}


def content(arguments: dict[str, Any]) -> list[Any]:
    """Return the same content as arrays, in the order of the lowered arguments."""
    box = arguments["box"]
    tray = np.zeros((4, ROW_LENGTH))
    for at, numbers in enumerate(map(numbers_of, numbers_of(box.tray))):
        tray[at, : len(numbers)] = numbers
    plain = [arguments["ball"], arguments["other"], arguments["row"], box.balls, box.rows]
    ball, other, row, balls, rows = (np.array(numbers_of(one)) for one in plain)
    return [ball, other, row, tray, balls, rows, arguments["x"], np.zeros(PROGRAMS)]


@pytest.fixture
def source(programs: list[Program]) -> RunSource:
    """Return the lowered programs."""
    assert len(programs) == PROGRAMS
    text = lowered_kernel((PLAY_MODULE,)).text
    return RunSource(text, run_functions(PLAY_MODULE, ("run_programs",)), False, ROOM)


def compiled(source: RunSource, folder: Path) -> ctypes.CDLL:
    """Return the compiled library of the programs. Its parts are cached in the user's cache."""
    platform = supported_platform()
    assert platform is not None
    translate_kernel(source.exports(), (PLAY_MODULE,), folder)
    (folder / KERNEL_UNIT).write_text(source.cpp_source(), encoding="utf-8")
    return ctypes.CDLL(str(compile_library(platform, folder, ROOM)))


@pytest.mark.long
@pytest.mark.native
def test_random_programs_give_the_same_bits_in_all_forms(source, tmp_path):
    play = import_module(f"{kernel.__name__}.{PLAY_MODULE}")
    given = begin(play)
    lists, library = content(given), content(given)
    results = [0.0] * PROGRAMS
    play.run_programs(**given, results=results)
    Runs(source, None).call("run_programs", *lists)
    Runs(source, compiled(source, tmp_path)).call("run_programs", *library)
    wanted = content(given)
    wanted[-1] = np.array(results)
    assert len(set(results)) > PROGRAMS // 2
    for expected, as_lists, as_compiled in zip(wanted, lists, library, strict=True):
        assert np.all(np.isfinite(expected))
        assert np.array(expected).tobytes() == np.array(as_lists).tobytes()
        assert np.array(expected).tobytes() == np.array(as_compiled).tobytes()


@pytest.mark.usefixtures("programs")
def test_a_random_program_that_would_mean_something_else_is_refused():
    refused = 0
    for number in range(2 * PROGRAMS):
        program = Program(number)
        if program.is_wrong:
            name = f"{ROOM}.{program.name}"
            with pytest.raises(LanguageError, match=f"{program.name}.py:[0-9]+: "):
                lowered_module(name, source_tree(name))
            refused += 1
    assert refused > 10
