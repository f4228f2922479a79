"""Wear of each support of a tube, with error bars, for several numbers of modes.

Runs the structure under the loads of tube_in_supports.toml for the given duration. The matrices
must be in the same folder. The run is compiled if the extra `native` is installed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from console import parser, run

from harness import load_case
from wearmodel import run_structure
from wearmodel.statistics.known_rate import KnownRate, known_rate
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR
from wearmodel.structure import Structure, read_structure

CASE = "tube_in_supports.toml"
# Share of the run that is omitted because of its start.
TRANSIENT = 0.1


@dataclass(frozen=True)
class SupportWear:
    """Mean wear power of a support [W] with its interval, and the wear depth per year [m]."""

    name: str
    power: KnownRate
    depth_a_year: float


def structure_with(folder: Path, modes: int) -> Structure:
    """The tube with this number of modes."""
    text = (folder / "tube_structure.toml").read_text(encoding="utf-8")
    file = folder / f"tube_{modes}_modes.toml"
    file.write_text(text.replace("count = 24", f"count = {modes}"), encoding="utf-8")
    return read_structure(file)


def wear_of_supports(folder: Path, structure: Structure, seconds: float) -> list[SupportWear]:
    """Run the tube under the loads of the case for this duration."""
    case = load_case(folder / CASE)
    step = case.experiment.step_size
    times = np.arange(round(seconds / step) + 1) * step
    wear = run_structure(
        structure,
        {name: load.sample(times) for name, load in case.inputs.items()},
        step_size=step,
        steps=len(times) - 1,
        outputs=[f"{contact.name}.wear_work" for contact in structure.contacts],
    )
    found = []
    for contact in structure.contacts:
        work = wear.history[f"{contact.name}.wear_work"]
        power = known_rate(times, work, start=TRANSIENT * seconds)
        rate = contact.parameters.archard_coefficient / contact.parameters.wear_area * power.mean
        found.append(SupportWear(contact.name, power, rate * SECONDS_PER_YEAR))
    return found


def main() -> None:
    """Print a line for each number of modes and each support."""
    options = parser(__doc__)
    options.add_argument("folder", nargs="?", type=Path, default=Path("build"))
    options.add_argument("--seconds", type=float, default=20.0)
    options.add_argument("--modes", type=int, nargs="+", default=[24])
    arguments = options.parse_args()
    print("modes  support  mean wear power, mW  depth a year, mm")
    for modes in arguments.modes:
        structure = structure_with(arguments.folder, modes)
        for one in wear_of_supports(arguments.folder, structure, arguments.seconds):
            power = f"{1e3 * one.power.mean:.1f} ± {1e3 * one.power.half_width:.1f}"
            print(f"{modes:5}  {one.name:7}  {power:>19}  {1e3 * one.depth_a_year:16.3f}")
            if one.power.reason:
                print(f"       note: {one.power.reason}")


if __name__ == "__main__":
    run(main)
