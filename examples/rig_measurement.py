"""Write the measurement of a test rig: a block on a shaken table, held by a spring.

The file contains the acceleration of the table and the displacement of the block, which a model
with known friction computes. The displacement has noise of 1 %.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from console import parser, run

from wearmodel import FrictionalShockParameters, run_records

STEP, COUNT = 5e-3, 1600
# Amplitude [m/s2], frequency [Hz] and phase [rad] of the motion of the table.
SINES = ((3.0, 1.31, 0.0), (2.0, 2.93, 1.0), (1.5, 0.71, 2.0))
BLOCK = FrictionalShockParameters(
    stiffness=40.0,
    gravity=9.81,
    friction_coefficient=0.15,
    friction_coefficient_slow=0.22,
    friction_decay_velocity=0.1,
)


def main() -> None:
    """Write the table."""
    arguments = parser(__doc__)
    arguments.add_argument("file", nargs="?", type=Path, default=Path("rig.csv"))
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    times = STEP * np.arange(COUNT + 1)
    table = sum(size * np.sin(2.0 * np.pi * by * times + phase) for size, by, phase in SINES)
    runs = run_records(BLOCK, STEP, base_acceleration=table, histories=["relative_displacement"])
    displacement = runs.histories["relative_displacement"]
    noise = np.random.default_rng(options.seed).normal(size=len(times))
    measured = displacement + 0.01 * np.std(displacement) * noise
    np.savetxt(
        options.file,
        np.stack([times, table, 1e3 * measured], axis=1),
        fmt=("%.3f", "%.6f", "%.4f"),
        delimiter=",",
        header="time [s],acceleration [m/s2],displacement [mm]",
        comments="",
    )
    print(f"{len(times)} samples: {options.file}")


if __name__ == "__main__":
    run(main)
