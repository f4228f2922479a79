"""Jobs with closed-form results: SDND104 and a mass that hits a spring wall."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from wearmodel.reference.closed_forms import RubbingShoe

from .job import Job, Played, Value


@dataclass(frozen=True)
class Quantity:
    """A number in the result of a case.

    Parameters
    ----------
    output : str
        Output of the shoe.
    exact : float
        Closed form of its value at the last mark. If `is_rate`, the mean rate between the first
        and the last mark.
    tolerance : float
        Allowed error: relative, or absolute if `exact` is 0.
    reason : str
        Reason for the tolerance.
    """

    output: str
    exact: float
    tolerance: float
    reason: str
    is_rate: bool = False

    def error(self, case: MasterCase, played: Played) -> float:
        """Return (got − exact)/|exact|, or got if `exact` is 0."""
        column = case.outputs.index(self.output)
        got = played.values[-1][column]
        if self.is_rate:
            duration = (case.marks[-1] - case.marks[0]) * case.step_size
            got = (got - played.values[0][column]) / duration
        return got if self.exact == 0.0 else (got - self.exact) / abs(self.exact)


@dataclass(frozen=True)
class MasterCase:
    """A job without its files, and its required results. `Job` documents the fields."""

    name: str
    motion: Mapping[str, Value]
    shoe: Mapping[str, Value]
    step_size: float
    marks: tuple[int, ...]
    quantities: tuple[Quantity, ...]

    @property
    def outputs(self) -> tuple[str, ...]:
        """Outputs of the quantities."""
        return tuple(quantity.output for quantity in self.quantities)

    def job(
        self, fmu_folder: Path, *, motion_fmu: Path | None = None, shoe_fmu: Path | None = None
    ) -> Job:
        """Return the job with the FMUs in `fmu_folder`, or with other FMUs."""
        return Job(
            # An absolute path, because a master may run in another folder.
            str((motion_fmu or fmu_folder / "BaseMotion.fmu").absolute()),
            str((shoe_fmu or fmu_folder / "FrictionalShock.fmu").absolute()),
            self.motion,
            self.shoe,
            self.step_size,
            self.marks,
            self.outputs,
        )

    def largest_error(self, played: Played) -> float:
        """Return the error with the largest magnitude."""
        return max((quantity.error(self, played) for quantity in self.quantities), key=abs)


def _sdnd104(amplitude: float, tolerance: float) -> MasterCase:
    shoe = RubbingShoe(amplitude=amplitude)
    return MasterCase(
        name=f"SDND104, a0 = {amplitude:g} m/s²",
        motion={"amplitude": amplitude, "frequency": 1.0},
        shoe={"input_extrapolation_order": 2},
        step_size=1e-3,
        marks=(4000, 12000),
        quantities=(
            Quantity(
                "wear_work",
                shoe.mean_wear_power(4.0, 12.0),
                tolerance,
                "the shoe extrapolates its input by a parabola over each step",
                is_rate=True,
            ),
        ),
    )


def _spring_wall() -> MasterCase:
    """m ẅ = −k w − K_N min(w, 0), w(0) = 0, ẇ(0) = −v: half periods in contact and in flight."""
    mass, spring, wall, speed = 100.0, 1e4, 1e6, 1.0
    in_contact, in_flight = math.sqrt((spring + wall) / mass), math.sqrt(spring / mass)
    # At 0.5 s, two contacts and one flight are complete, and the second flight has begun.
    flown = 0.5 - 2.0 * math.pi / in_contact - math.pi / in_flight
    reason = "the flow between events is exact: rounding only"
    return MasterCase(
        name="spring wall, two shocks",
        motion={"amplitude": 0.0},
        shoe={
            "mass": mass,
            "gravity": 0.0,
            "normal_stiffness": spring,
            "contact_stiffness": wall,
            "normal_law": "penalty",
            "initial_normal_velocity": -speed,
        },
        step_size=1e-3,
        marks=(500,),
        quantities=(
            Quantity("peak_normal_force", wall * speed / in_contact, 1e-12, reason),
            Quantity("gap", speed / in_flight * math.sin(in_flight * flown), 1e-12, reason),
            Quantity("gap_velocity", speed * math.cos(in_flight * flown), 1e-12, reason),
        ),
    )


# Tolerances of SDND104: twice the error of quadratic extrapolation from samples 1e-3 s apart, 2e-9,
# 4e-9 and 2e-7 (computed independently). Other errors are rounding. In stick, the result must be
# exactly 0.
CASES = (
    _sdnd104(15.0, 4e-9),
    _sdnd104(1.5, 8e-9),
    _sdnd104(1.01, 4e-7),
    _sdnd104(0.99, 0.0),
    _spring_wall(),
)
