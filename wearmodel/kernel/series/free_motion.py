"""Linear motion over a whole step: changes of position and velocity, and velocity bounds."""

from __future__ import annotations

from ..limits import NEGLIGIBLE, SERIES_LENGTH


def free_motion(
    mass: float,
    damping: float,
    stiffness: float,
    forcing: list[float],
    forcing_count: int,
    friction: float,
    place: float,
    velocity: float,
    step_size: float,
) -> tuple[float, float, float, float]:
    """Changes of x and ẋ over a step under m ẍ + c ẋ + k x = Σ f_j t^j − friction, λh ≤ 1.

    `place` and `velocity` are x and ẋ at the start. The terms of the series of `oscillator_series`
    are summed and not stored. The function also returns the sums of the negative and of the
    positive terms of ẋ, which are bounds of its decrease and increase.
    """
    factor = step_size / mass
    gained = 0.0
    fall = 0.0
    rise = 0.0
    power = 1.0
    if stiffness == 0.0 and damping == 0.0:
        speed = factor * (forcing[0] - friction)
        if speed < 0.0:
            fall = speed
        else:
            rise = speed
        gained = speed
        travelled = step_size * (velocity + 0.5 * speed)
        for j in range(1, forcing_count):
            power *= step_size
            speed = factor * forcing[j] * power / (j + 1)
            gained += speed
            travelled += step_size * speed / (j + 2)
            if speed < 0.0:
                fall += speed
            else:
                rise += speed
        return travelled, gained, fall, rise

    travelled = 0.0
    # Terms of velocity and position, of order j at the start of each iteration.
    speed = velocity
    way = place
    was_small = False
    for j in range(SERIES_LENGTH):
        drive = -damping * speed - stiffness * way
        if j < forcing_count:
            drive += forcing[j] * power
            power *= step_size
            if j == 0:
                drive -= friction
        way = step_size * speed / (j + 1)
        speed = factor * drive / (j + 1)
        gained += speed
        travelled += way
        if speed < 0.0:
            fall += speed
        else:
            rise += speed
        if j >= forcing_count:
            # Two in succession, because every other coefficient may vanish without damping.
            is_small = abs(speed) <= NEGLIGIBLE * (abs(velocity) + rise - fall)
            if is_small and was_small:
                break
            was_small = is_small
    return travelled, gained, fall, rise
