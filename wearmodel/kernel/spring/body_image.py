"""Rules of a body's image that do not depend on its contacts: received motion, prediction, energy.

`image` describes them. The axes of a body are three consecutive elements of a list, from `first`.
"""

from __future__ import annotations

from math import sqrt

from ..limits import OK
from .parameters import SpringParameters
from .state_objects import BodyImage, EnergyAccount, ImageAxis, ImageState

# Warnings, as codes of a successful step.
OTHER_MASS = -1
CHANGED_STEP = -2
ADDED_ENERGY = -3
# Number of steps after a touch from which the mass is estimated. In later steps, other forces on
# the body can have changed as much as the contact force.
_SEEN_STEPS = 30.0
# Share by which the estimated mass may differ from the parameter, and a step from the last one.
_MASS_TOLERANCE = 0.1
_STEP_TOLERANCE = 1e-6
# Share by which the lasting acceleration follows the estimate in a step of contact. With a wrong
# mass, the estimate contains a part of the contact force. A shock is too short to follow it, but a
# body that rests under a new load must follow.
_FOLLOWED = 0.01
# Number of steps in contact in which a body of unknown mass is watched.
_WATCHED_STEPS = 1000.0
# Limits of a warning: largest 1 − r², least share of energy gained, and largest 2m/(K h²).
_DEVIATION = 1e-4
_GAIN = 0.02
_HEAVY = 2e5
# Relative rounding error of the available energy.
_ROUNDING = 1e-9


def judge_step(body: ImageState, lag: float, step_size: float, code: int) -> int:
    """Return the warning if a parallel master changes its step for the first time, else `code`."""
    is_changed = abs(step_size - body.step_size) > _STEP_TOLERANCE * step_size
    if code == OK and is_changed and lag != 0.0 and body.steps > 1.0 and body.told_step == 0.0:
        body.told_step = 1.0
        return CHANGED_STEP
    return code


def receive(
    body: ImageState,
    axes: list[ImageAxis],
    first: int,
    mass: float,
    sample: list[float],
    place_at: int,
    velocity_at: int,
) -> float:
    """Update velocity, acceleration by other forces, displacement and mass from a position.

    `place_at` and `velocity_at` are indices of x in the sample. If the index of the velocity is 0,
    the velocity is computed from the positions. Returns the size of the motion in a step [m/s].
    """
    last = body.step_size
    # The force in this time has changed the rate: between the middles of steps, or in a step.
    before = body.step_before if velocity_at == 0 else 0.0
    both = last + before
    is_known = body.steps > (1.0 if velocity_at == 0 else 0.0)
    is_free = True
    for k in range(3):
        axis = axes[first + k]
        is_free = is_free and axis.applied == 0.0 and axis.before == 0.0
    if body.contact_steps > 0.0 or not is_free:
        body.contact_steps += 1.0
    total = 0.0
    for k in range(3):
        axis = axes[first + k]
        place = sample[place_at + k]
        axis.moved = place - axis.received
        axis.received = place
        axis.velocity = 0.0
        rate = 0.0
        if velocity_at != 0:
            rate = sample[velocity_at + k]
            axis.velocity = rate
        elif body.steps > 0.0:
            rate = axis.moved / last
        if body.steps == 0.0:
            axis.moved = 0.0
            axis.acceleration = -axis.mean_force / mass
            axis.lasting_acceleration = axis.acceleration
        elif is_known:
            force = (axis.applied * last + axis.before * before) / both
            seen = (rate - axis.rate) / both
            if velocity_at == 0:
                seen *= 2.0
            axis.acceleration = seen - force / mass
            share = 1.0 if is_free else _FOLLOWED
            axis.lasting_acceleration += share * (axis.acceleration - axis.lasting_acceleration)
            if body.steps > 2.0 and 0.0 < body.contact_steps <= _SEEN_STEPS:
                change = seen - axis.seen_acceleration
                body.force_change += (force - axis.seen_force) * change
                body.acceleration_change += change * change
            axis.seen_force = force
            axis.seen_acceleration = seen
        axis.rate = rate
        axis.expected_acceleration = 0.5 * (axis.acceleration + axis.lasting_acceleration)
        if velocity_at == 0 and body.steps > 0.0:
            axis.velocity = rate + 0.5 * last * (axis.applied / mass + axis.acceleration)
        total += abs(axis.velocity) + abs(axis.acceleration) * last
    return total * (1.0 + mass)


def predict(axis: ImageAxis, mass: float, lag: float, step_size: float) -> float:
    """Move the body to the start of the image's step, and return its displacement [m].

    With a parallel master this is the end of the coming step, which has the previous mean force.
    """
    axis.before = axis.applied
    axis.place = axis.received
    if lag == 0.0:
        return 0.0
    axis.applied = axis.mean_force
    ahead = way_of(axis, mass, axis.applied, step_size)
    axis.place = axis.received + ahead
    axis.velocity += step_size * (axis.applied / mass + axis.expected_acceleration)
    return ahead


def way_of(axis: ImageAxis, mass: float, force: float, step_size: float) -> float:
    """Displacement [m] of the body in a step under a constant force and its other forces."""
    pull = force / mass + axis.expected_acceleration
    return step_size * (axis.velocity + 0.5 * step_size * pull)


