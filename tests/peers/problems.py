"""The problems for all peers, their exact values, and the data for the programs."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from tests.benchmarks.block_records import STEP, YIELDS, records
from tests.benchmarks.references.shoe import RIGID
from tests.benchmarks.tube import SAMPLE_STEP, tube, tube_arrays
from tests.wearmodel.batch.exact_block import exact_block
from wearmodel.units import STANDARD_GRAVITY

PROGRAMS = Path(__file__).with_name("programs")
#: Number of steps of 1 ms over which the tube moves.
TUBE_STEPS = 50
TUBE_CONTACTS = 4
#: Displacements [m] of the tube's supports at the end, along x, y and z of each support.
#: Independent integration: scipy's DOP853 with located events, rtol 1e-13 (`scipy_program.py`).
#: heyoka at tolerance 1e-16 and ModalShock agree within 1e-14 of the largest. On other processors
#: the modes, and therefore the displacements, differ by up to 1e-10.
TUBE_REFERENCES: dict[int, tuple[float, ...]] = {
    30: (
        *(0.0, 1.806104314442559e-4, -5.8600071414695156e-5),
        *(0.0, 2.682249566283366e-4, -1.0620163524945353e-4),
        *(0.0, 2.759589678383947e-4, -1.0857140488575897e-4),
        *(0.0, 1.6361621212570416e-4, -4.531427101974484e-5),
    ),
    100: (
        *(0.0, 1.752824182844622e-4, -5.351221470619886e-5),
        *(0.0, 2.598677261466025e-4, -1.0794020419818684e-4),
        *(0.0, 2.6489561608425866e-4, -1.1362129122496282e-4),
        *(0.0, 1.5668407447257744e-4, -4.39856762331196e-5),
    ),
}


@dataclass(frozen=True)
class Problem:
    """A problem, or one variant of it."""

    name: str
    #: Function of the programs.
    function: str
    title: str
    #: Part of every setting.
    setting: dict[str, Any]
    #: Exact values.
    exact: Callable[[], Sequence[float]]
    #: Data for the programs.
    data: Callable[[], dict[str, Any]] | None = None
    #: If True, each value has a scale of its own. Otherwise the largest exact value is the scale.
    each: bool = False

    def error(self, values: Sequence[float]) -> float:
        """Return the largest error of the values, relative to their scale."""
        exact = np.array(self.exact())
        scale = abs(exact) if self.each else np.max(abs(exact))
        error = float(np.max(abs(np.array(values) - exact) / scale))
        return error if math.isfinite(error) else math.inf


def tube_data(modes: int) -> dict[str, Any]:
    """Return the arrays of the equations of the tube, and its inputs."""
    arrays = tube_arrays(tube(modes, TUBE_CONTACTS), TUBE_STEPS)
    rows = {name: np.asarray(values).tolist() for name, values in arrays._asdict().items()}
    return {**rows, "sample_step": SAMPLE_STEP}


def block_data() -> dict[str, Any]:
    """Return a record [g] and the yield accelerations [g]."""
    record = records()[0]
    return {
        "times": (STEP * np.arange(len(record))).tolist(),
        "record": record.tolist(),
        "yields": YIELDS.tolist(),
        "gravity": STANDARD_GRAVITY,
    }


@cache
def _exact_blocks() -> list[float]:
    data = block_data()
    drive = [STANDARD_GRAVITY * value for value in data["record"]]
    pressing = [STANDARD_GRAVITY] * len(drive)
    return [
        exact_block(data["times"], drive, pressing, level, one_way=True).peak
        for level in data["yields"]
    ]


def _exact_ball() -> list[float]:
    sys.path.insert(0, str(PROGRAMS))
    try:
        import ball
    finally:
        sys.path.pop(0)
    return ball.exact()


def _power(amplitude: float) -> list[float]:
    return [RIGID[amplitude]]


PROBLEMS = (
    *(
        Problem(
            f"sdnd104_{amplitude:g}".replace(".", "p"),
            "shoe",
            f"SDND104, a0 = {amplitude:g} m/s²",
            {"amplitude": amplitude},
            partial(_power, amplitude),
        )
        for amplitude in RIGID
    ),
    Problem("ball", "ball", "Bouncing ball", {}, _exact_ball, each=True),
    *(
        Problem(
            f"tube_{modes}",
            "tube",
            f"Tube in four supports, {modes} modes",
            {},
            partial(TUBE_REFERENCES.__getitem__, modes),
            partial(tube_data, modes),
        )
        for modes in (30, 100)
    ),
    Problem("blocks", "blocks", "Sliding block, one way", {}, _exact_blocks, block_data),
)


def write_data(folder: Path) -> dict[str, Path]:
    """Write the data of the problems, and return the file of each problem that has data."""
    written = {}
    for problem in PROBLEMS:
        if problem.data is not None:
            written[problem.name] = folder / f"{problem.name}.json"
            written[problem.name].write_text(json.dumps(problem.data()), encoding="utf-8")
    return written
