"""Contact of the shock spring along a leg on which dampers act, or wear that opens the gap.

Along the leg, s from 0 to 1, the driving point moves with a constant (v_x, v), v = (v_y, v_z), and
the dampers' constants are C' = C/duration. While the contact lasts:

    dF/ds = −K_N (v_x + β F λ)            F the normal force, λ ≥ 0 the rate of the anchor
    dW/ds = F λ                           wear work; β W is the depth that opens the gap
    stick   λ = 0,  de/ds = v,  |G| ≤ μF,  G = K_T e + C_T' v    e the stretch
    slip    G = ρ (cos θ, sin θ), θ from v,   ρ = μF + D
            ρ d(cos θ)/ds = K_T |v| sin²θ,   ρ d(sin θ)/ds = −K_T |v| sin θ cos θ
            C_T' > 0:  D = C_T' λ > 0,  dD/ds = K_T |v| cos θ − K_T D/C_T' − μ dF/ds
            C_T' = 0:  D = 0,  λ (1 − (μ/K_T) K_N β F) = |v| cos θ + (μ/K_T) K_N v_x

Stick ends at a root of a quadratic. Slip is a Taylor series whose coefficients follow order by
order, cut into pieces over which it ends; its events are the first roots of the series of F (the
contact opens) and D (the anchor is arrested). Once θ has come to rest, and without wear that acts
back, D is an exponential and slip is taken at once. Without damper slip once begun lasts: cos θ
only grows, and with it λ. Source: `law` and `shoe.wearing_slip`, whose laws these are.
"""

from __future__ import annotations

from math import exp, log1p
from typing import TYPE_CHECKING

from ..limits import (
    END_OF_PIECE,
    FLIGHT,
    NEGLIGIBLE,
    NEVER,
    OK,
    SERIES_LENGTH,
    SLIP,
    STICK,
)
from ..series.arithmetic import ends, magnitude, product_term, shortening
from ..series.polynomials import evaluate
from ..series.roots import first_exit
from .course import note_mode
from .planar_slip import first_slip, stays_on_cone

if TYPE_CHECKING:
    from .records import Leg, SpringWork

# Result codes beside those of `law`.
WEAR_RUNS_AWAY = 4
TOO_MANY_LEG_PIECES = 5

# In one leg; some seconds where the kernel runs interpreted.
_MOST_PIECES = 10_000
# No leg is cut into pieces shorter than this: their numbers overflow.
_SHORTEST = 1e-40
# A piece over which a rate acts longer than this has no short series.
_LONGEST_REACH = 4.0
# Below this sine the direction of slip is that of the path, to rounding.
_ALIGNED = 1e-16
# Below this share of what it was when slip began a falling force is rounding.
_FORCE_ROUNDING = 1e-13
# A contact that breaks away and is arrested at the same instant sticks for this share of the rest.
_GRAZING = 1e-9


