"""Error bars of lives, compared with their scatter: `python -m tests.rates.lives FILE --lives 40`.

Each life has other seeds of its noise. For the depth of each contact the table lists the mean, the
standard deviation, the mean half width divided by 1.96 standard deviations, and the number of
intervals that contain the reference. The reference is a life with 16 times the samples and half the
accepted error. For contacts with a limit, the table lists the share of lives in which each contact
is the first, and the mean of its probability.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np

from harness.fmu.noise import NoiseSignal
from harness.life import Life, load_life
from harness.life.life_run import run_life
from wearmodel.batch.cores import core_count

NORMAL = 1.959963984540054
# Difference between the seeds of successive lives.
_APART = 1000


class Lived(NamedTuple):
    """Results of a life, by contact: depth and half width at the end, and whether it is first.

    `chances` are the printed probabilities of being the first, and `seconds` is the CPU time.
    """

    depths: tuple[float, ...]
    bars: tuple[float, ...]
    is_first: tuple[bool, ...]
    chances: tuple[float, ...]
    seconds: float


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


def lived(file: Path, years: float | None, error: float | None, longer: int, number: int) -> Lived:
    """Compute a life with the seeds of a number."""
    life = load_life(file, years=years)
    if error is not None:
        life = replace(life, relative_error=error)
    began = process_time()
    result = run_life(other_seeds(life, number, longer))
    contacts = result.contacts
    return Lived(
        tuple(contact.states[-1].depth for contact in contacts),
        tuple(contact.states[-1].depth_bar for contact in contacts),
        tuple(contact is result.first for contact in contacts),
        tuple(contact.chances.first if contact.chances else math.nan for contact in contacts),
        process_time() - began,
    )


def lines(names: Sequence[str], lives: Sequence[Lived], truth: Sequence[float]) -> list[str]:
    """Return the table."""
    text, ratios = [], []
    for index, name in enumerate(names):
        middle = np.array([life.depths[index] for life in lives])
        bars = np.array([life.bars[index] for life in lives])
        deviation = float(np.std(middle, ddof=1))
        ratios.append(float(np.mean(bars)) / (NORMAL * deviation))
        held = int(np.count_nonzero(np.abs(middle - truth[index]) <= bars))
        text.append(
            f"{name}: {1e6 * middle.mean():.2f} µm, deviation {1e6 * deviation:.2f},"
            f" half width {1e6 * bars.mean():.2f}, ratio {ratios[-1]:.2f}, {held} of {len(bars)}"
            f" contain {1e6 * truth[index]:.2f}"
        )
        chance = float(np.mean([life.chances[index] for life in lives]))
        if len(names) > 1 and not math.isnan(chance):
            share = float(np.mean([life.is_first[index] for life in lives]))
            text[-1] += f", first {share:.2f}, mean probability {chance:.2f}"
    seconds = float(np.mean([life.seconds for life in lives]))
    mean = math.exp(float(np.mean(np.log(ratios))))
    text.append(f"geometric mean of the ratios {mean:.2f}, {seconds:.1f} s of CPU time per life")
    return text


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
    life = load_life(file, years=years)
    with ProcessPoolExecutor(arguments.workers) as pool:
        # The reference takes longest, so it starts first.
        reference: list[Future[Lived]] = []
        if arguments.reference:
            half = 0.5 * (error or life.relative_error)
            reference.append(pool.submit(lived, file, years, half, 16, 0))
        numbers = range(1, arguments.lives + 1)
        waiting = [pool.submit(lived, file, years, error, 1, number) for number in numbers]
        lives = [future.result() for future in waiting]
        truth: Sequence[float] = np.mean([life.depths for life in lives], axis=0).tolist()
        for future in reference:
            truth = future.result().depths
    names = [contact.name or file.stem for contact in life.contacts]
    print("\n".join(lines(names, lives, truth)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
