"""Deepest side of service lives with uniform wear: `python -m tests.rates.sides --lives 40`.

A block rubs on all sides of a round hole under equal noise along both axes, so that all sides wear
to the same depth, the depth of a ring. Each life has other seeds. The table lists how many
intervals of the deepest side contain the depth of the ring, the mean excess of this side divided by
the mean half width, with and without the correction for the maximum, and the mean half width
divided by 1.96 standard deviations of a side.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from harness.life import load_life
from harness.life.life_run import run_life
from tests.harness.life.holes import RADIUS, WIDTH, shaken
from wearmodel.batch.cores import core_count

NORMAL = 1.959963984540054


class EvenLife(NamedTuple):
    """Depths of the sides, their mean half width, the deepest side and its half width [m]."""

    depths: list[float]
    side_bar: float
    deepest: float
    bar: float


def even_life(years: float, sides: int, seed: int) -> EvenLife:
    """Compute a service life with its own seeds."""
    with tempfile.TemporaryDirectory() as folder:
        shape = f", sides = {sides}"
        file = shaken(Path(folder), years=years, seed=seed, stop=4.0, shape=shape)
        contact = run_life(load_life(file)).first
    scale = sides / (2.0 * np.pi * RADIUS * WIDTH)
    last, wear = contact.states[-1], contact.sectors[-1]
    depths = [scale * volume for volume in wear.volumes]
    return EvenLife(depths, scale * float(np.mean(wear.bars)), last.depth, last.depth_bar)


def main(words: list[str]) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.rates.sides", description=__doc__)
    parser.add_argument("--lives", type=int, default=40)
    parser.add_argument("--years", type=float, default=0.15)
    parser.add_argument("--sides", type=int, default=24)
    parser.add_argument("--workers", type=int, default=core_count())
    arguments = parser.parse_args(words)
    with ProcessPoolExecutor(arguments.workers) as pool:
        compute = partial(even_life, arguments.years, arguments.sides)
        lives = list(pool.map(compute, range(1, arguments.lives + 1)))
    depths = np.array([life.depths for life in lives])
    deepest = np.array([life.deepest for life in lives])
    bars = np.array([life.bar for life in lives])
    ring = float(depths.mean())
    held = int(np.count_nonzero(np.abs(deepest - ring) <= bars))
    bias, raw = deepest.mean() - ring, depths.max(axis=1).mean() - ring
    scatter = float(np.sqrt(np.mean((depths - depths.mean(axis=0)) ** 2)))
    side_bar = float(np.mean([life.side_bar for life in lives]))
    print(f"ring {1e6 * ring:.2f} µm, deepest side {1e6 * deepest.mean():.2f} µm")
    print(f"half width {1e6 * bars.mean():.2f} µm, {held} of {len(lives)} contain the ring")
    print(f"excess {bias / bars.mean():.2f} half widths, uncorrected {raw / bars.mean():.2f}")
    print(f"half width of a side {side_bar / (NORMAL * scatter):.2f} of 1.96 deviations")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
