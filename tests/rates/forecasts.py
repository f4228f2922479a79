"""Forecasts of the remaining time of lives, in samples: `python -m tests.rates.forecasts [FILE …]`.

Each life runs with a clock that counts the samples of its runs. The table lists the ratios of the
forecasts to the actual rest, from the tenth state until a tenth of the samples is left: the ends of
the range of states, and the ends of the range of samples.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import numpy as np

from harness.case.case_file import Case
from harness.fmu.history import RunRecord
from harness.life import load_life, run_life
from harness.life.motion_runs import MotionRuns
from harness.life.time_left import Forecast, TimeLeft
from wearmodel.arrays import Floats
from wearmodel.batch.cores import core_count

ROOT = Path(__file__).parents[2]
FILES: tuple[str, ...] = (
    "examples/life_of_a_pad.toml",
    "examples/life_of_a_rod.toml",
    "examples/life_of_a_tube.toml",
    *(
        f"tests/rates/life_files/{name}.toml"
        for name in ("falling", "rising", "knocking", "three_contacts", "tie_1", "tie_2", "tie_3")
    ),
)
# States before the first forecast, and share of the samples that remain after the last one.
_FIRST = 10
_LAST_SHARE = 0.1


@dataclass
class SampleClock:
    """A clock that counts samples instead of seconds."""

    samples: int = 0

    def monotonic(self) -> float:
        return float(self.samples)


@dataclass(frozen=True)
class Ratios:
    """Forecasts at a state divided by the actual rest: fewest and most states, and samples."""

    states: tuple[float, float]
    samples: tuple[float, float]


def forecasts(file: Path) -> list[Ratios]:
    """Run a life in this process, and compare its forecasts with the actual states and samples."""
    clock = SampleClock()
    seen: list[tuple[int, int, Forecast]] = []
    run, add = MotionRuns._history, TimeLeft.ran

    def counted(
        runs: MotionRuns, case: Case, names: list[str], where: str, depths: Sequence[Floats]
    ) -> RunRecord:
        clock.samples += case.experiment.step_count
        return run(runs, case, names, where, depths)

    def looked(left: TimeLeft, number: int, seconds: float | None) -> None:
        add(left, number, seconds)
        if number + 1 >= _FIRST:
            seen.append((clock.samples, number + 1, left.left))

    life = load_life(file)
    with (
        patch("harness.life.life_run.time", clock),
        patch.object(MotionRuns, "_history", counted),
        patch.object(TimeLeft, "ran", looked),
    ):
        result = run_life(life, workers=1)
    total, ratios = clock.samples, []
    for spent, states, left in seen:
        if total - spent > _LAST_SHARE * total:
            rest = result.runs - states
            fewest, most = left.states
            least, longest = left.seconds
            of_samples = least / (total - spent), longest / (total - spent)
            ratios.append(Ratios((fewest / rest, most / rest), of_samples))
    return ratios


def main(files: Sequence[str]) -> int:
    """Print the table."""
    with ProcessPoolExecutor(core_count()) as pool:
        paths = [ROOT / name for name in files]
        for name, found in zip(files, pool.map(forecasts, paths), strict=True):
            if not found:
                print(f"{name}: no forecasts")
                continue
            held = sum(left.states[0] <= 1.0 <= left.states[1] for left in found)
            ends = [(left.states, left.samples) for left in found]
            rows = np.array(ends).reshape(len(found), 4)
            texts = [f"{row.min():.2f} to {row.max():.2f}" for row in rows.T]
            print(
                f"{name}: fewest states {texts[0]}, most {texts[1]}, {held} of {len(found)} ranges"
                f" contain the states; shortest time {texts[2]}, longest {texts[3]}"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or FILES))
