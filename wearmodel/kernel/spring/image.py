"""Image of a body's mass that the shock spring moves in a step under its contact.

    m ẍ = F(x, ẋ) + m a                mean force F̄ = impulse/h, on the body

A master without iterations applies a force that is constant in a step. The model receives the
position of the body at communication points. Differences of the positions give its velocity and its
acceleration a by other forces. From there the motion of the image is exact, and F̄ has the impulse
of its contact. With a parallel `lag`, the motion of the body in the coming step is first predicted
under the previous mean force.

The force moves the body by F̄h²/2m and the image by ∬F/m. Along the normal this difference remains
as an offset until both are out of contact. Without it each shock would gain or lose energy. The
stretch of the friction spring is measured to the received position. A force that would return more
energy than the body has given, −Σ F̄·Δx, is reduced. If a contact has returned more, the next
contact returns less. Motion between events is a series, as in `path` and `structure`.
"""

from __future__ import annotations

from math import sqrt

from ..contact.convergence import nonlinear_size
from ..contact.forces import add_force_coefficient, wear_runs_away
from ..contact.friction import has_friction
from ..contact.obstacle import (
    add_curved_coefficient,
    friction_in_frame,
    gap_now,
    is_inside_curved,
    kinematics,
)
from ..contact.parameter_change import contact_energy, pass_jump
from ..contact.parameters import ContactLaw
from ..contact.polygon import face, follow_event
from ..contact.state_objects import EXIT_ZEROS, ContactState, ContactWork
from ..contact.transitions import apply_contact_event
from ..limits import MODAL_RETREAT, MODAL_SERIES_LENGTH, MODAL_TAIL, NO_EVENT, OK
from ..series.polynomials import evaluate_increment
from .body_image import (
    close_account,
    end_image_step,
    judge_step,
    leave_body,
    leave_contact,
    predict,
    receive,
    returned_share,
)
from .law import OUT_OF_RANGE
from .parameters import LARGEST, SpringParameters
from .path import (
    LEAST_PROGRESS,
    PIECES_WATCHED,
    TOO_MANY_LEG_PIECES,
    WEAR_RUNS_AWAY,
    end_piece,
    place_as_led,
    set_law,
    tell_contact,
)
from .state_objects import IMPOSED_X, BodyImage, EnergyAccount, ImageAxis, SpringMemory, SpringState

# Largest λτ of a piece.
_RATE_LIMIT = 2.0
# Weight of the last but one coefficient, as in `structure.motion`.
_SHARE_BEFORE = 0.125


def forget_motion(series: ContactWork) -> None:
    """Clear the series of an image. A straight path does not write the higher coefficients."""
    for j in range(1, MODAL_SERIES_LENGTH):
        series.position_1[j] = 0.0
        series.position_2[j] = 0.0
        series.position_3[j] = 0.0
        series.velocity_1[j] = 0.0
        series.velocity_2[j] = 0.0
        series.velocity_3[j] = 0.0


def start_image(s: SpringState, image: BodyImage) -> None:
    """Start the body at rest at the position of the spring, under the force of the contact."""
    axes = image.axes
    image.body.steps = 0.0
    first = axes[0]
    second = axes[1]
    third = axes[2]
    first.mean_force = -s.force_x
    second.mean_force = -s.force_y
    third.mean_force = -s.force_z


