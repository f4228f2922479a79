"""Penalised stick over a whole step under a constant contact force, if a bound proves it."""

from __future__ import annotations

from math import cos, exp, sin, sqrt

from ..contact.friction import holding_bound
from ..limits import NEGLIGIBLE, ON_CONE, RATE_LIMIT, SERIES_LENGTH
from ..series.free_motion import free_motion
from .parameters import Parameters
from .state_objects import State

# If |Δ| h² is below this, sinh(√Δ h)/√Δ is summed, because its closed form would cancel.
_NEARLY_CRITICAL = 0.1


def quiet_penalised_stick(
    p: Parameters,
    s: State,
    tangential_forcing: list[float],
    tangential_count: int,
    force: float,
    step_size: float,
) -> bool:
    """Penalised stick over a step: m ẍ + C ẋ + K x = f_t − k u − K_T e about the present position.

    `force` is the constant contact force [N]. False: the state is unchanged.

    x = x_p + x_h with the polynomial x_p that solves the equation and a decaying x_h, whose energy
    bounds it: |x_h| ≤ A and |ẋ_h| ≤ A √(K/m) with A² = x_h(0)² + m ẋ_h(0)²/K. So the friction force
    is at most the bound of its polynomial plus A (K_T + C_T √(K/m)). Without C_T it may touch the
    cone. If λh ≤ 1, the motion is summed as a series, because in x_p + x_h numbers of the size of
    f/K would cancel to a motion of f h²/m. If λh > 1, they cancel under heavy damping only. The
    rounding of f/K is then the rounding of some C/(K h) motions. It is one function because x_p,
    x_h and the bound share a dozen numbers.
    """
    mass = p.mass
    spring = p.tangential_stiffness
    damper = p.tangential_damping
    stiffness = p.stiffness + spring
    damping = p.damping + damper
    held = p.stiffness * s.displacement + spring * s.stretch
    # Coefficients of x_p from the highest order down, and their sums by Horner's rule.
    coefficient = 0.0
    higher = 0.0
    place = 0.0
    speed = 0.0
    bound = 0.0
    for j in range(tangential_count - 1, -1, -1):
        drive = tangential_forcing[j]
        if j == 0:
            drive -= held
        drive -= (j + 1) * (damping * coefficient + (j + 2) * mass * higher)
        higher = coefficient
        coefficient = drive / stiffness
        speed = speed * step_size + place
        place = place * step_size + coefficient
        friction = spring * coefficient + damper * (j + 1) * higher
        if j == 0:
            friction += spring * s.stretch
        bound = bound * step_size + abs(friction)
    away = -coefficient
    velocity = s.velocity - higher
    rate = sqrt(stiffness / mass)
    amplitude = sqrt(away * away + velocity * velocity / (rate * rate))
    bound += amplitude * (spring + damper * rate)
    holding = holding_bound(p, force)
    if damper == 0.0:
        holding *= 1.0 + ON_CONE
    if not bound < holding:
        return False

    start_speed = s.velocity
    # ∫ (f_t − held) ẋ dt
    work = 0.0
    if p.rate_stick * step_size <= RATE_LIMIT:
        if damper > 0.0:
            travelled, speed, work, _ = driven_motion(
                mass,
                damping,
                stiffness,
                tangential_forcing,
                tangential_count,
                held,
                start_speed,
                step_size,
            )
        else:
            motion = free_motion(
                mass,
                damping,
                stiffness,
                tangential_forcing,
                tangential_count,
                held,
                0.0,
                start_speed,
                step_size,
            )
            travelled = motion[0]
            speed = motion[1]
        gained = speed
        speed += start_speed
    else:
        half = 0.5 * damping / mass
        even, odd = _decaying(half, rate, step_size)
        travelled = place + away * (even + half * odd) + velocity * odd
        speed += velocity * (even - half * odd) - rate * rate * away * odd
        gained = speed - start_speed
        if damper > 0.0:
            work = _driving_work(
                mass,
                damping,
                stiffness,
                tangential_forcing,
                tangential_count,
                held,
                start_speed,
                step_size,
                travelled,
                speed,
            )
    damping_work = s.damping_work
    if damper > 0.0:
        # ∫ (c + C_T) ẋ² dt is the work that spring and mass do not store. Both dampers share ẋ.
        heat = work - 0.5 * stiffness * travelled * travelled
        heat -= mass * gained * (start_speed + 0.5 * gained)
        damping_work += max(0.0, heat) * damper / damping
    displacement = s.displacement + travelled
    stretch = s.stretch + travelled
    total = displacement + stretch + speed + damping_work
    # The difference is zero unless one of them is infinite or not a number.
    if total - total != 0.0:
        return False
    s.displacement = displacement
    s.stretch = stretch
    s.velocity = speed
    s.damping_work = damping_work
    return True


