"""Cost of a step in a C host, with and without the thread states that the slaves keep.

A step reads the base motion, sets it in the shoe, and steps both FMUs. In the variant "without",
each FMI call creates and destroys a Python thread state, which is the default of pythonfmu.
"""

import statistics
from pathlib import Path

import fmu_src.archive.builder
from fmu_src.archive.builder import build_fmu
from fmu_src.bundled.definition import FmuDefinition

from ..masters.cases import CASES
from ..masters.roster import play

ROUNDS = 3


def build(folder: Path) -> Path:
    for name in ("BaseMotion", "FrictionalShock"):
        build_fmu(name, folder)
    return folder


def microseconds(folder: Path) -> float:
    case = CASES[0]
    return play("c-host", case.job(folder)).seconds / case.marks[-1] * 1e6


def test_step_of_the_pair_in_a_c_host(benchmark, tmp_path, monkeypatch, capsys):
    kept = build(tmp_path / "kept")
    original = fmu_src.archive.builder._bundled_sources

    def without(definition: FmuDefinition) -> dict[str, str]:
        sources = original(definition)
        path = "fmu_src/bundled/thread_state.py"
        assert "_MOST_THREADS = 64" in sources[path]
        return {**sources, path: sources[path].replace("_MOST_THREADS = 64", "_MOST_THREADS = 0")}

    monkeypatch.setattr(fmu_src.archive.builder, "_bundled_sources", without)
    destroyed = build(tmp_path / "destroyed")
    monkeypatch.undo()
    before, after = [], []

    def both() -> None:
        before.append(microseconds(destroyed))
        after.append(microseconds(kept))

    benchmark.pedantic(both, rounds=ROUNDS)
    own, other = statistics.median(after), statistics.median(before)
    benchmark.extra_info.update({"µs a step": own, "µs a step, states destroyed": other})
    with capsys.disabled():
        print(f"\nC host, two FMUs: {own:.2f} µs a step, {other:.2f} with thread states destroyed")
    # A call that creates a thread state costs five to ten times as much.
    assert own < 0.5 * other
