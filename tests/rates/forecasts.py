"""Forecasts of the remaining time of lives, in samples: `python -m tests.rates.forecasts`.

Each life runs with a clock that counts the samples of its runs. The table lists the ratio of the
forecast to the samples that were needed: of each printed forecast, and the smallest and largest one
of all states from the tenth until a tenth of the samples is left.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from harness.case.case_file import Case
from harness.fmu.history import RunRecord
from harness.life import load_life, run_life
from harness.life.motion_runs import MotionRuns
from harness.life.time_left import TimeLeft
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
# States before the first forecast, and the share of the samples that is left after the last one.
_FIRST = 10
_LAST_SHARE = 0.1


@dataclass
class SampleClock:
    """A clock that counts samples instead of seconds."""

    samples: int = 0

    def monotonic(self) -> float:
        return float(self.samples)


@dataclass(frozen=True)
class Forecasts:
    """Forecasts of a life divided by the samples that were needed: printed ones, and all."""

    printed: tuple[float, ...]
    all: tuple[float, ...]


def forecasts(file: Path) -> Forecasts:
    """Run a life in this process, and compare its forecasts with the samples of its runs."""
    clock = SampleClock()
    printed: list[tuple[int, float]] = []
    seen: list[tuple[int, float]] = []
    run, add = MotionRuns._history, TimeLeft.ran

    def counted(runs: MotionRuns, case: Case, names: list[str], where: str) -> RunRecord:
        clock.samples += case.experiment.step_count
        return run(runs, case, names, where)

    def looked(left: TimeLeft, number: int, seconds: float | None) -> None:
        add(left, number, seconds)
        if number + 1 >= _FIRST:
            seen.append((clock.samples, left.seconds_left))

    life = load_life(file)
    with (
        patch("harness.life.life_run.time", clock),
        patch.object(MotionRuns, "_history", counted),
        patch.object(TimeLeft, "ran", looked),
    ):
        run_life(
            life,
            workers=1,
            expected=lambda seconds, *_: printed.append((clock.samples, seconds)),
        )
    total = clock.samples
    return Forecasts(
        *(
            tuple(
                left / (total - spent)
                for spent, left in given
                if total - spent > _LAST_SHARE * total
            )
            for given in (printed, seen)
        )
    )


def main() -> int:
    """Print the table."""
    with ProcessPoolExecutor(core_count()) as pool:
        for name, found in zip(
            FILES, pool.map(forecasts, [ROOT / name for name in FILES]), strict=True
        ):
            ratios = ", ".join(f"{ratio:.2f}" for ratio in found.printed)
            ends = f"{min(found.all):.2f} to {max(found.all):.2f}" if found.all else "none"
            within = sum(0.5 <= ratio <= 2.0 for ratio in found.all)
            print(f"{name}: printed {ratios}; {ends}, {within} of {len(found.all)} within 2")
    return 0


if __name__ == "__main__":
    sys.exit(main())