def driven_motion(
    mass: float,
    damping: float,
    stiffness: float,
    forcing: list[float],
    forcing_count: int,
    held: float,
    velocity: float,
    step_size: float,
) -> tuple[float, float, float, float]:
    """Like `series.free_motion`, from x = 0 under f_t − held, with the work and a bound of |ẋ|.

    The work is ∫ (f_t − held) ẋ dt. The bound is the sum of the absolute terms of ẋ.
    """
    factor = step_size / mass
    gained = 0.0
    travelled = 0.0
    work = 0.0
    power = 1.0
    largest = abs(velocity)
    speed = velocity
    way = 0.0
    was_small = False
    for j in range(SERIES_LENGTH):
        reach = step_size
        for k in range(1, forcing_count):
            reach *= step_size
            work += forcing[k] * reach * speed / (j + k + 1)
        drive = -damping * speed - stiffness * way
        if j < forcing_count:
            drive += forcing[j] * power
            power *= step_size
            if j == 0:
                drive -= held
        way = step_size * speed / (j + 1)
        speed = factor * drive / (j + 1)
        gained += speed
        travelled += way
        largest += abs(speed)
        if j >= forcing_count:
            # Two in succession, because every other coefficient may vanish without damping.
            is_small = abs(speed) <= NEGLIGIBLE * largest
            if is_small and was_small:
                break
            was_small = is_small
    return travelled, gained, work + (forcing[0] - held) * travelled, largest


def _driving_work(
    mass: float,
    damping: float,
    stiffness: float,
    forcing: list[float],
    forcing_count: int,
    held: float,
    start_speed: float,
    step_size: float,
    travelled: float,
    speed: float,
) -> float:
    """∫ (f_t − held) ẋ dt of a motion from x = 0 to x = `travelled` with ẋ = `speed`.

    With M_k = ∫ t^k ẋ dt and N_j = ∫ t^j x dt:  M_k = h^k x(h) − k N_{k−1}  and, by the equation of
    motion,  K N_j = ∫ t^j (f_t − held) dt − m (h^j ẋ(h) − [j = 0] ẋ(0) − j M_{j−1}) − C M_j.
    """
    before = start_speed
    moment = travelled
    power = 1.0
    work = (forcing[0] - held) * travelled
    for k in range(1, forcing_count):
        acting = -held / k
        reach = 1.0
        for i in range(forcing_count):
            acting += forcing[i] * reach / (k + i)
            reach *= step_size
        acting *= power * step_size
        # For j = k − 1 = 0, ẋ(0) replaces j M_{j−1}.
        inertia = mass * (power * speed - before)
        area = (acting - inertia - damping * moment) / stiffness
        before = k * moment
        power *= step_size
        moment = power * travelled - k * area
        work += forcing[k] * moment
    return work


def _decaying(half: float, rate: float, step_size: float) -> tuple[float, float]:
    """e^(−δh) cosh(√Δ h) and e^(−δh) sinh(√Δ h)/√Δ with δ = `half`, Δ = δ² − `rate`²."""
    excess = half * half - rate * rate
    scaled = excess * step_size * step_size
    if abs(scaled) < _NEARLY_CRITICAL:
        decay = exp(-half * step_size)
        # Σ Δ^i h^(2i)/(2i)! and Σ Δ^i h^(2i)/(2i + 1)!, which converge fast.
        even = 0.0
        odd = 0.0
        for i in range(6, 0, -1):
            even = (1.0 + even) * scaled / ((2 * i - 1) * (2 * i))
            odd = (1.0 + odd) * scaled / ((2 * i) * (2 * i + 1))
        even = (1.0 + even) * decay
        odd = (1.0 + odd) * decay * step_size
    elif excess < 0.0:
        decay = exp(-half * step_size)
        frequency = sqrt(-excess)
        even = decay * cos(frequency * step_size)
        odd = decay * sin(frequency * step_size) / frequency
    else:
        root = sqrt(excess)
        fast = exp(-(half + root) * step_size)
        slow = exp(-(rate * rate / (half + root)) * step_size)
        even = 0.5 * (slow + fast)
        odd = 0.5 * (slow - fast) / root
    return even, odd