def leave_body(axis: ImageAxis, mass: float, lag: float, place: float, step_size: float) -> None:
    """Store the offset of the image, which has reached `place` [m], at the end of its step."""
    axis.offset = place - (axis.place + way_of(axis, mass, axis.mean_force, step_size))
    if lag == 0.0:
        axis.applied = axis.mean_force


def end_image_step(body: ImageState, step_size: float) -> None:
    """Count the step and its length."""
    body.step_before = body.step_size
    body.step_size = step_size
    body.steps = min(3.0, body.steps + 1.0)


def mass_seen(body: ImageState) -> float:
    """Mass [kg] estimated from the body's response to changes of the force, 0 if unknown."""
    if body.acceleration_change == 0.0:
        return 0.0
    return body.force_change / body.acceleration_change


def leave_contact(body: ImageState, mass: float, code: int) -> int:
    """End the contact of a body. Return the warning if it showed another mass, otherwise `code`."""
    body.contact_steps = 0.0
    differs = abs(mass_seen(body) - mass) > _MASS_TOLERANCE * mass
    if body.told_mass == 0.0 and body.acceleration_change > 0.0 and differs:
        body.told_mass = 1.0
        return OTHER_MASS
    return code


def watch_body(
    p: SpringParameters, image: BodyImage, way: float, force: float, step_size: float
) -> int:
    """Watch a body of unknown mass in a step of contact. Return OK, or a warning of its master.

    A master without iterations adds energy because it applies a constant force along x in each
    step. The displacement of such a body per step changes by h²/2m·(F₁ + F₂) + constant, with the
    forces of its last two steps. With a parallel master they are the forces one step earlier. The
    correlation r² of the changes of both sides is then 1. A prescribed path and an accurate master
    do not follow the force with this delay: for a half sine of n steps, 1 − r² > (π/2n)².
    `way` [m] is the displacement in the step, and `force` [N] is the force at its end.
    """
    body = image.body
    axis = image.axes[0]
    if body.contact_steps == 0.0:
        body.turns = 0.0
        body.serial_fit = 0.0
        body.serial_forces = 0.0
        body.parallel_fit = 0.0
        body.parallel_forces = 0.0
        body.work = 0.0
        body.parallel_work = 0.0
    body.work += axis.mean_force * way
    body.parallel_work += axis.applied * way
    change = way - axis.moved
    held = axis.mean_force + axis.applied
    growth = held - axis.seen_force
    if body.contact_steps > 1.0:
        turn = change - axis.acceleration
        body.turns += turn * turn
        body.serial_fit += turn * growth
        body.serial_forces += growth * growth
        body.parallel_fit += turn * axis.before
        body.parallel_forces += axis.before * axis.before
    axis.before = growth
    axis.acceleration = change
    axis.moved = way
    axis.seen_force = held
    axis.applied = axis.mean_force
    axis.mean_force = force
    body.watched += 1.0
    body.contact_steps += 1.0
    code = OK
    if body.contact_steps > 1.0 and abs(force) + abs(held) + abs(growth) == 0.0:
        body.contact_steps = 0.0
        code = _judge_master(p, body, way, step_size)
    if body.watched >= _WATCHED_STEPS:
        body.told_mass = 1.0
    return code


def _judge_master(p: SpringParameters, body: ImageState, way: float, step_size: float) -> int:
    """Warn if a body followed the constant forces, and has gained energy in the contact."""
    fit = body.serial_fit
    forces = body.serial_forces
    held_steps = 0.5
    if body.parallel_fit * body.parallel_fit * forces > fit * fit * body.parallel_forces:
        fit = body.parallel_fit
        forces = body.parallel_forces
        held_steps = 1.5
        body.work = body.parallel_work
    # A heavier body would not gain so much energy.
    if forces >= _HEAVY * p.contact_stiffness * fit:
        return OK
    if fit * fit < (1.0 - _DEVIATION) * (forces * body.turns):
        return OK
    # m/h², from turn = h²/2m·growth.
    inertia = 0.5 * forces / fit
    if body.work <= _GAIN * 0.5 * inertia * way * way:
        return OK
    body.told_mass = 1.0
    body.force_change = inertia * step_size * step_size
    body.acceleration_change = 1.0
    body.stable_step = p.contact_damping / (p.contact_stiffness * held_steps)
    return ADDED_ENERGY


def close_account(account: EnergyAccount) -> None:
    """Keep a debt of energy, and drop a credit, when body and image are both out of contact."""
    account.exchanged = min(0.0, account.exchanged)
    account.available = min(0.0, account.available)
    account.balance = account.available
    account.dissipated = 0.0


def returned_share(linear: float, quadratic: float, available: float) -> float:
    """Share s ≤ 1 of a mean force so that it returns s·linear + s²·quadratic ≤ `available` [J]."""
    most = max(0.0, available) * (1.0 + _ROUNDING)
    if linear + quadratic <= most:
        return 1.0
    share = 0.0
    root = sqrt(linear * linear + 4.0 * quadratic * most)
    if linear < 0.0:
        share = (root - linear) / (2.0 * quadratic)
    elif linear + root > 0.0:
        share = 2.0 * most / (linear + root)
    return min(1.0, share)