def step_image(
    p: SpringParameters,
    s: SpringState,
    contact: ContactState,
    image: BodyImage,
    sample: list[float],
    step_size: float,
    memory: SpringMemory,
) -> int:
    """Compute a step of the image from the received position of the body. Return a code.

    Codes above OK are errors, which leave the states incomplete. Codes below OK are warnings.
    """
    body = image.body
    account = image.account
    axes = image.axes
    law = memory.law
    series = memory.series
    mass = p.effective_mass
    size = abs(sample[IMPOSED_X]) + abs(sample[IMPOSED_X + 1]) + abs(sample[IMPOSED_X + 2])
    # This form also rejects NaN.
    if not (size <= LARGEST and p.driven_normal_stiffness * size <= LARGEST):
        return OUT_OF_RANGE
    if not receive(body, axes, 0, mass, sample, IMPOSED_X, 0) <= LARGEST:
        return OUT_OF_RANGE
    code = judge_step(body, p.lag, step_size, OK)
    returned = 0.0
    was_free = True
    for k in range(3):
        axis = axes[k]
        was_free = was_free and axis.mean_force == 0.0
        account.exchanged -= axis.applied * axis.moved
        returned += axis.mean_force * predict(axis, mass, p.lag, step_size)
        axis.mean_force = 0.0
    account.available = account.exchanged - returned
    account.balance = account.available - account.dissipated
    set_law(p, law, series)
    _place(law, contact, series, axes, 0.0)
    is_out = was_free and contact.closed == 0.0 and gap_now(law, contact, series) > 0.0
    _place(law, contact, series, axes, 1.0)
    if is_out and gap_now(law, contact, series) > 0.0:
        for k in range(3):
            axis = axes[k]
            axis.offset = 0.0
        close_account(account)
        code = leave_contact(body, mass, code)
    _anchor(s, contact, law, series, axes)
    failure = _move(p, s, contact, image, step_size, memory)
    if failure != OK:
        return failure
    _limit(account, axes, mass, step_size)
    leave_body(axes[0], mass, p.lag, s.drive_x, step_size)
    leave_body(axes[1], mass, p.lag, s.drive_y, step_size)
    leave_body(axes[2], mass, p.lag, s.drive_z, step_size)
    end_image_step(body, step_size)
    return code


def _limit(account: EnergyAccount, axes: list[ImageAxis], mass: float, step_size: float) -> None:
    """Reduce the mean force so that the body does not take more than the balance in the step.

    F̄·Δx = F̄·v h + (F̄·a + F̄²/m) h²/2, with the present or the lasting acceleration,
    whichever gives more.
    """
    speed = 0.0
    pull = 0.0
    lasting_pull = 0.0
    square = 0.0
    for k in range(3):
        axis = axes[k]
        force = axis.mean_force
        speed += force * axis.velocity
        pull += force * axis.acceleration
        lasting_pull += force * axis.lasting_acceleration
        square += force * force
    half = 0.5 * step_size * step_size
    linear = step_size * speed + half * max(pull, lasting_pull)
    share = returned_share(linear, half * square / mass, account.available)
    for k in range(3):
        axis = axes[k]
        axis.mean_force *= share


def _place(
    law: ContactLaw, contact: ContactState, series: ContactWork, axes: list[ImageAxis], share: float
) -> None:
    """Place the contact's point at the body, plus a share of the offset."""
    first = axes[0]
    second = axes[1]
    third = axes[2]
    series.position_1[0] = first.place + share * first.offset
    series.position_2[0] = second.place + share * second.offset
    series.position_3[0] = third.place + share * third.offset
    series.velocity_1[0] = first.velocity
    series.velocity_2[0] = second.velocity
    series.velocity_3[0] = third.velocity
    face(law, contact, series)


def _anchor(
    s: SpringState,
    contact: ContactState,
    law: ContactLaw,
    series: ContactWork,
    axes: list[ImageAxis],
) -> None:
    """Start the image with the normal part of the offset, and adapt the stretch to its position."""
    first = axes[0]
    second = axes[1]
    third = axes[2]
    kinematics(law, contact, series)
    along_1, along_2 = friction_in_frame(law, series, 1.0)
    across = first.offset * along_1 + second.offset * along_2
    first.offset -= across * along_1
    second.offset -= across * along_2
    third.offset = 0.0
    _place(law, contact, series, axes, 1.0)
    kinematics(law, contact, series)
    if contact.closed != 0.0:
        way_1 = series.position_1[0] - s.drive_x
        way_2 = series.position_2[0] - s.drive_y
        contact.stretch_1 += way_1 * along_1 + way_2 * along_2
        contact.stretch_2 += series.position_3[0] - s.drive_z
    s.drive_x = series.position_1[0]
    s.drive_y = series.position_2[0]
    s.drive_z = series.position_3[0]
    s.velocity_x = series.velocity_1[0]
    s.velocity_y = series.velocity_2[0]
    s.velocity_z = series.velocity_3[0]


