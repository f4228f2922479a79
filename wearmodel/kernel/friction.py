"""The law of friction: all that the rest of the kernel asks of it.

    slip    F_T = −s μ_d F_N            s the direction of slip, F_T the force on the mass
    stick   |F_T| ≤ μ_s F_N             μ_s ≥ μ_d
    impact  |u̇⁺| = max(0, |u̇⁻| − μ_d P/m),  P = m (1 + e)|v_n| the normal impulse

Wear work is ∫ F_N |slip velocity| dt; friction takes μ_d times that. Whether F_T acts on the mass
directly or through a spring and a damper is not the law's concern: see `tangential`. No coefficient
of friction is read anywhere else in the kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .records import Parameters, State, Work


def complete_friction(p: Parameters) -> None:
    """Replace a coefficient that stands for another one: a negative μ_s is μ_d."""
    if p.friction_coefficient_static < 0.0:
        p.friction_coefficient_static = p.friction_coefficient


def breakaway_rule(p: Parameters) -> tuple[bool, float, float]:
    """Whether the declared μ_s lies below the coefficient with which slip begins, and both."""
    static = p.friction_coefficient_static
    starting = p.friction_coefficient
    return 0.0 <= static < starting, static, starting


def sliding_friction(p: Parameters, velocity: float) -> float:
    """Coefficient μ in slip where the mass moves along the support with u̇ = `velocity` [m/s]."""
    return p.friction_coefficient


def holding_bound(p: Parameters, normal_force: float) -> float:
    """Largest friction force [N] that the contact bears in stick, μ_s F_N."""
    return p.friction_coefficient_static * normal_force


def fill_holding_bound(p: Parameters, force: list[float], count: int, bound: list[float]) -> None:
    """Write the series of the largest friction force in stick, μ_s F_N, from that of F_N."""
    static = p.friction_coefficient_static
    for j in range(count):
        bound[j] = static * force[j]


def keeps_force(p: Parameters) -> bool:
    """Whether the friction force does not jump where stick becomes slip, or slip stick."""
    return p.friction_coefficient_static == p.friction_coefficient


def fill_slip_friction(p: Parameters, s: State, work: Work) -> None:
    """Write F_T = −s μ_d F_N over a piece in slip into its work row."""
    counts = work.counts
    force = work.force
    friction = work.friction
    signed = -s.sliding * p.friction_coefficient
    for j in range(int(counts.force)):
        friction[j] = signed * force[j]
    counts.friction = counts.force


def dissipated(p: Parameters, wear: float) -> float:
    """What friction takes [J] over a piece in slip whose wear work is `wear` [J]."""
    return p.friction_coefficient * wear


def rub_impact(p: Parameters, speed: float, impulse: float) -> tuple[float, float]:
    """Speed [m/s] that an impact leaves of `speed` ≥ 0, and its wear work [J].

    m d|u̇|/dP = −μ_d until |u̇| = 0, wear ∫ |u̇| dP: with P_s = min(P, m |u̇⁻|/μ_d) the wear work is
    P_s (|u̇⁻| + |u̇⁺|)/2. `impulse` is the normal impulse P [N.s].
    """
    friction = p.friction_coefficient
    after = max(0.0, speed - friction * impulse / p.mass)
    sliding_impulse = impulse
    if friction > 0.0:
        sliding_impulse = min(impulse, p.mass * speed / friction)
    return after, sliding_impulse * 0.5 * (speed + after)


def stretch_per_force(friction_coefficient: float, tangential_stiffness: float) -> float:
    """Largest stretch of a friction spring per normal force [m/N]."""
    return friction_coefficient / tangential_stiffness