def follow_contact(
    leg: Leg,
    work: SpringWork,
    start: float,
    normal_force: float,
    stretch_y: float,
    stretch_z: float,
) -> int:
    """Lead the contact from `start` in [0, 1] to where it opens or the leg ends.

    What it comes to is written into `leg`: see its fields.
    """
    path_x = leg.path_x
    path_y = leg.path_y
    path_z = leg.path_z
    stiffness = leg.tangential_stiffness
    damper = leg.tangential_damper
    length = magnitude(path_y, path_z)
    drag_y = damper * path_y / stiffness
    drag_z = damper * path_z / stiffness
    slope = -leg.normal_stiffness * path_x
    place = start
    force = normal_force
    sliding = False
    arrested = False
    grazing = False
    ahead_y = 0.0
    ahead_z = 0.0
    excess = 0.0
    cosine = 1.0
    sine = 0.0
    first_force = 0.0
    slips_at = 0.0
    # Where a contact begins to slip in a leg that is watched: an excess that rounding may make.
    least_excess = 0.0
    leg.slipped = 0.0
    leg.slip_rate = 0.0
    leg.wear = 0.0
    leg.opening_place = NEVER
    pieces = 0
    while place < 1.0:
        pieces += 1
        if pieces > _MOST_PIECES:
            return TOO_MANY_LEG_PIECES
        left = 1.0 - place
        if not sliding:
            reach = left
            force_end = force + slope * left
            opens = force_end <= 0.0
            if opens:
                reach = left * (force / (force - force_end)) if force > 0.0 else 0.0
                force_end = 0.0
            trial_y = stretch_y + drag_y
            trial_z = stretch_z + drag_z
            excess = 0.0
            if damper > 0.0 and not arrested:
                excess = stiffness * magnitude(trial_y, trial_z) - leg.friction * force
            begin = 0.0
            if not excess > 0.0:
                excess = 0.0
                begin = first_slip(
                    trial_y,
                    trial_z,
                    reach * path_y,
                    reach * path_z,
                    leg.stretch_per_force * force,
                    leg.stretch_per_force * force_end,
                )
            if grazing:
                begin = max(begin, _GRAZING)
                grazing = False
            slips_at = place + begin * reach
            if leg.is_watched != 0.0:
                if stays_on_cone(
                    trial_y,
                    trial_z,
                    reach * path_y,
                    reach * path_z,
                    leg.stretch_per_force * force,
                    leg.stretch_per_force * force_end,
                    begin,
                    leg.cone_rounding + leg.cone_rounding_per_force * force,
                ):
                    slips_at = place
                else:
                    note_mode(work, place, STICK)
            if begin >= 1.0:
                stretch_y += reach * path_y
                stretch_z += reach * path_z
                force = force_end
                if opens:
                    leg.opening_place = place + reach
                break
            stretch_y += begin * reach * path_y
            stretch_z += begin * reach * path_z
            force += begin * (force_end - force)
            place += begin * reach
            left = 1.0 - place
            least_excess = 0.0
            if leg.is_watched != 0.0:
                least_excess = stiffness * (leg.cone_rounding + leg.cone_rounding_per_force * force)
                if not 0.0 < excess <= least_excess:
                    note_mode(work, slips_at, SLIP)
                    least_excess = 0.0
            sliding = True
            leg.slipped = 1.0
            first_force = force
            if damper == 0.0 and not leg.runaway_per_force * force < 1.0:
                return WEAR_RUNS_AWAY
            trial_y = stretch_y + drag_y
            trial_z = stretch_z + drag_z
            trial = magnitude(trial_y, trial_z)
            ahead_y = 0.0
            ahead_z = 0.0
            if length > 0.0:
                ahead_y = path_y / length
                ahead_z = path_z / length
            cosine = 1.0
            sine = 0.0
            if trial > 0.0 and excess + leg.friction * force > 0.0:
                direction_y = trial_y / trial
                direction_z = trial_z / trial
                if length > 0.0:
                    cosine = ahead_y * direction_y + ahead_z * direction_z
                    sine = ahead_y * direction_z - ahead_z * direction_y
                else:
                    ahead_y = direction_y
                    ahead_z = direction_z
        if cosine > 0.0 and (
            abs(sine) < _ALIGNED or (damper == 0.0 and force < _FORCE_ROUNDING * first_force)
        ):
            cosine = 1.0
            sine = 0.0
        breaks_away = excess == 0.0
        wear = leg.wear
        reach = 0.0
        arrests = False
        opens = False
        if damper > 0.0 and sine == 0.0 and leg.opening_per_work == 0.0:
            reach, arrests, opens = _relaxing_end(leg, left, length * cosine, force, excess)
        if reach * stiffness > damper:
            force, excess = _relax(leg, reach, length * cosine, force, excess)
        else:
            reach, arrests, opens, pieces = _slide_piece(
                leg, work, left, length, force, excess, cosine, sine, pieces
            )
            if reach == 0.0 and not arrests and not opens:
                return TOO_MANY_LEG_PIECES
            results = work.results
            force = results[0]
            excess = results[1]
            cosine = results[2]
            sine = results[3]
        place += reach
        if least_excess > 0.0:
            # Dragged by rounding alone it has not slipped.
            if not (arrests and (leg.wear - wear) * damper <= force * least_excess * reach):
                note_mode(work, slips_at, SLIP)
            least_excess = 0.0
        if opens:
            leg.opening_place = min(place, 1.0)
            break
        if arrests:
            excess = 0.0
            grazing = breaks_away and reach == 0.0
        bound = (leg.friction * force + excess) / stiffness
        stretch_y = bound * (cosine * ahead_y - sine * ahead_z) - drag_y
        stretch_z = bound * (cosine * ahead_z + sine * ahead_y) - drag_z
        if arrests:
            sliding = False
            arrested = True
            leg.anchoring_place = place
            leg.anchored_y = stretch_y
            leg.anchored_z = stretch_z
    if leg.is_watched != 0.0 and leg.opening_place < NEVER:
        note_mode(work, leg.opening_place, FLIGHT)
    leg.sliding = 1.0 if sliding else 0.0
    if sliding:
        leg.anchoring_place = 1.0
        leg.anchored_y = stretch_y
        leg.anchored_z = stretch_z
        if damper > 0.0:
            leg.slip_rate = excess / damper
        else:
            leg.slip_rate = anchor_rate(leg, length * cosine, force)
    return OK