def _move(
    p: SpringParameters,
    s: SpringState,
    contact: ContactState,
    image: BodyImage,
    duration: float,
    memory: SpringMemory,
) -> int:
    """Compute a step of image and contact, and write the mean force. Return OK or an error."""
    axes = image.axes
    law = memory.law
    series = memory.series
    sides = memory.sides
    mass = p.effective_mass
    first = axes[0]
    second = axes[1]
    third = axes[2]
    code = OK if pass_jump(law, contact, series, sides.works) else WEAR_RUNS_AWAY
    dissipated = contact_energy(law, contact, series)
    time = 0.0
    pieces = 0
    while code == OK and time < duration:
        pieces += 1
        place_as_led(law, s, contact, series)
        closed = contact.closed
        reached, end, count, event = _cross_piece(contact, axes, memory, mass, time, duration)
        is_slow = pieces % PIECES_WATCHED == 0 and (
            reached < pieces / PIECES_WATCHED * LEAST_PROGRESS * duration
        )
        if reached < 0.0 or is_slow:
            return WEAR_RUNS_AWAY if wear_runs_away(law, contact, series) else TOO_MANY_LEG_PIECES
        gained_x = evaluate_increment(series.velocity_1, count + 1, end)
        gained_y = evaluate_increment(series.velocity_2, count + 1, end)
        gained_z = evaluate_increment(series.velocity_3, count + 1, end)
        s.drive_x += evaluate_increment(series.position_1, count + 1, end)
        s.drive_y += evaluate_increment(series.position_2, count + 1, end)
        s.drive_z += evaluate_increment(series.position_3, count + 1, end)
        s.velocity_x += gained_x
        s.velocity_y += gained_y
        s.velocity_z += gained_z
        if closed != 0.0:
            # The impulse of the contact is the momentum that other forces have not given.
            span = reached - time
            first.mean_force += mass * (gained_x - first.expected_acceleration * span) / duration
            second.mean_force += mass * (gained_y - second.expected_acceleration * span) / duration
            third.mean_force += mass * (gained_z - third.expected_acceleration * span) / duration
        time = reached
        if event != NO_EVENT:
            zeros = int(series.exit[EXIT_ZEROS])
            apply_contact_event(law, contact, series, count, end, event, zeros)
            follow_event(law, contact, series, event, sides.works)
    place_as_led(law, s, contact, series)
    tell_contact(law, s, contact, series)
    dissipated -= contact_energy(law, contact, series)
    dissipated -= _work(first, mass, s.drive_x, s.velocity_x)
    dissipated -= _work(second, mass, s.drive_y, s.velocity_y)
    dissipated -= _work(third, mass, s.drive_z, s.velocity_z)
    image.account.dissipated += dissipated
    # This form also rejects NaN.
    if code == OK and not abs(s.drive_x) + abs(s.drive_y) + abs(s.drive_z) <= LARGEST:
        return OUT_OF_RANGE
    return code


def _work(axis: ImageAxis, mass: float, place: float, velocity: float) -> float:
    """Work [J] of the contact on the image along an axis since the start of the step."""
    kinetic = 0.5 * (velocity - axis.velocity) * (velocity + axis.velocity)
    return mass * (kinetic - axis.expected_acceleration * (place - axis.place - axis.offset))


