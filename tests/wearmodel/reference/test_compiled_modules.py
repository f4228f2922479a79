"""Claims about the second, compiled form of a module: its cache, and life without numba."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import wearmodel
from wearmodel.reference.compile import can_compile, compiled_module
from wearmodel.reference.schemes import march as plain_march

Program = Callable[..., str]

# The march calls the law of contact, which lies in another file.
RATE = """
from wearmodel.reference.compile import compiled_module
from wearmodel.reference.schemes import euler, sine_excitation, spring_wall
record = euler(spring_wall(), sine_excitation(0.0, 0.0), duration=0.1, step_size=5e-4)
march = compiled_module("reference.schemes.march").march
print(f"{record.displacement[-1]:.6f}", sum(march.stats.cache_hits.values()))
"""

LOGGED = "import logging, sys\nlogging.basicConfig(stream=sys.stdout)\n"

# Functions that both share take types of arguments that each copy defines for itself.
EULER_ALONE = """
from wearmodel.reference.compile import compiled_module
from wearmodel.reference.schemes import euler, sine_excitation, spring_wall
record = euler(spring_wall(), sine_excitation(0.0, 0.0), duration=0.1, step_size=5e-4)
march = compiled_module("reference.schemes.march").march
print(len(record.time), sum(march.stats.cache_hits.values()))
"""
DEVOGE_ALONE = """
from wearmodel.reference.compile import compiled_module
from wearmodel.reference.schemes import devoge, sine_excitation, spring_wall
record = devoge(spring_wall(), sine_excitation(0.0, 0.0), duration=0.1, first_step=5e-4,
                largest_step=5e-4)
march = compiled_module("reference.schemes.march").march
print(len(record.time), sum(march.stats.cache_hits.values()))
"""

WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
import logging
logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(message)s")
from wearmodel.reference.schemes import euler, sine_excitation, spring_wall
for _ in range(2):
    record = euler(spring_wall(), sine_excitation(0.0, 0.0), duration=0.1, step_size=5e-4)
print(float(record.displacement[-1]).hex())
"""


