"""The reference for coupled_support.py: support and shoe in one piece, without our kernel.

    M ẍ = −C ẋ − K x + F sin ωt − F_T,   m ü = −m ẍ + F_T,   |F_T| ≤ μ m g

Integrated by scipy from event to event: in stick until the force leaves the cone, in slip until
the slip velocity is zero. Run it: `python examples/monolithic_support.py` prints the motion.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from console import parser, run
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

# One row a communication point: time, x, u, wear work.
History = NDArray[np.float64]


@dataclass(frozen=True)
class System:
    """Support and shoe, SI units; the shoe sticks and slips."""

    support_mass: float = 2.0
    support_stiffness: float = 60.0
    support_damping: float = 1.0
    force_amplitude: float = 6.0
    angular_frequency: float = 4.0
    shoe_mass: float = 1.0
    friction_coefficient: float = 0.1
    gravity: float = 10.0
    stop_time: float = 4.0

    @property
    def friction_limit(self) -> float:
        """Largest friction force μ m g [N]."""
        return self.friction_coefficient * self.shoe_mass * self.gravity

    def support_matrix(self) -> NDArray[np.float64]:
        """d/dt of (x, ẋ, S, sin ωt, cos ωt), so that a step of the support is exact."""
        matrix = np.zeros((5, 5))
        matrix[0, 1] = 1.0
        matrix[1, :4] = -self.support_stiffness, -self.support_damping, 1.0, self.force_amplitude
        matrix[1] /= self.support_mass
        matrix[3, 4], matrix[4, 3] = self.angular_frequency, -self.angular_frequency
        return matrix


def monolithic(system: System, times: NDArray[np.float64]) -> History:
    """The reference: both bodies at once, phase by phase, each phase ended by its event."""
    matrix, limit, mass = system.support_matrix(), system.friction_limit, system.shoe_mass

    def acceleration(time: float, position: float, velocity: float, force: float) -> float:
        angle = system.angular_frequency * time
        return float(matrix[1] @ (position, velocity, force, np.sin(angle), np.cos(angle)))

    def stuck(time: float, y: NDArray[np.float64]) -> float:
        """Acceleration of both together: M a = … − m a."""
        share = system.support_mass / (system.support_mass + mass)
        return acceleration(time, y[0], y[1], 0.0) * share

    def stick(time: float, y: NDArray[np.float64]) -> list[float]:
        return [y[1], stuck(time, y), 0.0, 0.0, 0.0]

    def breaks(time: float, y: NDArray[np.float64]) -> float:
        return limit - abs(mass * stuck(time, y))

    def stops(_time: float, y: NDArray[np.float64]) -> float:
        return float(y[3])

    breaks.terminal, stops.terminal = True, True  # type: ignore[attr-defined]
    time, y, direction = 0.0, np.zeros(5), 0.0  # y: x, ẋ, u, u̇, wear work
    found: list[History] = []
    while time < times[-1]:
        s = direction  # of the slip, 0 in stick

        def slip(t: float, y: NDArray[np.float64], s: float = s) -> list[float]:
            a = acceleration(t, y[0], y[1], s * limit)
            normal = limit / system.friction_coefficient
            return [y[1], a, y[3], -a - s * limit / mass, normal * abs(y[3])]

        # Only a fall of |u̇| ends the slip; it begins with u̇ = 0 itself.
        stops.direction = -s  # type: ignore[attr-defined]
        result = solve_ivp(
            slip if s else stick,
            (time, times[-1]),
            y,
            "DOP853",
            events=stops if s else breaks,
            dense_output=True,
            rtol=1e-12,
            atol=1e-14,
            max_step=0.02,
        )
        inside = times[(times >= time) & (times < result.t[-1])]
        if inside.size:
            found.append(np.column_stack([inside, result.sol(inside).T[:, (0, 2, 4)]]))
        time, y = result.t[-1], result.y[:, -1]
        y[3] = 0.0
        wanted = mass * stuck(time, y)  # friction that would keep the shoe in stick
        direction = 0.0 if (s and abs(wanted) < limit) else -np.sign(wanted)
    found.append(np.array([[time, y[0], y[2], y[4]]]))
    return np.concatenate(found)


def main() -> None:
    """Print displacements and wear work every 0.2 s."""
    parser(__doc__).parse_args()
    system = System()
    times = np.linspace(0.0, system.stop_time, round(system.stop_time / 0.2) + 1)
    print("time [s]  support x [m]  shoe u [m]  wear work [J]")
    for time, support, shoe, work in monolithic(system, times):
        print(f"{time:8.1f}  {support:13.6f}  {shoe:10.6f}  {work:13.6f}")


if __name__ == "__main__":
    run(main)