def anchor_rate(leg: Leg, along: float, normal_force: float) -> float:
    """λ in slip without damper, per leg [m]; `along` is |v| cos θ."""
    rate = along + leg.stretch_per_force * leg.normal_stiffness * leg.path_x
    # Never negative: only rounding could make it so.
    return max(0.0, rate / (1.0 - leg.runaway_per_force * normal_force))


def _relaxing_end(
    leg: Leg, left: float, along: float, force: float, excess: float
) -> tuple[float, bool, bool]:
    """How long a slip straight ahead or back lasts that nothing wears, and which event ends it.

    D = D_0 e^(−rs) + (q/r) (1 − e^(−rs)),   r = K_T/C_T',   q = K_T |v| cos θ + μ K_N v_x
    """
    rate = leg.tangential_stiffness / leg.tangential_damper
    fall = leg.normal_stiffness * leg.path_x
    drive = leg.tangential_stiffness * along + leg.friction * fall
    reach = left
    opens = False
    arrests = False
    if fall * left >= force:
        reach = force / fall
        opens = True
    if drive < 0.0:
        arrest = log1p(-excess * rate / drive) / rate
        if arrest < reach:
            return arrest, True, False
    return reach, arrests, opens


def _relax(
    leg: Leg, reach: float, along: float, force: float, excess: float
) -> tuple[float, float]:
    """Force and D after a slip of `reach` as in `_relaxing_end`, which lasts longer than C_T'/K_T.

    Its wear work is added: ∫ F D ds/C_T' with F linear.
    """
    damper = leg.tangential_damper
    rate = leg.tangential_stiffness / damper
    fall = leg.normal_stiffness * leg.path_x
    steady = (leg.tangential_stiffness * along + leg.friction * fall) / rate
    x = rate * reach
    decay = exp(-x)
    moment_0 = 1.0 - decay
    moment_1 = 1.0 - decay * (1.0 + x)
    mean = excess * moment_0 + steady * (x - moment_0)
    first = excess * moment_1 + steady * (0.5 * x * x - moment_1)
    # Never negative: only rounding could make it so.
    leg.wear += max(0.0, (force * mean - fall / rate * first) / (rate * damper))
    return force - fall * reach, max(0.0, excess * decay + steady * moment_0)


def _slide_piece(
    leg: Leg,
    work: SpringWork,
    left: float,
    length: float,
    force: float,
    excess: float,
    cosine: float,
    sine: float,
    pieces: int,
) -> tuple[float, bool, bool, int]:
    """Slip on over one piece of its series, `left` at most.

    Returns its length, whether the anchor is arrested and whether the contact opens at its end, and
    the number of pieces with those that were too long; a length of 0 without event where none is
    short enough. F, D, cos θ and sin θ at its end are the first numbers of `work.results`.
    """
    results = work.results
    forces = work.force
    excesses = work.excess
    cosines = work.cosine
    sines = work.sine
    wears = work.wear
    scratch = work.scratch
    reach = min(left, _LONGEST_REACH / _fastest_rate(leg, length, force, excess, sine))
    forces[0] = force
    excesses[0] = excess
    cosines[0] = cosine
    sines[0] = sine
    share = 1.0
    count = 0
    while share > 0.0:
        if not reach > _SHORTEST or pieces > _MOST_PIECES:
            return 0.0, False, False, pieces
        count, share = _fill_slip(leg, work, reach, length)
        if share > 0.0:
            reach *= share
            pieces += 1
    opens = False
    arrests = False
    end = first_exit(forces, count, scratch)
    if end < END_OF_PIECE:
        opens = True
        end = max(0.0, end)
    else:
        end = 1.0
    # Without damper the excess is 0 throughout, and nothing arrests.
    arrest = first_exit(excesses, count, scratch)
    if arrest < end and arrest < END_OF_PIECE:
        arrests = True
        opens = False
        end = max(0.0, arrest)
    # Never negative: only rounding could make it so.
    leg.wear += max(0.0, evaluate(wears, count, end))
    results[0] = 0.0 if opens else max(0.0, evaluate(forces, count, end))
    results[1] = max(0.0, evaluate(excesses, count, end))
    results[2] = cosine
    results[3] = sine
    if sine != 0.0:
        results[2] = evaluate(cosines, count, end)
        results[3] = evaluate(sines, count, end)
    if end == 1.0 and reach == left:
        return left, arrests, opens, pieces
    return end * reach, arrests, opens, pieces