@pytest.fixture(scope="module")
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cache folder of a process that has compiled RATE."""
    return tmp_path_factory.mktemp("compiled")


@pytest.fixture
def filled_cache(compiled_once: Path, run_program: Program, tmp_path: Path) -> Path:
    """A copy of it."""
    if not any(compiled_once.iterdir()):
        assert run_program(RATE, cache=compiled_once).split() == ["-0.063476", "0"]
    cache = tmp_path / "cache"
    shutil.copytree(compiled_once, cache)
    return cache


def test_compiled_functions_replace_the_plain_ones_in_a_copy_only() -> None:
    assert can_compile(), "these tests need numba: pip install 'wearfmu[schemes]'"
    assert hasattr(compiled_module("reference.schemes.march").march, "py_func")
    assert not hasattr(plain_march.march, "py_func")
    assert compiled_module("reference.schemes.march") is compiled_module("reference.schemes.march")


def test_no_copy_holds_the_loader_itself() -> None:
    copy = compiled_module("reference.schemes.march").__name__.partition(".")[0]
    assert f"{copy}.reference.compile" not in sys.modules


def test_a_second_process_reads_what_the_first_one_compiled(
    run_program: Program, filled_cache: Path
) -> None:
    assert run_program(RATE, cache=filled_cache).split() == ["-0.063476", "1"]


def test_the_first_process_says_that_it_compiles_and_how_long_that_takes_the_second_nothing(
    run_program: Program, tmp_path: Path
) -> None:
    said, _ = run_program(LOGGED + RATE, cache=tmp_path).splitlines()
    assert said.endswith("compiling the schemes, once per installation, about a minute …")
    assert run_program(LOGGED + RATE, cache=tmp_path).split() == ["-0.063476", "1"]


def test_a_process_reads_its_scheme_where_another_has_kept_another_one(
    run_program: Program, tmp_path: Path
) -> None:
    for program, hits in ((EULER_ALONE, "0"), (DEVOGE_ALONE, "0"), (EULER_ALONE, "1")):
        # 200 steps and the start.
        assert run_program(program, cache=tmp_path).split() == ["201", hits]


def test_a_change_in_a_called_file_is_compiled_anew(run_program: Program, tmp_path: Path) -> None:
    package = tmp_path / "root" / "wearmodel"
    shutil.copytree(Path(wearmodel.__file__).parent, package)
    cache = tmp_path / "cache"
    assert run_program(RATE, package_root=package.parent, cache=cache).split()[0] == "-0.063476"
    source = package / "reference" / "schemes" / "contact_law.py"
    before = source.read_text(encoding="utf-8")
    # Neither size nor name of any file tells.
    after = before.replace("-contact_stiffness * gap -", "+contact_stiffness * gap -")
    assert after != before
    assert len(after) == len(before)
    source.write_text(after, encoding="utf-8")
    changed = run_program(RATE, package_root=package.parent, cache=cache).split()[0]
    assert changed != "-0.063476"


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def flipped(content: bytes) -> bytes:
    """One bit in the middle: of the pickled index, or of the machine code."""
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


@pytest.mark.parametrize(
    ("suffix", "damage"),
    [("nbi", cut), ("nbi", lambda content: b"garbage"), ("nbc", cut), ("nbc", flipped)],
    ids=["cut index", "another file as index", "cut code", "flipped bit in the code"],
)
def test_damaged_code_is_compiled_again_kept_again_and_said_once(
    run_program: Program, filled_cache: Path, suffix: str, damage: Callable[[bytes], bytes]
) -> None:
    program = LOGGED + RATE
    files = list(filled_cache.rglob(f"*.{suffix}"))
    assert files
    for file in files:
        file.write_bytes(damage(file.read_bytes()))
    said, numbers = run_program(program, cache=filled_cache).splitlines()
    assert "compiled code kept there is damaged: it is compiled again" in said
    assert numbers == "-0.063476 0"
    assert run_program(program, cache=filled_cache).split() == ["-0.063476", "1"]


def test_without_a_place_for_the_cache_it_compiles_all_the_same(
    run_program: Program, tmp_path: Path
) -> None:
    occupied = tmp_path / "a_file"
    occupied.write_text("")
    for _ in range(2):
        said, numbers = run_program(LOGGED + RATE, cache=occupied).splitlines()
        assert numbers == "-0.063476 0"
        assert "compiling the schemes, in every process anew" in said
        assert said.endswith("cannot be written; NUMBA_CACHE_DIR names another folder")


@pytest.mark.skipif(os.name != "posix", reason="files have owners on POSIX")
def test_no_compiled_code_is_taken_from_a_folder_that_others_can_write(
    run_program: Program, compiled_once: Path, filled_cache: Path
) -> None:
    (kept,) = compiled_once.iterdir()
    assert not kept.stat().st_mode & 0o077
    (folder,) = filled_cache.iterdir()
    folder.chmod(0o777)
    said, numbers = run_program(LOGGED + RATE, cache=filled_cache).splitlines()
    # As many hits of the cache as without a place for it.
    assert numbers == "-0.063476 0"
    assert f"{folder} can be written by other users; NUMBA_CACHE_DIR names another" in said


def test_without_numba_the_same_bits_come_interpreted_and_it_says_so_once(
    run_program: Program,
) -> None:
    # The first process on this machine says that it compiles.
    number = run_program(WITHOUT_NUMBA.replace("sys.modules", "{}")).splitlines()[-1]
    *log, slow_number = run_program(WITHOUT_NUMBA).splitlines()
    assert slow_number == number
    assert len(log) == 1
    assert log[0].startswith("WARNING numba is not installed")
    # The tests run in a clone.
    assert " brings it: pip install -e '" in log[0]


def test_numba_switched_off_is_said_once(run_program: Program) -> None:
    text = WITHOUT_NUMBA.replace("sys.modules", "{}")
    *log, _ = run_program(text, NUMBA_DISABLE_JIT="1").splitlines()
    assert len(log) == 1
    assert log[0].startswith("WARNING NUMBA_DISABLE_JIT")