def _cross_piece(
    s: ContactState,
    axes: list[ImageAxis],
    memory: SpringMemory,
    mass: float,
    start: float,
    stop: float,
) -> tuple[float, float, int, int]:
    """Compute the motion to the next event of the contact, as in `path`."""
    law = memory.law
    length = stop - start
    rate = 0.0
    if s.closed != 0.0:
        springs = law.stiffness
        dampers = law.contact_damping
        if s.sliding == 0.0 and has_friction(law):
            springs = max(springs, law.tangential_stiffness)
            dampers = max(dampers, law.tangential_damping)
        rate = max(sqrt(springs / mass), dampers / mass)
    if rate * length > _RATE_LIMIT:
        length = min(_RATE_LIMIT / rate, 0.5 * length)
    whole = length
    count, share = _fill_motion(s, axes, memory, mass, length)
    while share < 1.0:
        length *= MODAL_RETREAT if share == 0.0 else 0.9 * share
        if start + length == start:
            return -1.0, 0.0, count, NO_EVENT
        count, share = _fill_motion(s, axes, memory, mass, length)
    time, end, event = end_piece(law, s, memory.series, start, stop, length, whole, count)
    return time, end, count, event


def _fill_motion(
    s: ContactState, axes: list[ImageAxis], memory: SpringMemory, mass: float, length: float
) -> tuple[int, float]:
    """Write series of motion and contact over `length` [s]. Return force terms and valid share."""
    law = memory.law
    series = memory.series
    terms = memory.terms
    first = axes[0]
    second = axes[1]
    third = axes[2]
    velocity_1 = series.velocity_1
    velocity_2 = series.velocity_2
    velocity_3 = series.velocity_3
    largest = abs(velocity_1[0]) + abs(velocity_2[0]) + abs(velocity_3[0])
    size = largest
    is_curved = is_inside_curved(law, s, series)
    nonlinear = 0.0
    tail = 0.0
    for j in range(MODAL_SERIES_LENGTH - 1):
        factor = length / (j + 1)
        series.position_1[j + 1] = factor * velocity_1[j]
        series.position_2[j + 1] = factor * velocity_2[j]
        series.position_3[j + 1] = factor * velocity_3[j]
        force_1 = 0.0
        force_2 = 0.0
        force_3 = 0.0
        if s.closed != 0.0:
            force_1, force_2, force_3 = add_force_coefficient(law, s, series, terms, length, j)
        elif is_curved:
            add_curved_coefficient(series, terms, length, j)
        pull_1 = force_1 / mass
        pull_2 = force_2 / mass
        pull_3 = force_3 / mass
        if j == 0:
            pull_1 += first.expected_acceleration
            pull_2 += second.expected_acceleration
            pull_3 += third.expected_acceleration
        velocity_1[j + 1] = factor * pull_1
        velocity_2[j + 1] = factor * pull_2
        velocity_3[j + 1] = factor * pull_3
        before = size
        size = abs(velocity_1[j + 1]) + abs(velocity_2[j + 1]) + abs(velocity_3[j + 1])
        largest = max(largest, size)
        nonlinear_before = nonlinear
        nonlinear = 1.0
        # As in `structure.motion`.
        if _SHARE_BEFORE * size <= MODAL_TAIL * largest or j > MODAL_SERIES_LENGTH - 4:
            nonlinear = nonlinear_size(law, s, series, j)
        # The difference is zero unless a coefficient is infinite or not a number.
        if size + nonlinear - (size + nonlinear) != 0.0:
            return j + 1, 0.0
        tail = max(nonlinear, _SHARE_BEFORE * nonlinear_before)
        if largest > 0.0:
            tail = max(tail, size / largest, _SHARE_BEFORE * before / largest)
        if j > 0 and tail <= MODAL_TAIL:
            return j + 1, 1.0
    return MODAL_SERIES_LENGTH - 1, float((MODAL_TAIL / tail) ** (1.0 / (MODAL_SERIES_LENGTH - 3)))
