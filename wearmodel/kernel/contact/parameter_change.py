"""Effect of new parameters on one contact at an instant, see `shoe.parameter_change`.

The point and the anchor do not move. Position and velocity of the point are the first numbers of
their work rows.
"""

from __future__ import annotations

from ..limits import LENGTH_ROUNDING
from ..series.arithmetic import magnitude
from .friction import has_friction, holding_coefficient, sliding_friction
from .obstacle import facing_side, gap_now, kinematics
from .parameters import ContactLaw
from .polygon import face, is_beyond, settle_facing
from .state_objects import ContactState, ContactWork
from .transitions import close_contact, forget_zeros, open_contact, settle_on_cone


def contact_energy(law: ContactLaw, s: ContactState, work: ContactWork) -> float:
    """½ K d² + ½ K_T |e|² [J], where d is the depth of the point in the obstacle."""
    depth = max(0.0, -gap_now(law, s, work))
    energy = 0.5 * law.stiffness * depth * depth
    if s.closed != 0.0:
        stretch = magnitude(s.stretch_1, s.stretch_2)
        energy += 0.5 * law.tangential_stiffness * stretch * stretch
    return energy


def presses_otherwise(old_law: ContactLaw, law: ContactLaw) -> bool:
    """Whether the parameters of the normal force differ."""
    return (
        law.gap != old_law.gap
        or law.stiffness != old_law.stiffness
        or law.contact_damping != old_law.contact_damping
    )


def settle_contact(law: ContactLaw, s: ContactState, work: ContactWork, presses_anew: bool) -> bool:
    """Set the contact's mode at this instant from the law: open or closed, stick or slip.

    `presses_anew`: the law of the normal force has changed. Returns False if the wear of a sudden
    displacement of the anchor would accelerate itself.
    """
    gap, rate, first, second = kinematics(law, s, work)
    force = -law.stiffness * gap - law.contact_damping * rate
    if presses_anew:
        closed = facing_side(law, s, work) if gap < 0.0 and force > 0.0 else 0.0
        if s.closed != 0.0 and closed != s.closed:
            # The force vanishes at once, so it does not displace the anchor.
            s.sliding = 0.0
            open_contact(law, s, 0)
        if closed != s.closed:
            close_contact(s, closed)
        s.zeros_gap = 0.0
        s.zeros_force = 0.0
    if s.closed == 0.0:
        return True
    force = max(0.0, force)
    s.contact_peak = max(s.contact_peak, force)
    s.peak_force = max(s.peak_force, force)
    s.zeros_slip = 0.0
    s.zeros_cone = 0.0
    s.zeros_speed = 0.0
    if not has_friction(law):
        # The anchor is free, and there is no wear.
        s.sliding = 0.0
        s.stretch_1 = 0.0
        s.stretch_2 = 0.0
        return True
    speed = magnitude(first, second)
    if law.tangential_damping == 0.0:
        return not force > 0.0 or settle_on_cone(law, s, work, force, speed)
    trial_1 = law.tangential_stiffness * s.stretch_1 + law.tangential_damping * first
    trial_2 = law.tangential_stiffness * s.stretch_2 + law.tangential_damping * second
    trial = magnitude(trial_1, trial_2)
    if s.sliding != 0.0:
        if trial < sliding_friction(law, speed) * force:
            s.sliding = 0.0
    elif trial > holding_coefficient(law, speed) * force:
        s.sliding = 1.0
        s.direction_1 = trial_1 / trial
        s.direction_2 = trial_2 / trial
    return True


def pass_jump(law: ContactLaw, s: ContactState, work: ContactWork, side_works: list[float]) -> bool:
    """Adapt the contact to a sudden change of velocity. False if wear would accelerate itself."""
    # Guards that vanished by construction can be non-zero on another path.
    forget_zeros(s)
    rounding = LENGTH_ROUNDING * (abs(law.gap) + abs(work.position_1[0]))
    if s.faced != 0.0 and is_beyond(work, rounding):
        # An input has moved the point. With the gap of a corner, any position would be inside.
        settle_facing(law, s, work, True, side_works)
        face(law, s, work)
    gap, rate, first, second = kinematics(law, s, work)
    force = -law.stiffness * gap - law.contact_damping * rate
    side = facing_side(law, s, work)
    is_left = abs(gap) > rounding and (gap > 0.0 or s.closed != side)
    if s.closed != 0.0 and is_left and law.contact_damping > 0.0:
        # An input has moved the point away, and a damper does not act across an open gap.
        open_contact(law, s, 0)
        settle_facing(law, s, work, False, side_works)
    if s.closed == 0.0 and gap < -rounding and force > 0.0:
        # The point was pressed at rest, or its damper had released it inside the obstacle.
        close_contact(s, side)
        settle_facing(law, s, work, True, side_works)
    if s.closed == 0.0 or law.tangential_damping > 0.0 or not force > 0.0:
        return True
    if law.tangential_stiffness == 0.0:
        return True  # without friction
    return settle_on_cone(law, s, work, force, magnitude(first, second))
