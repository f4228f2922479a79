"""Pendulum bearing: a sliding surface of radius R, with the restoring force F_N u/R.

    m ü = f_t − c u̇ − k u + F_T − F_N u/R

F_N is the momentary normal force, so that the pendulum is a spring whose stiffness varies, and an
impact with the normal impulse P has the tangential impulse P u/R. The rise u²/(2 R) of the
mass on the surface and higher powers of u/R are neglected.
"""

from __future__ import annotations

from ..limits import NEGLIGIBLE, RATE_LIMIT, ROW_LENGTH, SERIES_LENGTH
from ..series.arithmetic import product_term
from ..series.oscillator import oscillator_rate
from ..series.polynomials import evaluate_increment, integrate_product
from .parameters import Parameters
from .state_objects import State, Work

# Largest modulus of the complex time of a piece for which F_N is bounded, see `shorter_swing`.
_RADIUS = 4.0


def shorter_swing(
    p: Parameters, damping: float, stiffness: float, length: float, work: Work
) -> float:
    """Length [s] of a piece over which the series of u converges, or 0.0 if it is short enough.

    Σ |F_j| r^j bounds F_N for times up to r. If the rate λ of the motion with this F_N has
    λτ ≤ 1, the coefficients of u fall at least like e^r/r^j.
    """
    counts = work.counts
    force = work.force
    largest = 0.0
    for j in range(int(counts.force) - 1, -1, -1):
        largest = largest * _RADIUS + abs(force[j])
    if counts.mass == 0.0:
        return 0.0
    rate = oscillator_rate(counts.mass, damping, stiffness + p.curvature * largest)
    return 0.9 * RATE_LIMIT / rate if rate * length > RATE_LIMIT else 0.0


def swing_series(
    p: Parameters, damping: float, stiffness: float, length: float, drive_count: int, work: Work
) -> int:
    """Like `series.oscillator_series`, with F_N u/R, for the tangential rows of the work space."""
    counts = work.counts
    drive = work.drive
    force = work.force
    positions = work.displacement
    velocities = work.velocity
    force_count = int(counts.force)
    factor = length / counts.mass if counts.mass > 0.0 else 0.0
    largest = abs(velocities[0])
    previous = largest
    count = 1
    for j in range(SERIES_LENGTH - 1):
        pull = product_term(force, force_count, positions, count, j)
        acting = -damping * velocities[j] - stiffness * positions[j] - p.curvature * pull
        if j < drive_count:
            acting += drive[j]
        velocities[j + 1] = factor * acting / (j + 1)
        positions[j + 1] = length * velocities[j] / (j + 1)
        count = j + 2
        size = abs(velocities[j + 1])
        largest = max(largest, size)
        if j >= max(drive_count, force_count) and size + previous <= NEGLIGIBLE * largest:
            break
        previous = size
    return count


def pendulum_work(p: Parameters, s: State, end: float, length: float, work: Work) -> float:
    """∫ F_N u u̇/R dt [J] up to `end` of the piece."""
    counts = work.counts
    count = int(counts.motion)
    force_count = int(counts.force)
    if s.contact == 0.0 or count == 0:
        return 0.0
    force = work.force
    positions = work.displacement
    if force_count == 1:
        way = evaluate_increment(positions, count, end)
        return p.curvature * force[0] * way * (s.displacement + 0.5 * way)
    pulls = work.guard
    pull_count = min(count + force_count - 1, ROW_LENGTH)
    for j in range(pull_count):
        pulls[j] = product_term(force, force_count, positions, count, j)
    pulled = integrate_product(pulls, pull_count, work.velocity, count, end)
    return p.curvature * length * pulled


def swing_impact(p: Parameters, s: State, impulse: float) -> float:
    """Apply an impact with the normal `impulse` P [N.s] to u̇. Return the wear work [J].

        m du̇/dP = −u/R − s μ,   at u̇ = 0 rest if |u|/R ≤ μ_s

    A rigid stop takes the part of the impulse towards it that friction does not balance.
    """
    friction = p.constant_friction
    static = p.friction_coefficient_static
    pull = p.curvature * s.displacement
    if s.stop * pull < 0.0 and p.stop_stiffness == 0.0:
        s.stop_impulse += impulse * max(0.0, abs(pull) - static)
        return 0.0
    velocity = s.velocity
    left = impulse
    wear = 0.0
    way = 0.0
    # First the slip until u̇ = 0, then the slip that starts there.
    for _ in range(2):
        if left > 0.0 and (velocity != 0.0 or abs(pull) > static):
            sliding = 1.0 if velocity > 0.0 or (velocity == 0.0 and pull < 0.0) else -1.0
            rate = -(pull + sliding * friction) / p.mass
            passed = left
            after = velocity + rate * left
            if sliding * after < 0.0:
                passed = min(left, -velocity / rate)
                after = 0.0
            way += 0.5 * passed * (velocity + after)
            wear += 0.5 * passed * abs(velocity + after)
            velocity = after
            left -= passed
    s.velocity = velocity
    s.friction_work += friction * wear
    s.pendulum_work += pull * way
    if velocity != 0.0 and p.stop_stiffness == 0.0:
        s.stop = 0.0
    return wear
