"""Error bars of lives against their scatter: `python -m tests.rates.lives FILE.toml --lives 40`.

Each life has other seeds of its noise. For the depth of each contact the table lists the mean, the
standard deviation, the mean half width divided by 1.96 standard deviations, and how many intervals
contain the reference, a life with 16 times the samples and half the allowed error.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from harness.fmu.noise import NoiseSignal
from harness.life import Life, load_life
from harness.life.life_run import followed_life
from harness.life.wear_power import NoJournal
from wearmodel.batch.cores import core_count

NORMAL = 1.959963984540054
# Seeds of lives are apart by this.
_APART = 1000


def other_seeds(life: Life, number: int, longer: int = 1) -> Life:
    """Return a life with other seeds, and with longer first runs."""
    motions = []
    for motion in life.motions:
        inputs = {
            name: replace(signal, seed=signal.seed + _APART * number)
            if isinstance(signal, NoiseSignal)
            else signal
            for name, signal in motion.case.inputs.items()
        }
        experiment = motion.case.experiment
        span = longer * (experiment.stop_time - experiment.start_time)
        experiment = replace(experiment, stop_time=experiment.start_time + span)
        case = replace(motion.case, inputs=inputs, declared_inputs=inputs, experiment=experiment)
        motions.append(replace(motion, case=case))
    experiment = motions[0].case.experiment
    case = replace(life.case, experiment=experiment)
    return replace(life, case=case, motions=tuple(motions))


def depths(
    file: Path, years: float | None, error: float | None, longer: int, number: int
) -> tuple[list[tuple[float, float]], float]:
    """Return depth and half width of each contact at the end, and the CPU time [s]."""
    life = load_life(file, years=years)
    if error is not None:
        life = replace(life, relative_error=error)
    began = time.process_time()
    result = followed_life(other_seeds(life, number, longer), NoJournal())
    last = [contact.states[-1] for contact in result.contacts]
    return [(state.depth, state.depth_bar) for state in last], time.process_time() - began


def main(words: list[str]) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.rates.lives", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--lives", type=int, default=40)
    parser.add_argument("--years", type=float)
    parser.add_argument("--error", type=float, help="relative_error in place of the file's")
    parser.add_argument("--reference", action="store_true", help="also compute the reference")
    parser.add_argument("--workers", type=int, default=core_count())
    arguments = parser.parse_args(words)
    file, years, error = arguments.file, arguments.years, arguments.error
    names = [contact.name for contact in load_life(file, years=years).contacts]
    with ProcessPoolExecutor(arguments.workers) as pool:
        of_lives = list(
            pool.map(partial(depths, file, years, error, 1), range(1, arguments.lives + 1))
        )
    found = np.array([pairs for pairs, _ in of_lives])
    seconds = float(np.mean([spent for _, spent in of_lives]))
    truth = found[:, :, 0].mean(axis=0)
    if arguments.reference:
        half = 0.5 * (error or load_life(file, years=years).relative_error)
        truth = np.array([depth for depth, _ in depths(file, years, half, 16, 0)[0]])
    ratios = []
    for index, name in enumerate(names):
        middle, bars = found[:, index, 0], found[:, index, 1]
        deviation = float(np.std(middle, ddof=1))
        ratios.append(float(np.mean(bars)) / (NORMAL * deviation))
        held = int(np.count_nonzero(np.abs(middle - truth[index]) <= bars))
        print(
            f"{name or file.stem}: {1e6 * middle.mean():.2f} um, deviation {1e6 * deviation:.2f},"
            f" half width {1e6 * bars.mean():.2f}, ratio {ratios[-1]:.2f}, {held} of {len(bars)}"
            f" contain {1e6 * truth[index]:.2f}"
        )
    mean = math.exp(float(np.mean(np.log(ratios))))
    print(f"geometric mean of the ratios {mean:.2f}, {seconds:.1f} s of CPU time per life")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