def _fastest_rate(leg: Leg, length: float, force: float, excess: float, sine: float) -> float:
    """A rate per leg at which slip changes, > 0."""
    stiffness = leg.tangential_stiffness
    damper = leg.tangential_damper
    opening = leg.normal_stiffness * leg.opening_per_work
    rate = _SHORTEST
    if sine != 0.0:
        # The bound may shrink to nothing as well.
        rate += (stiffness * length + leg.friction * leg.normal_stiffness * abs(leg.path_x)) / (
            leg.friction * force + excess
        )
    if damper > 0.0:
        rate += (stiffness + leg.friction * opening * force) / damper
        rate += opening * (length + excess / damper)
    else:
        share = 1.0 - leg.runaway_per_force * force
        rate += opening * anchor_rate(leg, length, force) / share
    return rate


def _fill_slip(leg: Leg, work: SpringWork, reach: float, length: float) -> tuple[int, float]:
    """Write the series of slip over a piece of `reach`; their first coefficients are given.

    Returns the number of coefficients, and 0.0 or the share of the piece over which they end.
    """
    forces = work.force
    excesses = work.excess
    cosines = work.cosine
    sines = work.sine
    slips = work.slip
    wears = work.wear
    bounds = work.bound
    friction = leg.friction
    damper = leg.tangential_damper
    rate = 0.0
    if damper > 0.0:
        rate = reach * leg.tangential_stiffness / damper
    pull = reach * leg.tangential_stiffness * length
    normal_stiffness = leg.normal_stiffness
    fall = normal_stiffness * reach * leg.path_x
    opening = normal_stiffness * leg.opening_per_work
    runaway = leg.runaway_per_force
    turns = sines[0] != 0.0
    bounds[0] = friction * forces[0] + excesses[0]
    wears[0] = 0.0
    largest_force = 0.0
    largest_slip = 0.0
    largest_wear = 0.0
    was_small = False
    count = 1
    for j in range(SERIES_LENGTH - 1):
        order = j + 1
        if damper > 0.0:
            slip = excesses[j] / damper
        else:
            slip = length * cosines[j]
            if j == 0:
                slip += leg.stretch_per_force * normal_stiffness * leg.path_x
            for i in range(1, order):
                slip += runaway * forces[i] * slips[j - i]
            slip /= 1.0 - runaway * forces[0]
        slips[j] = slip
        worn = reach * product_term(forces, order, slips, order, j) / order
        wears[order] = worn
        fallen = -opening * worn
        if j == 0:
            fallen -= fall
        forces[order] = fallen
        excesses[order] = 0.0
        if damper > 0.0:
            excesses[order] = (pull * cosines[j] - rate * excesses[j]) / order - friction * fallen
        bounds[order] = friction * fallen + excesses[order]
        cosines[order] = 0.0
        sines[order] = 0.0
        size = 0.0
        if turns:
            next_cosine = pull * product_term(sines, order, sines, order, j)
            next_sine = -pull * product_term(cosines, order, sines, order, j)
            for i in range(1, order):
                weight = bounds[i] * (order - i)
                next_cosine -= weight * cosines[order - i]
                next_sine -= weight * sines[order - i]
            cosines[order] = next_cosine / (bounds[0] * order)
            sines[order] = next_sine / (bounds[0] * order)
            size = abs(cosines[order]) + abs(sines[order])
        count = order + 1
        largest_force = max(largest_force, abs(forces[j]))
        largest_slip = max(largest_slip, abs(slip))
        largest_wear = max(largest_wear, abs(worn))
        is_small = (
            j > 0
            and abs(fallen) <= NEGLIGIBLE * largest_force
            and abs(slip) <= NEGLIGIBLE * largest_slip
            and abs(worn) <= NEGLIGIBLE * largest_wear
            and size <= NEGLIGIBLE
        )
        if is_small and was_small:
            return count, 0.0
        was_small = is_small
    slip_ends = ends(slips, count - 1, largest_slip)
    if (
        slip_ends
        and ends(forces, count, largest_force)
        and ends(wears, count, largest_wear)
        and (not turns or (ends(cosines, count, 1.0) and ends(sines, count, 1.0)))
    ):
        return count, 0.0
    share = min(
        shortening(forces, count, largest_force), shortening(slips, count - 1, largest_slip)
    )
    share = min(share, shortening(wears, count, largest_wear))
    if turns:
        share = min(share, shortening(cosines, count, 1.0), shortening(sines, count, 1.0))
    return count, share
