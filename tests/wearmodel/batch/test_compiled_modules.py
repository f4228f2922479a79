"""Claims about the second, compiled form of a module: its cache, and life without numba."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import wearmodel
from wearmodel.batch.compile import can_compile, compiled_module
from wearmodel.kernel.series import polynomials as series

Program = Callable[..., str]

# `complete_parameters` calls `oscillator_rate`, which lies in another file.
RATE = """
import numpy
from wearmodel.batch.compile import compiled_module
from wearmodel.compiled.lowering import index_constants
index = index_constants()
parameters = numpy.zeros(index["PARAMETERS_COUNT"])
parameters[index["PARAMETERS_MASS"]] = 1.0
parameters[index["PARAMETERS_STIFFNESS"]] = 9.0
complete = compiled_module("kernel.shoe.parameters").complete_parameters
complete(parameters)
print(parameters[index["PARAMETERS_RATE_FREE"]], sum(complete.stats.cache_hits.values()))
"""

LOGGED = "import logging, sys\nlogging.basicConfig(stream=sys.stdout)\n"

# Functions that both share take types of arguments that each copy defines for itself.
EULER_ALONE = """
from wearmodel.batch.compile import compiled_module
from wearmodel.reference.schemes import euler, sine_excitation, spring_wall
record = euler(spring_wall(), sine_excitation(0.0, 0.0), duration=0.1, step_size=5e-4)
march = compiled_module("reference.schemes.march").march
print(len(record.time), sum(march.stats.cache_hits.values()))
"""
DEVOGE_ALONE = """
from wearmodel.batch.compile import compiled_module
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
from wearmodel.batch.record_runs import run_records
from wearmodel.batch.harmonic_maps import harmonic_wear_powers
from wearmodel import FrictionalShockParameters
for _ in range(2):
    runs = run_records(FrictionalShockParameters(), 0.5, base_acceleration=[0.0, 3.0, -3.0, 0.0])
    power = harmonic_wear_powers(mass=1.0, gravity=10.0, friction_coefficient=0.1, amplitude=15.0,
                                 angular_frequency=6.25, window=(4.0, 12.0))
print(float(runs.final["wear_work"]).hex(), float(power).hex())
"""


@pytest.fixture(scope="module")
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cache folder of a process that has compiled RATE."""
    return tmp_path_factory.mktemp("compiled")


@pytest.fixture
def filled_cache(compiled_once: Path, run_program: Program, tmp_path: Path) -> Path:
    """A copy of it."""
    if not any(compiled_once.iterdir()):
        assert run_program(RATE, cache=compiled_once).split() == ["3.0", "0"]
    cache = tmp_path / "cache"
    shutil.copytree(compiled_once, cache)
    return cache


def test_compiled_functions_replace_the_plain_ones_in_a_copy_only() -> None:
    assert can_compile(), "these tests need numba: pip install 'wearfmu[fast]'"
    assert hasattr(compiled_module("kernel.series.polynomials").evaluate, "py_func")
    assert not hasattr(series.evaluate, "py_func")
    assert compiled_module("kernel.series.polynomials") is compiled_module(
        "kernel.series.polynomials"
    )


def test_no_copy_holds_the_loader_itself() -> None:
    for name in ("reference.schemes.march", "batch.harmonic_loop"):
        copy = compiled_module(name).__name__.partition(".")[0]
        assert f"{copy}.batch.compile" not in sys.modules


def test_a_second_process_reads_what_the_first_one_compiled(
    run_program: Program, filled_cache: Path
) -> None:
    assert run_program(RATE, cache=filled_cache).split() == ["3.0", "1"]


def test_the_first_process_says_that_it_compiles_and_how_long_that_takes_the_second_nothing(
    run_program: Program, tmp_path: Path
) -> None:
    said, _ = run_program(LOGGED + RATE, cache=tmp_path).splitlines()
    assert said.endswith("compiling the kernel, once per installation, about a minute …")
    assert run_program(LOGGED + RATE, cache=tmp_path).split() == ["3.0", "1"]


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
    assert run_program(RATE, package_root=package.parent, cache=cache).split()[0] == "3.0"
    source = package / "kernel" / "series" / "oscillator.py"
    before = source.read_text(encoding="utf-8")
    # Neither size nor name of any file tells.
    after = before.replace("return sqrt(stiffness / mass)", "return sqrt(stiffness * 4.00)")
    assert after != before
    assert len(after) == len(before)
    source.write_text(after, encoding="utf-8")
    assert run_program(RATE, package_root=package.parent, cache=cache).split()[0] == "6.0"


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
    assert numbers == "3.0 0"
    assert run_program(program, cache=filled_cache).split() == ["3.0", "1"]


def test_without_a_place_for_the_cache_it_compiles_all_the_same(
    run_program: Program, tmp_path: Path
) -> None:
    occupied = tmp_path / "a_file"
    occupied.write_text("")
    for _ in range(2):
        said, numbers = run_program(LOGGED + RATE, cache=occupied).splitlines()
        assert numbers == "3.0 0"
        assert "compiling the kernel, in every process anew" in said
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
    assert numbers == "3.0 0"
    assert f"{folder} can be written by other users; NUMBA_CACHE_DIR names another" in said


def test_without_numba_the_same_bits_come_interpreted_and_it_says_so_once(
    run_program: Program,
) -> None:
    # The first process on this machine says that it compiles.
    numbers = run_program(WITHOUT_NUMBA.replace("sys.modules", "{}")).splitlines()[-1].split()
    *log, slow_numbers = run_program(WITHOUT_NUMBA).splitlines()
    assert slow_numbers.split() == numbers
    assert len(log) == 1
    assert log[0].startswith("WARNING numba is not installed")
    # The tests run in a clone.
    assert " brings it: pip install -e '" in log[0]


def test_numba_switched_off_is_said_once(run_program: Program) -> None:
    text = WITHOUT_NUMBA.replace("sys.modules", "{}")
    *log, _ = run_program(text, NUMBA_DISABLE_JIT="1").splitlines()
    assert len(log) == 1
    assert log[0].startswith("WARNING NUMBA_DISABLE_JIT")
