"""Convergence of the series of a contact, and the same series over a shorter piece.

Slip in two directions, contact in a circle, friction that depends on the speed, and wear feedback
are nonlinear. Their series converge only over a limited duration.
"""

from __future__ import annotations

from .forces import standing_still
from .friction import is_cubic
from .obstacle import curved_size, is_hole, is_inside_curved
from .parameters import ContactLaw
from .state_objects import FOLLOWS, ContactState, ContactWork


def nonlinear_size(law: ContactLaw, s: ContactState, work: ContactWork, j: int) -> float:
    """Size of coefficient j of the nonlinear terms of a contact, 0 if all terms are linear.

    The size is a sum, so it is NaN if a coefficient is NaN.
    """
    if s.closed == 0.0 and not is_inside_curved(law, s, work):
        return 0.0
    size = 0.0
    if law.opening_per_work != 0.0 and s.sliding != 0.0:
        force = work.force
        scale = abs(force[0])
        if j > 0:
            scale += abs(force[1])
        if scale > 0.0:
            size = law.stiffness * abs(work.opening[j]) / scale
    size += curved_size(law, work, j)
    if s.sliding != 0.0:
        size += abs(work.direction_1[j]) + abs(work.direction_2[j])
        if law.tangential_damping > 0.0:
            trial = work.trial
            stretch = abs(work.stretch_1[j]) + abs(work.stretch_2[j])
            if trial[0] > 0.0:
                size += law.tangential_stiffness * stretch / trial[0]
        if law.constant_friction < 0.0:
            size += _speed_size(law, s, work, j)
    elif s.closed != 0.0 and law.holding_varies != 0.0:
        size += _speed_size(law, s, work, j)
    return size


def _speed_size(law: ContactLaw, s: ContactState, work: ContactWork, j: int) -> float:
    """Size of coefficient j of the terms of friction that depend on the speed."""
    if is_cubic(law) and j < 6:
        # All coefficients below order 6 can vanish, see `is_cubic`.
        return 1.0
    coefficient = work.coefficient
    order = j - standing_still(law, s, work, j)
    size = 0.0
    if order >= 0:
        size = abs(work.heading_1[order]) + abs(work.heading_2[order])
    if coefficient[0] > 0.0:
        size += abs(coefficient[j]) / coefficient[0]
        if is_cubic(law):
            size += (abs(coefficient[j - 1]) + abs(coefficient[j - 2])) / coefficient[0]
    return size


def scale_contact(
    law: ContactLaw, s: ContactState, work: ContactWork, share: float, count: int
) -> None:
    """Rescale a contact's series to the first `share` of the piece."""
    powers = work.spare
    power = 1.0
    for j in range(1, count):
        power *= share
        powers[j] = power
    _scale(work.position_1, powers, count)
    _scale(work.position_2, powers, count)
    _scale(work.velocity_1, powers, count)
    _scale(work.velocity_2, powers, count)
    if is_hole(law):
        _scale(work.radius, powers, count)
    if s.closed == 0.0:
        return
    _scale(work.position_3, powers, count)
    _scale(work.velocity_3, powers, count)
    _scale(work.force, powers, count)
    _scale(work.friction_1, powers, count)
    _scale(work.friction_2, powers, count)
    _scale(work.stretch_1, powers, count)
    _scale(work.stretch_2, powers, count)
    _scale(work.direction_1, powers, count)
    _scale(work.direction_2, powers, count)
    _scale(work.along, powers, count)
    _scale(work.slip, powers, count)
    if work.trial[FOLLOWS] != 0.0:
        _scale(work.trial_1, powers, count)
        _scale(work.trial_2, powers, count)
    if law.opening_per_work != 0.0:
        _scale(work.opening, powers, count)
    if law.constant_friction < 0.0:
        _scale(work.speed, powers, count)
        _scale(work.coefficient, powers, count)
        _scale(work.bound, powers, count)
    if is_hole(law):
        _scale(work.radial_velocity, powers, count)
        _scale(work.radial_1, powers, count)
        _scale(work.radial_2, powers, count)
    _scale(work.sliding_1, powers, count)
    _scale(work.sliding_2, powers, count)


def _scale(series: list[float], powers: list[float], count: int) -> None:
    for j in range(1, count):
        series[j] *= powers[j]
