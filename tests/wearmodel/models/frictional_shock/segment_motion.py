"""Motion and forces of a traced segment as polynomials, for checks that do not use the kernel.

Times are scaled: x = (t − start)/length, and the segment ends at `end`. The kernel omits a series
if the mode fixes the quantity (u in rigid stick, w in rigid contact). Such a series is added here
from the law.
"""

from __future__ import annotations

import numpy as np
from numpy.polynomial import polynomial

from wearmodel import FrictionalShockParameters, NormalLaw, Obstacle, TangentialLaw

from .trace import Segment


class SegmentMotion:
    """Coefficient arrays of a segment, lowest order first.

    u, u_rate, w, w_rate are displacements [m] and their rates [m/s]. normal_force ≥ 0 and
    friction_force act on the mass [N]. slip is in m/s. stretch e [m] and stretch_rate [m/s] are
    zero without contact or without penalised friction. tangential_forcing and normal_forcing are
    in N.
    """

    def __init__(self, parameters: FrictionalShockParameters, segment: Segment) -> None:
        self.parameters = parameters
        self.segment = segment
        self.length = segment.length
        self.end = segment.duration / segment.length
        self.in_contact = segment.contact != 0
        self.sliding = segment.sliding
        self.penalised_friction = parameters.tangential_law is TangentialLaw.penalty
        before = segment.before
        self.stop = before["stop"] if parameters.stop_stiffness > 0.0 else 0.0
        self.tangential_forcing = self._series("tangential_forcing")
        if self.stop:
            # The f_t of the kernel contains the constant part of the stop's spring force.
            place = parameters.stop_upper if self.stop > 0.0 else parameters.stop_lower
            self.tangential_forcing[0] -= parameters.stop_stiffness * place
        self.normal_forcing = self._series("normal_forcing")

        at_rest = self.in_contact and self.sliding == 0 and not self.penalised_friction
        self.u = self._series("displacement", before["displacement"])
        self.u_rate = self._series("velocity", 0.0 if at_rest else before["velocity"])
        self.w = self._series("normal_displacement", before["normal_displacement"])
        self.w_rate = self._series("normal_velocity", before["normal_velocity"])
        self.normal_force = self._series("normal_force") if self.in_contact else np.zeros(1)
        self.slip = self._series("slip_velocity") if self.sliding else np.zeros(1)

        self.stretch = np.zeros(1)
        if self.in_contact and self.penalised_friction:
            if self.sliding:
                self.stretch = self._series("stretch")
            else:
                self.stretch = self.u.copy()
                self.stretch[0] = before["stretch"]
        self.stretch_rate = polynomial.polyder(self.stretch) / self.length

        if not self.in_contact:
            self.friction_force = np.zeros(1)
        elif self.sliding and not depends_on_velocity(parameters):
            self.friction_force = (
                -self.sliding * parameters.friction_coefficient * self.normal_force
            )
        else:
            self.friction_force = self._series("friction_force")

        # Opening of the gap to the plane in contact by wear, since the start of the segment.
        self.opening = self._series("opening", 0.0)

    def _series(self, name: str, constant: float = 0.0) -> np.ndarray:
        coefficients = self.segment.series[name]
        return np.array(coefficients if coefficients else (constant,))

    def rate(self, series: np.ndarray) -> np.ndarray:
        """Return the time derivative of a series [1/s]."""
        return polynomial.polyder(series) / self.length

    def integral(self, first: np.ndarray, second: np.ndarray) -> float:
        """Return ∫ first·second dt over the segment."""
        product = polynomial.polyint(polynomial.polymul(first, second))
        return float(self.length * polynomial.polyval(self.end, product))

    def samples(self, count: int) -> np.ndarray:
        """Return sample points in x, ends included."""
        return np.linspace(0.0, self.end, count)

    def gap(self, plane: int) -> np.ndarray:
        """Return the gap to the lower (+1) or the upper (−1) plane as a series [m]."""
        gap = self.w.copy()
        gap[0] += self.parameters.initial_gap
        if plane < 0:
            gap = -gap
            gap[0] += 2.0 * self.parameters.plane_half_spacing
        gap[0] += opening(self.parameters, self.segment.before, plane)
        return polynomial.polyadd(gap, self.opening) if plane == self.segment.contact else gap

    @property
    def planes(self) -> tuple[int, ...]:
        """Planes of the obstacle. The tuple is empty if the normal force is prescribed."""
        if self.parameters.normal_law is NormalLaw.prescribed:
            return ()
        return (1, -1) if self.parameters.obstacle is Obstacle.two_planes else (1,)


def depends_on_velocity(parameters: FrictionalShockParameters) -> bool:
    """Return whether friction in slip depends on the speed of the mass."""
    slow = parameters.friction_coefficient_slow
    differs = slow >= 0.0 and slow != parameters.friction_coefficient
    has_table = parameters.friction_table_coefficient_1 >= 0.0
    return differs or has_table or parameters.viscous_friction > 0.0


def opening(parameters: FrictionalShockParameters, state: dict[str, float], plane: int) -> float:
    """Return by how much [m] wear has opened the gap to a plane."""
    if not parameters.wear_feedback:
        return 0.0
    upper = state["wear_work_upper"]
    wear = upper if plane < 0 else state["wear_work"] - upper
    scale = parameters.wear_time_scale * parameters.archard_coefficient
    return scale / parameters.wear_area * wear


def value(series: np.ndarray, x: float | np.ndarray) -> np.ndarray:
    """Return the value of a series at x."""
    return polynomial.polyval(x, series)
