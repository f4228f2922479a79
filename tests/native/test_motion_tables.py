"""The native reader of motion tables, under sanitizers, agrees with the Python reader."""

import random
import re
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

from wearmodel.models.accelerogram import MOTION_HEADER, read_accelerogram

SOURCE = Path(__file__).with_name("read_points.cpp")
SANITIZERS = ("-fsanitize=address", "-fsanitize=undefined", "-fno-sanitize-recover=all")
COMMAND = "`wearfmu motion RECORD --out FILE` writes the table"
TIME_LIMIT = 300.0  # s for 10000 files, which take 1/10 of it


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the reader as a program with both sanitizers."""
    program = tmp_path_factory.mktemp("reader") / "read_points"
    include = f"-I{files('fmu_src') / 'native'}"
    command = ["g++", "-std=c++17", "-O1", "-g1", "-fno-exceptions", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([*command, *SANITIZERS, include, str(SOURCE), "-o", str(program)], check=True)
    return program


def read(reader: Path, paths: list[Path] | list[str], column: int = 2) -> list[str]:
    """Return the answers of the program for each file."""
    done = subprocess.run(
        [reader, str(column)],
        input="".join(f"{path}\n" for path in paths).encode(),
        capture_output=True,
        check=False,
        timeout=TIME_LIMIT,
    )
    assert done.returncode == 0, done.stderr[-3000:].decode(errors="replace")
    answers = done.stdout.decode(errors="replace").split("\0")[:-1]
    assert len(answers) == len(paths)
    return answers


def points_in(answer: str) -> list[tuple[float, float]]:
    pairs = (point.split(",") for point in answer.split(";")[:-1])
    return [(float.fromhex(time), float.fromhex(value)) for time, value in pairs]


def judge(reader: Path, paths: list[Path]) -> int:
    """Return the number of files that are read.

    Points have the bits of the Python reader, and messages of refusals are equal.
    """
    count = 0
    for path, answer in zip(paths, read(reader, paths), strict=True):
        if answer.startswith("refused: "):
            with pytest.raises(ValueError, match=re.escape(answer.removeprefix("refused: "))):
                read_accelerogram(str(path))
            continue
        python = read_accelerogram(str(path))
        assert points_in(answer) == list(zip(python.times, python.values, strict=True)), path
        count += 1
    return count


def numbers(rng: random.Random) -> tuple[str, str]:
    """Return a time step and a value in random number formats."""
    value = rng.choice(
        (
            repr(rng.gauss(0.0, 1.0)),
            repr(rng.gauss(0.0, 1.0) * 10.0 ** rng.randint(-320, 300)),
            f"{rng.gauss(0.0, 1.0):.{rng.randint(0, 40)}f}",
            f"{rng.gauss(0.0, 1.0):+.{rng.randint(0, 30)}E}",
            rng.choice(("0", "-0.0", ".5", "5.", "1e5", "5e-324", "2.2250738585072011e-308")),
        )
    )
    return repr(rng.choice((0.005, 0.01, 1.0, 1e-9)) * rng.randint(1, 5)), value


def table(rng: random.Random) -> str:
    """Return a valid table."""
    rows, time = [MOTION_HEADER], 0.0
    for _ in range(rng.choice((2, 3, 10, 200))):
        step, value = numbers(rng)
        rows.append(f"{time!r},{value}")
        time += float(step)
    return "\n".join([*rows, ""])


ODD = (
    "", ",", "\n", "\r\n", "\0", ";", "\t", " ", '"', "#", "nan", "inf", "-inf", "1e400", "0x10",
    "1_0", "1,5", "--1", "1e", "e5", ".", "é", "\u2212", "१", "\ufeff", "9" * 63, "9" * 65,
    "1" * 5000, MOTION_HEADER, MOTION_HEADER + "\n", "\n" * 100, "," * 1000, "%s%n", "-" * 70,
    "1e+", "0.1e5000", "0." + "0" * 61 + "1", "+",
)  # fmt: skip


def spoilt(rng: random.Random) -> bytes:
    """Return a table with random deletions, insertions, repetitions and changes, or a valid one."""
    data = table(rng).encode()
    for _ in range(rng.choice((0, 1, 1, 1, 2, 5, 20))):
        at = rng.randrange(len(data) + 1)
        draw = rng.random()
        if draw < 0.15:
            data = data[:at]
        elif draw < 0.3:
            data = data[:at] + data[at + rng.randint(1, 30) :]
        elif draw < 0.7:
            data = data[:at] + rng.choice(ODD).encode() + data[at:]
        elif draw < 0.85:
            data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
        else:
            data = data[at:] + data[:at]
    return data if rng.random() < 0.97 else rng.randbytes(rng.randrange(2000))


@pytest.mark.parametrize(
    "count", [300, pytest.param(10_000, marks=pytest.mark.campaign)], ids=["some", "many"]
)
def test_hostile_files_are_refused_or_read_to_the_bits_of_python(reader, tmp_path, count):
    rng = random.Random(count)
    paths = []
    for number in range(count):
        paths.append(tmp_path / f"{number}.csv")
        paths[-1].write_bytes(spoilt(rng))
    assert count // 10 < judge(reader, paths) < count // 2


def test_tables_that_are_right_are_read(reader, tmp_path):
    rng = random.Random(1)
    paths = []
    for number in range(100):
        paths.append(tmp_path / f"{number}.csv")
        paths[-1].write_text(table(rng))
    assert judge(reader, paths) == 100


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", f"line 1: must be '{MOTION_HEADER}'"),
        ("time,acc\n0,1\n1,2\n", f"line 1: must be '{MOTION_HEADER}'"),
        (f"{MOTION_HEADER}\r\n0,1\r\n1,2\r\n", f"line 1: must be '{MOTION_HEADER}'"),
        (f"{MOTION_HEADER}\n0,1\n1,2", "line 3: must end as lines do, or it may be cut"),
        (f"{MOTION_HEADER}\n0,1\n\n1,2\n", "line 3: must be two finite numbers"),
        (f"{MOTION_HEADER}\n0,1\n1,2,3\n", "line 3: must be two finite numbers"),
        (f"{MOTION_HEADER}\n0;1\n1;2\n", "line 2: must be two finite numbers"),
        (f"{MOTION_HEADER}\n0,1\n1,nan\n", "line 3: must be two finite numbers"),
    ],
)
def test_what_is_no_such_table_is_refused_with_the_command_that_writes_one(
    reader, tmp_path, text, reason
):
    file = tmp_path / "motion.csv"
    file.write_bytes(text.encode())
    [answer] = read(reader, [file])
    assert f"{reason}" in answer
    assert COMMAND in answer
    assert judge(reader, [file]) == 0


@pytest.mark.parametrize(
    ("text", "column"),
    [
        (f"{MOTION_HEADER}\n0,1\n", 2),
        (f"{MOTION_HEADER}\n0,1\n0.5,2\n0.5,3\n", 2),
        (f"{MOTION_HEADER}\n0,1\n1,2\n", 3),
    ],
)
def test_a_table_that_breaks_a_rule_is_refused_in_the_words_of_python(
    reader, tmp_path, text, column
):
    file = tmp_path / "motion.csv"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"line|point") as refused:
        read_accelerogram(str(file), value_column=column)
    assert read(reader, [file], column) == [f"refused: {refused.value}"]
